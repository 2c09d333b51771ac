import { type ActorReference, type Mention, type Sentence, thePlatform } from "../declare/description.ts";
import { contactName } from "../declare/words.ts";
import type { ContactOrId } from "../organisation/contact.ts";
import type { SendArguments, SendTeamMessageArguments } from "./schemas.ts";

/** The sender of a message: the user in `sendAsUser`, or the platform if there is none. */
export function theSender({ messageContent }: SendArguments | SendTeamMessageArguments): ActorReference {
  const { sendAsUser } = messageContent;
  return sendAsUser === undefined ? thePlatform() : { is: "person", name: sendAsUser };
}

/** The sentence that describes a sent message, for the commands that send. */
export function sendWords(args: SendArguments | SendTeamMessageArguments): Sentence {
  const { companyAddress, contactAddresses = [], messageContent } = args;
  const { text: said, media: files = [], sendAsUser } = messageContent;
  const single = "contactAddress" in args && args.contactAddress !== undefined ? [args.contactAddress] : [];
  const content = { mention: { people: [...single, ...contactAddresses] }, said, attachments: files.length };
  return sendAsUser === undefined
    ? { kind: "message", subject: { messageFrom: companyAddress }, verb: "to", ...content }
    : { kind: "message", verb: `writes from ${companyAddress} to`, ...content };
}

/** A contact that a command gives, or names as the users of a conversation see it. */
export function contactWords(contact: ContactOrId, conversation: string): string | Mention {
  if (typeof contact === "string") return { contact, holder: { conversation } };
  return `the contact ${contactName(contact)}`;
}
