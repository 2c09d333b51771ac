import { MAX_PARTICIPANTS } from "../../../../machines/participants.ts";
import type { Keys, Problem } from "../../foundation/errors.ts";
import type { Directory } from "../directory/directory.ts";
import type {
  ReceiveArguments,
  SendArguments,
  SendMessageArguments,
  SendTeamMessageArguments,
} from "./schemas.ts";
import { findDefaultNumber, type Thread, threadKey } from "./thread.ts";

/** Says which threads have an open conversation. */
interface OpenThreads {
  isThere(key: string): boolean;
}

/**
 * Checks of messages that a schema cannot make. Each check gets the well-formed fields and looks at those present, so
 * that one error lists every problem.
 */

export function sendProblems(
  directory: Directory,
  conversations: OpenThreads,
  body: Partial<SendArguments>,
): Problem[] {
  const { companyAddress, contactAddresses, channel = "sms", routingAction } = body;
  const isKnown = isThere(conversations, companyAddress, contactAddresses, channel);
  const needsRouting = "routingAction" in body && routingAction === undefined && !isKnown;
  return [
    ...problem(["companyAddress"], companyAddress && senderProblem(directory, companyAddress)),
    ...recipientProblems(["contactAddresses"], contactAddresses, companyAddress),
    ...problem(["contactAddresses"], groupProblem(channel, contactAddresses)),
    ...problem(["contactAddresses"], fullProblem(contactAddresses, routingAction, isKnown)),
    ...contentProblems(directory, body.messageContent),
    ...problem(
      ["routingAction"],
      needsRouting && "expected one of assign_users, do_not_route, assign_owner for a new conversation",
    ),
    ...assignmentProblems(directory, body),
  ];
}

export function sendMessageProblems(directory: Directory, body: Partial<SendMessageArguments>): Problem[] {
  const { from, to } = body;
  const isOwn = from !== undefined && from === to;
  return [
    ...problem(["from"], from && userSenderProblem(directory, from)),
    ...problem(["to"], isOwn && "expected another number than `from`"),
  ];
}

export function sendTeamMessageProblems(
  directory: Directory,
  conversations: OpenThreads,
  body: Partial<SendTeamMessageArguments>,
): Problem[] {
  const { companyAddress, contactAddress, contactAddresses, channel, routingAction } = body;
  const isKnown = isThere(conversations, companyAddress, contactAddresses, "sms");
  const isOneWellFormed = "contactAddress" in body && "contactAddresses" in body;
  const count = [contactAddress, contactAddresses].filter((each) => each !== undefined).length;
  const single = contactAddress === undefined ? undefined : [contactAddress];
  return [
    ...problem(["companyAddress"], companyAddress && teamSenderProblem(directory, companyAddress)),
    ...problem(
      ["contactAddress"],
      isOneWellFormed && count !== 1 && "expected either contactAddress or contactAddresses",
    ),
    ...problem(
      ["channel"],
      contactAddresses && "channel" in body && channel === undefined && "missing beside contactAddresses",
    ),
    ...recipientProblems(["contactAddresses"], contactAddresses, companyAddress),
    ...problem(["contactAddresses"], fullProblem(contactAddresses, routingAction, isKnown)),
    ...(single === undefined || single[0] !== companyAddress
      ? []
      : [{ keys: ["contactAddress"], message: "expected another number than `companyAddress`" }]),
    ...contentProblems(directory, body.messageContent),
    ...assignmentProblems(directory, body),
  ];
}

export function receiveProblems(conversations: OpenThreads, message: Partial<ReceiveArguments>): Problem[] {
  const { from, to, others = [], channel = "sms", text = "", media = [] } = message;
  const contacts = from === undefined ? others : [from, ...others];
  const isEmpty = "text" in message && "media" in message && text === "" && media.length === 0;
  const isTooMany = others.length >= MAX_PARTICIPANTS;
  return [
    ...problem(["from"], from !== undefined && from === to && "expected another number than `to`"),
    ...recipientProblems(["others"], others, to, from),
    ...problem(["others"], isTooMany && `expected at most ${MAX_PARTICIPANTS - 1} phone numbers`),
    ...problem(["others"], groupProblem(channel, contacts)),
    ...problem(["others"], fullProblem(contacts, undefined, isThere(conversations, to, contacts, channel))),
    ...problem(["text"], isEmpty && "expected text that is not empty, or media"),
  ];
}

function isThere(
  conversations: OpenThreads,
  companyAddress: string | undefined,
  contacts: readonly string[] | undefined,
  channel: Thread["channel"],
): boolean {
  if (companyAddress === undefined || contacts === undefined) return false;
  return conversations.isThere(threadKey(companyAddress, contacts, channel));
}

/** Why a number cannot send and receive messages; undefined if it can. */
export function senderProblem(directory: Directory, number: string): string | undefined {
  const enabled = directory.numbers.filter((each) => directory.isMessagingNumber(each)).join(", ") || "none";
  const owner = directory.findOwner(number);
  if (owner === undefined) return `nobody has the number ${number}; enabled for messages: ${enabled}`;
  if (owner.kind === "device")
    return `${number} belongs to the device ${owner.record.id}: only users and teams have conversations`;
  return directory.isMessagingNumber(number)
    ? undefined
    : `${number} is not enabled for messages (sms: true); enabled: ${enabled}`;
}

function teamSenderProblem(directory: Directory, number: string): string | undefined {
  const owner = directory.findOwner(number);
  if (owner?.kind === "user")
    return `${number} belongs to the user ${owner.record.id}, expected a team's number`;
  return senderProblem(directory, number);
}

function userSenderProblem(directory: Directory, from: string): string | undefined {
  if (from.startsWith("+")) {
    const owner = directory.findOwner(from);
    if (owner?.kind === "team")
      return `${from} belongs to the team ${owner.record.id}, expected a user's number`;
    return senderProblem(directory, from);
  }
  const user = directory.findUser(from);
  if (user === undefined) return unknownUser(from);
  return findDefaultNumber(directory, user) === undefined
    ? `${user.id} has no number that is enabled for messages (sms: true)`
    : undefined;
}

/** Reports a recipient that is given twice or that is the sender. */
function recipientProblems(
  field: Keys,
  numbers: readonly string[] = [],
  companyAddress: string | undefined,
  given?: string,
): Problem[] {
  return numbers.flatMap((number, index) => [
    ...problem(
      [...field, index],
      (number === given || numbers.indexOf(number) < index) && `duplicate of ${number}`,
    ),
    ...problem([...field, index], number === companyAddress && `${number} is the company number itself`),
  ]);
}

/** Reports too many contacts when a user must also fit: in a new conversation, or when users are assigned. */
function fullProblem(
  contacts: readonly string[] = [],
  routingAction: string | undefined,
  isKnown: boolean,
): string | false {
  const needsUser = routingAction === undefined ? !isKnown : routingAction !== "do_not_route";
  const most = MAX_PARTICIPANTS - 1;
  return (
    needsUser &&
    contacts.length > most &&
    `expected at most ${most} contacts in all: a conversation has ${MAX_PARTICIPANTS} participants, and no user fits`
  );
}

function groupProblem(channel: string, contacts: readonly unknown[] | undefined): string | false {
  return (contacts?.length ?? 0) > 1 && channel !== "sms" && `expected one contact: ${channel} has no groups`;
}

function contentProblems(
  directory: Directory,
  content: SendArguments["messageContent"] | undefined,
): Problem[] {
  if (content === undefined) return [];
  const { text = "", media = [], sendAsUser } = content;
  const isEmpty = "text" in content && "media" in content && text === "" && media.length === 0;
  const isUnknown = sendAsUser !== undefined && directory.findUser(sendAsUser) === undefined;
  return [
    ...problem(["messageContent", "text"], isEmpty && "expected text that is not empty, or media"),
    ...problem(["messageContent", "sendAsUser"], isUnknown && unknownUser(sendAsUser)),
  ];
}

function assignmentProblems(
  directory: Directory,
  body: { readonly routingAction?: string; readonly assignUsers?: readonly string[] },
): Problem[] {
  const { routingAction, assignUsers = [] } = body;
  const isMissing = routingAction === "assign_users" && "assignUsers" in body && assignUsers.length === 0;
  return [
    ...problem(["assignUsers"], isMissing && "expected at least one user for assign_users"),
    ...assignUsers.flatMap((user, index) =>
      problem(["assignUsers", index], directory.findUser(user) === undefined && unknownUser(user)),
    ),
  ];
}

function unknownUser(given: string): string {
  return `no user has the e-mail address "${given}"`;
}

function problem(keys: Keys, message: string | false | undefined): Problem[] {
  return message === undefined || message === false || message === "" ? [] : [{ keys, message }];
}
