import { isoDuration } from "../../core/foundation/instants.ts";
import type { CapturedEvent } from "../read/capture.ts";
import {
  isThere,
  listOrEmpty,
  type PartialEventData,
  type PartialTeam,
  type PartialUser,
} from "../read/partial-records.ts";
import type { AvailabilityHistory } from "./availability-history.ts";
import type { CapturedCall } from "./captured-call.ts";
import type { InferredDirectory, InferredTeam } from "./inferred-directory.ts";
import type { ScenarioDraft } from "./scenario-draft.ts";

/** The rank of a step that follows a hang-up at the same instant. */
const AFTER_HANGUP = 8;

/** Infers commands for changes of availability that no call explains. */
export class AvailabilitySteps {
  private readonly lastUsers = new Map<string, PartialUser>();
  private readonly wrapUps = new Map<string, string | undefined>();
  /** The newest members of each team, with their offer priorities. */
  private readonly lastMembers = new Map<string, ReadonlyMap<string, number>>();
  /** Users who are busy without a captured call, until they are available again. */
  private readonly busyByHand = new Set<string>();
  /** The instants at which users joined calls, left calls, and changed their availability. */
  private readonly joins = new Set<string>();
  private readonly leaves = new Set<string>();
  private readonly changes = new Set<string>();

  constructor(
    private readonly draft: ScenarioDraft,
    private readonly directory: InferredDirectory,
    private readonly availability: AvailabilityHistory,
    private readonly calls: readonly CapturedCall[],
    private readonly endMs: number,
  ) {
    for (const { connections } of calls)
      for (const { party, fromMs, toMs } of connections) {
        if (!isThere(party.entryId)) continue;
        this.joins.add(makeKey(party.entryId, fromMs));
        if (toMs !== undefined) this.leaves.add(makeKey(party.entryId, toMs));
      }
  }

  addSteps(events: readonly CapturedEvent[]): void {
    for (const { type, timestamp, data } of events) {
      const { user } = data as PartialEventData;
      if (type === "user.availability.updated" && isThere(user?.id))
        this.changes.add(makeKey(user.id, timestamp));
    }
    for (const { type, timestamp, data } of events) {
      const { user, team } = data as PartialEventData;
      if (type === "user.availability.updated" && isThere(user?.id)) this.addChange(user.id, user, timestamp);
      if (type === "team.availability.updated" && isThere(team?.id))
        this.addTeamChanges(team.id, team, timestamp);
    }
  }

  private addChange(id: string, user: PartialUser, atMs: number): void {
    const before = this.lastUsers.get(id);
    this.lastUsers.set(id, user);
    const { status, notAvailableRule, notAvailableReason } = user.availability ?? {};
    const isFreed = status === "available" && this.leaves.has(makeKey(id, atMs));
    if (isFreed) this.setWrapUp(id, undefined, atMs);
    const hasChangedEndpoints = this.addEndpointChanges(id, user, before, atMs);
    const isCausedByCall =
      notAvailableRule === "ringing" ||
      (notAvailableRule === "busyOnACall" && this.joins.has(makeKey(id, atMs)));
    if (isFreed && this.busyByHand.delete(id))
      this.draft.add(atMs, "setAvailability", { user: id, status }, AFTER_HANGUP);
    if (hasChangedEndpoints || isCausedByCall || isFreed || !isThere(status)) return;
    const isFirst = before === undefined;
    const startsUnavailable = this.directory.users.get(id)?.startsUnavailable === true;
    const wasStatus = before?.status ?? (startsUnavailable ? "suspended" : "active");
    if (isThere(user.status) && user.status !== wasStatus) {
      const inferred = this.directory.users.get(id);
      if (inferred !== undefined && isFirst) inferred.status = wasStatus;
      this.draft.add(atMs, "setUserStatus", { user: id, status: user.status }, 3);
      return;
    }
    if (notAvailableReason === "wrapUp") {
      const length = isoDuration((this.availability.nextChangeMs(id, atMs) ?? this.endMs + 60_000) - atMs);
      if (this.leaves.has(makeKey(id, atMs))) this.setWrapUp(id, length, atMs);
      else this.draft.add(atMs, "wrapUp", { user: id, for: length }, 3);
      return;
    }
    if (before?.availability?.notAvailableReason === "wrapUp") return;
    const isBusy = notAvailableRule === "busyOnACall";
    const callId = user.availability?.callId;
    if (isBusy && this.isExplainedByCall(id, callId, atMs)) return;
    // whoever sets it by hand is not busy on a call, least of all on one that the capture shows
    if (isBusy && this.calls.some((each) => each.id === callId)) return;
    if (isBusy) this.busyByHand.add(id);
    else this.busyByHand.delete(id);
    const isSettable = isThere(notAvailableRule) && notAvailableRule !== "loggedOut" && !isBusy;
    // chosen on the call that ends now: in between the user was never available
    const isChosenOnCall =
      before?.availability?.notAvailableRule === "busyOnACall" && this.leaves.has(makeKey(id, atMs));
    this.draft.add(
      isChosenOnCall ? atMs - 1 : atMs,
      "setAvailability",
      {
        user: id,
        status,
        rule: isSettable ? notAvailableRule : undefined,
        reason: notAvailableReason ?? undefined,
      },
      3,
      ...(notAvailableRule === "outOfHours" ? ["set by hand; no event shows working hours"] : []),
      ...(isBusy ? ["set by hand; no captured call makes the user busy"] : []),
      ...(isChosenOnCall ? ["set while on the call that ends now; no event says when"] : []),
    );
  }

  /** Whether a captured call makes a user busy. If no later event shows the user on it, assumes that a colleague added them. */
  private isExplainedByCall(id: string, callId: string | null | undefined, atMs: number): boolean {
    const call = this.calls.find((each) => each.id === callId);
    const isConnected = call?.connections.some(
      ({ party, fromMs, toMs = Number.POSITIVE_INFINITY }) =>
        party.entryId === id && fromMs <= atMs && atMs <= toMs,
    );
    if (isConnected === true) return true;
    const colleague = call?.connections.find(
      ({ party, fromMs, toMs = Number.POSITIVE_INFINITY }) =>
        isThere(party.entryId) && party.entryId !== id && fromMs < atMs && atMs < toMs,
    );
    if (call === undefined || colleague === undefined) return false;
    const assumed = "added at this moment; no later event shows the user on the call";
    this.draft.add(atMs, "add", { call: call.name, target: id, by: colleague.party.entryId }, 4, assumed);
    this.draft.add(atMs, "answer", { call: call.name, by: id }, 4);
    return true;
  }

  /** Adds steps for members who joined or left a team. */
  private addTeamChanges(id: string, { teamMembers }: PartialTeam, atMs: number): void {
    if (!isThere(teamMembers)) return;
    const inferred = this.directory.teamWithId(id);
    const members = teamMembers.flatMap((member) =>
      isThere(member.id) ? [{ ...member, id: member.id }] : [],
    );
    const before = this.lastMembers.get(id);
    this.lastMembers.set(id, new Map(members.map((member) => [member.id, member.priority ?? 1])));
    if (before === undefined) {
      const last = members.at(-1);
      const isExplained = members.some(
        (member) => this.changes.has(makeKey(member.id, atMs)) || this.joinsOrLeavesAt(member.id, atMs),
      );
      if (isExplained) return;
      if (last === undefined) {
        this.addFirstLeaver(inferred, atMs);
        return;
      }
      inferred.members = (inferred.members ?? []).filter((member) => member.id !== last.id);
      this.draft.add(
        atMs,
        "setTeamMember",
        { team: id, user: last.id, priority: last.priority ?? undefined },
        3,
        "this user joined the team; the event only says that members changed",
      );
      return;
    }
    for (const { id: member, priority } of members)
      if (before.get(member) !== (priority ?? 1))
        this.draft.add(atMs, "setTeamMember", { team: id, user: member, priority: priority ?? undefined }, 3);
    for (const member of before.keys())
      if (!members.some((each) => each.id === member))
        this.draft.add(atMs, "removeTeamMember", { team: id, user: member }, 3);
  }

  /** The first event of a team shows nobody: the last member left, who by another record was or is one. */
  private addFirstLeaver({ id, members }: InferredTeam, atMs: number): void {
    const left = members?.at(-1);
    if (left === undefined) return;
    const assumed = "this user left the team; the event only says that nobody is in it";
    this.draft.add(atMs, "removeTeamMember", { team: id, user: left.id }, 3, assumed);
  }

  /** Whether a user joined or left a call at an instant. */
  private joinsOrLeavesAt(id: string, atMs: number): boolean {
    return this.leaves.has(makeKey(id, atMs)) || this.joins.has(makeKey(id, atMs));
  }

  /** Sets the wrap-up time that follows the call that ends now. */
  private setWrapUp(id: string, wrapUp: string | undefined, atMs: number): void {
    if (this.wrapUps.get(id) === wrapUp) return;
    this.wrapUps.set(id, wrapUp);
    const behaviour = { answer: "never", ...(wrapUp === undefined ? {} : { wrapUp }) };
    this.draft.add(atMs, "behave", { user: id, behaviour }, -1);
  }

  /** Adds steps for endpoints that signed in or out. @returns whether any did */
  private addEndpointChanges(
    id: string,
    user: PartialUser,
    before: PartialUser | undefined,
    atMs: number,
  ): boolean {
    let hasChanged = false;
    for (const { id: endpoint, registered } of listOrEmpty(user.endpoints)) {
      const known = listOrEmpty(before?.endpoints).find((each) => each.id === endpoint);
      const wasRegistered = before === undefined ? true : known?.registered;
      if (!isThere(wasRegistered) || wasRegistered === registered) continue;
      hasChanged = true;
      if (!this.isInDraft(id, endpoint, registered, atMs))
        this.draft.add(atMs, "setEndpoint", { user: id, endpoint, registered }, 3);
    }
    if (before === undefined)
      for (const endpoint of this.directory.users.get(id)?.endpoints ?? []) endpoint.registered = true;
    return hasChanged;
  }

  /** Whether another step has left an endpoint so. */
  private isInDraft(user: string, endpoint: unknown, registered: unknown, atMs: number): boolean {
    const own = this.draft.steps.filter(
      ({ command, args, atMs: ms }) =>
        command === "setEndpoint" && args.user === user && args.endpoint === endpoint && ms <= atMs,
    );
    const lastMs = Math.max(...own.map((step) => step.atMs));
    return own.findLast((step) => step.atMs === lastMs)?.args.registered === registered;
  }
}

/** A user at an instant. */
function makeKey(id: string, atMs: number): string {
  return `${atMs} ${id}`;
}
