import type { MatcherState } from "vitest";
import { iso, readDurationMs, show } from "../engine/instants.ts";
import { type EventType, mustBeEventType, type PlatformEvent } from "../platform/events.ts";
import type { NetworkRequest } from "../platform/network/network-api.ts";
import { compare, dataDifference, type Equality, eventText, mismatchesIn } from "../scenario/compare.ts";
import { mismatchReport } from "../scenario/report.ts";
import { readEventLine } from "../scenario/schema.ts";
import type { Simulator } from "../simulator.ts";
import type { SilenceOptions, StreamLine } from "./expectations.ts";
import { explained, isSimulator } from "./explain.ts";

/** How many near misses, deliveries or scheduled items a failure lists. */
const LISTED = 5;

interface Result {
  readonly pass: boolean;
  message(): string;
}

/** The functions for `expect.extend`; what each is for stands at `RingbackMatchers`. */
export const matchers = {
  toHaveEmitted(this: MatcherState, sim: unknown, type: EventType, match?: object): Result {
    mustBeSimulator(sim, "toHaveEmitted");
    mustBeEventType(type, "toHaveEmitted");
    const equality = equalityOf(this);
    const ofType = placed(sim).filter(({ event }) => event.type === type);
    const misses = ofType.map((each) => ({
      ...each,
      difference: match && dataDifference(match, each.event, equality),
    }));
    const hit = misses.find(({ difference }) => difference === undefined);
    return {
      pass: hit !== undefined,
      message: () => {
        const what = `${type}${match === undefined ? "" : ` with data like ${this.utils.stringify(match, undefined, { min: true })}`}`;
        if (hit !== undefined)
          return explained(
            sim,
            `expected no ${what}, but it was emitted as event ${hit.place + 1}`,
            hit.place,
          );
        const near = listed(misses, (miss) => `  ${textOf(sim, miss.event)}: ${miss.difference}`);
        return explained(
          sim,
          `expected ${what}, but ${near.length === 0 ? "no event of this type was emitted" : "none is like it"}`,
          misses.at(-1)?.place,
          near,
        );
      },
    };
  },

  toHaveEmittedStream(this: MatcherState, sim: unknown, lines: readonly StreamLine[]): Result {
    mustBeSimulator(sim, "toHaveEmittedStream");
    if (!Array.isArray(lines))
      throw new TypeError(
        `expect(...).toHaveEmittedStream: expected a list of lines such as ["PT6S call.answered"], got ${show(lines)}`,
      );
    const expect = lines.map((line, index) => readEventLine(line, ["lines", index]));
    const { events, seed, startTimestamp: startMs } = sim;
    const rows = compare(expect, events, startMs, equalityOf(this));
    const mismatches = mismatchesIn(rows);
    return {
      pass: mismatches.length === 0,
      message: () => {
        const [first] = mismatches;
        if (first === undefined) return explained(sim, "expected another stream than exactly this one");
        const report = mismatchReport({ title: "stream", seed, comparisons: [rows] });
        // what did not happen belongs after the last that did
        return explained(
          sim,
          report.trimEnd(),
          events.length === 0 ? undefined : Math.min(first.index, events.length - 1),
        );
      },
    };
  },

  toHaveDelivered(this: MatcherState, sim: unknown, url: string, type: EventType, match?: object): Result {
    mustBeSimulator(sim, "toHaveDelivered");
    mustBeEventType(type, "toHaveDelivered");
    const to = hrefOf(url);
    const equality = equalityOf(this);
    const attempts = sim.network.requests
      .filter((request) => request.why === "webhook" && hrefOf(request.to) === to)
      .map((request) => ({ request, event: JSON.parse(request.body) as PlatformEvent }));
    const hit = attempts.find(
      ({ request, event }) =>
        isTaken(request) &&
        event.type === type &&
        (match === undefined || dataDifference(match, event, equality) === undefined),
    );
    return {
      pass: hit !== undefined,
      message: () => {
        const what = `${type} ${hit === undefined ? "" : "not "}to have been delivered to ${url}`;
        const sent = attempts.filter(({ event }) => event.type === type);
        const near = listed(sent, ({ request, event }) => {
          const difference = match && dataDifference(match, event, equality);
          const outcome = isTaken(request) && difference !== undefined ? difference : outcomeOf(request);
          return `  ${textOf(sim, event)}, sent ${request.startedAt}: ${outcome}`;
        });
        const last = hit?.event ?? sent.at(-1)?.event;
        const place = placed(sim).find(({ event }) => event.id === last?.id)?.place;
        const why = near.length > 0 ? near : [whyNothingWasSent(sim, to, type)];
        return explained(sim, `expected ${what}`, place, hit === undefined ? why : []);
      },
    };
  },

  toBeIdle(this: MatcherState, sim: unknown): Result {
    mustBeSimulator(sim, "toBeIdle");
    const pending = sim.pending().filter(({ isBackground }) => isBackground !== true);
    return {
      pass: pending.length === 0,
      message: () => {
        if (pending.length === 0) return explained(sim, "expected something to be scheduled, but nothing is");
        const items = pending
          .slice(0, LISTED)
          .map((item) => `  ${item.dueAt} ${item.purpose} of ${item.recordId}`);
        return explained(sim, `expected nothing to be scheduled, but ${pending.length} is`, undefined, [
          ...items,
          ...more(pending.length),
        ]);
      },
    };
  },

  toBeSilentFor(
    this: MatcherState,
    sim: unknown,
    duration: Parameters<Simulator["advance"]>[0],
    { except = [] }: SilenceOptions = {},
  ): Result {
    mustBeSimulator(sim, "toBeSilentFor");
    const ms = readDurationMs(duration, ["toBeSilentFor"]);
    const allowed = [except].flat();
    for (const type of allowed) mustBeEventType(type, "toBeSilentFor");
    const ahead = sim.fork();
    ahead.network.replaceHandlers(() => 200);
    const mark = ahead.events.mark();
    ahead.advance(ms);
    const breaking = placed(ahead, mark).filter(({ event }) => !allowed.includes(event.type));
    const [first] = breaking;
    return {
      pass: first === undefined,
      message: () => {
        const span = `from ${iso(sim.timestamp)} to ${iso(ahead.timestamp)}`;
        if (first === undefined) return explained(ahead, `expected an event ${span}, but none would come`);
        const lines = listed(breaking, ({ event }) => `  ${textOf(ahead, event)}`);
        return explained(ahead, `expected silence ${span}, but these would come:`, first.place, lines);
      },
    };
  },
};

interface Placed {
  readonly event: PlatformEvent;
  /** Among the events that are kept, from 0. */
  readonly place: number;
}

function placed(sim: Simulator, from = 0): Placed[] {
  const all = sim.events.map((event, place) => ({ event, place }));
  const fresh = new Set(from === 0 ? sim.events : sim.events.since(from as never));
  return all.filter(({ event }) => fresh.has(event));
}

function equalityOf({ equals, utils, customTesters }: MatcherState): Equality {
  return {
    equals: (actual, wanted) => equals(actual, wanted, [...customTesters, utils.iterableEquality]),
    show: (value) => (isMatcher(value) ? utils.stringify(value) : show(value)),
  };
}

function isMatcher(value: unknown): boolean {
  return typeof (value as { asymmetricMatch?: unknown } | null)?.asymmetricMatch === "function";
}

function mustBeSimulator(sim: unknown, matcher: string): asserts sim is Simulator {
  if (!isSimulator(sim))
    throw new TypeError(`expect(...).${matcher}: expected a simulator, got ${show(sim)}; write expect(sim)`);
}

/** `PT6S call.answered`. */
function textOf(sim: Simulator, event: PlatformEvent): string {
  return eventText(event, sim.startTimestamp);
}

/** The last few, and how many more there are. */
function listed<Item>(items: readonly Item[], line: (item: Item) => string): string[] {
  return [...items.slice(0, LISTED).map(line), ...more(items.length)];
}

function more(count: number): string[] {
  return count > LISTED ? [`  and ${count - LISTED} more`] : [];
}

function hrefOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function isTaken({ answer, failure }: NetworkRequest): boolean {
  return answer !== null && failure === null;
}

function outcomeOf({ failure, endedAt }: NetworkRequest): string {
  if (endedAt === null) return "under way";
  return failure === null ? "delivered" : `failed (${failure})`;
}

function whyNothingWasSent(sim: Simulator, to: string, type: EventType): string {
  const hooks = sim.webhooks.list();
  const hook = hooks.find(({ url }) => hrefOf(url) === to);
  if (hook === undefined)
    return `  no webhook has this URL; there are: ${hooks.map(({ url }) => url).join(", ") || "none"}`;
  if (!hook.enabled) return "  its webhook is disabled";
  if (!hook.events.includes("*") && !hook.events.includes(type))
    return `  its webhook asks for: ${hook.events.join(", ")}`;
  return "  none was sent: no event of this type came since the webhook was made, or it is on its way; `advance` lets it arrive";
}
