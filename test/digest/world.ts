import { type CallHandle, CommandError, InputError, type Simulator } from "../../src/index.ts";
import type { Dice } from "./dice.ts";
import { outside } from "./organisations.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** A simulator on which random moves are played, and a record of their results. */
export class World {
  readonly told: string[] = [];

  constructor(
    public sim: Simulator,
    readonly dice: Dice,
  ) {}

  /** Issues a command, sometimes with one wrong argument, and records the result. */
  readonly ask = (name: string, proper: Arguments): void => {
    const args = this.dice.chance(0.06) ? this.spoilt(proper) : proper;
    this.tell(`${name} ${JSON.stringify(args)}`, () => this.sim.command(name as never, args as never));
  };

  /** Does something, and records the result or why it was refused. */
  tell(what: string, act: () => unknown): void {
    const at = this.sim.timestamp;
    try {
      const result = act();
      this.told.push(`${at} ${what}${result === undefined ? "" : ` -> ${JSON.stringify(result)}`}`);
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof InputError)) throw error;
      const code = error instanceof CommandError ? error.code : error.name;
      this.told.push(`${at} ${what} refused: ${code}: ${error.message}`);
    }
  }

  private spoilt(args: Arguments): Arguments {
    const key = this.dice.pick([...Object.keys(args), "surplus"]) as string;
    const wrong = this.dice.pick(["nobody", "", -1, null, undefined, { no: 1 }, ["x"], "__proto__", "101"]);
    return { ...args, [key]: wrong };
  }

  users(): string[] {
    return this.sim.users
      .list()
      .flatMap(({ id, record }) => (this.dice.chance(0.2) ? record.email.toUpperCase() : id));
  }

  user(): string {
    return this.dice.pick(this.users()) ?? "nobody";
  }

  /** A user or a device. */
  someone(): string {
    return this.dice.pick([...this.users(), ...this.sim.devices.list().map(({ id }) => id)]) ?? "nobody";
  }

  private entries() {
    const { users, teams, devices } = this.sim;
    return [...users.list(), ...teams.list(), ...devices.list()].map(({ record }) => record);
  }

  extension(): string {
    return this.dice.pick(this.entries())?.extension ?? "999";
  }

  number(): string {
    return this.dice.pick(this.entries().flatMap(({ phoneNumbers }) => phoneNumbers)) ?? "+6495559999";
  }

  team(): string {
    return this.dice.pick(this.sim.teams.list())?.id ?? "no-team";
  }

  call(): string {
    return this.dice.pick(this.sim.calls.list())?.id ?? "no-call";
  }

  live(): CallHandle[] {
    return this.sim.calls.live();
  }

  outside(): string {
    return this.dice.pick(outside);
  }

  conversation(): string {
    return this.dice.pick(this.sim.conversations.list())?.id ?? "no-conversation";
  }

  webhook(): string {
    return this.dice.pick(this.sim.webhooks.list())?.id ?? "no-webhook";
  }

  passthrough(): unknown {
    const { dice } = this;
    return dice.pick([
      undefined,
      { "x-ticket": String(dice.below(100)) },
      { "x-long": "z".repeat(600), ticket: "1" },
      "x-a=1&x-c=%C3%BC",
      { "x-over": "z".repeat(1_001) },
    ]);
  }
}
