import { printable } from "../core/foundation/printable.ts";
import { endpointUrlProblem } from "../core/network/endpoint-url.ts";
import { defaultTiming } from "../core/platform/parts/parts.ts";
import { stopwatch } from "./clock.ts";

/** How long the platform waits for an answer by default, ms. */
const LIMIT_MS = defaultTiming.endpointTimeout;
const TOO_LATE = `no answer within ${LIMIT_MS / 1_000} s`;

/** An app's answer to one request, or why there is none. */
export interface AppAnswer {
  /** Null if there was no answer. */
  readonly status: number | null;
  /** The beginning of the body in one line. */
  readonly excerpt: string;
  /** Why there is no answer, in words; undefined if there is one. */
  readonly failure: string | undefined;
  /** False if the request did not arrive, because of the name, the port or the certificate. */
  readonly isReached: boolean;
  /** How long it took, ms. */
  readonly tookMs: number;
}

/** Sends one signed event. */
export type Send = (body: string, headers: Readonly<Record<string, string>>) => Promise<AppAnswer>;

/** What is wrong with the address of an app; undefined if webhooks may be sent there, such as to this machine. */
export function addressProblem(text: string): string | undefined {
  const problem = endpointUrlProblem(text, true);
  if (problem === undefined) return undefined;
  // a bare word may be anything
  const isHost = /^[\w[].*[.:/]|^localhost$/.test(text) && !text.includes("://");
  const withScheme = isHost ? `http://${text}` : "";
  const meant = endpointUrlProblem(withScheme, true) === undefined ? `; did you mean ${withScheme}?` : "";
  return `${problem}; http is for this machine and private hosts${meant}`;
}

/** What is wrong with a signing secret. */
export const EMPTY_SECRET = "expected the webhook's signing secret, got an empty text";

/** Sends requests to an app in real time, as the platform does: redirects are not followed. */
export async function senderTo(url: string): Promise<Send> {
  // loaded here, because few commands send
  const { outboundSender: outbound } = await import("./outbound.ts");
  const never = new AbortController().signal;
  const post = outbound({
    limitMs: LIMIT_MS,
    allowsLocal: true,
    closing: never,
    interrupted: () => never,
  });
  return async (body, headers) => {
    const elapsedMs = stopwatch();
    const result = (await post({ url, method: "POST", headers, body })) as SentResult;
    const tookMs = Math.round(elapsedMs());
    const { status = null, failure, reason = failure } = result;
    const why = failure === "timeout" ? TOO_LATE : reason;
    return {
      status,
      excerpt: excerptOf(result.body ?? ""),
      failure: why,
      isReached: failure !== "refused" || /^the (connection was reset|answer)/.test(reason ?? ""),
      tookMs,
    };
  };
}

/** What `outbound` resolves with. */
interface SentResult {
  readonly status?: number;
  readonly body?: string;
  readonly failure?: "timeout" | "refused";
  readonly reason?: string;
}

/** The most characters of an app's body that are shown. */
const SHOWN = 80;

function excerptOf(body: string): string {
  const line = printable(body.trim().split("\n", 1)[0] ?? "");
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

/** Whether the platform counts the event as delivered. */
export const isTaken = ({ status }: AppAnswer) => status !== null && status >= 200 && status < 300;

/** Whether the app says that the request is wrong. */
export const isRefused = ({ status }: AppAnswer) => status !== null && status >= 400 && status < 500;

/** An answer in words: `answered 500: "Internal Server Error"`. */
export function answerText(answer: AppAnswer): string {
  const { status, excerpt, failure } = answer;
  if (status === null) return failure === TOO_LATE ? TOO_LATE : `no answer: ${failure}`;
  return excerpt === "" || isTaken(answer) ? `answered ${status}` : `answered ${status}: "${excerpt}"`;
}
