import { draw } from "../../engine/distributions.ts";
import { isNone } from "../assumptions.ts";
import type { Base } from "../base.ts";
import { capability, type Tasks } from "../capability.ts";
import { shuffled, type Unpublished } from "./event-order.ts";

const CREATE = "event.create";

export interface State {
  /** Events of this step, if their order is drawn when it is over. */
  readonly waiting: Unpublished[];
}

/** Publishes what the lines of the score say: at once, after a while, or in an order that is drawn from the seed. */
export class Publishing {
  /**
   * Creates an event, or has it created.
   * @param data the payload, or a function that makes it when it is first read
   */
  readonly publish: (type: string, data: object | (() => object)) => void;
  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<Publishing> = {
    [CREATE]: (it, item) => {
      const { type, data } = item.data as Unpublished;
      it.create(type, data);
    },
  };

  private readonly create: Publishing["publish"];

  constructor(
    private readonly world: Base,
    private readonly state: State,
  ) {
    const { eventDelay, sameInstant } = world.settings.assume;
    const { engine } = world;
    this.create =
      sameInstant === "score"
        ? (type, data) => engine.publish(type, data)
        : (type, data) => state.waiting.push({ type, data });
    this.publish = isNone(eventDelay)
      ? this.create
      : (type, data) => {
          // a record may change before its event is created: the payload is made now
          const made = typeof data === "function" ? data() : data;
          const delayMs = draw(eventDelay, () => engine.randomness.uniform("event delay"));
          engine.schedule(delayMs, CREATE, "", "event: created", { type, data: made });
        };
  }

  /** Publishes the events of this step whose order is still to be drawn. */
  flush(): void {
    const { waiting } = this.state;
    if (waiting.length === 0) return;
    const { engine } = this.world;
    const events = shuffled(waiting.splice(0), () => engine.randomness.uniform("order of events"));
    for (const { type, data } of events) engine.publish(type, data);
  }
}

/** Publishing events. */
export const publishing = capability({
  begin: (): State => ({ waiting: [] }),
  make: (world: Base, state) => new Publishing(world, state),
  tasks: Publishing.tasks,
});
