import { type Deviation, isSamePoint } from "../core/engine/deviations.ts";
import { CommandError, InputError } from "../core/foundation/errors.ts";
import { list, object, readInput, wholeNumber } from "../core/foundation/input-schemas.ts";
import { iso } from "../core/foundation/instants.ts";
import { ANSWER_ENTRY } from "../core/network/network.ts";
import type { CommandInput, CommandName } from "../core/platform/base/core-services.ts";
import type { Urls } from "../core/platform/declare/urls.ts";
import { URLS_ENTRY } from "../core/platform/move.ts";
import { deviate } from "../core/platform/network/commands/deviate.ts";
import type { EndpointHandler } from "../core/platform/network/network-api.ts";
import type { RestServedArguments } from "../core/platform/rest-traffic/schemas.ts";
import type { JournalDocument } from "../core/simulator/options.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { isInTransit, RestTransit, withCurrentName } from "../findings/rest-transit.ts";
import type { AppRun } from "../inspector/data.ts";
import { groupRestEntries } from "../inspector/model/rest-entries.ts";
import { ControlError } from "./errors.ts";

type Entry = JournalDocument["entries"][number];

/** What the page asks for: the server's run with these deviations. */
const questionSchema = object({ run: wholeNumber(0, 0), deviations: list(deviate.schema) });

/** @throws {InputError} if it is not a question of the page */
export function readTrial(question: unknown): readonly Deviation[] {
  return readInput(questionSchema, question, []).deviations.map(withCurrentName);
}

/** How often an app must be found silent until it has done all that it does after its answer. */
const SILENT_LOOKS = 3;
/** The real time between two looks, ms. */
const LOOK_MS = 10;

/**
 * Plays a server's run again from its start, with other deviations, and sends the webhooks' requests to their apps
 * again. While it runs, it answers requests to the REST API.
 */
export class Trial {
  readonly simulator: Simulator;
  private readonly transit: RestTransit;
  private readonly planned: readonly Deviation[];
  /** How many requests of the app to the REST API have no answer yet. */
  private openRequests = 0;
  private answeredRequests = 0;
  /** How many requests of each kind the app has sent, beyond those that it sent in the run. */
  private readonly extraRequests = new Map<string, number>();
  private readonly skipped: string[] = [];

  /**
   * @param send sends a request to its endpoint
   * @param isTimed whether the run's time passed only when it was told to, so that the app must do the same at the same
   * instants
   */
  constructor(
    private readonly recorded: Simulator,
    private readonly journal: JournalDocument,
    private readonly deviations: readonly Deviation[],
    send: EndpointHandler,
    private readonly isTimed: boolean,
  ) {
    if (journal.snapshot !== undefined)
      throw new ControlError(
        409,
        "conflict",
        "the journal begins with a snapshot, so the run cannot be played again from its start",
      );
    this.simulator = recorded.restart();
    this.transit = new RestTransit(this.simulator, deviations.filter(isInTransit));
    this.planned = deviations.filter((each) => !isInTransit(each));
    const receive: EndpointHandler = async (request) => {
      const answer = await send(request);
      await this.waitForSilence();
      return answer;
    };
    this.simulator.network.route("", Object.assign(receive, { isConcurrent: true }));
  }

  /** Answers a request of the app to the REST API. @throws {ConnectionLost} if it is to be refused, or its answer lost */
  async answer(request: Request): Promise<Response> {
    this.openRequests++;
    this.countRequest(makeKey(request.method, new URL(request.url).pathname), 1);
    try {
      return await this.transit.send(request, (passed) => this.simulator.fetch(passed));
    } finally {
      this.openRequests--;
      this.answeredRequests++;
    }
  }

  /**
   * Plays the whole run.
   * @throws {InputError} if the run does not reach a request that is to deviate
   */
  async play(): Promise<AppRun> {
    const { simulator, journal, recorded, planned } = this;
    for (const deviation of planned) simulator.command("deviate", deviation as CommandInput<"deviate">);
    const ofApp = this.entriesCausedByApp();
    const groupOf = new Map(
      groupRestEntries(journal.entries).flatMap((group) => group.map((each) => [each, group])),
    );
    let dropped: readonly Entry[] = [];
    for (const entry of journal.entries) {
      const group = groupOf.get(entry);
      if (entry.command === ANSWER_ENTRY || isPlanned(entry, planned) || dropped.includes(entry)) continue;
      await simulator.advanceToAsync(Math.max(entry.atMs, simulator.timestamp));
      if (group?.[0] === entry && this.isSentByApp(group, ofApp)) dropped = group;
      else this.repeatCommand(entry);
    }
    await simulator.advanceToAsync(Math.max(journal.end.atMs, simulator.timestamp));
    if (recorded.pending().length === 0) await simulator.runUntilIdleAsync();
    await this.waitForSilence();
    const [unreached] = simulator.services.engine.deviations.unmet;
    if (unreached !== undefined)
      throw new InputError(
        ["deviations"],
        `the run has no ${unreached.of} ${unreached.at / 1_000} s after its start`,
      );
    this.transit.mustHaveMatchedAll();
    const played = simulator.journal();
    return { journal: played, received: [], note: this.noteAbout(played) };
  }

  /** Repeats an entry's command. One that is no longer possible is noted. */
  private repeatCommand({ command, args, atMs }: Entry): void {
    const { simulator } = this;
    if (command === URLS_ENTRY) simulator.serverPort.moveTo(args as Urls);
    if (!simulator.commandNames.includes(command as CommandName)) return;
    try {
      simulator.command(command as CommandName, args as CommandInput<CommandName>);
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof InputError)) throw error;
      this.skipped.push(`${command} at ${iso(atMs)} (${error.message})`);
    }
  }

  /** Resolves when the app has sent nothing for a while: counted in looks, as a pause of the machine is one of the app too. */
  private async waitForSilence(): Promise<void> {
    let seen = this.answeredRequests;
    for (let looks = 0; looks < SILENT_LOOKS; looks++) {
      await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
      if (this.openRequests === 0 && this.answeredRequests === seen) continue;
      seen = this.answeredRequests;
      looks = -1;
    }
  }

  /**
   * The recorded requests to the REST API that came while the app handled a request of the platform: it sends them again by
   * itself.
   */
  private entriesCausedByApp(): ReadonlySet<Entry> {
    const { entries } = this.journal;
    const begun = new Map(
      this.recorded.network.requests.map(({ id, startedTimestamp }) => [id, startedTimestamp]),
    );
    const answered = new Set<Entry>();
    // the earliest start of the requests that are answered after an entry
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const entry of entries.toReversed()) {
      const { command, args, atMs } = entry;
      if (command === ANSWER_ENTRY)
        earliestMs = Math.min(earliestMs, begun.get(requestOf(args)) ?? earliestMs);
      else if (earliestMs <= atMs) answered.add(entry);
    }
    const isOfApp = (last: Entry) =>
      (last.args as RestServedArguments).during !== undefined || answered.has(last);
    return new Set(
      groupRestEntries(entries)
        .filter((group) => isOfApp(group.at(-1) as Entry))
        .flat(),
    );
  }

  /** Whether the app sends a recorded request to the REST API by itself, or has sent it already. */
  private isSentByApp(group: readonly Entry[], ofApp: ReadonlySet<Entry>): boolean {
    const last = group.at(-1) as Entry;
    const { method, path } = last.args as RestServedArguments;
    const key = makeKey(method, path.replace(/\?.*/, ""));
    if (!ofApp.has(last) && (this.extraRequests.get(key) ?? 0) <= 0) return false;
    this.countRequest(key, -1);
    return true;
  }

  private countRequest(key: string, count: number): void {
    this.extraRequests.set(key, (this.extraRequests.get(key) ?? 0) + count);
  }

  /** A note on a trial: the app differed before anything was changed, or commands were no longer possible. */
  private noteAbout(played: JournalDocument): string | undefined {
    const untilMs = Math.min(...this.deviations.map(({ at }) => at)) + this.recorded.startTimestamp;
    const now = new Set(played.entries.map(comparableLine));
    const other = this.journal.entries.find((entry) => {
      const line = comparableLine(entry);
      return this.isTimed && line !== undefined && entry.atMs < untilMs && !now.has(line);
    });
    const notes = [
      other &&
        `It behaved differently ${(other.atMs - this.recorded.startTimestamp) / 1_000} s after the start, before anything was changed. It gets every webhook again: reset it first, or start the server with --reset.`,
      this.skipped.length > 0 && `No longer possible: ${this.skipped.join("; ")}.`,
    ].filter((each) => typeof each === "string");
    return notes.length === 0 ? undefined : notes.join(" ");
  }
}

const requestOf = (args: unknown) => (args as { readonly request: string }).request;

/** An answer of the app, or to it, without what real time changes; undefined for any other entry. */
function comparableLine({ atMs, command, args }: Entry): string | undefined {
  if (command === "restServed") {
    const { method, path, status } = args as RestServedArguments;
    return `${atMs} ${method} ${path} ${status}`;
  }
  if (command !== ANSWER_ENTRY) return undefined;
  const { request, status, failure, pending } = args as { [key: string]: unknown };
  return pending === undefined ? `${atMs} ${request} ${status} ${failure}` : undefined;
}

const makeKey = (method: string, path: string) => `${method} ${path}`;

/** Whether an entry's deviation is replaced by one of the trial. */
function isPlanned({ command, args }: Entry, planned: readonly Deviation[]): boolean {
  return command === "deviate" && planned.some((each) => isSamePoint(each, args as Deviation));
}

/**
 * Resets the app, if a URL for that is given.
 * @param api the address of the REST API
 * @throws {ControlError} if it does not answer 2xx
 */
export async function resetApp(
  url: string | undefined,
  { now, credentials }: Simulator,
  api: string,
  send: EndpointHandler,
): Promise<void> {
  if (url === undefined) return;
  const { clientId, clientSecret } = credentials;
  const body = JSON.stringify({ now: now.toISO(), api, clientId, clientSecret });
  const headers = { "content-type": "application/json" };
  const answer = (await send({ url, method: "POST", headers, body })) as { status?: number; reason?: string };
  const { status = 0, reason = `answered ${status}` } = answer;
  if (status < 200 || status > 299)
    throw new ControlError(409, "conflict", `--reset: POST ${url}: ${reason}`);
}
