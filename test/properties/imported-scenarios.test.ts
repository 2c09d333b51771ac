import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import {
  CommandError,
  createSimulator,
  type MessageRecord,
  parseScenario,
  runScenario,
  type Scenario,
  type Simulator,
} from "../../src/index.ts";
import { alwaysAsync } from "./support.ts";

/** Whatever `importCapture` writes plays, and where it says "possible", it sends these requests and no others. */

const url = "https://crm.test/hooks";

/** What an app gets of a run, as lines of a capture. */
function capturedOf(play: (sim: Simulator) => void, scenario?: Scenario): string[] {
  const sim = createSimulator({ ids: "nanoid", ...scenario?.options });
  const lines: string[] = [];
  sim.network.route(url, ({ headers, body }) => {
    lines.push(JSON.stringify({ receivedAt: sim.timestamp, headers, body, status: 204 }));
    return 204;
  });
  play(sim);
  return lines;
}

/** The requests that arrive in a run of a scenario. */
const arrivedIn = (scenario: Scenario) =>
  runScenario(scenario).simulator.network.requests.filter(({ arrivedAt }) => arrivedAt !== null);
const arrivalsIn = (scenario: Scenario) => arrivedIn(scenario).length;

const answered = (sim: Simulator) => {
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("PT5S");
  call.answer("alice");
  sim.advance("PT60S");
  call.hangup("caller");
  sim.runUntilIdle();
};

describe("An imported scenario sends as many requests as came", () => {
  test("of two webhooks on one URL, whose requests come at one instant", async () => {
    const lines = capturedOf((sim) => {
      for (const _ of [1, 2]) sim.webhooks.create({ url, events: ["call.ended"] });
      answered(sim);
    });
    const { verdict, scenario } = await importCapture(lines.join("\n"));
    expect([verdict, lines.length, arrivalsIn(scenario)]).toEqual(["possible", 2, 2]);
  });

  test("of which a line occurs twice", async () => {
    const lines = capturedOf((sim) => {
      sim.webhooks.create({ url, events: ["call.ended"] });
      answered(sim);
    });
    const { verdict, scenario } = await importCapture([...lines, ...lines].join("\n"));
    expect([verdict, arrivalsIn(scenario)]).toEqual(["possible", 1]);
  });

  test("of which two of one instant came twice", async () => {
    const lines = capturedOf((sim) => {
      sim.webhooks.create({ url, events: ["call.hungup"] });
      answered(sim);
    });
    const again = lines.map((line) => ({
      ...JSON.parse(line),
      receivedAt: JSON.parse(line).receivedAt + 1_000,
    }));
    const { verdict, scenario } = await importCapture(
      [...lines, ...again.map((each) => JSON.stringify(each))].join("\n"),
    );
    expect([verdict, arrivalsIn(scenario)]).toEqual(["possible", 4]);
  });
});

const types = [
  ...["call.started", "call.answered", "call.not_answered", "call.hungup", "call.ended"],
  "conversation.message.created",
] as const;

/** What people do, one after the other: to a call, or to a conversation, of which several messages may come at one instant. */
const acts = fc.array(
  fc.record({
    afterMs: fc.constantFrom(0, 0, 400, 5_000, 61_000),
    does: fc.constantFrom("answer", "hang up", "give up", "transfer", "write", "write", "reply"),
  }),
  { minLength: 1, maxLength: 6 },
);

function act(sim: Simulator, given: readonly { readonly afterMs: number; readonly does: string }[]): void {
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  const ways: Readonly<Record<string, () => unknown>> = {
    answer: () => call.answer("alice"),
    "hang up": () => call.hangup("alice"),
    "give up": () => call.hangup("caller"),
    transfer: () => call.transfer("102", { by: "alice", warm: false }),
    write: () => sim.conversations.receive({ from: "+6421555001", to: "+6495550200", text: "Hello" }),
    reply: () => sim.conversations.send({ from: "+6495550200", to: "+6421555001", body: "Good morning" }),
  };
  for (const { afterMs, does } of given) {
    sim.advance(afterMs);
    try {
      ways[does]?.();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error; // a state in which nobody can do this
    }
  }
  sim.runUntilIdle();
}

/** What the network does to attempts; several may be at one instant. */
const mishaps = fc.uniqueArray(
  fc.record({
    of: fc.constantFrom(
      ...["PT0S call.started", "PT5S call.answered", "PT5S call.hungup", "PT30S call.not_answered"],
      ...["PT0S conversation.message.created", "PT5S conversation.message.created"],
    ),
    nth: fc.constantFrom(1, 1, 2),
    is: fc.constantFrom("lost", "unanswered", "duplicated", "duplicated, after: PT1S"),
  }),
  { maxLength: 3, selector: ({ of, nth }) => `${of} ${nth}` },
);

/** What a body says that no import may change, however ids are written. */
function saidIn(body: string): string {
  const { type, createdAt, data } = JSON.parse(body);
  const { call, conversation } = data;
  const parts =
    call === undefined
      ? conversation.messages.map((each: MessageRecord) => [each.direction, each.content, each.createdAt])
      : [
          ...[call.status, call.outcome, call.answeredAt, call.endedAt, call.duration, call.parties.length],
          call.connections.map(({ leftAt }: { readonly leftAt: string | null }) => leftAt),
        ];
  return JSON.stringify([type, createdAt, parts]);
}

test("Whatever is imported plays, and sends what came, with the same bodies, where it is possible", async () => {
  await alwaysAsync(
    200,
    fc.record({ acts, mishaps, events: fc.subarray([...types], { minLength: 1 }), isTwice: fc.boolean() }),
    async ({ acts: done, mishaps: planned, events, isTwice }) => {
      const lines = capturedOf((sim) => {
        for (const _ of isTwice ? [1, 2] : [1]) sim.webhooks.create({ url, events });
        for (const { of, nth, is } of planned) {
          const [offset = "", type = ""] = of.split(" ");
          const [kind = "", after] = is.split(", after: ");
          const more = after === undefined ? {} : { after };
          sim.command("deviate", { what: "attempt", at: offset, of: type, nth, is: kind as "lost", ...more });
        }
        act(sim, done);
      });
      fc.pre(lines.length > 0);
      const { verdict, yaml } = await importCapture(lines.join("\n"), { redact: false });
      expect(verdict).not.toBe("impossible");
      const played = arrivedIn(parseScenario(yaml));
      if (verdict !== "possible") return;
      // a line that occurs twice may be one request
      const came = [...new Set(lines)].map((line) => saidIn(JSON.parse(line).body));
      expect(played.map(({ body }) => saidIn(body ?? "")).sort()).toEqual(came.sort());
    },
  );
});
