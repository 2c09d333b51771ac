import type {
  AvailabilityEvent,
  AvailabilityFact,
  AvailabilityInput,
} from "../../../../machines/availability.ts";
import type { CallRecord } from "../../records/call.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService, type Tasks } from "../declare/service.ts";
import { type Entry, endpointsOf } from "../directory/directory.ts";
import type { LiveCalls } from "../live/live-calls.ts";
import { makeAvailability } from "./availability-record.ts";
import { readWorkingHours, type WorkingHours } from "./working-hours.ts";

export interface Needs extends CoreServices {
  readonly live: LiveCalls;
}

type HoursEvent = Extract<AvailabilityEvent, { type: "HOURS_BEGIN" | "HOURS_END" }>;

/** Who can be rung: users' availability and their registered endpoints. */
export class Availability {
  constructor(
    private readonly services: Needs,
    /** The working hours of users who have any. */
    readonly hours: ReadonlyMap<string, WorkingHours>,
  ) {}

  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<Availability> = {
    "availability.hours": (it, { recordId, data }) => {
      it.send(recordId, data as HoursEvent);
      it.scheduleHours(recordId);
    },
  };

  /** Schedules the working hours of all users, at the start of a run. */
  followHours(): void {
    for (const [userId, hours] of this.hours) {
      this.start(userId, { isOutOfHours: hours.at(this.services.engine.now).isOut });
      this.scheduleHours(userId);
    }
  }

  /** A user joins a call and is busy until `leaveCall`. */
  joinCall(userId: string, callId: string): void {
    this.send(userId, { type: "JOIN_CALL", call: callId });
  }

  /** A user leaves a call and stays busy for `wrapUpMs`. */
  leaveCall(userId: string, wrapUpMs: number): void {
    this.send(userId, { type: "LEAVE_CALL", wrapUpMs });
  }

  /**
   * Whether a direct call can ring an entry: an active and available user, or a device that is not on a call. Never a
   * team.
   */
  canRing(entry: Entry): boolean {
    if (entry.kind === "user") return isFree(entry.record);
    return entry.kind !== "team" && this.services.live.callOf(entry.record.id) === undefined;
  }

  /** Why a direct call cannot ring an entry, as in `busy` or `out of hours`; undefined if it can, and for teams. */
  unreachable(entry: Entry): string | undefined {
    if (entry.kind === "team") return undefined;
    if (!this.canRing(entry)) return entry.kind === "user" ? unreachableUser(entry.record) : "busy";
    return endpointsOf(entry).length > 0 ? undefined : "without a registered endpoint";
  }

  /** Whether the machine's new state differs from the user's record. */
  isChange(userId: string, { status, rule, reason, call }: AvailabilityFact): boolean {
    const before = this.services.tables.users.mustGet(userId).availability;
    return (
      before.status !== status ||
      before.notAvailableRule !== rule ||
      before.notAvailableReason !== reason ||
      before.callId !== call
    );
  }

  /** Writes the machine's new state into the user's record. */
  writeRecord(userId: string, fact: AvailabilityFact): void {
    const { tables, engine } = this.services;
    const call = fact.call === null ? undefined : tables.calls.mustGet(fact.call);
    const availability = makeAvailability(fact, call, engine.now);
    const { callId, vendor, vendorCallId } = availability;
    tables.users.patch(userId, { availability, callId, vendor, vendorCallId });
  }

  /** A user's record as busy with ringing, for a platform that counts ringing as busy. */
  ringingUser(userId: string, call: CallRecord): UserRecord {
    const busy = { status: "busy", rule: "ringing", reason: null } as const;
    const availability = makeAvailability(busy, call, this.services.engine.now);
    return { ...this.services.tables.users.mustGet(userId), availability };
  }

  /** Sends an event to a user's machine. */
  send(userId: string, event: AvailabilityEvent): void {
    const { machines } = this.services;
    // started on first use, so that users who do nothing cost nothing
    if (!machines.isRunning("availability", userId)) {
      const wasLoggedIn = event.type === "LOG_IN" ? false : event.type === "LOG_OUT" ? true : undefined;
      this.start(userId, { isOutOfHours: false, wasLoggedIn });
    }
    machines.send("availability", userId, event);
  }

  /** @param from.wasLoggedIn set if the record has already changed */
  private start(
    userId: string,
    { isOutOfHours, wasLoggedIn }: { isOutOfHours: boolean; wasLoggedIn?: boolean | undefined },
  ): void {
    const { machines, tables } = this.services;
    const user = tables.users.mustGet(userId);
    const isLoggedIn = wasLoggedIn ?? user.loginStatus === "loggedIn";
    const input: AvailabilityInput = { isLoggedIn, isOutOfHours, isActive: user.status === "active" };
    machines.start("availability", userId, { recordId: userId }, input);
  }

  /** Schedules the next beginning or end of a user's hours. Each user has one such item at a time. */
  private scheduleHours(userId: string): void {
    const { engine } = this.services;
    const { isOut = false, nextMs } = this.hours.get(userId)?.at(engine.now) ?? {};
    if (nextMs === undefined) return;
    const event: HoursEvent = { type: isOut ? "HOURS_BEGIN" : "HOURS_END" };
    const purpose = `availability: working hours ${isOut ? "begin" : "end"}` as const;
    engine.schedule(nextMs - engine.now, "availability.hours", userId, purpose, event, true);
  }
}

/** Whether calls can ring a user. */
export function isFree(user: UserRecord): boolean {
  return user.status === "active" && user.availability.status === "available";
}

/** Why a user who is not free cannot be rung. */
function unreachableUser({ status, availability }: UserRecord): string {
  if (status !== "active") return status;
  if (availability.status === "busy") return "busy";
  if (availability.notAvailableRule === "outOfHours") return "out of hours";
  return availability.notAvailableRule === "loggedOut" ? "logged out" : "offline";
}

/** Who can be rung. */
export const availabilityService = defineService({
  constants: readWorkingHours,
  create: (services: Needs, _state, hours) => new Availability(services, hours),
  onStart: (it) => it.followHours(),
  tasks: Availability.tasks,
});
