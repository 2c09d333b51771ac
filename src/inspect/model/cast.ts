import type { TeamRecord } from "../../records/directory.ts";
import type { Simulator } from "../../simulator.ts";
import type { Lane } from "./types.ts";

/** The lane of the platform. */
export const PLATFORM = "platform";
/** The lane of the REST API's clients. */
const REST = "rest";

const order: readonly Lane["kind"][] = ["outside", "app", "platform", "member", "other"];

/** The participants of a run: lanes and their names. */
export class Cast {
  private readonly lanes = new Map<string, Lane>();
  private readonly teams: readonly TeamRecord[];
  private readonly teamOf = new Map<string, string>();

  constructor(
    private readonly simulator: Simulator,
    platformName: string,
  ) {
    this.teams = simulator.directory
      .list({ includeSuspendedUsers: true, includeHiddenCallGroups: true })
      .filter((entry): entry is TeamRecord => "teamMembers" in entry);
    for (const team of this.teams)
      for (const member of team.teamMembers)
        if (!this.teamOf.has(member.id)) this.teamOf.set(member.id, team.id);
    this.lanes.set(PLATFORM, { id: PLATFORM, kind: "platform", name: platformName, short: platformName });
  }

  /** The lane of a directory entry, by its id or a user's e-mail address, or of an outside number. */
  who(name: string): string {
    const known = this.lanes.get(name);
    if (known !== undefined) return known.id;
    const entry = this.entry(name);
    if (entry === undefined) return this.outside(name, undefined);
    if ("teamMembers" in entry) return PLATFORM;
    if (!this.lanes.has(entry.id)) {
      const team = this.teamOf.get(entry.id);
      const { id, displayName: name } = entry;
      const place = team === undefined ? { kind: "other" as const } : { kind: "member" as const, team };
      this.lanes.set(id, { id, name, short: name, ...place });
    }
    return entry.id;
  }

  /** The lane of an outside number. A record may know its name. */
  outside(number: string, name: string | undefined): string {
    const lane = this.lanes.get(number) ?? {
      id: number,
      kind: "outside" as const,
      name: number,
      short: number,
    };
    if (name !== undefined && name !== number) lane.name = name;
    this.lanes.set(number, lane);
    return number;
  }

  /** The lane of a URL's host. */
  host(url: string): string {
    const host = URL.canParse(url) ? new URL(url).host : url;
    if (!this.lanes.has(host)) this.lanes.set(host, { id: host, kind: "app", name: host, short: host });
    return host;
  }

  /** The lane that all clients of the REST API share. */
  rest(): string {
    if (!this.lanes.has(REST))
      this.lanes.set(REST, { id: REST, kind: "app", name: "REST API", short: "REST" });
    return REST;
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

  /** The owner of an extension. */
  byExtension(extension: string) {
    const [owner] = this.simulator.directory.list({
      extension,
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

  private entry(name: string) {
    const found = this.simulator.directory
      .list({ includeSuspendedUsers: true, includeHiddenCallGroups: true })
      .find(
        (each) =>
          each.id === name ||
          ("email" in each &&
            typeof each.email === "string" &&
            each.email.toLowerCase() === name.toLowerCase()),
      );
    return found;
  }
}

/** The short name: `Jane Smith` becomes Jane. */
export function shortName(name: string): string {
  return name.split(" ")[0] || name;
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
  const parts = host.replace(/:\d+$/, "").split(".");
  return /^[\d.]+$|^localhost$/.test(host.replace(/:\d+$/, "")) ? host : (parts[0] ?? host);
}
