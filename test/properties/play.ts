import {
  type CallHandle,
  CommandError,
  createSimulator,
  InputError,
  type Simulator,
  type SimulatorOptions,
} from "../../src/index.ts";
import { type Aim, type Move, numberOfNobody, outsideNumbers, type Reflex } from "./arbitraries.ts";

const nonsenseCalls = ["no-such-call", "", "__proto__"];
const nonsensePeople = ["nobody", "", "caller ", "+64211", "constructor"];
const nonsenseEndpoints = ["fax", "", "MOBILE"];

/** Plays moves on a simulator. Deterministic: what a move comes to depends on the simulator's state alone. */
export class Player {
  private constructor(
    readonly sim: Simulator,
    /** Every call that was made, also those that the simulator has since forgotten. */
    private readonly callIds: string[],
  ) {}

  static on(sim: Simulator): Player {
    return new Player(sim, []);
  }

  /** Takes over the calls that another player knows. */
  knows({ callIds }: Player): void {
    this.callIds.push(...callIds);
  }

  fork(): Player {
    return new Player(this.sim.fork(), [...this.callIds]);
  }

  /** The same as `play`, letting time pass with the asynchronous methods. */
  async playAsync(move: Move): Promise<void> {
    if (move.move === "advance") await refusable(() => this.sim.advanceAsync(move.ms));
    else if (move.move === "step") await this.sim.stepAsync();
    else if (move.move === "advanceToTimer")
      await refusable(() => this.sim.advanceToAsync(this.instant(move)));
    else this.play(move);
  }

  /**
   * Plays one move.
   * @returns the error if it was refused. Any other error comes through: there must be none.
   */
  readonly play = (move: Move): CommandError | InputError | undefined => {
    const act = this.spellOut(move);
    try {
      act();
      return undefined;
    } catch (error) {
      if (error instanceof CommandError || error instanceof InputError) return error;
      throw error;
    }
  };

  /** Has listeners play moves at the events they hear of. Reflexes may cause each other: `budget` ends it. */
  react(reflexes: readonly Reflex[], budget: number): void {
    let left = budget;
    for (const { on, does } of reflexes)
      this.sim.on(on as never, () => {
        if (left-- > 0) this.play(does);
      });
  }

  private instant({ pick, offsetMs }: Extract<Move, { move: "advanceToTimer" }>): number {
    return (pickFrom(this.sim.pending(), pick)?.dueTimestamp ?? this.sim.timestamp) + offsetMs;
  }

  private spellOut(move: Move): () => unknown {
    const { sim } = this;
    switch (move.move) {
      case "advance":
        return () => sim.advance(move.ms);
      case "advanceToTimer":
        return () => sim.advanceTo(this.instant(move));
      case "step":
        return () => sim.step();
      case "inbound":
        return () => this.inbound(move);
      case "setAvailability":
      case "setEndpoint":
        return () => this.changeUser(move);
      default:
        return () => this.onCall(move);
    }
  }

  private inbound({ aim, pick, passthrough }: Extract<Move, { move: "inbound" }>): void {
    const { sim } = this;
    const owned = [...sim.users.list(), ...sim.devices.list()].flatMap(({ record }) => record.phoneNumbers);
    const unusable = [...sim.teams.list().flatMap(({ record }) => record.phoneNumbers), numberOfNobody];
    const from = pickFrom(outsideNumbers, pick) as string;
    const to =
      aim === "nonsense"
        ? pickFrom(["", "101", "+0", ...unusable], pick)
        : pickFrom(aim === "possible" && owned.length > 0 ? owned : [...owned, ...unusable], pick);
    const call = sim.calls.inbound({ from, to: to as string, passthroughParameters: passthrough as never });
    this.callIds.push(call.id);
  }

  private changeUser(move: Extract<Move, { move: "setAvailability" | "setEndpoint" }>): void {
    const users = this.sim.users.list();
    const { aim, pick } = move;
    const id = aim === "nonsense" ? pickFrom(nonsensePeople, pick) : pickFrom(users, pick)?.id;
    const user = this.sim.users.get(id ?? "nobody");
    const turn = Math.floor(pick / Math.max(1, users.length));
    if (move.move === "setEndpoint") {
      const own = user.record.endpoints.map((endpoint) => endpoint.id);
      const endpoint = pickFrom(aim === "possible" ? own : [...own, "fax", ""], turn);
      user.setEndpoint(endpoint ?? "mobile", { registered: move.registered });
      return;
    }
    const statuses = ["available", "available", "busy", "offline", ...(aim === "possible" ? [] : ["asleep"])];
    const status = pickFrom(statuses, turn) as "available" | "busy" | "offline";
    const rules = [undefined, "doNotDisturb", "outOfHours", "loggedOut"] as const;
    const rule = pickFrom(rules, Math.floor(turn / statuses.length));
    const takesWhy = aim !== "possible" || status !== "available";
    user.setAvailability(status, {
      ...(takesWhy && rule !== undefined ? { rule } : {}),
      ...(takesWhy && move.reason ? { reason: "lunch" } : {}),
    });
  }

  private onCall(move: MoveOnCall): void {
    const target = move.aim === "possible" ? this.possible(move) : this.any(move.aim, move.pick);
    if (target === undefined) {
      // nothing of this kind is possible: a new call may make it so
      this.inbound({ ...move, move: "inbound", passthrough: undefined });
      return;
    }
    const { call, by, endpoint } = target;
    switch (move.move) {
      case "answer":
      case "decline":
        call[move.move](by, move.named && endpoint !== undefined ? { endpoint } : {});
        return;
      case "hangup":
        call.hangup(by);
        return;
      case "moveEndpoint":
        call.move(by, { to: endpoint ?? "mobile" });
        return;
      case "leaveVoicemail":
        call.leaveVoicemail({
          duration: move.aim === "nonsense" ? -1 : move.durationMs,
          transcript: "Hello",
        });
        return;
    }
  }

  /** Something of this kind that the state allows, if there is anything. */
  private possible({ move, pick }: { move: Move["move"]; pick: number }): Target | undefined {
    const live = this.sim.calls.live();
    switch (move) {
      case "answer":
      case "decline":
        return pickFrom(
          live.flatMap((call) => this.ringing(call)),
          pick,
        );
      case "hangup":
        return pickFrom(
          live.flatMap((call) => this.present(call)),
          pick,
        );
      case "moveEndpoint":
        return pickFrom(
          live.flatMap((call) => this.movable(call)),
          pick,
        );
      default:
        return pickFrom(
          live.filter(({ status }) => status === "missed").map((call) => ({ call, by: "caller" })),
          pick,
        );
    }
  }

  /** Anything that exists, or nonsense. */
  private any(aim: Aim, pick: number): Target {
    const { sim } = this;
    const people = [
      ...sim.users.list().flatMap(({ id, record }) => [id, record.email]),
      ...sim.devices.list().map(({ id }) => id),
      ...outsideNumbers,
      "caller",
      "callee",
    ];
    const endpoints = ["mobile", "desktop", "sip", "tablet"];
    const ids = aim === "nonsense" ? [...nonsenseCalls, ...this.callIds] : this.callIds;
    const turn = Math.floor(pick / Math.max(1, ids.length));
    return {
      call: sim.calls.get(pickFrom(ids, pick) ?? "no-such-call"),
      by: pickFrom(aim === "nonsense" ? [...nonsensePeople, ...people] : people, turn) as string,
      endpoint: pickFrom(aim === "nonsense" ? nonsenseEndpoints : endpoints, turn),
    };
  }

  private ringing(call: CallHandle): Target[] {
    return call.ringing().flatMap((each) => {
      const { endpoint } = each;
      if ("user" in each) {
        const { email } = this.sim.users.get(each.user).record;
        return [each.user, email.toUpperCase(), "callee"].map((by) => ({ call, by, endpoint }));
      }
      return "device" in each ? [{ call, by: each.device, endpoint }] : [];
    });
  }

  /** Who can hang up: the caller at any time, whoever is connected. */
  private present(call: CallHandle): Target[] {
    const { parties, connections, contactNumber } = call.record;
    const inside = parties.filter(
      ({ id, entryId }) =>
        entryId !== undefined && connections.some((each) => each.partyId === id && each.leftAt === null),
    );
    return ["caller", contactNumber, ...inside.flatMap(({ entryId = "" }) => [entryId, "callee"])].map(
      (by) => ({
        call,
        by,
      }),
    );
  }

  private movable(call: CallHandle): Target[] {
    const { parties, connections } = call.record;
    return connections
      .filter(({ leftAt }) => leftAt === null)
      .flatMap(({ partyId, endpoint: at }) => {
        const party = parties.find(({ id }) => id === partyId);
        if (party?.type !== "user" || party.entryId === undefined) return [];
        const { id, record } = this.sim.users.get(party.entryId);
        return record.endpoints
          .filter((endpoint) => endpoint.registered && endpoint.id !== at)
          .map((endpoint) => ({ call, by: id, endpoint: endpoint.id }));
      });
  }
}

type MoveOnCall = Extract<
  Move,
  { move: "answer" | "decline" | "hangup" | "moveEndpoint" | "leaveVoicemail" }
>;

interface Target {
  readonly call: CallHandle;
  readonly by: string;
  readonly endpoint?: string | undefined;
}

/** Runs what may be refused for its arguments. */
async function refusable(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
}

export function pickFrom<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}

/** Everything that a consumer can see of a simulator, as text. */
export function fingerprint(sim: Simulator): string {
  const records = (handles: readonly { readonly record: unknown }[]) => handles.map(({ record }) => record);
  return JSON.stringify({
    now: sim.timestamp,
    events: sim.events.toJSONL(),
    journal: sim.journal(),
    pending: sim.pending(),
    calls: records(sim.calls.list()),
    live: sim.calls.live().map((call) => [call.id, call.status, call.ringing()]),
    users: records(sim.users.list()),
    teams: records(sim.teams.list()),
    devices: records(sim.devices.list()),
    transcripts: sim.transcripts.list(),
    notifications: sim.notifications,
  });
}

/** Lets everything that is scheduled happen, and hangs up on whoever still talks then. */
export function finish(sim: Simulator): void {
  for (sim.runUntilIdle(); sim.calls.live().length > 0; sim.runUntilIdle())
    sim.calls.live()[0]?.hangup("caller");
}

/** A new simulator on which these moves were played. */
export function played(given: SimulatorOptions, moves: readonly Move[]): Player {
  const player = Player.on(createSimulator(given));
  for (const move of moves) player.play(move);
  return player;
}
