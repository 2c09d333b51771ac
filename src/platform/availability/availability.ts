import type { AvailabilityEvent, AvailabilityFact, AvailabilityInput } from "../../../machines/index.ts";
import type { AgendaItem } from "../../engine/agenda.ts";
import { CommandError } from "../../engine/errors.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { Base } from "../base.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import { capability, command } from "../capability.ts";
import type { Directory, Entry } from "../directory/directory.ts";
import type { LiveCalls } from "../live/live-calls.ts";
import { availabilityOf } from "./availability-record.ts";
import {
  type SetAvailabilityArguments,
  type SetEndpointArguments,
  type SetUserStatusArguments,
  setAvailabilitySchema,
  setEndpointSchema,
  setUserStatusSchema,
} from "./commands.ts";
import { type WorkingHours, workingHoursOf } from "./working-hours.ts";

export interface Needs extends Base {
  readonly directory: Directory;
  readonly live: LiveCalls;
  readonly callRecords: CallRecords;
}

type HoursEvent = Extract<AvailabilityEvent, { type: "HOURS_BEGIN" | "HOURS_END" }>;

/** Who can be reached: users' availability and the endpoints they are logged in on. */
export class Availability {
  constructor(
    private readonly world: Needs,
    /** Of the users who have any. */
    readonly hours: ReadonlyMap<string, WorkingHours>,
  ) {}

  /** The handlers of what this schedules. */
  readonly tasks = {
    "availability.hours": ({ recordId, data }: AgendaItem) => {
      this.send(recordId, data as HoursEvent);
      this.scheduleHours(recordId);
    },
  };

  /** At the start of a run: from here on working hours come and go. */
  begin(): void {
    for (const [userId, hours] of this.hours) {
      this.start(userId, { isOutOfHours: hours.at(this.world.engine.now).isOut });
      this.scheduleHours(userId);
    }
  }

  /** Joins a call: busy until `leaveCall`. */
  joinCall(userId: string, callId: string): void {
    this.send(userId, { type: "JOIN_CALL", call: callId });
  }

  /** Leaves a call: busy for `wrapUpMs` more. */
  leaveCall(userId: string, wrapUpMs: number): void {
    this.send(userId, { type: "LEAVE_CALL", wrapUpMs });
  }

  /** A direct call can ring a user who is active and available, and what else is not on a call; no team as a whole. */
  canRing(entry: Entry): boolean {
    if (entry.kind === "user") return isFree(entry.record);
    return entry.kind !== "team" && this.world.live.callOf(entry.record.id) === undefined;
  }

  /**
   * Sets a user's availability by hand. On a call it takes effect when the call is over. Out of hours, `available` is
   * good until the user's hours begin or end next.
   * @throws {CommandError} `invalid_argument` for a rule that does not go with the status.
   */
  setAvailability({ user: who, status, rule, reason }: SetAvailabilityArguments): void {
    const user = this.world.directory.user(who);
    if (status === "available" && (rule !== undefined || reason !== undefined)) {
      throw new CommandError(
        "invalid_argument",
        "setAvailability: rule and reason go with busy or offline, not with available",
      );
    }
    const usual = status === "busy" ? "doNotDisturb" : status === "offline" ? "loggedOut" : null;
    this.send(user.id, { type: "CHOOSE", chosen: { status, rule: rule ?? usual, reason: reason ?? null } });
  }

  /**
   * Registers or unregisters an endpoint. Without any a user is logged out. A ring in progress loses an endpoint that
   * goes, and does not gain one that comes.
   * @throws {CommandError} `not_found` for an unknown endpoint, `busy` while the user talks on it.
   */
  setEndpoint({ user: who, endpoint: endpointId, registered }: SetEndpointArguments): void {
    const user = this.world.directory.user(who);
    const index = user.endpoints.findIndex((endpoint) => endpoint.id === endpointId);
    if (index < 0) {
      const known = user.endpoints.map((endpoint) => endpoint.id).join(", ");
      throw new CommandError(
        "not_found",
        `${user.id} has no endpoint "${endpointId}"; known: ${known || "none"}`,
      );
    }
    if (user.endpoints[index]?.registered === registered) return;
    const busyOn = registered ? undefined : this.world.callRecords.connectedAt(user.id, endpointId);
    if (busyOn !== undefined) {
      throw new CommandError(
        "busy",
        `${user.id} is on call ${busyOn} at ${endpointId}: move the call or hang up before unregistering it`,
      );
    }
    const isLoggedIn = user.endpoints.some((endpoint, at) =>
      at === index ? registered : endpoint.registered,
    );
    this.world.tables.users.update(user.id, (draft) => {
      const endpoint = draft.endpoints[index];
      if (endpoint !== undefined) endpoint.registered = registered;
      draft.loginStatus = isLoggedIn ? "loggedIn" : "loggedOut";
    });
    this.world.tell("entryChanged", { entryId: user.id });
    if (!registered) this.world.tell("endpointLost", { userId: user.id, endpointId });
    if (isLoggedIn !== (user.loginStatus === "loggedIn"))
      this.send(user.id, { type: isLoggedIn ? "LOG_IN" : "LOG_OUT" });
  }

  /**
   * Changes whether a user is invited, active or suspended. Who is not active is offline, and is not rung. A call that the
   * user is on goes on, and keeps them busy until it is over.
   */
  setUserStatus({ user: who, status }: SetUserStatusArguments): void {
    const user = this.world.directory.user(who);
    if (user.status === status) return;
    this.world.tables.users.patch(user.id, { status });
    this.world.tell("entryChanged", { entryId: user.id });
    if ((status === "active") !== (user.status === "active"))
      this.send(user.id, { type: status === "active" ? "ACTIVATE" : "DEACTIVATE" });
  }

  /** Whether what a user's machine settled on is news. */
  isNews(userId: string, { status, rule, reason, call }: AvailabilityFact): boolean {
    const before = this.world.tables.users.mustGet(userId).availability;
    return (
      before.status !== status ||
      before.notAvailableRule !== rule ||
      before.notAvailableReason !== reason ||
      before.callId !== call
    );
  }

  /** Writes what a user's machine settled on into their record. */
  settled(userId: string, fact: AvailabilityFact): void {
    const { tables, engine } = this.world;
    const call = fact.call === null ? undefined : tables.calls.mustGet(fact.call);
    const availability = availabilityOf(fact, call, engine.now);
    const { callId, vendor, vendorCallId } = availability;
    tables.users.patch(userId, { availability, callId, vendor, vendorCallId });
  }

  private send(userId: string, event: AvailabilityEvent): void {
    const { machines } = this.world;
    // started on first use: a user whom nothing happens to costs nothing
    if (!machines.isRunning("availability", userId)) {
      const wasLoggedIn = event.type === "LOG_IN" ? false : event.type === "LOG_OUT" ? true : undefined;
      this.start(userId, { isOutOfHours: false, wasLoggedIn });
    }
    machines.send("availability", userId, event);
  }

  /** @param from.wasLoggedIn when the record says otherwise by now */
  private start(
    userId: string,
    { isOutOfHours, wasLoggedIn }: { isOutOfHours: boolean; wasLoggedIn?: boolean | undefined },
  ): void {
    const { machines, tables } = this.world;
    const user = tables.users.mustGet(userId);
    const isLoggedIn = wasLoggedIn ?? user.loginStatus === "loggedIn";
    const input: AvailabilityInput = { isLoggedIn, isOutOfHours, isActive: user.status === "active" };
    machines.start("availability", userId, { recordId: userId }, input);
  }

  /** One item a user at a time: the next beginning or end of their hours. */
  private scheduleHours(userId: string): void {
    const { engine } = this.world;
    const { isOut = false, nextMs } = this.hours.get(userId)?.at(engine.now) ?? {};
    if (nextMs === undefined) return;
    const event: HoursEvent = { type: isOut ? "HOURS_BEGIN" : "HOURS_END" };
    const purpose = `availability: working hours ${isOut ? "begin" : "end"}`;
    engine.scheduleBackground(nextMs - engine.now, "availability.hours", userId, purpose, event);
  }
}

/** A user whom calls can ring. */
export function isFree(user: UserRecord): boolean {
  return user.status === "active" && user.availability.status === "available";
}

/** Who can be reached. */
export const availability = capability({
  fixed: workingHoursOf,
  make: (world: Needs, _state, hours) => new Availability(world, hours),
  start: (it) => it.begin(),
  tasks: (it) => it.tasks,
  commands: {
    setAvailability: command(setAvailabilitySchema, (it: Availability, args) => it.setAvailability(args)),
    setEndpoint: command(setEndpointSchema, (it: Availability, args) => it.setEndpoint(args)),
    setUserStatus: command(setUserStatusSchema, (it: Availability, args) => it.setUserStatus(args)),
  },
});
