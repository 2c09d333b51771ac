import type {
  CallHandle,
  CallRecord,
  Party,
  PublicCallRecord,
  Simulator,
  TeamMember,
} from "../../src/index.ts";
import { isFree, must, ringingDials, ringsForTeam } from "./rules.ts";

/** Rules for calls that are offered to teams. */

/** Who rings for a team: the member, and the call. */
interface TeamRing {
  readonly member: string;
  readonly call: CallHandle;
}

export function teamRings(sim: Simulator): TeamRing[] {
  return sim.calls
    .live()
    .flatMap((call) =>
      call.record.parties.flatMap((party) =>
        party.entryId !== undefined && ringsForTeam(party) ? [{ member: party.entryId, call }] : [],
      ),
    );
}

/** No member rings for two team offers at once. */
export function checkOneOfferAMember(sim: Simulator): void {
  const rung = new Map<string, string>();
  for (const { member, call } of teamRings(sim)) {
    must(!rung.has(member), () => `${member} rings for ${rung.get(member)} and for ${call.id}`);
    rung.set(member, call.id);
  }
}

/** Every member who could be rung for a waiting call is rung: nobody idles while a caller queues. */
export function checkNobodyIdles(sim: Simulator): void {
  const rung = new Set(teamRings(sim).map(({ member }) => member));
  for (const team of sim.teams.list())
    for (const member of team.record.teamMembers) {
      if (rung.has(member.id) || !canRing(sim, member)) continue;
      const idle = team.waiting().find((id) => isOpenTo(sim.calls.get(id).record, member.id));
      must(idle === undefined, () => `${member.id} idles while ${idle} waits for ${team.id}`);
    }
}

/** A member may be rung for a call that they have not declined and that does not ring them already. */
function isOpenTo({ parties }: PublicCallRecord, memberId: string): boolean {
  const party = parties.find(({ entryId }) => entryId === memberId);
  return party === undefined || (!hasDeclined(party) && ringingDials(party).length === 0);
}

function hasDeclined({ dials }: Party): boolean {
  return dials.some(({ outcome }) => outcome === "declined");
}

function canRing(sim: Simulator, member: TeamMember): boolean {
  const { id } = member;
  if ("availability" in member) {
    const { record } = sim.users.get(id);
    return isFree(record) && record.endpoints.some(({ registered }) => registered);
  }
  return !sim.calls.live().some(({ record }) => isOn(record, id));
}

function isOn({ parties, connections }: PublicCallRecord, entryId: string): boolean {
  const own = parties.filter((party) => party.entryId === entryId).map(({ id }) => id);
  return connections.some(({ partyId, leftAt }) => own.includes(partyId) && leftAt === null);
}

/**
 * A queued call is never offered before a better one. For calls that begin with a team and stay there, the better one
 * has the better priority, or started first.
 */
export class QueueRules {
  private rung = new Set<string>();

  constructor(
    private readonly sim: Simulator,
    private readonly priorityOf: (callId: string) => number,
  ) {}

  check(): void {
    const { sim } = this;
    const order = sim.calls.list().map(({ id }) => id);
    const isBetter = (a: string, b: string) =>
      this.priorityOf(a) - this.priorityOf(b) || order.indexOf(a) - order.indexOf(b);
    const teams = sim.teams.list();
    for (const team of teams)
      must(
        team.waiting().join() === [...team.waiting()].sort(isBetter).join(),
        () => `${team.id} has the queue ${team.waiting()}`,
      );
    const rings = teamRings(sim);
    for (const { member, call } of rings) {
      if (this.rung.has(`${member} ${call.id}`)) continue;
      const waiting = teams
        .filter(({ record }) => record.teamMembers.some(({ id }) => id === member))
        .flatMap((team) => team.waiting());
      const better = waiting.find(
        (id) => isBetter(id, call.id) < 0 && isOpenTo(sim.calls.get(id).record, member),
      );
      must(better === undefined, () => `${member} is offered ${call.id} past ${better}`);
    }
    this.rung = new Set(rings.map(({ member, call }) => `${member} ${call.id}`));
  }
}

/** The tiers of a team for one call: each offer goes to the next tier with anyone to ring, by present priorities. */
export class TierRules {
  private last = 0;
  private dialled = 0;

  constructor(
    private readonly sim: Simulator,
    private readonly teamId: string,
    private readonly call: CallHandle,
  ) {}

  check(): void {
    const { parties } = this.call.record;
    const begun = newDials(parties, this.dialled);
    this.dialled = parties.reduce((sum, { dials }) => sum + dials.length, 0);
    if (begun.length === 0) return;
    const elsewhere = new Set(
      teamRings(this.sim).flatMap(({ member, call }) => (call.id === this.call.id ? [] : [member])),
    );
    const open = this.sim.teams.get(this.teamId).record.teamMembers.filter((member) => {
      const party = parties.find(({ entryId }) => entryId === member.id);
      const hasSaidNo = party !== undefined && hasDeclined(party);
      return canRing(this.sim, member) && !elsewhere.has(member.id) && !hasSaidNo;
    });
    const tiers = open.map(({ priority }) => priority).sort((a, b) => a - b);
    const next = tiers.find((priority) => priority > this.last) ?? tiers[0];
    const expected = open
      .filter(({ priority }) => priority === next)
      .map(({ id }) => id)
      .sort();
    must(
      begun.join() === expected.join(),
      () => `after priority ${this.last} ${begun} ring, expected ${expected} of priority ${next}`,
    );
    this.last = next ?? 0;
  }
}

/** The members who began to ring after the first so many dials, sorted: the tier before has stopped. */
function newDials(parties: CallRecord["parties"], before: number): string[] {
  const total = parties.reduce((sum, { dials }) => sum + dials.length, 0);
  if (total === before) return [];
  return parties
    .flatMap((party) => (party.entryId !== undefined && ringsForTeam(party) ? [party.entryId] : []))
    .sort();
}
