import * as v from "valibot";
import type { EventType } from "../../platform/events.ts";
import { analysisSchema, eventCallSchema, partySchema, recordingSchema, transcriptSchema } from "./calls.ts";
import { moment, text } from "./common.ts";
import { teamSchema, userSchema } from "./directory.ts";
import { conversationSchema, messageSchema, sharedWithSchema } from "./messages.ts";
import { contactSchema } from "./others.ts";

const call = eventCallSchema;
const conversation = conversationSchema;
const contact = contactSchema;

/** What each event carries in `data`. */
const dataEntries: Readonly<Record<EventType, v.ObjectEntries>> = {
  "call.started": { call },
  "call.answered": { call },
  "call.not_answered": { call },
  "call.hungup": { call, party: partySchema },
  "call.ended": { call },
  "call.recording.available": { call, recording: recordingSchema },
  "call.transcript.created": { call, transcript: transcriptSchema },
  "call.transcription_completed": { call, transcripts: v.array(transcriptSchema) },
  "call.tariffed": { call },
  "call.contact_assigned_with_add": { call, contact },
  "call.contact_assigned_with_update": { call, contact },
  "contact.shared": { contact, participants: sharedWithSchema, channel: text },
  "conversation.message.created": { conversation, message: messageSchema },
  "conversation.inactive": { conversation },
  "conversation.closed": { conversation },
  "conversation.contact_assigned": { conversation, contact },
  "content_analysis.completed": { contentAnalysis: analysisSchema },
  "user.availability.updated": { user: userSchema },
  "team.availability.updated": { team: teamSchema },
  "transcript.created": { transcript: transcriptSchema },
};

/** The wrapper of an event of each type, as it is delivered. */
export const eventSchemas = Object.entries(dataEntries).map(([type, data]) => ({
  type: type as EventType,
  schema: v.strictObject({
    id: text,
    type: v.literal(type),
    ...moment("created"),
    organisationId: text,
    data: v.strictObject(data),
  }),
}));
