import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator, type JournalDocument, type Simulator } from "../../src/index.ts";
import { carelessRun, type Move, options, run } from "./arbitraries.ts";
import { fingerprint, Player } from "./play.ts";
import { always } from "./support.ts";

describe("A command", () => {
  it("that is refused changes nothing: no event, record, timer, notification or line of the journal", () => {
    always(250, fc.tuple(options, carelessRun), ([given, moves]) => {
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

  it("that is refused leaves no trace in anything that follows", () => {
    always(300, fc.tuple(options, carelessRun), ([given, moves]) => {
      const one = Player.on(createSimulator(given));
      const accepted = moves.filter((move) => one.play(move) === undefined);
      const other = Player.on(createSimulator(given));
      for (const move of accepted) other.play(move);
      expect(fingerprint(other.sim)).toBe(fingerprint(one.sim));
    });
  });

  it("that is accepted has been carried out when it returns", () => {
    always(300, fc.tuple(options, carelessRun), ([given, moves]) => {
      const { sim, play } = Player.on(createSimulator(given));
      for (const move of moves) {
        const { length } = sim.journal().entries;
        play(move);
        const entry = sim.journal().entries[length];
        if (entry !== undefined) expect(isCarriedOut(sim, entry), JSON.stringify(entry)).toBe(true);
      }
    });
  });

  it("that fits the state is never refused", () => {
    always(500, fc.tuple(options, run), ([given, moves]) => {
      const { play } = Player.on(createSimulator(given));
      for (const move of moves) {
        const refused = play(move);
        if (refused !== undefined && fits(move))
          expect("code" in refused ? refused.code : "", refused.message).toMatch(excused);
      }
    });
  });
});

/** Whether the state is as a command of the journal says, right after it. */
function isCarriedOut(sim: Simulator, { command, args }: JournalDocument["entries"][number]): boolean {
  const given = args as Record<"call" | "endpoint" | "to" | "user" | "status", string> & {
    registered: boolean;
  };
  const call = () => sim.calls.get(given.call);
  const user = () => sim.users.get(given.user).record;
  switch (command) {
    case "inbound":
      return sim.calls.list().some(({ record }) => record.companyNumber === given.to);
    case "answer":
      return call().record.connections.some((each) => each.endpoint === (given.endpoint ?? each.endpoint));
    case "decline":
      return !call()
        .ringing()
        .some(({ endpoint }) => endpoint === (given.endpoint ?? endpoint));
    case "hangup":
      return call().record.outcome !== null;
    case "move":
      return call().record.connections.at(-1)?.endpoint === given.to;
    case "leaveVoicemail":
      return call().record.outcome === null;
    case "setAvailability":
      return (
        user().availability.callId !== null ||
        user().loginStatus === "loggedOut" ||
        user().availability.status === given.status
      );
    case "setEndpoint":
      return user().endpoints.find(({ id }) => id === given.endpoint)?.registered === given.registered;
    default:
      return false;
  }
}

/** Where nothing fits, a call comes in instead: there may be no number to call. */
const excused = /^unknown_number$/;

function fits(move: Move): boolean {
  return (
    ["answer", "decline", "hangup", "moveEndpoint"].includes(move.move) &&
    "aim" in move &&
    move.aim === "possible"
  );
}
