import { type Lifeline, shortName } from "../../core/narration/lifelines.ts";
import { hostOf } from "../../core/network/endpoint-url.ts";
import type { TeamRecord } from "../../core/records/directory.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { Lane } from "./types.ts";

/** The lane of the platform. */
export const PLATFORM = "platform";
/** The lane of the app's state. */
export const APP = "your app";
/** The lane of the REST API's clients. */
const REST = "rest";

const order: readonly Lane["kind"][] = ["outside", "app", "platform", "member", "other"];

/** The lanes of a run and their names: its lifelines, with the teams that they belong to. */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly teams: readonly TeamRecord[];
  private readonly teamOf = new Map<string, string>();

  constructor(
    private readonly simulator: Simulator,
    platformName: string,
  ) {
    this.teams = this.entries().filter((entry): entry is TeamRecord => "teamMembers" in entry);
    for (const team of this.teams)
      for (const member of team.teamMembers)
        if (!this.teamOf.has(member.id)) this.teamOf.set(member.id, team.id);
    this.lanes.set(PLATFORM, { id: PLATFORM, kind: "platform", name: platformName, short: platformName });
  }

  /** The lane of a lifeline. Teams have none of their own, and all clients of the REST API share one. */
  of({ id, name, kind, isClient, isTeam }: Lifeline): string {
    if (kind === "platform" || isTeam === true) return PLATFORM;
    if (isClient === true) return this.rest();
    const team = this.teamOf.get(id);
    const kinds = {
      outside: "outside",
      endpoint: "app",
      inside: team === undefined ? "other" : "member",
    } as const;
    const known = this.lanes.get(id);
    // contacts may be added while the run goes on
    if (known !== undefined) known.name = name;
    else
      this.lanes.set(id, {
        id,
        kind: kinds[kind],
        name,
        short: name,
        ...(team === undefined ? {} : { team }),
      });
    return id;
  }

  /** The lane of a lifeline that has one, by its id. */
  byId(id: string): string {
    return this.lanes.has(id) ? id : PLATFORM;
  }

  /** The lane of a URL's host. */
  host(url: string): string {
    const host = hostOf(url);
    if (!this.lanes.has(host)) this.lanes.set(host, { id: host, kind: "app", name: host, short: host });
    return host;
  }

  /** The lane that all clients of the REST API share. */
  private rest(): string {
    if (!this.lanes.has(REST))
      this.lanes.set(REST, { id: REST, kind: "app", name: "REST API", short: "REST" });
    return REST;
  }

  /** Gives the app's state a lane. */
  addApp(): void {
    this.lanes.set(APP, { id: APP, kind: "app", name: APP, short: APP });
  }

  /** The name of a lane, a team or a person, for a sentence. */
  name(id: string): string {
    const lane = this.lanes.get(id);
    if (lane !== undefined) return lane.kind === "outside" ? lane.name : shortName(lane.name);
    const entry = this.entry(id);
    return entry === undefined ? id : shortName(entry.displayName);
  }

  /** The owner of one of the organisation's numbers: name, extension and id. */
  ownerOf(number: string) {
    const [owner] = this.simulator.directory.list({
      phoneNumber: number,
      includeSuspendedUsers: true,
      includeHiddenCallGroups: true,
    });
    return owner;
  }

  /** The lanes from left to right: outside, apps, the platform, the members of each team, everyone else. */
  list(): Lane[] {
    const teams = this.teams.map(({ id }) => id);
    const teamPlace = ({ team }: Lane) => (team === undefined ? -1 : teams.indexOf(team));
    const lanes = [...this.lanes.values()].sort(
      (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || teamPlace(a) - teamPlace(b),
    );
    return withShortNames(lanes);
  }

  teamNames(): { id: string; name: string }[] {
    return this.teams.map(({ id, displayName }) => ({ id, name: displayName }));
  }

  private entry(id: string) {
    return this.entries().find((each) => each.id === id);
  }

  private entries() {
    return this.simulator.directory.list({ includeSuspendedUsers: true, includeHiddenCallGroups: true });
  }
}

/**
 * Gives lanes short names that differ: first names of people, the ends of numbers, the parts of hosts that differ.
 */
function withShortNames(lanes: readonly Lane[]): Lane[] {
  const shorts = lanes.map(({ kind, name }) => {
    if (kind === "app") return shortHost(name);
    return name.startsWith("+") ? name.slice(-4) : shortName(name);
  });
  const uses = new Map<string, number>();
  for (const short of shorts) uses.set(short, (uses.get(short) ?? 0) + 1);
  return lanes.map((lane, index) => {
    const short = shorts[index] ?? lane.name;
    const isShared = (uses.get(short) ?? 0) > 1;
    return { ...lane, short: isShared && !lane.name.startsWith("+") ? lane.name : short };
  });
}

function shortHost(host: string): string {
  if (host === "REST API") return "REST";
  if (host === APP) return "app";
  const parts = host.replace(/:\d+$/, "").split(".");
  return /^[\d.]+$|^localhost$/.test(host.replace(/:\d+$/, "")) ? host : (parts[0] ?? host);
}
