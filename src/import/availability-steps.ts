import type { CallStory } from "./call-story.ts";
import type { CapturedEvent } from "./capture.ts";
import type { DirectorySeen } from "./directory-seen.ts";
import { type Draft, durationOf } from "./draft.ts";
import type { PeopleSeen } from "./people-seen.ts";
import { isThere, listOf, type SeenData, type SeenUser } from "./seen.ts";

/** The inverse rules of availability: commands for every change that no call explains. */
export class AvailabilitySteps {
  private readonly last = new Map<string, SeenUser>();
  /** When users left calls. */
  private readonly left = new Map<string, Set<number>>();

  constructor(
    private readonly draft: Draft,
    private readonly directory: DirectorySeen,
    private readonly people: PeopleSeen,
    calls: readonly CallStory[],
    private readonly startMs: number,
  ) {
    for (const { stays } of calls)
      for (const { party, toMs } of stays) {
        if (!isThere(party.entryId) || toMs === undefined) continue;
        const times = this.left.get(party.entryId) ?? new Set();
        times.add(toMs);
        this.left.set(party.entryId, times);
      }
  }

  explain(events: readonly CapturedEvent[]): void {
    for (const { type, timestamp, data } of events) {
      const { user } = data as SeenData;
      if (type === "user.availability.updated" && isThere(user?.id)) this.change(user.id, user, timestamp);
    }
  }

  private change(id: string, user: SeenUser, atMs: number): void {
    const before = this.last.get(id);
    this.last.set(id, user);
    const hasChangedEndpoints = this.endpoints(id, user, before, atMs);
    const { status, notAvailableRule, notAvailableReason } = user.availability ?? {};
    const isFreed = status === "available" && this.left.get(id)?.has(atMs) === true;
    const isOfACall = notAvailableRule === "busyOnACall" || notAvailableRule === "ringing";
    if (hasChangedEndpoints || isOfACall || isFreed || !isThere(status)) return;
    const wasStatus = before?.status ?? "active";
    if (isThere(user.status) && user.status !== wasStatus) {
      const seen = this.directory.users.get(id);
      if (seen !== undefined && before === undefined) seen.status = "active";
      this.draft.add(atMs, "setUserStatus", { user: id, status: user.status }, 3);
      return;
    }
    if (notAvailableReason === "wrapUp") {
      const endMs = this.people.nextMs(id, atMs) ?? atMs + 30_000;
      const behaviour = { answer: "never", wrapUp: durationOf(endMs - atMs) };
      this.draft.add(this.startMs, "behave", { user: id, behaviour }, -3);
      return;
    }
    if (before?.availability?.notAvailableReason === "wrapUp") return;
    this.draft.add(
      atMs,
      "setAvailability",
      {
        user: id,
        status,
        rule: isThere(notAvailableRule) && notAvailableRule !== "loggedOut" ? notAvailableRule : undefined,
        reason: notAvailableReason ?? undefined,
      },
      3,
      ...(notAvailableRule === "outOfHours" ? ["set by hand; events do not say working hours"] : []),
    );
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
          args["user"] === id &&
          args["endpoint"] === endpoint &&
          args["registered"] === registered &&
          ms <= atMs,
      );
      if (!isThereAlready) this.draft.add(atMs, "setEndpoint", { user: id, endpoint, registered }, 3);
    }
    if (before === undefined)
      for (const endpoint of this.directory.users.get(id)?.endpoints ?? []) endpoint.registered = true;
    return hasChanged;
  }
}
