import type { Engine } from "../../engine/engine.ts";
import type { MachineHost } from "../../engine/machine-host.ts";
import type { CommandInputs, CommandResults, Organisation } from "../../generated/inputs.ts";
import type { NetworkPorts } from "../../network/network.ts";
import type { AnyCommands } from "../declare/any-command.ts";
import type { Assumptions } from "../declare/assumptions.ts";
import type { ProfileName } from "../declare/profile.ts";
import type { Dialect, SendRequest, TimingMs, WriteBody } from "../declare/settings.ts";
import type { Urls } from "../declare/urls.ts";
import type { WebhookSettings } from "../declare/webhook-settings.ts";
import type { Client } from "../organisation/clients.ts";
import type { PhoneNumberReader } from "../organisation/contact-numbers.ts";
import { tableMakers } from "../parts/parts.ts";
import type { MachineTypes } from "./machine-types.ts";
import type { Purpose } from "./timers.ts";

/** The arguments of commands, in any form: `fault` and `send` take what their old names take. */
interface FormInputs extends Omit<CommandInputs, "fault" | "sendConversationMessage"> {
  /** By rule, by chance, or of the REST API. */
  readonly fault:
    | CommandInputs["fault"]
    | CommandInputs["conditions"]
    | (CommandInputs["restFault"] & { readonly path: string });
  /** The body of `POST /conversationMessages`, `POST /messages` or `POST /teamMessages`. */
  readonly sendConversationMessage:
    | CommandInputs["sendConversationMessage"]
    | CommandInputs["sendMessage"]
    | CommandInputs["sendTeamMessage"];
}

/** The names of all commands, as `sim.command`, scenarios and journals use them. */
export type CommandName = keyof CommandInputs;
/** The arguments of a command, as its method and a scenario's step take them. */
export type CommandInput<Name extends CommandName> = FormInputs[Name];
/** The result of a command: the id of what it makes, if it makes anything. */
export type CommandResult<Name extends CommandName> = CommandResults[Name];

/** What never changes during a run. */
export interface Settings {
  /** The whole organisation: the same object in simulators with the same options. */
  readonly organisation: Organisation;
  readonly organisationId: string;
  /** The account from which an application's calls come; undefined if any is accepted. */
  readonly accountId: string | undefined;
  /** Whose account with the carrier the organisation uses. */
  readonly vendorAccount: "own" | "service";
  /** The country of contacts' local numbers, if their phonebook has none. */
  readonly countryIso: string | undefined;
  /** Reads contacts' numbers that are not E.164; undefined without a reader. */
  readonly phoneNumbers: PhoneNumberReader | undefined;
  readonly timing: TimingMs;
  /** What the platform does where its documentation is silent. */
  readonly assume: Assumptions;
  /** The profile whose shapes bodies have; undefined for the documented ones. */
  readonly profile: ProfileName | undefined;
  readonly dialect: Dialect;
  /** Writes the bodies of webhooks; undefined for the usual bodies. */
  readonly writeBody: WriteBody | undefined;
  /** Makes the requests of webhooks; undefined for the usual ones. */
  readonly sendRequest: SendRequest | undefined;
  /** The ids of events that a dialect left out in the run that is replayed, for a replay without its function. */
  readonly leftOut: Set<string>;
  readonly features: Required<NonNullable<Organisation["features"]>>;
  readonly tariff: Organisation["tariff"];
  readonly dataActions: NonNullable<Organisation["dataActions"]>;
  readonly network: Pick<NetworkPorts, "unrouted" | "latency" | "order">;
  readonly webhooks: WebhookSettings;
  /** Whether endpoints may be at local and private hosts. */
  readonly allowLocal: boolean;
  /** What happens to a key that a body of the REST API may not have. */
  readonly unknownKeys: "refuse" | "ignore";
  /** The secret with which the carrier signs its requests. */
  readonly vendorSecret: string;
  /** What URLs in answers begin with. It changes only when a server moves the platform to its own address. */
  urls: Urls;
  /** The clients that may ask for access tokens. */
  readonly clients: readonly Client[];
  /** How many finished records of each kind to keep; the oldest are dropped first. As many deliveries as requests. */
  readonly keep: Readonly<
    Record<"calls" | "conversations" | "analyses" | "notifications" | "requests", number>
  >;
}

/** The tables of all parts. A table that only one service reads is in that service's state. */
export type Tables = {
  readonly [Name in keyof typeof tableMakers]: ReturnType<(typeof tableMakers)[Name]>;
};

const noTables = Object.fromEntries(Object.keys(tableMakers).map((name) => [name, undefined]));

/** Makes all tables, empty. */
export function newTables(): Tables {
  // spreading an object with all names takes a third of the time of adding names one by one
  const tables: Record<string, unknown> = { ...noTables };
  for (const [name, make] of Object.entries<() => unknown>(tableMakers)) tables[name] = make();
  // the loop has set each name
  return tables as unknown as Tables;
}

/**
 * A method for each domain event, such as `raise.offerReady({ offer })`. `reactions/reactions.ts` declares them from its
 * lists, so "go to definition" on a method leads to the reactions.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the room of the reactions, which adds its methods, may not be imported here
export interface Raise {}

/** What every service gets. Its `Needs` adds the services above it in the list that it calls. */
export interface CoreServices {
  readonly engine: Engine<MachineTypes, Purpose>;
  /** The running machines, by name and id. `reactions/` lists what follows from their facts. */
  readonly machines: MachineHost<MachineTypes>;
  readonly tables: Tables;
  readonly settings: Settings;
  /** Every command, as it is declared. */
  readonly commands: AnyCommands;
  /** Raises domain events. All reactions to one have run when its method returns. */
  readonly raise: Raise;
  /**
   * Runs a command as a step of its own, like a command from outside.
   * @throws {CommandError} if its arguments are wrong or the state does not allow it; nothing has changed
   */
  command<Name extends CommandName>(name: Name, input: CommandInput<Name>): CommandResult<Name>;
  /**
   * As `command`, with arguments that an operation of the REST API has read and checked: durations are in ms.
   * @throws {CommandError} if the state does not allow it; nothing has changed
   */
  runValidated<Name extends CommandName>(name: Name, args: CommandInput<Name>): CommandResult<Name>;
  /** Runs a command inside the current step, with arguments that are already read: durations are in ms. */
  perform<Name extends CommandName>(name: Name, args: CommandInput<Name>): CommandResult<Name>;
  /** Called before each command that is given here, with the arguments that were read. */
  readonly onCommand?: ((name: string, args: unknown) => void) | undefined;
}
