import type { CallRecord } from "../../records/call.ts";
import { contentAnalysis } from "../analysis/record.ts";
import { analysisTag } from "../analysis/tag.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import { ok, okPage, operationsWith, type PathParameter, type Tag } from "../declare/operation.ts";
import { listPage, pagingQuery, singlePage } from "../declare/paging.ts";
import { queryChoice, queryContactNumber, queryTimestamp } from "../declare/query.ts";
import { defineList } from "../declare/wire-schemas.ts";
import { publicRecord } from "./call-handle.ts";
import { call } from "./record.ts";

export interface Needs extends CoreServices {
  readonly callRecords: CallRecords;
}

const operation = operationsWith<Needs>();

const tag: Tag = { name: "Calls", description: "Calls that have ended" };

export const callParameter: PathParameter<CoreServices> = {
  description: "The call's id.",
  example: "call-1",
  candidates: closedCalls,
};

export function closedCalls({ tables }: CoreServices): CallRecord[] {
  return [...tables.calls].filter(({ endedAt }) => endedAt !== null);
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
      sortOrder: queryChoice("By start: oldest first, or newest first.", ["asc", "desc"], {
        ascending: "asc",
        descending: "desc",
      }),
      contactNumber: queryContactNumber(
        "Only calls with this `contactNumber`: E.164, a short code, or the extension of an internal call; a plus is written %2B in a query.",
      ),
    },
    answers: { 200: defineList("calls", call) },
    example: { query: { limit: 1, sortOrder: "desc" } },
    handle(request) {
      const { before, since, modified, sortOrder, contactNumber } = request.query;
      const page = listPage(request, request.platform.tables.calls, {
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
    params: { id: callParameter },
    answers: { 200: call },
    handle: ({ platform, params: { id = "" } }) => ok(publicRecord(platform.callRecords.find(id))),
  }),
  operation({
    method: "get",
    path: "/calls/{id}/contentAnalysis",
    id: "listCallContentAnalysis",
    tag: analysisTag,
    summary: "List the content analyses of a call's recordings",
    description: "The jobs that the service made of the call's recordings, oldest first.",
    params: { id: callParameter },
    answers: { 200: defineList("contentAnalysis", contentAnalysis) },
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
];
