import { describe, expectTypeOf, test } from "vitest";
import {
  type AnalysisRecord,
  type CallHandle,
  type CommandInput,
  type CommandName,
  type CommandResult,
  type ContactRecord,
  createSimulator,
  type DeviceHandle,
  type DeviceRecord,
  type EventHandler,
  type EventType,
  type LocationHandle,
  type Notification,
  type PhonebookHandle,
  type PlatformEvent,
  type Records,
  type ReturnRecord,
  type Simulator,
  type StreamMark,
  type TeamHandle,
  type TeamRecord,
  type TranscriptSegment,
  type TrunkEntryHandle,
  type TrunkHandle,
  type UserHandle,
} from "../../src/index.ts";

// parts without a name of their own
type AnyEventHandler = Parameters<Simulator["on"]>[1];
type CallNotification = Exclude<Notification, MessageNotification | WebhookNotification>;
type CallStatus = Records["callStatus"];
type DialPad = Records["dialPad"];
type DirectoryFilter = NonNullable<Parameters<Simulator["directory"]["list"]>[0]>;
type MessageNotification = Extract<Notification, { kind: "message" }>;
type RedirectParameters = Parameters<Simulator["calls"]["redirect"]>[0];
type TrunkUserRecord = Records["trunkUser"];
type VendorCall = Parameters<Simulator["calls"]["redirect"]>[1];
type WebhookNotification = Extract<Notification, { kind: "webhookDisabled" }>;

/** Type-checked, never run: the named parts of a simulator, and their handles. */

const sim = createSimulator();

test("a simulator's parts are read-only", () => {
  expectTypeOf(sim.teams.list()).toEqualTypeOf<TeamHandle[]>();
  expectTypeOf(sim.devices.list()).toEqualTypeOf<DeviceHandle[]>();
  // @ts-expect-error
  sim.calls = sim.fork().calls;
});

test("handles are types: the simulator makes them", () => {
  expectTypeOf(sim.users.get("alice")).toEqualTypeOf<UserHandle>();
  expectTypeOf(sim.teams.get("sales").waiting()).toEqualTypeOf<string[]>();
  expectTypeOf(sim.trunks.get("pbx")).toEqualTypeOf<TrunkHandle>();
  expectTypeOf(sim.trunks.get("pbx").users.get("u").record).toEqualTypeOf<TrunkUserRecord>();
});

describe("calls", () => {
  test("redirect accepts parameters as text or numbers", () => {
    const parameters: RedirectParameters = { extension: "200", timeout: "60", priority: 1 };
    const call: VendorCall = { from: "+6421555001", to: "+6495550100" };
    expectTypeOf(sim.calls.redirect(parameters, call)).toEqualTypeOf<CallHandle>();
    sim.calls.redirect({ extension: "200", "x-order": "42" }, { ...call, vendorCallId: "v-1" });
    // @ts-expect-error `extension` is required
    sim.calls.redirect({ timeout: 60 }, call);
    // @ts-expect-error only parameters that start with x- may have any name
    sim.calls.redirect({ extension: "200", order: "42" }, call);
    expectTypeOf(sim.calls.returns).toEqualTypeOf<ReturnRecord[]>();
  });

  test("dialLink returns a call or a dial pad", () => {
    const dialled = sim.calls.dialLink({ user: "alice", contactNumber: "+6421555001", "x-case": "7" });
    if ("call" in dialled) expectTypeOf(dialled.call).toEqualTypeOf<CallHandle>();
    else {
      expectTypeOf(dialled).toEqualTypeOf<DialPad>();
      expectTypeOf(dialled.dialPad.callerId).toEqualTypeOf<string | null>();
    }
    // @ts-expect-error it may be a dial pad
    dialled.call.id;
  });

  test("outbound and internal require a caller", () => {
    sim.calls.outbound({ from: "alice", to: "+6421555001", callerId: "+6495550100" });
    sim.calls.internal({ from: "alice", to: "200" });
    sim.calls.connectApplication(
      { extension: "200", accountId: "acme", parameters: { "x-order": "42" } },
      { from: "+6421555001", to: "+6495550100" },
    );
    // @ts-expect-error the caller is required
    sim.calls.outbound({ to: "+6421555001" });
    // @ts-expect-error an inside call shows no number
    sim.calls.internal({ from: "alice", to: "200", callerId: "+6495550100" });
  });

  test("transfer and add require by", () => {
    const call = sim.calls.get("call-1");
    expectTypeOf(call.status).toEqualTypeOf<CallStatus>();
    call.transfer("200", { by: "alice", warm: true });
    call.add("+6421555002", { by: "alice" });
    call.decline("+6421555002", { busy: true });
    // @ts-expect-error `by` is required
    call.transfer("200");
  });

  test("ringing returns endpoints of users, devices and numbers", () => {
    for (const ringing of sim.calls.get("call-1").ringing()) {
      expectTypeOf(ringing.endpoint).toEqualTypeOf<string>();
      if ("user" in ringing) expectTypeOf(ringing.user).toEqualTypeOf<string>();
      // @ts-expect-error not every endpoint is a user's
      ringing.user;
    }
  });
});

describe("the directory", () => {
  test("list accepts known filters only", () => {
    const filter: DirectoryFilter = { extension: "101", includeSuspendedUsers: true };
    expectTypeOf(sim.directory.list).toBeCallableWith(filter);
    // @ts-expect-error hidden teams are `includeHiddenCallGroups`
    ({ includeHiddenTeams: true }) satisfies DirectoryFilter;
  });

  test("has read-only handles", () => {
    expectTypeOf<DeviceHandle["record"]>().toEqualTypeOf<DeviceRecord>();
    expectTypeOf<LocationHandle>().toExtend<{ readonly record: { readonly name: string } }>();
    expectTypeOf<PhonebookHandle["record"]["contacts"]>().toEqualTypeOf<readonly ContactRecord[]>();
    expectTypeOf<TrunkEntryHandle<"user">["record"]>().toEqualTypeOf<TrunkUserRecord>();
    // @ts-expect-error writes are methods of the list
    sim.devices.get("lobby").record.sipAddress = "sip:b@acme.test";
  });

  test("sets and removes members of teams", () => {
    const team = sim.teams.get("sales");
    team.setMember("alice", { priority: 2 });
    team.removeMember("alice");
    expectTypeOf(team.record).toEqualTypeOf<TeamRecord>();
    // @ts-expect-error no such option
    team.setMember("alice", { rank: 2 });
    // @ts-expect-error a team has no list of its own to change
    sim.teams.create({ id: "new" });
  });

  test("has users at locations and contacts in phonebooks", () => {
    sim.locations.addUser("auckland", "alice");
    sim.locations.removeUser("auckland", "alice");
    expectTypeOf(sim.phonebooks.contacts("vip")).toEqualTypeOf<readonly ContactRecord[]>();
    expectTypeOf(sim.phonebooks.list({ excludeEmpty: true })).toEqualTypeOf<PhonebookHandle[]>();
    expectTypeOf(sim.phonebooks.put("vip", { name: "VIP" })).toEqualTypeOf<PhonebookHandle>();
    // @ts-expect-error the id is the first argument
    sim.phonebooks.put("vip", { id: "vip" });
  });

  test("has trunk entries with methods by kind", () => {
    const { devices } = sim.trunks.get("pbx");
    expectTypeOf(devices.list()).toEqualTypeOf<TrunkEntryHandle<"device">[]>();
    devices.remove("till");
    // @ts-expect-error a device has no department
    devices.update("till", { department: "Shop" });
  });
});

describe("follow-ups of a call", () => {
  test("are analysis jobs", () => {
    const content = { recordings: [{ id: "recording-1" }] };
    expectTypeOf(sim.analysis.create({ analyzer: "summary", content })).toEqualTypeOf<AnalysisRecord>();
    expectTypeOf(sim.analysis.list()).toEqualTypeOf<AnalysisRecord[]>();
    expectTypeOf(sim.analysis.complete).parameters.toEqualTypeOf<[id: string]>();
    // @ts-expect-error a job has content
    sim.analysis.create({ analyzer: "summary" });
  });

  test("are recordings and transcripts", () => {
    expectTypeOf(sim.recordings.remove).parameters.toEqualTypeOf<[callId: string, id: string]>();
    expectTypeOf(sim.transcripts.segments("transcript-1")).toEqualTypeOf<readonly TranscriptSegment[]>();
    // @ts-expect-error a recording is found by its call and its id
    sim.recordings.get("recording-1");
  });

  test("are notifications, which narrow by kind", () => {
    const notification = {} as Notification;
    expectTypeOf<Notification>().toEqualTypeOf<
      CallNotification | MessageNotification | WebhookNotification
    >();
    if (notification.kind === "webhookDisabled") {
      expectTypeOf(notification).toEqualTypeOf<WebhookNotification>();
      expectTypeOf(notification.webhookId).toEqualTypeOf<string>();
    } else if (notification.kind === "message")
      expectTypeOf(notification).toEqualTypeOf<MessageNotification>();
    else expectTypeOf(notification).toEqualTypeOf<CallNotification>();
    expectTypeOf<CallNotification["kind"]>().toEqualTypeOf<"missedCall" | "voicemail" | "voicemailEmail">();
  });
});

describe("commands by name", () => {
  test("have typed arguments and results", () => {
    expectTypeOf(sim.command("inbound", { from: "+6421555001", to: "+6495550100" })).toEqualTypeOf<string>();
    expectTypeOf(sim.command("answer", { call: "call-1", by: "alice" })).toBeVoid();
    // @ts-expect-error no such command
    sim.command("pickUp", { call: "call-1", by: "alice" });
    // @ts-expect-error the call is required
    sim.command("answer", { by: "alice" });
  });

  test("have exported types of arguments and results", () => {
    expectTypeOf(sim.commandNames).toEqualTypeOf<readonly CommandName[]>();
    const args: CommandInput<"hangup"> = { call: "call-1", by: "caller" };
    expectTypeOf(sim.command("hangup", args)).toBeVoid();
    expectTypeOf(sim.calls.inbound).parameter(0).toEqualTypeOf<CommandInput<"inbound">>();
    expectTypeOf<CommandResult<"inbound">>().toEqualTypeOf<string>();
    expectTypeOf<CommandResult<"hangup">>().toEqualTypeOf<void>();
    // @ts-expect-error no such command
    expectTypeOf<CommandInput<"pickUp">>();
  });
});

describe("handlers of events", () => {
  test("have exported types", () => {
    const hear: EventHandler<"call.hungup"> = ({ data }) => data.party.displayName;
    sim.on("call.hungup", hear);
    const hearAll: AnyEventHandler = (type, event) => {
      expectTypeOf(event).toEqualTypeOf<PlatformEvent>();
      return type === event.type;
    };
    sim.on("*", hearAll);
    // @ts-expect-error the event that ends a call has no party
    sim.on("call.ended", hear);
    // @ts-expect-error a handler of all gets the type first
    sim.on("*", hear);
  });
});

test("a mark can only be created by mark()", () => {
  expectTypeOf(sim.events.mark()).toEqualTypeOf<StreamMark>();
  expectTypeOf<number>().not.toExtend<StreamMark>();
  expectTypeOf(sim.events.at(-1)?.type).toEqualTypeOf<EventType | undefined>();
});
