import { FixtureJudge, type FixtureOptions } from "../capture/judge/judge-fixture.ts";
import { typeAndSize } from "../capture/read/shapes.ts";
import { beginAtCaller } from "../core/foundation/caller.ts";
import { iso, readDurationMs } from "../core/foundation/instants.ts";
import { show } from "../core/foundation/show.ts";
import type { StreamMark } from "../core/platform/declare/event-stream.ts";
import {
  type EventType,
  eventTypes,
  mustBeEventType,
  type PlatformEvent,
} from "../core/platform/declare/events.ts";
import type { NetworkRequest } from "../core/platform/network/network-api.ts";
import { leftOutBy } from "../core/platform/webhooks/left-out.ts";
import {
  compare,
  dataDifference,
  type Equality,
  eventText,
  type Mismatch,
  mismatchesIn,
} from "../core/scenario/compare.ts";
import { mismatchReport } from "../core/scenario/report.ts";
import { readEventLine } from "../core/scenario/schema.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { whyNeverCame } from "../core/why/never-came.ts";
import { explainFailure, isSimulator, keepsJournal } from "./explain.ts";
import type {
  AsymmetricMatcher,
  MatcherContext,
  MatcherResult,
  SilenceOptions,
  StreamLine,
} from "./matching.ts";

/** How many near misses, deliveries or scheduled items a failure lists. */
const LISTED = 5;

/**
 * The functions for `expect.extend`. `RingbackMatchers` describes each.
 * @example
 * import { matchers } from "ringback/jest";
 *
 * expect.extend(matchers); // if your `expect` is imported; the global one has them
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
 * expect(sim).toHaveEmitted("call.started");
 */
export const matchers = {
  toHaveEmitted(this: MatcherContext, sim: unknown, type: EventType, match?: object): MatcherResult {
    mustBeSimulator(sim, "toHaveEmitted");
    mustBeEventType(type, "toHaveEmitted");
    const equality = equalityOf(this);
    const ofType = indexedEvents(sim).filter(({ event }) => event.type === type);
    const misses = ofType.map((each) => ({
      ...each,
      difference: match && dataDifference(match, each.event, equality),
    }));
    const hit = misses.find(({ difference }) => difference === undefined);
    return {
      pass: hit !== undefined,
      message: () => {
        const wanted = `${type}${match === undefined ? "" : ` with data like ${valueText(match)}`}`;
        if (hit !== undefined)
          return explainFailure(
            this,
            sim,
            `expected no ${wanted}, but it was emitted as event ${hit.index + 1}`,
            hit.index,
          );
        const near = limitedLines(misses, (miss) => `  ${writeText(sim, miss.event)}: ${miss.difference}`);
        const details = near.length === 0 ? neverCame(sim, type) : near;
        return explainFailure(
          this,
          sim,
          `expected ${wanted}, but ${near.length === 0 ? "no event of this type was emitted" : "none is like it"}`,
          misses.at(-1)?.index,
          details,
        );
      },
    };
  },

  toHaveEmittedStream(this: MatcherContext, sim: unknown, lines: readonly StreamLine[]): MatcherResult {
    mustBeSimulator(sim, "toHaveEmittedStream");
    if (!Array.isArray(lines))
      throw beginAtCaller(
        new TypeError(
          `expect(...).toHaveEmittedStream: expected a list of lines such as ["PT6S call.answered"], got ${show(lines)}`,
        ),
      );
    const expect = lines.map((line, index) => readEventLine(line, ["lines", index]));
    const { events, seed, startTimestamp: startMs } = sim;
    const rows = compare(expect, events, startMs, equalityOf(this));
    const mismatches = mismatchesIn(rows);
    return {
      pass: mismatches.length === 0,
      message: () => {
        const [first] = mismatches;
        if (first === undefined)
          return explainFailure(
            this,
            sim,
            "expected the stream to differ from these lines, but it is identical",
          );
        const report = mismatchReport({ title: "stream", seed, comparisons: [rows] });
        // a missing event belongs after the last one
        const place = events.length === 0 ? undefined : Math.min(first.index, events.length - 1);
        return explainFailure(this, sim, report.trimEnd(), place, neverCameIn(sim, mismatches));
      },
    };
  },

  toHaveDelivered(
    this: MatcherContext,
    sim: unknown,
    url: string,
    type: EventType,
    match?: object,
  ): MatcherResult {
    mustBeSimulator(sim, "toHaveDelivered");
    mustBeEventType(type, "toHaveDelivered");
    const to = normaliseUrl(url);
    const equality = equalityOf(this);
    const attempts = sim.network.requests
      .filter((request) => request.why === "webhook" && normaliseUrl(request.to) === to)
      .map((request) => ({ request, event: sim.webhooks.delivery(request.recordId).event as PlatformEvent }));
    const hit = attempts.find(
      ({ request, event }) =>
        wasAccepted(sim, request) &&
        event.type === type &&
        (match === undefined || dataDifference(match, event, equality) === undefined),
    );
    return {
      pass: hit !== undefined,
      message: () => {
        const wanted = `${type} ${hit === undefined ? "" : "not "}to have been delivered to ${url}`;
        const sent = attempts.filter(({ event }) => event.type === type);
        const details = limitedLines(sent, ({ request, event }) => {
          const difference = match && dataDifference(match, event, equality);
          const outcome =
            wasAccepted(sim, request) && difference
              ? `delivered, but ${difference}`
              : describeOutcome(sim, request);
          return `  ${writeText(sim, event)}, sent ${request.startedAt}: ${outcome}`;
        });
        const last = hit?.event ?? sent.at(-1)?.event;
        const eventIndex = indexedEvents(sim).find(({ event }) => event.id === last?.id)?.index;
        const why =
          details.length > 0 ? details : [reasonNothingWasSent(sim, to, type), ...neverCame(sim, type)];
        return explainFailure(this, sim, `expected ${wanted}`, eventIndex, hit === undefined ? why : []);
      },
    };
  },

  toBeIdle(this: MatcherContext, sim: unknown): MatcherResult {
    mustBeSimulator(sim, "toBeIdle");
    const pending = sim.pending().filter(({ isBackground }) => isBackground !== true);
    return {
      pass: pending.length === 0,
      message: () => {
        if (pending.length === 0)
          return explainFailure(this, sim, "expected something to be scheduled, but nothing is");
        const items = pending
          .slice(0, LISTED)
          .map((item) => `  ${item.dueAt} ${item.purpose} of ${item.recordId}`);
        return explainFailure(
          this,
          sim,
          `expected nothing to be scheduled, but ${pending.length === 1 ? "1 item is" : `${pending.length} items are`}:`,
          undefined,
          [...items, ...moreLine(pending.length)],
        );
      },
    };
  },

  toBeSilentFor(
    this: MatcherContext,
    sim: unknown,
    duration: Parameters<Simulator["advance"]>[0],
    { except = [] }: SilenceOptions = {},
  ): MatcherResult {
    mustBeSimulator(sim, "toBeSilentFor");
    const ms = readDurationMs(duration, ["toBeSilentFor"]);
    const allowed = [except].flat();
    for (const type of allowed) mustBeEventType(type, "toBeSilentFor");
    const ahead = sim.fork();
    ahead.network.replaceHandlers(() => 200);
    const mark = ahead.events.mark();
    ahead.advance(ms);
    const unwanted = indexedEvents(ahead, mark).filter(({ event }) => !allowed.includes(event.type));
    const [first] = unwanted;
    return {
      pass: first === undefined,
      message: () => {
        const span = `from ${iso(sim.timestamp)} to ${iso(ahead.timestamp)}`;
        if (first === undefined)
          return explainFailure(this, ahead, `expected an event ${span}, but none would come`);
        const lines = limitedLines(unwanted, ({ event }) => `  ${writeText(ahead, event)}`);
        return explainFailure(
          this,
          ahead,
          `expected silence ${span}, but these would come:`,
          first.index,
          lines,
        );
      },
    };
  },

  toBePossible(this: MatcherContext, event: unknown, options?: FixtureOptions): MatcherResult {
    const verdict = new FixtureJudge(options).judge(event);
    if (typeof verdict !== "object")
      throw beginAtCaller(
        new TypeError(
          `expect(...).toBePossible: ${verdict ?? `expected an event or a record of one, got ${typeAndSize(event)}`}`,
        ),
      );
    const { flaws, lacking, event: type } = verdict;
    const what = type ?? "this record";
    return {
      pass: verdict.verdict !== "impossible",
      message: () =>
        flaws.length === 0
          ? `expected ${what} to be impossible, but the platform may send ${lacking.length === 0 ? "it" : "an event of which it is a part"}`
          : [
              `expected ${what} to be possible, but the platform never sends it:`,
              ...flaws.map(({ path, because }) => `  ${path} ${because}`),
            ].join("\n"),
    };
  },
};

/** Why no event of a type came, as a line; none if one came, or nothing is known. */
function neverCame(sim: Simulator, type: EventType): string[] {
  const { events, services } = sim;
  const areAllKept = services.engine.log.total === events.length && keepsJournal(sim);
  if (!areAllKept || events.ofType(type).length > 0) return [];
  const why = whyNeverCame(sim, type);
  return why === undefined ? [] : [`  ${why}`];
}

/** The same of each type that a stream lacks. */
function neverCameIn(sim: Simulator, mismatches: readonly Mismatch[]): string[] {
  const texts = mismatches.flatMap(({ expected, actual }) => (actual === undefined ? (expected ?? []) : []));
  const types = eventTypes.filter((type) => texts.some((text) => text.split(" ")[1] === type));
  return types.flatMap((type) => neverCame(sim, type));
}

interface IndexedEvent {
  readonly event: PlatformEvent;
  /** Its index among the events that are kept, from 0. */
  readonly index: number;
}

function indexedEvents(sim: Simulator, from = 0): IndexedEvent[] {
  const all = sim.events.map((event, index) => ({ event, index }));
  const fresh = new Set(from === 0 ? sim.events : sim.events.since(from as StreamMark));
  return all.filter(({ event }) => fresh.has(event));
}

function equalityOf({ equals, utils, customTesters = [] }: MatcherContext): Equality {
  const testers = [
    ...customTesters,
    ...(utils?.iterableEquality === undefined ? [] : [utils.iterableEquality]),
  ];
  return {
    equals: (actual, expected) => {
      if (equals !== undefined) return equals(actual, expected, testers);
      return isMatcher(expected) ? expected.asymmetricMatch(actual) : Object.is(actual, expected);
    },
    show: (value) => (hasMatcher(value) ? valueText(value) : show(value)),
  };
}

function isMatcher(value: unknown): value is AsymmetricMatcher {
  return typeof (value as Partial<AsymmetricMatcher> | null)?.asymmetricMatch === "function";
}

function hasMatcher(value: unknown): boolean {
  return isMatcher(value) || (typeof value === "object" && Object.values(value ?? {}).some(hasMatcher));
}

/** Shows a value, with matchers by their names: `{ id: Any<String> }`. */
function valueText(value: unknown): string {
  if (isMatcher(value)) {
    const { toAsymmetricMatcher, sample } = value as { toAsymmetricMatcher?: () => string; sample?: unknown };
    if (toAsymmetricMatcher !== undefined) return toAsymmetricMatcher.call(value);
    const of = sample instanceof RegExp ? String(sample) : valueText(sample);
    return sample === undefined ? String(value) : `${String(value)} ${of}`;
  }
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return show(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key}: ${valueText(each)}`)
    .join(", ")} }`;
}

function mustBeSimulator(sim: unknown, matcher: string): asserts sim is Simulator {
  if (!isSimulator(sim))
    throw beginAtCaller(
      new TypeError(`expect(...).${matcher}: expected a simulator, got ${show(sim)}; write expect(sim)`),
    );
}

/** An event as a line, such as `PT6S call.answered`. */
function writeText(sim: Simulator, event: PlatformEvent): string {
  return eventText(event, sim.startTimestamp);
}

/** The first few items as lines, and how many more there are. */
function limitedLines<Item>(items: readonly Item[], line: (item: Item) => string): string[] {
  return [...items.slice(0, LISTED).map(line), ...moreLine(items.length)];
}

function moreLine(count: number): string[] {
  return count > LISTED ? [`  and ${count - LISTED} more`] : [];
}

function normaliseUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

/**
 * Whether a request went to a URL without a route, although there are routes. Without any, the network plays the app.
 */
function hadNoRoute(sim: Simulator, { isUnrouted }: NetworkRequest): boolean {
  return isUnrouted && sim.network.routes.length > 0;
}

function wasAccepted(sim: Simulator, request: NetworkRequest): boolean {
  return request.answer !== null && request.failure === null && !hadNoRoute(sim, request);
}

/** How many characters of a body are shown. */
const LONGEST_BODY = 300;

/** How the app answered a request, if it did. */
function describeOutcome(sim: Simulator, request: NetworkRequest): string {
  const { answer, failure, endedAt } = request;
  if (hadNoRoute(sim, request))
    return `no route is for it, so that nobody answered; there are routes for: ${sim.network.routes.join(", ")}`;
  if (answer !== null) {
    const body = answer.body.replaceAll(/\s+/g, " ").trim();
    const shown = body.length > LONGEST_BODY ? `${body.slice(0, LONGEST_BODY)}…` : body;
    return `answered ${answer.status}${shown === "" ? "" : `: ${shown}`}`;
  }
  if (endedAt === null) return "under way; `advance` lets the answer arrive";
  if (failure === "timeout") return "no answer in time (timeout)";
  if (failure === "refused") return "the connection was refused";
  return `failed (${failure})`;
}

function reasonNothingWasSent(sim: Simulator, to: string, type: EventType): string {
  const hooks = sim.webhooks.list();
  const hook = hooks.find(({ url }) => normaliseUrl(url) === to);
  if (hook === undefined)
    return `  no webhook has this URL; there are: ${hooks.map(({ url }) => url).join(", ") || "none"}`;
  if (!hook.enabled) return "  its webhook is disabled";
  if (!hook.events.includes("*") && !hook.events.includes(type))
    return `  its webhook asks for: ${hook.events.join(", ")}`;
  const ids = new Set(sim.events.ofType(type).map(({ id }) => id));
  if (sim.journalHead().entries.some((entry) => ids.has(leftOutBy(entry) ?? "")))
    return "  none was sent: the dialect leaves it out";
  return "  none was sent: no event of this type came since the webhook was made, or it is on its way; `advance` lets it arrive";
}
