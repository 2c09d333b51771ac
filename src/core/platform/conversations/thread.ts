import type { Channel } from "../../records/conversation.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { Directory } from "../directory/directory.ts";

/** The parties and the channel of a conversation. A thread has at most one open conversation. */
export interface Thread {
  readonly companyNumber: string;
  readonly contactAddresses: readonly string[];
  readonly channel: Channel;
}

/** The key of a thread. The order of the contacts does not matter. */
export function threadKey(
  companyNumber: string,
  contactAddresses: readonly string[],
  channel: Thread["channel"],
): string {
  return [channel, companyNumber, ...contactAddresses.toSorted()].join(" ");
}

/** The number that a user's messages are sent from: the user's first number that can send messages. */
export function findDefaultNumber(directory: Directory, { phoneNumbers }: UserRecord): string | undefined {
  return phoneNumbers.find((number) => directory.isMessagingNumber(number));
}
