import { iso } from "../../core/foundation/instants.ts";
import type { ConversationRecord, PublicCallRecord, UserRecord } from "../../core/generated/records.ts";
import { toWire } from "../../core/platform/declare/wire-names.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/**
 * The platform's state at an instant, posted to the property URLs of a server under test, which compares it with its own.
 * Records are as in the REST API.
 */
export interface PlatformTruth {
  /** The instant, ISO 8601 in UTC. */
  readonly now: string;
  /** The calls that have not closed, in the order in which they started. */
  readonly calls: readonly PublicCallRecord[];
  /** Counts of what happened so far. */
  readonly totals: {
    /** How many calls there were, live ones included. */
    readonly calls: number;
    /** How many calls have closed, by `outcome.status`. */
    readonly outcomes: Readonly<Record<string, number>>;
    /** How many events there were, by type. */
    readonly events: Readonly<Record<string, number>>;
  };
  /** The users with their availability, in the order of the organisation. */
  readonly agents: readonly UserRecord[];
  /** All conversations, open or closed, in the order in which they began. */
  readonly conversations: readonly ConversationRecord[];
}

/** The present state of a world's platform. */
export function readPlatformState(simulator: Simulator): PlatformTruth {
  const outcomes: Record<string, number> = {};
  const events: Record<string, number> = {};
  const calls = simulator.calls.list();
  for (const { record } of calls) count(outcomes, record.outcome?.status);
  for (const { type } of simulator.events) count(events, type);
  return {
    now: iso(simulator.timestamp),
    calls: simulator.calls.live().map(({ record }) => record),
    totals: { calls: calls.length, outcomes, events },
    agents: simulator.users.list().map(({ record }) => record),
    conversations: simulator.conversations.list(),
  };
}

function count(counts: Record<string, number>, name: string | undefined): void {
  if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
}

/** The same as JSON, in the names of fields that the service writes. */
export function writePlatformState(simulator: Simulator): string {
  const { fieldNames } = simulator.services.settings.dialect;
  return JSON.stringify(toWire(readPlatformState(simulator), fieldNames));
}
