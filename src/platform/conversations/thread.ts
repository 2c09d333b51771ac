import type { Channel } from "../../records/conversation.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { Directory } from "../directory/directory.ts";

/** Between whom messages go. At most one conversation that is not closed has the same. */
export interface Thread {
  readonly companyNumber: string;
  readonly contactAddresses: readonly string[];
  readonly channel: Channel;
}

/** The same for the same thread, in whatever order its contacts are. */
export function keyOf(
  companyNumber: string,
  contactAddresses: readonly string[],
  channel: Thread["channel"],
): string {
  return [channel, companyNumber, ...contactAddresses.toSorted()].join(" ");
}

/** The number that a user's messages are sent from: the first that can. */
export function defaultNumberOf(directory: Directory, { phoneNumbers }: UserRecord): string | undefined {
  return phoneNumbers.find((number) => directory.isMessagingNumber(number));
}
