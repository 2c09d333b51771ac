import type { CallFact, UnansweredReason } from "../../../../machines/call.ts";
import type { CallRecord, CallSummary } from "../../records/call.ts";

/** The summary texts of a call. */
export function summaryOf(from: {
  readonly direction: "inbound" | "outbound";
  readonly contact: { readonly displayName: string; readonly phoneNumber: string | null };
  readonly companyNumber: string;
  readonly owner: string;
  readonly outcome: string;
}): CallSummary {
  const { displayName, phoneNumber } = from.contact;
  return {
    header:
      from.direction === "inbound"
        ? `Inbound call from ${displayName} to ${from.owner}`
        : `Outbound call from ${from.owner} to ${displayName}`,
    contactNumberDescription:
      phoneNumber === null || displayName === phoneNumber ? displayName : `${displayName} (${phoneNumber})`,
    companyNumberDescription: `${from.owner} (${from.companyNumber})`,
    outcome: from.outcome,
  };
}

/** The summary of a call whose outside party has a new name. */
export function withContactName(call: CallRecord, displayName: string): CallSummary {
  const { direction, companyNumber, contactNumber, summary } = call;
  const { companyNumberDescription, outcome } = summary;
  // the number's owner when the call began, who may have another name by now
  const owner = companyNumberDescription.slice(0, -` (${companyNumber})`.length);
  const contact = { displayName, phoneNumber: contactNumber };
  return summaryOf({ direction, contact, companyNumber, owner, outcome });
}

type Outcome = Extract<CallFact, { readonly type: "closed" }>["outcome"];
type ReasonOf<Status extends Outcome["status"]> = Extract<Outcome, { readonly status: Status }>["reason"];

/** What a call came to that nobody could take any more, in words. A reason without words does not compile. */
const abandonedWords: Readonly<Record<ReasonOf<"abandoned">, string>> = {
  callerHungUp: "Abandoned: the caller hung up",
};
const blockedWords: Readonly<Record<ReasonOf<"blocked">, string>> = {
  dataAction: "Blocked",
  notAllowed: "Blocked",
};

/** Why nobody took a call, in words. A reason without words does not compile. */
const reasonWords: Readonly<Record<UnansweredReason, string>> = {
  timeout: "nobody answered in time",
  declined: "declined",
  rejected: "declined",
  cancelled: "the caller hung up",
  busy: "the target was busy",
  unavailable: "the target was not available",
  noAvailableMembers: "no member was available",
  sentToVoicemail: "sent to voicemail",
  voicemail: "a voicemail was left",
};

/**
 * The outcome in words: `Missed: the target was busy`.
 * @param unreachable why the target could not be rung, if it could not
 */
export function outcomeText(
  { status, reason }: Outcome,
  answeredBy: string | undefined,
  unreachable: string | undefined,
): string {
  if (status === "answered") return `Answered by ${answeredBy ?? "someone"}`;
  if (status === "abandoned") return abandonedWords[reason];
  if (status === "blocked") return blockedWords[reason];
  const isUnreachable = unreachable !== undefined && (reason === "unavailable" || reason === "busy");
  const why = isUnreachable ? `the target was ${unreachable}` : reasonWords[reason];
  return `${status === "missed" ? "Missed" : "Not answered"}: ${why}`;
}
