import type { AvailabilityEvent, AvailabilityFact } from "../../../machines/index.ts";
import { CommandError } from "../../engine/errors.ts";
import type { About, Fact } from "../../engine/host.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { Platform } from "../platform.ts";
import { availabilityOf } from "./availability-record.ts";
import type { SetAvailabilityArguments, SetEndpointArguments, SetUserStatusArguments } from "./commands.ts";

const machineKey = (userId: string) => `availability:${userId}`;

/** Who can be reached: users' availability and the endpoints they are logged in on. Decisions, section 5. */
export class AvailabilityService {
  constructor(private readonly platform: Platform) {}

  /** Joins a call: busy until `leaveCall`. */
  joinCall(userId: string, callId: string): void {
    this.send(userId, { type: "JOIN_CALL", call: callId });
  }

  leaveCall(userId: string): void {
    this.send(userId, { type: "LEAVE_CALL" });
  }

  /** A direct call rings a user who is active, available and logged in on an endpoint. */
  canRing(user: UserRecord): boolean {
    return user.status === "active" && user.availability.status === "available";
  }

  /**
   * Sets a user's availability by hand. On a call it takes effect when the call is over.
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
    const key = machineKey(userId);
    // started on first use: a user whom nothing happens to costs nothing
    if (!host.isRunning(key)) {
      const user = this.platform.tables.users.mustGet(userId);
      const wasLoggedIn =
        event.type === "LOG_IN" ? false : event.type === "LOG_OUT" ? true : user.loginStatus === "loggedIn";
      host.start("availability", key, { recordId: userId }, { isLoggedIn: wasLoggedIn });
    }
    host.send(key, event);
  }
}
