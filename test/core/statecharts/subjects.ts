import type { AnyEventObject, AnyStateMachine } from "xstate";
import type { AnalysisEvent, AnalysisInput } from "../../../machines/analysis.ts";
import type { AvailabilityEvent, AvailabilityInput } from "../../../machines/availability.ts";
import type { CallContext, CallEvent, CallInput } from "../../../machines/call.ts";
import type { ConversationEvent, ConversationInput } from "../../../machines/conversation.ts";
import type { DeliveryEvent, DeliveryInput } from "../../../machines/delivery.ts";
import {
  analysisMachine,
  availabilityMachine,
  callMachine,
  conversationMachine,
  deliveryMachine,
  redirectReturnMachine,
  ringMachine,
  teamOfferMachine,
  voicemailMachine,
  webhookMachine,
} from "../../../machines/index.ts";
import type { RedirectReturnEvent, RedirectReturnInput } from "../../../machines/redirect-return.ts";
import type { RingContext, RingEvent, RingInput } from "../../../machines/ring.ts";
import type { TeamOfferEvent, TeamOfferInput } from "../../../machines/team-offer.ts";
import type { VoicemailEvent, VoicemailInput } from "../../../machines/voicemail.ts";
import type { WebhookEvent, WebhookInput } from "../../../machines/webhook.ts";
import type { Any } from "./any.ts";

/** A machine, with its possible inputs and events. */
export interface Subject {
  readonly machine: AnyStateMachine;
  input(any: Any): unknown;
  /** Most payloads make sense: parties on the bridge, endpoints that ring. */
  event(any: Any, context: unknown): AnyEventObject;
  /** Transitions that nothing can reach. */
  readonly dead?: readonly string[];
}

/** The machine's own types check inputs and events; the machine itself is then of any type. */
function subject<Input, Context, Event extends AnyEventObject>(
  machine: AnyStateMachine,
  input: (any: Any) => Input,
  event: (any: Any, context: Context) => Event,
  dead?: readonly string[],
): Subject {
  return { machine, input, event: (any, context) => event(any, context as Context), dead };
}

export const ours: Record<string, Subject> = {
  analysis: subject<AnalysisInput, unknown, AnalysisEvent>(
    analysisMachine,
    (any) => ({ durationMs: any.ms() }),
    (any) => ({ type: any.of("COMPLETE", "CANCEL") }),
  ),
  availability: subject<AvailabilityInput, unknown, AvailabilityEvent>(
    availabilityMachine,
    (any) => ({ isLoggedIn: any.isTrue(), isOutOfHours: any.isTrue(), isActive: any.isTrue() }),
    (any) => {
      const type = any.of(
        ...(["CHOOSE", "LOG_IN", "LOG_OUT", "HOURS_BEGIN"] as const),
        ...(["HOURS_END", "JOIN_CALL", "LEAVE_CALL", "ACTIVATE", "DEACTIVATE", "WRAP_UP"] as const),
      );
      if (type === "JOIN_CALL") return { type, call: any.of("call-1", "call-2") };
      if (type === "LEAVE_CALL") return any.isTrue() ? { type, wrapUpMs: any.ms() } : { type };
      if (type === "WRAP_UP") return { type, wrapUpMs: any.ms() };
      if (type !== "CHOOSE") return { type };
      const status = any.of("available", "busy", "offline");
      return { type, chosen: { status, rule: any.of(null, "doNotDisturb"), reason: any.of(null, "lunch") } };
    },
    // all its events share one list: a user who logs out is offline, and a user whose hours end is not available
    [
      "availability, LOG_OUT, number 2",
      "availability, LOG_OUT, number 3",
      "availability, DEACTIVATE, number 2",
      "availability, DEACTIVATE, number 3",
      "availability, HOURS_END, number 3",
    ],
  ),
  call: subject<CallInput, CallContext, CallEvent>(
    callMachine,
    (any) => ({ caller: "caller", isOutbound: any.isTrue(), isAsked: any.isTrue() }),
    (any, { adding, bridge }): CallEvent => {
      const party = () => any.of(...bridge, "caller", "rung", "stranger");
      const type = any.of(
        ...(["ALLOW", "OFFER", "ANSWER", "UNANSWERED", "HANGUP"] as const),
        ...(["TRANSFER", "ADD", "ADDITION_OVER", "VOICEMAIL_ENDED", "BLOCK"] as const),
      );
      if (type === "ANSWER") {
        const answerer = party();
        return { type, party: answerer, endpoint: "desktop", isOutside: answerer === "stranger" };
      }
      if (type === "UNANSWERED")
        return { type, reason: any.of("timeout", "declined"), voicemail: any.of(null, "voicemail") };
      // one target at a time keeps the states few
      if (type === "ADD" && adding.length > 0) return { type: "ADDITION_OVER", party: party() };
      if (type === "HANGUP" || type === "TRANSFER" || type === "ADD" || type === "ADDITION_OVER")
        return { type, party: party() };
      if (type === "VOICEMAIL_ENDED") return { type, message: any.isTrue() };
      if (type === "BLOCK") return { type, reason: any.of("dataAction", "notAllowed") };
      return { type };
    },
  ),
  conversation: subject<ConversationInput, unknown, ConversationEvent>(
    conversationMachine,
    (any) => {
      const contacts = Array.from({ length: any.of(1, 9) }, (_, index) => `+6421555${100 + index}`);
      return { inactivityMs: any.ms(), closeTimerMs: any.isTrue() ? any.ms() : null, participants: contacts };
    },
    (any) => {
      const type = any.of("UPDATE", "JOIN", "CLOSE", "closeTimer");
      if (type === "JOIN") return { type, participant: any.of("alice", "bob") };
      return type === "UPDATE" ? { type, closeTimerMs: any.isTrue() ? any.ms() : null } : { type };
    },
  ),
  delivery: subject<DeliveryInput, unknown, DeliveryEvent>(
    deliveryMachine,
    (any) => ({ attempts: any.of(1, 3) }),
    (any) => {
      const type = any.of("SUCCEED", "FAIL", "DROP");
      return type === "FAIL" ? { type, isRetried: any.isTrue(), delayMs: any.ms() } : { type };
    },
  ),
  redirectReturn: subject<RedirectReturnInput, unknown, RedirectReturnEvent>(
    redirectReturnMachine,
    (any) => ({ isPosted: any.isTrue() }),
    (any) => {
      const type = any.of("KEEP", "UNANSWERED", "POSTED");
      if (type === "UNANSWERED") return { type, reason: any.of("timeout", "declined") };
      return type === "POSTED" ? { type, failure: any.of(null, "500") } : { type };
    },
  ),
  ring: subject<RingInput, RingContext, RingEvent>(
    ringMachine,
    (any) => ({
      endpoints: any.of(["mobile"], ["mobile", "desktop"], ["mobile", "desktop", "sip"]),
      timeoutMs: any.isTrue() ? any.ms() : null,
    }),
    (any, { endpoints }) => {
      const endpoint = () => any.of(...endpoints, "mobile", "nowhere");
      const type = any.of("ANSWER", "DECLINE", "LOSE", "WITHDRAW");
      if (type === "WITHDRAW") return { type, outcome: any.of("withdrawn", "answeredElsewhere", "timeout") };
      if (type === "DECLINE") return { type, endpoint: any.of(null, endpoint()) };
      return { type, endpoint: endpoint() };
    },
  ),
  teamOffer: subject<TeamOfferInput, unknown, TeamOfferEvent>(
    teamOfferMachine,
    (any) => ({ timeoutMs: any.ms(), nextOfferTimeoutMs: any.ms() }),
    (any) => {
      const type = any.of("RING", "WAIT", "SILENT", "EXHAUST", "WITHDRAW");
      return type === "RING" ? { type, tier: any.of(1, 2) } : { type };
    },
  ),
  voicemail: subject<VoicemailInput, unknown, VoicemailEvent>(
    voicemailMachine,
    (any) => ({ greetingMs: any.ms(), maxMessageMs: any.ms(), silenceMs: any.ms() }),
    (any) => (any.isTrue() ? { type: "SPEAK", messageMs: any.ms() } : { type: "HANGUP" }),
  ),
  webhook: subject<WebhookInput, unknown, WebhookEvent>(
    webhookMachine,
    (any) => ({ isEnabled: any.isTrue(), failureLimit: any.of(0, 2) }),
    (any) => ({ type: any.of("DELIVERED", "GIVEN_UP", "ENABLE", "DISABLE", "REMOVE") }),
  ),
};
