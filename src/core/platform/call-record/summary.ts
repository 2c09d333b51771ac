import type { CallOutcome, CallRecord, CallSummary } from "../../records/call.ts";

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

const missedBecause: Readonly<Record<string, string>> = {
  timeout: "nobody answered in time",
  declined: "declined",
  unavailable: "not available",
  noAvailableMembers: "no member was available",
  sentToVoicemail: "sent to voicemail",
  voicemail: "a voicemail was left",
};

/** The outcome in words. */
export function outcomeText(outcome: CallOutcome, answeredBy: string | undefined): string {
  if (outcome.status === "answered") return `Answered by ${answeredBy ?? "someone"}`;
  if (outcome.status === "abandoned") return "Abandoned: the caller hung up";
  if (outcome.status === "unanswered")
    return `Not answered: ${outcome.reason === "voicemail" ? missedBecause.voicemail : outcome.reason}`;
  if (outcome.status === "blocked") return "Blocked";
  return `Missed: ${missedBecause[outcome.reason ?? ""] ?? outcome.reason}`;
}
