import { expect, test } from "vitest";
import { exploreReport, wallboard } from "../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../src/index.ts";

test("A lost request that a newer event of its type overtakes says so", async () => {
  const { failures } = await exploreReport({
    scenario: parseScenario(`
scenario: Alice is busy, and available again
steps:
  - { at: PT0S, createWebhook: { url: "https://board.test/", events: [user.availability.updated, call.started] } }
  - { at: PT0S, setAvailability: { user: alice, status: busy } }
  - { at: PT5S, inbound: { from: "+6421555001", to: "+6495550103" } }
  - { at: PT10S, setAvailability: { user: alice, status: available } }
`),
    deviations: { kinds: ["lost"] },
    subject: (sim: Simulator) => {
      const board: Record<string, string> = {};
      sim.network.route("https://board.test/", ({ body }) => {
        const { user } = JSON.parse(body).data;
        if (user !== undefined) board[user.id] = user.availability.status;
        return 204;
      });
      return board;
    },
    ...wallboard({ people: (board: Record<string, string>) => board }),
  });
  expect(failures.map(({ story }) => story)).toEqual([
    expect.stringMatching(
      /^When user\.availability\.updated is lost, and it arrives [\d.]+ seconds later, after a newer user\.availability\.updated, /,
    ),
  ]);
});
