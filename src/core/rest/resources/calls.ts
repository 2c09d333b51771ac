import type { PublicCallRecord } from "../../generated/records.ts";
import { publicRecord } from "../../platform/calls/call-handle.ts";
import { call, recording } from "../../records/schemas/call.ts";
import { contentAnalysis } from "../../records/schemas/transcript.ts";
import type { ExampleSimulator } from "../openapi/example-simulator.ts";
import { done, type Operation, ok, okPage, operation, type Tag } from "../operation.ts";
import { pageOf, pagingQuery, singlePage } from "../paging.ts";
import { queryContactNumber, queryOneOf, queryTimestamp } from "../query.ts";
import { listOf, nothing } from "../schemas.ts";
import { contentAnalysisTag } from "./analysis.ts";

const tag: Tag = { name: "Calls", description: "Calls that have ended" };
const recordingsTag: Tag = { name: "Recordings", description: "Recordings of calls" };
const params: Operation["params"] = {
  id: { description: "The call's id.", example: "call-1", candidates: closedCalls },
};
const recordingParams: Operation["params"] = {
  callId: {
    description: "The call's id.",
    example: "call-1",
    candidates: (sim) => closedCalls(sim).filter(({ recordings }) => recordings.length > 0),
  },
  recordingId: {
    description: "The recording's id.",
    example: "recording-1",
    candidates: (sim, { callId = "" }) => sim.calls.get(callId).record.recordings,
  },
};

function closedCalls({ calls }: ExampleSimulator): PublicCallRecord[] {
  return calls.list().flatMap(({ record }) => (record.endedAt === null ? [] : [record]));
}

export const callOperations = [
  operation({
    method: "get",
    path: "/calls",
    id: "listCalls",
    tag,
    summary: "List calls that have ended",
    description:
      "Only calls that are over. Oldest first unless `sortOrder` says otherwise; the filters combine.",
    query: {
      ...pagingQuery,
      before: queryTimestamp("Only calls that started before this instant, ms since the epoch."),
      since: queryTimestamp("Only calls that started at this instant or later, ms since the epoch."),
      modified: queryTimestamp(
        "Only calls that were created or modified at this instant or later, ms since the epoch. A call comes again after later changes.",
      ),
      sortOrder: queryOneOf("By start: oldest first, or newest first.", ["asc", "desc"], {
        ascending: "asc",
        descending: "desc",
      }),
      contactNumber: queryContactNumber(
        "Only calls with this `contactNumber`: E.164, a short code, or the extension of an internal call; a plus is written %2B in a query.",
      ),
    },
    answers: { 200: listOf("calls", call) },
    example: { query: { limit: 1, sortOrder: "desc" } },
    handle(request) {
      const { before, since, modified, sortOrder, contactNumber } = request.query;
      const page = pageOf(request, request.platform.tables.calls, {
        direction: sortOrder === "asc" ? 1 : -1,
        isListed: (call) =>
          call.outcome !== null &&
          (before === undefined || call.startedTimestamp < before) &&
          (since === undefined || call.startedTimestamp >= since) &&
          (modified === undefined || call.lastModifiedTimestamp >= modified) &&
          (contactNumber === undefined || call.contactNumber === contactNumber),
      });
      return okPage("calls", { ...page, items: page.items.map(publicRecord) });
    },
  }),
  operation({
    method: "get",
    path: "/calls/{id}",
    id: "getCall",
    tag,
    summary: "Read a call, ended or not",
    description:
      "The record as it stands now. It changes until the call is over, and again when a recording, a transcript, a tariff, a note or a contact follows.",
    params,
    answers: { 200: call },
    handle: ({ platform, params: { id = "" } }) => ok(publicRecord(platform.callRecords.find(id))),
  }),
  operation({
    method: "get",
    path: "/calls/{id}/contentAnalysis",
    id: "listCallContentAnalysis",
    tag: contentAnalysisTag,
    summary: "List the content analyses of a call's recordings",
    description: "The jobs that the service made of the call's recordings, oldest first.",
    params,
    answers: { 200: listOf("contentAnalysis", contentAnalysis) },
    handle({ platform, params: { id = "" } }) {
      const call = platform.callRecords.find(id);
      const recordings = new Set(call.recordings.map((recording) => recording.id));
      const isOfCall = [...platform.tables.analysis].filter(
        ({ callId, content }) =>
          callId === call.id ||
          ("recordings" in content && content.recordings.some((each) => recordings.has(each.id))),
      );
      return okPage("contentAnalysis", singlePage(isOfCall));
    },
  }),
  operation({
    method: "get",
    path: "/call/{callId}/recordings/{recordingId}",
    id: "getRecording",
    tag: recordingsTag,
    summary: "Read a recording",
    description: "The recording's size, type, channels and, once there is one, its transcript.",
    params: recordingParams,
    answers: { 200: recording },
    handle: ({ platform, params: { callId = "", recordingId = "" } }) =>
      ok(platform.afterCall.recording(callId, recordingId)),
  }),
  operation({
    method: "delete",
    path: "/call/{callId}/recordings/{recordingId}",
    id: "deleteRecording",
    tag: recordingsTag,
    summary: "Delete a recording",
    description: "Its transcript stays; without one there will be none.",
    params: recordingParams,
    commands: ["removeRecording"],
    answers: { 200: nothing },
    handle({ platform, params: { callId = "", recordingId = "" } }) {
      platform.command("removeRecording", { call: callId, recording: recordingId });
      return done;
    },
  }),
];
