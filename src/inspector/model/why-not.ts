import { clock } from "../../core/foundation/clock.ts";
import { stateText } from "../../core/narration/state-spans.ts";
import type { MachineTypes } from "../../core/platform/base/machine-types.ts";
import type { EventType, PlatformEvent, Simulator } from "../../index.ts";
import { type OfferedAct, ringingActs } from "./acts.ts";
import type { LoggedStep, MachineInstance } from "./machine-log.ts";
import type { Recording } from "./recording.ts";
import { ringEndText } from "./ring-end.ts";
import { tryRemedies } from "./try-remedies.ts";
import type { RunRecord } from "./types.ts";
import type { AskedWhy, Cause, WhyAnswer } from "./why-answer.ts";
import { questionsAt, whyNoDelivery, whyNoEvent } from "./why-at-instant.ts";
import { whyNotRung } from "./why-no-ring.ts";

/** The maximum number of people to ask about. */
const MAX_PEOPLE = 12;

type RingAbout = MachineTypes["ring"]["about"];
type TeamOfferAbout = MachineTypes["teamOffer"]["about"];

/**
 * Lists what did not happen in a run, first of what is selected: the row's own deliveries, then its call.
 * @param record the index of the call that is chosen in the list of calls; default: that of the row
 */
export function whyQuestions(recording: Recording, index: number, record?: number): AskedWhy[] {
  const { records } = recording.recorder;
  const row = recording.rows[index];
  const chosen = records[record ?? row?.record ?? -1];
  const own = new Set(row?.deliveries.map(({ id }) => `delivered ${id}`));
  const deliveries = deliveryQuestions(recording, index);
  const isOwn = ({ id }: { readonly id: string }) => own.has(id) && (record ?? row?.record) === row?.record;
  const group = (name: string) => (each: Omit<AskedWhy, "group">) => ({ ...each, group: name });
  const calls = records.filter((each) => each.kind === "call" && each !== chosen).slice(0, 19);
  return [
    ...deliveries.filter(isOwn).map(group("Of this step")),
    ...(chosen?.kind === "call"
      ? [...callQuestions(recording, chosen), ...ringQuestions(recording, index, chosen)].map(
          group(`Of call ${chosen.label}`),
        )
      : []),
    ...calls.flatMap((call) => callQuestions(recording, call)).map(group("In the whole run")),
    ...deliveries.filter((each) => !isOwn(each)).map(group("In the whole run")),
    ...questionsAt(recording, index),
  ];
}

function callQuestions({ recorder }: Recording, call: RunRecord): Omit<AskedWhy, "group">[] {
  const types = new Set(listEvents(recorder.events, call.id).map(({ type }) => type));
  const hadVoicemail = call.spans.some(({ kind }) => kind === "voicemail");
  const of = `for call ${call.label}`;
  return [
    ...(types.has("call.answered") ? [] : [{ id: `answered ${call.id}`, text: `call.answered, ${of}` }]),
    ...(types.has("call.not_answered")
      ? []
      : [{ id: `notAnswered ${call.id}`, text: `call.not_answered, ${of}` }]),
    ...(hadVoicemail ? [] : [{ id: `voicemail ${call.id}`, text: `Voicemail, ${of}` }]),
  ];
}

/** Those who do not ring for a call after a row. */
function ringQuestions(recording: Recording, index: number, call: RunRecord): Omit<AskedWhy, "group">[] {
  const { simulator } = recording.at(recording.rows[index]?.step ?? 0);
  const { directory, live } = simulator.services;
  return directory
    .usersAndDevices()
    .filter(({ id }) => live.ringsOf(id).every(({ callId }) => callId !== call.id))
    .slice(0, MAX_PEOPLE)
    .map(({ id }) => ({
      id: `rings ${call.id} ${id}`,
      text: `${recording.recorder.lanes.name(id)} rings, for call ${call.label}`,
    }));
}

function deliveryQuestions(
  { simulator, recorder, rows }: Recording,
  index: number,
): Omit<AskedWhy, "group">[] {
  const own = rows[index]?.deliveries.map(({ id }) => id) ?? [];
  const all = simulator.webhooks
    .list()
    .flatMap(({ id }) => simulator.webhooks.deliveries(id))
    .filter(
      (each) => each.state !== "delivered" || each.attempts[0]?.status !== each.attempts.at(-1)?.status,
    );
  const sorted = [...all.filter(({ id }) => own.includes(id)), ...all.filter(({ id }) => !own.includes(id))];
  return sorted.slice(0, 20).map(({ id, event, webhookId }) => {
    const url = simulator.webhooks.list().find((each) => each.id === webhookId)?.url;
    const host = url === undefined ? "a webhook" : recorder.lanes.name(recorder.lanes.host(url));
    return { id: `delivered ${id}`, text: `${event.type} delivered to ${host} at once` };
  });
}

/**
 * Why something did not happen, and what would have made it happen.
 * @param row the instant, for a question about one
 * @param question the id of one of `whyQuestions`
 * @param then the run at the instant; default: after the row
 */
export function whyAnswer(
  recording: Recording,
  row: number,
  question: string,
  then = recording.at(recording.rows[row]?.step ?? 0).simulator,
): WhyAnswer {
  const [kind = "", id = "", who = ""] = question.split(" ");
  const answer = answers[kind];
  if (answer === undefined) throw new Error(`no question begins with ${kind}`);
  return answer({ recording, row, then, id, who });
}

/** What is asked: `id` names a call, a delivery, a person, a phone, a webhook or a type of event. */
interface Asked {
  readonly recording: Recording;
  readonly row: number;
  /** The run at the instant. */
  readonly then: Simulator;
  readonly id: string;
  readonly who: string;
}

/** The answers, by the first word of a question's id. Those after `delivered` are about an instant. */
const answers: Readonly<Record<string, (asked: Asked) => WhyAnswer>> = {
  answered: ({ recording, id }) => whyNotAnswered(recording, findCall(recording, id)),
  notAnswered: ({ recording, id }) => withoutRemedies(answeredCauses(recording, findCall(recording, id))),
  voicemail: ({ recording, id }) => withoutRemedies(voicemailCauses(recording, findCall(recording, id))),
  rings: ({ id, who, ...at }) => whyNotRung(at, who, findCall(at.recording, id)),
  delivered: ({ recording, id }) => whyNotDelivered(recording, id),
  person: ({ id, ...at }) => whyNotRung(at, id),
  phone: ({ id, ...at }) => whyNotRung(at, id),
  event: ({ recording, row, id }) => whyNoEvent(recording, row, id as EventType),
  webhook: ({ recording, row, id }) => whyNoDelivery(recording, row, id),
};

const withoutRemedies = (causes: readonly Cause[]): WhyAnswer => ({ causes, remedies: [], failedCount: 0 });

function findCall({ recorder }: Recording, id: string): RunRecord {
  const call = recorder.records.find((each) => each.id === id);
  if (call === undefined) throw new Error(`the run has no call ${id}`);
  return call;
}

function whyNotAnswered(recording: Recording, call: RunRecord): WhyAnswer {
  const isAnswered = ({ events }: Simulator) =>
    listEvents(events, call.id).some(({ type }) => type === "call.answered");
  const remedies = tryRemedies(recording, answersDuring(recording, call), isAnswered);
  return { causes: unansweredCauses(recording, call), ...remedies };
}

function answeredCauses(recording: Recording, call: RunRecord): Cause[] {
  const text = "call.not_answered comes only when nobody answers.";
  const row = rowOfEvent(recording, call, "call.answered");
  return [{ kind: "answer", title: "The call was answered", text, row }];
}

/** One cause for each offer that ended without an answer, in the machines' own words. */
function unansweredCauses(recording: Recording, call: RunRecord): Cause[] {
  const { machines, lanes } = recording.recorder;
  const causes: Cause[] = [];
  const all = machines.of(call.id);
  for (const instance of all) {
    const last = instance.steps.at(-1);
    if (last?.event === undefined) continue;
    if (instance.machine === "ring") causes.push(ringCause(recording, instance, last, all));
    else if (instance.machine === "teamOffer") {
      const team = lanes.name((instance.about as TeamOfferAbout).teamId);
      causes.push({
        kind: "timer",
        ...offerEndText(team, String(last.next.value), clock(last.atMs)),
        row: last.row,
      });
    }
  }
  const guard = decisionCause(recording, call);
  return [...mergeRepeats(causes), ...(guard === undefined ? [] : [guard])];
}

/** How an offer to a team ended, by the final state of its machine. */
function offerEndText(team: string, state: string, at: string): Pick<Cause, "title" | "text"> {
  const texts: Readonly<Record<string, [string, string]>> = {
    timedOut: [`${team} was out of time`, `Nobody of ${team} answered until ${at}, so the call went on.`],
    exhausted: [
      `Nobody of ${team} was left`,
      `All who could ring had declined by ${at}, so the call went on.`,
    ],
    withdrawn: [`${team} lost the call`, `At ${at} the call was taken from ${team}.`],
  };
  const [title, text] = texts[state] ?? [`${team}: ${state}`, `So the offer ended at ${at}.`];
  return { title, text };
}

function ringCause(
  { recorder, rows }: Recording,
  instance: MachineInstance,
  last: LoggedStep,
  all: readonly MachineInstance[],
): Cause {
  const { entryId } = (instance.about as RingAbout).ring;
  const name = recorder.lanes.name(entryId);
  const from = clock(rows[instance.steps[0]?.row ?? 0]?.atMs ?? 0);
  const state = String(last.next.value);
  const declined = state === "declined";
  return {
    kind: declined ? "failed" : "ring",
    title: declined ? `${name} declined` : `Nobody answered ${name}'s phones`,
    text: `They rang from ${from} to ${clock(last.atMs)}; ${ringEndText(recorder.lanes, instance, last, all)}.`,
    row: last.row,
  };
}

/** The maximum number of repetitions to list. */
const MAX_LISTED = 5;

/** Merges the causes of a tier that rings again and again. */
function mergeRepeats(causes: readonly Cause[]): Cause[] {
  const byTitle = new Map<string, [Cause, ...Cause[]]>();
  for (const cause of causes) {
    const known = byTitle.get(cause.title);
    if (known === undefined) byTitle.set(cause.title, [cause]);
    else known.push(cause);
  }
  return [...byTitle.values()].map((alike) => {
    const listed = alike.slice(0, MAX_LISTED);
    const texts = listed.map(({ text }) => text);
    const more = alike.length > listed.length ? ` And so on, ${alike.length} times in all.` : "";
    return {
      ...alike[0],
      text: `${texts.join(" ")}${more}`,
      repeatRows: listed.slice(1).flatMap(({ row }) => row ?? []),
    };
  });
}

/** How the call went on when no offer was left, or its caller hung up. */
function decisionCause({ recorder }: Recording, call: RunRecord): Cause | undefined {
  const [instance] = recorder.machines.of(call.id).filter(({ machine }) => machine === "call");
  const step = instance?.steps.find(({ event }) => event?.type === "UNANSWERED" || event?.type === "HANGUP");
  if (step?.event === undefined) return undefined;
  return {
    kind: "timer",
    title: step.event.type === "HANGUP" ? "Somebody hung up" : "Nobody else was to be rung",
    text: `At ${clock(step.atMs)}. So call ${call.label} was ${stateText("call", step.next.value)}.`,
    row: step.row,
  };
}

function voicemailCauses(recording: Recording, call: RunRecord): Cause[] {
  const answered = rowOfEvent(recording, call, "call.answered");
  if (answered !== undefined)
    return [
      {
        kind: "answer",
        title: "The call was answered",
        text: "Voicemail takes a call only when nobody does.",
        row: answered,
      },
    ];
  const cause = decisionCause(recording, call);
  const text = "Voicemail takes the call when the last offer is over and whoever it was for has one.";
  return cause === undefined
    ? [{ kind: "timer", title: "The call was still being offered", text, row: call.toRow }]
    : [{ ...cause, text: `${cause.text} ${text}` }];
}

function whyNotDelivered(recording: Recording, id: string): WhyAnswer {
  const { simulator, rows, summary } = recording;
  const delivery = simulator.webhooks.delivery(id);
  const rowOf = (attempt: number) =>
    rows.find(
      ({ deliveries, kind }) =>
        kind !== "lost" && deliveries.some((each) => each.id === id && each.attempt === attempt),
    )?.index;
  const causes = delivery.attempts
    .filter(({ failure }) => failure !== null)
    .map(
      ({ number, status, failure, startedTimestamp }): Cause => ({
        kind: status === null ? "lost" : "failed",
        title: `Attempt ${number}: ${status ?? failure}`,
        text: `At ${clock(startedTimestamp - summary.startMs)}. ${status === null ? "The endpoint did not answer." : `The endpoint answered ${status}.`}`,
        row: rowOf(number),
      }),
    );
  if (delivery.state === "givenUp")
    causes.push({
      kind: "failed",
      title: `Given up: ${delivery.reason}`,
      text:
        delivery.reason === "rejected"
          ? "An answer from 400 to 499 is not tried again."
          : "No attempt is left.",
      row: rowOf(delivery.attempts.length),
    });
  if (delivery.nextAttemptTimestamp !== null)
    causes.push({
      kind: "retry",
      title: `Attempt ${delivery.attempts.length + 1} is still to come`,
      text: `At ${clock(delivery.nextAttemptTimestamp - summary.startMs)}.`,
      row: undefined,
    });
  const event = rows.find((row) => row.kind === "event" && row.deliveries.some((each) => each.id === id));
  const url = simulator.webhooks.list().find((each) => each.id === delivery.webhookId)?.url;
  if (event === undefined || url === undefined || event.index === 0) return withoutRemedies(causes);
  const act: OfferedAct = {
    label: "The endpoint works",
    hint: "fault, times 0",
    kind: "event",
    command: "fault",
    args: { url: new URL(url).origin, status: 503, times: 0 },
  };
  const before = rows.findLast(({ step }) => step < event.step)?.index;
  if (before === undefined) return withoutRemedies(causes);
  const isDelivered = (fork: Simulator) =>
    fork.webhooks
      .deliveries(delivery.webhookId)
      .some((each) => each.event.id === delivery.event.id && each.attempts[0]?.failure === null);
  return { causes, ...tryRemedies(recording, [{ row: before, act }], isDelivered) };
}

/** An answer for everyone who rings, after each ring began. */
function answersDuring(recording: Recording, call: RunRecord): { row: number; act: OfferedAct }[] {
  return recording.rows
    .filter(({ kind, record }) => kind === "ring" && recording.recorder.records[record] === call)
    .slice(0, 6)
    .flatMap(({ index, step }) => {
      const { simulator } = recording.at(step);
      const acts = ringingActs(simulator, recording).filter(
        ({ command, args }) => command === "answer" && args.call === call.id,
      );
      const each = new Map(acts.map((act) => [String(act.args.by), act]));
      return [...each.values()].map((act) => ({
        row: index,
        act: { ...act, label: `${recording.recorder.lanes.name(String(act.args.by))} answers` },
      }));
    });
}

function listEvents(events: readonly PlatformEvent[], callId: string): PlatformEvent[] {
  return events.filter(({ data }) => "call" in data && data.call.id === callId);
}

function rowOfEvent({ rows, recorder }: Recording, call: RunRecord, type: string): number | undefined {
  return rows.find(
    ({ event, record }) =>
      event !== undefined && recorder.events[event]?.type === type && recorder.records[record] === call,
  )?.index;
}
