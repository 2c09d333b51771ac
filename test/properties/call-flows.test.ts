import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator, type OrganisationInput, type Simulator } from "../../src/index.ts";
import { options, organisations } from "./arbitraries.ts";
import { Inbound } from "./moves/beginnings.ts";
import { queueMove, run, tierMove } from "./moves/index.ts";
import { connectedParties, finish, Player, played } from "./play.ts";
import {
  checkBusy,
  checkEnd,
  checkState,
  checkTotals,
  isReturn,
  must,
  ringingDials,
  StreamRules,
  staysOf,
} from "./rules.ts";
import { always } from "./support.ts";
import { checkNobodyIdles, checkOneOfferAMember, QueueRules, TierRules, teamRings } from "./team-rules.ts";
import { together } from "./together.ts";

describe("In any run, at every moment and at its end", () => {
  together(150, {
    "no member rings for two team offers at once": (sim) => ({ step: () => checkOneOfferAMember(sim) }),

    "nobody who is free idles while a call waits for one of their teams": (sim) => ({
      step: () => checkNobodyIdles(sim),
    }),

    "who rings for a team is in a team, and who rings at all is available on that endpoint": (sim) => ({
      step: () => {
        const members = sim.teams.list().flatMap(({ record }) => record.teamMembers.map(({ id }) => id));
        for (const { member } of teamRings(sim))
          must(members.includes(member), () => `${member} is in no team`);
      },
    }),

    "a team's totals are the sum over its members, in its record and in each of its events": (sim) => {
      let read = 0;
      const step = () => {
        for (const { record } of sim.teams.list()) checkTotals(record);
        for (const event of sim.events.slice(read))
          if (event.type === "team.availability.updated") checkTotals(event.data.team);
        read = sim.events.length;
      };
      return { step };
    },

    "a user is busy on a call, with its ids, exactly while connected to it": (sim) => ({
      step: () => checkBusy(sim),
    }),

    "records, people, teams and what is scheduled agree with each other": (sim) => ({
      step: () => checkState(sim),
    }),

    "a closed call rings nobody, has nobody on the bridge, waits nowhere and has nothing scheduled but its artefacts and its return":
      (sim) => ({
        step: () => {
          const closed = sim.calls.list().filter(({ record }) => record.outcome !== null);
          const waiting = sim.teams.list().flatMap((team) => team.waiting());
          for (const { id, record } of closed) {
            must(!waiting.includes(id), () => `${id} closed and waits`);
            must(
              record.parties.every((party) => ringingDials(party).length === 0),
              () => `${id} closed and rings`,
            );
            must(connectedParties(record).length === 0, () => `${id} closed with people on it`);
            const left = sim.pending().filter(({ recordId }) => recordId === id);
            must(
              left.every(({ purpose }) => purpose.startsWith("call: ") || isReturn(purpose)),
              () => `${id} closed: ${JSON.stringify(left)}`,
            );
          }
        },
      }),

    "the event stream keeps its rules, call by call": (sim) => {
      const rules = new StreamRules(sim);
      return { step: () => rules.catchUp() };
    },

    "every call closes exactly once, with call.ended if anyone was ever on the bridge, else with call.not_answered":
      (sim) => ({
        end: () => {
          for (const { id, record } of sim.calls.list()) {
            const closing = sim.events
              .for(id)
              .filter((event) => ["call.ended", "call.not_answered"].includes(event.type))
              .filter((event) => "call" in event.data && event.data.call.outcome !== null);
            expect(closing.map(({ type }) => type)).toEqual([
              record.connections.length > 0 ? "call.ended" : "call.not_answered",
            ]);
          }
        },
      }),

    "every call has all its artefacts, and people are told of it once": (sim) => ({
      end: () => checkEnd(sim),
    }),

    "every call has a call.hungup for each time that someone other than voicemail joined it": (sim) => ({
      end: () => {
        for (const { id, record } of sim.calls.list()) {
          const left = sim.events
            .for(id)
            .flatMap((event) => (event.type === "call.hungup" ? [event.data.party.id] : []));
          const joined = record.parties.flatMap((party) =>
            Array<string>(staysOf(record, party)).fill(party.id),
          );
          expect(left.sort()).toEqual(joined.sort());
        }
      },
    }),

    "every call has all its dials ended, by an answer, by who was rung, by time or with the call": (sim) => ({
      end: () => {
        for (const { record } of sim.calls.list())
          for (const dial of record.parties.flatMap(({ dials }) => dials)) {
            expect(dial.outcome).not.toBeNull();
            expect(dial.endedTimestamp).toBeLessThanOrEqual(record.endedTimestamp ?? 0);
          }
      },
    }),
  });
});

describe("A team's queue", () => {
  const withoutChains = organisations.map((organisation) => ({
    ...organisation,
    teams: (organisation.teams ?? []).map(({ unanswered: _, ...team }) => team),
  }));
  const moves = fc.array(queueMove, { maxLength: 60, size: "max" });

  it("offers a member the best call of all their teams, by priority, then age", () => {
    always(200, fc.tuple(withoutChains, moves), ([organisation, moves]) => {
      const player = Player.on(createSimulator({ organisation }));
      const { sim } = player;
      const priorities = new Map<string, number>();
      const rules = new QueueRules(sim, (id) => priorities.get(id) ?? 5);
      for (const move of moves)
        player.playByStep(move, () => {
          // one move makes calls of one priority
          for (const { id } of sim.calls.list())
            if (!priorities.has(id))
              priorities.set(id, (move instanceof Inbound ? move.given.priority : undefined) ?? 5);
          rules.check();
        });
    });
  });
});

describe("A member's offer priority", () => {
  const organisation = (members: number): OrganisationInput => ({
    id: "org",
    numbers: [{ number: "+6495550100", owner: "team" }],
    users: Array.from({ length: members }, (_, index) => ({
      id: `user-${index}`,
      email: `user-${index}@example.test`,
      displayName: `User ${index}`,
      extension: String(100 + index),
    })),
    teams: [
      {
        id: "team",
        displayName: "Team",
        extension: "200",
        members: Array.from({ length: members }, (_, index) => ({
          user: `user-${index}`,
          priority: 1 + (index % 3),
        })),
        timeout: "PT10M",
      },
    ],
  });

  it("applies at the next offer when it changes while a call is offered or waits", () => {
    const moves = fc.array(tierMove, { maxLength: 40, size: "max" });
    always(200, fc.tuple(fc.integer({ min: 1, max: 5 }), moves), ([members, moves]) => {
      const player = Player.on(createSimulator({ organisation: organisation(members) }));
      const { sim } = player;
      const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
      const rules = new TierRules(sim, "team", call);
      rules.check();
      for (const move of moves) player.playByStep(move, () => rules.check());
    });
  });
});

describe("Someone who is being rung", () => {
  const goes: readonly [string, (sim: Simulator, who: string) => void][] = [
    ["becomes unavailable", (sim, who) => sim.users.get(who).setAvailability("busy")],
    [
      "loses their endpoints",
      (sim, who) => {
        for (const { id } of sim.users.get(who).record.endpoints)
          sim.users.get(who).setEndpoint(id, { registered: false });
      },
    ],
    [
      "dials out",
      (sim, who) => void sim.calls.outbound({ from: who, to: "+6421555009", callerId: "+6495550100" }),
    ],
  ];

  it.each(goes)("and %s stops ringing and leaves nothing behind", (_, go) => {
    always(75, fc.tuple(options, run), ([given, moves]) => {
      const { sim } = played(given, moves);
      const rung = sim.calls.live().flatMap((call) => call.ringing());
      for (const who of new Set(rung.flatMap((each) => ("user" in each ? [each.user] : [])))) {
        const fork = sim.fork();
        go(fork, who);
        for (const { record } of fork.calls.live())
          for (const party of record.parties)
            if (party.entryId === who) expect(ringingDials(party)).toEqual([]);
        checkState(fork);
        finish(fork);
        checkEnd(fork);
      }
    });
  });

  it("for a team and leaves their teams stops ringing and leaves nothing behind", () => {
    always(75, fc.tuple(options, run), ([given, moves]) => {
      const { sim } = played(given, moves);
      for (const { member } of teamRings(sim)) {
        const fork = sim.fork();
        for (const team of fork.teams.list())
          if (team.record.teamMembers.some(({ id }) => id === member)) team.removeMember(member);
        expect(teamRings(fork).map((ring) => ring.member)).not.toContain(member);
        checkState(fork);
        finish(fork);
        checkEnd(fork);
      }
    });
  });
});
