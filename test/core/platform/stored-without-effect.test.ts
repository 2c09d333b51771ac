import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSimulator, demoOrganisation, type Simulator } from "../../../src/index.ts";
import { expectListed } from "../../lists.ts";

/** What is stored and given back, and otherwise does nothing: two values of each, and where it shows. */
interface Stored {
  /** Plays a run with one of the two values. */
  play(value: string): Simulator;
  /** Where the value is given back. */
  shownIn(sim: Simulator): unknown;
}

const numbers = { companyAddress: "+6495550100", contactAddresses: ["+6421555001"] };

function conversation(sim: Simulator, fields: { readonly claimRule?: string }): Simulator {
  const message = { ...numbers, messageContent: { text: "Hello" }, routingAction: "assign_owner" } as const;
  sim.conversations.send({ ...message, ...fields });
  sim.runUntilIdle();
  return sim;
}

function analysed(analyzer: string, transcriptionModel: string): Simulator {
  const sim = withUser({}, { recording: true });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  call.answer("alice");
  sim.advance("PT1M");
  call.hangup("caller");
  sim.runUntilIdle();
  const recordings = call.record.recordings.map(({ id }) => ({ id, transcriptionModel }));
  sim.analysis.create({ analyzer, content: { recordings } });
  sim.runUntilIdle();
  return sim;
}

function withUser(fields: object, features = {}): Simulator {
  const users = demoOrganisation.users?.map((user) => (user.id === "alice" ? { ...user, ...fields } : user));
  return createSimulator({ ids: "counter", organisation: { ...demoOrganisation, users, features } });
}

function called(sim: Simulator): Simulator {
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.runUntilIdle();
  return sim;
}

const stored: Readonly<Record<string, Stored>> = {
  "`claimRule` of a conversation": {
    play: (claimRule) => conversation(createSimulator({ ids: "counter" }), { claimRule }),
    shownIn: (sim) => sim.conversations.list()[0]?.claimRule,
  },
  "`analyzer` of an analysis": {
    play: (analyzer) => analysed(analyzer, "model"),
    shownIn: (sim) => sim.analysis.list()[0]?.analyzer,
  },
  "`transcriptionModel` of an analysis": {
    play: (model) => analysed("summary", model),
    shownIn: (sim) => JSON.stringify(sim.analysis.list()[0]).match(/"transcriptionModel":"(\w+)"/)?.[1],
  },
  "`licenses` of a user": {
    play: (license) => called(withUser({ licenses: [license] })),
    shownIn: (sim) => sim.users.get("alice").record.licenses[0],
  },
};

describe("what is stored without effect", () => {
  test("is listed in docs/fidelity/rest.md", () => {
    const page = readFileSync(new URL("../../../docs/fidelity/rest.md", import.meta.url), "utf8");
    const [, section = ""] = /^## Stored without effect\n([\s\S]*?)^## /m.exec(page) ?? [];
    const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, what = ""]) => what);
    expectListed("docs/fidelity/rest.md#stored-without-effect", rows, Object.keys(stored));
  });

  test.each(Object.entries(stored))(
    "%s is returned, and changes nothing else",
    (_what, { play, shownIn }) => {
      const [one, other] = ["one", "other"].map(play) as [Simulator, Simulator];
      expect([one, other].map(shownIn)).toEqual(["one", "other"]);
      expect(one.events.length).toBeGreaterThan(0);
      const plain = (sim: Simulator) => sim.events.toJSONL().replaceAll('"other"', '"one"');
      expect(plain(other)).toBe(plain(one));
      expect(other.pending()).toEqual(one.pending());
      expect(other.notifications).toEqual(one.notifications);
    },
  );
});
