import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { ExampleSetup } from "../declare/example-setup.ts";

/** What happens before the example of a command. */
export type Before = ExampleSetup<CoreServices>;

export const anEndpoint = "https://crm.example.test/";
export const aCustomer = "+6421555001";
export const numberOfAlice = "+6495550100";

/** A call that rings at Alice's. @returns its id */
export function ringingCall(before: Before): string {
  return before.command("inbound", { from: aCustomer, to: numberOfAlice });
}

/** A call on which Alice talks with a customer. @returns its id */
export function answeredCall(before: Before): string {
  const call = ringingCall(before);
  before.command("answer", { call, by: "alice", endpoint: "desktop" });
  return call;
}

/** A call that is over, with a recording and a transcript. */
export function recordedCall(before: Before) {
  const call = answeredCall(before);
  before.advance("PT30S");
  before.command("hangup", { call, by: "caller" });
  before.runUntilIdle();
  const { recordings, transcripts } = before.services.tables;
  const [[recording], [transcript]] = [[...recordings], [...transcripts]];
  if (recording === undefined || transcript === undefined) throw new Error(`call ${call} was not recorded`);
  return { call, recording: recording.id, transcript: transcript.id };
}

/** A job of content analysis. */
export function analysisJob(before: Before): CommandInput<"createAnalysis"> {
  return { analyzer: "summary", content: { recordings: [{ id: recordedCall(before).recording }] } };
}

/** A webhook for all events. @returns its id */
export function aWebhook(before: Before): string {
  return before.command("createWebhook", { url: anEndpoint, events: ["*"] });
}

/** A conversation of Alice with a customer. @returns its id */
export function aConversation(before: Before): string {
  return before.command("receiveMessage", { from: aCustomer, to: numberOfAlice, text: "Hello" })
    .conversationId;
}
