import { groupedNumber } from "../../core/foundation/phone-number.ts";
import {
  type Lifeline,
  type Lifelines,
  type NamedSentence,
  withNumberEnd,
} from "../../core/narration/lifelines.ts";
import type { Mentions } from "../../core/narration/mentions.ts";
import { readHost } from "../../core/network/endpoint-url.ts";
import type { Description } from "../../core/platform/declare/description.ts";
import type { EventNames } from "../../core/platform/parts/define-part.ts";
import type { TeamRecord } from "../../core/records/directory.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { countTexts, withShortNames } from "./lane-names.ts";
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
  /** How many people outside have a name, in the whole run. */
  private outsideNames: ReadonlyMap<string, number> | undefined;

  /** @param hasStandIns whether all names are stand-ins of an import */
  constructor(
    private readonly simulator: Simulator,
    private readonly lifelines: Lifelines,
    private readonly mentions: Mentions,
    private readonly hasStandIns: boolean,
  ) {
    const platformName = lifelines.platform.name;
    this.teams = this.entries().filter((entry): entry is TeamRecord => "teamMembers" in entry);
    for (const team of this.teams)
      for (const member of team.teamMembers)
        if (!this.teamOf.has(member.id)) this.teamOf.set(member.id, team.id);
    this.lanes.set(PLATFORM, { id: PLATFORM, kind: "platform", name: platformName, short: platformName });
  }

  /** The whole name of a lifeline, told apart from all others: `Alex Smith`, `Alex Smith, ext. 101`, `+64 2 155 5001`. */
  wholeName({ id, name, kind }: Lifeline): string {
    if (kind !== "outside") return name;
    if (name === id) return groupedNumber(id);
    this.outsideNames ??= countTexts(
      this.lifelines.list().map((line) => (line.kind === "outside" ? line.name : undefined)),
    );
    return (this.outsideNames.get(name) ?? 0) > 1 ? withNumberEnd(name, id) : name;
  }

  /** The lane of a lifeline. Teams have none of their own, and all clients of the REST API share one. */
  of(line: Lifeline): string {
    const { id, kind, isClient, isTeam } = line;
    const name = this.wholeName(line);
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
    const host = readHost(url);
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
    this.lanes.set(APP, { id: APP, kind: "app", name: APP, short: "app" });
  }

  /** The name of a lane, a team or a person, for a sentence. */
  name(id: string): string {
    const lane = this.lanes.get(id);
    return lane?.name ?? this.lifelines.nameOf(id);
  }

  /** The names of those who take part in events. */
  get eventNames(): EventNames {
    const { lifelines } = this;
    return {
      number: (number) => this.wholeName(lifelines.person(number)),
      extension: (extension) => lifelines.calleeName(extension),
      // someone outside without a name has their number as one
      entry: (id, displayName) => groupedNumber(lifelines.names.byId(id, displayName)),
    };
  }

  nameSentence(description: Description): NamedSentence {
    return this.mentions.nameSentence(description);
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

  /** The lanes, with those of more users and devices, who take no part in the run. */
  listWith(ids: readonly string[]): Lane[] {
    const more = ids
      .filter((id) => !this.lanes.has(id))
      .map((id): Lane => {
        const team = this.teamOf.get(id);
        const name = this.lifelines.nameOf(id);
        if (team === undefined) return { id, kind: "other", name, short: name };
        return { id, kind: "member", name, short: name, team };
      });
    return this.sorted([...this.lanes.values(), ...more]);
  }

  /** The lanes from left to right: outside, apps, the platform, the members of each team, everyone else. */
  list(): Lane[] {
    return this.sorted([...this.lanes.values()]);
  }

  private sorted(all: readonly Lane[]): Lane[] {
    const teams = this.teams.map(({ id }) => id);
    const teamPlace = ({ team }: Lane) => (team === undefined ? -1 : teams.indexOf(team));
    const lanes = [...all].sort(
      (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || teamPlace(a) - teamPlace(b),
    );
    const entries = new Map(this.entries().map((entry) => [entry.id, entry]));
    return withShortNames(lanes, (id) => entries.get(id), this.hasStandIns);
  }

  teamNames(): { id: string; name: string }[] {
    return this.teams.map(({ id, displayName }) => ({ id, name: displayName }));
  }

  private entries() {
    return this.simulator.directory.list({ includeSuspendedUsers: true, includeHiddenCallGroups: true });
  }
}
