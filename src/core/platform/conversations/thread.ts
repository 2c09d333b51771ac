import type { Channel } from "../../records/conversation.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { Directory } from "../directory/directory.ts";

/** The parties of a conversation. At most one open conversation has the same. */
export interface Thread {
  readonly companyNumber: string;
  readonly contactAddresses: readonly string[];
  readonly channel: Channel;
}

/** The key of a thread. The order of the contacts does not matter. */
export function keyOf(
  companyNumber: string,
  contactAddresses: readonly string[],
  channel: Thread["channel"],
): string {
  return [channel, companyNumber, ...contactAddresses.toSorted()].join(" ");
}

/** The number that a user's messages are sent from: the first that can send. */
export function defaultNumberOf(directory: Directory, { phoneNumbers }: UserRecord): string | undefined {
  return phoneNumbers.find((number) => directory.isMessagingNumber(number));
}
