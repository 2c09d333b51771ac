import { describe, expectTypeOf, test } from "vitest";
import {
  type ContextFrom,
  createActor,
  type EmittedFrom,
  type EventFrom,
  type InputFrom,
  transition,
} from "xstate";
import {
  analysisMachine,
  availabilityMachine,
  callMachine,
  conversationMachine,
  deliveryMachine,
  machines,
  redirectReturnMachine,
  ringMachine,
  teamOfferMachine,
  voicemailMachine,
  webhookMachine,
} from "../../machines/index.ts";

/** Type-checked, never run: the types of the machines, for people who inspect them or test against them. */

// as consumers get them: by XState's helpers
type AnalysisEvent = EventFrom<typeof analysisMachine>;
type AnalysisFact = EmittedFrom<typeof analysisMachine>;
type AnalysisInput = InputFrom<typeof analysisMachine>;
type AvailabilityContext = ContextFrom<typeof availabilityMachine>;
type AvailabilityEvent = EventFrom<typeof availabilityMachine>;
type AvailabilityFact = EmittedFrom<typeof availabilityMachine>;
type AvailabilityInput = InputFrom<typeof availabilityMachine>;
type CallContext = ContextFrom<typeof callMachine>;
type CallEvent = EventFrom<typeof callMachine>;
type CallFact = EmittedFrom<typeof callMachine>;
type CallInput = InputFrom<typeof callMachine>;
type ChosenAvailability = Extract<AvailabilityEvent, { type: "CHOOSE" }>["chosen"];
type ConversationEvent = EventFrom<typeof conversationMachine>;
type ConversationFact = EmittedFrom<typeof conversationMachine>;
type ConversationInput = InputFrom<typeof conversationMachine>;
type DeliveryContext = ContextFrom<typeof deliveryMachine>;
type DeliveryEvent = EventFrom<typeof deliveryMachine>;
type DeliveryFact = EmittedFrom<typeof deliveryMachine>;
type DeliveryInput = InputFrom<typeof deliveryMachine>;
type RedirectReturnContext = ContextFrom<typeof redirectReturnMachine>;
type RedirectReturnEvent = EventFrom<typeof redirectReturnMachine>;
type RedirectReturnFact = EmittedFrom<typeof redirectReturnMachine>;
type RedirectReturnInput = InputFrom<typeof redirectReturnMachine>;
type RingContext = ContextFrom<typeof ringMachine>;
type RingEvent = EventFrom<typeof ringMachine>;
type RingFact = EmittedFrom<typeof ringMachine>;
type RingInput = InputFrom<typeof ringMachine>;
type TeamOfferContext = ContextFrom<typeof teamOfferMachine>;
type TeamOfferEvent = EventFrom<typeof teamOfferMachine>;
type TeamOfferFact = EmittedFrom<typeof teamOfferMachine>;
type TeamOfferInput = InputFrom<typeof teamOfferMachine>;
type VoicemailContext = ContextFrom<typeof voicemailMachine>;
type VoicemailEvent = EventFrom<typeof voicemailMachine>;
type VoicemailFact = EmittedFrom<typeof voicemailMachine>;
type VoicemailInput = InputFrom<typeof voicemailMachine>;
type WebhookContext = ContextFrom<typeof webhookMachine>;
type WebhookEvent = EventFrom<typeof webhookMachine>;
type WebhookFact = EmittedFrom<typeof webhookMachine>;
type WebhookInput = InputFrom<typeof webhookMachine>;

/** What a machine can be sent. */
type Heard<Machine extends { transition(...args: never): unknown }> = Parameters<Machine["transition"]>[1];

test("the machine of a call starts with its caller and rejects unknown events", () => {
  expectTypeOf<InputFrom<typeof callMachine>>().toExtend<Partial<CallInput>>();
  const actor = createActor(callMachine, { input: { caller: "caller" } as CallInput });
  expectTypeOf(actor.getSnapshot().context).toEqualTypeOf<CallContext>();
  actor.send({ type: "OFFER" });
  // @ts-expect-error no such event
  actor.send({ type: "OFFERED" });
  // @ts-expect-error who answers must be said
  actor.send({ type: "ANSWER" });
  // @ts-expect-error a call has a caller
  createActor(callMachine, { input: {} });
});

test("the machine of a ring reports which endpoint answered and how the others stopped", () => {
  expectTypeOf<Heard<typeof ringMachine>>().toEqualTypeOf<RingEvent>();
  expectTypeOf<EmittedFrom<typeof ringMachine>>().toEqualTypeOf<RingFact>();
  expectTypeOf<Extract<RingFact, { type: "answered" }>["endpoint"]>().toEqualTypeOf<string>();
  const input: RingInput = { endpoints: ["mobile", "desktop"], timeoutMs: null };
  const [snapshot] = transition(ringMachine, createActor(ringMachine, { input }).getSnapshot(), {
    type: "DECLINE",
    endpoint: null,
  });
  expectTypeOf(snapshot.context).toEqualTypeOf<RingContext>();
  // @ts-expect-error how it was withdrawn must be one of those that are known
  ({ type: "WITHDRAW", outcome: "answered" }) satisfies RingEvent;
});

test("the machine of a team's offer rings tier by tier", () => {
  const input: TeamOfferInput = { timeoutMs: 60_000, nextOfferTimeoutMs: 20_000 };
  const actor = createActor(teamOfferMachine, { input });
  expectTypeOf(actor.getSnapshot().context).toEqualTypeOf<TeamOfferContext>();
  expectTypeOf<TeamOfferContext["tier"]>().toEqualTypeOf<number | null>();
  expectTypeOf<Heard<typeof teamOfferMachine>>().toEqualTypeOf<TeamOfferEvent>();
  expectTypeOf<Extract<TeamOfferFact, { type: "over" }>["reason"]>().toEqualTypeOf<
    "timeout" | "declined" | "noAvailableMembers"
  >();
  // @ts-expect-error which tier must be said
  actor.send({ type: "RING" });
});

test("the machine of voicemail ends with the caller, the message or the limit", () => {
  const input: VoicemailInput = { greetingMs: 3_000, maxMessageMs: 180_000, silenceMs: 30_000 };
  const actor = createActor(voicemailMachine, { input });
  expectTypeOf(actor.getSnapshot().context).toEqualTypeOf<VoicemailContext>();
  expectTypeOf<VoicemailContext["messageMs"]>().toEqualTypeOf<number | null>();
  expectTypeOf<Heard<typeof voicemailMachine>>().toEqualTypeOf<VoicemailEvent>();
  expectTypeOf<Extract<VoicemailFact, { type: "over" }>["by"]>().toEqualTypeOf<
    "caller" | "message" | "limit" | "silence"
  >();
  // @ts-expect-error how long the message is must be said
  actor.send({ type: "SPEAK" });
});

test("the machine of a redirected call's return posts, or is taken back by the vendor", () => {
  const input: RedirectReturnInput = { isPosted: true };
  const actor = createActor(redirectReturnMachine, { input });
  expectTypeOf(actor.getSnapshot().context).toEqualTypeOf<RedirectReturnContext>();
  expectTypeOf<RedirectReturnContext>().toExtend<RedirectReturnInput>();
  expectTypeOf<EmittedFrom<typeof redirectReturnMachine>>().toEqualTypeOf<RedirectReturnFact>();
  expectTypeOf<RedirectReturnFact["type"]>().toEqualTypeOf<"returned" | "post">();
  // @ts-expect-error whether the request failed must be said
  ({ type: "POSTED" }) satisfies RedirectReturnEvent;
});

describe("the machine of a user's availability", () => {
  test("has a status and its rule", () => {
    const input: AvailabilityInput = { isLoggedIn: true, isOutOfHours: false };
    const actor = createActor(availabilityMachine, { input });
    expectTypeOf(actor.getSnapshot().context).toEqualTypeOf<AvailabilityContext>();
    expectTypeOf<EmittedFrom<typeof availabilityMachine>>().toEqualTypeOf<AvailabilityFact>();
    expectTypeOf<AvailabilityFact["status"]>().toEqualTypeOf<"available" | "busy" | "offline">();
  });

  test("accepts manual statuses except busy on a call", () => {
    expectTypeOf<
      Extract<AvailabilityEvent, { type: "CHOOSE" }>["chosen"]
    >().toEqualTypeOf<ChosenAvailability>();
    expectTypeOf<AvailabilityFact["rule"]>().toEqualTypeOf<ChosenAvailability["rule"] | "busyOnACall">();
    // @ts-expect-error only a call makes busy on a call
    ({ status: "busy", rule: "busyOnACall", reason: null }) satisfies ChosenAvailability;
  });
});

test("the machine of a conversation closes by command or by its optional timer", () => {
  const input: ConversationInput = { inactivityMs: 86_400_000, closeTimerMs: null };
  const actor = createActor(conversationMachine, { input });
  actor.send({ type: "UPDATE", closeTimerMs: 60_000 } satisfies ConversationEvent);
  actor.send({ type: "JOIN", participant: "alice" } satisfies ConversationEvent);
  expectTypeOf<EmittedFrom<typeof conversationMachine>>().toEqualTypeOf<ConversationFact>();
  expectTypeOf<ConversationFact["type"]>().toEqualTypeOf<"joined" | "inactive" | "closed">();
  // @ts-expect-error an update says the timer, or that there is none
  actor.send({ type: "UPDATE" });
});

test("the machine of a delivery counts attempts until it gives up", () => {
  const input: DeliveryInput = { attempts: 10 };
  const actor = createActor(deliveryMachine, { input });
  expectTypeOf(actor.getSnapshot().context).toEqualTypeOf<DeliveryContext>();
  actor.send({ type: "FAIL", isRetried: true, delayMs: 5_000 } satisfies DeliveryEvent);
  expectTypeOf<Extract<DeliveryFact, { type: "attempt" }>["number"]>().toEqualTypeOf<number>();
  expectTypeOf<Extract<DeliveryFact, { type: "givenUp" }>["reason"]>().toEqualTypeOf<
    "rejected" | "exhausted"
  >();
  // @ts-expect-error whether a failure is tried again must be said
  actor.send({ type: "FAIL", delayMs: 5_000 });
});

test("the machine of a webhook is disabled by command or by failures", () => {
  const input: WebhookInput = { isEnabled: true, failureLimit: 1000 };
  const actor = createActor(webhookMachine, { input });
  expectTypeOf(actor.getSnapshot().context).toEqualTypeOf<WebhookContext>();
  expectTypeOf<WebhookContext>().toExtend<WebhookInput>();
  expectTypeOf<Heard<typeof webhookMachine>>().toEqualTypeOf<WebhookEvent>();
  expectTypeOf<Extract<WebhookFact, { type: "disabled" }>["by"]>().toEqualTypeOf<"hand" | "failures">();
});

test("the machine of an analysis completes, or is cancelled", () => {
  const input: AnalysisInput = { durationMs: 30_000 };
  const actor = createActor(analysisMachine, { input });
  actor.send({ type: "CANCEL" } satisfies AnalysisEvent);
  expectTypeOf<EmittedFrom<typeof analysisMachine>>().toEqualTypeOf<AnalysisFact>();
  expectTypeOf<AnalysisFact["type"]>().toEqualTypeOf<"completed">();
  // @ts-expect-error it takes a time, in ms
  createActor(analysisMachine, { input: { duration: "PT30S" } });
});

test("the machine of a call reports which party answered", () => {
  expectTypeOf<Extract<CallFact, { type: "answered" }>["party"]>().toEqualTypeOf<string>();
  expectTypeOf<Heard<typeof callMachine>>().toEqualTypeOf<CallEvent>();
  expectTypeOf<EmittedFrom<typeof callMachine>>().toEqualTypeOf<CallFact>();
});

test("machines has every machine by its exported name", () => {
  expectTypeOf(machines.analysisMachine).toEqualTypeOf<typeof analysisMachine>();
  expectTypeOf(machines.webhookMachine).toEqualTypeOf<typeof webhookMachine>();
  // @ts-expect-error no such machine
  machines.phoneMachine;
});
