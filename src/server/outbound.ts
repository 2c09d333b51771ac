import dns, { type LookupAddress, type LookupOptions } from "node:dns";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { EndpointRequest } from "../core/network/endpoint-request.ts";
import { endpointUrlProblem, isPublicAddress } from "../core/network/endpoint-url.ts";
import type { EndpointHandler, HandlerResult } from "../core/platform/network/network-api.ts";
import { startLimit } from "./clock.ts";

/** The same limit as for a body of the REST API. */
const MAX_ANSWER_MEGABYTES = 6;
const MAX_ANSWER_BYTES = MAX_ANSWER_MEGABYTES * 1024 * 1024;

/** How the platform's requests are sent. */
export interface OutboundOptions {
  /** How long the platform waits for an answer, in real ms in which this process runs. */
  readonly limitMs: number;
  /** Whether endpoints may be at local and private hosts. */
  readonly allowsLocal: boolean;
  /** Aborts requests that are under way. */
  readonly closing: AbortSignal;
  /** Aborts requests that are under way now, because the run that waits for them is interrupted. */
  interrupted(): AbortSignal;
}

/**
 * Sends the platform's requests to real endpoints. Redirects are not followed, as the platform does not follow them.
 * An endpoint that cannot be reached counts as refused, with the reason; one that does not answer within the limit
 * has timed out. Never rejects.
 */
export function outboundSender({
  limitMs,
  allowsLocal,
  closing,
  interrupted,
}: OutboundOptions): EndpointHandler {
  const send = async (request: EndpointRequest): Promise<HandlerResult> => {
    const limit = new AbortController();
    const cancelLimit = startLimit(limitMs, () => limit.abort());
    const interruption = interrupted();
    try {
      const problem = endpointUrlProblem(request.url, allowsLocal);
      if (problem !== undefined) throw new Error(problem);
      return await exchange(request, allowsLocal, AbortSignal.any([limit.signal, closing, interruption]));
    } catch (error) {
      if (limit.signal.aborted) return { failure: "timeout" };
      if (interruption.aborted) return { failure: "timeout" };
      const reason = closing.aborted
        ? "the server was closed"
        : describeReason(error as NodeJS.ErrnoException);
      return { failure: "refused", reason };
    } finally {
      cancelLimit();
    }
  };
  return Object.assign(send, { isConcurrent: true });
}

interface Received {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function exchange(
  { url, method, headers, body }: EndpointRequest,
  allowsLocal: boolean,
  signal: AbortSignal,
): Promise<Received> {
  const ask = url.startsWith("https:") ? requestHttps : requestHttp;
  const bytes = Buffer.from(method === "GET" || method === "HEAD" ? "" : body);
  const length = method === "GET" || method === "HEAD" ? {} : { "content-length": String(bytes.length) };
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers, ...length },
      signal,
      lookup: checkedLookup(allowsLocal),
    };
    // a new connection for each, since a kept one may close just as it is used again
    const sent = ask(url, { ...options, agent: false }, (response) => {
      readAnswer(response).then(resolve, reject);
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}

/** Counts while reading, since an endpoint may never stop sending. */
async function readAnswer(response: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += (chunk as Buffer).length;
    if (size > MAX_ANSWER_BYTES) {
      response.destroy();
      throw new Error(`the answer is longer than ${MAX_ANSWER_MEGABYTES} MB`);
    }
    chunks.push(chunk as Buffer);
  }
  const { statusCode = 0, headers } = response;
  if (statusCode < 100 || statusCode > 599) throw new Error(`the answer has the status ${statusCode}`);
  const headerEntries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]);
  return {
    status: statusCode,
    headers: Object.fromEntries(headerEntries),
    body: Buffer.concat(chunks).toString(),
  };
}

/** Resolves a name and passes on only checked addresses. A second look-up could give others. */
function checkedLookup(allowsLocal: boolean): LookupFunction {
  return (hostname: string, options: LookupOptions, done) => {
    dns.lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const privateAddress = allowsLocal
        ? undefined
        : found?.find(({ address }) => !isPublicAddress(address));
      const [first] = found ?? [];
      if (error !== null) done(error, "", 0);
      else if (privateAddress !== undefined)
        done(
          new Error(`${hostname} leads to ${privateAddress.address}, which is not a public address`),
          "",
          0,
        );
      else if (options.all === true) done(null, found);
      else done(null, first?.address ?? "", first?.family);
    });
  };
}

/** Why an endpoint could not be asked, in words, with the code of Node's error. */
function describeReason(error: NodeJS.ErrnoException & { readonly errors?: readonly Error[] }): string {
  // several addresses were tried: the first error is enough
  if (error.errors?.[0] !== undefined) return describeReason(error.errors[0]);
  const { code = "", message } = error;
  if (code === "ECONNREFUSED") return `nobody listens there (${message})`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name cannot be resolved (${message})`;
  if (code === "ECONNRESET" || code === "EPIPE") return `the connection was reset (${message})`;
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) {
    const [, why = code] = /SSL routines:[^:]*:([^:]+)/.exec(message) ?? [];
    return `the TLS handshake failed: is it a server of http? (${why})`;
  }
  if (/SELF_SIGNED|UNABLE_TO/.test(code))
    return `the certificate is not trusted: NODE_EXTRA_CA_CERTS may name it (${message}, ${code})`;
  if (/CERT|SSL|TLS|ISSUER|SIGNATURE|CHAIN/.test(code))
    return `the certificate is not valid (${message}, ${code})`;
  if (code.startsWith("HPE_")) return `the answer is not HTTP (${message})`;
  return code === "" || message.includes(code) ? message : `${message} (${code})`;
}
