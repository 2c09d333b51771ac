import type { AgendaItem } from "../../core/engine/agenda.ts";
import type { Deviation } from "../../core/engine/deviations.ts";
import type { LoggedEvent } from "../../core/engine/event-log.ts";
import type { MachineStep, Tracer } from "../../core/engine/tracer.ts";
import type { Narration } from "../../core/narration/narration.ts";
import type { NarrationRow } from "../../core/narration/rows.ts";
import type { MachineName, MachineTypes } from "../../core/platform/base/machine-types.ts";
import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { CaptureSource, StateAt } from "../data.ts";
import { insertStateRows } from "./added-rows.ts";
import { insertCaptureRows } from "./capture-rows.ts";
import { drawRows, type NarratedRun } from "./draw-rows.ts";
import { Lanes } from "./lanes.ts";
import { MachineLog } from "./machine-log.ts";
import type { Bar, PageRow, RunRecord, TeamHold } from "./types.ts";

/** Records a run beside its narration, and draws its rows at the end. */
export class Recorder implements Tracer<MachineTypes>, NarratedRun {
  readonly machines = new MachineLog();
  /** All events, in the order of the stream. */
  readonly events: PlatformEvent[] = [];
  readonly lanes: Lanes;
  rows: readonly PageRow[] = [];
  bars: readonly Bar[] = [];
  holds: readonly TeamHold[] = [];
  records: readonly RunRecord[] = [];
  /** The number of steps after each row of the narration. */
  private readonly stepsAfterRow: number[] = [];
  private stepCount = 0;

  constructor(
    readonly simulator: Simulator,
    private readonly narration: Narration,
    hasStandIns: boolean,
  ) {
    this.lanes = new Lanes(simulator, narration.lifelines, narration.mentions, hasStandIns);
  }

  command(name: string, args: unknown): void {
    this.narration.tracer.command(name, args);
  }

  commandRefused(): void {
    this.narration.tracer.commandRefused?.();
  }

  item(item: AgendaItem): void {
    this.narration.tracer.item(item);
  }

  event(event: LoggedEvent): void {
    this.events.push(event as PlatformEvent);
    this.narration.tracer.event(event);
  }

  fact<R extends MachineName>(
    machine: R,
    about: MachineTypes[R]["about"],
    fact: MachineTypes[R]["fact"],
  ): void {
    this.machines.addFact(about, fact.type);
    this.narration.tracer.fact(machine, about, fact);
  }

  domainEvent(what: string, of: object): void {
    this.narration.tracer.domainEvent?.(what, of);
  }

  machine(step: MachineStep): void {
    this.narration.tracer.machine?.(step);
    const { length } = this.narration.rows;
    // the row of a ring comes with its first fact
    const row = step.machine === "ring" && step.previous === undefined ? length : length - 1;
    this.machines.add(step, row, this.simulator.timestamp - this.simulator.startTimestamp);
  }

  requestOver(request: RequestRecord): void {
    this.narration.tracer.requestOver(request);
  }

  requestDeviates(request: RequestRecord, deviation: Pick<Deviation, "is" | "by">): void {
    this.narration.tracer.requestDeviates(request, deviation);
  }

  timerDeviates(first: string, before: string, atMs: number): void {
    this.narration.tracer.timerDeviates?.(first, before, atMs);
  }

  /** A step is over. */
  flush(): void {
    this.stepCount++;
    while (this.stepsAfterRow.length < this.narration.rows.length) this.stepsAfterRow.push(this.stepCount);
  }

  /**
   * The run is over: draws everything.
   * @param capture what the run was imported from
   * @param states the states of the app, in order
   */
  finish(capture?: CaptureSource, states: readonly StateAt[] = []): void {
    this.flush();
    const { narration, simulator } = this;
    narration.spans.finish(simulator.timestamp);
    narration.spans.renameCalls((caller) => this.lanes.wholeName(caller));
    const drawn = drawRows(narration.rows, this);
    const captured = capture === undefined ? drawn : insertCaptureRows(drawn, capture);
    if (states.some(({ state }) => state !== undefined)) this.lanes.addApp();
    const { rows, pageRowOf } = insertStateRows(captured, states);
    const pageRow = (row: number) => pageRowOf[row] ?? 0;
    const from = <T extends Bar | TeamHold | RunRecord>(each: T): T => ({
      ...each,
      fromRow: pageRow(each.fromRow),
      toRow: pageRow(each.toRow),
    });
    this.rows = rows;
    this.bars = narration.spans.bars.map((bar) => ({ ...from(bar), lane: this.lanes.byId(bar.lane) }));
    this.holds = narration.spans.holds.map(from);
    const records = narration.spans.records.map(from);
    // beyond 26 calls, numbers replace letters
    const isMany = records.length > 26;
    this.records = isMany ? records.map((each, index) => ({ ...each, label: `${index + 1}` })) : records;
    this.machines.setPageRows(pageRowOf);
  }

  /** The rows of the narration. */
  get narrationRows(): readonly NarrationRow[] {
    return this.narration.rows;
  }

  /** The number of steps after a row of the narration. */
  stepOf(row: number): number {
    return this.stepsAfterRow[row] ?? this.stepCount;
  }
}
