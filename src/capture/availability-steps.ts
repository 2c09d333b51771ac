import type { CallStory } from "./call-story.ts";
import type { CapturedEvent } from "./capture.ts";
import type { DirectorySeen } from "./directory-seen.ts";
import { type Draft, durationOf } from "./draft.ts";
import type { PeopleSeen } from "./people-seen.ts";
import { isThere, listOf, type SeenData, type SeenTeam, type SeenUser } from "./seen.ts";

/** The rank of a step that comes after who hangs up at its instant. */
const AFTER_HANGUP = 8;

/** The inverse rules of availability: commands for every change that no call explains. */
export class AvailabilitySteps {
  private readonly last = new Map<string, SeenUser>();
  private readonly wrapUps = new Map<string, string | undefined>();
  private readonly joined = new Map<string, Set<number>>();
  /** The members of each team with their offer priorities, as they were last seen. */
  private readonly members = new Map<string, ReadonlyMap<string, number>>();
  /** Whose availability changed at each instant. */
  private readonly changedAt = new Map<number, Set<string>>();
  /** Who is busy with no call that makes them so, until they are seen available. */
  private readonly busyByHand = new Set<string>();
  /** When users left calls. */
  private readonly left = new Map<string, Set<number>>();

  constructor(
    private readonly draft: Draft,
    private readonly directory: DirectorySeen,
    private readonly people: PeopleSeen,
    private readonly calls: readonly CallStory[],
    private readonly endMs: number,
  ) {
    for (const { stays } of calls)
      for (const { party, fromMs, toMs } of stays) {
        if (!isThere(party.entryId)) continue;
        const joined = this.joined.get(party.entryId) ?? new Set();
        joined.add(fromMs);
        this.joined.set(party.entryId, joined);
        if (toMs === undefined) continue;
        const times = this.left.get(party.entryId) ?? new Set();
        times.add(toMs);
        this.left.set(party.entryId, times);
      }
  }

  explain(events: readonly CapturedEvent[]): void {
    for (const { type, timestamp, data } of events) {
      const { user } = data as SeenData;
      if (type !== "user.availability.updated" || !isThere(user?.id)) continue;
      const changed = this.changedAt.get(timestamp) ?? new Set();
      this.changedAt.set(timestamp, changed.add(user.id));
    }
    for (const { type, timestamp, data } of events) {
      const { user, team } = data as SeenData;
      if (type === "user.availability.updated" && isThere(user?.id)) this.change(user.id, user, timestamp);
      if (type === "team.availability.updated" && isThere(team?.id)) this.team(team.id, team, timestamp);
    }
  }

  private change(id: string, user: SeenUser, atMs: number): void {
    const before = this.last.get(id);
    this.last.set(id, user);
    if (user.availability?.status === "available" && this.left.get(id)?.has(atMs) === true)
      this.wrapUp(id, undefined, atMs);
    const hasChangedEndpoints = this.endpoints(id, user, before, atMs);
    const { status, notAvailableRule, notAvailableReason } = user.availability ?? {};
    const isFreed = status === "available" && this.left.get(id)?.has(atMs) === true;
    const isOfACall =
      notAvailableRule === "ringing" ||
      (notAvailableRule === "busyOnACall" && this.joined.get(id)?.has(atMs) === true);
    if (isFreed && this.busyByHand.delete(id))
      this.draft.add(atMs, "setAvailability", { user: id, status }, AFTER_HANGUP);
    if (hasChangedEndpoints || isOfACall || isFreed || !isThere(status)) return;
    const isFirst = before === undefined;
    const startsUnavailable = this.directory.users.get(id)?.startsUnavailable === true;
    const wasStatus = before?.status ?? (startsUnavailable ? "suspended" : "active");
    if (isThere(user.status) && user.status !== wasStatus) {
      const seen = this.directory.users.get(id);
      if (seen !== undefined && isFirst) seen.status = wasStatus;
      this.draft.add(atMs, "setUserStatus", { user: id, status: user.status }, 3);
      return;
    }
    if (notAvailableReason === "wrapUp") {
      this.wrapUp(id, durationOf((this.people.nextMs(id, atMs) ?? this.endMs + 60_000) - atMs), atMs);
      return;
    }
    if (before?.availability?.notAvailableReason === "wrapUp") return;
    const isBusy = notAvailableRule === "busyOnACall";
    if (isBusy && this.comesOfCall(id, user.availability?.callId, atMs)) return;
    if (isBusy) this.busyByHand.add(id);
    else this.busyByHand.delete(id);
    const isSettable = isThere(notAvailableRule) && notAvailableRule !== "loggedOut" && !isBusy;
    this.draft.add(
      atMs,
      "setAvailability",
      {
        user: id,
        status,
        rule: isSettable ? notAvailableRule : undefined,
        reason: notAvailableReason ?? undefined,
      },
      3,
      ...(notAvailableRule === "outOfHours" ? ["set by hand; events do not say working hours"] : []),
      ...(isBusy ? ["busy by hand; no call that was captured makes them so"] : []),
    );
  }

  /** Whether a call makes someone busy. Whoever is busy on one that no later event shows was added to it. */
  private comesOfCall(id: string, callId: string | null | undefined, atMs: number): boolean {
    const call = this.calls.find((each) => each.id === callId);
    const isOnIt = call?.stays.some(
      ({ party, fromMs, toMs = Number.POSITIVE_INFINITY }) =>
        party.entryId === id && fromMs <= atMs && atMs <= toMs,
    );
    if (isOnIt === true) return true;
    const host = call?.stays.find(
      ({ party, fromMs, toMs = Number.POSITIVE_INFINITY }) =>
        isThere(party.entryId) && party.entryId !== id && fromMs < atMs && atMs < toMs,
    );
    if (call === undefined || host === undefined) return false;
    const assumed = "added at this moment; no later event shows the call";
    this.draft.add(atMs, "add", { call: call.name, target: id, by: host.party.entryId }, 4, assumed);
    this.draft.add(atMs, "answer", { call: call.name, by: id }, 4);
    return true;
  }

  /** Who came to a team or left it. */
  private team(id: string, { teamMembers }: SeenTeam, atMs: number): void {
    if (!isThere(teamMembers)) return;
    const seen = this.directory.teamCalled(id);
    const members = teamMembers.flatMap((member) =>
      isThere(member.id) ? [{ ...member, id: member.id }] : [],
    );
    const before = this.members.get(id);
    this.members.set(id, new Map(members.map((member) => [member.id, member.priority ?? 1])));
    if (before === undefined) {
      const last = members.at(-1);
      const isExplained = members.some(
        (member) => this.changedAt.get(atMs)?.has(member.id) === true || this.isMovingAt(member.id, atMs),
      );
      if (isExplained || last === undefined) return;
      seen.members = (seen.members ?? []).filter((member) => member.id !== last.id);
      this.draft.add(
        atMs,
        "setTeamMember",
        { team: id, user: last.id, priority: last.priority ?? undefined },
        3,
        "who came to the team; the event says only that its members changed",
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

  /** Whether someone joined or left a call at an instant. */
  private isMovingAt(id: string, atMs: number): boolean {
    return this.left.get(id)?.has(atMs) === true || this.joined.get(id)?.has(atMs) === true;
  }

  /** How long a user stays busy after the call that ends now. */
  private wrapUp(id: string, wrapUp: string | undefined, atMs: number): void {
    if (this.wrapUps.get(id) === wrapUp) return;
    this.wrapUps.set(id, wrapUp);
    const behaviour = { answer: "never", ...(wrapUp === undefined ? {} : { wrapUp }) };
    this.draft.add(atMs, "behave", { user: id, behaviour }, -1);
  }

  /** Which phones signed in or out. */
  private endpoints(id: string, user: SeenUser, before: SeenUser | undefined, atMs: number): boolean {
    let hasChanged = false;
    for (const { id: endpoint, registered } of listOf(user.endpoints)) {
      const known = listOf(before?.endpoints).find((each) => each.id === endpoint);
      const was = before === undefined ? true : known?.registered;
      if (!isThere(was) || was === registered) continue;
      hasChanged = true;
      const isThereAlready = this.draft.steps.some(
        ({ command, args, atMs: ms }) =>
          command === "setEndpoint" &&
          args.user === id &&
          args.endpoint === endpoint &&
          args.registered === registered &&
          ms <= atMs,
      );
      if (!isThereAlready) this.draft.add(atMs, "setEndpoint", { user: id, endpoint, registered }, 3);
    }
    if (before === undefined)
      for (const endpoint of this.directory.users.get(id)?.endpoints ?? []) endpoint.registered = true;
    return hasChanged;
  }
}
