import type { PlatformEvent } from "../platform/declare/events.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { type ComparedRow, eventText } from "./compare.ts";
import type { Scenario, Step, StepTrigger } from "./scenario.ts";

/** A step that waits for an event, or for the time it adds after that event. */
interface WaitingStep {
  readonly step: Step & { readonly on: StepTrigger };
  readonly index: number;
  /** How many more events must match. */
  left: number;
  /** Events from before the step's call was known. */
  unchecked: PlatformEvent[];
  /** Cancels the step; set once the event has come. */
  cancel: (() => void) | undefined;
  /** When the event came, ms since the epoch. */
  occurredMs: number | undefined;
}

/**
 * Plays the steps that wait for events. A step that names a call or a conversation sees all its events. Others see
 * events from the nearest timed step above them on. They do not wait for each other.
 */
export class TiedSteps {
  private readonly waiting = new Set<WaitingStep>();
  /** The events since the last step with a time began. */
  private recent: PlatformEvent[] = [];
  /** The names that steps give. */
  private readonly names: ReadonlySet<string>;
  /** The ids of users and teams, by id and by e-mail address. */
  private readonly directory = new Map<string, string>();
  private readonly onEvent = (_: unknown, event: PlatformEvent) => {
    this.recent.push(event);
    for (const each of this.waiting) this.check(each, event);
  };

  /**
   * @param named the ids by the names that steps gave
   * @param play plays a step that is due; the `Async` time methods await what it returns
   */
  constructor(
    private readonly simulator: Simulator,
    { options: { organisation }, steps }: Scenario,
    private readonly named: Map<string, string>,
    private readonly play: (step: Step, index: number) => unknown,
  ) {
    const { users = [], teams = [] } = organisation ?? { id: "" };
    for (const { id, email } of users) this.directory.set(id, id).set(email.toLowerCase(), id);
    for (const { id } of teams) this.directory.set(id, id);
    this.names = new Set(steps.flatMap(({ as, on }) => [as, on?.as].filter((name) => name !== undefined)));
    for (const [index, step] of steps.entries())
      if (step.on?.of !== undefined && this.names.has(step.on.of)) this.listen(step, index);
    simulator.on("*", this.onEvent);
  }

  /** Called before a step with a time is played. */
  beforeTimedStep(): void {
    this.recent = [];
  }

  /** Called when all steps above this one have been played or are waiting. */
  stepReached(step: Step, index: number): void {
    if (step.on?.of === undefined || !this.names.has(step.on.of)) this.listen(step, index);
  }

  private listen(step: Step, index: number): void {
    if (step.on === undefined) return;
    const { on } = step;
    const waiting: WaitingStep = {
      step: { ...step, on },
      ...{ index, left: on.nth, unchecked: [], cancel: undefined, occurredMs: undefined },
    };
    this.waiting.add(waiting);
    for (const event of this.recent) this.check(waiting, event);
  }

  /** Called after a step was played and its name is known. */
  afterStep(): void {
    for (const each of this.waiting) {
      const { unchecked: events } = each;
      each.unchecked = [];
      for (const event of events) this.check(each, event);
    }
  }

  /**
   * A row for each step whose event has not come.
   * @param startMs the start of the run, ms since the epoch
   */
  unmetRows(startMs: number): ComparedRow[] {
    return [...this.waiting].flatMap((each) =>
      each.occurredMs === undefined ? [this.makeRow(each, startMs)] : [],
    );
  }

  /** Stops listening. */
  end(): void {
    this.simulator.off("*", this.onEvent);
    for (const each of this.waiting) each.cancel?.();
    this.waiting.clear();
  }

  private check(each: WaitingStep, event: PlatformEvent): void {
    const { type, of, plusMs, as } = each.step.on;
    if (each.occurredMs !== undefined || event.type !== type) return;
    if (of !== undefined && this.idOf(of) === undefined) each.unchecked.push(event);
    else if ((of === undefined || isAbout(event, this.idOf(of))) && --each.left === 0) {
      each.occurredMs = this.simulator.timestamp;
      if (as !== undefined) this.named.set(as, findSubject(event));
      each.cancel = this.simulator.schedule(plusMs, () => {
        this.waiting.delete(each);
        return this.play(each.step, each.index);
      });
    }
  }

  /** The id for a name of a step, a user or a team; undefined if no step has given the name yet. */
  private idOf(of: string): string | undefined {
    if (this.names.has(of)) return this.named.get(of);
    return this.directory.get(of) ?? this.directory.get(of.toLowerCase());
  }

  private makeRow({ step, index, left }: WaitingStep, startMs: number): ComparedRow {
    const { type, of, nth } = step.on;
    const id = of === undefined ? undefined : this.idOf(of);
    const expected = `${step.command} on ${type}${of === undefined ? "" : ` of ${of}`}${nth > 1 ? `, nth ${nth}` : ""}`;
    const line = step.position.line;
    return {
      of: "steps",
      index,
      line,
      expected,
      actual: undefined,
      problem: this.explainMissing(of, id, nth - left, startMs),
    };
  }

  /** Explains a missing event by the events that came. */
  private explainMissing(
    of: string | undefined,
    id: string | undefined,
    count: number,
    startMs: number,
  ): string {
    if (of !== undefined && id === undefined) return `never came: no step has made ${of}`;
    const summary = count === 0 ? "never came" : `came ${count === 1 ? "once" : `${count} times`}`;
    if (of === undefined) return summary;
    const seen = this.simulator.events
      .filter((event) => isAbout(event, id))
      .map((event) => eventText(event, startMs));
    const some = seen.length > MOST_SHOWN ? [...seen.slice(0, MOST_SHOWN), "..."] : seen;
    return `${summary}; of ${of} there were: ${some.join(", ") || "none"}`;
  }
}

/** The most events that a mismatch lists. */
const MOST_SHOWN = 10;

/** The id of the call or the conversation of an event. */
function findSubject({ type, data }: PlatformEvent): string {
  const { call, conversation } = data as { readonly [key: string]: { readonly id: string } };
  const { id } = call ?? conversation ?? {};
  if (id === undefined) throw new Error(`${type} is about no call and no conversation`);
  return id;
}

function isAbout({ data }: PlatformEvent, id: string | undefined): boolean {
  return Object.values(data).some((record) => (record as { readonly id?: string }).id === id);
}
