import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CallerBehaviour,
  createSimulator,
  type DrawnDuration,
  replay,
  type Simulator,
  type SimulatorOptions,
  type UserBehaviour,
} from "../../src/index.ts";
import { options } from "./arbitraries.ts";
import { run } from "./moves/index.ts";
import { pickFrom } from "./moves/move.ts";
import { fingerprint, finish, Player } from "./play.ts";
import { checkEnd, must, StreamRules } from "./rules.ts";
import { always, alwaysAsync, checkDrawings } from "./support.ts";

/** Durations that fall together with each other and with the timeouts of the platform, and ones that do not. */
const ms = fc.constantFrom(0, 1, 999, 1_000, 5_000, 20_000, 30_000, 60_000);
const drawn: fc.Arbitrary<DrawnDuration> = fc.oneof(
  ms,
  ms.map((mean) => ({ exponential: mean })),
  fc.tuple(ms, ms).map(([a, b]) => ({ uniform: [Math.min(a, b), Math.max(a, b)] as [number, number] })),
  ms.map((value) => ({ fixed: value })),
);

const userBehaviour: fc.Arbitrary<UserBehaviour> = fc.record(
  {
    answer: fc.oneof(
      { weight: 1, arbitrary: fc.constant("never" as const) },
      { weight: 4, arbitrary: fc.record({ after: drawn }) },
    ),
    decline: fc.record({ after: drawn }),
    talk: drawn,
    wrapUp: drawn,
  },
  { requiredKeys: [] },
);

/** Callers who hang up at some time: otherwise a call may go on for ever. */
const callerBehaviour: fc.Arbitrary<CallerBehaviour> = fc.record(
  {
    patience: drawn,
    talk: drawn,
    voicemail: fc.oneof(
      fc.constant("hangUp" as const),
      fc.record({ duration: drawn, transcript: fc.constant("Hello") }),
    ),
  },
  { requiredKeys: ["talk"] },
);

const traffic = fc.record({
  pick: fc.nat({ max: 100 }),
  every: fc.constantFrom(1_000, 5_000, { exponential: 4_000 }, { uniform: [0, 10_000] as [number, number] }),
  for: fc.constantFrom(0, 10_000, 60_000),
  behaviour: callerBehaviour,
});

const people = fc.record({
  behaviours: fc.array(userBehaviour, { minLength: 1, maxLength: 6 }),
  traffics: fc.array(traffic, { minLength: 1, maxLength: 3 }),
});
type People = typeof people extends fc.Arbitrary<infer T> ? T : never;

/** The same organisations, with a number for every team. */
const withTeams = options.map((given): SimulatorOptions => {
  const { organisation } = given;
  if (organisation === undefined) return given;
  const { numbers = [], teams = [] } = organisation;
  const more = teams.map(({ id }, index) => ({ number: `+649555020${index}`, owner: id }));
  return { ...given, organisation: { ...organisation, numbers: [...numbers, ...more] } };
});

/** Has people act by themselves, and traffic call some of the organisation's numbers. */
function inhabit(sim: Simulator, { behaviours, traffics }: People): void {
  for (const [index, user] of sim.users.list().entries()) user.behave(pickFrom(behaviours, index) ?? {});
  const entries = [...sim.users.list(), ...sim.devices.list(), ...sim.teams.list()];
  const numbers = entries.flatMap(({ record }) => record.phoneNumbers);
  for (const { pick, ...rest } of traffics) {
    const to = pickFrom(numbers, pick);
    if (to !== undefined) sim.traffic({ to, ...rest });
  }
}

function inhabited(given: SimulatorOptions, people: People): Player {
  const player = Player.on(createSimulator(given));
  inhabit(player.sim, people);
  return player;
}

describe("Users and callers with behaviours", () => {
  it("end every call and leave nothing scheduled", () => {
    always(100, fc.tuple(withTeams, people), ([given, people]) => {
      const { sim } = inhabited(given, people);
      sim.runUntilIdle();
      expect(sim.calls.live()).toEqual([]);
      for (const { record } of sim.users.list())
        must(record.availability.notAvailableReason !== "wrapUp", () => `${record.id} still wraps up`);
    });
  });

  it("keep the rules of the event stream, mixed with any commands, and can be drawn", () => {
    always(65, fc.tuple(options, people, run), ([given, people, moves]) => {
      const { sim, play } = inhabited(given, people);
      const rules = new StreamRules(sim);
      for (const move of moves) {
        play(move);
        rules.catchUp();
      }
      finish(sim);
      rules.catchUp();
      checkEnd(sim);
      checkDrawings(sim);
    });
  });

  it("are byte-identical in a replay", () => {
    always(50, fc.tuple(withTeams, people, run), ([given, people, moves]) => {
      const { sim, play } = inhabited(given, people);
      for (const move of moves) play(move);
      expect(fingerprint(replay(JSON.stringify(sim.journal())))).toBe(fingerprint(sim));
    });
  });

  it("are equal with the asynchronous time methods", async () => {
    await alwaysAsync(50, fc.tuple(withTeams, people, run), async ([given, people, moves]) => {
      const player = inhabited(given, people);
      for (const move of moves) await player.playAsync(move);
      const other = inhabited(given, people);
      for (const move of moves) other.play(move);
      expect(fingerprint(player.sim)).toBe(fingerprint(other.sim));
    });
  });

  it("act in a fork as in the original, without affecting each other", () => {
    always(40, fc.tuple(withTeams, people, run, run), ([given, people, before, after]) => {
      const parent = inhabited(given, people);
      for (const move of before) parent.play(move);
      const fork = parent.fork();
      const other = parent.fork();
      inhabit(other.sim, people);
      other.sim.runUntilIdle();
      for (const move of after) fork.play(move);
      fork.sim.advance("PT5M");
      for (const move of after) parent.play(move);
      parent.sim.advance("PT5M");
      expect(fingerprint(fork.sim)).toBe(fingerprint(parent.sim));
    });
  });
});
