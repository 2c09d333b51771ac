import { createSimulator, type OrganisationInput, type Simulator } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

/** Runs in which calls end, or begin to ring, for rare reasons. No lesson and no random run shows these. */

/** The office, with Alice alone in the team `help`, and Fay working from nine to five. */
const organisation: OrganisationInput = {
  ...office,
  numbers: [
    ...office.numbers,
    { number: "+6495550203", owner: "help" },
    { number: "+6495550204", owner: "day" },
  ],
  users: [
    ...office.users,
    {
      id: "fay",
      email: "fay@acme.test",
      displayName: "Fay Reid",
      extension: "106",
      timezone: "UTC",
      endpoints: ["mobile"],
      voicemail: false,
      workingHours: {
        wednesday: [{ from: "09:00", to: "17:00" }],
        thursday: [{ from: "09:00", to: "17:00" }],
      },
    },
  ],
  teams: [
    ...office.teams,
    { id: "help", displayName: "Help", extension: "203", timeout: "PT2H", members: [{ user: "alice" }] },
    {
      id: "day",
      displayName: "Day",
      extension: "204",
      timeout: "PT48H",
      members: [{ user: "fay" }, { user: "alice", priority: 2 }],
    },
  ],
};
const carrier = { from: caller, to: dial.alice, vendorCallId: "CA1" };
const flow = { returnTo: "flow", returnToId: "F1" } as const;

/** Commands that take a call over which Alice has answered: the call that she is on ends. */
export const takeovers: readonly (readonly [command: string, begin: (sim: Simulator) => unknown])[] = [
  ["inbound", (sim) => sim.calls.inbound({ ...carrier, to: dial.bob })],
  ["redirect", (sim) => sim.calls.redirect({ extension: "102" }, carrier)],
  [
    "connectApplication",
    (sim) => sim.calls.connectApplication({ extension: "102", accountId: "AC1" }, carrier),
  ],
  [
    "takeBackCall",
    (sim) =>
      sim.command("takeBackCall", {
        call: sim.calls.returns[0]?.callId ?? "",
        redirect: { extension: "102" },
      }),
  ],
];

/** A call of the carrier has returned to the flow F1, and is answered by Alice when the carrier sends it again. */
export function answerReturned(sim: Simulator): void {
  sim.calls.redirect({ extension: "105", ...flow }, carrier);
  sim.runUntilIdle();
  sim.calls.inbound(carrier).answer("alice");
}

/** What makes Carol, the only member of `support`, stop ringing. */
const unreachable: readonly ((sim: Simulator) => unknown)[] = [
  (sim) => sim.command("setAvailability", { user: "carol", status: "busy" }),
  (sim) => sim.command("setEndpoint", { user: "carol", endpoint: "mobile", registered: false }),
  (sim) => sim.command("wrapUp", { user: "carol", for: "PT30S" }),
  (sim) => sim.command("setUserStatus", { user: "carol", status: "suspended" }),
  (sim) => sim.command("removeTeamMember", { team: "support", user: "carol" }),
  (sim) => sim.runUntilIdle(),
];

const waitForHelp = (sim: Simulator) => sim.calls.inbound({ from: "+6421555009", to: "+6495550203" });

/** Plays each run. @param begins gets its simulator first */
export function playRareRuns(begins: (sim: Simulator) => void): void {
  const start = (more = {}) => {
    const sim = createSimulator({ organisation, ids: "counter", ...more });
    begins(sim);
    return sim;
  };
  for (const [, begin] of takeovers) {
    const sim = start();
    answerReturned(sim);
    waitForHelp(sim);
    begin(sim);
    sim.runUntilIdle();
  }
  for (const act of unreachable)
    for (const extension of ["103", "201"]) {
      const sim = start();
      sim.calls.internal({ from: "alice", to: extension });
      waitForHelp(sim);
      act(sim);
    }
  for (const extension of ["102", "203", "105"]) {
    const byCommand = start();
    byCommand.calls.redirect({ extension: "105", ...flow }, carrier);
    byCommand.runUntilIdle();
    byCommand.command("takeBackCall", { call: "call-1", redirect: { extension } });
    byCommand.runUntilIdle();
    const byItself = start();
    byItself.command("takeBack", { id: "F1", redirect: { extension } });
    byItself.calls.redirect({ extension: "105", ...flow }, carrier);
    byItself.calls.inbound(carrier).answer("alice");
    waitForHelp(byItself);
    byItself.runUntilIdle();
  }
  playRemoval(start());
  playVoicemail(start());
  playWorkingHours(start);
}

/** Carol declines, and Dan, the only other member, is removed while he rings. */
function playRemoval(sim: Simulator): void {
  sim.command("removeTeamMember", { team: "sales", user: "erin" });
  sim.calls.internal({ from: "alice", to: "200" }).decline("carol");
  sim.command("removeTeamMember", { team: "sales", user: "dan" });
}

/** Alice speaks to Bob's voicemail until nobody may speak longer; a call waits for her. */
function playVoicemail(sim: Simulator): void {
  const call = sim.calls.internal({ from: "alice", to: "102" });
  waitForHelp(sim);
  sim.runUntil("call.not_answered");
  sim.advance("PT1S");
  call.leaveVoicemail({ duration: "PT1H" });
  sim.advance("PT2H");
}

/** Fay is rung once she works, and no more when she stops: then Alice is, or an internal call ends. */
function playWorkingHours(start: (more: object) => Simulator): void {
  for (const time of ["08:59:55", "16:59:55"]) {
    const sim = start({ start: `2026-07-01T${time}Z` });
    if (time < "12") sim.command("setAvailability", { user: "alice", status: "busy" });
    sim.calls.inbound({ from: caller, to: "+6495550204" });
    sim.advance("PT30S");
  }
  const sim = start({ start: "2026-07-01T16:59:55Z" });
  sim.calls.internal({ from: "alice", to: "106" });
  sim.advance("PT30S");
}
