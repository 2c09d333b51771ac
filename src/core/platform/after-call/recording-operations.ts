import type { CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import { callParameter, closedCalls } from "../calls/operations.ts";
import { recording } from "../calls/record.ts";
import { done, type Operation, ok, operationsWith, type Tag } from "../declare/operation.ts";
import { nothing } from "../declare/wire-schemas.ts";
import type { AfterCall } from "./after-call.ts";

export interface Needs extends CoreServices {
  readonly afterCall: AfterCall;
  readonly callRecords: CallRecords;
}

const operation = operationsWith<Needs>();

const tag: Tag = { name: "Recordings", description: "Recordings of calls" };
const params: Operation<Needs>["params"] = {
  callId: {
    ...callParameter,
    candidates: (platform) => closedCalls(platform).filter(({ recordings }) => recordings.length > 0),
  },
  recordingId: {
    description: "The recording's id.",
    example: "recording-1",
    candidates: ({ callRecords }, { callId = "" }) => callRecords.find(callId).recordings,
  },
};

export const recordingOperations = [
  operation({
    method: "get",
    path: "/call/{callId}/recordings/{recordingId}",
    id: "getRecording",
    tag,
    summary: "Read a recording",
    description: "The recording's size, type, channels and, once there is one, its transcript.",
    params,
    answers: { 200: recording },
    handle: ({ platform, params: { callId = "", recordingId = "" } }) =>
      ok(platform.afterCall.recording(callId, recordingId)),
  }),
  operation({
    method: "delete",
    path: "/call/{callId}/recordings/{recordingId}",
    id: "deleteRecording",
    tag,
    summary: "Delete a recording",
    description: "Its transcript stays; without one there will be none.",
    params,
    commands: ["removeRecording"],
    answers: { 200: nothing },
    handle({ platform, params: { callId = "", recordingId = "" } }) {
      platform.command("removeRecording", { call: callId, recording: recordingId });
      return done;
    },
  }),
];
