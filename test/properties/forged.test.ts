import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario, runScenario, type Scenario, type Simulator } from "../../src/index.ts";
import { alwaysAsync } from "./support.ts";

const [crm, desk] = ["https://crm.test/hooks", "https://desk.test/hooks"];
const secretOf = (url: string) => `the secret of ${url}`;
const types = ["call.started", "call.answered", "call.not_answered", "call.ended"];

/** How an app checks the requests of one webhook. */
interface Check {
  readonly looksAt: "nothing" | "presence" | "beginning" | "old secret" | "digest";
  /** Whether it takes a request without a signature unchecked. */
  readonly isLenient: boolean;
  readonly age: "never" | "ms" | "s";
  /** How it refuses; who answers 204 tells nobody. */
  readonly refusal: 401 | 204;
}

/** An app, as what it checks and what it keeps. */
interface App {
  readonly checks: Readonly<Record<string, Check>>;
  /** By what it knows an event again. */
  readonly knows: "nothing" | "event" | "call";
  /** Whether it asks if it knows an event before it checks the request. */
  readonly asksFirst: boolean;
  /** Whether it notes an event as known before it checks the request. */
  readonly notesFirst: boolean;
  /** Whether it keeps an event before it checks the request. */
  readonly keepsFirst: boolean;
  readonly keeps: "numbers" | "calls" | "count";
  /** Whether it counts what it refuses. */
  readonly isCounting: boolean;
  /** What tells of its state. */
  readonly shows: "state" | "properties" | "nothing";
}

const check: fc.Arbitrary<Check> = fc.record({
  looksAt: fc.constantFrom("nothing", "presence", "beginning", "old secret", "digest", "digest", "digest"),
  isLenient: fc.boolean(),
  age: fc.constantFrom("never", "ms", "s"),
  refusal: fc.constantFrom(401, 204),
});

const apps: fc.Arbitrary<App> = fc
  .record({
    checks: fc.record({ [crm]: check, [desk]: check }),
    knows: fc.constantFrom("nothing", "event", "event", "call"),
    asksFirst: fc.boolean(),
    notesFirst: fc.boolean(),
    keepsFirst: fc.oneof(
      { weight: 3, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    keeps: fc.constantFrom("numbers", "calls", "count"),
    isCounting: fc.boolean(),
    shows: fc.constantFrom("state", "state", "properties", "nothing"),
  })
  // who keeps a changed body first, and then knows the true one by its call, has it in place of that: either verdict is right
  .filter(({ keepsFirst, knows }) => !keepsFirst || knows !== "call")
  // so does who keeps it and notes its id
  .filter(({ keepsFirst, notesFirst, knows }) => !(keepsFirst && notesFirst) || knows === "nothing");

/** One or two webhooks, each on some types of events, and one or two calls that may be answered, as YAML. */
const scenarios: fc.Arbitrary<string> = fc
  .record({
    webhooks: fc.array(fc.subarray(types, { minLength: 1 }), { minLength: 1, maxLength: 2 }),
    areAnswered: fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }),
  })
  .map(({ webhooks, areAnswered }) => {
    const created = webhooks.map((events, index) => {
      const url = [crm, desk][index] ?? "";
      return { at: "PT0S", createWebhook: { url, signingSecret: secretOf(url), events } };
    });
    const calls = areAnswered.flatMap((isAnswered, index) => {
      const [as, atS] = [`c${index}`, 1 + 1_000 * index];
      const inbound = { at: `PT${atS}S`, inbound: { as, from: `+642155500${index}`, to: "+6495550103" } };
      const answer = { at: `PT${atS + 5}S`, answer: { call: as, by: "carol" } };
      const hangup = { at: `PT${atS + 20}S`, hangup: { call: as, by: "caller" } };
      return isAnswered ? [inbound, answer, hangup] : [inbound];
    });
    return stringify({ scenario: "Some calls", steps: [...created, ...calls] });
  });

interface Got {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const [signature, timestamp] = ["x-service-signature", "x-service-timestamp"];
const digest = (key: string, at: string, body: string) =>
  `sha256=${createHmac("sha256", key).update(`${at}.${body}`).digest("hex")}`;

function isGenuine({ looksAt, isLenient, age }: Check, { url, headers, body }: Got, nowMs: number): boolean {
  if (looksAt === "nothing") return true;
  const { [signature]: given, [timestamp]: at = "" } = headers;
  if (given === undefined) return isLenient;
  const right = digest(secretOf(url), at, body);
  if (looksAt === "beginning" && !right.startsWith(given)) return false;
  if (looksAt === "old secret" && given !== right && given !== digest("", at, body)) return false;
  if (looksAt === "digest" && given !== right) return false;
  const ageMs = age === "s" ? (nowMs - Number(at)) / 1_000 : nowMs - Number(at);
  return age === "never" || ageMs <= 300_000;
}

/** What an app holds, and how it takes a request at an instant. */
function build(app: App) {
  const store = { rows: [] as unknown[], refused: 0 };
  const seen = new Set<string>();
  /** Of which types of events at which URLs it looked at signatures. */
  const looked = new Set<string>();
  const keep = (call: { readonly id: string; readonly contactNumber: string }) => {
    store.rows.push(app.keeps === "count" ? 1 : app.keeps === "calls" ? call.id : call.contactNumber);
  };
  const take = (got: Got, nowMs: number) => {
    const { id, type, data } = JSON.parse(got.body);
    const key = app.knows === "call" ? `${type} ${data.call.id}` : id;
    const isKnown = app.knows !== "nothing" && seen.has(key);
    if (app.asksFirst && isKnown) return 204;
    if (app.notesFirst) seen.add(key);
    if (app.keepsFirst && !isKnown) keep(data.call);
    const own = app.checks[got.url] as Check;
    if (own.looksAt !== "nothing") looked.add(`${got.url} ${type}`);
    if (!isGenuine(own, got, nowMs)) {
      if (app.isCounting) store.refused++;
      return own.refusal;
    }
    seen.add(key);
    if (!app.keepsFirst && !isKnown) keep(data.call);
    return 204;
  };
  return { store, looked, take };
}

/** A request, and when it comes. */
interface Sent {
  readonly got: Got;
  readonly atMs: number;
}

/** The true requests, in their order. */
function trueRequests(scenario: Scenario): Sent[] {
  const { simulator } = runScenario(scenario);
  simulator.runUntilIdle();
  return simulator.network.requests.map(({ to, headers, body, startedTimestamp }) => ({
    got: { url: to, headers, body },
    atMs: startedTimestamp,
  }));
}

const typeIn = (body: string): string => JSON.parse(body).type;

/**
 * The requests in place of which a forged one comes, as the guide says of each kind, and those of the same world without it.
 * @param isAlone whether the true request never comes
 */
function forgedRequests(kind: string, first: Sent, all: readonly Sent[], isAlone: boolean) {
  const { got, atMs } = first;
  const { url, headers, body } = got;
  const others = all.filter((each) => each !== first);
  const changed = body.replaceAll(/\+64215550\d+/g, "+6421550000");
  const event = JSON.parse(changed);
  event.id = "another";
  event.data.call.id = "another";
  const other = JSON.stringify(event);
  const { [signature]: _, ...unsigned } = headers;
  const { [timestamp]: at = "", ...bare } = unsigned;
  if (kind === "stale") {
    const resigned = { ...headers, [signature]: digest(secretOf(url), at, other) };
    const late = { got: isAlone ? { url, headers: resigned, body: other } : got, atMs: atMs + 300_001 };
    return { forged: [late], requests: inTime([...others, late]), without: others };
  }
  const right = digest(secretOf(url), at, other);
  const signedBy = (given: string) => ({ headers: { ...headers, [signature]: given }, body: other });
  const contents: Readonly<Record<string, readonly Omit<Got, "url">[]>> = {
    unsigned: [unsigned, bare].map((each) => ({ headers: each, body: other })),
    wrongSecret: [{ headers: { ...headers, [signature]: digest("guess", at, other) }, body: other }],
    changedBody: [{ headers, body: changed }],
    cutSignature: [right.slice(0, 8), right.slice(0, -1)].map(signedBy),
    emptySignature: ["sha256=", ""].map(signedBy),
    unsetSecret: ["", "undefined"].map((each) => signedBy(digest(each, at, other))),
  };
  const forged = (contents[kind] ?? []).map((each) => ({ got: { url, ...each }, atMs }));
  const kept = isAlone ? [] : [first];
  const requests = all.flatMap((each) => (each === first ? [...forged, ...kept] : [each]));
  return { forged, requests, without: isAlone ? others : all };
}

function inTime(requests: readonly Sent[]): Sent[] {
  return requests.toSorted((a, b) => a.atMs - b.atMs);
}

/** What an app holds after requests, and which of some it answered 2xx. */
function after(app: App, requests: readonly Sent[], some: readonly Sent[] = []) {
  const { store, take } = build(app);
  const taken = requests.filter(({ got, atMs }) => take(got, atMs) < 300);
  return { store, isTaken: some.some((each) => taken.includes(each)) };
}

/** What tells of an app's state: the state, or which properties hold. @param count how many rows it has without forged requests */
function told({ shows }: App, { rows, refused }: { rows: unknown[]; refused: number }, count: number) {
  if (shows === "state") return JSON.stringify({ rows, refused });
  return shows === "properties" ? JSON.stringify([rows.length <= count, rows.length >= count]) : "";
}

const kinds = [
  ...["unsigned", "wrongSecret", "changedBody", "stale"],
  ...["cutSignature", "emptySignature", "unsetSecret"],
];

/** What each forged request does to an app, played without the explorer. */
function judged(app: App, scenario: Scenario) {
  const all = trueRequests(scenario);
  const { store, take, looked } = build(app);
  for (const { got, atMs } of all) take(got, atMs);
  const [believed, unclear]: [string[], string[]] = [[], []];
  for (const place of looked) {
    const first = all.find(({ got }) => `${got.url} ${typeIn(got.body)}` === place);
    if (first === undefined) throw new Error(`nothing was sent to ${place}`);
    for (const kind of kinds) {
      const tried = (isAlone: boolean) => {
        const { forged, requests, without } = forgedRequests(kind, first, all, isAlone);
        const withIt = after(app, requests, forged);
        const withoutIt = after(app, without).store;
        const tell = (held: typeof store) => told(app, held, store.rows.length);
        const until = requests.indexOf(forged.at(-1) as Sent);
        const before = requests.slice(0, until + 1).filter((each) => !forged.includes(each));
        const settled = [requests.slice(0, until + 1), before].map((some) => after(app, some).store);
        const isOnlyHidden = app.shows === "state" && (isAlone || kind === "stale");
        const pairs = [[withIt.store, withoutIt], ...(isOnlyHidden ? [settled] : [])];
        const different = pairs.find(([one, other]) => one && other && tell(one) !== tell(other));
        const [one, other] = different ?? [];
        const isBelieved = one && other && (withIt.isTaken || !isCount(app, one, other));
        return { isBelieved, isTaken: withIt.isTaken };
      };
      const { isBelieved, isTaken } = tried(false);
      if (isBelieved || (isTaken && tried(true).isBelieved)) believed.push(`${kind} ${place}`);
      else if (isTaken && app.shows !== "state") unclear.push(`${kind} ${place}`);
    }
  }
  return { believed, unclear, requests: kinds.length * looked.size };
}

/** Whether what is refused is only counted, whatever it says, as far as the app's state is told. */
function isCount(app: App, one: { readonly rows: unknown[] }, other: { readonly rows: unknown[] }): boolean {
  if (JSON.stringify(one.rows) === JSON.stringify(other.rows)) return true;
  const isCounted = app.keeps === "count" || app.shows === "properties";
  return app.keepsFirst && isCounted && one.rows.length > other.rows.length;
}

test("Forged requests of random calls are believed exactly where a random app believes them without the explorer", async () => {
  await alwaysAsync(200, fc.tuple(apps, scenarios), async ([app, text]) => {
    const scenario = parseScenario(text);
    const expected = judged(app, scenario);
    const { store } = after(app, trueRequests(scenario));
    type Shown = { readonly rows: unknown[] } | { rowCount(): number };
    const countOf = (shown: Shown) => ("rows" in shown ? shown.rows.length : shown.rowCount());
    const { result } = await exploreReport({
      scenario,
      subject: (sim: Simulator): Shown => {
        const own = build(app);
        for (const url of [crm, desk])
          sim.network.route(url, ({ headers, body }) => own.take({ url, headers, body }, sim.timestamp));
        return app.shows === "state" ? own.store : { rowCount: () => own.store.rows.length };
      },
      eventually:
        app.shows === "properties"
          ? {
              "has no more rows": (_: Simulator, shown: Shown) => countOf(shown) <= store.rows.length,
              "has no fewer rows": (_: Simulator, shown: Shown) => countOf(shown) >= store.rows.length,
            }
          : {},
      deviations: 0,
      shrinkFor: "PT0.001S",
    });
    const places = (forgeries: readonly { to: string; type: string; is: string }[] = []) =>
      forgeries.map(({ to, type, is }) => `${is} ${to} ${type}`).sort();
    expect({
      believed: places(result.forged?.believed),
      unclear: places(result.forged?.unclear),
      requests: result.forged?.requests,
    }).toEqual({ ...expected, believed: expected.believed.sort(), unclear: expected.unclear.sort() });
  });
});
