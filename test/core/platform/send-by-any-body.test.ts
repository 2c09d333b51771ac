import { describe, expect, test } from "vitest";
import {
  type CommandError,
  createSimulator,
  parseScenario,
  replay,
  runScenario,
  type Simulator,
} from "../../../src/index.ts";

const jane = "+6421555001";
const alice = "+6495550100";
const sales = "+6495550200";

const bodies = {
  message: { from: alice, to: jane, body: "Your parcel is here." },
  toOne: { companyAddress: sales, contactAddress: jane, messageContent: { text: "It is open." } },
  toGroup: {
    companyAddress: sales,
    contactAddresses: [jane, "+6421555002"],
    channel: "sms",
    messageContent: { text: "It is open." },
    routingAction: "assign_team",
  },
  quiet: {
    companyAddress: sales,
    contactAddresses: [jane],
    channel: "sms",
    messageContent: { text: "It is open." },
    routingAction: "do_not_route",
    notifyUsers: false,
  },
} as const;

/** Everything that a run shows of itself. */
const shown = (sim: Simulator) => [
  sim.events.toJSONL(),
  sim.events.toTimeline(),
  JSON.stringify(sim.notifications),
  JSON.stringify(sim.journal()),
];

function run(send: (sim: Simulator) => unknown): string[] {
  const sim = createSimulator({ seed: 7, ids: "counter" });
  send(sim);
  sim.advance("PT1M");
  return shown(sim);
}

describe("conversations.send", () => {
  test("takes the body of POST /messages as `sendMessage` does, byte for byte", () => {
    const old = run((sim) => sim.conversations.sendMessage(bodies.message));
    expect(run((sim) => sim.conversations.send(bodies.message))).toEqual(old);
    expect(old[0]).toContain("Your parcel is here.");
  });

  test.each(["toOne", "toGroup", "quiet"] as const)(
    "takes the body of POST /teamMessages as `sendTeamMessage` does, byte for byte: %s",
    (name) => {
      const old = run((sim) => sim.conversations.sendTeamMessage(bodies[name]));
      expect(run((sim) => sim.conversations.send(bodies[name]))).toEqual(old);
      expect(old[0]).toContain("It is open.");
    },
  );

  test.each([
    [
      { ...bodies.message, contactAddresses: [jane] },
      'contactAddresses: a key of the body of `POST /conversationMessages`, and "from" is one of the body of `POST /messages`: give one of the two',
    ],
    [
      { ...bodies.toOne, notificationMode: "silent_read" },
      'notificationMode: a key of the body of `POST /conversationMessages`, and "contactAddress" is one of the body of `POST /teamMessages`: give one of the two',
    ],
    [
      { ...bodies.toOne, body: "Hello" },
      'companyAddress: a key of the body of `POST /conversationMessages`, and "body" is one of the body of `POST /messages`: give one of the two',
    ],
  ])("refuses a mixture by a key of each body, and sends nothing: %#", (mixture, message) => {
    const sim = createSimulator();
    expect(() => sim.conversations.send(mixture as typeof bodies.message)).toThrow(message);
    expect(sim.events).toHaveLength(0);
    expect(sim.journal().entries).toEqual([]);
    let details: CommandError["details"] = [];
    try {
      sim.conversations.send(mixture as typeof bodies.message);
    } catch (error) {
      ({ details } = error as CommandError);
    }
    expect(details).toMatchObject([{ path: message.split(":", 1)[0] }]);
  });

  test("names what is wrong in one body as that body's endpoint does", () => {
    const sim = createSimulator();
    expect(() => sim.conversations.send({ ...bodies.message, to: "home" })).toThrow("sendMessage: to:");
    // @ts-expect-error: no text
    expect(() => sim.conversations.send({ from: alice, to: jane })).toThrow("body: missing");
  });
});

describe("A step `send`", () => {
  const scenario = (message: string, team: string) => `scenario: Messages
ids: counter
steps:
  - { at: PT0S, ${message}: { as: m1, from: "${alice}", to: "${jane}", body: Hello } }
  - { at: PT1M, ${team}: { as: m2, companyAddress: "${sales}", contactAddress: "${jane}", messageContent: { text: Hello } } }
  - { at: PT2M, closeConversation: { conversation: m1 } }
  - { at: PT3M, closeConversation: { conversation: m2 } }
`;
  const runOf = (text: string) => runScenario(parseScenario(text)).simulator;

  test("plays byte for byte as the old names do, and so does the journal of either", () => {
    const [old, now] = [scenario("sendMessage", "sendTeamMessage"), scenario("send", "send")].map(runOf);
    if (old === undefined || now === undefined) throw new Error("two scenarios have two runs");
    expect(shown(now)).toEqual(shown(old));
    expect(JSON.stringify(old.journal())).toContain('"sendTeamMessage"');
    expect(shown(replay(old.journal()))).toEqual(shown(old));
  });

  test("refuses a mixture with its line, and nothing else about the step", () => {
    expect(() =>
      parseScenario(
        `scenario: A\nsteps:\n  - { at: PT0S, send: { from: "${alice}", to: "${jane}", contactAddress: "${jane}" } }\n`,
      ),
    ).toThrow(
      /^line 3, column \d+: steps\[0\]\.send\.contactAddress: a key of the body of `POST \/teamMessages`, and "from" is one of the body of `POST \/messages`: give one of the two$/,
    );
  });
});
