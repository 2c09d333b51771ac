import { isDeepStrictEqual } from "node:util";
import { Ids } from "../../src/core/foundation/ids.ts";
import { durationText, iso } from "../../src/core/foundation/instants.ts";
import { Randomness } from "../../src/core/foundation/random.ts";
import { createSimulator, type Simulator } from "../../src/index.ts";

const startMs = Date.parse("2026-07-01T00:00:00Z");
const ringMs = 6_000;
const talkMs = 60_000;

/**
 * The floor: the same seven events of a plain answered call, with the same ids and frozen records, written by hand
 * without clock, machines, tables or journal. Nothing with these records can cost less; `check` compares them.
 */
export class Floor {
  readonly events: object[] = [];
  private readonly ids = new Ids("nanoid", new Randomness(1));
  private nowMs = startMs;

  /** @param user the record of the user who answers, as in events */
  constructor(private readonly user: Readonly<Record<string, unknown>>) {}

  /** @throws if these events differ from those of a simulator's first calls */
  static check(play: (simulator: Simulator, count: number) => void): Floor {
    const simulator = createSimulator();
    play(simulator, 2);
    const events = [...simulator.events];
    const [user] = events.flatMap(({ type, data }) =>
      type === "user.availability.updated" ? [data.user] : [],
    );
    const floor = new Floor({ ...user });
    floor.call();
    floor.call();
    // a field that is null in these calls is no work, so a new one needs no line here
    const said = (event: unknown) => JSON.parse(JSON.stringify(event, (_, value) => value ?? undefined));
    for (const [index, event] of events.entries())
      if (!isDeepStrictEqual(said(event), said(floor.events[index])))
        throw new Error(
          `event ${index}, ${event.type}: the floor has ${JSON.stringify(floor.events[index])}, the simulator ${JSON.stringify(event)}`,
        );
    return floor.again();
  }

  /** Makes a new one in its first state. */
  again(): Floor {
    return new Floor(this.user);
  }

  call(): void {
    const { ids, user } = this;
    const startedAt = this.now();
    const id = ids.next("call");
    const vendorCallId = ids.next("vendor-call");
    const caller = Object.freeze({
      id: ids.next("party"),
      type: "external",
      isInternal: false,
      displayName: "Jane Smith",
      phoneNumber: "+6421555001",
      extension: null,
      email: null,
      tariff: null,
      dials: none,
    });
    const summary = (outcome: string) =>
      Object.freeze({
        header: "Inbound call from Jane Smith to Alice Ng",
        contactNumberDescription: "Jane Smith (+6421555001)",
        companyNumberDescription: "Alice Ng (+6495550100)",
        outcome,
      });
    const began: Call = {
      ...{ id, vendorCallId, startedAt, lastModifiedAt: startedAt, answeredAt: null, endedAt: null },
      ...{ status: "started", outcome: null, parties: Object.freeze([caller]), connections: none },
      ...{ summary: summary("In progress"), assignedUser: null, target: undefined },
    };
    this.publish("call.started", { call: callRecord(began) });
    const dials = ["mobile", "desktop"].map((endpoint) => dial(endpoint, startedAt, ids.next("vendor-call")));
    const callee = { id: ids.next("party"), user };
    // the version of the record while it rings
    callRecord({ ...began, parties: Object.freeze([caller, party(callee, Object.freeze(dials))]) });
    this.nowMs += ringMs;
    const answeredAt = this.now();
    const ended = dials.map((each) =>
      Object.freeze({
        reason: each.reason,
        endpoint: each.endpoint,
        startedAt: each.startedAt,
        startedTimestamp: each.startedTimestamp,
        endedAt: answeredAt.text,
        endedTimestamp: answeredAt.ms,
        outcome: each.endpoint === "desktop" ? "answered" : "answeredElsewhere",
        vendorCallIds: each.vendorCallIds,
      }),
    );
    const joined = [
      connection(caller.id, null, answeredAt, null),
      connection(callee.id, "desktop", answeredAt, null),
    ];
    const accepted: Call = {
      ...began,
      status: "accepted",
      answeredAt,
      lastModifiedAt: answeredAt,
      parties: Object.freeze([caller, party(callee, Object.freeze(ended))]),
      connections: Object.freeze(joined),
      assignedUser: assigned(user),
      target: target(user),
    };
    this.publish("call.answered", { call: callRecord(accepted) });
    this.publish("user.availability.updated", { user: userRecord(user, answeredAt, id, vendorCallId) });
    this.nowMs += talkMs;
    const endedAt = this.now();
    const half: Call = {
      ...accepted,
      lastModifiedAt: endedAt,
      connections: Object.freeze([connection(caller.id, null, answeredAt, endedAt), joined[1]]),
    };
    this.publish("call.hungup", { call: callRecord(half), party: caller });
    const whole: Call = {
      ...half,
      connections: Object.freeze([
        half.connections[0],
        connection(callee.id, "desktop", answeredAt, endedAt),
      ]),
    };
    this.publish("call.hungup", { call: callRecord(whole), party: whole.parties[1] });
    this.publish("user.availability.updated", { user: userRecord(user, endedAt, null, null) });
    const over: Call = {
      ...whole,
      status: "ended",
      outcome: Object.freeze({ status: "answered", reason: null }),
      endedAt,
      summary: summary("Answered by Alice Ng"),
    };
    this.publish("call.ended", { call: callRecord(over) });
  }

  private now(): Instant {
    return { text: iso(this.nowMs), ms: this.nowMs };
  }

  private publish(type: string, data: object): void {
    this.events.push(
      Object.freeze({
        id: this.ids.next("event"),
        type,
        createdAt: iso(this.nowMs),
        createdTimestamp: this.nowMs,
        organisationId: "acme",
        data: Object.freeze(data),
      }),
    );
  }
}

interface Instant {
  readonly text: string;
  readonly ms: number;
}

type User = Readonly<Record<string, unknown>>;

/** The fields that differ between versions of a call's record. */
interface Call {
  readonly id: string;
  readonly vendorCallId: string;
  readonly startedAt: Instant;
  readonly lastModifiedAt: Instant;
  readonly answeredAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly status: string;
  readonly outcome: object | null;
  readonly parties: readonly unknown[];
  readonly connections: readonly unknown[];
  readonly summary: object;
  readonly assignedUser: object | null;
  readonly target: object | undefined;
}

const none: readonly unknown[] = Object.freeze([]);
const nothing = Object.freeze({});

function callRecord(call: Call): object {
  const { startedAt, answeredAt, endedAt, lastModifiedAt, target } = call;
  const waitMs = answeredAt === null ? null : answeredAt.ms - startedAt.ms;
  const durationMs = endedAt === null ? null : endedAt.ms - startedAt.ms;
  const record = {
    id: call.id,
    organisationId: "acme",
    direction: "inbound",
    isInternal: false,
    isConference: false,
    status: call.status,
    outcome: call.outcome,
    contactNumber: "+6421555001",
    companyNumber: "+6495550100",
    initiator: "+6421555001",
    recipient: "+6495550100",
    startedAt: startedAt.text,
    startedTimestamp: startedAt.ms,
    answeredAt: answeredAt === null ? null : answeredAt.text,
    answeredTimestamp: answeredAt === null ? null : answeredAt.ms,
    endedAt: endedAt === null ? null : endedAt.text,
    endedTimestamp: endedAt === null ? null : endedAt.ms,
    lastModifiedAt: lastModifiedAt.text,
    lastModifiedTimestamp: lastModifiedAt.ms,
    duration: durationMs,
    durationText: durationMs === null ? null : durationText(durationMs),
    waitTime: waitMs,
    waitTimeText: waitMs === null ? null : durationText(waitMs),
    vendor: "vendor",
    vendorCallId: call.vendorCallId,
    assignedUser: call.assignedUser,
    parties: call.parties,
    connections: call.connections,
    recordings: none,
    voicemail: null,
    notes: none,
    summary: call.summary,
    tariff: null,
    passthroughParameters: nothing,
  };
  if (target === undefined) return Object.freeze(record);
  return Object.freeze(Object.assign(record, { directoryTarget: target, assignedCallGroup: null }));
}

function dial(endpoint: string, startedAt: Instant, vendorCallId: string) {
  return Object.freeze({
    reason: "direct",
    endpoint,
    startedAt: startedAt.text,
    startedTimestamp: startedAt.ms,
    endedAt: null,
    endedTimestamp: null,
    outcome: null,
    vendorCallIds: Object.freeze([vendorCallId]),
  });
}

function connection(partyId: string, endpoint: string | null, joinedAt: Instant, leftAt: Instant | null) {
  return Object.freeze({
    partyId,
    endpoint,
    joinedAt: joinedAt.text,
    joinedTimestamp: joinedAt.ms,
    leftAt: leftAt === null ? null : leftAt.text,
    leftTimestamp: leftAt === null ? null : leftAt.ms,
  });
}

function party({ id, user }: { id: string; user: User }, dials: readonly unknown[]): object {
  return Object.freeze({
    id,
    type: "user",
    isInternal: true,
    displayName: user.displayName,
    entryId: user.id,
    phoneNumber: null,
    extension: user.extension,
    email: user.email,
    timezone: user.timezone,
    manager: null,
    location: user.location,
    tariff: null,
    dials,
  });
}

function assigned(user: User): object {
  return Object.freeze({
    id: user.id,
    type: "user",
    displayName: user.displayName,
    firstName: user.firstName,
    lastName: user.lastName,
    extension: user.extension,
    email: user.email,
    manager: null,
    location: user.location,
  });
}

function target(user: User): object {
  return Object.freeze({
    id: user.id,
    type: "user",
    displayName: user.displayName,
    extension: user.extension,
    email: user.email,
  });
}

function userRecord(user: User, at: Instant, callId: string | null, vendorCallId: string | null): object {
  const vendor = callId === null ? null : "vendor";
  const availability = Object.freeze({
    status: callId === null ? "available" : "busy",
    statusAt: at.text,
    statusTimestamp: at.ms,
    availabilitySummary: callId === null ? "Available" : "Busy on a call",
    notAvailableRule: callId === null ? null : "busyOnACall",
    notAvailableReason: null,
    callId,
    vendor,
    vendorCallId,
  });
  return Object.freeze({
    id: user.id,
    type: user.type,
    email: user.email,
    displayName: user.displayName,
    firstName: user.firstName,
    lastName: user.lastName,
    extension: user.extension,
    status: user.status,
    timezone: user.timezone,
    jobTitle: user.jobTitle,
    manager: user.manager,
    location: user.location,
    phoneNumbers: user.phoneNumbers,
    licenses: user.licenses,
    loginStatus: user.loginStatus,
    isDirectorySynced: user.isDirectorySynced,
    desktopEnrolledReleaseChannel: user.desktopEnrolledReleaseChannel,
    hasVoicemail: user.hasVoicemail,
    vendorRedirectUrl: user.vendorRedirectUrl,
    endpoints: user.endpoints,
    teams: user.teams,
    availability,
    callId,
    vendor,
    vendorCallId,
  });
}
