import type { Engine } from "../engine/engine.ts";
import type { Tracer } from "../engine/tracer.ts";
import { CommandError, InputError, type Keys } from "../foundation/errors.ts";
import { mustBeFunction } from "../foundation/input-schemas.ts";
import { type InstantInput, iso, readInstantMs } from "../foundation/instants.ts";
import { copyValue } from "../foundation/runtime-globals.ts";
import { toMermaid } from "../narration/mermaid.ts";
import { type Narration, startNarration } from "../narration/narration.ts";
import type { RunNarration } from "../narration/rows.ts";
import { toTimeline } from "../narration/timeline.ts";
import { type RecordingsApi, recordingsApi } from "../platform/after-call/recordings-api.ts";
import { type TranscriptsApi, transcriptsApi } from "../platform/after-call/transcripts-api.ts";
import { type AnalysisApi, analysisApi } from "../platform/analysis/analysis-api.ts";
import type { CommandInput, CommandName, CommandResult } from "../platform/base/core-services.ts";
import type { MachineTypes } from "../platform/base/machine-types.ts";
import type { Purpose } from "../platform/base/timers.ts";
import { CallsApi } from "../platform/calls/calls-api.ts";
import { type CommandArguments, runParsed } from "../platform/catalogue/run-command.ts";
import { type ConversationsApi, conversationsApi } from "../platform/conversations/conversations-api.ts";
import { type EventStream, makeView } from "../platform/declare/event-stream.ts";
import { type EventType, mustBeEventType } from "../platform/declare/events.ts";
import type { Urls } from "../platform/declare/urls.ts";
import { type DeviceHandle, devicesApi, type EntriesApi } from "../platform/directory/devices-api.ts";
import { type DirectoryApi, directoryApi } from "../platform/directory/listing.ts";
import { FlowsApi } from "../platform/flows/flows-api.ts";
import { LocationsApi } from "../platform/locations/locations-api.ts";
import { NetworkApi } from "../platform/network/network-api.ts";
import type { Notification } from "../platform/notifications/notifications.ts";
import { type TeamHandle, teamsApi } from "../platform/offering/teams-api.ts";
import type { Client, Credentials } from "../platform/organisation/clients.ts";
import type { AskedType, AsksFor } from "../platform/organisation/webhook.ts";
import { UsersApi } from "../platform/people/users-api.ts";
import { PhonebooksApi } from "../platform/phonebooks/phonebooks-api.ts";
import type { Platform } from "../platform/platform.ts";
import { RestApi } from "../platform/rest-traffic/rest-api.ts";
import { TrunksApi } from "../platform/trunks/trunks-api.ts";
import { WebhooksApi } from "../platform/webhooks/webhooks-api.ts";
import type { OpenApiDocument, OpenApiOptions } from "../rest/openapi/types.ts";
import type { Why } from "../why/answer.ts";
import { announce } from "./announce.ts";
import { AppSide } from "./app-side.ts";
import { askWhy, type WhyQuestion } from "./ask-why.ts";
import { RULES } from "./compatibility.ts";
import { compose, type SavedRun } from "./composition.ts";
import { EarlierRun } from "./earlier-run.ts";
import type { AnyEventHandler, EventHandler } from "./event-handlers.ts";
import {
  type CompleteOptions,
  functionsOf,
  type JournalDocument,
  type OptionFunctions,
  type ReplayOptions,
  readJournal,
  readOptions,
  type SimulatorOptions,
  type WithWebhooks,
  withChanges,
} from "./options.ts";
import { replayAll, replayEntries } from "./replay.ts";
import { restRequest, untilAnswer } from "./rest-request.ts";
import { type ServerPort, serverPort } from "./server-port.ts";
import { type RunSnapshot, readSnapshot, snapshotOf } from "./snapshot.ts";
import { startFromCache } from "./start-cache.ts";
import { simulatorStateText } from "./state-text.ts";
import { attachTracer } from "./tracing.ts";

/** Node's `util.inspect.custom`, which `console.log` calls. */
const inspectSymbol: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** Cached: a second import would take as long as an answer. */
let restLoaded: Promise<typeof import("../rest/rest.ts")> | undefined;

const noJournal = "journal() needs the journal, which `retain: { journal: false }` switches off";

/** `Symbol.dispose`, also where the runtime lacks it. */
const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/**
 * A simulated organisation on a virtual clock, made by `createSimulator`. Nothing happens until a command is given or
 * a time method lets time pass.
 */
export class Simulator extends AppSide {
  /** Makes calls, and finds them. */
  readonly calls: CallsApi = new CallsApi(this.services);
  /** Takes back the calls that return to a flow, a task queue or an application. */
  readonly flows: FlowsApi = new FlowsApi(this.services);
  /** The people of the organisation, with their availability, endpoints and behaviour. */
  readonly users: UsersApi = new UsersApi(this.services);
  /** Teams, to which calls are offered tier by tier. */
  readonly teams: EntriesApi<TeamHandle> = teamsApi(this.services);
  /** Devices that nobody in particular answers, such as the phone in the lobby. */
  readonly devices: EntriesApi<DeviceHandle> = devicesApi(this.services);
  /** Everyone and everything that has an extension. */
  readonly directory: DirectoryApi = directoryApi(this.services);
  /** Where people are. */
  readonly locations: LocationsApi = new LocationsApi(this.services);
  /** Contacts, which give callers their names. */
  readonly phonebooks: PhonebooksApi = new PhonebooksApi(this.services);
  /** Trunks to other phone systems, and their entries; needs `features.pbx`. */
  readonly trunks: TrunksApi = new TrunksApi(this.services);
  /** Content analysis jobs. */
  readonly analysis: AnalysisApi = analysisApi(this.services);
  /** Recordings of calls; made with `features.recording`. */
  readonly recordings: RecordingsApi = recordingsApi(this.services);
  /** Transcripts of recordings; made with `features.transcription`. */
  readonly transcripts: TranscriptsApi = transcriptsApi(this.services);
  /** Messages, and the conversations that they belong to. */
  readonly conversations: ConversationsApi = conversationsApi(this.services);
  /** The endpoints to which the platform sends requests, and the network on the way to them. */
  readonly network: NetworkApi = new NetworkApi(this.services);
  /** Webhooks and their deliveries. */
  readonly webhooks: WebhooksApi = new WebhooksApi(this.services);
  /** The requests to the REST API, and ways to make it fail. */
  readonly rest: RestApi = new RestApi(this.services);
  readonly #engine: Engine<MachineTypes, Purpose>;
  readonly #platform: Platform;
  readonly #options: CompleteOptions;
  /** The snapshot with which the journal begins, if it was compacted. */
  #snapshot: RunSnapshot | undefined;
  #events: EventStream | undefined;
  #narration: Narration | undefined;
  /** Set for a run in which the REST API is behind. */
  readonly #earlier: EarlierRun<Simulator> | undefined;

  /** @internal Use `createSimulator`. */
  constructor(
    options: CompleteOptions,
    engine: Engine<MachineTypes, Purpose>,
    platform: Platform,
    snapshot: RunSnapshot | undefined,
  ) {
    super(engine, platform.services);
    const { services } = platform;
    this.#options = options;
    this.#snapshot = snapshot;
    this.#engine = engine;
    this.#platform = platform;
    if (services.settings.assume.restConsistency === "behind")
      this.#earlier = new EarlierRun(engine, () => this.#forked());
  }

  /** Every event so far. */
  get events(): EventStream {
    // created on the first read: it copies the log, which would slow down forks
    this.#events ??= makeView(this.#engine.log, this.#engine.options.keepEvents, {
      toTimeline: () => toTimeline(this.narration()),
      toMermaid: () => toMermaid(this.narration()),
    });
    return this.#events;
  }

  /** The seed of all randomness. */
  get seed(): string | number {
    return this.#options.seed;
  }

  /** The notifications and e-mails that people would have received, in order. */
  get notifications(): readonly Notification[] {
    this.noteRead("records");
    return this.services.notifications.list();
  }

  /**
   * Calls the handler with every event of a type, or of all types with `*` (then with the type first). Handlers get
   * events in log order, after the step that emitted them, and may issue commands, which run at once. What a handler
   * throws comes out of the command or time method that led to it, once all handlers have heard.
   * @param type the type of events, or `*` for all
   * @param handler gets each event
   * @throws {TypeError} if `type` is not a known event type
   * @throws {InputError} without a handler
   * @example
   * const numbers: string[] = [];
   * sim.on("call.started", ({ data }) => numbers.push(data.call.contactNumber ?? "withheld"));
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * numbers; // => ["+6421555001"]
   */
  on<Type extends EventType>(type: Type, handler: EventHandler<Type>): void;
  on(type: "*", handler: AnyEventHandler): void;
  on(type: EventType | "*", handler: EventHandler<never> | AnyEventHandler): void {
    this.#engine.assertOpen();
    if (type !== "*") mustBeEventType(type, "on");
    mustBeFunction(handler, "on");
    this.#engine.registrationLines.keep(handler);
    this.#engine.log.on(type, handler);
  }

  /**
   * Removes a handler; without `handler`, all handlers of the type.
   * @param type the type of events, or `*`
   * @param handler the handler to remove
   * @example
   * const log = (type: string) => console.log(type);
   * sim.on("*", log);
   * sim.off("*", log);
   */
  off<Type extends EventType>(type: Type, handler?: EventHandler<Type>): void;
  off(type: "*", handler?: AnyEventHandler): void;
  off(type: EventType | "*", handler?: EventHandler<never> | AnyEventHandler): void {
    this.#engine.log.off(type, handler);
  }

  /**
   * Issues a command by name, as scenarios and journals do: `sim.command("answer", { call, by })`.
   * @param name the command's name
   * @param args the command's arguments
   * @returns the id of what the command makes, if it makes anything
   * @throws {CommandError} `not_found` if no command has the name; other codes if its arguments are wrong or the state does
   *   not allow it. Nothing has changed
   * @example
   * const call = sim.command("inbound", { from: "+6421555001", to: "+6495550100" });
   * sim.command("answer", { call, by: "alice" });
   */
  command<Name extends CommandName, Asked extends AskedType = AskedType>(
    name: Name,
    args: CommandInput<Name> &
      (Name extends "createWebhook" | "updateWebhook" ? Partial<AsksFor<Asked>> : unknown),
  ): CommandResult<Name> {
    if (!Object.hasOwn(this.services.commands, name))
      throw new CommandError(
        "not_found",
        `no command is named "${name}"; known: ${this.commandNames.join(", ")}`,
      );
    return this.services.command(name, args);
  }

  /** @internal Like `command`, for parsed arguments. */
  commandParsed<Name extends CommandName>(name: Name, args: CommandArguments<Name>): CommandResult<Name> {
    return runParsed(this.services, name, args);
  }

  /** The names that `command` knows. */
  get commandNames(): readonly CommandName[] {
    return Object.keys(this.services.commands) as CommandName[];
  }

  /**
   * Lets calls from outside begin at drawn intervals, for as long as `for` says. Each comes from
   * another number, counted up from `from` if that is given. They follow from this one command: the journal does not
   * hold them.
   * @param traffic `to`: the number that is called. `every`: the time between two calls. `for`: how long calls begin.
   *   `behaviour`: how the callers act
   * @throws {CommandError} `unknown_number` if nobody has the number `to`; `invalid_argument` for an interval of 0
   * @example
   * sim.traffic({ to: "+6495550200", every: exponential("PT2M"), for: "PT8H" });
   * sim.runUntilIdle();
   * sim.calls.list().length > 100; // => true
   */
  traffic(traffic: CommandInput<"traffic">): void {
    this.services.command("traffic", traffic);
  }

  /** The public addresses: of the REST API, of the token endpoint, and of the redirect handler. */
  get urls(): Urls {
    return this.services.settings.urls;
  }

  /** @internal The methods that a server uses besides the public ones. */
  get serverPort(): ServerPort {
    return serverPort(this.services);
  }

  /**
   * The id and secret of the first client of the option `clients`, which asks for tokens, and the secret of the carrier,
   * with which it signs its requests.
   */
  get credentials(): Credentials {
    const { id, secret } = this.#options.clients[0] as Client;
    return { clientId: id, clientSecret: secret, vendorSecret: this.services.settings.vendorSecret };
  }

  /**
   * An access token for `Authorization: Bearer …`, valid for at least five more minutes of virtual time (or for
   * `timing.accessTokenLifetime`, if that is shorter). Returns the same token until then; a token expires after an hour.
   * @example
   * const headers = { authorization: `Bearer ${sim.token()}` };
   * (await sim.fetch("/users", { headers })).status; // => 200
   */
  token(): string {
    const { clientId } = this.credentials;
    return (
      this.services.tokens.longLivedToken(clientId) ??
      this.services.command("issueToken", { client: clientId })
    );
  }

  /**
   * Answers for the REST API, the token endpoint and the redirect handler, in process. No time passes; a request may cause
   * events. If a request is wrong, the answer says so; if an event handler throws, the promise is rejected.
   * @param input a `Request` or a URL; a path alone is one of the REST API
   * @example
   * const headers = { authorization: `Bearer ${sim.token()}` };
   * const answer = await sim.fetch("/users/alice", { headers });
   * ((await answer.json()) as { email: string }).email; // => "alice@acme.test"
   */
  readonly fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const make = () => restRequest(input, init, this.urls.api);
    const { current } = this.#engine.probes;
    if (current?.askRest === undefined) return untilAnswer(this.#engine.work, this.#answer(make));
    const request = make();
    const answer = current.askRest(request, () => this.#answer(() => request));
    return untilAnswer(this.#engine.work, answer);
  };

  async #answer(createRequest: () => Request): Promise<Response> {
    this.#engine.assertOpen();
    // read before the first await: other handlers may run meanwhile
    const during = this.services.network.handlers.current;
    const { askedInLife: asked } = this.#engine.work;
    const { answerRequest: answer } = await this.loadRest();
    return answer(this.services, createRequest(), {
      requestId: during,
      asked,
      before: () => this.#before().services,
    });
  }

  /** @internal Loads the REST API, so that a later request takes no real time. */
  loadRest() {
    restLoaded ??= import("../rest/rest.ts");
    return restLoaded;
  }

  /**
   * The OpenAPI 3.1 document of exactly what `fetch` serves, in this simulator's dialect.
   * @param options.examples `example` (default): those of an organisation that has everything; `here`: what this simulator
   *   holds now, if it holds something to show
   * @param options.secrets whether the example of a token request may have the secret of the client. Default true.
   * @example
   * const document = await sim.openapi();
   * document.openapi; // => "3.1.0"
   */
  async openapi({ examples = "example", secrets = true }: OpenApiOptions = {}): Promise<OpenApiDocument> {
    const { makeDocument: documentOf } = await import("../rest/openapi/document.ts");
    const { profile, dialect, urls } = this.services.settings;
    const shown = examples === "here" ? { simulator: this, showsSecrets: secrets } : {};
    return documentOf({ profile, dialect, urls, make: createSimulator, ...shown });
  }

  /** @internal Loads the parts of the document of a server's control plane. */
  async loadDocumentParts() {
    return { ...(await import("../rest/openapi/parts.ts")), createSimulator };
  }

  /** @internal The journal so far, with which a file that is written during the run begins. */
  journalHead(): JournalDocument {
    return {
      ringback: 1,
      rules: RULES,
      options: copyValue(this.#options),
      ...(this.#snapshot === undefined ? {} : { snapshot: this.#snapshot }),
      entries: this.#engine.journal.list(),
      end: this.#engine.position,
    };
  }

  /**
   * JSON of the options and of everything that came from outside, with its instant.
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * replay(sim.journal()).calls.get(call.id).status; // => "offered"
   */
  journal(): JournalDocument {
    this.noteRead("records");
    if (!this.#engine.journal.keeps) throw new CommandError("not_allowed", noJournal);
    const head = this.journalHead();
    return { ...head, entries: copyValue(head.entries) };
  }

  /** @internal Replaces the journal's entries by a snapshot. @returns the journal; undefined while a step or a listener runs */
  compact(): JournalDocument | undefined {
    const { isAtWork, isDisposed, journal } = this.#engine;
    if (isAtWork || isDisposed) return undefined;
    const snapshot = snapshotOf({ engine: this.#engine.save(), platform: this.#platform.save() });
    journal.clear();
    if (journal.keeps) this.#snapshot = snapshot;
    return { ...this.journalHead(), snapshot };
  }

  /**
   * An independent simulator in the same state, without the event handlers. Its cost does not depend on how long this
   * one has run.
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * const whatIf = sim.fork();
   * whatIf.calls.get(call.id).answer("alice");
   * call.status; // => "offered"
   */
  fork(): Simulator {
    this.noteRead("records");
    return this.#forked();
  }

  #forked(): Simulator {
    const engine = this.#engine.fork();
    return new Simulator(this.#options, engine, this.#platform.fork(engine), this.#snapshot);
  }

  /**
   * A simulator at its start, with the options of this one and the given changes. Event handlers and
   * routes that are functions are not copied.
   * @param changes the options that differ
   * @throws {InputError} as `createSimulator`
   * @example
   * const other = sim.restart({ seed: 2 });
   * other.events.length; // => 0
   */
  restart<Asked extends AskedType>(changes: SimulatorOptions & WithWebhooks<Asked> = {}): Simulator {
    const { phoneNumbers, writeBody, sendRequest } = this.services.settings;
    const own = { write: writeBody, send: sendRequest };
    const functions = functionsOf({ phoneNumbers, dialect: own, ...changes });
    return create(readOptions({ phoneNumbers, ...withChanges(this.#options, changes) }), functions);
  }

  /** A copy of the options with all defaults filled in, the durations of `timing` in ms. */
  get options(): CompleteOptions {
    return copyValue(this.#options);
  }

  /**
   * A fork at an earlier instant: everything up to and at this instant has happened, nothing after it. Takes as long as a
   * replay.
   * @param instant the instant to return to
   * @throws {InputError} for the future, before the start, or before the snapshot with which the journal begins
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.advance("PT1M");
   * sim.at("2026-07-01T00:00:10Z").calls.get(call.id).status; // => "offered"
   */
  at(instant: InstantInput): Simulator {
    return this.#at(readInstantMs(instant, ["at"]), ["at"]);
  }

  /**
   * Why somebody did not ring at an instant, after all that happened there: what they did, and where the call was.
   * @param question `who`: a user's id or e-mail address, or a device's id. `rings`: the id of a call; default: any call.
   *   `at`: a time since the start (`PT20S`) or an instant; default: now
   * @returns the answer as text, and its reasons, those that decide first; a reason `rings` says that they rang
   * @throws {CommandError} `not_found` for an unknown person or call
   * @throws {InputError} for an instant in the future or before the start
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.advance("PT20S");
   * sim.why({ who: "bob", rings: call.id, at: "PT10S" }).causes.map(({ is }) => is); // => ["notFor"]
   */
  why(question: WhyQuestion): Why {
    this.noteRead("records");
    return askWhy(this, (atMs, keys) => this.#at(atMs, keys), question);
  }

  #at(atMs: number, keys: Keys): Simulator {
    const fromMs = this.#snapshot?.atMs ?? this.startTimestamp;
    if (atMs > this.timestamp || atMs < fromMs) {
      const gone = this.#snapshot && ": the journal was compacted there, and earlier instants are gone";
      throw new InputError(
        keys,
        `expected an instant from ${iso(fromMs)} to ${iso(this.timestamp)}, got ${iso(atMs)}${gone ?? ""}`,
      );
    }
    if (atMs === this.timestamp) return this.fork();
    return this.#replayedTo(this.journal(), atMs);
  }

  /** This run again, up to and at an instant. If that is before the start of the journal, the run at that start. */
  #replayedTo(journal: JournalDocument, atMs: number): Simulator {
    const simulator = this.#createAtJournalStart(journal);
    const entries = journal.entries.filter((entry) => entry.atMs <= atMs);
    replayEntries(simulator.services, entries);
    if (atMs >= simulator.timestamp) simulator.#engine.loop.runTo(atMs);
    return simulator;
  }

  /** This run as it was before the current instant. */
  #before(): Simulator {
    const kept = this.#earlier?.before(this.timestamp);
    if (kept !== undefined) return kept;
    if (!this.#engine.journal.keeps) throw new CommandError("not_allowed", noJournal);
    return this.#replayedTo(this.journalHead(), this.timestamp - 1);
  }

  /**
   * Ends the simulator: nothing is scheduled any more, and every command throws.
   * @example
   * sim.dispose();
   * expect(() => sim.advance(1)).toThrow();
   */
  dispose(): void {
    this.#engine.dispose();
  }

  /**
   * As `dispose`, for `using sim = createSimulator()`.
   * @example
   * using sim = createSimulator();
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   */
  [disposeSymbol](): void {
    this.dispose();
  }

  /** @internal The text for `console.log`: the state of the run. */
  [inspectSymbol](): string {
    return simulatorStateText(this.#engine, this.#options, this.calls.live().length, this.pending());
  }

  /** @internal The narration of the run, from a replay of the journal. */
  narration(): RunNarration {
    if (this.#narration !== undefined) return this.#narration.current();
    const journal = this.journal();
    const simulator = this.#createAtJournalStart(journal);
    const narration = simulator.narrate();
    replayEntries(simulator.services, journal.entries);
    simulator.#engine.loop.replayTo(journal.end);
    return narration.current();
  }

  /** Creates a simulator at the start of this one's journal, with the same functions. */
  #createAtJournalStart({ options, snapshot }: JournalDocument): Simulator {
    return create(options, this.services.settings, snapshot);
  }

  /**
   * @internal Narrates the run from here on, so that `narration` need not replay it. Not inherited by forks.
   * @param hasStandIns whether all names are stand-ins of an import
   */
  narrate(hasStandIns = false): Narration {
    const { seed, organisation } = this.#options;
    const title = organisation.name ?? organisation.id;
    const sinceMs = this.#snapshot?.atMs;
    const about = { title, startMs: this.startTimestamp, sinceMs, seed };
    this.#narration = startNarration(this.services, about, hasStandIns);
    this.#engine.tracer = this.#narration.tracer;
    return this.#narration;
  }

  /** @internal Attaches a tracer, which gets acts of simulated people as commands. */
  watch(tracer: Tracer<MachineTypes>): void {
    this.#engine.tracer = attachTracer(this.services, tracer);
  }
}

/**
 * Makes a simulator.
 * @param options the organisation and everything that may differ from the defaults
 * @throws {InputError} naming the option, or the path inside the organisation, and what was expected
 * @example
 * const office = createSimulator({ seed: 7, start: "2026-07-01T09:00:00Z", ids: "counter" });
 * office.now.toISO(); // => "2026-07-01T09:00:00.000Z"
 */
export function createSimulator<Asked extends AskedType>(
  options: SimulatorOptions & WithWebhooks<Asked> = {},
): Simulator {
  return announce(createUnannounced(options));
}

/** Like `createSimulator`, without notifying the test adapter: an exploration creates thousands and reports failures itself. */
export function createUnannounced(options: SimulatorOptions): Simulator {
  return startFromCache(readOptions(options), functionsOf(options), create);
}

/**
 * Runs a journal again. Returns a simulator with an identical event stream, at the instant where the first one ended.
 * @param journal what `journal()` returned, or its JSON text
 * @param options what the run may go on with
 * @throws {InputError} when it is not a journal
 * @example
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
 * const file = JSON.stringify(sim.journal());
 * replay(file).events.toJSONL() === sim.events.toJSONL(); // => true
 */
export function replay(journal: JournalDocument | string, options: ReplayOptions = {}): Simulator {
  const document = readJournal(journal);
  const simulator = create(document.options, functionsOf(options), document.snapshot);
  replayAll(simulator.services, document);
  return announce(simulator);
}

/** Creates a simulator at the start of its run, or at the snapshot with which its journal begins. */
function create(options: CompleteOptions, functions: OptionFunctions, snapshot?: RunSnapshot) {
  const build = (saved?: SavedRun) => {
    const { engine, platform } = compose(options, functions, saved);
    return new Simulator(options, engine, platform, snapshot);
  };
  return snapshot === undefined ? build() : readSnapshot(snapshot, build);
}
