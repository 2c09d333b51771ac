import {
  type CallHandle,
  CommandError,
  createSimulator,
  InputError,
  type Party,
  type PublicCallRecord,
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

  /** Plays one move and has a look at the simulator after each of its steps. */
  playByStep(move: Move, seen: () => void): void {
    const { sim } = this;
    const untilMs =
      move.move === "advance"
        ? sim.timestamp + move.ms
        : move.move === "advanceToTimer"
          ? this.instant(move)
          : Number.NaN;
    if (!Number.isInteger(untilMs) || untilMs < sim.timestamp) this.play(move);
    else {
      while ((sim.pending()[0]?.dueTimestamp ?? Number.POSITIVE_INFINITY) <= untilMs) {
        sim.step();
        seen();
      }
      sim.advanceTo(untilMs);
    }
    seen();
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
      case "outbound":
      case "internal":
        return () => this.fromInside(move);
      case "redirect":
        return () => this.redirect(move);
      case "setTeamMember":
      case "removeTeamMember":
        return () => this.changeTeam(move);
      case "setAvailability":
      case "setEndpoint":
      case "setUserStatus":
        return () => this.changeUser(move);
      case "note":
      case "assignContact":
        return () => this.followUp(move);
      default:
        return () => this.onCall(move);
    }
  }

  private inbound({ aim, pick, passthrough, priority }: Extract<Move, { move: "inbound" }>): void {
    const { sim } = this;
    const owned = this.numbers();
    const from = pickFrom(outsideNumbers, pick) as string;
    const turn = Math.floor(pick / outsideNumbers.length);
    const to =
      aim === "nonsense"
        ? pickFrom(["", "101", "+0", numberOfNobody], turn)
        : pickFrom(aim === "possible" && owned.length > 0 ? owned : [...owned, numberOfNobody], turn);
    const call = sim.calls.inbound({
      from,
      to: to as string,
      passthroughParameters: passthrough as never,
      ...(priority === undefined ? {} : { priority }),
    });
    this.callIds.push(call.id);
  }

  /** Someone who can dial, if there is anyone: an outside number, or a colleague. */
  private fromInside(move: Extract<Move, { move: "outbound" | "internal" }>): void {
    const { calls } = this.sim;
    const { aim, pick } = move;
    const inside = this.inside();
    const free = inside.filter((id) => this.canDial(id));
    const from =
      aim === "nonsense"
        ? pickFrom(nonsensePeople, pick)
        : pickFrom(aim === "possible" ? free : inside, pick);
    const turn = Math.floor(pick / Math.max(1, inside.length));
    if (move.move === "internal") {
      const to = pickFrom([...this.extensions(), ...(aim === "possible" ? [] : ["999"])], move.to);
      this.callIds.push(calls.internal({ from: from ?? "nobody", to: to ?? "999" }).id);
      return;
    }
    const to = pickFrom(aim === "possible" ? outsideNumbers : [...outsideNumbers, ...this.numbers()], turn);
    const passthroughParameters = move.passthrough as never;
    if (!move.isLink) {
      this.callIds.push(
        calls.outbound({ from: from ?? "nobody", to: to as string, passthroughParameters }).id,
      );
      return;
    }
    const link = { user: from ?? "nobody", contactNumber: to as string };
    const made = calls.dialLink({ ...link, "x-link": "1".repeat(pick % 7 === 0 ? 1_000 : 1) });
    if ("call" in made) this.callIds.push(made.call.id);
  }

  private redirect({ aim, pick, parameters, isApplication }: Extract<Move, { move: "redirect" }>): void {
    const extensions = [...this.extensions(), ...(aim === "possible" ? [] : ["999"])];
    const extension = pickFrom(extensions, pick) ?? "999";
    const from = pickFrom(outsideNumbers, pick) as string;
    const vendor = { from, to: aim === "nonsense" ? "" : numberOfNobody };
    const { calls } = this.sim;
    const call = isApplication
      ? calls.connectApplication({ extension, accountId: "AC1", parameters: { "x-a": "b" } }, vendor)
      : calls.redirect({ ...parameters, extension }, vendor);
    this.callIds.push(call.id);
  }

  private changeTeam(move: Extract<Move, { move: "setTeamMember" | "removeTeamMember" }>): void {
    const { aim, pick } = move;
    const teams = this.sim.teams.list();
    const team = this.sim.teams.get(aim === "nonsense" ? "no-such-team" : (pickFrom(teams, pick)?.id ?? ""));
    const turn = Math.floor(pick / Math.max(1, teams.length));
    const members = team.record.teamMembers.map(({ id }) => id);
    const inside = this.inside();
    if (move.move === "setTeamMember") {
      const who = aim === "possible" ? inside : [...inside, ...nonsensePeople];
      team.setMember(pickFrom(who, turn) ?? "nobody", { priority: move.priority });
    } else
      team.removeMember(pickFrom(aim === "possible" ? members : [...inside, "nobody"], turn) ?? "nobody");
  }

  private numbers(): string[] {
    const { users, teams, devices } = this.sim;
    return [...users.list(), ...teams.list(), ...devices.list()].flatMap(({ record }) => record.phoneNumbers);
  }

  /** Users and devices. */
  private inside(): string[] {
    return [...this.sim.users.list(), ...this.sim.devices.list()].map(({ id }) => id);
  }

  private extensions(): string[] {
    const { users, teams, devices } = this.sim;
    return [...users.list(), ...teams.list(), ...devices.list()].map(({ record }) => record.extension);
  }

  private canDial(id: string): boolean {
    const user = this.sim.users.list().find((each) => each.id === id)?.record;
    if (user === undefined) return true;
    return user.status === "active" && user.loginStatus === "loggedIn" && user.callId === null;
  }

  /** Someone writes about a call, or says whom it was with. */
  private followUp({ move, aim, pick }: Extract<Move, { move: "note" | "assignContact" }>): void {
    const { sim } = this;
    const users = sim.users.list().map(({ id }) => id);
    const by = pickFrom(aim === "nonsense" ? [...users, ...nonsensePeople] : users, pick) ?? "nobody";
    const calls = sim.calls
      .list()
      .filter(({ record }) => move === "note" || aim !== "possible" || record.contactNumber.startsWith("+"));
    const turn = Math.floor(pick / Math.max(1, users.length));
    const call = sim.calls.get(pickFrom(calls, turn)?.id ?? "no-such-call");
    if (move === "note") call.note(aim === "nonsense" ? "" : `Note ${pick}`, { by });
    else call.assignContact({ name: `Contact ${pick}`, phoneNumbers: [call.record.contactNumber] }, { by });
  }

  private changeUser(
    move: Extract<Move, { move: "setAvailability" | "setEndpoint" | "setUserStatus" }>,
  ): void {
    const users = this.sim.users.list();
    const { aim, pick } = move;
    const id = aim === "nonsense" ? pickFrom(nonsensePeople, pick) : pickFrom(users, pick)?.id;
    const user = this.sim.users.get(id ?? "nobody");
    const turn = Math.floor(pick / Math.max(1, users.length));
    if (move.move === "setUserStatus") {
      user.setStatus(move.status);
      return;
    }
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
      case "decline": {
        const isBusy = move.move === "decline" && endpoint === "phone" && move.pick % 2 === 0;
        const named = move.named && endpoint !== undefined ? { endpoint } : {};
        call[move.move](by, { ...named, ...(isBusy ? { busy: true } : {}) });
        return;
      }
      case "hangup":
        call.hangup(by);
        return;
      case "moveEndpoint":
        call.move(by, { to: endpoint ?? "mobile" });
        return;
      case "transfer":
        call.transfer(this.target(move), { by, warm: move.warm });
        return;
      case "add":
        call.add(this.target(move), { by });
        return;
      case "leaveVoicemail":
        call.leaveVoicemail({
          duration: move.aim === "nonsense" ? -1 : move.durationMs,
          transcript: "Hello",
        });
        return;
    }
  }

  /** Whom a call is transferred to or joined by. */
  private target({ aim, to }: Extract<Move, { move: "transfer" | "add" }>): string {
    const nonsense = aim === "nonsense" ? nonsensePeople : [];
    return pickFrom([...this.inside(), ...this.extensions(), ...outsideNumbers, ...nonsense], to) as string;
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
      case "transfer":
      case "add":
        return pickFrom(
          live.filter(({ status }) => status === "accepted").flatMap((call) => this.talking(call)),
          pick,
        );
      default:
        return pickFrom(
          live.filter(({ record }) => isInVoicemail(record)).map((call) => ({ call, by: "caller" })),
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
    const [caller] = call.record.parties;
    return call.ringing().flatMap((each) => {
      const { endpoint } = each;
      if ("user" in each) {
        const { email } = this.sim.users.get(each.user).record;
        // whoever dialled stays the caller, also when the call that they handed to their own team rings them
        const role = caller?.entryId === each.user ? "caller" : "callee";
        return [each.user, email.toUpperCase(), role].map((by) => ({ call, by, endpoint }));
      }
      return [{ call, by: "device" in each ? each.device : each.number, endpoint }];
    });
  }

  /** Who can hang up: the caller until the call is answered, whoever is connected. */
  private present(call: CallHandle): Target[] {
    const { record } = call;
    const [caller] = record.parties;
    const connected = connectedParties(record).filter(({ type }) => type !== "voicemail");
    const isWaiting = record.status === "offered" || (caller !== undefined && connected.includes(caller));
    const names = [
      ...(isWaiting ? ["caller"] : []),
      ...connected.map(nameOf),
      ...(connected.some((party) => party !== caller) ? ["callee"] : []),
    ];
    return names.map((by) => ({ call, by }));
  }

  /** The users on a call. */
  private talking(call: CallHandle): Target[] {
    return connectedParties(call.record)
      .filter(({ type }) => type === "user")
      .map((party) => ({ call, by: nameOf(party) }));
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
  { move: "answer" | "decline" | "hangup" | "moveEndpoint" | "leaveVoicemail" | "transfer" | "add" }
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

/** The parties on the bridge, in the order in which they were first rung. */
export function connectedParties({
  parties,
  connections,
}: Pick<PublicCallRecord, "parties" | "connections">): Party[] {
  return parties.filter(({ id }) => connections.some((each) => each.partyId === id && each.leftAt === null));
}

export function isInVoicemail(call: PublicCallRecord): boolean {
  return connectedParties(call).some(({ type }) => type === "voicemail");
}

function nameOf({ entryId, phoneNumber }: Party): string {
  return entryId ?? phoneNumber ?? "caller";
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
    waiting: sim.teams.list().map((team) => team.waiting()),
    transcripts: sim.transcripts.list(),
    returns: sim.calls.returns,
    notifications: sim.notifications,
  });
}

/** Lets everything that is scheduled happen, and hangs up on whoever still talks then. */
export function finish(sim: Simulator, seen: () => void = () => {}): void {
  for (;;) {
    while (sim.step() !== undefined) seen();
    const [call] = sim.calls.live();
    if (call === undefined) return;
    const [present] = connectedParties(call.record);
    call.hangup(present === undefined ? "caller" : nameOf(present));
    seen();
  }
}

/** A new simulator on which these moves were played. */
export function played(given: SimulatorOptions, moves: readonly Move[]): Player {
  const player = Player.on(createSimulator(given));
  for (const move of moves) player.play(move);
  return player;
}
