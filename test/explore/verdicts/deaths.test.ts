import { describe, expect, test } from "vitest";
import { exploreAs } from "../../../src/explore/explore.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";
import { folderWith } from "../../cli/support.ts";
import { isWhole } from "../../counts.ts";
import { scenario, url } from "../missed-call.ts";

/** An app that does something bad when it hears of the missed call for the second time. */
function subjectThat(does: (simulator: Simulator) => unknown) {
  return (simulator: Simulator) => {
    let heard = 0;
    simulator.network.route(url, ({ body }) => {
      const isSecond = JSON.parse(body).type === "call.not_answered" && ++heard === 2;
      return ((isSecond ? does(simulator) : undefined) ?? 204) as 204;
    });
    return {};
  };
}

/** What an app does, the property that says so, and what the message says. */
const deaths: readonly (readonly [string, (simulator: Simulator) => unknown, string, RegExp])[] = [
  [
    "ends the process",
    () => process.exit(0),
    "the app ends the process",
    /^process\.exit\(0\) at deaths\.test\.ts:\d+$/,
  ],
  [
    "ends the process, and catches what that throws",
    () => {
      try {
        process.exit(3);
      } catch {
        return 200;
      }
    },
    "the app ends the process",
    /^process\.exit\(3\) at deaths\.test\.ts:\d+$/,
  ],
  [
    "runs in a loop",
    () => {
      for (;;);
    },
    "the app does not return",
    /^deaths\.test\.ts:\d+ ran for 400 ms$/,
  ],
  [
    "runs in a loop after it waited",
    async () => {
      await null;
      for (;;);
    },
    "the app does not return",
    /^deaths\.test\.ts:\d+ ran for 400 ms$/,
  ],
  [
    "goes on in a loop of microtasks after it has answered",
    () => {
      const again = () => void Promise.resolve().then(again);
      again();
    },
    "the app does not return",
    /^deaths\.test\.ts:\d+ ran for 400 ms$/,
  ],
  [
    "ends the process after it has answered",
    () => void setTimeout(() => process.exit(0), 5),
    "the app ends the process",
    /^process\.exit\(0\) at deaths\.test\.ts:\d+$/,
  ],
  [
    "never answers",
    () => new Promise(() => {}),
    "the app hangs",
    /^nothing happened for 400 ms while the app was handling POST/,
  ],
  [
    "schedules without end",
    (simulator) => {
      const again = () => void simulator.schedule("PT1S", again);
      again();
    },
    "the app never comes to rest",
    /^the world took more than 2,000 steps, the limit of `steps`$/,
  ],
  [
    "schedules without end at one instant",
    (simulator) => {
      const again = () => void simulator.schedule(0, again);
      again();
    },
    "the app never comes to rest",
    /steps/,
  ],
  [
    "leaves a real interval running",
    () => void setInterval(() => {}, 1_000),
    "the app leaves a timer running",
    /^setInterval of 1000 ms, started at deaths\.test\.ts:\d+/,
  ],
  [
    "leaves a real timer running",
    () => void setTimeout(() => {}, 60_000),
    "the app leaves a timer running",
    /^setTimeout of 60000 ms, started at deaths\.test\.ts:\d+/,
  ],
  [
    "throws from a timer",
    () =>
      void setTimeout(() => {
        throw new Error("too late");
      }, 5),
    "the app throws where nothing catches it",
    /^too late$/,
  ],
  [
    "throws after it has answered",
    () =>
      void setImmediate(() => {
        throw new TypeError("it is undefined");
      }),
    "the app throws where nothing catches it",
    /^it is undefined$/,
  ],
  [
    "leaves a rejected promise behind",
    () => void Promise.reject(new Error("nobody catches this")),
    "the app leaves a rejected promise behind",
    /^nobody catches this$/,
  ],
  [
    "answers with an impossible status",
    () => ({ status: 99_999 }),
    "the app gives an impossible answer",
    /expected a whole number from 100 to 599, got 99999/,
  ],
];

const limits = { deviations: { kinds: ["unanswered" as const] }, patience: 400, steps: 2_000 };

/** Timers are real only where the option says so. */
const clockOf = (name: string) => ({
  clock: name.includes("real") ? ("real" as const) : ("virtual" as const),
});

/** Each loop takes seconds of the processor, so `npm test` tries two. */
const tried = deaths.filter(([name]) => isWhole || name !== "runs in a loop after it waited");

describe("An app in the thread of its exploration", () => {
  test.each(tried)(
    "that %s fails in a small world, and the others are run",
    async (name, does, property, says) => {
      const subject = subjectThat(does);
      const report = await exploreReport({ scenario, subject, ...limits, ...clockOf(name) });
      expect(report.failures.map((failure) => failure.property)).toEqual([property]);
      const [failure] = report.failures;
      expect(failure?.message.split("\n")[0]).toMatch(says);
      expect(failure?.smallest.deviations).toMatchObject([{ of: "call.not_answered", is: "unanswered" }]);
      expect(failure?.smallest.scenario).not.toContain("PT5S");
      expect(report).toMatchObject({ worlds: 3, complete: true });
    },
  );

  test("that takes all memory fails in a small world, and the others are run", async () => {
    const does = () => {
      const full = new Array(1_000_000).fill(1.5);
      const kept: number[][] = [];
      for (;;) kept.push(full.slice());
    };
    const report = await exploreReport({
      ...{ scenario, subject: subjectThat(does), deviations: { kinds: ["unanswered"] }, patience: 60_000 },
    });
    expect(report.failures.map(({ property }) => property)).toEqual(["the app takes too much memory"]);
    const [, megabytes] =
      /^deaths\.test\.ts:\d+ took (\d+) MB, more than the limit of 512 MB$/.exec(
        report.failures[0]?.message ?? "",
      ) ?? [];
    // a watchdog for which a busy machine has no time sees it later
    expect(Number(megabytes)).toBeGreaterThan(512);
    expect(report).toMatchObject({ worlds: 3, complete: true });
  });

  test.runIf(isWhole)("that makes a call for each event never comes to rest", async () => {
    const subject = (simulator: Simulator) => {
      simulator.on(
        "call.started",
        () => void simulator.calls.inbound({ from: "+6421555009", to: "+6495550101" }),
      );
    };
    const report = await exploreReport({ scenario, subject, deviations: 0, patience: 60_000 });
    expect(report.failures.map(({ property }) => property)).toEqual(["the app never comes to rest"]);
    expect(report.failures[0]?.message).toMatch(/^stopped a loop: 10000 steps led to each other/);
  });

  test.each([
    ["PT1S", /^the world took more than 10,000 steps, the limit of `steps`$/],
    ["PT0S", /^stopped a loop: 10000 steps led to each other at 2026-[^ ]+ without time passing/],
  ])("never comes to rest if it takes more than 10,000 steps, one each %s", async (wait, says) => {
    const again = (simulator: Simulator) => void simulator.schedule(wait, () => again(simulator));
    const report = await exploreReport({
      ...{ scenario, subject: again, deviations: 0, patience: 60_000, shrinkFor: 0 },
    });
    expect(report.failures.map(({ property }) => property)).toEqual(["the app never comes to rest"]);
    expect(report.failures[0]?.message.split("\n")[0]).toMatch(says);
  });

  test("may wait for a short timer, and start one that does not keep the process alive", async () => {
    const does = async () => {
      setInterval(() => {}, 60_000).unref();
      setTimeout(() => {}, 1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return 204;
    };
    const report = await exploreReport({ scenario, subject: subjectThat(does), ...limits });
    expect(report.failures).toEqual([]);
  });

  test("is not blamed for a timer that somebody else starts between worlds and starts anew in them", async () => {
    let timer: NodeJS.Timeout | undefined;
    let ticks = 0;
    const start = () => {
      timer = setTimeout(() => {
        ticks++;
        start();
      }, 25);
    };
    const does = async () => {
      const before = ticks;
      for (let waits = 0; waits < 500 && timer !== undefined && ticks < before + 2; waits++)
        await new Promise((resolve) => setTimeout(resolve, 5));
      return 204;
    };
    try {
      const report = await exploreAs(
        { scenario, subject: subjectThat(does), clock: "real", ...limits },
        { onWorld: () => timer === undefined && start() },
      );
      expect(report.failures).toEqual([]);
      expect(ticks).toBeGreaterThan(1);
    } finally {
      clearTimeout(timer);
    }
  });

  test("passes many explorations in a row, each ending while its memory is measured", async () => {
    for (let ms = 30; ms < 60; ms += 3) {
      const isBusy = () => {
        const end = process.hrtime.bigint() + BigInt(ms) * 1_000_000n;
        while (process.hrtime.bigint() < end);
      };
      const report = await exploreReport({
        ...{ scenario, subject: () => ({}), eventually: { isBusy }, deviations: 0 },
      });
      expect(report).toMatchObject({ worlds: 1, failures: [] });
    }
  });

  test("is judged by its own worlds while other explorations go on", async () => {
    const given = deaths.filter(([name]) => /^(ends|throws|leaves)/.test(name));
    const fine = () => 204;
    const reports = await Promise.all(
      [...given, ["answers", fine] as const].map(([name, does]) =>
        exploreReport({ scenario, subject: subjectThat(does), ...limits, ...clockOf(name) }),
      ),
    );
    expect(reports.map(({ failures }) => failures.map(({ property }) => property))).toEqual([
      ...given.map(([, , property]) => [property]),
      [],
    ]);
  });

  test.each([
    ["does not return", "for (;;);", /^the app does not return: bad\.mjs:\d ran for 400 ms$/],
    [
      "waits for ever",
      "await new Promise(() => {});",
      /^the app hangs: its module awaits a promise that stays open$/,
    ],
  ])("whose module %s when it is loaded fails alike each time", async (_, code, says) => {
    const folder = folderWith({ "bad.mjs": `export function subject() {}\n${code}\n` });
    for (let time = 0; time < 2; time++) {
      const report = await exploreReport({ scenario, with: `${folder}/bad.mjs`, patience: 100 });
      expect(report.failures.map(({ property, message }) => `${property}: ${message}`)).toEqual([
        expect.stringMatching(says),
      ]);
    }
  });

  test("that loops is stopped once, and the code after it has its full time", async () => {
    const folder = folderWith({
      "bad.mjs": "process.emit('looping');\nexport function subject() {}\nfor (;;);\n",
    });
    let isDone = false;
    // it runs before any timer, and for longer than the watchdog's next look
    const otherWork = () => {
      for (const end = performance.now() + 100; performance.now() < end; );
      isDone = true;
    };
    const whenLooping = () => void setImmediate(otherWork);
    process.once("looping" as never, whenLooping);
    const report = await exploreReport({ scenario, with: `${folder}/bad.mjs`, patience: 100 });
    expect(report.failures.map(({ message }) => message)).toEqual(["bad.mjs:3 ran for 400 ms"]);
    expect(isDone).toBe(true);
  });

  test("leaves the listeners, timers and exit functions of the process unchanged", async () => {
    const before = [process.exit, setTimeout, ...process.listeners("unhandledRejection")];
    await exploreReport({ scenario, subject: subjectThat(() => process.exit(1)), ...limits });
    expect([process.exit, setTimeout, ...process.listeners("unhandledRejection")]).toEqual(before);
  });
});
