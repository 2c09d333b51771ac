import type { AgendaItem } from "../../core/engine/agenda.ts";
import type { Deviation } from "../../core/engine/deviations.ts";
import type { LoggedEvent } from "../../core/engine/event-log.ts";
import type { MachineStep, Tracer } from "../../core/engine/tracer.ts";
import type { Narration } from "../../core/narration/narration.ts";
import type { NarrationRow as StoryRow } from "../../core/narration/rows.ts";
import type { MachineName, MachineTypes } from "../../core/platform/base/machine-types.ts";
import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { CaptureSource, StateAt } from "../data.ts";
import { withStates } from "./added-rows.ts";
import { withCapture } from "./captured.ts";
import { drawRows, type Watched } from "./draw-rows.ts";
import { Lanes } from "./lanes.ts";
import { MachineLog } from "./machine-log.ts";
import type { Bar, Hold, Row, RunRecord } from "./types.ts";

/** Watches a run while it is told, and has its rows drawn when it is over. */
export class Recorder implements Tracer<MachineTypes>, Watched {
  readonly machines = new MachineLog();
  /** All events, in the order of the stream. */
  readonly events: PlatformEvent[] = [];
  readonly lanes: Lanes;
  rows: readonly Row[] = [];
  bars: readonly Bar[] = [];
  holds: readonly Hold[] = [];
  records: readonly RunRecord[] = [];
  /** How many steps the run had made after each row of the story. */
  private readonly steps: number[] = [];
  private step = 0;

  constructor(
    readonly run: Simulator,
    private readonly telling: Narration,
  ) {
    this.lanes = new Lanes(run, telling.lifelines.platform.name);
  }

  command(name: string, args: unknown): void {
    this.telling.tracer.command(name, args);
  }

  refused(): void {
    this.telling.tracer.refused?.();
  }

  item(item: AgendaItem): void {
    this.telling.tracer.item(item);
  }

  event(event: LoggedEvent): void {
    this.events.push(event as PlatformEvent);
    this.telling.tracer.event(event);
  }

  fact<R extends MachineName>(
    machine: R,
    about: MachineTypes[R]["about"],
    fact: MachineTypes[R]["fact"],
  ): void {
    this.machines.told(about, fact.type);
    this.telling.tracer.fact(machine, about, fact);
  }

  happened(what: string, of: object): void {
    this.telling.tracer.happened?.(what, of);
  }

  machine(step: MachineStep): void {
    this.telling.tracer.machine?.(step);
    const { length } = this.telling.rows;
    // the row of a ring comes with its first fact
    const row = step.machine === "ring" && step.before === undefined ? length : length - 1;
    this.machines.add(step, row, this.run.timestamp - this.run.startTimestamp);
  }

  requestOver(request: RequestRecord): void {
    this.telling.tracer.requestOver(request);
  }

  requestDeviates(request: RequestRecord, deviation: Pick<Deviation, "is" | "by">): void {
    this.telling.tracer.requestDeviates(request, deviation);
  }

  timerDeviates(first: string, before: string, atMs: number): void {
    this.telling.tracer.timerDeviates?.(first, before, atMs);
  }

  /** A step is over. */
  flush(): void {
    this.step++;
    while (this.steps.length < this.telling.rows.length) this.steps.push(this.step);
  }

  /**
   * The run is over: draws everything.
   * @param capture what the run was imported from
   * @param states the states of the app, in order
   */
  end(capture?: CaptureSource, states: readonly StateAt[] = []): void {
    this.flush();
    const { telling, run } = this;
    telling.stage.end(run.timestamp);
    const drawn = drawRows(telling.rows, this);
    const told = capture === undefined ? drawn : withCapture(drawn, capture);
    if (states.some(({ state }) => state !== undefined)) this.lanes.addApp();
    const { rows, places } = withStates(told, states);
    const place = (row: number) => places[row] ?? 0;
    const from = <T extends Bar | Hold | RunRecord>(each: T): T => ({
      ...each,
      fromRow: place(each.fromRow),
      toRow: place(each.toRow),
    });
    this.rows = rows;
    this.bars = telling.stage.bars.map((bar) => ({ ...from(bar), lane: this.lanes.byId(bar.lane) }));
    this.holds = telling.stage.holds.map(from);
    const records = telling.stage.records.map(from);
    // where letters run out, calls have the numbers by which their list names them
    const isMany = records.length > 26;
    this.records = isMany ? records.map((each, place) => ({ ...each, label: `${place + 1}` })) : records;
    this.machines.place(places);
  }

  /** The rows of the story. */
  get told(): readonly StoryRow[] {
    return this.telling.rows;
  }

  /** How many steps the run had made after a row of the story. */
  stepOf(row: number): number {
    return this.steps[row] ?? this.step;
  }
}
