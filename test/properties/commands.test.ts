import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { possibleCommands } from "../../src/core/platform/catalogue/possible-commands.ts";
import { createSimulator, type JournalDocument, type Simulator } from "../../src/index.ts";
import { options } from "./arbitraries.ts";
import { type AnyMove, carelessRun, run } from "./moves/index.ts";
import { Answer, Decline, Hangup, MoveEndpoint } from "./moves/on-a-call.ts";
import { fingerprint, Player } from "./play.ts";
import { always } from "./support.ts";

describe("A command", () => {
  it("that is refused changes no event, record, timer, notification or journal entry", () => {
    always(80, fc.tuple(options, carelessRun), ([given, moves]) => {
      const { sim, play } = Player.on(createSimulator(given));
      let before = fingerprint(sim);
      for (const move of moves) {
        const refused = play(move);
        const after = fingerprint(sim);
        if (refused !== undefined) expect(after, refused.message).toBe(before);
        before = after;
      }
    });
  });

  it("that is refused has no later effect", () => {
    always(100, fc.tuple(options, carelessRun), ([given, moves]) => {
      const one = Player.on(createSimulator(given));
      const accepted = moves.filter((move) => one.play(move) === undefined);
      const other = Player.on(createSimulator(given));
      for (const move of accepted) other.play(move);
      expect(fingerprint(other.sim)).toBe(fingerprint(one.sim));
    });
  });

  it("that is accepted has taken effect when it returns", () => {
    always(100, fc.tuple(options, carelessRun), ([given, moves]) => {
      const { sim, play } = Player.on(createSimulator(given));
      for (const move of moves) {
        const { length } = sim.journal().entries;
        play(move);
        const entry = sim.journal().entries[length];
        if (entry !== undefined) expect(isCarriedOut(sim, entry), JSON.stringify(entry)).toBe(true);
      }
    });
  });

  it("that is possible is accepted", () => {
    always(30, fc.tuple(options, run), ([given, moves]) => {
      const { sim, play } = Player.on(createSimulator(given));
      for (const move of moves) play(move);
      for (const { name, args } of possibleCommands(sim.services))
        expect(
          () => sim.fork().command(name, args as never),
          `${name} ${JSON.stringify(args)}`,
        ).not.toThrow();
    });
  });

  it("that the state allows is never refused", () => {
    always(160, fc.tuple(options, run), ([given, moves]) => {
      const { play } = Player.on(createSimulator(given));
      for (const move of moves) {
        const refused = play(move);
        if (refused !== undefined && fits(move))
          expect("code" in refused ? refused.code : "", refused.message).toMatch(excused);
      }
    });
  });
});

type Arguments = Record<"call" | "endpoint" | "by" | "from" | "to" | "user" | "team" | "status", string> & {
  registered: boolean;
  text: string;
  contact: { name: string };
  contactNumber: string;
  passthroughParameters: Readonly<Record<string, string>>;
  extension: string;
  priority: number;
};

/** Whether the state is as a command of the journal says, right after it. */
function isCarriedOut(sim: Simulator, { command, args }: JournalDocument["entries"][number]): boolean {
  const given = args as Arguments;
  const call = () => sim.calls.get(given.call);
  const user = () => sim.users.get(given.user).record;
  const member = () => sim.teams.get(given.team).record.teamMembers.find(({ id }) => id === given.user);
  const latest = () => sim.calls.list().at(-1)?.record;
  switch (command) {
    case "inbound":
      return latest()?.companyNumber === given.to && latest()?.direction === "inbound";
    case "dialLink":
      if ((given.passthroughParameters["x-link"] ?? "").length === 1_000) return true; // the dial pad opens instead
      return latest()?.contactNumber === given.contactNumber;
    case "outbound":
      return latest()?.contactNumber === given.to && latest()?.direction === "outbound";
    case "internal":
      return latest()?.contactNumber === given.to && latest()?.isInternal === true;
    case "redirect":
    case "connectApplication":
      return latest()?.contactNumber === given.from && latest()?.companyNumber === given.to;
    case "answer":
      return call().record.connections.some((each) => each.endpoint === (given.endpoint ?? each.endpoint));
    case "decline":
      return call().record.parties.some(({ dials }) =>
        dials.some(
          ({ outcome, endedTimestamp }) =>
            (outcome === "declined" || outcome === "failed") && endedTimestamp === sim.timestamp,
        ),
      );
    case "hangup":
      return (
        call().record.outcome !== null ||
        call().record.connections.some(({ leftTimestamp }) => leftTimestamp === sim.timestamp)
      );
    case "transfer":
    case "add":
      return call().record.outcome !== null || call().record.status === "accepted";
    case "move":
      return call().record.connections.at(-1)?.endpoint === given.to;
    case "leaveVoicemail":
      return call().record.outcome === null;
    case "note":
      return call().record.notes.at(-1)?.text === given.text;
    case "assignContact":
      return call().record.summary.contactNumberDescription.startsWith(given.contact.name);
    case "setUserStatus":
      return user().status === given.status;
    case "wrapUp":
      return user().availability.callId !== null || user().availability.notAvailableReason === "wrapUp";
    case "setTeamMember":
      return member()?.priority === given.priority;
    case "removeTeamMember":
      return member() === undefined;
    case "setAvailability":
      return (
        user().availability.callId !== null ||
        user().loginStatus === "loggedOut" ||
        user().status !== "active" ||
        user().availability.status === given.status
      );
    case "setEndpoint":
      return user().endpoints.find(({ id }) => id === given.endpoint)?.registered === given.registered;
    default:
      // of a new command, the other properties must do
      return true;
  }
}

/** Where nothing fits, a call comes in instead: there may be no number to call. */
const excused = /^unknown_number$/;

function fits(move: AnyMove): boolean {
  return (
    [Answer, Decline, Hangup, MoveEndpoint].some((kind) => move instanceof kind) &&
    "aim" in move.given &&
    move.given.aim === "possible"
  );
}
