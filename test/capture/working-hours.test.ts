import { expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { createSimulator } from "../../src/index.ts";
import { jsonl, received, receiver } from "./support.ts";

test("Whoever rings before a team's event shows them out of hours is in hours at first", async () => {
  const sim = createSimulator({
    organisation: {
      id: "o",
      timezone: "UTC",
      numbers: [{ number: "+6495550101", owner: "alice" }],
      users: [
        {
          ...{
            id: "alice",
            displayName: "Alice",
            email: "alice@o.test",
            extension: "100",
            endpoints: ["mobile"],
          },
          workingHours: { wednesday: [{ from: "09:00", to: "16:10" }] },
        },
      ],
      teams: [{ id: "support", displayName: "Support", extension: "201", members: [{ user: "alice" }] }],
      webhooks: [
        {
          url: receiver,
          events: [
            "call.started",
            "call.not_answered",
            "call.hungup",
            "call.ended",
            "team.availability.updated",
          ],
        },
      ],
    },
    start: "2026-07-01T16:00:00Z",
  });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550101" });
  sim.advance("PT20M");
  const result = await importCapture(jsonl(received(sim)), { redact: false });
  expect(result).toMatchObject({ requests: 5, explained: 5, invented: [] });
  expect(result.yaml).not.toContain("workingHours");
  // only that she leaves is left to say
  expect(result.differences.map(({ path }) => path)).toEqual([
    "team.availability.status",
    "team.availability.totalAvailable",
    "team.teamMembers[].availability.status",
    "team.teamMembers[].availability.notAvailableRule",
  ]);
});
