import fc from "fast-check";
import { expect, test } from "vitest";
import { createSimulator, demoOrganisation, type Simulator } from "../../src/index.ts";
import { type DeliveryHistory, deliveryHistories } from "../../src/inspector/model/delivery-histories.ts";
import { findInversions, findOutages, mainOutage, type Outage } from "../../src/inspector/model/incident.ts";
import {
  deliveriesText,
  outageEffect,
  outageTime,
  outageVerb,
  whatIfUpText,
} from "../../src/inspector/model/incident-words.ts";
import { Recording } from "../../src/inspector/model/recording.ts";
import { whatIfUp } from "../../src/inspector/model/what-if-up.ts";
import { type OverviewRecord, overviewRecords } from "../../src/inspector/view/busy/calls.ts";
import { always } from "./support.ts";

/** What the page of a busy run says of an outage, compared with what the simulator recorded of its requests. */

const hosts = ["crm.test", "billing.test"];
const incidents = fc.record({
  everyS: fc.constantFrom(20, 45, 70),
  fromS: fc.integer({ min: 1, max: 400 }),
  forS: fc.constantFrom(1, 30, 200, 900, 100_000),
  status: fc.constantFrom<503 | 410 | 422 | "refused" | "timeout" | "late">(
    ...([503, 503, 422, "refused", "timeout", "late"] as const),
  ),
  isApp: fc.boolean(),
  hosts: fc.subarray(hosts, { minLength: 1 }),
  talkS: fc.constantFrom(5, 40, 90),
  /** How many webhooks each host has. */
  webhooks: fc.constantFrom(1, 1, 2),
  loss: fc.constantFrom(0, 0, 0.2),
  failsAction: fc.boolean(),
});
type Incident = typeof incidents extends fc.Arbitrary<infer T> ? T : never;

/**
 * Plays traffic in which the first host fails for a time: by a fault, or because the app answers so, or too late.
 * @param handled takes the ids of the events that the first host handled
 */
function play(incident: Incident, isUp: boolean, handled = new Set<string>()): Simulator {
  const { everyS, fromS, forS, status, isApp, hosts, talkS, webhooks, loss, failsAction } = incident;
  const organisation = { ...demoOrganisation, dataActions: { callInsights: "https://cards.test/" } };
  const sim = createSimulator({ organisation });
  if (failsAction) sim.network.route("https://cards.test/", () => 500);
  const [down] = hosts;
  for (const host of hosts)
    for (let nth = 1; nth <= webhooks; nth++)
      sim.webhooks.create({ url: `https://${host}/hook${nth}`, events: ["*"] });
  if (loss > 0) sim.network.conditions(`https://${down}/`, { loss });
  const isDown = () =>
    !isUp && sim.timestamp >= start + fromS * 1_000 && sim.timestamp < start + (fromS + forS) * 1_000;
  const start = sim.timestamp;
  const byApp = status === "late" || (isApp && typeof status === "number");
  if (byApp)
    sim.network.route(`https://${down}/`, ({ url, body }) => {
      if (isDown() && status !== "late") return status;
      handled.add(`${url} ${JSON.parse(body).id}`);
      return isDown() ? { status: 200, after: "PT6S" } : 200;
    });
  sim.users.get("alice").behave({ answer: { after: "PT6S" }, talk: talkS * 1_000 });
  sim.traffic({
    to: "+6495550100",
    every: everyS * 1_000,
    for: "PT10M",
    behaviour: { patience: "PT30S", voicemail: "hangUp" },
  });
  sim.advance(fromS * 1_000);
  if (!isUp && !byApp) sim.network.fault(`https://${down}/`, { status, for: forS * 1_000 });
  sim.advance("PT20M");
  return sim;
}

test("What is said of an outage is so, and without it everything comes at once", () => {
  always(60, incidents, (incident) => {
    const handled = new Set<string>();
    const sim = play(incident, false, handled);
    const recording = Recording.from(sim.journal());
    const histories = deliveryHistories(recording);
    const outages = findOutages(histories);
    for (const outage of outages) checkOutage(sim, outage, incident.loss === 0);
    for (const outage of outages) checkEffect(sim, outage, handled);
    checkCounts(sim, deliveriesText(histories));
    checkOthers(histories, overviewRecords(recording, histories), incident.failsAction);
    if (mainOutage(outages, histories) !== outages[0]) expect(incident.loss).toBeGreaterThan(0);
    expect(findInversions(histories).length).toBe(inverted(sim, incident.hosts).length);
    const [first] = outages;
    if (first === undefined) return;
    const { played, ...answer } = whatIfUp(recording, first.lane);
    expect(played.simulator.events.toJSONL()).toBe(play(incident, true).events.toJSONL());
    expect(answer.inverted).toEqual(
      [sim, played.simulator].map((run) => new Set(inverted(run, [first.lane])).size),
    );
    // what is lost at random is lost again, and who answers late while it is up does so again
    if (incident.loss > 0 || incident.status === "late") return;
    expect(answer.arrive).toBe(answer.events);
    expect(whatIfUpText("crm", answer)).toMatch(
      /^Played again with crm up: (the event arrives|all \d+ events arrive) at once/,
    );
  });
});

/** Every request to the host in this time failed, and what came late, was lost or waits had its first request in it. */
function checkOutage(sim: Simulator, outage: Outage, isWhole: boolean): void {
  const { lane, fromMs, toMs, late, lost, waiting } = outage;
  const start = sim.startTimestamp;
  const to = sim.network.requests.filter((request) => new URL(request.to).host === lane);
  const failed = (request: (typeof to)[number]) => (request.answer?.status ?? 599) >= 300;
  const at = ({ startedTimestamp }: (typeof to)[number]) => startedTimestamp - start;
  const within = to.filter((request) => at(request) > fromMs && at(request) < toMs);
  expect(within.every(failed)).toBe(true);
  for (const end of [fromMs, toMs])
    expect(to.some((request) => at(request) === end && failed(request))).toBe(true);
  const deliveries = sim.webhooks
    .list()
    .flatMap(({ id, url }) => (new URL(url).host === lane ? sim.webhooks.deliveries(id) : []));
  const stateOf = new Map(deliveries.map(({ id, state }) => [id, state]));
  const states = (list: Outage["late"]) => new Set(list.map(({ key }) => stateOf.get(key)));
  expect([...states(late), ...states(lost), ...states(waiting)]).toEqual([
    ...(late.length > 0 ? ["delivered"] : []),
    ...(lost.length > 0 ? ["givenUp"] : []),
    ...(waiting.length > 0 ? ["pending"] : []),
  ]);
  const hit = deliveries.filter(({ attempts: [first] }) => {
    const request = to.find(({ id }) => id === first?.requestId);
    return request !== undefined && failed(request) && at(request) >= fromMs && at(request) <= toMs;
  });
  const told = [...late, ...lost, ...waiting].map(({ key }) => key);
  if (isWhole) expect(told.length).toBe(hit.length);
  expect(hit.map(({ id }) => id)).toEqual(expect.arrayContaining(told));
}

/** Each event is counted once, and none that an app handled is said not to have come. */
function checkEffect(sim: Simulator, outage: Outage, handled: ReadonlySet<string>): void {
  const text = outageEffect(outage);
  const said = (what: string) => Number(new RegExp(`(\\d+) [^,]*${what}`).exec(text)?.[1] ?? 0);
  const urls = new Map(sim.webhooks.list().map(({ id, url }) => [id, url]));
  const deliveries = sim.webhooks.list().flatMap(({ id }) => sim.webhooks.deliveries(id));
  const of = new Map(deliveries.map((each) => [each.id, each]));
  const isUnknown = ({ key }: DeliveryHistory) => {
    const { event, webhookId } = of.get(key) ?? {};
    return !handled.has(`${urls.get(webhookId ?? "")} ${event?.id}`);
  };
  const { late, lost, waiting } = outage;
  expect(said("lost")).toBeLessThanOrEqual(lost.filter(isUnknown).length);
  expect(said("come yet")).toBeLessThanOrEqual(waiting.filter(isUnknown).length);
  const failedFirst = late.filter(({ key }) => of.get(key)?.attempts[0]?.failure !== "timeout");
  expect(said("came late")).toBe(failedFirst.length);
  const all = ["came late", "sent again", "lost", "come yet", "got no answer"].map(said);
  expect(all.reduce((sum, count) => sum + count)).toBe(late.length + lost.length + waiting.length);
}

/** Other requests that failed are no events of a call, and none of the REST API. */
function checkOthers(
  histories: readonly DeliveryHistory[],
  records: readonly OverviewRecord[],
  failsAction: boolean,
): void {
  const others = histories.filter(({ webhook }) => webhook === "");
  expect(others.map(({ trouble }) => trouble)).toEqual(failsAction ? ["request"] : []);
  expect(records.flatMap((each) => each.histories).filter((history) => others.includes(history))).toEqual([]);
}

/** What is counted is what the simulator says of its deliveries. */
function checkCounts(sim: Simulator, text: string): void {
  const deliveries = sim.webhooks.list().flatMap(({ id }) => sim.webhooks.deliveries(id));
  const count = (holds: (delivery: (typeof deliveries)[number]) => boolean) =>
    deliveries.filter(holds).length;
  const isTimedOut = ({ failure }: { readonly failure: string | null }) => failure === "timeout";
  const isGood = (status: number | null | undefined) => status != null && status < 300;
  const expected = [
    count(({ state }) => state === "givenUp"),
    count(({ state, attempts }) => state === "pending" && !attempts.some(isTimedOut)),
    count(
      ({ state, attempts: [first] }) =>
        state === "delivered" && !isGood(first?.status) && first !== undefined && !isTimedOut(first),
    ),
    count(
      ({ state, attempts }) =>
        attempts.length > 1 &&
        (state === "pending" ? attempts : state === "delivered" ? attempts.slice(0, 1) : []).some(isTimedOut),
    ),
    count(({ state, attempts }) => state === "pending" && attempts.length === 1 && attempts.some(isTimedOut)),
  ];
  const said = ["given up", "not come yet", "came late", "sent again", "got no answer"].map((what) =>
    Number(new RegExp(`(\\d+) [^,]*${what}`).exec(text)?.[1] ?? 0),
  );
  expect(said).toEqual(expected);
  expect(text === "Every delivery arrived once.").toBe(expected.every((number) => number === 0));
}

/** The calls that ended before they began, for each webhook of these hosts: by the requests that it answered well. */
function inverted(sim: Simulator, of: readonly string[]): string[] {
  const webhooks = sim.webhooks.list().filter(({ url }) => of.includes(new URL(url).host));
  return webhooks.flatMap((webhook) => {
    const taken = sim.webhooks.deliveries(webhook.id).flatMap(({ event, attempts }) => {
      const good = attempts.find(({ status }) => status !== null && status < 300);
      const order = sim.network.requests.findIndex(({ id }) => id === good?.requestId);
      const { call } = event.data as { call?: { id: string } };
      return order < 0 || call === undefined ? [] : [{ type: event.type, call: call.id, order }];
    });
    const calls = sim.calls.list().filter(({ id, record }) => {
      const end = record.outcome?.status === "abandoned" ? "call.not_answered" : "call.ended";
      const order = (type: string) =>
        taken.find((each) => each.call === id && each.type === type)?.order ?? Number.NaN;
      return order(end) < order("call.started");
    });
    return calls.map(({ id }) => id);
  });
}

test("An outage is said in words of its answers and times", () => {
  const base = { lane: "crm.test", fromMs: 5_000, toMs: 65_000, isOver: true, lost: [], waiting: [] };
  const history = {
    key: "d",
    trouble: "error",
    what: "call.ended",
    webhook: "w",
    lane: "crm.test",
    record: 0,
    row: 0,
    atMs: 0,
  } as const;
  const one = { ...history, attempts: [], givenUpMs: undefined };
  const outage: Outage = { ...base, answers: ["503"], late: [one] };
  const time = (ms: number) => `${ms / 1_000} s`;
  expect(outageTime(outage, time)).toBe("from 5 s to 65 s");
  expect(outageTime({ ...outage, toMs: 5_000 }, time)).toBe("at 5 s");
  expect(outageTime({ ...outage, isOver: false }, time)).toBe("from 5 s on");
  expect(outageEffect(outage)).toBe("1 event of 1 call came late");
  expect(outageEffect({ ...outage, lost: [one], waiting: [one, { ...one, record: -1 }] })).toBe(
    "1 event of 1 call came late, 1 was lost, 2 have not come yet",
  );
  const attempt = { kind: "lost", text: "no answer", atMs: 0, row: 0, isDuplicate: false } as const;
  const unheard = { ...one, attempts: [attempt] };
  expect(
    outageEffect({ ...outage, late: [], waiting: [unheard, { ...one, attempts: [attempt, attempt] }] }),
  ).toBe("1 event of 1 call was sent again, 1 got no answer");
  const verbs = [["503"], ["503", "500"], ["refused"], ["no answer"], ["503", "refused"]].map((answers) =>
    outageVerb({ ...outage, answers }),
  );
  expect(verbs).toEqual([
    "answered 503",
    "answered 503 or 500",
    "refused connections",
    "did not answer",
    "failed",
  ]);
});

test("What another run says of calls that end before they begin is told in one sentence", () => {
  const answer = { events: 4, arrive: 4, otherCalls: 0 };
  const texts = (
    [
      [3, 0],
      [3, 1],
      [4, 3],
    ] as const
  ).map((inverted) => whatIfUpText("crm", { ...answer, inverted }));
  const [begins, ends] = [
    "Played again with crm up: all 4 events arrive at once,",
    "did. The calls are the same.",
  ];
  expect(texts).toEqual([
    `${begins} and no call ends before it began, where 3 ${ends}`,
    `${begins} and 1 call ends before it began, where 3 ${ends}`,
    `${begins} and 3 calls end before they began, where 4 ${ends}`,
  ]);
});

test("Another run in which a host is up keeps what kept other hosts and the REST API from taking requests", () => {
  const sim = createSimulator();
  const [crm, billing] = hosts.map(
    (host) => sim.webhooks.create({ url: `https://${host}/`, events: ["call.started"] }).id,
  );
  const refused = (webhook: string | undefined, at: number) =>
    sim.command("deviate", { what: "attempt", at, of: "call.started", webhook, number: 1, is: "refused" });
  for (const at of [0, 60_000]) {
    refused(crm, at);
    refused(billing, at);
  }
  sim.command("deviate", { what: "rest", at: 0, of: "GET /users", is: "refused" });
  for (let call = 0; call < 2; call++) {
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT1M");
  }
  sim.advance("PT5M");
  const { played, ...answer } = whatIfUp(Recording.from(sim.journal()), "crm.test");
  expect(answer).toMatchObject({ events: 2, arrive: 2 });
  const failures = (of: string | undefined) =>
    played.simulator.webhooks.deliveries(of ?? "").map(({ attempts: [first] }) => first?.failure);
  expect([failures(crm), failures(billing)]).toEqual([
    [null, null],
    ["refused", "refused"],
  ]);
  const deviations = played.simulator.journal().entries.filter(({ command }) => command === "deviate");
  expect(deviations.map(({ args }) => (args as { what: string }).what)).toEqual([
    "attempt",
    "attempt",
    "rest",
  ]);
});

test("Requests that are lost at random are no outage, and what came twice and late is counted", () => {
  const sim = createSimulator();
  const url = "https://crm.test/";
  sim.webhooks.create({ url, events: ["call.started", "call.not_answered", "call.ended"] });
  sim.network.conditions(url, { loss: 0.2, duplicate: 0.1 });
  sim.traffic({ to: "+6495550100", every: 20_000, for: "PT30M" });
  sim.advance("PT6H");
  const histories = deliveryHistories(Recording.from(sim.journal()));
  const outages = findOutages(histories);
  expect(outages.length).toBeGreaterThan(3);
  expect(mainOutage(outages, histories)).toBeUndefined();
  const doubled = histories.filter(({ attempts }) => attempts.some(({ isDuplicate }) => isDuplicate));
  expect(doubled.some(({ trouble }) => trouble !== "twice")).toBe(true);
  expect(deliveriesText(histories)).toMatch(new RegExp(`, ${doubled.length} came twice\\.$`));
});
