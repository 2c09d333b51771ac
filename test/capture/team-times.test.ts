import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { createSimulator, type OrganisationInput, type Simulator } from "../../src/index.ts";
import { jsonl } from "./support.ts";

/** How long a team has a call is learnt from whatever brought the call to it. */

const organisation = (timeout: string): OrganisationInput => ({
  id: "o",
  numbers: [
    { number: "+6495550101", owner: "alice" },
    { number: "+6495550103", owner: "support" },
  ],
  users: ["alice", "dee"].map((id, index) => ({
    ...{
      id,
      email: `${id}@o.test`,
      displayName: id,
      extension: `10${index}`,
      endpoints: ["mobile" as const],
    },
  })),
  teams: [{ id: "support", displayName: "Support", extension: "201", members: [{ user: "dee" }], timeout }],
});

const plays: Readonly<Record<string, (sim: Simulator) => void>> = {
  "an inbound call": (sim) => void sim.calls.inbound({ from: "+6421555001", to: "+6495550103" }),
  "an internal call": (sim) => void sim.calls.internal({ from: "alice", to: "201" }),
  "a blind transfer": (sim) => {
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550101" });
    sim.advance("PT4S");
    call.answer("alice");
    sim.advance("PT9S");
    call.transfer("201", { by: "alice", warm: false });
  },
};

async function imported(organisation: OrganisationInput, play: (sim: Simulator) => void) {
  const sim = createSimulator({ organisation, start: "2026-07-01T09:00:00Z" });
  play(sim);
  sim.advance("PT10M");
  const lines = sim.events.map((event) => ({
    receivedAt: event.createdTimestamp,
    headers: {},
    body: JSON.stringify(event),
  }));
  return importCapture(jsonl(lines), { redact: false });
}

describe("The time of a team", () => {
  const cases = ["PT60S", "PT30S"].flatMap((timeout) =>
    Object.keys(plays).map((name) => [timeout, name] as const),
  );
  test.each(cases)("of %s is learnt from %s", async (timeout, name) => {
    const result = await imported(organisation(timeout), plays[name] as (sim: Simulator) => void);
    expect(result).toMatchObject({ verdict: "possible", differences: [], invented: [] });
    expect(result.explained).toBe(result.requests);
    expect(result.yaml.includes("timeout: PT30S")).toBe(timeout === "PT30S");
  });
});
