import { eventKeys } from "../core/platform/catalogue/event-keys.ts";
import type { RequestRecord } from "../core/records/request.ts";
import { createdKey } from "../core/simulator/announce.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { leavesNotes, type NotesPlace, writeNotes } from "./notes-files.ts";

/**
 * Notes what the endpoints of a test file's simulators got: how often each kind of event, and never a body. `ringback unseen`
 * reads the notes of a run.
 */

/** What the endpoints of one test file got, or those of a server. */
export interface ReceivedNotes {
  readonly ringback: "notes";
  /** The path of the test file, from where the tests ran; null for a server. */
  readonly file: string | null;
  /** Whether the runner was told to run only tests of some names. */
  readonly isFiltered: boolean;
  readonly simulators: number;
  /** The organisations of the simulators, with durations in ms: they decide which events there can be. */
  readonly organisations: readonly object[];
  readonly endpoints: readonly EndpointNotes[];
}

export interface EndpointNotes {
  /** Its URL without what follows `?`. */
  readonly url: string;
  /** The place of its organisation in the list. */
  readonly organisation: number;
  /** The types that its webhooks asked for; `*` is all. */
  readonly types: readonly string[];
  /** How calls and conversations of its simulators began, as steps of a scenario. */
  readonly begins: readonly object[];
  /** How often it got each kind of event. */
  readonly got: Readonly<Record<string, number>>;
  /** How often it got a type as a second or later attempt. */
  readonly again: Readonly<Record<string, number>>;
}

/** How many simulators of tests are kept at most until they are counted. Those that belong to no test are all kept. */
const MOST_KEPT = 50;
/** How many ways to begin a call are noted of an endpoint. */
const MOST_BEGINS = 6;
/** The commands by which calls and conversations begin: the arguments that are noted, and those by which two count as two. */
const beginnings: Readonly<Record<string, { readonly noted: readonly string[]; readonly apart: string[] }>> =
  {
    inbound: { noted: ["from", "to"], apart: ["to"] },
    outbound: { noted: ["from", "to"], apart: ["from"] },
    internal: { noted: ["from", "to"], apart: ["from", "to"] },
    receiveMessage: { noted: ["from", "to"], apart: ["to"] },
  };

/** A simulator whose requests are counted once its test is over. */
interface Followed {
  readonly sim: Simulator;
  /** The tests that ran when it was made; none for one that is made for many tests. */
  readonly tests: readonly string[];
  /** The id of its last request that was looked at, or that was sent before it was followed. */
  last: string | undefined;
  /** The ids of those that were under way then. */
  underWay: readonly string[];
}

interface MutableEndpoint {
  readonly url: string;
  readonly organisation: number;
  readonly types: Set<string>;
  readonly begins: Map<string, object>;
  readonly got: Map<string, number>;
  readonly again: Map<string, number>;
}

/** What is asked of a test runner. */
interface AskedRunner {
  /** The path of the file whose tests run, if it is known. */
  file(): string | undefined;
  /** The name of the runner's project, if it has several: each may run the same file. */
  project?(): string | undefined;
  isFiltered(): boolean;
  /** The tests that run. */
  tests(): readonly string[];
  isRunning(test: string): boolean;
}

/** Counts what the endpoints of simulators get. */
export class NoteTaker {
  /** The path of the file that is noted; null for a server. */
  private file: string | null | undefined;
  private followed: Followed[] = [];
  private simulators = 0;
  private readonly organisations: string[] = [];
  private readonly places = new WeakMap<object, number>();
  private readonly endpoints = new Map<string, MutableEndpoint>();
  /** The last that was asked for: mostly the next one too. */
  private last: { url: string; organisation: object; endpoint: MutableEndpoint } | undefined;

  /** @param runner undefined for a server, which says itself what is followed */
  constructor(private readonly runner: AskedRunner | undefined) {
    this.file = runner === undefined ? null : runner.file();
  }

  /** Follows each simulator that is made from now on. Worlds of explorations do not say that they are made. */
  listen(): void {
    if (!leavesNotes()) return;
    const global = globalThis as { [createdKey]?: (simulator: Simulator) => void };
    const before = global[createdKey];
    global[createdKey] = (simulator) => {
      before?.(simulator);
      this.follow(simulator);
    };
  }

  /** Counts what a simulator sends from now on. Those of tests that are over are counted now, so nothing keeps them longer. */
  follow(sim: Simulator): void {
    const { runner } = this;
    this.turnTo(runner?.file());
    this.simulators++;
    const isOver = ({ tests }: Followed) =>
      tests.length > 0 && !tests.some((test) => runner?.isRunning(test));
    this.countAll(isOver);
    const ofTests = this.followed.filter(({ tests }) => tests.length > 0);
    if (ofTests.length >= MOST_KEPT) this.countAll((each) => each === ofTests[0]);
    this.followed.push({ sim, tests: runner?.tests() ?? [], last: findLast(sim), underWay: [] });
  }

  /** Counts what a simulator has sent, and follows it no longer. */
  end(simulator: Simulator): void {
    this.countAll(({ sim }) => sim === simulator);
  }

  /** Writes the notes of the test file. Call it when its tests are over. */
  write(): void {
    for (const each of this.followed) this.count(each);
    const { file } = this;
    if (file !== undefined) writeNotes(file, this.runner?.project?.(), (place) => this.notes(place));
  }

  private countAll(isMeant: (followed: Followed) => boolean): void {
    const meant = this.followed.filter(isMeant);
    if (meant.length === 0) return;
    for (const each of meant) this.count(each);
    this.followed = this.followed.filter((each) => !meant.includes(each));
  }

  /** With `isolate: false`, one process runs many files, one after the other. */
  private turnTo(file: string | undefined): void {
    if (file === undefined || file === this.file) return;
    this.write();
    this.file = file;
    [this.followed, this.simulators] = [[], 0];
    this.endpoints.clear();
    this.last = undefined;
  }

  private notes({ file }: NotesPlace): ReceivedNotes {
    const endpoints = [...this.endpoints.values()].map(({ types, begins, got, again, ...of }) => ({
      ...of,
      types: [...types].sort(),
      begins: [...begins.values()],
      got: Object.fromEntries([...got].sort()),
      again: Object.fromEntries([...again].sort()),
    }));
    return {
      ...{ ringback: "notes", file, isFiltered: this.runner?.isFiltered() ?? false },
      simulators: this.simulators,
      organisations: this.organisations.map((text) => JSON.parse(text) as object),
      endpoints,
    };
  }

  private count(followed: Followed): void {
    const { sim } = followed;
    const { webhooks, network, deliveries } = sim.services;
    const endpoints = new Set<MutableEndpoint>();
    for (const { url, events } of webhooks.table) {
      if (!network.routes.has(url)) continue;
      const endpoint = this.findEndpoint(url, sim);
      for (const type of events) endpoint.types.add(type);
      endpoints.add(endpoint);
    }
    const fresh = freshRequests(followed);
    followed.underWay = fresh.filter(isUnderWay).map(({ id }) => id);
    for (const request of fresh) {
      const delivery = hasArrived(request) ? deliveries.find(request.recordId) : undefined;
      if (delivery === undefined) continue;
      const { event, requestIds } = delivery;
      const endpoint = this.findEndpoint(request.to, sim);
      endpoint.types.add(event.type);
      endpoints.add(endpoint);
      for (const key of eventKeys(event)) raise(endpoint.got, key);
      if (requestIds[0] !== request.id) raise(endpoint.again, event.type);
    }
    if (endpoints.size === 0) return;
    for (const { command, args } of sim.services.engine.journal.list())
      for (const endpoint of endpoints) noteBeginning(endpoint.begins, command, args);
  }

  private findEndpoint(to: string, sim: Simulator): MutableEndpoint {
    const { organisation } = sim.services.settings;
    if (this.last?.url === to && this.last.organisation === organisation) return this.last.endpoint;
    // what follows may hold a secret
    const [url = to] = to.split(/[?#]/, 1);
    const place = this.placeOf(organisation);
    const key = `${place} ${url}`;
    const endpoint = this.endpoints.get(key) ?? newEndpoint(url, place);
    this.endpoints.set(key, endpoint);
    this.last = { url: to, organisation, endpoint };
    return endpoint;
  }

  /** The place of an organisation in the list. Simulators with the same options share it. */
  private placeOf(organisation: object): number {
    let place = this.places.get(organisation);
    if (place === undefined) {
      const text = organisationText(organisation);
      const known = this.organisations.indexOf(text);
      place = known >= 0 ? known : this.organisations.push(text) - 1;
      this.places.set(organisation, place);
    }
    return place;
  }
}

/** What the network itself accepted, or lost, reached nobody. */
function hasArrived({ why, arrivedAt, isUnrouted }: RequestRecord): boolean {
  return why === "webhook" && arrivedAt !== null && !isUnrouted;
}

const isUnderWay = ({ arrivedAt, endedAt }: RequestRecord) => arrivedAt === null && endedAt === null;

/** The requests that are not counted yet. */
function freshRequests(followed: Followed): RequestRecord[] {
  const { network } = followed.sim.services;
  const fresh = followed.underWay.flatMap((id) => network.request(id) ?? []);
  const { last } = followed;
  // the run may have dropped it (`retain`), and with it all before
  let isAfter = last === undefined || network.request(last) === undefined;
  for (const request of network.requests()) {
    if (isAfter) {
      fresh.push(request);
      followed.last = request.id;
    } else isAfter = request.id === last;
  }
  return fresh;
}

function newEndpoint(url: string, organisation: number): MutableEndpoint {
  const [got, again] = [new Map<string, number>(), new Map<string, number>()];
  return { url, organisation, types: new Set(), begins: new Map(), got, again };
}

function findLast(sim: Simulator): string | undefined {
  let last: string | undefined;
  for (const { id } of sim.services.network.requests()) last = id;
  return last;
}

/** Notes the step by which a command begins a call or a conversation. What a message says is not noted. */
function noteBeginning(begins: Map<string, object>, command: string, args: unknown): void {
  const beginning = beginnings[command];
  if (beginning === undefined || begins.size >= MOST_BEGINS) return;
  const given = args as Readonly<Record<string, unknown>>;
  const key = `${command} ${beginning.apart.map((name) => String(given[name])).join(" ")}`;
  if (begins.has(key)) return;
  const noted = beginning.noted
    .filter((name) => given[name] !== undefined)
    .map((name) => [name, given[name]]);
  begins.set(key, { [command]: Object.fromEntries(noted) });
}

function raise(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** An organisation without endpoints and their secrets. */
export function organisationText(organisation: object): string {
  const { webhooks: _, dataActions: __, ...rest } = organisation as Readonly<Record<string, unknown>>;
  return JSON.stringify(rest);
}
