import { describe, expect, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { scenario, url } from "../missed-call.ts";

/** Counts requests. */
function counter(simulator: Simulator): { heard: number } {
  const subject = { heard: 0 };
  simulator.network.route(url, () => {
    subject.heard++;
    return 204;
  });
  return subject;
}

/** An app that does something when it hears of anything for the third time. */
function subjectThat(does: (simulator: Simulator) => unknown) {
  return (simulator: Simulator) => {
    let heard = 0;
    simulator.network.route(url, () => ((++heard === 3 ? does(simulator) : undefined) ?? 204) as 204);
    return {};
  };
}

const limits = { scenario, deviations: { kinds: ["unanswered" as const] }, patience: 300 };
const failuresOf = async <T>(options: Omit<ExploreOptions<T>, "scenario">) => {
  const { failures } = await exploreReport({ ...limits, ...options } as ExploreOptions<T>);
  return failures.map(({ property, message, worlds, smallest }) => ({
    ...{ property, message, worlds },
    deviations: smallest.deviations.map(({ is, of }) => `${is} ${of}`),
  }));
};
const bare = Object.create(null);
const throwing = (why: string) => () => {
  throw new Error(why);
};
const unreadable = Object.defineProperties(new Error(), {
  message: { get: throwing("no message") },
  name: { get: throwing("no name") },
  code: { get: throwing("no code") },
  actual: { get: throwing("no actual") },
  expected: { value: 1 },
});
const incomparable = Object.assign(new Error("not equal"), { actual: new Date(Number.NaN), expected: bare });

/** What can be thrown that is no usual error, and what is said of it. */
const odd: readonly (readonly [name: string, thrown: unknown, says: RegExp])[] = [
  ["null", null, /^null$/],
  ["undefined", undefined, /^undefined$/],
  ["a text", "no\u001b[31m route", /^no route$/],
  ["an object without a prototype", bare, /^the thrown object has no readable message$/],
  ["an error that cannot be read", unreadable, /^the thrown object has no readable message$/],
  [
    "an error with an object for a message",
    Object.assign(new Error(), { message: {} }),
    /^\[object Object\]$/,
  ],
  ["an error that compares what cannot be shown", incomparable, /^not equal$/],
];

describe.each(odd)("What throws %s", (_, thrown, says) => {
  const throws = () => {
    throw thrown;
  };

  test.each(["always", "settled", "eventually", "sometimes"])(
    "as a property of `%s` fails by its name",
    async (group) => {
      const failures = await failuresOf({ subject: counter, [group]: { "is counted": throws } });
      expect(failures).toMatchObject([
        { property: "is counted", message: expect.stringMatching(says), worlds: 3 },
      ]);
    },
  );

  test.each([
    ["in a handler", "the app throws", throws],
    ["in a promise of a handler", "the app throws", async () => throws()],
    ["where nothing catches it", "the app throws where nothing catches it", () => void setImmediate(throws)],
    [
      "in a promise that it leaves",
      "the app leaves a rejected promise behind",
      () => void Promise.reject(thrown),
    ],
  ])("%s fails, and the other worlds are run", async (_where, property, does) => {
    const failures = await failuresOf({ subject: subjectThat(does) });
    expect(failures).toMatchObject([
      {
        property,
        message: expect.stringMatching(says),
        worlds: 2,
        deviations: [expect.stringMatching("unanswered")],
      },
    ]);
  });

  test("in a handler fails when the scenario is a function, too", async () => {
    const started = async (simulator: Simulator) => {
      simulator.webhooks.create({ url, events: ["call.started"] });
      simulator.calls.inbound({ from: "+6421555001", to: "+6495550101" });
      await simulator.advanceAsync("PT5S");
    };
    const subject = (simulator: Simulator) => void simulator.network.route(url, throws);
    const report = await exploreReport({ scenario: started, subject, deviations: 0 });
    expect(report.failures).toMatchObject([
      { property: "the app throws", message: expect.stringMatching(says) },
    ]);
  });

  test("while it is built fails in every world", async () => {
    expect(await failuresOf({ subject: throws })).toMatchObject([
      { property: "the app throws", message: expect.stringMatching(says) },
    ]);
  });
});

const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");

/** Each loop takes seconds of the processor. */
const tried = <Row extends readonly [string, ...unknown[]]>(rows: readonly Row[]) =>
  rows.filter(([name]) => isWhole || name !== "does not return");

describe("An app that is disposed of", () => {
  const ends: readonly (readonly [string, symbol, () => unknown, string, RegExp])[] = [
    ["throws", dispose, throwing("it is closed"), "the app throws", /^it is closed$/],
    ["rejects", asyncDispose, async () => throwing("it is closed")(), "the app throws", /^it is closed$/],
    [
      "never ends",
      asyncDispose,
      () => new Promise(() => {}),
      "the app hangs",
      /^Symbol\.asyncDispose of the app did not end within \d+ ms\. Disposing stands for a process that is killed: /,
    ],
    [
      "does not return",
      dispose,
      () => {
        for (;;);
      },
      "the app does not return",
      /^strange-subjects\.test\.ts:\d+ ran for \d+ ms$/,
    ],
    [
      "ends the process",
      dispose,
      () => process.exit(0),
      "the app ends the process",
      /^process\.exit\(0\) at/,
    ],
  ];
  test.each(tried(ends))("and %s then, fails once", async (_, symbol, does, property, says) => {
    const subject = (simulator: Simulator) => Object.assign(counter(simulator), { [symbol]: does });
    expect(await failuresOf({ subject })).toMatchObject([
      { property, message: expect.stringMatching(says), worlds: 3 },
    ]);
  });

  test("after it has thrown fails for that alone", async () => {
    const subject = (simulator: Simulator) => {
      let isBroken = false;
      const throws = () => {
        isBroken = true;
        throw new TypeError("no route");
      };
      const end = () => isBroken && throwing("it is broken")();
      return Object.assign(subjectThat(throws)(simulator), { [dispose]: end });
    };
    expect(await failuresOf({ subject })).toMatchObject([{ message: "no route", worlds: 2 }]);
  });
});

describe("`show`", () => {
  const counts = {
    subject: counter,
    eventually: { "two are heard": (_: Simulator, { heard }: { heard: number }) => heard === 2 },
  };

  const shows: readonly (readonly [string, () => unknown, string])[] = [
    ["throws", throwing("no state"), "the app ends with cannot be shown: no state|returned false"],
    [
      "returns what cannot be read",
      () => ({ at: new Date(Number.NaN), by: new Map([[bare, 1]]) }),
      "returned false",
    ],
    [
      "does not return",
      () => {
        for (;;);
      },
      "returned false",
    ],
    ["ends the process", () => process.exit(0), "returned false"],
  ];
  test.each(tried(shows))("that %s costs the explanation, but not the verdict", async (_, show, says) => {
    const { failures } = await exploreReport({ ...limits, ...counts, show });
    expect(failures).toMatchObject([
      {
        property: "two are heard",
        worlds: 2,
        story: expect.stringMatching(says),
        smallest: { isMinimal: true },
      },
    ]);
    const { failures: none } = await exploreReport({ ...limits, subject: counter, show, deviations: 0 });
    expect(none).toEqual([]);
  });
});

test("An app's own method fork is never called", async () => {
  const explored = (more: object) => {
    const subject = (simulator: Simulator) => {
      simulator.network.route(url, () => 204);
      return more;
    };
    return exploreReport({ scenario, subject, deviations: 2 });
  };
  const fork = () => {
    throw new Error("forked");
  };
  const report = await explored({ fork });
  expect(report).toMatchObject({ complete: true, failures: [] });
  expect(report.worlds).toBeGreaterThan(20);
  expect(report.toJSON()).toEqual((await explored({})).toJSON());
});

test("A state that cannot be read is not shown as an empty one", async () => {
  class Private {
    #heard = 0;
    constructor(simulator: Simulator) {
      simulator.network.route(url, () => {
        this.#heard++;
        return 204;
      });
    }
    get heard() {
      return this.#heard;
    }
  }
  const subject = (simulator: Simulator) => new Private(simulator);
  const never = { "nothing is heard": (_: Simulator, { heard }: Private) => heard === 0 };
  const { failures } = await exploreReport({ scenario, subject, eventually: never, deviations: 0 });
  expect(failures[0]?.smallest.received[0]).toMatchObject({ of: "call.started", state: undefined });
});

describe("An app that uses the simulator wrongly", () => {
  test.each([
    [
      "schedules at no instant",
      (simulator: Simulator) => void simulator.schedule(Number.NaN, () => {}),
      /^schedule: /,
    ],
    [
      "listens to nothing",
      (simulator: Simulator) => void simulator.network.route("x", () => 204),
      /^route: /,
    ],
  ])("because it %s fails, and the options are not blamed", async (_, does, says) => {
    expect(await failuresOf({ subject: subjectThat(does) })).toMatchObject([
      { property: "the app throws", message: expect.stringMatching(says), worlds: 2 },
    ]);
  });

  test("because it disposes of it fails by that name", async () => {
    expect(await failuresOf({ subject: subjectThat((simulator) => simulator.dispose()) })).toMatchObject([
      { property: "the app disposes of the simulator", worlds: 2, deviations: [expect.anything()] },
    ]);
  });
});

describe("A property", () => {
  test("that ends the process is one failure, of the app", async () => {
    const failures = await failuresOf({ subject: counter, eventually: { ends: () => process.exit(0) } });
    expect(failures).toMatchObject([{ property: "the app ends the process", worlds: 3 }]);
  });

  test("that has the name of a defect is refused, since one would hide the other", async () => {
    const always = { "the app throws": () => true };
    await expect(exploreReport({ scenario, subject: counter, always })).rejects.toThrow(
      "always.the app throws: expected another name: `explore` gives this one to a defect of the app",
    );
  });

  test.each([
    ["a promise", async () => true, "a promise"],
    ["a number", () => 1, "1"],
  ])("of `sometimes` that returns %s is refused, since it would never hold", async (_, returns, got) => {
    const sometimes = { "is heard": returns as unknown as () => boolean };
    await expect(exploreReport({ scenario, subject: counter, sometimes })).rejects.toThrow(
      `sometimes.is heard: expected a function that returns a boolean, got ${got}`,
    );
  });
});

test("A world with two promises that nobody awaits fails once", async () => {
  const leavesTwo = () => {
    for (const each of [1, 2]) void Promise.reject(new Error(`nobody awaits ${each}`));
  };
  expect(await failuresOf({ subject: subjectThat(leavesTwo) })).toMatchObject([
    { property: "the app leaves a rejected promise behind", worlds: 2 },
  ]);
});
