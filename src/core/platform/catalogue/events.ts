import * as v from "valibot";
import { dateField, deprecated, many, one, text } from "../../records/fields.ts";
import { transcript as transcriptRecord } from "../after-call/record.ts";
import { contentAnalysis } from "../analysis/record.ts";
import { eventCall, party, recording } from "../calls/record.ts";
import {
  conversationParticipant,
  conversation as conversationRecord,
  message,
  participant,
} from "../conversations/record.ts";
import { team, user } from "../directory/record.ts";
import { contact as contactRecord } from "../phonebooks/record.ts";

const call = one(eventCall, "The call as it was at that instant.");
const conversation = one(conversationRecord, "The conversation as it was at that instant.");
const transcript = one(transcriptRecord, "The transcript.");

function data<const E extends v.ObjectEntries>(description: string, fields: E) {
  return v.pipe(v.strictObject(fields), v.description(description));
}

const contactOfCall = {
  call,
  contact: one(contactRecord, "The contact who the outside party is."),
};
const replaced = "`contact.shared` replaces it, which it follows.";

/** The schema of each event type's `data`. This is the list of all events. */
export const eventData = {
  "call.started": data("A call begins.", { call }),
  "call.answered": data("Somebody answers a call, the first to do so.", { call }),
  "call.not_answered": data("Nobody answers a call, and no further offer will be made.", { call }),
  "call.hungup": data("A party leaves a call.", { call, party: one(party, "The party that left.") }),
  "call.ended": data("A call that anyone joined, or that was blocked, is over.", { call }),
  "call.recording.available": data("A recording of a call is ready.", {
    call,
    recording: one(recording, "The recording."),
  }),
  "call.transcript.created": data("A transcript of a call's recording is ready.", { call, transcript }),
  "call.transcription_completed": data("All transcripts of a call are ready.", {
    call,
    transcripts: many(transcriptRecord, "The transcripts of the call."),
  }),
  "call.tariffed": data("The cost of a call is known.", { call }),
  "call.contact_assigned_with_add": deprecated(
    replaced,
    data("A call's outside party was made a new contact.", contactOfCall),
  ),
  "call.contact_assigned_with_update": deprecated(
    replaced,
    data("A call's outside party is a known contact.", contactOfCall),
  ),
  "contact.shared": data("A contact is shared with those who take part in a call or a conversation.", {
    contact: one(contactRecord, "The contact."),
    participants: many(
      v.union([participant, conversationParticipant]),
      "Those who take part in the call or the conversation.",
    ),
    channel: text("`call`, or the channel of a conversation."),
  }),
  "conversation.message.created": data("A message was sent or received.", {
    conversation,
    message: one(message, "The message."),
  }),
  "conversation.inactive": data("Nobody has written in a conversation for a while.", { conversation }),
  "conversation.closed": data("A conversation is over.", { conversation }),
  "conversation.contact_assigned": data("A conversation's outside party is a known contact.", {
    conversation,
    contact: one(contactRecord, "The contact who the outside party is."),
  }),
  "content_analysis.completed": data("A content analysis job is done.", {
    contentAnalysis: one(contentAnalysis, "The job with what it found."),
  }),
  "user.availability.updated": data("The availability of a user changed.", {
    user: one(user, "The user as they are from that instant on."),
  }),
  "team.availability.updated": data("The availability of a team's members changed.", {
    team: one(team, "The team as it is from that instant on."),
  }),
  "transcript.created": data("A transcript is ready.", { transcript }),
};

/** The schema of an event's wrapper, as it is delivered and listed. */
export function eventSchema<const T extends string>(type: T, data: v.GenericSchema) {
  return v.strictObject({
    id: text("The event's id, the same on every attempt to deliver it."),
    type: v.pipe(v.literal(type), v.description("The type of the event.")),
    ...dateField("created", "When it happened"),
    organisationId: text("The organisation that it happened in."),
    data,
  });
}
