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
import type { AnyMove, Reflex } from "./moves/index.ts";
import { nonsensePeople, type Picks, pickFrom } from "./moves/move.ts";
import type { Target } from "./moves/on-a-call.ts";

/**
 * Plays moves on a simulator, and lists what a move may pick from. Deterministic: the result depends only on the
 * simulator's state.
 */
export class Player {
  private constructor(
    readonly sim: Simulator,
    /** All calls that were made, even those that the simulator has forgotten. */
    readonly callIds: string[],
  ) {}

  static on(sim: Simulator): Player {
    return new Player(sim, []);
  }

  /** Takes over the calls that another player knows. */
  knows({ callIds }: Player): void {
    this.callIds.push(...callIds);
  }

  /** Remembers a call. */
  saw({ id }: CallHandle): void {
    this.callIds.push(id);
  }

  fork(): Player {
    return new Player(this.sim.fork(), [...this.callIds]);
  }

  /** The same as `play`, letting time pass with the asynchronous methods. */
  async playAsync(move: AnyMove): Promise<void> {
    try {
      await move.runAsync(this, this.sim);
    } catch (error) {
      refusal(error);
    }
  }

  /**
   * Plays one move.
   * @returns the error if it was refused; any other error is thrown, since there must be none
   */
  readonly play = (move: AnyMove): CommandError | InputError | undefined => {
    try {
      move.run(this, this.sim);
      return undefined;
    } catch (error) {
      return refusal(error);
    }
  };

  /** Lets listeners play moves when they hear events. These may cause each other, until `budget` is used up. */
  react(reflexes: readonly Reflex[], budget: number): void {
    let left = budget;
    for (const { on, does } of reflexes)
      this.sim.on(on as never, () => {
        if (left-- > 0) this.play(does);
      });
  }

  /** Plays one move and observes the simulator after each of its steps. */
  playByStep(move: AnyMove, seen: () => void): void {
    const { sim } = this;
    const untilMs = move.until(this) ?? Number.NaN;
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

  /** Someone who can dial, if there is anyone. */
  whoDials({ aim, pick }: Picks): string | undefined {
    const inside = this.inside();
    if (aim === "nonsense") return pickFrom(nonsensePeople, pick);
    return pickFrom(aim === "possible" ? inside.filter((id) => this.canDial(id)) : inside, pick);
  }

  /** Of users, teams and devices. */
  numbers(): string[] {
    const { users, teams, devices } = this.sim;
    return [...users.list(), ...teams.list(), ...devices.list()].flatMap(({ record }) => record.phoneNumbers);
  }

  /** Users and devices. */
  inside(): string[] {
    return [...this.sim.users.list(), ...this.sim.devices.list()].map(({ id }) => id);
  }

  /** Of users, teams and devices. */
  extensions(): string[] {
    const { users, teams, devices } = this.sim;
    return [...users.list(), ...teams.list(), ...devices.list()].map(({ record }) => record.extension);
  }

  private canDial(id: string): boolean {
    const user = this.sim.users.list().find((each) => each.id === id)?.record;
    if (user === undefined) return true;
    return user.status === "active" && user.loginStatus === "loggedIn" && user.callId === null;
  }

  ringing(call: CallHandle): Target[] {
    const [caller] = call.record.parties;
    return call.ringing().flatMap((each) => {
      const { endpoint } = each;
      if ("user" in each) {
        const { email } = this.sim.users.get(each.user).record;
        // the person who dialled stays the caller, even if they hand the call to their own team and it rings them
        const role = caller?.entryId === each.user ? "caller" : "callee";
        return [each.user, email.toUpperCase(), role].map((by) => ({ call, by, endpoint }));
      }
      return [{ call, by: "device" in each ? each.device : each.number, endpoint }];
    });
  }

  /** Who can hang up: the caller until the call is answered, then everyone connected. */
  present(call: CallHandle): Target[] {
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
  talking(call: CallHandle): Target[] {
    return connectedParties(call.record)
      .filter(({ type }) => type === "user")
      .map((party) => ({ call, by: nameOf(party) }));
  }

  movable(call: CallHandle): Target[] {
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

/** @returns the error of a refusal; any other error is thrown */
function refusal(error: unknown): CommandError | InputError {
  if (error instanceof CommandError || error instanceof InputError) return error;
  throw error;
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

/** Everything that a consumer can see of a simulator, as text. */
export function fingerprint(sim: Simulator): string {
  return JSON.stringify({ ...seenOf(sim), journal: sim.journal() });
}

/** The same without the journal, and with what few moves change: for runs whose journals begin elsewhere. */
export function stateText(sim: Simulator): string {
  const { conversations, analysis, locations, phonebooks, webhooks, network, rest } = sim;
  return JSON.stringify({
    ...seenOf(sim),
    conversations: conversations.list(),
    analysis: analysis.list(),
    locations: locations.list().map(({ record }) => record),
    phonebooks: phonebooks.list().map(({ record }) => record),
    webhooks: webhooks.list().map((webhook) => [webhook, webhooks.deliveries(webhook.id)]),
    requests: network.requests.map((request) => ({ ...request })),
    rest: rest.requests,
  });
}

function seenOf(sim: Simulator) {
  const records = (handles: readonly { readonly record: unknown }[]) => handles.map(({ record }) => record);
  return {
    now: sim.timestamp,
    events: sim.events.toJSONL(),
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
  };
}

/** Runs everything that is scheduled, then hangs up for everyone who still talks. */
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
export function played(given: SimulatorOptions, moves: readonly AnyMove[]): Player {
  const player = Player.on(createSimulator(given));
  for (const move of moves) player.play(move);
  return player;
}
