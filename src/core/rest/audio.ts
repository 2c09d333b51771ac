import { iso } from "../foundation/instants.ts";
import { audioBytes, silence } from "../platform/after-call/audio.ts";
import type { Services } from "../platform/catalogue/services.ts";
import { RestError } from "../platform/declare/rest-errors.ts";
import type { CallRecord } from "../records/call.ts";

const audioPath = /^\/call\/([^/]+)\/recordings\/([^/]+)\.mp3$/;

/** The call and the recording of a path to audio; undefined for any other path. */
export function audioAt(pathname: string): { callId: string; recordingId: string } | undefined {
  const [, callId, recordingId] = audioPath.exec(pathname) ?? [];
  return callId === undefined || recordingId === undefined ? undefined : { callId, recordingId };
}

/**
 * `GET /call/{callId}/recordings/{recordingId}.mp3`, the target of a `recordingUrl`. Answers silence of the recording's
 * length, without a token: a voicemail's e-mail contains only the URL. A voicemail's URL expires.
 */
export function answerAudio(
  platform: Services,
  { method }: Request,
  { callId, recordingId }: { callId: string; recordingId: string },
): Response {
  if (method !== "GET" && method !== "HEAD")
    throw new RestError("method_not_allowed", `the audio of a recording does not take ${method}`, {
      headers: { allow: "GET, HEAD" },
    });
  const call = platform.callRecords.find(callId);
  mustBeValid(platform, call, recordingId);
  const { fileSize, channels } = measureSize(platform, call, recordingId);
  const headers = { "content-type": "audio/mpeg", "content-length": String(fileSize) };
  return new Response(method === "HEAD" ? null : makeStream(silence(fileSize, channels)), { headers });
}

function mustBeValid({ engine }: Services, { voicemail }: CallRecord, recordingId: string): void {
  if (voicemail?.id !== recordingId || engine.now < voicemail.recordingUrlExpiresTimestamp) return;
  const expired = iso(voicemail.recordingUrlExpiresTimestamp);
  throw new RestError("forbidden", `the URL of this recording expired at ${expired}`);
}

/** A voicemail's URL works as soon as the message is left, before the recording is listed. */
function measureSize(platform: Services, call: CallRecord, recordingId: string) {
  const { voicemail, recordings, endedTimestamp } = call;
  const isToCome =
    voicemail?.id === recordingId &&
    platform.engine.now <
      (endedTimestamp ?? Number.POSITIVE_INFINITY) + platform.settings.timing.recordingAvailable &&
    recordings.every(({ id }) => id !== recordingId);
  if (isToCome) return { fileSize: audioBytes(voicemail.duration * 1000, 1), channels: 1 };
  return platform.afterCall.recording(call.id, recordingId);
}

function makeStream(chunks: Iterator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}
