import type { Moment, OptionalMoment } from "./moments.ts";

/** Why the platform sends a request. */
export type RequestPurpose =
  | "outboundCall"
  | "callInsights"
  | "teamCall"
  | "inboundConversations"
  | "return"
  | "webhook";

/** What a request says, each part made when someone reads it: most are never looked at. Frozen. */
export interface RequestContent {
  headers(): Readonly<Record<string, string>>;
  body(): string;
}

/** What a request says whose headers are known from the start. @param makeBody called once, when the body is first read */
export function contentOf(headers: Readonly<Record<string, string>>, makeBody: () => string): RequestContent {
  let body: string | undefined;
  return Object.freeze({
    headers: () => headers,
    body: () => {
      body ??= makeBody();
      return body;
    },
  });
}

/** A request that the platform sent to an endpoint outside, from when it was sent to when it was over. */
export interface RequestRecord extends Moment<"started">, OptionalMoment<"ended"> {
  readonly id: string;
  readonly to: string;
  readonly method: "GET" | "POST";
  readonly why: RequestPurpose;
  /** The record that it is about: a call, a conversation, a delivery. */
  readonly recordId: string;
  /** What it is about in words: the type of an event, and which attempt it is. */
  readonly subject: string;
  readonly content: RequestContent;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  /** Why it came to nothing: `timeout`, `refused`, `lost`, `status 500`, or what is wrong with the answer. */
  readonly failure: string | null;
  /** Why a real endpoint could not be asked, in words: its certificate, its name, a reset connection. */
  readonly failureReason: string | null;
  /** No route was for it, and the network accepted it by itself. */
  readonly isUnrouted: boolean;
  /** It is the second arrival of this request: the network doubled it. */
  readonly duplicateOf: string | null;
  /** What the sender wants back with the answer. */
  readonly context: string | null;
}
