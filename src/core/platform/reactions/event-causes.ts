import type { DialReason, EventType } from "../../generated/records.ts";
import type { CommandName } from "../base/core-services.ts";
import type { CausesBesideCommands, EventDeclaration, InstantField } from "../base/define-events.ts";
import type { Purpose } from "../base/timers.ts";
import { dialReasons } from "../calls/record.ts";
import { commands } from "../catalogue/commands.ts";
import { events } from "../catalogue/events.ts";
import type { AnyCommand } from "../declare/any-command.ts";

/**
 * The reactions in reverse: what can bring each event and each dial about. `ringback/import` reads captures by this table.
 * Resources declare their events, `calls/record.ts` the reasons of dials, and commands what they can bring about.
 */

/** What can bring something about. */
export interface Causes extends Omit<CausesBesideCommands, "usualCommands"> {
  /** Commands that can. */
  readonly commands: readonly CommandName[];
}

/** What can bring an event about, and what its record tells. */
export type EventCauses = Causes & Pick<EventDeclaration, "instant" | "laws">;

/** How the field is written in documents, such as `call.answeredAt`. */
export function instantFieldText({ path }: InstantField): string {
  return `${path.replace(".[]", "[]")}At`;
}

/** Timers that do what a command does. */
const timersOfCommands: Partial<Record<CommandName, Purpose>> = {
  inbound: "traffic: next call",
  takeBackCall: "flow: takes the call back",
};

/** Adds the commands that declare that they can bring something about, and the timers that do the same. */
function addCommands<Cause extends string, Written extends CausesBesideCommands>(
  causes: Readonly<Record<Cause, Written>>,
  declaredBy: (command: AnyCommand) => readonly Cause[] | undefined,
): { readonly [Each in Cause]: Written & Causes } {
  const names = Object.keys(commands) as CommandName[];
  const entries = Object.entries<Written>(causes).map(([cause, causesBesideCommands]) => {
    const declared = names.filter((name) => declaredBy(commands[name])?.some((each) => each === cause));
    const timers = declared.flatMap((name) => timersOfCommands[name] ?? []);
    return [
      cause,
      {
        ...causesBesideCommands,
        commands: [...new Set([...(causesBesideCommands.usualCommands ?? []), ...declared])],
        timers: [...causesBesideCommands.timers, ...timers],
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** The causes of each event type. */
export const eventCauses: { readonly [Type in EventType]: EventCauses } = addCommands(
  events as Readonly<Record<EventType, EventDeclaration>>,
  ({ events }) => events,
);

/** The causes of each dial reason: why an endpoint rings. */
export const dialCauses: { readonly [Reason in DialReason]: Causes } = addCommands(
  dialReasons,
  ({ dials }) => dials,
);
