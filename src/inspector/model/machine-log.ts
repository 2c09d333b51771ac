import type { MachineStep } from "../../core/engine/tracer.ts";

/** One step of a machine, with its row. */
export interface LoggedStep {
  /** The index of its row. */
  row: number;
  readonly atMs: number;
  /** The event; undefined when the machine started. */
  readonly event: MachineStep["event"];
  readonly previous: MachineStep["previous"];
  readonly next: MachineStep["next"];
  /** The facts that it emitted. */
  readonly emitted: string[];
}

/** One instance of a machine, with all its steps. */
export interface MachineInstance {
  readonly machine: string;
  readonly id: string;
  /** The id of its record. */
  readonly recordId: string;
  readonly about: MachineStep["about"];
  readonly steps: LoggedStep[];
}

/** The steps of all machines of a run. Snapshots are not copied, since they are immutable. */
export class MachineLog {
  private readonly byKey = new Map<string, MachineInstance>();
  /** The latest instance for each object. */
  private readonly last = new WeakMap<object, MachineInstance>();
  private readonly byRecord = new Map<string, MachineInstance[]>();

  add(
    { machine, id, about, event, previous, next }: MachineStep,
    row: number,
    atMs: number,
  ): MachineInstance {
    const key = `${machine} ${id}`;
    let instance = this.byKey.get(key);
    if (instance === undefined || previous === undefined) {
      instance = { machine, id, recordId: about.recordId, about, steps: [] };
      this.byKey.set(key, instance);
      const ofRecord = this.byRecord.get(about.recordId);
      if (ofRecord === undefined) this.byRecord.set(about.recordId, [instance]);
      else ofRecord.push(instance);
    }
    instance.steps.push({ row, atMs, event, previous, next, emitted: [] });
    this.last.set(about, instance);
    return instance;
  }

  /** Notes a fact that a machine emitted. */
  addFact(about: object, fact: string): void {
    this.last.get(about)?.steps.at(-1)?.emitted.push(fact);
  }

  /** Replaces narration rows by page rows once they are drawn. @param pageRowOf the page row of each narration row */
  setPageRows(pageRowOf: readonly number[]): void {
    for (const { steps } of [...this.byRecord.values()].flat())
      for (const step of steps) step.row = pageRowOf[step.row] ?? pageRowOf.at(-1) ?? -1;
  }

  /** The machines of a record, in the order in which they started. */
  of(recordId: string): readonly MachineInstance[] {
    return this.byRecord.get(recordId) ?? [];
  }
}

/** The last step of a machine at a row. */
export function lastStep(instance: MachineInstance, row: number): LoggedStep | undefined {
  let found: LoggedStep | undefined;
  for (const step of instance.steps) {
    if (step.row > row) break;
    found = step;
  }
  return found;
}
