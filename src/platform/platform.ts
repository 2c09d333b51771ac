import { ForkableList, ForkableMap } from "../engine/collections.ts";
import type { Engine } from "../engine/engine.ts";
import type { About, Fact } from "../engine/host.ts";
import type { ReturnRecord } from "../generated/records.ts";
import {
  Network,
  type NetworkPorts,
  type NetworkState,
  newNetwork,
  type Outcome,
} from "../network/network.ts";
import type { AnalysisRecord } from "../records/analysis.ts";
import type { CallRecord, Recording } from "../records/call.ts";
import type { ConversationRecord } from "../records/conversation.ts";
import type { DeviceRecord, LocationRecord, TeamRecord, UserRecord } from "../records/directory.ts";
import { moment } from "../records/moments.ts";
import type { PhonebookHead } from "../records/phonebook.ts";
import type { RequestRecord } from "../records/request.ts";
import { Table } from "../records/table.ts";
import type { TranscriptRecord, TranscriptSegment } from "../records/transcript.ts";
import type { TrunkRecord } from "../records/trunk.ts";
import { AfterCall } from "./after-call/after-call.ts";
import { Retention, type RetentionState } from "./after-call/retention.ts";
import { Analysis } from "./analysis/analysis.ts";
import { AvailabilityService } from "./availability/availability.ts";
import { type WorkingHours, workingHoursOf } from "./availability/working-hours.ts";
import { Behaviours, type BehavioursState } from "./behaviour/behaviours.ts";
import type { UserBehaviourMs } from "./behaviour/schema.ts";
import { Traffic } from "./behaviour/traffic.ts";
import { Calls } from "./calls/calls.ts";
import { CallFlow } from "./calls/flow.ts";
import { FollowUps } from "./calls/follow-ups.ts";
import { LiveCalls } from "./calls/live-call.ts";
import { Offers } from "./calls/offers.ts";
import { PartyFactory } from "./calls/party-factory.ts";
import type { Client } from "./clients/commands.ts";
import { newTokens, Tokens, type TokensState } from "./clients/tokens.ts";
import { ConversationContacts } from "./conversations/contacts.ts";
import { Conversations, type ConversationsState, newConversations } from "./conversations/conversations.ts";
import { DataActions } from "./data-actions/data-actions.ts";
import { Directory, type TrunkEntryTables } from "./directory/directory.ts";
import { Locations } from "./locations/locations.ts";
import { type Notification, Notifications } from "./notifications/notifications.ts";
import { type InitialRecords, initialRecords } from "./organisation/populate.ts";
import type { Organisation } from "./organisation/schema.ts";
import { merge } from "./passthrough/passthrough.ts";
import { Phonebooks, type PhonebooksState } from "./phonebooks/phonebooks.ts";
import { Redirect } from "./redirect/redirect.ts";
import type { Dialect, TimingMs } from "./settings.ts";
import { TeamOffers, type TeamOffersState } from "./teams/team-offers.ts";
import { initialTeams, Teams, type TeamsState } from "./teams/teams.ts";
import { Trunks } from "./trunks/trunks.ts";
import type { Urls } from "./urls.ts";
import { Voicemail } from "./voicemail/voicemail.ts";
import { Deliveries, type DeliveriesState, noDeliveries } from "./webhooks/deliveries.ts";
import type { WebhookSettings } from "./webhooks/settings.ts";
import { Webhooks, type WebhooksState } from "./webhooks/webhooks.ts";

/** What does not change during a run. */
export interface Settings {
  readonly organisationId: string;
  readonly timing: TimingMs;
  readonly dialect: Dialect;
  readonly features: Required<NonNullable<Organisation["features"]>>;
  readonly tariff: Organisation["tariff"];
  readonly dataActions: NonNullable<Organisation["dataActions"]>;
  readonly network: Pick<NetworkPorts, "unrouted" | "latency" | "order">;
  readonly webhooks: WebhookSettings;
  /** Endpoints may be at local and private hosts. */
  readonly allowLocal: boolean;
  /** What the carrier signs its own requests with. */
  readonly vendorSecret: string;
  /** What URLs in answers begin with. The one that may change: a server moves the platform to its own address. */
  urls: Urls;
  /** Who may ask for access tokens. */
  readonly clients: readonly Client[];
  /** How many are kept of what is over; older ones are forgotten. Deliveries are as many as requests. */
  readonly keep: Readonly<
    Record<"calls" | "conversations" | "analyses" | "notifications" | "requests", number>
  >;
}

/** Every table of records. */
export interface Tables {
  readonly calls: Table<CallRecord>;
  readonly users: Table<UserRecord>;
  readonly teams: Table<TeamRecord>;
  readonly devices: Table<DeviceRecord>;
  readonly locations: Table<LocationRecord>;
  readonly phonebooks: Table<PhonebookHead>;
  readonly trunks: Table<TrunkRecord>;
  readonly trunkEntries: TrunkEntryTables;
  readonly recordings: Table<Recording>;
  readonly transcripts: Table<TranscriptRecord>;
  /** By the transcript's id. */
  readonly segments: Table<{ readonly id: string; readonly segments: readonly TranscriptSegment[] }>;
  readonly analysis: Table<AnalysisRecord>;
  readonly conversations: Table<ConversationRecord>;
}

/** What changes during a run, beside the engine's part: a fork takes a copy. */
interface State {
  readonly tables: Tables;
  readonly live: LiveCalls;
  readonly directory: Directory;
  readonly phonebooks: PhonebooksState | undefined;
  readonly hours: ReadonlyMap<string, WorkingHours>;
  readonly teams: TeamsState;
  readonly teamOffers: TeamOffersState | undefined;
  readonly awaited: Map<string, number> | undefined;
  readonly conversations: ConversationsState;
  readonly behaviours: BehavioursState;
  /** How many traffics there were. */
  readonly traffics: number;
  readonly notifications: ForkableList<Notification>;
  readonly analysis: ForkableList<string> | undefined;
  readonly returns: ForkableList<ReturnRecord>;
  readonly retention: RetentionState | undefined;
  readonly network: NetworkState;
  readonly webhooks: WebhooksState;
  readonly deliveries: DeliveriesState;
  readonly tokens: TokensState;
}

/** The domain: its capabilities, its records, and how machines' facts find their way among them. */
export class Platform {
  readonly tables: Tables;
  readonly live: LiveCalls;
  readonly directory: Directory;
  readonly notifications: Notifications;
  readonly analysis: Analysis;
  readonly phonebooks: Phonebooks;
  readonly availability: AvailabilityService;
  readonly teams: Teams;
  readonly teamOffers: TeamOffers;
  readonly redirect: Redirect;
  readonly afterCall: AfterCall;
  readonly conversations: Conversations;
  readonly retention: Retention;
  readonly behaviours: Behaviours;
  readonly traffic: Traffic;
  readonly network: Network;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly tokens: Tokens;
  readonly dataActions = new DataActions(this);
  readonly conversationContacts = new ConversationContacts(this);
  readonly parties = new PartyFactory(this);
  readonly calls = new Calls(this);
  readonly flow = new CallFlow(this);
  readonly followUps = new FollowUps(this);
  readonly offers = new Offers(this);
  readonly voicemail = new Voicemail(this);
  readonly locations = new Locations(this);
  readonly trunks = new Trunks(this);
  private readonly reactions: Readonly<Record<string, (about: About, fact: Fact) => void>> = {
    call: (about, fact) => this.flow.react(about, fact),
    ring: (about, fact) => this.offers.react(about, fact),
    teamOffer: (about, fact) => this.teamOffers.react(about, fact),
    voicemail: (about, fact) => this.voicemail.react(about, fact),
    availability: (about, fact) => this.availability.react(about, fact),
    webhook: (about, fact) => this.webhooks.react(about, fact),
    delivery: (about, fact) => this.deliveries.react(about, fact),
    redirectReturn: (about, fact) => this.redirect.react(about, fact),
    analysis: (about) => this.analysis.react(about),
    conversation: (about, fact) => this.conversations.react(about, fact),
  };

  private constructor(
    readonly engine: Engine,
    readonly settings: Settings,
    state: State,
  ) {
    this.tables = state.tables;
    this.live = state.live;
    this.directory = state.directory;
    this.notifications = new Notifications(this, state.notifications);
    this.analysis = new Analysis(this, state.analysis);
    this.phonebooks = new Phonebooks(this, state.phonebooks);
    this.availability = new AvailabilityService(this, state.hours);
    this.teams = new Teams(this, state.teams);
    this.teamOffers = new TeamOffers(this, state.teamOffers);
    this.redirect = new Redirect(this, state.returns);
    this.afterCall = new AfterCall(this, state.awaited);
    this.conversations = new Conversations(this, state.conversations);
    this.retention = new Retention(this.tables, settings.keep.calls, state.retention);
    this.behaviours = new Behaviours(this, state.behaviours);
    this.traffic = new Traffic(this, state.traffics);
    this.network = new Network(
      engine,
      {
        limitMs: settings.timing.endpointTimeout,
        ...settings.network,
        keepRequests: settings.keep.requests,
        done: (request, outcome) => this.requestDone(request, outcome),
      },
      state.network,
    );
    this.webhooks = new Webhooks(this, state.webhooks);
    this.deliveries = new Deliveries(this, state.deliveries);
    this.tokens = new Tokens(this, state.tokens);
    engine.connect({
      react: (machine, about, fact) => this.react(machine, about, fact),
      published: (event) => this.webhooks.published(event),
      settle: () => this.teamOffers.settle(),
      tasks: {
        ...this.afterCall.tasks,
        ...this.availability.tasks,
        ...this.behaviours.tasks,
        ...this.conversations.tasks,
        ...this.traffic.tasks,
        ...this.network.tasks,
      },
      outside: this.network,
    });
  }

  static create(engine: Engine, settings: Settings, organisation: Organisation): Platform {
    const tables: Tables = {
      calls: new Table(),
      users: new Table(),
      teams: new Table(),
      devices: new Table(),
      locations: new Table(),
      phonebooks: new Table(),
      trunks: new Table(),
      trunkEntries: { device: new Table(), queue: new Table(), user: new Table() },
      recordings: new Table(),
      transcripts: new Table(),
      segments: new Table(),
      analysis: new Table(),
      conversations: new Table(),
    };
    const hours = workingHoursOf(organisation);
    const initial = initialRecords(organisation, hours, settings.dialect, settings.urls, engine.now);
    insertAll(tables, initial);
    for (const { id, name } of organisation.trunks ?? []) tables.trunks.insert({ id, name });
    const { numbers = [] } = organisation;
    const directory = new Directory(tables, {
      numbers: new Map(numbers.map(({ number, owner }) => [number, owner])),
      messagingNumbers: new Set(numbers.filter(({ sms }) => sms === true).map(({ number }) => number)),
      emails: new Map(initial.users.map(({ id, email }) => [email.toLowerCase(), id])),
      extensions: new ForkableMap(),
    });
    for (const { record } of directory.entries()) directory.setExtension(record.extension, record.id);
    const behaviours = new ForkableMap<string, UserBehaviourMs>();
    for (const { id, behaviour } of organisation.users ?? [])
      if (behaviour !== undefined) behaviours.set(id, behaviour);
    const platform = new Platform(engine, settings, {
      tables,
      live: new LiveCalls(),
      directory,
      phonebooks: undefined,
      hours,
      teams: initialTeams(organisation.teams ?? [], initial.teams),
      teamOffers: undefined,
      awaited: undefined,
      conversations: newConversations(),
      behaviours: { users: behaviours, due: new Map() },
      traffics: 0,
      notifications: new ForkableList(),
      analysis: undefined,
      returns: new ForkableList(),
      retention: undefined,
      network: newNetwork(),
      webhooks: { webhooks: new Table(), secrets: new Table() },
      deliveries: noDeliveries(),
      tokens: newTokens(),
    });
    platform.phonebooks.begin(organisation.phonebooks ?? []);
    for (const webhook of organisation.webhooks ?? []) platform.webhooks.create(webhook);
    platform.availability.begin();
    return platform;
  }

  /** Replaces fields of a call's record, modified now. Takes `changes` over. */
  changeCall(callId: string, changes: Partial<CallRecord>): CallRecord {
    return this.tables.calls.patch(callId, Object.assign(changes, moment("lastModified", this.engine.now)));
  }

  /** Adds passthrough parameters to a call's; over the limit its own stay as they are. */
  mergePassthrough(callId: string, more: unknown): void {
    if (more === undefined) return;
    const { passthroughParameters } = this.tables.calls.mustGet(callId);
    this.changeCall(callId, { passthroughParameters: merge(passthroughParameters, more) });
  }

  /** The same state on another engine, which was forked from this one's. */
  fork(engine: Engine): Platform {
    const { tables: from } = this;
    const tables: Tables = {
      calls: from.calls.fork(),
      users: from.users.fork(),
      teams: from.teams.fork(),
      devices: from.devices.fork(),
      locations: from.locations.fork(),
      phonebooks: from.phonebooks.fork(),
      trunks: from.trunks.fork(),
      trunkEntries: {
        device: from.trunkEntries.device.fork(),
        queue: from.trunkEntries.queue.fork(),
        user: from.trunkEntries.user.fork(),
      },
      recordings: from.recordings.fork(),
      transcripts: from.transcripts.fork(),
      segments: from.segments.fork(),
      analysis: from.analysis.fork(),
      conversations: from.conversations.fork(),
    };
    return new Platform(
      engine,
      { ...this.settings },
      {
        tables,
        live: this.live.fork(),
        directory: this.directory.fork(tables),
        phonebooks: this.phonebooks.forkState(),
        hours: this.availability.hours,
        teams: this.teams.shared,
        teamOffers: this.teamOffers.forkState(),
        awaited: this.afterCall.forkState(),
        conversations: this.conversations.forkState(),
        behaviours: this.behaviours.forkState(),
        traffics: this.traffic.forkState(),
        notifications: this.notifications.forkState(),
        analysis: this.analysis.forkState(),
        returns: this.redirect.forkState(),
        retention: this.retention.forkState(),
        network: this.network.forkState(),
        webhooks: this.webhooks.forkState(),
        deliveries: this.deliveries.forkState(),
        tokens: this.tokens.forkState(),
      },
    );
  }

  private requestDone(request: RequestRecord, outcome: Outcome): void {
    if (request.why === "webhook") this.deliveries.attempted(request, outcome);
    else if (request.why === "return") this.redirect.posted(request);
    else this.dataActions.done(request, outcome);
  }

  private react(machine: string, about: About, fact: Fact): void {
    const reaction = this.reactions[machine];
    if (reaction === undefined) throw new Error(`nothing listens to the ${machine} machine`);
    reaction(about, fact);
  }
}

function insertAll(tables: Tables, initial: InitialRecords): void {
  for (const user of initial.users) tables.users.insert(user);
  for (const device of initial.devices) tables.devices.insert(device);
  for (const team of initial.teams) tables.teams.insert(team);
  for (const location of initial.locations) tables.locations.insert(location);
  for (const device of initial.trunkEntries.device) tables.trunkEntries.device.insert(device);
  for (const queue of initial.trunkEntries.queue) tables.trunkEntries.queue.insert(queue);
  for (const user of initial.trunkEntries.user) tables.trunkEntries.user.insert(user);
}
