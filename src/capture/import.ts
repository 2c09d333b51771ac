import { InputError } from "../core/foundation/errors.ts";
import {
  type DurationInput,
  durationMs,
  type InstantInput,
  iso,
  readDurationMs,
  readInstantMs,
} from "../core/foundation/instants.ts";
import { printable } from "../core/foundation/printable.ts";
import { show } from "../core/foundation/show.ts";
import { type EventType, eventTypes } from "../core/platform/declare/events.ts";
import { counted } from "../core/platform/declare/words.ts";
import { parseScenario } from "../core/scenario/parse.ts";
import type { Scenario } from "../core/scenario/scenario.ts";
import { readCalls } from "./infer/captured-call.ts";
import { collectEvidence, type Evidence, fitAssumptions, unspecifiedEvidence } from "./infer/evidence.ts";
import { type Inference, infer, type Observations } from "./infer/infer.ts";
import { InferredDirectory } from "./infer/inferred-directory.ts";
import { queueOrderEvidence } from "./infer/queue-order.ts";
import { type DeliveryDeviations, findDeliveryDeviations } from "./judge/delivery-deviations.ts";
import { type Match, match } from "./judge/match.ts";
import { observeOrders } from "./judge/orders.ts";
import { playInference } from "./judge/play.ts";
import { otherCounts, playWritten } from "./judge/play-written.ts";
import { judgeRules, type RuleRow } from "./judge/rules.ts";
import { type Candidate, search } from "./judge/search.ts";
import {
  explainMissing,
  type Finding,
  findBrokenLaws,
  groupFindings,
  type Unexplained,
} from "./judge/unexplained.ts";
import { writeYaml } from "./judge/write-yaml.ts";
import {
  type Capture,
  type CapturedEvent,
  type CaptureProblem,
  type Drift,
  firstEventLine,
} from "./read/capture.ts";
import { isCapture } from "./read/drift.ts";
import { type CaptureInput, type ReadOptions, readCapture } from "./read/read.ts";
import { Redaction } from "./read/redact.ts";
import { readRestAnswers } from "./read/rest-answers.ts";
import { StandIns } from "./read/stand-ins.ts";

/** The options of `importCapture`. */
export interface ImportOptions extends ReadOptions {
  /** Saved answers of `GET /users`, `GET /teams` and `GET /calls`, parsed. Default: none. */
  readonly rest?: readonly unknown[];
  /** How far apart the instants of an event in the capture and in the run may be. Default PT2S. */
  readonly tolerance?: DurationInput;
  /** The event types that the app subscribed to, including the dialect's. Default: those in the capture. */
  readonly events?: readonly (EventType | (string & Record<never, never>))[];
  /**
   * How many runs are played at most to explain the capture. A run of a part counts as that share: ten runs of a tenth
   * count as one. Default 40.
   */
  readonly search?: number;
  /** Whether stand-ins replace names, numbers and words in the result. Default true. */
  readonly redact?: boolean;
  /** Imports only the events of one organisation: its id, or its number among those of the capture, from 1. */
  readonly organisation?: number | string;
  /** Imports only the events between two instants, both included. Default: all. */
  readonly between?: readonly [from: InstantInput, to: InstantInput];
}

/** An event that the run of an imported scenario sends and the capture lacks. */
export interface InventedEvent {
  /** Its type. */
  readonly event: string;
  /** When the run sends it, ms since the Unix epoch. */
  readonly timestamp: number;
}

/** A field that has another value in the capture than in the run. */
export interface CapturedDifference {
  /** The first line that has the event. */
  readonly line: number;
  /** The path in the event's data, such as `call.outcome.status`. For lists of other lengths: the list. */
  readonly path: string;
  /** What the capture has; of a list, how many items. */
  readonly got: unknown;
  /** What the run sends; of a list, how many items. */
  readonly sent: unknown;
}

/** The result of `importCapture`. */
export interface ImportResult {
  /**
   * `possible`: the scenario's run sends these requests and no others, with the same values. `differs`: it sends them
   * with other values in `differences`. `impossible`: `unexplained` names what no run explains. `undecided`: some
   * requests are not explained, or the run sends more, and no better run was found.
   */
  readonly verdict: "possible" | "differs" | "impossible" | "undecided";
  /** The requests that could not be read, in the order of lines. */
  readonly problems: readonly CaptureProblem[];
  /** How many lines could not be read, of how many requests. `problems` says why. */
  readonly unread: { readonly lines: number; readonly of: number };
  /** How many requests were left out since they are no webhook requests. */
  readonly leftOut: number;
  /** The scenario that explains most, as `parseScenario` reads it from `yaml`. */
  readonly scenario: Scenario;
  /** The scenario as YAML, with a comment for each assumption. */
  readonly yaml: string;
  /** Whether stand-ins replace names, numbers and words, as the option `redact` says. */
  readonly hasStandIns: boolean;
  /** How many requests were imported. */
  readonly requests: number;
  /** How many of them the run explains. */
  readonly explained: number;
  /** The events of subscribed types that the run sends within the captured time and that the capture lacks. */
  readonly invented: readonly InventedEvent[];
  /** The fields in which bodies differ from those of the run, in the order of events. */
  readonly differences: readonly CapturedDifference[];
  /** What the scenario has that the capture does not say; `step` counts from 1. */
  readonly assumed: readonly { readonly what: string; readonly step?: number }[];
  /** The events that no run explains: the first of each call, conversation and person. */
  readonly unexplained: readonly Unexplained[];
  /** What the network did to requests, as in the scenario. */
  readonly deviations: readonly Readonly<Record<string, unknown>>[];
  /** What the capture shows about each rule that a capture can test. */
  readonly rules: readonly RuleRow[];
  /** Whether the search used up its runs and some requests are still unexplained. */
  readonly isSpent: boolean;
  /** How the bodies differ from the documented schemas. */
  readonly drift: Drift;
}

/**
 * Turns captured webhook requests into a scenario whose run sends them again.
 * @param input the capture as text, its pieces, or the result of `readCapture`
 * @param options how to read it, and how long to search
 * @throws {CaptureError} if no request can be read
 * @throws {InputError} if an option is wrong
 * @example
 * const lines: string[] = []; // what an app got
 * sim.network.route("https://crm.test/", ({ headers, body }) => {
 *   lines.push(JSON.stringify({ receivedAt: sim.timestamp, headers, body, status: 204 }));
 *   return 204;
 * });
 * sim.webhooks.create({ url: "https://crm.test/", events: ["*"] });
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
 * sim.runUntilIdle();
 * const { verdict, scenario } = await importCapture(lines.join("\n"));
 * verdict; // => "possible"
 * runScenario(scenario).events.length === sim.events.length; // => true
 */
export async function importCapture(
  input: CaptureInput | Capture,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const toleranceMs =
    options.tolerance === undefined ? 2_000 : readDurationMs(options.tolerance, ["tolerance"]);
  const capture = isCapture(input) ? input : await readCapture(input, options);
  const { events, rest } = observe(capture, options);
  const calls = readCalls(events, rest);
  const evidence = collectAllEvidence({ events, rest, calls });
  const { best, isSpent } = findExplanation({ events, rest, calls }, evidence, toleranceMs, options);
  const broken = findBrokenLaws(events, best.inference, toleranceMs);
  const refused = new Set(best.run.refused.map(({ step }) => step));
  const playable = { ...best.inference, steps: best.inference.steps.filter((step) => !refused.has(step)) };
  const network = findDeliveryDeviations(
    events,
    best.match,
    best.run.events,
    best.inference.startMs,
    toleranceMs,
  );
  const written = writePlayable(events, best, playable, network, toleranceMs);
  const { yaml, matched } = written;
  const missed = explainMissing(matched, best.run, best.inference);
  const findings = [...broken.findings, ...missed, ...written.findings];
  const unexplained = groupFindings(findings, playable);
  const missing = new Set(matched.missing);
  const differences = matched.differences.map(({ event, path, got, sent }) => ({
    line: firstEventLine(event),
    ...{ path, got: printableValue(got), sent: printableValue(sent) },
  }));
  let scenario: Scenario | undefined;
  return {
    verdict: judgeImport(findings, matched, differences),
    problems: capture.problems,
    unread: { lines: capture.unread, of: capture.unread + capture.requests },
    leftOut: capture.leftOut,
    get scenario() {
      scenario ??= parseScenario(yaml);
      return scenario;
    },
    yaml,
    hasStandIns: options.redact !== false,
    requests: events.reduce((sum, { requests }) => sum + requests.length, 0),
    explained: events.reduce((sum, event) => sum + (missing.has(event) ? 0 : event.requests.length), 0),
    invented: matched.invented.map(({ type, createdTimestamp: timestamp }) => ({
      event: type,
      timestamp,
    })),
    differences,
    assumed: [
      ...[...playable.assumed, ...network.assumed].map((what) => ({ what: printable(what) })),
      ...playable.steps.flatMap(({ assumed }, index) =>
        assumed.map((what) => ({ what: printable(what), step: index + 1 })),
      ),
    ],
    unexplained: unexplained.map(printableReasons),
    deviations: written.deviations,
    rules: confirmedWhereEqual(events, matched, (some) => {
      const observed = observeOrders(some);
      const shown = some === events ? evidence : collectAllEvidence({ events: some, rest, calls });
      return judgeRules({
        laws: broken.counts,
        evidence: [...shown, ...observed.evidence, ...unspecifiedEvidence(capture)],
        inputs: { capture: { ...capture, events: some }, calls, orders: observed.orders, toleranceMs },
      });
    }),
    isSpent,
    drift: capture.drift,
  };
}

/**
 * Writes an inference as a scenario, and plays it as it is written: the requests and the bodies that it sends are compared with the
 * capture. If the run does not come where a deviation should be, there are none in it, so that it can be played.
 */
function writePlayable(
  events: readonly CapturedEvent[],
  { inference, match: inferred }: Candidate,
  playable: Inference,
  network: DeliveryDeviations,
  toleranceMs: number,
): {
  readonly yaml: string;
  readonly deviations: DeliveryDeviations["deviations"];
  readonly findings: Finding[];
  /** How the run of the written scenario fits the capture; if it cannot be played, how the inference does. */
  readonly matched: Match;
} {
  const delayMs = durationMs(inference.assume.eventDelay) ?? 0;
  // what is delayed comes later than it happens
  const endMs = Math.max(playable.endMs + delayMs, network.lastMs);
  const write = (deviations: DeliveryDeviations["deviations"]) =>
    writeYaml(
      { ...playable, endMs },
      {
        title: "Imported from a capture",
        ...{ deviations, assume: inference.assume, webhooks: network.webhooks },
      },
    );
  const yaml = write(network.deviations);
  const sent = playWritten(yaml, delayMs);
  if (typeof sent === "string") {
    const [event] = events;
    const findings =
      event === undefined ? [] : [{ event, because: `the scenario cannot be played: ${sent}` }];
    return { yaml: write([]), deviations: [], findings, matched: inferred };
  }
  const { types } = sent;
  const fromMs = events[0]?.timestamp ?? inference.startMs;
  const matched = match(events, sent.events, { toleranceMs, types, fromMs, toMs: inference.endMs });
  const findings = otherCounts(events, matched, sent, delayMs);
  return { yaml, deviations: network.deviations, findings, matched };
}

/** The events and saved answers to import, with stand-ins unless the option `redact` is false. */
function observe(
  capture: Capture,
  { between, rest = [], redact = true, dialect, organisation }: ImportOptions,
): Pick<Observations, "events" | "rest"> {
  const events = eventsBetween(chooseOrganisation(capture.events, organisation), between);
  const answers = readRestAnswers(rest);
  if (!redact) return { events, rest: answers };
  const types = Object.values(dialect?.directoryTypes ?? {});
  const redaction = new Redaction(new StandIns(), new Set(types));
  const redactedAnswers = redaction.redactAnswers(answers);
  return { events: redaction.redactEvents(events), rest: redactedAnswers };
}

/**
 * The events of one organisation. Events without one belong to each.
 * @throws {InputError} if there are several and none is chosen, or the chosen one is not among them
 */
function chooseOrganisation(
  events: readonly CapturedEvent[],
  chosen: ImportOptions["organisation"],
): readonly CapturedEvent[] {
  const found = new Map<string, { requests: number; line: number }>();
  for (const { organisationId, requests } of events) {
    if (organisationId === null) continue;
    const lines = requests.map(({ line }) => line);
    const known = found.get(organisationId) ?? { requests: 0, line: Number.POSITIVE_INFINITY };
    found.set(organisationId, {
      requests: known.requests + requests.length,
      line: Math.min(known.line, ...lines),
    });
  }
  const organisations = [...found].sort(([, a], [, b]) => a.line - b.line);
  if (chosen === undefined && organisations.length <= 1) return events;
  const index = organisations.findIndex(([id], at) => id === chosen || at + 1 === Number(chosen));
  const id = organisations[index]?.[0];
  if (id !== undefined) return events.filter((event) => (event.organisationId ?? id) === id);
  const list = organisations.map(
    ([, { requests, line }], at) => `${at + 1}: ${counted(requests, "request")}, first in line ${line}`,
  );
  throw new InputError(
    ["organisation"],
    `expected one of the ${counted(list.length, "organisation")} in the capture (${list.join("; ")}), got ${chosen === undefined ? "none" : show(chosen)}`,
  );
}

/** The events between two instants. @throws {InputError} if there are none, or for something that is no instant */
function eventsBetween(
  events: readonly CapturedEvent[],
  between: ImportOptions["between"],
): readonly CapturedEvent[] {
  if (between === undefined) return events;
  const [fromMs, toMs] = [0, 1].map((end) => readInstantMs(between[end], ["between", end])) as [
    number,
    number,
  ];
  const part = events.filter(({ timestamp }) => fromMs <= timestamp && timestamp <= toMs);
  if (part.length > 0) return part;
  throw new InputError(
    ["between"],
    `expected two instants with events between them; the capture lasts from ${iso(events[0]?.timestamp ?? 0)} to ${iso(events.at(-1)?.timestamp ?? 0)}`,
  );
}

/** What a capture shows of assumptions. */
function collectAllEvidence({ events, rest, calls }: Observations): readonly Evidence[] {
  return [
    ...collectEvidence(events, calls),
    ...queueOrderEvidence(calls, new InferredDirectory(events, rest)),
  ];
}

function findExplanation(
  { events, rest, calls }: Observations,
  evidence: readonly Evidence[],
  toleranceMs: number,
  { events: types, dialect, search: most = 40 }: ImportOptions,
): { best: Candidate; isSpent: boolean } {
  const subscribed = subscribedTypes(events, types, dialect?.events);
  const assume = fitAssumptions(evidence) as Record<string, string>;
  return search(
    {
      infer: (choices) => infer({ events, rest, calls }, subscribed, assume, choices),
      play: (inference, part) => {
        const played = playInference(inference);
        const { fromMs = events[0]?.timestamp ?? inference.startMs, toMs = inference.endMs } = part ?? {};
        const compared =
          part === undefined
            ? events
            : events.filter(({ timestamp }) => fromMs <= timestamp && timestamp <= toMs);
        const types = new Set<string>(subscribed);
        const matched = match(compared, played.events, { toleranceMs, types, fromMs, toMs });
        return { inference, run: played, match: matched };
      },
    },
    most,
  );
}

/** The documented event types that the app gets, in the order of the documentation. */
function subscribedTypes(
  events: readonly CapturedEvent[],
  requested: ImportOptions["events"],
  declaredTypes: readonly string[] = [],
): readonly EventType[] {
  const known: readonly string[] = [...eventTypes, ...declaredTypes];
  const wrong = requested?.find((type) => !known.includes(type));
  if (wrong !== undefined)
    throw new InputError(["events"], `expected event types, such as call.ended, got ${show(wrong)}`);
  const types = new Set<string>(requested ?? events.map(({ type }) => type));
  return eventTypes.filter((type) => types.has(type));
}

/**
 * Judges rules by all events, but counts what confirms them only where the event is as the run sends it: a body that
 * is wrong in one field may be wrong in another.
 */
function confirmedWhereEqual(
  events: readonly CapturedEvent[],
  { differences }: Match,
  judge: (some: readonly CapturedEvent[]) => readonly RuleRow[],
): readonly RuleRow[] {
  const all = judge(events);
  const differing = new Set(differences.map(({ event }) => event));
  if (differing.size === 0) return all;
  const equal = judge(events.filter((event) => !differing.has(event)));
  return all.map((row, index) => ({ ...row, confirmed: equal[index]?.confirmed ?? 0 }));
}

function judgeImport(
  findings: readonly { readonly law?: unknown }[],
  { invented }: Match,
  differences: readonly CapturedDifference[],
): ImportResult["verdict"] {
  if (findings.some(({ law }) => law !== undefined)) return "impossible";
  if (findings.length > 0 || invented.length > 0) return "undecided";
  return differences.length > 0 ? "differs" : "possible";
}

function printableValue(value: unknown): unknown {
  return typeof value === "string" ? printable(value) : value;
}

function printableReasons({ because, nearest, follows, ...each }: Unexplained): Unexplained {
  return {
    ...each,
    because: printable(because),
    ...(nearest === undefined ? {} : { nearest: printable(nearest) }),
    follows: follows.map((other) => ({ ...other, because: printable(other.because) })),
  };
}
