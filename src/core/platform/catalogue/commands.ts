import { removeRecording } from "../after-call/commands/remove-recording.ts";
import { removeTranscript } from "../after-call/commands/remove-transcript.ts";
import { completeAnalysis } from "../analysis/commands/complete-analysis.ts";
import { createAnalysis } from "../analysis/commands/create-analysis.ts";
import { removeAnalysis } from "../analysis/commands/remove-analysis.ts";
import { setAvailability } from "../availability/commands/set-availability.ts";
import { setEndpoint } from "../availability/commands/set-endpoint.ts";
import { setUserStatus } from "../availability/commands/set-user-status.ts";
import { wrapUp } from "../availability/commands/wrap-up.ts";
import { add } from "../calls/commands/add.ts";
import { answer } from "../calls/commands/answer.ts";
import { assignContact } from "../calls/commands/assign-contact.ts";
import { decline } from "../calls/commands/decline.ts";
import { hangup } from "../calls/commands/hangup.ts";
import { inbound } from "../calls/commands/inbound.ts";
import { internal } from "../calls/commands/internal.ts";
import { move } from "../calls/commands/move.ts";
import { note } from "../calls/commands/note.ts";
import { outbound } from "../calls/commands/outbound.ts";
import { transfer } from "../calls/commands/transfer.ts";
import { expireTokens } from "../clients/commands/expire-tokens.ts";
import { issueToken } from "../clients/commands/issue-token.ts";
import { assignConversationContact } from "../conversations/commands/assign-conversation-contact.ts";
import { closeConversation } from "../conversations/commands/close-conversation.ts";
import { readConversation } from "../conversations/commands/read-conversation.ts";
import { receiveMessage } from "../conversations/commands/receive-message.ts";
import { sendConversationMessage } from "../conversations/commands/send-conversation-message.ts";
import { sendMessage } from "../conversations/commands/send-message.ts";
import { sendTeamMessage } from "../conversations/commands/send-team-message.ts";
import { shareContact } from "../conversations/commands/share-contact.ts";
import type { AnyCommand } from "../declare/any-command.ts";
import type { RecordGuard } from "../declare/record-guards.ts";
import { takeBack } from "../flows/commands/take-back.ts";
import { takeBackCall } from "../flows/commands/take-back-call.ts";
import type { CallGuard } from "../guards/call-guards.ts";
import { addUserToLocation } from "../locations/commands/add-user-to-location.ts";
import { createLocation } from "../locations/commands/create-location.ts";
import { removeUserFromLocation } from "../locations/commands/remove-user-from-location.ts";
import { conditions } from "../network/commands/conditions.ts";
import { deviate } from "../network/commands/deviate.ts";
import { fault } from "../network/commands/fault.ts";
import { route } from "../network/commands/route.ts";
import { behave } from "../people/commands/behave.ts";
import { putContacts } from "../phonebooks/commands/put-contacts.ts";
import { putPhonebooks } from "../phonebooks/commands/put-phonebooks.ts";
import { removeContact } from "../phonebooks/commands/remove-contact.ts";
import { connectApplication } from "../redirect/commands/connect-application.ts";
import { dialLink } from "../redirect/commands/dial-link.ts";
import { redirect } from "../redirect/commands/redirect.ts";
import { restAsked } from "../rest-traffic/commands/rest-asked.ts";
import { restFault } from "../rest-traffic/commands/rest-fault.ts";
import { restServed } from "../rest-traffic/commands/rest-served.ts";
import { removeTeamMember } from "../teams/commands/remove-team-member.ts";
import { setTeamMember } from "../teams/commands/set-team-member.ts";
import { traffic } from "../traffic/commands/traffic.ts";
import { addTrunkEntry } from "../trunks/commands/add-trunk-entry.ts";
import { removeTrunkEntry } from "../trunks/commands/remove-trunk-entry.ts";
import { updateTrunkEntry } from "../trunks/commands/update-trunk-entry.ts";
import { leaveVoicemail } from "../voicemail/commands/leave-voicemail.ts";
import { createWebhook } from "../webhooks/commands/create-webhook.ts";
import { removeWebhook } from "../webhooks/commands/remove-webhook.ts";
import { updateWebhook } from "../webhooks/commands/update-webhook.ts";
import type { Services } from "./services.ts";

/** A command that these services can run. */
interface RunnableBy<All> extends AnyCommand {
  readonly guard?: CallGuard | RecordGuard<All, never, unknown> | undefined;
  run(services: All, args: never, granted: never): unknown;
}

/**
 * Every command of the platform, by name. Methods, scenario steps and journal entries all run these, with the same
 * arguments. Lists of commands have this order.
 */
export const commands = {
  route,
  fault,
  deviate,
  conditions,
  putPhonebooks,
  putContacts,
  removeContact,
  issueToken,
  expireTokens,
  restFault,
  restAsked,
  restServed,
  behave,
  setAvailability,
  setEndpoint,
  setUserStatus,
  wrapUp,
  setTeamMember,
  removeTeamMember,
  inbound,
  outbound,
  internal,
  answer,
  decline,
  hangup,
  move,
  transfer,
  add,
  note,
  assignContact,
  leaveVoicemail,
  redirect,
  connectApplication,
  dialLink,
  takeBack,
  takeBackCall,
  removeRecording,
  removeTranscript,
  createAnalysis,
  completeAnalysis,
  removeAnalysis,
  sendConversationMessage,
  sendMessage,
  sendTeamMessage,
  receiveMessage,
  closeConversation,
  readConversation,
  assignConversationContact,
  shareContact,
  createWebhook,
  updateWebhook,
  removeWebhook,
  createLocation,
  addUserToLocation,
  removeUserFromLocation,
  addTrunkEntry,
  updateTrunkEntry,
  removeTrunkEntry,
  traffic,
} as const satisfies Readonly<Record<string, RunnableBy<Services>>>;
