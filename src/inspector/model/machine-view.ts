import {
  candidates,
  evaluateGuards,
  eventName,
  type GuardResult,
  guardName,
  listMachineEvents,
  machineOf,
} from "./guards.ts";
import { lastStep, type MachineInstance } from "./machine-log.ts";
import type { Recording } from "./recording.ts";

/** A transition that a machine may take next. */
export interface PossibleTransition {
  readonly event: string;
  readonly guard: string | undefined;
  readonly target: string;
}

/** A machine's state at a row. */
export interface MachineView {
  readonly machine: string;
  readonly id: string;
  /** Its name, such as `call A` or `ring of Bob`. */
  readonly title: string;
  readonly state: string;
  /** The states that it was in before, in order. */
  readonly earlierStates: readonly string[];
  /** Its last transition; undefined if it has only started. */
  readonly last:
    | {
        readonly event: string;
        readonly given: string;
        readonly source: string;
        readonly target: string;
        readonly guards: readonly GuardResult[];
        readonly emits: readonly string[];
        readonly atMs: number;
        readonly row: number;
      }
    | undefined;
  readonly possible: readonly PossibleTransition[];
  /** Its context, as JSON. */
  readonly context: string;
}

/** The machines that a row concerns, those of its own record first. */
export function machineViews(recording: Recording, index: number): MachineView[] {
  const { recorder, rows } = recording;
  const row = rows[index];
  if (row === undefined) return [];
  const record = recorder.records[row.record];
  const about = [
    ...(record === undefined ? [] : [record.id]),
    ...row.deliveries.map(({ id }) => id),
    ...listPeople(recording, index),
  ];
  const instances = [...new Set(about)].flatMap((id) => recorder.machines.of(id));
  const here = instances.filter(({ steps }) => (steps[0]?.row ?? Infinity) <= index);
  // the one that has just made a step comes first
  const moved = (each: MachineInstance) => lastStep(each, index)?.row === index;
  const isCall = ({ machine }: MachineInstance) => machine === "call" || machine === "conversation";
  const now = here.filter(moved);
  const sorted = [
    ...now.filter(isCall),
    ...now.filter((each) => !isCall(each)),
    ...here.filter((each) => !moved(each)),
  ];
  return sorted.slice(0, 60).flatMap((each) => showInstance(recording, each, index));
}

/** The users whose availability a row may concern. */
function listPeople({ rows }: Recording, index: number): string[] {
  const row = rows[index];
  return row === undefined ? [] : [row.source, ...row.targets, ...row.endpoints.map(({ lane }) => lane)];
}

function showInstance(recording: Recording, instance: MachineInstance, row: number): MachineView[] {
  const machine = machineOf(instance.machine);
  const step = lastStep(instance, row);
  if (machine === undefined || step === undefined) return [];
  const state = String(step.next.value);
  const done = instance.steps.slice(0, instance.steps.indexOf(step));
  return [
    {
      machine: instance.machine,
      id: instance.id,
      title: writeTitle(recording, instance),
      state,
      earlierStates: [...new Set(done.map(({ next }) => String(next.value)))],
      last: findLast(instance, row),
      possible: listMachineEvents(machine, state).flatMap((type) =>
        candidates(machine, state, type).map((transition) => ({
          event: eventName(type),
          guard: guardName(transition),
          target: transition.target?.[0]?.key ?? state,
        })),
      ),
      context: JSON.stringify(step.next.context, null, 2),
    },
  ];
}

function findLast(instance: MachineInstance, row: number): MachineView["last"] {
  const machine = machineOf(instance.machine);
  const step = lastStep(instance, row);
  if (machine === undefined || step?.event === undefined || step.previous === undefined) return undefined;
  const from = String(step.previous.value);
  const { guards } = evaluateGuards(machine, from, step.previous.context, step.event);
  const { type, ...given } = step.event;
  return {
    event: eventName(type),
    given: Object.keys(given).length === 0 ? "" : JSON.stringify(given),
    source: from,
    target: String(step.next.value),
    guards,
    emits: step.emitted,
    atMs: step.atMs,
    row: step.row,
  };
}

function writeTitle({ recorder }: Recording, { machine, recordId, about }: MachineInstance): string {
  const record = recorder.records.find(({ id }) => id === recordId);
  const label = record === undefined ? "" : ` ${record.label}`;
  const { ring, teamId } = about as { ring?: { entryId: string }; teamId?: string };
  const entryId = ring?.entryId;
  if (entryId !== undefined) return `ring of ${recorder.lanes.name(entryId)}${label && `,${label}`}`;
  if (teamId !== undefined) return `offer to ${recorder.lanes.name(teamId)}${label && `,${label}`}`;
  if (machine === "availability") return `availability of ${recorder.lanes.name(recordId)}`;
  return record === undefined ? `${machine} ${recordId}` : `${machine}${label}`;
}
