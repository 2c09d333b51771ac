import { measuredCauses } from "../../generated/causes.ts";
import type { DialReason, EventType } from "../../generated/records.ts";
import type { CommandName } from "../base/core-services.ts";
import type { CauseDeclaration, EventDeclaration, InstantField } from "../base/define-events.ts";
import type { Purpose } from "../base/timers.ts";
import { dialReasons } from "../calls/record.ts";
import { events } from "../catalogue/events.ts";

/**
 * The reactions in reverse: what can bring each event and each dial about. `ringback/import` reads captures by this table.
 * Commands and timers are those that did so in the runs of `test/core/platform/reactions.test.ts`; others may exist.
 * Resources declare the settings of their events, `calls/record.ts` those of dials.
 */

/** The commands and timers that brought something about in a run. */
interface MeasuredCauses {
  readonly commands: readonly CommandName[];
  /** Items of the agenda. */
  readonly timers: readonly Purpose[];
}

/** What can bring something about. */
export type Causes = MeasuredCauses & Pick<CauseDeclaration, "settings">;

/** What can bring an event about, and what its record tells. */
export type EventCauses = Causes & Pick<EventDeclaration, "instant" | "laws">;

/** How the field is written in documents, such as `call.answeredAt`. */
export function instantFieldText({ path }: InstantField): string {
  return `${path.replace(".[]", "[]")}At`;
}

/** What was measured. A type that is new has no entry until `npm run accept` writes it. */
const measured: {
  readonly events: { readonly [Type in EventType]?: MeasuredCauses };
  readonly dials: { readonly [Reason in DialReason]?: MeasuredCauses };
} = measuredCauses;
const nothing: MeasuredCauses = { commands: [], timers: [] };

/** Sorts what a declaration lists first to the beginning. */
function sortFirst<Cause extends string>(
  causes: readonly Cause[],
  { listedFirst = [] }: CauseDeclaration,
): Cause[] {
  const first = listedFirst.flatMap((each) => causes.filter((cause) => cause === each));
  return [...first, ...causes.filter((cause) => !first.includes(cause))];
}

/** Adds the measured causes to what is declared. */
function addMeasured<Cause extends string, Declared extends CauseDeclaration>(
  declarations: Readonly<Record<Cause, Declared>>,
  measured: { readonly [Each in Cause]?: MeasuredCauses },
): { readonly [Each in Cause]: Declared & Causes } {
  const entries = Object.entries<Declared>(declarations).map(([cause, declared]) => {
    const { commands, timers } = measured[cause as Cause] ?? nothing;
    const all = [...(declared.begunBy ?? []), ...commands];
    return [cause, { ...declared, commands: sortFirst(all, declared), timers: sortFirst(timers, declared) }];
  });
  return Object.fromEntries(entries);
}

/** The causes of each event type. */
export const eventCauses: { readonly [Type in EventType]: EventCauses } = addMeasured(
  events as Readonly<Record<EventType, EventDeclaration>>,
  measured.events,
);

/** The causes of each dial reason: why an endpoint rings. */
export const dialCauses: { readonly [Reason in DialReason]: Causes } = addMeasured(
  dialReasons,
  measured.dials,
);
