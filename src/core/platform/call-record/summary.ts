import { blockedWords, type CallFact, reasonWords } from "../../../../machines/call.ts";
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
  if (status === "abandoned") return `Abandoned: ${reasonWords[reason]}`;
  if (status === "blocked") return blockedWords[reason];
  const isUnreachable = unreachable !== undefined && (reason === "unavailable" || reason === "busy");
  const why = isUnreachable ? `the target was ${unreachable}` : reasonWords[reason];
  return `${status === "missed" ? "Missed" : "Not answered"}: ${why}`;
}
