import type * as v from "valibot";
import type { Problem } from "../engine/errors.ts";
import { readArguments } from "../engine/input.ts";
import type { CommandInputs, CommandResults } from "../generated/inputs.ts";
import { timedAnswer } from "../network/answer.ts";
import { conditionsSchema, faultSchema } from "../network/conditions.ts";
import { completeAnalysisSchema, createAnalysisSchema, removeAnalysisSchema } from "./analysis/analysis.ts";
import { setAvailabilitySchema, setEndpointSchema, setUserStatusSchema } from "./availability/commands.ts";
import { behaveSchema, trafficSchema } from "./behaviour/schema.ts";
import {
  addSchema,
  answerSchema,
  assignContactSchema,
  declineSchema,
  hangupSchema,
  inboundSchema,
  internalSchema,
  leaveVoicemailSchema,
  moveSchema,
  noteSchema,
  outboundSchema,
  removeRecordingSchema,
  transferSchema,
} from "./calls/commands.ts";
import { issueTokenSchema } from "./clients/commands.ts";
import {
  closeConversationSchema,
  conversationContactSchema,
  readConversationSchema,
  receiveSchema,
  sendMessageSchema,
  sendSchema,
  sendTeamMessageSchema,
} from "./conversations/commands.ts";
import {
  receiveProblems,
  sendMessageProblems,
  sendProblems,
  sendTeamMessageProblems,
} from "./conversations/problems.ts";
import { createLocationSchema, userOfLocationSchema } from "./locations/commands.ts";
import { deviateSchema, routeSchema } from "./network/commands.ts";
import { putContactsSchema, putPhonebooksSchema, removeContactSchema } from "./phonebooks/commands.ts";
import type { Platform } from "./platform.ts";
import { connectApplicationSchema, dialLinkSchema, redirectSchema } from "./redirect/commands.ts";
import { removeTeamMemberSchema, setTeamMemberSchema } from "./teams/commands.ts";
import { removeTranscriptSchema } from "./transcripts/commands.ts";
import { addTrunkEntrySchema, removeTrunkEntrySchema, updateTrunkEntrySchema } from "./trunks/commands.ts";
import { createWebhookSchema, removeWebhookSchema, updateWebhookSchema } from "./webhooks/commands.ts";
import { webhookProblems } from "./webhooks/webhook-url.ts";

/** What consumers' types need to know of a command: without what it does, or they would have the whole platform in them. */
interface CommandShape<S extends v.GenericSchema, Result> {
  /** The shape of its arguments. */
  readonly schema: S;
  /** Never there: what it returns, for the types. */
  readonly returns?: Result;
}

/** A command: the shape of its arguments, and what it does. */
interface Command<S extends v.GenericSchema, Result> extends CommandShape<S, Result> {
  act(platform: Platform, args: v.InferOutput<S>): Result;
  /** What is wrong with the arguments beside their shape: they are refused with all of it at once. */
  check?(platform: Platform, wellFormed: Partial<v.InferOutput<S>>): readonly Problem[];
}

const command = <S extends v.GenericSchema, Result>(
  schema: S,
  act: Command<S, Result>["act"],
  check?: Command<S, Result>["check"],
): CommandShape<S, Result> => {
  const made: Command<S, Result> = { schema, act, check };
  return made;
};

/**
 * Every command of the platform, by name. A handle's method, a scenario's step and a journal's entry all end here, with
 * the same arguments.
 */
export const commands = {
  inbound: command(inboundSchema, (platform, args) => platform.calls.inbound(args)),
  outbound: command(outboundSchema, (platform, args) => platform.calls.outbound(args)),
  internal: command(internalSchema, (platform, args) => platform.calls.internal(args)),
  answer: command(answerSchema, (platform, args) => platform.calls.answer(args)),
  decline: command(declineSchema, (platform, args) => platform.calls.decline(args)),
  hangup: command(hangupSchema, (platform, args) => platform.calls.hangup(args)),
  move: command(moveSchema, (platform, args) => platform.calls.move(args)),
  transfer: command(transferSchema, (platform, args) => platform.calls.transfer(args)),
  add: command(addSchema, (platform, args) => platform.calls.add(args)),
  redirect: command(redirectSchema, (platform, args) => platform.redirect.redirect(args)),
  connectApplication: command(connectApplicationSchema, (platform, args) =>
    platform.redirect.connectApplication(args),
  ),
  dialLink: command(dialLinkSchema, (platform, args) => platform.redirect.dialLink(args)),
  createAnalysis: command(createAnalysisSchema, (platform, args) => platform.analysis.create(args)),
  completeAnalysis: command(completeAnalysisSchema, (platform, args) => platform.analysis.complete(args)),
  leaveVoicemail: command(leaveVoicemailSchema, (platform, args) => platform.calls.leaveVoicemail(args)),
  sendConversationMessage: command(
    sendSchema,
    (platform, args) => platform.conversations.send(args),
    sendProblems,
  ),
  sendMessage: command(
    sendMessageSchema,
    (platform, args) => platform.conversations.sendMessage(args),
    sendMessageProblems,
  ),
  sendTeamMessage: command(
    sendTeamMessageSchema,
    (platform, args) => platform.conversations.sendTeamMessage(args),
    sendTeamMessageProblems,
  ),
  receiveMessage: command(
    receiveSchema,
    (platform, args) => platform.conversations.receive(args),
    receiveProblems,
  ),
  closeConversation: command(closeConversationSchema, (platform, args) => platform.conversations.close(args)),
  readConversation: command(readConversationSchema, (platform, args) => platform.conversations.read(args)),
  assignConversationContact: command(conversationContactSchema, (platform, args) =>
    platform.conversationContacts.assign(args),
  ),
  shareContact: command(conversationContactSchema, (platform, args) =>
    platform.conversationContacts.share(args),
  ),
  note: command(noteSchema, (platform, args) => platform.followUps.note(args)),
  assignContact: command(assignContactSchema, (platform, args) => platform.followUps.assignContact(args)),
  removeRecording: command(removeRecordingSchema, (platform, args) =>
    platform.afterCall.removeRecording(args),
  ),
  removeTranscript: command(removeTranscriptSchema, (platform, args) =>
    platform.afterCall.removeTranscript(args),
  ),
  removeAnalysis: command(removeAnalysisSchema, (platform, args) => platform.analysis.remove(args)),
  route: command(routeSchema, (platform, { url, ...answer }) =>
    platform.network.routeTo(url, timedAnswer(answer)),
  ),
  fault: command(faultSchema, (platform, args) =>
    platform.network.conditions.setFault(args, platform.engine.now),
  ),
  conditions: command(conditionsSchema, (platform, args) => platform.network.conditions.set(args)),
  deviate: command(deviateSchema, (platform, args) => platform.engine.choices.plan(args)),
  issueToken: command(issueTokenSchema, (platform, args) => platform.tokens.issue(args)),
  createWebhook: command(
    createWebhookSchema,
    (platform, args) => platform.webhooks.create(args),
    webhookProblems,
  ),
  updateWebhook: command(
    updateWebhookSchema,
    (platform, args) => platform.webhooks.update(args),
    webhookProblems,
  ),
  removeWebhook: command(removeWebhookSchema, (platform, args) => platform.webhooks.remove(args)),
  setTeamMember: command(setTeamMemberSchema, (platform, args) => platform.teams.setMember(args)),
  removeTeamMember: command(removeTeamMemberSchema, (platform, args) => platform.teams.removeMember(args)),
  setAvailability: command(setAvailabilitySchema, (platform, args) =>
    platform.availability.setAvailability(args),
  ),
  setEndpoint: command(setEndpointSchema, (platform, args) => platform.availability.setEndpoint(args)),
  behave: command(behaveSchema, (platform, args) => platform.behaviours.behave(args)),
  traffic: command(trafficSchema, (platform, args) => platform.traffic.begin(args)),
  setUserStatus: command(setUserStatusSchema, (platform, args) => platform.availability.setUserStatus(args)),
  createLocation: command(createLocationSchema, (platform, args) => platform.locations.create(args)),
  addUserToLocation: command(userOfLocationSchema, (platform, args) => platform.locations.addUser(args)),
  removeUserFromLocation: command(userOfLocationSchema, (platform, args) =>
    platform.locations.removeUser(args),
  ),
  putPhonebooks: command(putPhonebooksSchema, (platform, args) => platform.phonebooks.put(args)),
  putContacts: command(putContactsSchema, (platform, args) => platform.phonebooks.putContacts(args)),
  removeContact: command(removeContactSchema, (platform, args) => platform.phonebooks.removeContact(args)),
  addTrunkEntry: command(addTrunkEntrySchema, (platform, args) => platform.trunks.add(args)),
  updateTrunkEntry: command(updateTrunkEntrySchema, (platform, args) => platform.trunks.update(args)),
  removeTrunkEntry: command(removeTrunkEntrySchema, (platform, args) => platform.trunks.remove(args)),
} as const;

/** The names of all commands, as `sim.command`, scenarios and journals use them. */
export type CommandName = keyof CommandInputs;
/** The arguments of a command: what its method takes, and what a scenario's step holds. */
export type CommandInput<Name extends CommandName> = CommandInputs[Name];
/** The arguments of a command as its schema read them. */
export type CommandArguments<Name extends CommandName> = v.InferOutput<(typeof commands)[Name]["schema"]>;
/** What a command returns: the id of what it makes, else nothing. */
export type CommandResult<Name extends CommandName> = CommandResults[Name];

/**
 * Runs a command as a step of the engine.
 * @throws {CommandError} when its arguments are wrong or the state does not allow it; nothing was changed.
 */
export function runCommand<Name extends CommandName>(
  platform: Platform,
  name: Name,
  input: CommandInput<Name>,
): CommandResult<Name> {
  const { schema, check } = commandOf<Name>(name);
  const args = readArguments(name, schema, input, check && ((wellFormed) => check(platform, wellFormed)));
  return runRead(platform, name, args as CommandArguments<Name>);
}

/**
 * Runs a command with arguments that its schema and its check have read already.
 * @throws {CommandError} when the state does not allow it; nothing was changed.
 */
export function runRead<Name extends CommandName>(
  platform: Platform,
  name: Name,
  args: CommandArguments<Name>,
): CommandResult<Name> {
  return platform.engine.command(name, args, () => commandOf<Name>(name).act(platform, args));
}

function commandOf<Name extends CommandName>(name: Name): Command<v.GenericSchema, CommandResult<Name>> {
  return commands[name] as unknown as Command<v.GenericSchema, CommandResult<Name>>;
}
