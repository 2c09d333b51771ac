import { describe, expect, test } from "vitest";
import { behindDoor } from "../../../src/core/foundation/real-functions.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

/** As an app has it that was loaded before `ringback/explore`. */
const realNow = behindDoor(Date.now);
const { now } = Date;

const url = "https://crm.test/hooks";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
`);

interface App {
  readonly rows: unknown[];
}

/** How the first failure of an app is told; undefined if it passes. */
async function storyOf(
  take: (app: App, id: string, timestamp: number) => unknown,
): Promise<string | undefined> {
  const subject = (sim: Simulator): App => {
    const app: App = { rows: [] };
    sim.network.route(url, ({ body, headers }) => {
      const { id } = JSON.parse(body).data.call;
      return take(app, id, Number(headers["x-service-timestamp"])) === false ? 401 : 204;
    });
    return app;
  };
  const eventually = {
    "is stored once": (sim: Simulator, { rows }: App) => {
      const count = sim.events.ofType("call.not_answered").length;
      if (rows.length !== count)
        throw new Error(`${rows.length} rows, the last is ${JSON.stringify(rows.at(-1))}`);
    },
  };
  const { failures } = await exploreReport({ scenario, subject, eventually, forged: false });
  return failures[0]?.story;
}

/** Takes each call once, if its request is at most five minutes old. */
const ages =
  (clock: () => number, unitMs = 1) =>
  ({ rows }: App, id: string, timestamp: number) => {
    if (Math.abs(clock() - timestamp * unitMs) > 300_000) return false;
    if (!rows.includes(id)) rows.push(id);
    return true;
  };

describe("An app whose check of ages is right", () => {
  test("passes with the world's clock, and with a copy of it", async () => {
    expect(await storyOf(ages(() => Date.now()))).toBeUndefined();
    expect(await storyOf(ages(now))).toBeUndefined();
  });

  test("fails with the real clock, which is named in place of the signature", async () => {
    const story = await storyOf(ages(realNow));
    expect(story).toMatch(
      /^The \w+ answers 401 to the only request[.] The app takes the same requests signed at the time of the real clock, which is [\d,]+ days from the world's. It compares their timestamps with that clock[.] A copy of the clock stays real, /,
    );
    expect(story).not.toContain("sha256=");
  });
});

test("An app whose check is wrong by any clock is asked for its signature", async () => {
  const story = await storyOf(ages(() => Date.now(), 1_000));
  expect(story).toContain("If it checks signatures");
  expect(story).not.toContain("real clock");
});

describe("A time of the real clock is named", () => {
  const stores =
    (show: (ms: number) => unknown) =>
    ({ rows }: App) =>
      rows.push(show(realNow()));

  test.each<[string, (ms: number) => unknown, RegExp]>([
    ["ms", (ms) => ms, /The app's state has \d{13}, a time/],
    ["s", (ms) => Math.floor(ms / 1_000), /The app's state has \d{10}, a time/],
    ["ISO 8601", (ms) => new Date(ms).toISOString(), /The app's state has \d{4}-\d\d-\d\dT[\d:.]+Z, a time/],
  ])("in the app's state, as %s", async (_, show, named) => {
    const story = await storyOf(stores(show));
    expect(story).toMatch(named);
    expect(story).toMatch(/of the real clock, [\d,]+ days from the world's[.]/);
  });

  test("in what a property throws, where the state does not show it", async () => {
    const rows = Symbol("rows");
    const story = await storyOf((app) => {
      app.rows.push({ [rows]: 1, toJSON: () => realNow() });
    });
    expect(story).toMatch(/(The app's state|What the property throws) has \d{13}, a time of the real clock/);
  });

  test("but not a time of the world", async () => {
    const story = await storyOf(({ rows }) => rows.push(Date.now(), new Date().toISOString()));
    expect(story).toContain("does not hold");
    expect(story).not.toContain("real clock");
  });
});
