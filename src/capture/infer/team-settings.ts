import { append } from "../read/lists.ts";
import { isThere } from "../read/partial-records.ts";
import { findTarget } from "./call-steps.ts";
import type { CapturedCall, CapturedRing } from "./captured-call.ts";
import type { InferredDirectory } from "./inferred-directory.ts";
import { mode, type ScenarioDraft } from "./scenario-draft.ts";

/** Where a call goes that a team does not answer. */
export type Unanswered = { voicemail: true } | { team: string } | { external: string };

/** What calls show about the settings of one team. */
export class TeamEvidence {
  readonly timeoutsMs: number[] = [];
  readonly nextOfferTimeoutsMs: number[] = [];
  unanswered: Unanswered | undefined;
  /** Members that ring at the same instant are of one tier: a forest whose roots stand for tiers. */
  private readonly tierOf = new Map<string, string>();
  /** The wave in which each member first rang: the sum and count over calls. */
  private readonly waves = new Map<string, { sum: number; count: number }>();

  private findRoot(id: string): string {
    let root = id;
    for (let up = this.tierOf.get(root); up !== undefined && up !== root; up = this.tierOf.get(root))
      root = up;
    return root;
  }

  /** Adds who rang in one call, wave by wave. */
  addWaves(waves: readonly (readonly string[])[]): void {
    const counted = new Set<string>();
    for (const [index, wave] of waves.entries()) {
      const [first] = wave;
      if (first === undefined) continue;
      const root = this.findRoot(first);
      for (const id of wave) {
        const own = this.findRoot(id);
        if (own !== root) this.tierOf.set(own, root);
      }
      if (wave.some((id) => counted.has(id))) continue;
      for (const id of wave) {
        counted.add(id);
        const votes = this.waves.get(id) ?? { sum: 0, count: 0 };
        this.waves.set(id, { sum: votes.sum + index, count: votes.count + 1 });
      }
    }
  }

  /** The offer priority of each member that rang. */
  priorities(): ReadonlyMap<string, number> {
    const tiers = new Map<string, { ids: string[]; sum: number; count: number }>();
    for (const [id, { sum, count }] of this.waves) {
      const root = this.findRoot(id);
      const tier = tiers.get(root) ?? { ids: [], sum: 0, count: 0 };
      tiers.set(root, { ids: [...tier.ids, id], sum: tier.sum + sum, count: tier.count + count });
    }
    const inOrder = [...tiers.values()].sort((a, b) => a.sum / a.count - b.sum / b.count);
    return new Map(inOrder.flatMap(({ ids }, index) => ids.map((id) => [id, index + 1])));
  }
}

/** Infers the settings of teams from how calls rang. */
export class TeamSettings {
  private readonly evidence = new Map<string, TeamEvidence>();
  /** How long a team had a call that came by its number. */
  private readonly times: { readonly call: CapturedCall; readonly team: string; readonly ms: number }[] = [];
  /** Calls in which one of several waves may be the second team's first, with the number of choices. */
  readonly ambiguousCalls: { readonly call: string; readonly choices: number }[] = [];

  /** @param choices for ambiguous calls: which wave to take, from 0 */
  constructor(
    private readonly draft: ScenarioDraft,
    private readonly directory: InferredDirectory,
    private readonly choices: Readonly<Record<string, number>>,
  ) {}

  openEvidence(team: string): TeamEvidence {
    let evidence = this.evidence.get(team);
    if (evidence === undefined) {
      evidence = new TeamEvidence();
      this.evidence.set(team, evidence);
    }
    return evidence;
  }

  addCall(call: CapturedCall): void {
    const { record, rings, voicemail } = call;
    const { assignedCallGroup } = record;
    const target = this.findTeam(call);
    if (target === undefined) {
      this.readTransfer(call);
      return;
    }
    const start = this.draft.startStep(call.name);
    const isRedirected = start?.command === "redirect";
    if (isRedirected) this.readRedirect(call);
    const offers = rings.filter(({ reason }) => reason === "teamOffer");
    const isUnanswered = isMissed(call) && !isRedirected;
    if (offers.length === 0 && !isUnanswered && (voicemail === undefined || isRedirected)) return;
    const isChain = isThere(assignedCallGroup?.id) && assignedCallGroup.id !== target;
    const teams = [target, ...(isChain ? [assignedCallGroup.id as string] : [])];
    const members = teams.map((id) => this.membersOf(id));
    if (isChain && members[1]?.length === 0) this.splitWaves(call, offers, members);
    const turnOf = ({ party: { entryId = "" } }: CapturedRing) =>
      isChain && members[1]?.includes(entryId ?? "") && !members[0]?.includes(entryId ?? "") ? 1 : 0;
    for (const [index, team] of teams.entries())
      this.readTurn(call, team, {
        index,
        isLast: index === teams.length - 1,
        isRedirected,
        next: teams[index + 1],
        offers: offers.filter((ring) => isThere(ring.party.entryId) && turnOf(ring) === index),
        nextMs: offers.find((ring) => turnOf(ring) === index + 1)?.fromMs,
        outsider: offers.find(({ party }) => party.type === "external")?.party.phoneNumber ?? undefined,
      });
  }

  /**
   * A call that a team had for another time than usual may have come by a redirect, which sets its own time. That is a
   * choice, since the team's time may also have been changed.
   */
  chooseRedirects(): void {
    for (const { call, team, ms } of this.times) {
      const usualMs = teamTimes(this.openEvidence(team)).timeoutMs;
      const { record, id, name } = call;
      const isChosen = this.ambiguousCalls.some((each) => each.call === id);
      if (ms === usualMs || isChosen || this.draft.startStep(name)?.command !== "inbound") continue;
      this.ambiguousCalls.push({ call: id, choices: 2 });
      if (this.choices[id] !== 1) continue;
      this.draft.restart(name, "redirect", {
        extension: this.directory.teams.get(team)?.extension ?? record.directoryTarget?.extension,
        from: record.contactNumber,
        to: record.companyNumber,
        vendorCallId: record.vendorCallId ?? undefined,
        timeout: ms / 1_000,
      });
    }
  }

  /** The team that a call was for; undefined for a call to somebody else. */
  private findTeam({ record }: CapturedCall): string | undefined {
    const { directoryTarget, isInternal } = record;
    if (directoryTarget?.type?.startsWith("team") === true) return directoryTarget.id ?? undefined;
    const id = isInternal === true ? findTarget(record, this.directory) : undefined;
    return id !== undefined && this.directory.teams.has(id) ? id : undefined;
  }

  /** A call to a user that was then transferred to a team. */
  private readTransfer(call: CapturedCall): void {
    const transfer = this.draft
      .stepsOn(call.name)
      .find(({ command, args }) => command === "transfer" && this.directory.teams.has(args.target as string));
    if (transfer === undefined) return;
    const offers = call.rings.filter(
      ({ reason, fromMs }) => reason === "teamOffer" && fromMs >= transfer.atMs,
    );
    this.readTurn({ ...call, startMs: transfer.atMs }, transfer.args.target as string, {
      ...{ index: 0, isLast: true, isRedirected: false, offers },
      ...{ next: undefined, nextMs: undefined, outsider: undefined },
    });
  }

  private membersOf(team: string): string[] {
    return (this.directory.teams.get(team)?.members ?? []).map(({ id }) => id);
  }

  /** A redirect sets its own time for the team. */
  private readRedirect({ record, voicemail, endedOrMissedMs, startMs, name }: CapturedCall): void {
    const { directoryTarget, assignedCallGroup, outcome } = record;
    const args = this.draft.startStep(name)?.args;
    if (args === undefined || args.sendToVoicemail === true) return;
    if (voicemail === undefined && outcome?.reason !== "timeout") return;
    const team = assignedCallGroup?.id ?? directoryTarget?.id ?? "";
    const endMs = voicemail?.fromMs ?? endedOrMissedMs;
    if (team === directoryTarget?.id && endMs !== undefined) args.timeout = (endMs - startMs) / 1_000;
    if (voicemail !== undefined) this.openEvidence(team).unanswered ??= { voicemail: true };
  }

  /** Assigns waves to two teams if no record says who is in the second one. */
  private splitWaves({ id }: CapturedCall, offers: readonly CapturedRing[], members: string[][]): void {
    const waves = listWaves(offers);
    const bringsOnlyNewMembers = (atMs: number) =>
      !offers.some(
        ({ fromMs, party }) =>
          fromMs >= atMs && offers.some((each) => each.party === party && each.fromMs < atMs),
      );
    const newWaves = waves.slice(1).filter(bringsOnlyNewMembers);
    const candidates = newWaves.length > 0 ? newWaves : waves.slice(1);
    if (candidates.length === 0) return;
    this.ambiguousCalls.push({ call: id, choices: candidates.length });
    const secondTeamMs = candidates[Math.min(this.choices[id] ?? 0, candidates.length - 1)] ?? 0;
    for (const { party, fromMs } of offers)
      if (isThere(party.entryId) && fromMs >= secondTeamMs && !members[1]?.includes(party.entryId))
        members[1]?.push(party.entryId);
  }

  private readTurn(call: CapturedCall, team: string, turn: TeamTurn): void {
    const { record, startMs, voicemail, endedOrMissedMs } = call;
    const evidence = this.openEvidence(team);
    const { index, offers, isLast, isRedirected, next, nextMs, outsider } = turn;
    const fromMs = index === 0 ? startMs : (offers[0]?.fromMs ?? startMs);
    const waves = listWaves(offers);
    if (waves.length > 1)
      for (const { outcome, fromMs: ringMs, toMs } of offers)
        if (outcome === "timeout" && toMs !== undefined && toMs > ringMs)
          evidence.nextOfferTimeoutsMs.push(toMs - ringMs);
    evidence.addWaves(
      waves.map((atMs) => [
        ...new Set(offers.filter((ring) => ring.fromMs === atMs).map(({ party }) => party.entryId ?? "")),
      ]),
    );
    // once a whole team has declined, the call moves on before the team's time is over
    const endMs = Math.max(...offers.map(({ toMs }) => toMs ?? 0));
    const endsDeclined = offers.some(({ outcome, toMs }) => outcome === "declined" && toMs === endMs);
    const showsTimeout = (index === 0 || offers.length > 0) && !endsDeclined;
    const reason = record.outcome?.reason ?? "";
    if (!isLast && next !== undefined) {
      evidence.unanswered = { team: next };
      if (nextMs !== undefined && showsTimeout) evidence.timeoutsMs.push(nextMs - fromMs);
    } else if (outsider !== undefined) {
      evidence.unanswered = { external: outsider };
      const dial = record.parties?.find((party) => party?.phoneNumber === outsider)?.dials?.[0];
      if (showsTimeout && !isRedirected && isThere(dial?.startedTimestamp))
        evidence.timeoutsMs.push(dial.startedTimestamp - fromMs);
    } else if (voicemail !== undefined) {
      if (!isRedirected) evidence.unanswered = { voicemail: true };
      if (!isRedirected && showsTimeout) {
        evidence.timeoutsMs.push(voicemail.fromMs - fromMs);
        if (index === 0) this.times.push({ call, team, ms: voicemail.fromMs - fromMs });
      }
    } else if ((isMissed(call) && /timeout|noAvailable/.test(reason)) || endsWith(call, offers)) {
      if (showsTimeout && !isRedirected && endedOrMissedMs !== undefined) {
        evidence.timeoutsMs.push(endedOrMissedMs - fromMs);
        if (index === 0) this.times.push({ call, team, ms: endedOrMissedMs - fromMs });
      }
    }
  }
}

/** Whether nobody answered. An internal call is said to be unanswered, as an outbound one is. */
const isMissed = ({ record: { outcome } }: CapturedCall) =>
  outcome?.status === "missed" || outcome?.status === "unanswered";

/** Whether a call ended because the team's time was over, as a transferred call does that somebody had answered before. */
const endsWith = ({ endedMs }: CapturedCall, offers: readonly CapturedRing[]) =>
  endedMs !== undefined && offers.some(({ outcome, toMs }) => outcome === "timeout" && toMs === endedMs);

interface TeamTurn {
  readonly index: number;
  readonly isLast: boolean;
  readonly isRedirected: boolean;
  /** The team that the call went to next. */
  readonly next: string | undefined;
  /** The rings of this team. */
  readonly offers: readonly CapturedRing[];
  /** When the next team started to ring. */
  readonly nextMs: number | undefined;
  /** The outside number that rang in place of the team. */
  readonly outsider: string | undefined;
}

/** The instants at which someone started to ring. */
function listWaves(rings: readonly CapturedRing[]): number[] {
  return [...new Set(rings.map(({ fromMs }) => fromMs))].sort((a, b) => a - b);
}

/** The most frequent times of one team. */
export function teamTimes(evidence: TeamEvidence): {
  timeoutMs: number | undefined;
  nextOfferMs: number | undefined;
} {
  return {
    timeoutMs: mode(evidence.timeoutsMs.filter((ms) => ms >= 0)),
    nextOfferMs: mode(evidence.nextOfferTimeoutsMs),
  };
}

/** Gives priority to calls that rang before calls of the same team that had waited longer. */
export function assumePriorities(draft: ScenarioDraft, calls: readonly CapturedCall[]): void {
  const queues = new Map<string, { call: CapturedCall; rangMs: number }[]>();
  for (const call of calls) {
    const first = call.rings.find(({ reason }) => reason === "teamOffer");
    const team = call.record.directoryTarget?.id;
    if (first !== undefined && isThere(team)) append(queues, team, { call, rangMs: first.fromMs });
  }
  for (const queue of queues.values())
    for (const [index, { call, rangMs }] of queue.entries())
      for (let before = index - 1; before >= 0; before--) {
        const other = queue[before];
        if (other === undefined || call.startMs - other.call.startMs >= 300_000) break;
        if (rangMs >= other.rangMs || other.rangMs === other.call.startMs || rangMs === call.startMs)
          continue;
        const step = draft.startStep(call.name);
        if (step === undefined || step.args.priority !== undefined) continue;
        step.args.priority = 1;
        step.assumed.push(`priority 1: it rang before ${other.call.name}, which had waited longer`);
      }
}
