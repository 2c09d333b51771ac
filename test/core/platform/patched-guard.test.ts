import { afterEach, expect, test, vi } from "vitest";
import { conversationMachine } from "../../../machines/index.ts";
import { MachineHost } from "../../../src/core/engine/machine-host.ts";
import { createSimulator } from "../../../src/index.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** How many take part in a conversation with a team of twelve users. */
function participants(): number | undefined {
  const users = Array.from({ length: 12 }, (_, index) => ({
    id: `user-${index}`,
    email: `user-${index}@shop.test`,
    displayName: `User ${index}`,
    extension: `${200 + index}`,
  }));
  const members = users.map(({ id }) => ({ user: id }));
  const sim = createSimulator({
    organisation: {
      id: "shop",
      users,
      teams: [{ id: "team", displayName: "Team", extension: "300", members }],
      numbers: [{ number: "+6495550100", owner: "team", sms: true }],
    },
  });
  sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Hello" });
  return sim.conversations.list()[0]?.participants.length;
}

test("The machine of a conversation alone refuses the eleventh participant: with another guard, the simulator takes them", () => {
  expect(participants()).toBe(10);
  const { start } = MachineHost.prototype;
  const patched = conversationMachine.provide({ guards: { mayJoin: () => true } });
  vi.spyOn(MachineHost.prototype, "start").mockImplementation(function (this: MachineHost, ...args) {
    if (args[0] === "conversation") Object.assign(this, { machines: { conversation: patched } });
    start.apply(this, args);
  });
  expect(participants()).toBe(13);
});
