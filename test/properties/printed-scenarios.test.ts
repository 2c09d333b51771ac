import fc from "fast-check";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { type DeviationKind, type ExploreFailure, exploreReport } from "../../src/explore/index.ts";
import { type CallRecord, parseScenario, type Simulator } from "../../src/index.ts";
import { alwaysAsync } from "./support.ts";

/**
 * Of random scenarios and apps, whatever `explore` prints as a scenario plays, and fails as was said. Scenarios are written, or
 * functions that schedule what they do; the kinds of deviations are all that change more than the network.
 */

const url = "https://crm.test/hooks";
const types = ["call.started", "call.answered", "call.not_answered", "call.hungup", "call.ended"] as const;

/** What is done to a call, after how many seconds. Most calls are answered first. */
const acts = fc
  .record({
    answerS: fc.option(fc.constantFrom(0, 3, 5), { freq: 4 }),
    more: fc.uniqueArray(
      fc.record({
        afterS: fc.constantFrom(7, 12, 35, 61.7),
        does: fc.constantFrom("answer", "hangup by alice", "hangup by alice", "hangup by caller", "transfer"),
      }),
      { minLength: 1, maxLength: 2, selector: ({ afterS }) => afterS },
    ),
  })
  .map(({ answerS, more }) => [...(answerS === null ? [] : [{ afterS: answerS, does: "answer" }]), ...more]);
type Acts = readonly { readonly afterS: number; readonly does: string }[];
const from = fc.constantFrom("+6421555001", "+6421555777", "anonymous", "2580");

/** The command of an act. */
function commandOf(does: string): object {
  if (does === "answer") return { answer: { call: "c1", by: "alice" } };
  if (does === "transfer") return { transfer: { call: "c1", by: "alice", target: "102", warm: false } };
  return { hangup: { call: "c1", by: does.replace("hangup by ", "") } };
}

function written(number: string, given: Acts) {
  const acted = [...given].sort((a, b) => a.afterS - b.afterS);
  return parseScenario(
    stringify({
      scenario: "A call",
      steps: [
        { at: "PT0S", createWebhook: { as: "crm", url, events: types } },
        { at: "PT0S", inbound: { as: "c1", from: number, to: "+6495550100" } },
        ...acted.map(({ afterS, does }) => ({ at: `PT${afterS}S`, ...commandOf(does) })),
      ],
    }),
  );
}

const asFunction = (number: string, given: Acts) => (sim: Simulator) => {
  sim.webhooks.create({ url, events: [...types] });
  const call = sim.calls.inbound({ from: number, to: "+6495550100" });
  for (const { afterS, does } of given)
    sim.schedule(afterS * 1_000, () => {
      if (does === "answer") call.answer("alice");
      else if (does === "transfer") call.transfer("102", { by: "alice", warm: false });
      else call.hangup(does.replace("hangup by ", ""));
    });
};

/** What apps do that is right only of the usual, and what is expected of them. */
const habits = {
  "counts each request": {
    hears: ({ type }: Told, { log }: App) => void log.push(type),
    expects: ({ log }: App) => new Set(log).size === log.length,
  },
  "takes the number for text": {
    hears: ({ call }: Told) => void (call.contactNumber as string).length,
    expects: () => true,
  },
  "takes what is null for absent": {
    hears({ type, call }: Told, { log }: App) {
      if (type === "call.hungup" && call.connections.some(({ leftAt }) => leftAt === null)) log.push(type);
    },
    expects: ({ log }: App) => log.length > 0,
  },
  "knows one day": {
    hears({ call }: Told, { log }: App) {
      for (const at of [call.startedAt, call.endedAt]) if (at !== null) log.push(at.slice(0, 10));
    },
    expects: ({ log }: App) => new Set(log).size === 1,
  },
  "keeps what came last": {
    hears: ({ type }: Told, { log }: App) => void log.splice(0, 1, type),
    expects: ({ log }: App) => log[0] === "call.ended",
  },
} as const;
type Habit = keyof typeof habits;
interface Told {
  readonly type: string;
  readonly call: CallRecord;
}
interface App {
  readonly log: string[];
}

const appOf = (habit: Habit) => (sim: Simulator) => {
  const app: App = { log: [] };
  sim.network.route(url, ({ body }) => {
    const { type, data } = JSON.parse(body);
    habits[habit].hears({ type, call: data.call }, app);
    return 204;
  });
  return app;
};

const appWith = (habit: Habit) => ({
  subject: appOf(habit),
  eventually: { "the app is right": (_: Simulator, app: App) => habits[habit].expects(app) },
});

const kinds = fc.constantFrom<DeviationKind[]>(
  ["unspecified"],
  ["unspecified", "calendar"],
  ["assumption", "duplicated"],
  ["caller"],
  ["caller", "late"],
  ["calendar", "lost"],
  ["duplicated", "timers"],
  ["outage"],
);

test("Whatever is printed as a scenario plays, and fails as was said", async () => {
  await alwaysAsync(
    120,
    fc.record({
      ...{ from, acts, kinds },
      isFunction: fc.boolean(),
      habit: fc.constantFrom(...(Object.keys(habits) as Habit[])),
      atMost: fc.constantFrom(1, 1, 1, 2),
    }),
    async ({ from: number, acts: done, isFunction, kinds: named, habit, atMost }) => {
      const app = appWith(habit);
      const scenario = isFunction ? asFunction(number, done) : written(number, done);
      const given = { scenario, ...app, forged: false };
      const plain = await exploreReport({ ...given, deviations: 0 }).catch(() => undefined);
      fc.pre(plain !== undefined); // a step that the state does not allow
      const broken = plain.failures.map(({ property }) => property);
      const report = await exploreReport({ ...given, deviations: { atMost, kinds: named }, worlds: 60 });
      for (const failure of report.failures) {
        // what needs a deviation is never told as a failure without any
        if (!broken.includes(failure.property)) expect(failure.smallest.deviations).not.toEqual([]);
        await mustPlay(failure, app);
      }
    },
  );
});

/** Plays the smallest world as a file, with what it deviates by, and without. */
async function mustPlay(failure: ExploreFailure, app: ReturnType<typeof appWith>): Promise<void> {
  const { property, message, smallest, story } = failure;
  if (smallest.scenario === undefined) return;
  const messageOf = async (text: string) => {
    const given = { scenario: parseScenario(text), deviations: 0, forged: false };
    const { failures } = await exploreReport({ ...given, ...app });
    return failures.find((each) => each.property === property)?.message;
  };
  expect(await messageOf(smallest.scenario)).toBe(message);
  if (smallest.deviations.length === 0) {
    expect(story).toMatch(/Without any deviation/);
    return;
  }
  expect(story).toMatch(/^When /);
  const { deviations: _, assume: __, start: ___, ...usual } = parse(smallest.scenario);
  expect(await messageOf(stringify(usual))).toBeUndefined();
}
