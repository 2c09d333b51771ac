import { clock } from "../../core/foundation/clock.ts";
import { exactDurationText } from "../../core/foundation/instants.ts";
import { stateText } from "../../core/narration/state-spans.ts";
import { oneLine } from "../../core/narration/words.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { findPerson, personState } from "../../core/why/person-state.ts";
import { localTime, type RunTime } from "../../core/why/run-instant.ts";
import { stateWords } from "../../core/why/words.ts";
import type { Simulator } from "../../index.ts";
import type { StateAt } from "../data.ts";
import { compareRuns } from "./compare-rows.ts";
import type { Recording } from "./recording.ts";
import type { PageRow, RunRecord } from "./types.ts";
import { whyAnswer, whyQuestions } from "./why-not.ts";

/** What is asked about a run, answered in lines of text and as data. Times are since the start of the run. */
export interface RunAnswer {
  readonly lines: readonly string[];
  readonly facts: object;
}

/** When the run was, and its organisation's time zone. */
export function runTimeOf({ summary: { startMs, endMs, zone } }: Pick<Recording, "summary">): RunTime {
  return { startMs, endMs: startMs + endMs, zone };
}

/** An instant as the clocks show it: `10:03:00 (Europe/London), 9:03:00 UTC, 3:00 after the start`. */
function instantText(recording: Recording, ms: number): string {
  const { startMs, zone } = runTimeOf(recording);
  const utc = zone === "UTC" ? "" : `, ${localTime(ms, "UTC")} UTC`;
  return `${localTime(ms, zone)} (${zone})${utc}, ${clock(ms - startMs)} after the start`;
}

const callsOf = ({ recorder }: Recording): RunRecord[] =>
  recorder.records.filter(({ kind }) => kind === "call");

/** All calls: who called whom, from when to when, and how it ended. */
export function answerCalls(recording: Recording): RunAnswer {
  const calls = callsOf(recording);
  const lines = calls.map((call) => `${call.label}  ${spanText(call)}  ${call.title}  ${endText(call)}`);
  const facts = calls.map((call) => callFacts(recording, call));
  return { lines: lines.length === 0 ? ["The run has no calls."] : lines, facts: { calls: facts } };
}

const spanText = ({ fromMs, toMs }: RunRecord) => `${clock(fromMs)}–${clock(toMs)}`;
const endText = ({ outcome }: RunRecord) => (outcome === "" ? "not over" : outcome);

function callFacts({ summary }: Recording, { label, id, title, fromMs, toMs, outcome }: RunRecord) {
  const at = (ms: number) => new Date(summary.startMs + ms).toISOString();
  const isOver = outcome !== "";
  return {
    label,
    id,
    title,
    from: at(fromMs),
    to: isOver ? at(toMs) : null,
    outcome: isOver ? outcome : null,
  };
}

/** A call by its letter or its id; undefined if the run has none. */
export function callNamed(recording: Recording, name: string): RunRecord | undefined {
  const calls = callsOf(recording);
  return (
    calls.find(({ id }) => id === name) ??
    calls.find(({ label }) => label.toLowerCase() === name.toLowerCase())
  );
}

/** One call: its states, and everything that happened in it, with the attempts of its requests. */
export function answerCall(recording: Recording, call: RunRecord): RunAnswer {
  const index = recording.recorder.records.indexOf(call);
  const rows = recording.rows.filter(({ record }) => record === index);
  const spans = call.spans.map(({ kind, fromMs, toMs }) => ({
    state: spanWords[kind],
    from: clock(fromMs),
    to: clock(toMs),
  }));
  const states = spans.map(({ state, from, to }) => `${state} ${from}–${to}`).join(", ");
  const steps = rows.map((row) => ({ at: clock(row.atMs), text: rowText(recording, row) }));
  return {
    lines: [
      `Call ${call.label} (${call.id}): ${call.title}, ${endText(call)}`,
      states,
      ...steps.map(({ at, text }) => `${at}  ${text}`),
    ],
    facts: { call: callFacts(recording, call), states: spans, steps },
  };
}

const spanWords: Readonly<Record<RunRecord["spans"][number]["kind"], string>> = {
  wait: "waited",
  ring: "offered",
  talk: "talked",
  voicemail: "voicemail",
  message: "open",
};

/** A row in one line, with how its deliveries went: `call.answered by Carol · crm 503, attempt 1 of 2`. */
function rowText({ recorder }: Recording, { subject, verb, detail, deliveries, outcome }: PageRow): string {
  const does = [subject, verb, detail].filter((part) => part !== "").join(" ");
  const results = [
    ...(outcome === undefined ? [] : [outcome.text]),
    ...deliveries.map(({ lane, outcome: { text }, attempt, attemptCount }) => {
      const nth = attemptCount > 1 ? `, attempt ${attempt} of ${attemptCount}` : "";
      return `${recorder.lanes.name(lane)} ${text}${nth}`;
    }),
  ];
  return oneLine(results.length === 0 ? does : `${does} · ${results.join("; ")}`);
}

/** What everybody did at an instant, the calls that were live, and what webhooks had not taken. */
export function answerAt(recording: Recording, atMs: number): RunAnswer {
  const simulator = recording.simulator.at(atMs);
  const people = peopleAt(recording, simulator);
  const free = people.filter(({ is }) => is === "free").map(({ name }) => name);
  const calls = callsOf(recording)
    .filter(({ id }) => simulator.services.live.get(id) !== undefined)
    .map(({ label, id, title }) => {
      const state = stateText("call", simulator.services.machines.state("call", id));
      return { label, id, title, state };
    });
  const waiting = simulator.webhooks
    .list()
    .map(({ id, url }) => ({
      host: new URL(url).host,
      count: simulator.webhooks.deliveries(id).filter(({ state }) => state === "pending").length,
    }))
    .filter(({ count }) => count > 0);
  return {
    lines: [
      `At ${instantText(recording, atMs)}`,
      `Free: ${free.join(", ") || "nobody"}`,
      ...people.map(({ name, does }) => `${name}: ${does}`),
      ...calls.map(({ label, title, state }) => `Call ${label}: ${title}, ${state}`),
      ...(calls.length === 0 ? ["No call is live."] : []),
      ...waiting.map(({ host, count }) => `${host}: ${counted(count, "event")} not delivered yet`),
    ],
    facts: {
      at: new Date(atMs).toISOString(),
      people: people.map(({ id, name, is, does }) => ({ id, name, is, does })),
      calls: calls.map(({ label, id, title }) => ({
        label,
        id,
        title,
        status: simulator.calls.get(id).status,
      })),
      waiting,
    },
  };
}

/** What each user and device does at a run's present instant. */
export function peopleAt(recording: Recording, { services }: Simulator) {
  const { lanes, records } = recording.recorder;
  const label = (call: string) => records.find(({ id }) => id === call)?.label ?? call;
  return services.directory.usersAndDevices().flatMap(({ id }) => {
    const person = findPerson(services, id);
    if (person === undefined) return [];
    const state = personState(services, person);
    return [{ id, name: lanes.name(id), is: state.is, does: stateWords(state, label) }];
  });
}

/** What a user or a device does at an instant, in words. */
export type PersonAt = ReturnType<typeof peopleAt>[number];

/** Why something did not happen at an instant. @returns undefined if nothing that can be asked about is called so */
export function answerWhy(
  recording: Recording,
  at: number,
  asked: string,
): (RunAnswer & { readonly isOfInstant: boolean }) | undefined {
  const row = rowAt(recording, at);
  const question = questionFor(recording, row, asked);
  if (question === undefined) return undefined;
  const then = recording.simulator.at(at);
  const { causes, remedies } = whyAnswer(recording, row, question.id, then);
  const sentences = causes.map(({ title, text }) => `${title}. ${text}`.trim());
  const enough = remedies.map(({ act, atMs }) => `${act.label}, at ${clock(atMs)}`);
  return {
    lines: [
      `Why not "${question.text}"? At ${instantText(recording, at)}`,
      ...sentences.map((each) => `- ${each}`),
      ...(enough.length === 0 ? [] : [`Enough, each tried in a fork of the run: ${enough.join("; ")}`]),
    ],
    facts: { question: question.text, at: new Date(at).toISOString(), causes: sentences, enough },
    isOfInstant: /^(rings|person|phone|event|webhook) /.test(question.id),
  };
}

/** The last row at or before an instant; the first, if none is. */
export function rowAt({ rows, summary }: Recording, at: number): number {
  return Math.max(
    0,
    rows.findLastIndex(({ atMs }) => summary.startMs + atMs <= at),
  );
}

/** The questions that can be asked at an instant, each once. */
export function questionTexts(recording: Recording, at: number): string[] {
  return [...new Set(questionsOfAll(recording, rowAt(recording, at)).map(({ text }) => text))];
}

function questionsOfAll(recording: Recording, row: number) {
  const { records } = recording.recorder;
  return records.flatMap((each, index) => (each.kind === "call" ? whyQuestions(recording, row, index) : []));
}

/** The question whose words are those that were asked; a first name stands for a whole one. */
function questionFor(recording: Recording, row: number, asked: string) {
  const wanted = normal(asked);
  const { lanes } = recording.summary;
  const people = lanes.filter(({ kind }) => kind === "member" || kind === "other");
  const shortened = (text: string) =>
    people.reduce((short, lane) => short.replace(lane.name.toLowerCase(), lane.short.toLowerCase()), text);
  const isAsked = (text: string) => [normal(text), shortened(normal(text))].includes(wanted);
  const all = questionsOfAll(recording, row);
  // somebody who rings is asked about too: the answer says so
  return all.find(({ text }) => isAsked(text)) ?? ringQuestion(recording, wanted);
}

/** `Bob rings`, `bob rings for A`, `bob tane's desk rings`, of anybody. */
function ringQuestion(recording: Recording, wanted: string) {
  const [, who = "", phone, call] = /^(.+?)(?:'s (\S+))? rings(?: for (\S+))?$/.exec(wanted) ?? [];
  const { directory } = recording.simulator.services;
  const { lanes } = recording.recorder;
  const named = directory
    .usersAndDevices()
    .filter(({ id, displayName }) =>
      [id, lanes.name(id), displayName, displayName.split(" ")[0] ?? ""].some((name) => normal(name) === who),
    );
  const [person] = named;
  const record = call === undefined ? undefined : callNamed(recording, call);
  if (person === undefined || named.length > 1 || (call !== undefined && record === undefined))
    return undefined;
  const name = lanes.name(person.id);
  if (record !== undefined)
    return { id: `rings ${record.id} ${person.id}`, text: `${name} rings, for call ${record.label}` };
  return phone === undefined
    ? { id: `person ${person.id}`, text: `${name} rings` }
    : { id: `phone ${person.id}/${phone}`, text: `${name}'s ${phone} rings` };
}

const normal = (text: string) =>
  text
    .toLowerCase()
    .replace(/[?,]/g, "")
    .replace(/ for call /, " for ")
    .replace(/\s+/g, " ")
    .trim();

/** Where another run parts from this one, and what is gone and new from there on. */
export function answerDifference(recording: Recording, other: Recording): RunAnswer {
  const { first, firstMs, sameBefore, instants, gone, added } = compareRuns(recording, {
    other,
    events: undefined,
  });
  if (first === undefined || firstMs === undefined) {
    const lines = [`The runs are the same: ${counted(sameBefore, "step")}.`];
    return { lines, facts: { same: true, sameBefore, gone: [], added: [] } };
  }
  const sides = instants.flatMap(({ atMs, left, right }) => [
    ...left
      .filter(({ isSame }) => !isSame)
      .map(({ row }) => ({ atMs, sign: "-", text: rowText(recording, row) })),
    ...right
      .filter(({ isSame }) => !isSame)
      .map(({ row }) => ({ atMs, sign: "+", text: rowText(other, row) })),
  ]);
  const of = (wanted: string) =>
    sides.filter(({ sign }) => sign === wanted).map(({ atMs, text }) => ({ at: clock(atMs), text }));
  return {
    lines: [
      `They part at ${clock(firstMs)}, after ${counted(sameBefore, "equal step")}: ${gone} gone, ${added} new`,
      ...sides.map(({ atMs, sign, text }) => `${sign} ${clock(atMs)}  ${text}`),
    ],
    facts: { same: false, sameBefore, partsAt: clock(firstMs), gone: of("-"), added: of("+") },
  };
}

/**
 * The states of the app, each where it changed, and its calls to dependencies.
 * @param failure what is wrong with the states, if that is known
 */
export function answerApp(
  recording: Recording,
  states: readonly StateAt[],
  failure: string | undefined,
): RunAnswer {
  const shown = states.flatMap(({ at, state }) => (state === undefined ? [] : [{ at, state }]));
  const changes = shown.filter(({ state }, index) => state !== shown[index - 1]?.state);
  const called = recording.rows.filter((row) => row.called !== undefined);
  const facts = {
    failure: failure ?? null,
    states: changes.map(({ at, state }) => ({ afterMs: at, state })),
    calls: called.map(({ atMs, called: of }) => ({ afterMs: atMs, ...of })),
  };
  const lines = [
    ...changes.map(({ at, state }) => ({ at, text: oneLine(state) })),
    ...called.map((row) => ({ at: row.atMs, text: rowText(recording, row) })),
  ]
    .sort((one, other) => one.at - other.at)
    .map(({ at, text }) => `${exactDurationText(at)}  ${text}`);
  const known =
    lines.length > 0
      ? lines
      : [
          "The file has no states of the app: reports of `ringback explore` have them, where the app has a state to show.",
        ];
  return { lines: [...(failure === undefined ? [] : [oneLine(failure)]), ...known], facts };
}
