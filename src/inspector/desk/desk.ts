import type { CommandName } from "../../core/platform/base/core-services.ts";
import { grantedParties, possibleCommands } from "../../core/platform/catalogue/possible-commands.ts";
import { findConnection, nameOf, partyById } from "../../core/platform/live/parties.ts";
import type { Party } from "../../core/records/call.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/** Something that somebody can do now: a command with its arguments. */
export interface DeskButton {
  /** What it does, such as `Answer (desktop)`. */
  readonly label: string;
  readonly command: CommandName;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call that somebody is in. */
export interface DeskCall {
  readonly id: string;
  /** What they do there, such as `rings` or `talks`, and with whom. */
  readonly text: string;
  readonly buttons: readonly DeskButton[];
  /** Whether they may transfer it, or add somebody to it. */
  readonly canHandOver: boolean;
}

/** The phone of a person, of a device, or of everybody outside. */
export interface DeskPhone {
  /** A user's or device's id; `outside` for those who are outside. */
  readonly id: string;
  readonly name: string;
  /** Their extension and numbers. */
  readonly about: string;
  /** What they are doing, such as `Available`. */
  readonly state: string;
  readonly calls: readonly DeskCall[];
  /** What they can do besides what belongs to a call. */
  readonly buttons: readonly DeskButton[];
}

/** Someone who can be dialled. */
export interface DeskTarget {
  /** A number or an extension. */
  readonly target: string;
  readonly name: string;
}

/** All phones of a run, with what each can do now. */
export interface Desk {
  readonly title: string;
  /** Virtual time, ISO 8601 in UTC. */
  readonly now: string;
  readonly timestamp: number;
  /** The organisation's time zone. */
  readonly timezone: string;
  readonly phones: readonly DeskPhone[];
  /** Whom people outside can call. */
  readonly numbers: readonly DeskTarget[];
  /** Whom people inside can call by extension. */
  readonly extensions: readonly DeskTarget[];
}

/** The phone of everybody who is outside. */
const OUTSIDE = "outside";

/** What people do by a button, and its label. */
const labels: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => string>> = {
  answer: ({ endpoint }) => (endpoint === undefined ? "Answer" : `Answer (${endpoint})`),
  decline: () => "Decline",
  hangup: () => "Hang up",
  move: ({ to }) => `Move to ${to}`,
  leaveVoicemail: () => "Leave a message",
};
const commandNames = Object.keys(labels) as CommandName[];

/** What each phone of a run shows and can do now. */
export function makeDesk(simulator: Simulator): Desk {
  const { organisation } = simulator.options;
  const places = simulator.calls.live().flatMap(({ id }) => listPlaces(simulator, id));
  const people = [...simulator.users.list(), ...simulator.devices.list()].map(({ record }) => record);
  const inside = people.map((record): DeskPhone => {
    const { id, displayName, extension, phoneNumbers } = record;
    const own = places.filter(({ phone }) => phone === id).map(({ call }) => call);
    return {
      ...{ id, name: displayName, about: [extension, ...phoneNumbers].filter(Boolean).join(" · ") },
      state: "availability" in record ? record.availability.availabilitySummary : "",
      calls: own,
      buttons: "availability" in record ? [availabilityButton(id, record.availability.notAvailableRule)] : [],
    };
  });
  const owners = [...people, ...simulator.teams.list().map(({ record }) => record)];
  const ids = new Set(people.map(({ id }) => id));
  const outside: DeskPhone = {
    ...{ id: OUTSIDE, name: "Outside", about: "Everybody who is not in the organisation", state: "" },
    calls: places.filter(({ phone }) => !ids.has(phone)).map(({ call }) => call),
    buttons: [],
  };
  return {
    title: organisation.name ?? organisation.id,
    now: simulator.now.toISO() ?? "",
    timestamp: simulator.timestamp,
    timezone: organisation.timezone ?? "UTC",
    phones: [outside, ...inside],
    numbers: owners.flatMap(({ phoneNumbers, displayName }) =>
      phoneNumbers.map((target) => ({ target, name: displayName })),
    ),
    extensions: owners.flatMap(({ extension, displayName }) =>
      extension === null ? [] : [{ target: extension, name: displayName }],
    ),
  };
}

function availabilityButton(user: string, rule: string | null): DeskButton {
  const isAway = rule === "doNotDisturb";
  return {
    label: isAway ? "Take calls again" : "Do not disturb",
    command: "setAvailability",
    args: { user, status: isAway ? "available" : "busy" },
  };
}

/** A call as one of its parties sees it, and whose phone shows it. */
interface Place {
  readonly phone: string;
  readonly call: DeskCall;
}

/** The phones that a live call rings or is on, the caller's also while they wait. */
function listPlaces({ services }: Simulator, id: string): Place[] {
  const record = services.callRecords.get(id);
  const live = services.live.mustGet(id);
  const possible = possibleCommands(services, commandNames).filter(({ args }) => args.call === id);
  const mayHandOver = grantedParties(services, "transfer").filter(({ call }) => call === id);
  const ringing = live.rings.map(({ partyId }) => partyById(record, partyId));
  const caller = record.parties.find((party) => party.id === live.callerPartyId);
  const talking = record.parties.filter((party) => findConnection(record, party.id) !== undefined);
  const present = [...new Set([...(caller === undefined ? [] : [caller]), ...talking, ...ringing])];
  return present.flatMap((party): Place[] => {
    if (party.type === "voicemail") return [];
    const others = (parties: readonly Party[]) =>
      parties
        .filter((each) => each !== party)
        .map(partyText)
        .join(", ");
    const text = ringing.includes(party)
      ? `rings: ${others(present.filter((each) => !ringing.includes(each)))}`
      : others(talking) !== ""
        ? `talks with ${others(talking)}`
        : ringing.length > 0
          ? `calls ${others(ringing)}`
          : "waits";
    const by = party === caller ? "caller" : nameOf(party);
    const buttons = possible
      .filter(({ args }) => args.by === by)
      .map(({ name, args }) => makeButton(name, args));
    const canHandOver = mayHandOver.some((granted) => granted.by === by);
    return [
      { phone: party.entryId ?? OUTSIDE, call: { id, text, buttons: withoutRepeats(buttons), canHandOver } },
    ];
  });
}

function makeButton(command: CommandName, args: DeskButton["args"]): DeskButton {
  // everything that rings stops
  const { endpoint: _, ...everywhere } = args;
  return {
    label: labels[command]?.(args) ?? command,
    command,
    args: command === "decline" ? everywhere : args,
  };
}

function withoutRepeats(buttons: readonly DeskButton[]): DeskButton[] {
  return [...new Map(buttons.map((button) => [button.label, button])).values()];
}

function partyText({ displayName, phoneNumber }: Party): string {
  return phoneNumber === null || displayName === phoneNumber ? displayName : `${displayName} ${phoneNumber}`;
}
