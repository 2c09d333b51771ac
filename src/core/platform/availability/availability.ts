import type { AvailabilityEvent, AvailabilityFact, AvailabilityInput } from "../../../../machines/index.ts";
import { CommandError } from "../../foundation/errors.ts";
import { exactDurationText } from "../../foundation/instants.ts";
import type { CallRecord } from "../../records/call.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import { theUser } from "../declare/description.ts";
import { guarded, type RecordGuard } from "../declare/record-guards.ts";
import { command, defineService, type Tasks } from "../declare/service.ts";
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
  type WrapUpArguments,
  wrapUpSchema,
} from "./commands.ts";
import { type WorkingHours, workingHoursOf } from "./working-hours.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
  readonly callRecords: CallRecords;
}

type HoursEvent = Extract<AvailabilityEvent, { type: "HOURS_BEGIN" | "HOURS_END" }>;

/** Knows who can be reached: users' availability and their registered endpoints. */
export class Availability {
  constructor(
    private readonly world: Needs,
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

  /** Starts following the working hours. Called at the start of a run. */
  begin(): void {
    for (const [userId, hours] of this.hours) {
      this.start(userId, { isOutOfHours: hours.at(this.world.engine.now).isOut });
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
    return entry.kind !== "team" && this.world.live.callOf(entry.record.id) === undefined;
  }

  /**
   * Sets a user's availability by hand. During a call it takes effect when the call is over. Outside working hours,
   * `available` lasts until the hours next begin or end.
   * @throws {CommandError} `invalid_argument` if the rule does not fit the status
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

  /** Whether a user may wrap up. @throws {CommandError} `not_found` for an unknown user */
  wrappingUp({ user: who, for: wrapUpMs }: WrapUpArguments) {
    const user = this.world.directory.user(who);
    const { machines } = this.world;
    const isRunning = machines.isRunning("availability", user.id);
    const event = { type: "WRAP_UP", wrapUpMs } as const;
    return { user, isAllowed: isRunning ? machines.can("availability", user.id, event) : isFree(user) };
  }

  /** A user stays busy for a while: after the call that they are on, or from now on. */
  wrapUp({ user: who, for: wrapUpMs }: WrapUpArguments): void {
    this.send(this.world.directory.user(who).id, { type: "WRAP_UP", wrapUpMs });
  }

  /** An endpoint, and the call that a user talks on there. @throws {CommandError} `not_found` for an unknown user */
  endpointInUse({ user: who, endpoint }: SetEndpointArguments) {
    const { id } = this.world.directory.user(who);
    return { user: id, endpoint, call: this.world.callRecords.connectedAt(id, endpoint) };
  }

  /**
   * Registers or unregisters an endpoint. A user without any is logged out. A ring in progress stops on an endpoint
   * that is unregistered, and does not extend to one that is registered.
   * @throws {CommandError} `not_found` for an unknown endpoint
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
    const isLoggedIn = user.endpoints.some((endpoint, at) =>
      at === index ? registered : endpoint.registered,
    );
    this.world.tables.users.update(user.id, (draft) => {
      const endpoint = draft.endpoints[index];
      if (endpoint !== undefined) endpoint.registered = registered;
      draft.loginStatus = isLoggedIn ? "loggedIn" : "loggedOut";
    });
    this.world.raise.entryChanged({ entryId: user.id });
    if (!registered) this.world.raise.endpointLost({ userId: user.id, endpointId });
    if (isLoggedIn !== (user.loginStatus === "loggedIn"))
      this.send(user.id, { type: isLoggedIn ? "LOG_IN" : "LOG_OUT" });
  }

  /**
   * Changes whether a user is invited, active or suspended. A user who is not active is offline and is not rung. A
   * call that the user is on goes on, and keeps them busy until it is over.
   */
  setUserStatus({ user: who, status }: SetUserStatusArguments): void {
    const user = this.world.directory.user(who);
    if (user.status === status) return;
    this.world.tables.users.patch(user.id, { status });
    this.world.raise.entryChanged({ entryId: user.id });
    if ((status === "active") !== (user.status === "active"))
      this.send(user.id, { type: status === "active" ? "ACTIVATE" : "DEACTIVATE" });
  }

  /** Whether the machine's new state differs from the user's record. */
  isNews(userId: string, { status, rule, reason, call }: AvailabilityFact): boolean {
    const before = this.world.tables.users.mustGet(userId).availability;
    return (
      before.status !== status ||
      before.notAvailableRule !== rule ||
      before.notAvailableReason !== reason ||
      before.callId !== call
    );
  }

  /** Writes the machine's new state into the user's record. */
  settled(userId: string, fact: AvailabilityFact): void {
    const { tables, engine } = this.world;
    const call = fact.call === null ? undefined : tables.calls.mustGet(fact.call);
    const availability = availabilityOf(fact, call, engine.now);
    const { callId, vendor, vendorCallId } = availability;
    tables.users.patch(userId, { availability, callId, vendor, vendorCallId });
  }

  /** A user as they are while a call rings them, for a platform that calls this busy. */
  asRinging(userId: string, call: CallRecord): UserRecord {
    const busy = { status: "busy", rule: "ringing", reason: null } as const;
    const availability = availabilityOf(busy, call, this.world.engine.now);
    return { ...this.world.tables.users.mustGet(userId), availability };
  }

  private send(userId: string, event: AvailabilityEvent): void {
    const { machines } = this.world;
    // started at first use, so that users who do nothing cost nothing
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
    const { machines, tables } = this.world;
    const user = tables.users.mustGet(userId);
    const isLoggedIn = wasLoggedIn ?? user.loginStatus === "loggedIn";
    const input: AvailabilityInput = { isLoggedIn, isOutOfHours, isActive: user.status === "active" };
    machines.start("availability", userId, { recordId: userId }, input);
  }

  /** Schedules the next beginning or end of a user's hours. Each user has one such item at a time. */
  private scheduleHours(userId: string): void {
    const { engine } = this.world;
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

/** The right to register an endpoint, or to unregister one on which the user does not talk. */
const unusedEndpoint: RecordGuard<
  Availability,
  SetEndpointArguments,
  ReturnType<Availability["endpointInUse"]>
> = {
  on: "endpoint",
  find: (it, args) => ({ ...it.endpointInUse(args), ...(args.registered ? { call: undefined } : {}) }),
  refusal: ({ user, endpoint, call }) =>
    call === undefined
      ? undefined
      : new CommandError(
          "busy",
          `${user} is on call ${call} at ${endpoint}: move the call or hang up before unregistering it`,
        ),
};

/** The right to wrap up: whoever is busy by choice or offline is not rung anyway. */
const reachable: RecordGuard<Availability, WrapUpArguments, ReturnType<Availability["wrappingUp"]>> = {
  on: "user",
  find: (it, args) => it.wrappingUp(args),
  refusal: ({ user: { id, availability }, isAllowed }) =>
    isAllowed
      ? undefined
      : new CommandError(
          "not_allowed",
          `${id} is ${availability.status} and cannot wrap up: that is for users who are available, on a call or wrapping up`,
        ),
};

/** Who can be reached. */
export const availability = defineService({
  constants: workingHoursOf,
  create: (world: Needs, _state, hours) => new Availability(world, hours),
  onStart: (it) => it.begin(),
  tasks: Availability.tasks,
  commands: {
    setAvailability: command(
      setAvailabilitySchema,
      theUser,
      ({ status, rule, reason }) => {
        const why = [rule, reason].filter((each) => each !== undefined).join(": ");
        return `sets availability to ${status}${why === "" ? "" : ` (${why})`}`;
      },
      (it: Availability, args) => it.setAvailability(args),
    ),
    setEndpoint: guarded(
      unusedEndpoint,
      command(
        setEndpointSchema,
        theUser,
        ({ endpoint, registered }) => `${registered ? "registers" : "unregisters"} ${endpoint}`,
        (it: Availability, args) => it.setEndpoint(args),
      ),
    ),
    setUserStatus: command(
      setUserStatusSchema,
      theUser,
      ({ status }) => (status === "active" ? "becomes active" : `is ${status}`),
      (it: Availability, args) => it.setUserStatus(args),
    ),
    wrapUp: guarded(
      reachable,
      command(
        wrapUpSchema,
        theUser,
        ({ for: forMs }) => `asks for ${exactDurationText(forMs)} of wrap-up`,
        (it: Availability, args) => it.wrapUp(args),
      ),
    ),
  },
});
