import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { whyNeverCame } from "../../../src/core/why/never-came.ts";
import { createSimulator, parseScenario, runScenario, type Simulator } from "../../../src/index.ts";
import { sixthOf } from "../../counts.ts";

const counted = { ids: "counter" } as const;

test("an answer never came to somebody who was busy: until when", () => {
  const sim = createSimulator(counted);
  const first = sim.calls.inbound({ from: "+6421555001", to: "+6495550102" });
  first.answer("bob");
  sim.advance("PT5S");
  sim.calls.inbound({ from: "+6421555002", to: "+6495550102" });
  expect(whyNeverCame(sim, "call.not_answered")).toMatch(
    /^call.not_answered never came: of call-1, Bob Tane answered at 0:00/,
  );
  sim.advance("PT40S");
  first.hangup("caller");
  sim.advance("PT1M");
  const own = createSimulator(counted);
  own.users.get("bob").setAvailability("busy", { reason: "Lunch" });
  own.calls.inbound({ from: "+6421555001", to: "+6495550102" });
  own.advance("PT45S");
  own.users.get("bob").setAvailability("available");
  expect(whyNeverCame(own, "call.answered")).toBe(
    "call.answered never came: Bob Tane was on do not disturb (Lunch) until 0:45",
  );
  expect(whyNeverCame(own, "call.ended")).toBe(
    "call.ended never came: nobody answered (Bob Tane was on do not disturb (Lunch) until 0:45), and only answered calls end with it",
  );
});

test("an answer never came from those who rang, or who still ring", () => {
  const sim = createSimulator(counted);
  expect(whyNeverCame(sim, "call.answered")).toBe("call.answered never came: no call began");
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550102" });
  sim.advance("PT5S");
  expect(whyNeverCame(sim, "call.answered")).toBe("call.answered never came: Bob Tane still rings");
  expect(whyNeverCame(sim, "call.not_answered")).toBe("call.not_answered never came: Bob Tane still rings");
  call.decline("bob");
  expect(whyNeverCame(sim, "call.answered")).toBe(
    "call.answered never came: Bob Tane rang from 0:00 to 0:05, and declined",
  );
  sim.calls.inbound({ from: "+6421555002", to: "+6495550100" });
  expect(whyNeverCame(sim, "call.answered")).toBe(
    "call.answered never came: of call-1, Bob Tane rang from 0:00 to 0:05, and declined; of call-2, Alice Ng still rings",
  );
});

test("an end never came while people talk", () => {
  const sim = createSimulator(counted);
  sim.calls.inbound({ from: "+6421555001", to: "+6495550102" }).answer("bob");
  expect(whyNeverCame(sim, "call.ended")).toBe(
    "call.ended never came: Jane Smith and Bob Tane are still on the call",
  );
});

test("nothing is said of types about which nothing is known", () => {
  const sim = createSimulator();
  expect(whyNeverCame(sim, "user.availability.updated")).toBeUndefined();
  sim.calls.inbound({ from: "+6421555001", to: "+6495550102" });
  expect(whyNeverCame(sim, "call.hungup")).toBeUndefined();
});

const folder = new URL("../../../scenarios/", import.meta.url);
const lessons = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const organisations = Object.fromEntries(
  readdirSync(new URL("organisations", folder)).map((name) => [
    name.replace(/\.yaml$/, ""),
    readFileSync(new URL(`organisations/${name}`, folder), "utf8"),
  ]),
);

/** Whoever "was busy until 0:45" was so a moment before, and no more then. */
function checkUntil(sim: Simulator, text: string): number {
  const found = [...text.matchAll(/([A-Z][^,;:]*?) was ([^,;:]*?) until (\d+:\d\d)(?=[,;)]|$)/g)];
  for (const [, name = "", what = "", until = ""] of found) {
    const [minutes = 0, seconds = 0] = until.split(":").map(Number);
    const atMs = sim.startTimestamp + (minutes * 60 + seconds) * 1000;
    const who = sim.users.list().find(({ record }) => name.endsWith(record.displayName))?.id ?? "";
    expect(sim.why({ who, at: atMs - 1 }).text, text).toContain(`was ${what}`);
    // what it says is cut to seconds, and the run may end within that one
    expect(sim.why({ who, at: Math.min(atMs + 999, sim.timestamp) }).text, text).not.toContain(
      `was ${what},`,
    );
  }
  return found.length;
}

test("what it says of a lesson's run is so in the run", () => {
  for (const name of sixthOf(lessons, 4)) {
    const text = readFileSync(new URL(name, folder), "utf8");
    const { simulator } = runScenario(parseScenario(text, { organisations }));
    for (const type of ["call.answered", "call.not_answered", "call.ended"] as const) {
      const why = whyNeverCame(simulator, type);
      if (why === undefined || simulator.events.ofType(type).length > 0) continue;
      checkUntil(simulator, why);
      const still = why.match(/([A-Z][^,;:]*?) still ring/g) ?? [];
      expect(still.length > 0 && simulator.calls.live().length === 0, `${name}: ${why}`).toBe(false);
    }
  }
});
