import { draw } from "../../foundation/distributions.ts";
import type { CoreServices } from "../base/core-services.ts";
import { isNone } from "../declare/assumptions.ts";
import { defineService, type Tasks } from "../declare/service.ts";
import { reorderEvents, type Unpublished } from "./event-order.ts";

const CREATE = "event.create";

export interface State {
  /** Events of this step that wait to be put into another order at its end. */
  readonly waiting: Unpublished[];
}

/** Publishes the events of the reactions: at once, after a delay, or in another order than theirs. */
export class Publishing {
  /**
   * Creates an event, now or later.
   * @param data the payload, or a function that makes it when it is first read
   */
  readonly publish: (type: string, data: object | (() => object)) => void;
  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<Publishing> = {
    [CREATE]: (it, item) => {
      const { type, data } = item.data as Unpublished;
      it.services.engine.publish(type, data);
    },
  };

  private readonly create: Publishing["publish"];

  constructor(
    private readonly services: CoreServices,
    private readonly state: State,
  ) {
    const { eventDelay, sameInstant } = services.settings.assume;
    const { engine } = services;
    this.create = isNone(eventDelay)
      ? engine.publish.bind(engine)
      : (type, data) => {
          // the record may change before its event is created, so the payload is made now
          const payload = typeof data === "function" ? data() : data;
          const delayMs = draw(eventDelay, () => engine.randomness.uniform("event delay"));
          engine.schedule(delayMs, CREATE, "", "event: created", { type, data: payload });
        };
    this.publish = sameInstant === "score" ? this.create : (type, data) => state.waiting.push({ type, data });
  }

  /** Publishes the events of this step that wait to be put into another order. */
  flush(): void {
    const { waiting } = this.state;
    if (waiting.length === 0) return;
    const { engine, settings } = this.services;
    const choose =
      settings.assume.sameInstant === "reversed"
        ? (count: number) => count - 1
        : (count: number) => Math.floor(engine.randomness.uniform("order of events") * count);
    for (const { type, data } of reorderEvents(waiting.splice(0), choose)) this.create(type, data);
  }
}

/** Publishing events. */
export const publishing = defineService({
  init: (): State => ({ waiting: [] }),
  create: (services: CoreServices, state) => new Publishing(services, state),
  tasks: Publishing.tasks,
});
