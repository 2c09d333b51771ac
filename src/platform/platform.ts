import { ForkableList } from "../engine/collections.ts";
import type { Engine } from "../engine/engine.ts";
import type { About, Fact } from "../engine/host.ts";
import type { CallRecord } from "../records/call.ts";
import type { DeviceRecord, TeamRecord, UserRecord } from "../records/directory.ts";
import { moment } from "../records/moments.ts";
import { Table } from "../records/table.ts";
import type { TranscriptRecord } from "../records/transcript.ts";
import { AvailabilityService } from "./availability/availability.ts";
import { Calls } from "./calls/calls.ts";
import { CallFlow } from "./calls/flow.ts";
import { LiveCalls } from "./calls/live-call.ts";
import { Directory } from "./directory/directory.ts";
import { Notifications } from "./notifications/notifications.ts";
import { initialRecords } from "./organisation/populate.ts";
import type { Organisation } from "./organisation/schema.ts";
import { newPhonebook, type PhonebookRecord, Phonebooks } from "./phonebooks/phonebooks.ts";
import type { Dialect, TimingMs } from "./settings.ts";
import { TeamAvailability } from "./teams/team-availability.ts";
import { Voicemail } from "./voicemail/voicemail.ts";

/** What does not change during a run. */
export interface Settings {
  readonly organisationId: string;
  readonly timing: TimingMs;
  readonly dialect: Dialect;
  readonly features: { readonly transcription: boolean };
  /** Closed calls kept; older ones are forgotten. */
  readonly keepCalls: number;
}

/** Every table of records. */
export interface Tables {
  readonly calls: Table<CallRecord>;
  readonly users: Table<UserRecord>;
  readonly teams: Table<TeamRecord>;
  readonly devices: Table<DeviceRecord>;
  readonly phonebooks: Table<PhonebookRecord>;
  readonly transcripts: Table<TranscriptRecord>;
}

interface Parts {
  readonly tables: Tables;
  readonly live: LiveCalls;
  readonly directory: Directory;
  readonly teamAvailability: TeamAvailability;
  readonly notifications: Notifications;
  /** Closed calls of which nothing is to come, oldest first, while there is a limit on them. */
  readonly finished: ForkableList<string>;
}

/** The domain: its capabilities, its records, and how machines' facts find their way among them. */
export class Platform {
  readonly tables: Tables;
  readonly live: LiveCalls;
  readonly directory: Directory;
  readonly notifications: Notifications;
  readonly teamAvailability: TeamAvailability;
  readonly phonebooks: Phonebooks;
  readonly calls = new Calls(this);
  readonly flow = new CallFlow(this);
  readonly voicemail = new Voicemail(this);
  readonly availability = new AvailabilityService(this);
  private readonly finished: ForkableList<string>;
  private readonly reactions: Readonly<Record<string, (about: About, fact: Fact) => void>> = {
    call: (about, fact) => this.flow.reactToCall(about, fact),
    ring: (about, fact) => this.flow.reactToRing(about, fact),
    voicemail: (about, fact) => this.voicemail.react(about, fact),
    availability: (about, fact) => this.availability.react(about, fact),
  };

  private constructor(
    readonly engine: Engine,
    readonly settings: Settings,
    parts: Parts,
  ) {
    this.tables = parts.tables;
    this.live = parts.live;
    this.directory = parts.directory;
    this.teamAvailability = parts.teamAvailability;
    this.notifications = parts.notifications;
    this.finished = parts.finished;
    this.phonebooks = new Phonebooks(this.tables.phonebooks);
    engine.connect({
      react: (machine, about, fact) => this.react(machine, about, fact),
      tasks: this.voicemail.tasks,
    });
  }

  static create(engine: Engine, settings: Settings, organisation: Organisation): Platform {
    const tables: Tables = {
      calls: new Table(),
      users: new Table(),
      teams: new Table(),
      devices: new Table(),
      phonebooks: new Table(),
      transcripts: new Table(),
    };
    const { users, devices, teams } = initialRecords(organisation, settings.dialect, engine.now);
    for (const user of users) tables.users.insert(user);
    for (const device of devices) tables.devices.insert(device);
    for (const team of teams) tables.teams.insert(team);
    for (const phonebook of organisation.phonebooks ?? []) tables.phonebooks.insert(newPhonebook(phonebook));
    const numbers = new Map((organisation.numbers ?? []).map(({ number, owner }) => [number, owner]));
    const emails = new Map(users.map(({ id, email }) => [email.toLowerCase(), id]));
    return new Platform(engine, settings, {
      tables,
      live: new LiveCalls(),
      directory: new Directory(tables, numbers, emails),
      teamAvailability: new TeamAvailability(engine, tables.teams, teamsByMember(teams)),
      notifications: new Notifications(engine),
      finished: new ForkableList(),
    });
  }

  /** Replaces fields of a call's record, modified now. Takes `changes` over. */
  changeCall(callId: string, changes: Partial<CallRecord>): CallRecord {
    return this.tables.calls.patch(callId, Object.assign(changes, moment("lastModified", this.engine.now)));
  }

  /** Nothing of this call is to come: it may be forgotten once `keepCalls` newer ones are finished. */
  callFinished(callId: string): void {
    if (this.settings.keepCalls === Number.POSITIVE_INFINITY) return;
    this.finished.push(callId);
    for (
      let oldest = this.finished.at(0);
      oldest !== undefined && this.finished.length > this.settings.keepCalls;
      oldest = this.finished.at(0)
    ) {
      this.tables.calls.remove(oldest);
      this.finished.dropFirst(this.finished.length - 1);
    }
  }

  /** The same state on another engine, which was forked from this one's. */
  fork(engine: Engine): Platform {
    const tables: Tables = {
      calls: this.tables.calls.fork(),
      users: this.tables.users.fork(),
      teams: this.tables.teams.fork(),
      devices: this.tables.devices.fork(),
      phonebooks: this.tables.phonebooks.fork(),
      transcripts: this.tables.transcripts.fork(),
    };
    return new Platform(engine, this.settings, {
      tables,
      live: this.live.fork(),
      directory: this.directory.fork(tables),
      teamAvailability: this.teamAvailability.fork(engine, tables.teams),
      notifications: this.notifications.fork(engine),
      finished: this.finished.fork(),
    });
  }

  private react(machine: string, about: About, fact: Fact): void {
    const reaction = this.reactions[machine];
    if (reaction === undefined) throw new Error(`nothing listens to the ${machine} machine`);
    reaction(about, fact);
  }
}

function teamsByMember(teams: readonly TeamRecord[]): ReadonlyMap<string, readonly string[]> {
  const byMember = new Map<string, string[]>();
  for (const team of teams)
    for (const { id } of team.teamMembers) byMember.set(id, [...(byMember.get(id) ?? []), team.id]);
  return byMember;
}
