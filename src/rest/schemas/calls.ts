import * as v from "valibot";
import { anyObject } from "../../engine/input.ts";
import type { PublicCallRecord } from "../../platform/calls/call-handle.ts";
import type { AnalysisRecord } from "../../records/analysis.ts";
import type { CallRecord, Recording } from "../../records/call.ts";
import type { TranscriptRecord, TranscriptSegment } from "../../records/transcript.ts";
import {
  integer,
  moment,
  named,
  nullableText,
  optionalMoment,
  passthroughParameters,
  text,
  texts,
} from "./common.ts";
import { entryReferenceSchema, locationSchema, userReferenceSchema } from "./directory.ts";

type Describes<T> = v.GenericSchema<unknown, T>;
const { nullable, optional, picklist } = v;

const dial = named(
  "Dial",
  v.strictObject({
    reason: picklist(["direct", "teamOffer", "redirect", "transfer", "conference", "outbound"]),
    endpoint: text,
    ...moment("started"),
    ...optionalMoment("ended"),
    outcome: nullable(
      picklist(["answered", "answeredElsewhere", "timeout", "declined", "withdrawn", "failed"]),
    ),
    vendorCallIds: texts,
  }),
);

export const partySchema = named(
  "Party",
  v.strictObject({
    id: text,
    type: picklist(["external", "user", "device", "voicemail"]),
    isInternal: v.boolean(),
    displayName: text,
    entryId: optional(text),
    phoneNumber: optional(text),
    extension: optional(text),
    email: optional(text),
    timezone: optional(text),
    manager: optional(nullable(userReferenceSchema)),
    location: optional(nullable(locationSchema)),
    tariff: nullable(
      v.strictObject({
        currency: text,
        prefix: text,
        perMinute: v.number(),
        duration: integer,
        amount: v.number(),
      }),
    ),
    dials: v.array(dial),
  }),
);

export const recordingSchema = named(
  "Recording",
  v.strictObject({
    id: text,
    callId: text,
    fileSize: integer,
    mimeType: text,
    channels: integer,
    transcript: nullableText,
  }),
) satisfies Describes<Recording>;

const note = v.strictObject({
  id: text,
  text,
  author: v.strictObject({ userId: text, email: text, displayName: text }),
  ...moment("created"),
});

const voicemail = v.strictObject({
  id: text,
  duration: integer,
  durationText: text,
  recordingUrl: text,
  recordingUrlExpiresTimestamp: integer,
  transcription: nullableText,
});

const callEntries = {
  id: text,
  direction: picklist(["inbound", "outbound"]),
  isInternal: v.boolean(),
  isConference: v.boolean(),
  status: picklist(["started", "offered", "accepted", "ended", "missed", "abandoned", "blocked"]),
  outcome: nullable(
    v.strictObject({
      status: picklist(["answered", "missed", "abandoned", "unanswered", "blocked"]),
      reason: nullableText,
    }),
  ),
  contactNumber: text,
  companyNumber: text,
  initiator: text,
  recipient: text,
  ...moment("started"),
  ...optionalMoment("answered"),
  ...optionalMoment("ended"),
  ...moment("lastModified"),
  duration: nullable(integer),
  durationText: nullableText,
  waitTime: nullable(integer),
  waitTimeText: nullableText,
  vendor: text,
  vendorCallId: text,
  directoryTarget: optional(entryReferenceSchema),
  assignedCallGroup: optional(nullable(entryReferenceSchema)),
  assignedUser: nullable(
    v.strictObject({
      ...{ id: text, type: text, displayName: text, extension: text, email: nullableText },
      manager: nullable(userReferenceSchema),
      location: nullable(locationSchema),
    }),
  ),
  parties: v.array(partySchema),
  connections: v.array(
    v.strictObject({
      partyId: text,
      endpoint: nullableText,
      ...moment("joined"),
      ...optionalMoment("left"),
    }),
  ),
  recordings: v.array(recordingSchema),
  voicemail: nullable(voicemail),
  notes: v.array(note),
  summary: v.strictObject({
    header: text,
    contactNumberDescription: text,
    companyNumberDescription: text,
    outcome: text,
  }),
  tariff: nullable(v.strictObject({ currency: text, amount: v.number() })),
  passthroughParameters,
};

export const callSchema = named("Call", v.strictObject(callEntries)) satisfies Describes<PublicCallRecord>;

/** As in events, where it names its organisation. */
export const eventCallSchema = named(
  "EventCall",
  v.strictObject({ ...callEntries, organisationId: text }),
) satisfies Describes<CallRecord>;

export const transcriptSchema = named(
  "Transcript",
  v.strictObject({ id: text, callId: text, recordingId: text, text, ...moment("created") }),
) satisfies Describes<TranscriptRecord>;

export const segmentSchema = named(
  "TranscriptSegment",
  v.strictObject({
    type: picklist(["JOIN", "LEAVE", "SPEECH"]),
    speaker: text,
    text,
    startOffset: integer,
    endOffset: integer,
  }),
) satisfies Describes<TranscriptSegment>;

export const analysisSchema = named(
  "ContentAnalysis",
  v.strictObject({
    id: text,
    analyzer: text,
    status: picklist(["pending", "completed"]),
    callId: nullableText,
    content: v.union([
      v.strictObject({
        recordings: v.array(v.strictObject({ id: text, transcriptionModel: nullableText })),
      }),
      v.strictObject({ agent: userReferenceSchema, contentAnalysis: v.array(v.strictObject({ id: text })) }),
    ]),
    artifacts: v.array(
      v.strictObject({
        type: text,
        content: text,
        usage: v.strictObject({ inputTokens: integer, outputTokens: integer }),
      }),
    ),
    passthroughParameters: anyObject(),
    ...moment("created"),
    ...optionalMoment("completed"),
  }),
) satisfies Describes<AnalysisRecord>;
