import { clock } from "../../core/foundation/clock.ts";
import { stateText } from "../../core/narration/state-spans.ts";
import type { EventType, RingingEndpoint, Simulator } from "../../index.ts";
import { type OfferedAct, offeredActsAt } from "./acts.ts";
import { machineOf } from "./guards.ts";
import { type LoggedStep, lastStep } from "./machine-log.ts";
import type { Recording } from "./recording.ts";
import { tryRemedies } from "./try-remedies.ts";
import type { RunRecord } from "./types.ts";
import type { AskedWhy, Cause, WhyAnswer } from "./why-answer.ts";

/** The maximum number of people, and of webhooks, to ask about. */
const MAX_LISTED = 12;

/** Questions about the instant of a row: why somebody did not ring then, an event did not come, a webhook got nothing. */
export function questionsAt(recording: Recording, index: number): AskedWhy[] {
  const row = recording.rows[index];
  if (row === undefined) return [];
  const { simulator } = recording.at(row.step);
  const { lanes } = recording.recorder;
  const group = `At ${clock(row.atMs)}`;
  const ask = (kind: string, id: string, text: string) => ({ id: `${kind} ${id}`, text, group });
  const ringing = new Set(simulator.calls.live().flatMap((call) => call.ringing().map(ringingName)));
  const users = simulator.users.list().slice(0, MAX_LISTED);
  const people = users
    .filter(({ id }) => ![...ringing].some((each) => each.startsWith(`${id}/`)))
    .map(({ id }) => ask("person", id, `${lanes.name(id)} rings`));
  const phones = users.flatMap(({ id, record }) =>
    record.endpoints
      .filter((endpoint) => !ringing.has(`${id}/${endpoint.id}`))
      .map((endpoint) => ask("phone", `${id}/${endpoint.id}`, `${lanes.name(id)}'s ${endpoint.id} rings`)),
  );
  const types = new Set(recording.recorder.events.map(({ type }) => type));
  const came = new Set(eventsAt(recording, row.atMs).map(({ type }) => type));
  const events = [...types, "call.answered" as const, "call.not_answered" as const]
    .filter((type, index, all) => !came.has(type) && all.indexOf(type) === index)
    .map((type) => ask("event", type, type));
  const hooks = simulator.webhooks
    .list()
    .slice(0, MAX_LISTED)
    .filter(({ id }) => !isDelivered(recording.simulator, id, recording.summary.startMs + row.atMs))
    .map(({ id, url }) => ask("webhook", id, `${new URL(url).host} takes an event`));
  return [...people, ...phones, ...events, ...hooks];
}

export function whyNoEvent(recording: Recording, index: number, type: EventType): WhyAnswer {
  const { rows, recorder, summary } = recording;
  const atMs = rows[index]?.atMs ?? 0;
  const all = recorder.events.map((event) => ({ event, ms: event.createdTimestamp - summary.startMs }));
  const same = all.filter(({ event }) => event.type === type);
  const before = same.findLast(({ ms }) => ms < atMs);
  const now = same.find(({ ms }) => ms === atMs);
  const after = same.find(({ ms }) => ms > atMs);
  const causes: Cause[] = liveAt(recording, index).flatMap((call) =>
    recorder.machines.of(call.id).flatMap((instance): Cause[] => {
      const step = lastStep(instance, index);
      const { machine } = instance;
      if (step === undefined || (machine !== "call" && machine !== "voicemail")) return [];
      return [
        {
          kind: "timer",
          title: `Call ${call.label}: the ${machine} was ${stateText(machine, step.next.value)}`,
          text: sinceText(recording, index, call.id, machine),
          row: step.row,
        },
      ];
    }),
  );
  const rowOf = (found: (typeof same)[number]) =>
    rows.find(({ event }) => recorder.events[event ?? -1] === found.event)?.index;
  const came = (found: (typeof same)[number] | undefined, text: string) => {
    if (found !== undefined)
      causes.push({ kind: "event", title: `It came at ${clock(found.ms)}`, text, row: rowOf(found) });
  };
  came(before, "That was before.");
  came(now, "That is this instant.");
  came(after, "That was later.");
  if (same.length === 0)
    causes.push({ kind: "timer", title: "It never came", text: `No ${type} is in the run.`, row: undefined });
  const offered = offeredActsAt(recording, index).flatMap((group) => group.acts);
  // an answer has the same effect on every phone of a person
  const acts = [...new Map(offered.map((act) => [act.label, { row: index, act }])).values()];
  const count = eventsAt(recording, atMs).filter((event) => event.type === type).length;
  const comes = (fork: Simulator) =>
    fork.events.filter((event) => event.type === type && event.createdTimestamp === summary.startMs + atMs)
      .length > count;
  return { causes, ...tryRemedies(recording, acts, comes) };
}

export function whyNoDelivery(recording: Recording, index: number, id: string): WhyAnswer {
  const { rows, summary } = recording;
  const { simulator } = runAfter(recording, index);
  const atMs = rows[index]?.atMs ?? 0;
  const { enabled, events, url } = simulator.webhooks.get(id);
  const origin = new URL(url).origin;
  const causes: Cause[] = [
    {
      kind: enabled ? "event" : "failed",
      title: `The webhook was ${enabled ? "enabled" : "disabled"}`,
      text: `${sinceText(recording, index, id, "webhook")} It takes ${events.join(", ")}.`,
      row: findLastStep(recording, index, id, "webhook")?.row,
    },
  ];
  const waiting = simulator.webhooks.deliveries(id).filter(({ state }) => state !== "delivered");
  for (const { event, attempts, nextAttemptTimestamp, state } of waiting.slice(-5)) {
    const last = attempts.at(-1);
    const next =
      nextAttemptTimestamp === null
        ? ""
        : ` The next attempt is at ${clock(nextAttemptTimestamp - summary.startMs)}.`;
    causes.push({
      kind: "failed",
      title: `${event.type} was ${state === "givenUp" ? "given up" : "not delivered yet"}`,
      text: `${last === undefined ? "It was not sent yet." : `Attempt ${last.number}, ${clock(last.startedTimestamp - summary.startMs)}: ${last.failure ?? "under way"}.`}${next}`,
      row: undefined,
    });
  }
  const then = eventsAt(recording, atMs).filter(({ type }) => events.includes(type) || events.includes("*"));
  if (waiting.length === 0 && then.length === 0)
    causes.push({
      kind: "timer",
      title: "Nothing was due for it",
      text: `No event that it takes came at ${clock(atMs)}.`,
      row: index,
    });
  const from = Math.max(0, rows.findIndex((row) => row.atMs === atMs) - 1);
  const acts = [
    actAt(from, "The webhook is enabled", "updateWebhook", { webhook: id, enabled: true }),
    actAt(from, "The endpoint works", "fault", { url: origin, status: 503, times: 0 }),
  ];
  const takes = (fork: Simulator) => isDelivered(fork, id, summary.startMs + atMs);
  return { causes, ...tryRemedies(recording, acts, takes) };
}

function actAt(row: number, label: string, command: OfferedAct["command"], args: OfferedAct["args"]) {
  const act: OfferedAct = { label, hint: command, kind: "event", command, args };
  return { row, act };
}

/** The run after a row. */
function runAfter(recording: Recording, index: number): { readonly simulator: Simulator } {
  return recording.at(recording.rows[index]?.step ?? 0);
}

/** The calls that were live after a row. */
function liveAt(recording: Recording, index: number): RunRecord[] {
  const live = new Set(
    runAfter(recording, index)
      .simulator.calls.live()
      .map(({ id }) => id),
  );
  return recording.recorder.records.filter(({ id }) => live.has(id));
}

function eventsAt({ recorder, summary }: Recording, atMs: number) {
  return recorder.events.filter(({ createdTimestamp }) => createdTimestamp === summary.startMs + atMs);
}

/** Whether a webhook's endpoint accepted a request at an instant. */
function isDelivered(simulator: Simulator, id: string, atTimestamp: number): boolean {
  return simulator.webhooks
    .deliveries(id)
    .some(({ attempts }) =>
      attempts.some((each) => each.startedTimestamp === atTimestamp && each.failure === null),
    );
}

function ringingName(each: RingingEndpoint): string {
  return "user" in each ? `${each.user}/${each.endpoint}` : "";
}

/** The step that entered the machine's state at a row; undefined if it is still the initial one. */
function findLastStep(
  { recorder }: Recording,
  index: number,
  record: string,
  machine: string,
): LoggedStep | undefined {
  const instance = recorder.machines.of(record).findLast((each) => each.machine === machine);
  const last = instance && lastStep(instance, index);
  if (instance === undefined || last === undefined) return undefined;
  const steps = instance.steps.slice(0, instance.steps.indexOf(last) + 1);
  const other = steps.findLastIndex(({ next }) => next.value !== last.next.value);
  return steps[other + 1];
}

/** When the state was entered, and its description: `Since 0:10. Busy on a call.` */
function sinceText(recording: Recording, index: number, record: string, machine: string): string {
  const step = findLastStep(recording, index, record, machine);
  if (step === undefined) return "Since the start.";
  return `Since ${clock(step.atMs)}. ${describeState(step, machine)}`;
}

/** The description of the state after a step. */
function describeState({ next }: LoggedStep, machine: string): string {
  return machineOf(machine)?.states[String(next.value)]?.description ?? "";
}
