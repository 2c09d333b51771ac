import { isoDuration } from "../../core/foundation/instants.ts";
import { isThere, listOrEmpty, type PartialCall } from "../read/partial-records.ts";
import type { AvailabilityHistory } from "./availability-history.ts";
import type { CallConnection, CapturedCall, CapturedRing } from "./captured-call.ts";
import { actorReference } from "./captured-call.ts";
import type { DataActionAnswers } from "./data-action-answers.ts";
import type { InferredDirectory, InferredUser } from "./inferred-directory.ts";
import type { ScenarioDraft } from "./scenario-draft.ts";

/** The length of a voicemail's greeting, and of the longest message, ms. */
const GREETING_MS = 5_000;
const MAX_MESSAGE_MS = 180_000;

/** The order of steps at the same instant. */
const rank = { start: 0, answer: 2, people: 3, leave: 4, note: 5, voicemail: 6, giveUp: 7 } as const;

/**
 * Infers the steps of a call from its newest record. The record says who was rung when with what outcome, and who was
 * connected from when to when, which nearly determines answers, hang-ups and transfers.
 */
export class CallSteps {
  /** How long unanswered endpoints rang, ms. */
  readonly ringTimesMs: number[] = [];
  /** By outside number: whether it was a known contact in its last call. */
  private readonly wasKnownAtLastCall = new Map<string, boolean>();

  constructor(
    private readonly draft: ScenarioDraft,
    private readonly directory: InferredDirectory,
    private readonly availability: AvailabilityHistory,
    private readonly actions: DataActionAnswers,
  ) {}

  addSteps(call: CapturedCall): void {
    this.addNewContact(call);
    this.addStart(call);
    this.addUnavailability(call);
    this.noteDataActions(call);
    this.addTransfers(call);
    for (const ring of call.rings) this.addRingEnd(call, ring);
    this.addDepartures(call);
    this.addNotes(call);
  }

  private addStart(call: CapturedCall): void {
    const { record, startMs, name, parties } = call;
    const { direction, isInternal, contactNumber, companyNumber, recipient, vendorCallId } = record;
    const passthroughParameters = nonEmpty(firstParameters(call));
    const [dialler] = parties;
    const from = dialler === undefined ? "unknown" : actorReference(dialler);
    if (isInternal === true) this.ensureCallee(call);
    if (isInternal === true && direction === "outbound")
      this.draft.add(startMs, "internal", { as: name, from, to: recipient ?? contactNumber }, rank.start);
    else if (direction === "outbound")
      this.draft.add(
        startMs,
        "outbound",
        {
          as: name,
          from,
          to: contactNumber ?? recipient,
          callerId: companyNumber ?? undefined,
          passthroughParameters,
        },
        rank.start,
      );
    else if (this.isRedirected(call)) this.addRedirect(call);
    else
      this.draft.add(
        startMs,
        "inbound",
        {
          as: name,
          from: contactNumber ?? "anonymous",
          to: companyNumber,
          vendorCallId: vendorCallId ?? undefined,
          passthroughParameters,
        },
        rank.start,
      );
  }

  /** Adds the user or the team with the extension that an internal call was for, if no record shows it. */
  private ensureCallee({ record, rings }: CapturedCall): void {
    const { recipient, contactNumber, assignedCallGroup } = record;
    const extension = recipient ?? contactNumber;
    const offers = rings.filter(({ reason }) => reason === "teamOffer");
    if (offers.length > 0)
      this.directory.ensureTeam(extension, assignedCallGroup?.id ?? undefined, whoRang(offers));
    else this.directory.ensureExtension(extension);
  }

  /** A user whom a call did not ring was unavailable. If no event says since when: from the start of the capture. */
  private addUnavailability(call: CapturedCall): void {
    const { record, rings, connections, voicemail, startMs, endedMs } = call;
    const target = findTarget(record, this.directory);
    const user = this.directory.users.get(target ?? "");
    if (target === undefined || user === undefined) return;
    if (rings.length > 0) {
      this.addLostAvailability(call, target);
      return;
    }
    const isRefused =
      voicemail?.fromMs === startMs || endedMs === startMs || record.outcome?.reason === "unavailable";
    if (!isRefused || record.status === "blocked" || this.isRedirected(call)) return;
    if (connections.some(({ party }) => party.entryId === target)) return;
    this.addUnreachable(user, startMs, 1);
  }

  /** Makes a user unavailable at an instant at which a call could not ring them. @param after the rank of what follows it */
  private addUnreachable(user: InferredUser, atMs: number, after: number): void {
    const { id, displayName, workingHours } = user;
    // out of hours
    if (workingHours !== undefined) return;
    if (this.availability.firstSeenMs(id) <= atMs || this.availability.isOnCall(id, atMs)) return;
    if (this.availability.isSubscribed) {
      user.startsUnavailable = true;
      user.status = "suspended";
      return;
    }
    const assumed = `${displayName ?? id} is not available; no event says so`;
    this.draft.add(atMs, "setAvailability", { user: id, status: "busy" }, -1, assumed);
    this.draft.add(atMs, "setAvailability", { user: id, status: "available" }, after);
  }

  /** A user whose phones stopped ringing in favour of the voicemail was no longer available. No event may say so. */
  private addLostAvailability({ record, rings, voicemail }: CapturedCall, user: string): void {
    const atMs = voicemail?.fromMs;
    const wereWithdrawn = rings.every(({ outcome, toMs }) => outcome === "withdrawn" && toMs === atMs);
    if (atMs === undefined || !wereWithdrawn || record.outcome?.reason !== "unavailable") return;
    if (this.availability.isSubscribed || this.availability.isOnCall(user, atMs)) return;
    const assumed = `${user} is unavailable from now on for a moment; no event says so`;
    this.draft.add(atMs, "setAvailability", { user, status: "busy" }, rank.people, assumed);
    this.draft.add(atMs, "setAvailability", { user, status: "available" }, rank.people);
  }

  /** Whether another application redirected the call here. Such a call did not dial the company's number. */
  private isRedirected({ record, rings, voicemail, startMs, endedMs }: CapturedCall): boolean {
    const { directoryTarget, companyNumber, outcome } = record;
    if (outcome?.reason === "sentToVoicemail" || rings.some(({ reason }) => reason === "redirect"))
      return true;
    const owner = this.directory.ownerOf(companyNumber ?? "");
    if (isThere(directoryTarget?.id)) {
      if (owner !== undefined && owner !== directoryTarget.id) return true;
      if (this.directory.isWithout(directoryTarget.id, companyNumber)) return true;
    }
    return (
      rings.length === 0 &&
      voicemail?.fromMs === startMs &&
      outcome?.reason === "voicemail" &&
      directoryTarget?.type?.startsWith("user") === true &&
      (endedMs ?? startMs) - startMs < 600_000 &&
      this.availability.isAvailable(directoryTarget?.id, startMs)
    );
  }

  private addRedirect(call: CapturedCall): void {
    const { record, rings, voicemail, startMs, endedMs, name } = call;
    const timedOut = rings.find(({ reason, outcome }) => reason === "redirect" && outcome === "timeout");
    const isSent = rings.length === 0 && (voicemail?.fromMs === startMs || endedMs === startMs);
    const isReturned = timedOut !== undefined && voicemail === undefined;
    this.draft.add(
      startMs,
      "redirect",
      {
        as: name,
        extension: record.directoryTarget?.extension,
        from: record.contactNumber,
        to: record.companyNumber,
        vendorCallId: record.vendorCallId ?? undefined,
        ...(timedOut?.toMs === undefined ? {} : { timeout: (timedOut.toMs - timedOut.fromMs) / 1_000 }),
        ...(isSent ? { sendToVoicemail: true } : {}),
        ...(isReturned ? { returnTo: "flow", returnToId: "assumed" } : {}),
        ...firstParameters(call),
      },
      rank.start,
      ...(isReturned ? ["the call returns to a flow; no event says to which"] : []),
    );
  }

  /** Notes the answers of data actions that the call shows. */
  private noteDataActions(call: CapturedCall): void {
    const { record, rings, startMs, endedMs, events } = call;
    const firstMs = rings[0]?.fromMs;
    const start = this.draft.startStep(call.name);
    if (record.status === "blocked")
      this.actions.addAnswer("outboundCall", startMs, { action: "block" }, (endedMs ?? startMs) - startMs);
    else if (record.direction === "outbound" && record.isInternal !== true) {
      const waitMs = firstMs === undefined ? 0 : firstMs - startMs;
      this.actions.addAnswer("outboundCall", startMs, { action: "allow" }, waitMs >= 5_000 ? 5_001 : waitMs);
      if (waitMs > 0) start?.assumed.push(`a data action answers after ${isoDuration(waitMs)}`);
    } else if (record.direction === "inbound") {
      const displayName =
        record.directoryTarget?.overriddenDisplayName ?? record.assignedCallGroup?.overriddenDisplayName;
      const isWhole = events[0]?.type === "call.started";
      const before = call.firstRecord.passthroughParameters ?? {};
      const after = Object.entries(record.passthroughParameters ?? {}).filter(
        ([key, value]) => isWhole && before[key] !== value,
      );
      const passthroughParameters = nonEmpty(Object.fromEntries(after) as Record<string, string>);
      if (record.directoryTarget?.type?.startsWith("team") === true)
        this.actions.addAnswer("teamCall", startMs, {
          ...(isThere(displayName) ? { displayName } : {}),
          ...(passthroughParameters === undefined ? {} : { passthroughParameters }),
        });
    }
  }

  private addTransfers(call: CapturedCall): void {
    const { rings, connections, name } = call;
    this.addTransferToVoicemail(call);
    this.addTransferToTeam(call);
    const done = new Set<string>();
    for (const { reason, party, fromMs } of rings) {
      const key = `${reason} ${party.id} ${fromMs}`;
      if ((reason !== "transfer" && reason !== "conference") || done.has(key)) continue;
      done.add(key);
      const present = connections.filter(
        (connection) =>
          isThere(connection.party.entryId) &&
          connection.fromMs <= fromMs &&
          (connection.toMs === undefined || connection.toMs >= fromMs) &&
          connection.party !== party,
      );
      const left = present.find(({ toMs }) => toMs === fromMs);
      const by = left ?? present[0];
      if (by === undefined) continue;
      const args = { call: name, target: actorReference(party), by: actorReference(by.party) };
      if (reason === "conference") this.draft.add(fromMs, "add", args, rank.leave);
      else this.draft.add(fromMs, "transfer", { ...args, warm: left === undefined }, rank.leave);
    }
  }

  /** A team that rings as soon as a connected party has left got the call by a blind transfer. */
  private addTransferToTeam({ record, connections, rings, startMs, name }: CapturedCall): void {
    const first = rings.find(({ reason, fromMs }) => reason === "teamOffer" && fromMs > startMs);
    if (first === undefined) return;
    const atMs = first.fromMs;
    const by = connections.find(({ party, toMs }) => isThere(party.entryId) && toMs === atMs)?.party;
    const offers = rings.filter(({ reason, fromMs }) => reason === "teamOffer" && fromMs >= atMs);
    const target = this.directory.teamThatRang(record.assignedCallGroup?.id, whoRang(offers));
    if (by === undefined || target === undefined) return;
    this.draft.add(
      atMs,
      "transfer",
      { call: name, target, by: actorReference(by), warm: false },
      rank.leave,
      ...(isThere(record.assignedCallGroup?.id) ? [] : [`transferred to ${target}, whose members rang`]),
    );
  }

  /** A caller who went from a connected party straight to a voicemail was transferred to an unavailable user. */
  private addTransferToVoicemail({ connections, voicemail, rings, startMs, name }: CapturedCall): void {
    const atMs = voicemail?.fromMs ?? startMs;
    // a dial at this instant says to whom
    if (atMs === startMs || rings.some(({ toMs }) => toMs === atMs)) return;
    const by = connections.find(({ party, toMs }) => isThere(party.entryId) && toMs === atMs)?.party;
    if (by === undefined) return;
    const target =
      [...this.directory.users.values()].find(
        ({ id, status = "active", voicemail: hasVoicemail }) =>
          hasVoicemail !== false && (status !== "active" || !this.availability.isAvailable(id, atMs)),
      )?.id ?? this.directory.ensureUnavailableUser();
    this.draft.add(
      atMs,
      "transfer",
      { call: name, target, by: actorReference(by), warm: false },
      rank.leave,
      `transferred to ${target}, who is not available; no event says to whom`,
    );
  }

  private addRingEnd(
    { record, name }: CapturedCall,
    { party, outcome, endpoint, reason, fromMs, toMs }: CapturedRing,
  ): void {
    if (toMs === undefined) return;
    const by = actorReference(party);
    const on = party.type === "user" ? { endpoint } : {};
    if (outcome === "answered") this.draft.add(toMs, "answer", { call: name, by, ...on }, rank.answer);
    if (outcome === "declined") this.draft.add(toMs, "decline", { call: name, by, ...on }, rank.answer);
    if (outcome === "failed" && party.type === "external")
      this.draft.add(
        toMs,
        "decline",
        { call: name, by, ...(record.outcome?.reason === "busy" ? { busy: true } : {}) },
        rank.answer,
      );
    const user = this.directory.users.get(party.entryId ?? "");
    // a transfer or an addition to somebody whom it could not ring
    if (outcome === "failed" && user !== undefined && fromMs === toMs)
      this.addUnreachable(user, toMs, rank.note);
    else if (outcome === "failed" && party.type === "user")
      this.draft.add(toMs, "setEndpoint", { user: by, endpoint, registered: false }, rank.people);
    if (outcome === "timeout" && reason !== "teamOffer" && reason !== "redirect" && toMs > fromMs)
      this.ringTimesMs.push(toMs - fromMs);
  }

  /** Adds moves between endpoints, and for each instant the hang-up of whoever left first. */
  private addDepartures(call: CapturedCall): void {
    const { connections, name, record, endedOrMissedMs } = call;
    const leaving: { readonly atMs: number; readonly connection: CallConnection }[] = [];
    for (const connection of connections) {
      const { toMs, party } = connection;
      if (toMs === undefined) continue;
      const next = connections.find(
        (each) => each !== connection && each.party === party && each.fromMs === toMs,
      );
      if (next === undefined) leaving.push({ atMs: toMs, connection });
      else
        this.draft.add(
          toMs,
          "move",
          { call: name, by: actorReference(party), to: next.endpoint },
          rank.leave,
        );
    }
    for (const atMs of new Set(leaving.map((each) => each.atMs).sort((a, b) => a - b)))
      this.addDeparture(
        call,
        atMs,
        leaving.filter((each) => each.atMs === atMs).map(({ connection }) => connection),
      );
    if (record.outcome?.status === "abandoned" && endedOrMissedMs !== undefined)
      this.draft.add(endedOrMissedMs, "hangup", { call: name, by: "caller" }, rank.giveUp);
  }

  private addDeparture(call: CapturedCall, atMs: number, leaving: readonly CallConnection[]): void {
    const { name, voicemail, hangups, record, parties } = call;
    if (voicemail?.toMs === atMs) {
      this.addVoicemailEnd(call, atMs);
      return;
    }
    const isBlindTransfer = this.draft
      .stepsOn(name)
      .some(({ command, atMs: ms, args }) => command === "transfer" && ms === atMs && args.warm !== true);
    if (isBlindTransfer && leaving.length === 1) return;
    // an unanswered outbound call ends by itself, unless the caller gave up
    if (record.outcome?.status === "unanswered" && record.outcome.reason !== "cancelled") return;
    const captured = hangups.find((each) => each.atMs === atMs)?.party;
    const leaver = captured ?? leaving[0]?.party;
    if (leaver === undefined) return;
    const isCaller =
      leaver.type === "external" && record.direction === "inbound" && leaver.id === parties[0]?.id;
    this.draft.add(
      atMs,
      "hangup",
      { call: name, by: isCaller ? "caller" : actorReference(leaver) },
      rank.leave,
      ...(captured === undefined && leaving.length > 1
        ? ["this party hung up first; no call.hungup was captured"]
        : []),
    );
  }

  private addVoicemailEnd({ voicemail, record, name }: CapturedCall, atMs: number): void {
    const fromMs = voicemail?.fromMs ?? atMs;
    const spokenMs = atMs - fromMs - GREETING_MS;
    const message = record.voicemail;
    if (isThere(message)) {
      const seconds = message.duration ?? 0;
      const isCut = seconds * 1_000 >= MAX_MESSAGE_MS;
      // a caller who is silent after the tone leaves a shorter message
      const isLate = !isCut && Math.floor(spokenMs / 1_000) !== seconds;
      const ms = isCut ? seconds * 1_000 + 1_000 : isLate ? seconds * 1_000 : spokenMs;
      const transcript = message.transcription ?? undefined;
      this.draft.add(
        isLate ? atMs - ms : fromMs,
        "leaveVoicemail",
        { call: name, duration: isoDuration(ms), transcript },
        rank.voicemail,
      );
    } else if (spokenMs < 30_000) this.draft.add(atMs, "hangup", { call: name, by: "caller" }, rank.giveUp);
  }

  /** Adds a contact that became known since the last call with its number. */
  private addNewContact({ firstRecord, startMs }: CapturedCall): void {
    const outside = listOrEmpty(firstRecord.parties).find((party) => party?.type === "external");
    const number = outside?.phoneNumber;
    if (!isThere(number)) return;
    const contact = this.directory.contacts.get(number);
    const isKnown = outside?.displayName !== number;
    if (isKnown && this.wasKnownAtLastCall.get(number) === false && contact !== undefined)
      this.draft.add(startMs, "putContacts", { phonebook: "customers", contacts: [contact] }, -1);
    this.wasKnownAtLastCall.set(number, isKnown);
  }

  private addNotes({ record, name }: CapturedCall): void {
    for (const { createdTimestamp, author, text } of listOrEmpty(record.notes))
      if (isThere(createdTimestamp) && isThere(author?.userId))
        this.draft.add(createdTimestamp, "note", { call: name, by: author.userId, text }, rank.note);
  }

  /** Whether the contact with a number was in the phonebook from the start. */
  isKnownFromStart(number: string): boolean {
    return this.wasKnownAtLastCall.get(number) !== false && !this.addsContact(number);
  }

  private addsContact(number: string): boolean {
    return this.draft.steps.some(
      ({ command, args }) =>
        command === "putContacts" &&
        (args.contacts as readonly { phoneNumbers?: readonly string[] }[]).some((each) =>
          each.phoneNumbers?.includes(number),
        ),
    );
  }
}

/** The ids of those who rang, each once. */
function whoRang(rings: readonly CapturedRing[]): string[] {
  return [...new Set(rings.flatMap(({ party }) => party.entryId ?? []))];
}

/** The id of the entry that a call was for. */
export function findTarget(
  { directoryTarget, isInternal, recipient }: PartialCall,
  directory: InferredDirectory,
): string | undefined {
  return directoryTarget?.id ?? (isInternal === true ? directory.entryWithExtension(recipient) : undefined);
}

/** The passthrough parameters that a call started with. */
function firstParameters({ events, firstRecord, record }: CapturedCall): Record<string, string> {
  const { passthroughParameters } = events[0]?.type === "call.started" ? firstRecord : record;
  return { ...(passthroughParameters as Record<string, string> | undefined) };
}

function nonEmpty(parameters: Record<string, string>): Record<string, string> | undefined {
  return Object.keys(parameters).length === 0 ? undefined : parameters;
}
