import type { DateTime } from "luxon";
import type { InferInput } from "valibot";
import { describe, expectTypeOf, test } from "vitest";
import type { DeepReadonly } from "../../src/core/foundation/deep-readonly.ts";
import type { operations as declared } from "../../src/core/platform/catalogue/operations.ts";
import {
  type AnalysisRecord,
  type CallerBehaviour,
  type CallHandle,
  type CallNote,
  type CallRecord,
  CommandError,
  type CommandErrorCode,
  type ContactRecord,
  type ConversationParticipant,
  type ConversationRecord,
  type Credentials,
  createSimulator,
  type DeviceRecord,
  type DirectoryEntry,
  type DrawnDuration,
  demoOrganisation,
  type EventData,
  type EventStream,
  type EventType,
  exponential,
  fixed,
  type HandlerResult,
  type JournalDocument,
  type LocationHandle,
  type LocationRecord,
  type MessageRecord,
  type Mismatch,
  type Notification,
  type OpenApiDocument,
  type OrganisationInput,
  type Participant,
  type Party,
  type PendingItem,
  type PhonebookHandle,
  type PhonebookRecord,
  type PlatformEvent,
  type PublicCallRecord,
  parseScenario,
  type ReceiveResult,
  type Recording,
  type Records,
  type RequestBodies,
  type ResponseBodies,
  type RingingEndpoint,
  replay,
  runScenario,
  type Scenario,
  type SendResult,
  type Simulator,
  type SimulatorOptions,
  type TeamRecord,
  type TranscriptRecord,
  type TrunkHandle,
  type Urls,
  type UserBehaviour,
  type UserHandle,
  type UserRecord,
  uniform,
} from "../../src/index.ts";
import type { operations } from "../core/rest/api-types.ts";

// parts without a name of their own
type ErrorDetail = CommandError["details"][number];
type OpenApiOptions = NonNullable<Parameters<Simulator["openapi"]>[0]>;
type TrunkDeviceRecord = Records["trunkDevice"];
type TrunkUserRecord = Records["trunkUser"];

/** Type-checked, never run: the types that consumers see. */

const sim = createSimulator();

describe("createSimulator", () => {
  test("requires no option", () => {
    expectTypeOf(createSimulator).toBeCallableWith();
    expectTypeOf(createSimulator).toBeCallableWith({} as SimulatorOptions);
    expectTypeOf(createSimulator).returns.toEqualTypeOf<Simulator>();
    expectTypeOf<Record<never, never>>().toExtend<SimulatorOptions>();
  });

  test("accepts every form of seed, start, duration and id style", () => {
    expectTypeOf<SimulatorOptions["seed"]>().toEqualTypeOf<string | number | undefined>();
    expectTypeOf<SimulatorOptions["start"]>().toEqualTypeOf<string | number | Date | DateTime | undefined>();
    expectTypeOf<SimulatorOptions["ids"]>().toEqualTypeOf<"nanoid" | "counter" | "uuid" | undefined>();
    createSimulator({
      timing: { ringTimeout: "PT20S", voicemailGreeting: { seconds: 3 }, recordingAvailable: 5_000 },
    });
    createSimulator({ organisation: demoOrganisation, retain: { events: 100, calls: 10, journal: false } });
    expectTypeOf(demoOrganisation).toExtend<OrganisationInput>();
  });

  test("rejects unknown options, timings and id styles", () => {
    // @ts-expect-error it is called `seed`
    createSimulator({ sead: 1 });
    // @ts-expect-error no such timing
    createSimulator({ timing: { ringTimeOut: 1 } });
    // @ts-expect-error no such kind of id
    createSimulator({ ids: "sequence" });
    // @ts-expect-error an organisation has an id
    createSimulator({ organisation: { name: "Acme" } });
  });
});

describe("time", () => {
  test("is a Luxon DateTime and a timestamp, and is advanced by durations and instants", () => {
    expectTypeOf(sim.now).toEqualTypeOf<DateTime>();
    expectTypeOf(sim.timestamp).toEqualTypeOf<number>();
    expectTypeOf(sim.advance).toBeCallableWith("PT1M");
    expectTypeOf(sim.advance).toBeCallableWith({ minutes: 1 });
    expectTypeOf(sim.advance).toBeCallableWith(60_000);
    expectTypeOf(sim.advanceTo).toBeCallableWith(new Date(0));
    // @ts-expect-error a date is no duration
    sim.advance(new Date(0));
    // @ts-expect-error time is moved by methods only
    sim.timestamp = 0;
  });

  test("runUntil returns an event of the requested type", () => {
    expectTypeOf(sim.runUntil("call.answered")).toEqualTypeOf<PlatformEvent<"call.answered">>();
    expectTypeOf(sim.runUntil("call.hungup").data.party).toEqualTypeOf<Party>();
    expectTypeOf(sim.runUntil("call.ended", { within: "PT1H" }).type).toEqualTypeOf<"call.ended">();
    expectTypeOf(sim.runUntilAsync("call.ended")).resolves.toEqualTypeOf<PlatformEvent<"call.ended">>();
    expectTypeOf(sim.runUntil((event) => event.type === "call.ended")).toEqualTypeOf<PlatformEvent>();
    // @ts-expect-error no event has this name
    sim.runUntil("call.vanished");
    // @ts-expect-error the limit is called `within`
    sim.runUntil("call.ended", { timeout: "PT1H" });
  });

  test("pending returns read-only items", () => {
    expectTypeOf(sim.pending()).toEqualTypeOf<PendingItem[]>();
    expectTypeOf(sim.step()).toEqualTypeOf<PendingItem | undefined>();
    expectTypeOf(sim.stepAsync()).resolves.toEqualTypeOf<PendingItem | undefined>();
    expectTypeOf<PendingItem>().toEqualTypeOf<DeepReadonly<PendingItem>>();
  });
});

describe("notes and contacts of a call", () => {
  test("are typed on its record and its handle", () => {
    const call = sim.calls.get("call-1");
    expectTypeOf(call.note("Hm.", { by: "alice" })).toEqualTypeOf<string>();
    expectTypeOf(call.record.notes).toEqualTypeOf<readonly CallNote[]>();
    call.assignContact("jane", { by: "alice" });
    call.assignContact({ name: "Jane", phoneNumbers: ["+6421555001"] }, { by: "alice" });
    // @ts-expect-error `by` is required
    call.assignContact("jane");
    expectTypeOf(sim.recordings.get("call-1", "recording-1")).toEqualTypeOf<Recording>();
  });
});

describe("events", () => {
  test("are a union that narrows by type", () => {
    expectTypeOf<PlatformEvent["type"]>().toEqualTypeOf<EventType>();
    expectTypeOf<EventType>().toEqualTypeOf<keyof EventData>();
    for (const event of sim.events) {
      // @ts-expect-error not every event has a call
      event.data.call;
      if (event.type === "call.recording.available")
        expectTypeOf(event.data.recording).toEqualTypeOf<Recording>();
      else if (event.type === "user.availability.updated") {
        expectTypeOf(event.data.user).toEqualTypeOf<UserRecord>();
        // @ts-expect-error an event about a user has no call
        event.data.call;
      } else if (event.type === "team.availability.updated")
        expectTypeOf(event.data.team).toEqualTypeOf<TeamRecord>();
      else if (event.type === "transcript.created")
        expectTypeOf(event.data.transcript).toEqualTypeOf<TranscriptRecord>();
      else if (event.type === "content_analysis.completed")
        expectTypeOf(event.data.contentAnalysis).toEqualTypeOf<AnalysisRecord>();
      else if (event.type === "conversation.message.created")
        expectTypeOf(event.data.message).toEqualTypeOf<MessageRecord>();
      else if (event.type === "contact.shared") {
        expectTypeOf(event.data.contact).toEqualTypeOf<ContactRecord>();
        expectTypeOf(event.data.participants).toEqualTypeOf<
          readonly (Participant | ConversationParticipant)[]
        >();
      } else if (event.type === "conversation.contact_assigned")
        expectTypeOf(event.data.contact).toEqualTypeOf<ContactRecord>();
      else if (event.type === "conversation.inactive" || event.type === "conversation.closed")
        expectTypeOf(event.data.conversation).toEqualTypeOf<ConversationRecord>();
      else if ("call" in event.data) expectTypeOf(event.data.call).toEqualTypeOf<CallRecord>();
    }
  });

  test("reach handlers typed by event name", () => {
    sim.on("call.hungup", (event) => {
      expectTypeOf(event).toEqualTypeOf<PlatformEvent<"call.hungup">>();
      expectTypeOf(event.data).toEqualTypeOf<EventData["call.hungup"]>();
    });
    sim.on("*", (type, event) => {
      expectTypeOf(type).toEqualTypeOf<EventType>();
      expectTypeOf(event).toEqualTypeOf<PlatformEvent>();
    });
    sim.on("call.ended", async () => {});
    sim.off("call.ended");
    // @ts-expect-error no event has this name
    sim.on("call.vanished", () => {});
    // @ts-expect-error a handler of one type gets the event alone
    sim.on("call.ended", (type: EventType, event: PlatformEvent) => [type, event]);
    // @ts-expect-error the event that ends a call has no party
    sim.on("call.ended", ({ data }) => data.party);
    // @ts-expect-error no event has this name
    sim.off("call.vanished");
  });

  test("are a read-only array", () => {
    expectTypeOf(sim.events).toEqualTypeOf<EventStream>();
    expectTypeOf(sim.events).toExtend<readonly PlatformEvent[]>();
    expectTypeOf(sim.events).not.toExtend<PlatformEvent[]>();
    // @ts-expect-error
    sim.events.push(sim.runUntil("call.ended"));
    // @ts-expect-error
    sim.events[0] = sim.runUntil("call.ended");
    // @ts-expect-error
    sim.events.length = 0;
    // @ts-expect-error
    sim.events = [];
  });

  test("are found by type, by record and since a mark", () => {
    expectTypeOf(sim.events.ofType("call.started")).toEqualTypeOf<PlatformEvent<"call.started">[]>();
    expectTypeOf(sim.events.for("call-1")).toEqualTypeOf<PlatformEvent[]>();
    expectTypeOf(sim.events.since(sim.events.mark())).toEqualTypeOf<PlatformEvent[]>();
    expectTypeOf(sim.events.toJSONL()).toEqualTypeOf<string>();
    expectTypeOf(sim.events.toTimeline()).toEqualTypeOf<string>();
    expectTypeOf(sim.events.toMermaid()).toEqualTypeOf<string>();
    // @ts-expect-error no event has this name
    sim.events.ofType("call.vanished");
    // @ts-expect-error a mark comes from `mark`: an index would be wrong once old events are dropped
    sim.events.since(3);
  });

  test("are deeply read-only", () => {
    expectTypeOf<PlatformEvent>().toEqualTypeOf<DeepReadonly<PlatformEvent>>();
    const event = sim.runUntil("call.answered");
    const { call } = event.data;
    // @ts-expect-error
    event.data.call = call;
    // @ts-expect-error
    call.status = "ended";
    // @ts-expect-error
    call.parties.pop();
    for (const party of call.parties)
      for (const dial of party.dials) {
        // @ts-expect-error
        dial.outcome = "answered";
      }
  });
});

describe("calls", () => {
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });

  test("are handles everywhere", () => {
    expectTypeOf(call).toEqualTypeOf<CallHandle>();
    expectTypeOf(sim.calls.get("call-1")).toEqualTypeOf<CallHandle>();
    expectTypeOf(sim.calls.list()).toEqualTypeOf<CallHandle[]>();
    expectTypeOf(sim.calls.live()).toEqualTypeOf<CallHandle[]>();
    expectTypeOf(call.id).toEqualTypeOf<string>();
    expectTypeOf(call.status).toEqualTypeOf<CallRecord["status"]>();
    // @ts-expect-error who is called must be said
    sim.calls.inbound({ from: "+6421555001" });
    // @ts-expect-error no such argument
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100", via: "trunk" });
  });

  test("have typed commands", () => {
    call.answer("alice", { endpoint: "desktop" });
    call.decline("alice");
    call.hangup("caller");
    call.move("alice", { to: "mobile" });
    call.leaveVoicemail({ duration: { seconds: 5 }, transcript: "Hello" });
    expectTypeOf(call.answer).returns.toBeVoid();
    expectTypeOf(call.ringing()).toEqualTypeOf<RingingEndpoint[]>();
    // @ts-expect-error who answers must be said
    call.answer();
    // @ts-expect-error where the call is moved to must be said
    call.move("alice");
    // @ts-expect-error a message has a duration
    call.leaveVoicemail({ transcript: "Hello" });
  });

  test("have a read-only record without the organisation's id", () => {
    expectTypeOf(call.record).toEqualTypeOf<PublicCallRecord>();
    expectTypeOf<PublicCallRecord>().toEqualTypeOf<Omit<CallRecord, "organisationId">>();
    expectTypeOf(call.record.answeredTimestamp).toEqualTypeOf<number | null>();
    expectTypeOf(call.record.startedAt).toEqualTypeOf<string>();
    // @ts-expect-error
    call.record.organisationId;
    // @ts-expect-error
    call.record.status = "ended";
    const { record } = sim.calls.get("call-2");
    // @ts-expect-error
    call.record = record;
  });

  test("have statuses that type-check comparisons", () => {
    // @ts-expect-error no status has this name
    call.status === "answered";
    expectTypeOf(call.status === "accepted").toBeBoolean();
  });
});

describe("users and directory", () => {
  test("are handles with a read-only record", () => {
    expectTypeOf(sim.users.get("alice")).toEqualTypeOf<UserHandle>();
    expectTypeOf(sim.users.list()).toEqualTypeOf<UserHandle[]>();
    expectTypeOf(sim.users.get("alice").record).toEqualTypeOf<UserRecord>();
    expectTypeOf(sim.teams.get("sales").record).toEqualTypeOf<TeamRecord>();
    expectTypeOf(sim.devices.get("lobby").record).toEqualTypeOf<DeviceRecord>();
    expectTypeOf<UserRecord>().toEqualTypeOf<DeepReadonly<UserRecord>>();
    expectTypeOf<TeamRecord>().toEqualTypeOf<DeepReadonly<TeamRecord>>();
    expectTypeOf<DeviceRecord>().toEqualTypeOf<DeepReadonly<DeviceRecord>>();
    // @ts-expect-error
    sim.users.get("alice").record.availability.status = "busy";
  });

  test("have an availability with a rule", () => {
    sim.users.get("alice").setAvailability("busy", { rule: "doNotDisturb", reason: "Lunch" });
    sim.users.get("alice").setEndpoint("mobile", { registered: false });
    // @ts-expect-error no such status
    sim.users.get("alice").setAvailability("away");
    // @ts-expect-error only a call makes busy on a call
    sim.users.get("alice").setAvailability("busy", { rule: "busyOnACall" });
    // @ts-expect-error registered or not must be said
    sim.users.get("alice").setEndpoint("mobile");
  });

  test("have a status: invited, active or suspended", () => {
    sim.users.get("alice").setStatus("suspended");
    // @ts-expect-error no such status
    sim.users.get("alice").setStatus("retired");
    expectTypeOf(sim.users.list({ email: "alice@acme.test" })).toEqualTypeOf<UserHandle[]>();
  });

  test("are entries of the directory, found by known filters", () => {
    expectTypeOf(sim.directory.list({ extension: "101" })).toEqualTypeOf<DirectoryEntry[]>();
    expectTypeOf(sim.directory.get("alice")).toEqualTypeOf<DirectoryEntry>();
    // @ts-expect-error no such filter
    sim.directory.list({ name: "Alice" });
  });

  test("have locations", () => {
    expectTypeOf(sim.locations.create({ name: "London" })).toEqualTypeOf<LocationHandle>();
    expectTypeOf(sim.locations.get("auckland").record).toEqualTypeOf<LocationRecord>();
    expectTypeOf(sim.locations.users("auckland")).toEqualTypeOf<UserHandle[]>();
    // @ts-expect-error a location has a name
    sim.locations.create({ id: "london" });
  });

  test("have phonebooks, whose contacts are put one by one or together", () => {
    expectTypeOf(sim.phonebooks.put("vip")).toEqualTypeOf<PhonebookHandle>();
    expectTypeOf(sim.phonebooks.get("vip").record).toEqualTypeOf<PhonebookRecord>();
    expectTypeOf(sim.phonebooks.putContacts("vip", { name: "Jane" })).toEqualTypeOf<ContactRecord[]>();
    sim.phonebooks.putContacts("vip", [{ name: "Jane", phoneNumbers: ["+6421555001"] }, { lastName: null }]);
    expectTypeOf<PhonebookRecord>().toEqualTypeOf<DeepReadonly<PhonebookRecord>>();
    // @ts-expect-error no such field
    sim.phonebooks.putContacts("vip", { phone: "+6421555001" });
    // @ts-expect-error each of several has an id
    sim.phonebooks.replace([{ name: "VIP" }]);
  });

  test("have trunk entries, with fields by kind", () => {
    const trunk = sim.trunks.get("pbx");
    expectTypeOf(trunk).toEqualTypeOf<TrunkHandle>();
    expectTypeOf(trunk.devices.get("till").record).toEqualTypeOf<TrunkDeviceRecord>();
    const uma = trunk.users.add({ displayName: "Uma", extension: "403", user: "alice" });
    expectTypeOf(uma.record).toEqualTypeOf<TrunkUserRecord>();
    trunk.queues.update("desk", { description: null });
    // @ts-expect-error a queue has no model
    trunk.queues.update("desk", { model: "Q-1" });
    // @ts-expect-error an entry has an extension
    trunk.devices.add({ displayName: "Till" });
  });

  test("have read-only transcripts and notifications", () => {
    expectTypeOf(sim.transcripts.get("transcript-1")).toEqualTypeOf<TranscriptRecord>();
    expectTypeOf(sim.notifications).toEqualTypeOf<readonly Notification[]>();
    expectTypeOf<TranscriptRecord>().toEqualTypeOf<DeepReadonly<TranscriptRecord>>();
    expectTypeOf<Notification>().toEqualTypeOf<DeepReadonly<Notification>>();
  });
});

describe("conversations", () => {
  test("are read-only records", () => {
    expectTypeOf(sim.conversations.get("conversation-1")).toEqualTypeOf<ConversationRecord>();
    expectTypeOf(sim.conversations.list()).toEqualTypeOf<ConversationRecord[]>();
    expectTypeOf<ConversationRecord>().toEqualTypeOf<DeepReadonly<ConversationRecord>>();
    expectTypeOf<ConversationRecord["status"]>().toEqualTypeOf<"open" | "inactive" | "closed">();
    expectTypeOf<ConversationRecord["channel"]>().toEqualTypeOf<"sms" | "whatsApp">();
    // @ts-expect-error
    sim.conversations.get("conversation-1").messages.pop();
  });

  test("send and receive typed messages", () => {
    const message = {
      companyAddress: "+6495550100",
      contactAddresses: ["+6421555001"],
      messageContent: { text: "Hello", media: ["https://a.test/1.jpg"], sendAsUser: "alice@acme.test" },
    };
    expectTypeOf(
      sim.conversations.send({ ...message, routingAction: "assign_owner" }),
    ).toEqualTypeOf<SendResult>();
    expectTypeOf<SendResult["vendorMessageId"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf(
      sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Hi", channel: "whatsApp" }),
    ).toEqualTypeOf<ReceiveResult>();
    sim.conversations.sendMessage({
      from: "alice@acme.test",
      to: "+6421555001",
      body: "Hi",
      notifyUsers: false,
    });
    sim.conversations.sendTeamMessage({
      companyAddress: "+6495550200",
      contactAddress: "+6421555001",
      messageContent: { text: "Hi" },
    });
    sim.conversations.assignContact("conversation-1", "jane");
    sim.conversations.shareContact("conversation-1", { name: "Jane", phoneNumbers: ["+6421555001"] });
    expectTypeOf(sim.conversations.close("conversation-1")).toBeVoid();
    expectTypeOf(sim.conversations.read("conversation-1", "alice")).toBeVoid();
    // @ts-expect-error no such routing action
    sim.conversations.send({ ...message, routingAction: "route" });
    // @ts-expect-error the API says durations as text
    sim.conversations.send({ ...message, closeTimer: 600_000 });
    // @ts-expect-error no such channel
    sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Hi", channel: "fax" });
  });

  test("have notifications that narrow by kind", () => {
    for (const notification of sim.notifications)
      if (notification.kind === "message") expectTypeOf(notification.conversationId).toEqualTypeOf<string>();
      else expectTypeOf(notification.conversationId).toEqualTypeOf<undefined>();
  });
});

describe("the behaviour of users and callers", () => {
  test("is plain data with fixed or drawn durations", () => {
    const behaviour: UserBehaviour = {
      answer: { after: uniform("PT2S", "PT8S"), endpoint: "mobile" },
      decline: { after: { seconds: 3 } },
      talk: exponential("PT3M"),
      wrapUp: fixed(20_000),
    };
    expectTypeOf(sim.users.get("alice").behave).toBeCallableWith(behaviour);
    sim.users.get("alice").behave({ answer: "never" });
    sim.users.get("alice").behave({});
    // @ts-expect-error `after` is required
    sim.users.get("alice").behave({ answer: {} });
    // @ts-expect-error users have no patience
    sim.users.get("alice").behave({ patience: "PT1M" });
  });

  test("is accepted by inbound and traffic", () => {
    const behaviour: CallerBehaviour = { patience: "PT1M", talk: "PT2M", voicemail: "hangUp" };
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100", behaviour });
    expectTypeOf(
      sim.traffic({ to: "+6495550100", every: exponential("PT1M"), for: "PT1H", behaviour }),
    ).toEqualTypeOf<void>();
    // @ts-expect-error `every` is required
    sim.traffic({ to: "+6495550100", for: "PT1H" });
    expectTypeOf(uniform(1, 2)).toExtend<DrawnDuration>();
  });
});

describe("replay and disposal", () => {
  test("accept journals as objects and as text", () => {
    expectTypeOf(sim.journal()).toEqualTypeOf<JournalDocument>();
    expectTypeOf(replay).parameter(0).toEqualTypeOf<JournalDocument | string>();
    expectTypeOf(replay).returns.toEqualTypeOf<Simulator>();
    expectTypeOf(sim.fork()).toEqualTypeOf<Simulator>();
    expectTypeOf(sim.at("2026-07-01")).toEqualTypeOf<Simulator>();
  });

  test("make a simulator usable with using", () => {
    expectTypeOf(sim).toExtend<Disposable>();
  });
});

test("command errors have codes that type-check comparisons", () => {
  const error = new CommandError("not_ringing", "nobody rings");
  expectTypeOf(error).toExtend<Error>();
  expectTypeOf(error.code).toEqualTypeOf<CommandErrorCode>();
  expectTypeOf(error.details).toEqualTypeOf<readonly ErrorDetail[]>();
  // @ts-expect-error no such code
  error.code === "not_there";
});

describe("REST", () => {
  test("is called like fetch", () => {
    expectTypeOf(sim.fetch).toExtend<typeof fetch>();
    expectTypeOf(sim.token()).toEqualTypeOf<string>();
    expectTypeOf(sim.openapi()).resolves.toEqualTypeOf<OpenApiDocument>();
    expectTypeOf(sim.credentials).toEqualTypeOf<Credentials>();
    expectTypeOf(sim.urls).toEqualTypeOf<Urls>();
    expectTypeOf(sim.openapi).parameter(0).toEqualTypeOf<OpenApiOptions | undefined>();
  });

  test("has a type for every request and response body, by operation", () => {
    type Beside = "createToken" | "redirectCall";
    type Sending = {
      [Id in keyof operations]: operations[Id] extends { requestBody?: { content: object } } ? Id : never;
    }[keyof operations];
    expectTypeOf<keyof ResponseBodies>().toEqualTypeOf<Exclude<keyof operations, Beside>>();
    expectTypeOf<keyof RequestBodies>().toExtend<Sending>();
    expectTypeOf<ResponseBodies["listCalls"]["calls"][number]>().toEqualTypeOf<PublicCallRecord>();
  });

  test("has body types equal to the API's schemas", () => {
    type Schemas = { [Each in (typeof declared)[number] as Each["id"]]: NonNullable<Each["body"]> };
    type Bodies = { [Id in keyof RequestBodies]: DeepReadonly<InferInput<Schemas[Id]>> };
    expectTypeOf<RequestBodies>().toEqualTypeOf<Bodies>();
  });
});

test("scenarios are parsed, then run", () => {
  expectTypeOf(parseScenario("")).toEqualTypeOf<Scenario>();
  const run = runScenario(parseScenario(""), { until: "PT10S" });
  expectTypeOf(run.simulator).toEqualTypeOf<Simulator>();
  expectTypeOf(run.events).toEqualTypeOf<readonly PlatformEvent[]>();
  expectTypeOf(run.mismatches).toEqualTypeOf<readonly Mismatch[]>();
  // @ts-expect-error a scenario's text is parsed first
  runScenario("scenario: …");
});

test("handlers may return no answer", () => {
  expectTypeOf<{ failure: "refused" }>().toExtend<HandlerResult>();
  // @ts-expect-error no such failure
  createSimulator().network.route("https://a.test", () => ({ failure: "lost" }));
});
