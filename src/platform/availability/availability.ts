import type { AvailabilityEvent, AvailabilityFact, AvailabilityInput } from "../../../machines/index.ts";
import type { AgendaItem } from "../../engine/agenda.ts";
import { CommandError } from "../../engine/errors.ts";
import type { About, Fact } from "../../engine/host.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { Platform } from "../platform.ts";
import { availabilityOf } from "./availability-record.ts";
import type { SetAvailabilityArguments, SetEndpointArguments, SetUserStatusArguments } from "./commands.ts";
import type { WorkingHours } from "./working-hours.ts";

type HoursEvent = Extract<AvailabilityEvent, { type: "HOURS_BEGIN" | "HOURS_END" }>;

/** Who can be reached: users' availability and the endpoints they are logged in on. */
export class AvailabilityService {
  constructor(
    private readonly platform: Platform,
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
      this.start(userId, { isOutOfHours: hours.at(this.platform.engine.now).isOut });
      this.scheduleHours(userId);
    }
  }

  /** Joins a call: busy until `leaveCall`. */
  joinCall(userId: string, callId: string): void {
    this.send(userId, { type: "JOIN_CALL", call: callId });
  }

  leaveCall(userId: string): void {
    this.send(userId, { type: "LEAVE_CALL", wrapUpMs: this.platform.behaviours.wrapUpMs(userId) });
  }

  /** A direct call rings a user who is active, available and logged in on an endpoint. */
  canRing(user: UserRecord): boolean {
    return user.status === "active" && user.availability.status === "available";
  }

  /**
   * Sets a user's availability by hand. On a call it takes effect when the call is over. Out of hours, `available` is
   * good until the user's hours begin or end next.
   * @throws {CommandError} `invalid_argument` for a rule that does not go with the status.
   */
  setAvailability({ user: who, status, rule, reason }: SetAvailabilityArguments): void {
    const user = this.platform.directory.user(who);
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
    const user = this.platform.directory.user(who);
    const index = user.endpoints.findIndex((endpoint) => endpoint.id === endpointId);
    if (index < 0) {
      const known = user.endpoints.map((endpoint) => endpoint.id).join(", ");
      throw new CommandError(
        "not_found",
        `${user.id} has no endpoint "${endpointId}"; known: ${known || "none"}`,
      );
    }
    if (user.endpoints[index]?.registered === registered) return;
    const busyOn = registered ? undefined : this.platform.calls.connectedAt(user.id, endpointId);
    if (busyOn !== undefined) {
      throw new CommandError(
        "busy",
        `${user.id} is on call ${busyOn} at ${endpointId}: move the call or hang up before unregistering it`,
      );
    }
    const isLoggedIn = user.endpoints.some((endpoint, at) =>
      at === index ? registered : endpoint.registered,
    );
    this.platform.tables.users.update(user.id, (draft) => {
      const endpoint = draft.endpoints[index];
      if (endpoint !== undefined) endpoint.registered = registered;
      draft.loginStatus = isLoggedIn ? "loggedIn" : "loggedOut";
    });
    if (!registered) this.platform.calls.loseEndpoint(user.id, endpointId);
    if (isLoggedIn !== (user.loginStatus === "loggedIn"))
      this.send(user.id, { type: isLoggedIn ? "LOG_IN" : "LOG_OUT" });
  }

  /**
   * Changes whether a user is invited, active or suspended. Availability is another matter and stays: who is not active
   * is not rung, whatever it says. A call that the user is on goes on.
   */
  setUserStatus({ user: who, status }: SetUserStatusArguments): void {
    const user = this.platform.directory.user(who);
    if (user.status === status) return;
    this.reachabilityChanged(this.platform.tables.users.patch(user.id, { status }));
  }

  /** Takes what a user's machine settled on; tells of it if it changed anything. */
  react(about: About, fact: Fact): void {
    const settled = fact as unknown as AvailabilityFact;
    const { tables, engine } = this.platform;
    const user = tables.users.mustGet(about.recordId);
    const before = user.availability;
    if (
      before.status === settled.status &&
      before.notAvailableRule === settled.rule &&
      before.notAvailableReason === settled.reason &&
      before.callId === settled.call
    )
      return;
    const call = settled.call === null ? undefined : tables.calls.mustGet(settled.call);
    const availability = availabilityOf(settled, call, engine.now);
    const { callId, vendor, vendorCallId } = availability;
    const changed = tables.users.patch(user.id, { availability, callId, vendor, vendorCallId });
    engine.publish("user.availability.updated", { user: changed });
    this.reachabilityChanged(changed);
  }

  /** A user may be free now, or no longer: teams count them, and calls wait for them or stop ringing. */
  private reachabilityChanged(user: UserRecord): void {
    const isFree = this.canRing(user);
    this.platform.teams.memberChanged(user.id, isFree);
    if (isFree) this.platform.teamOffers.memberFreed(user.id);
    else this.platform.calls.withdrawFrom(user.id);
  }

  private send(userId: string, event: AvailabilityEvent): void {
    const { host } = this.platform.engine;
    // started on first use: a user whom nothing happens to costs nothing
    if (!host.isRunning("availability", userId)) {
      const wasLoggedIn = event.type === "LOG_IN" ? false : event.type === "LOG_OUT" ? true : undefined;
      this.start(userId, { isOutOfHours: false, wasLoggedIn });
    }
    host.send("availability", userId, event);
  }

  /** @param from.wasLoggedIn when the record says otherwise by now */
  private start(
    userId: string,
    { isOutOfHours, wasLoggedIn }: { isOutOfHours: boolean; wasLoggedIn?: boolean | undefined },
  ): void {
    const { engine, tables } = this.platform;
    const isLoggedIn = wasLoggedIn ?? tables.users.mustGet(userId).loginStatus === "loggedIn";
    const input: AvailabilityInput = { isLoggedIn, isOutOfHours };
    engine.host.start("availability", userId, { recordId: userId }, input);
  }

  /** One item a user at a time: the next beginning or end of their hours. */
  private scheduleHours(userId: string): void {
    const { engine } = this.platform;
    const { isOut = false, nextMs } = this.hours.get(userId)?.at(engine.now) ?? {};
    if (nextMs === undefined) return;
    const event: HoursEvent = { type: isOut ? "HOURS_BEGIN" : "HOURS_END" };
    const purpose = `availability: working hours ${isOut ? "begin" : "end"}`;
    engine.scheduleBackground(nextMs - engine.now, "availability.hours", userId, purpose, event);
  }
}
