import { onHttp } from "../../core/engine/http-channels.ts";
import { HeaderReads } from "../../core/network/header-reads.ts";
import { onVerification } from "../../core/network/webhook-signature.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { findWriting } from "./signed-message.ts";
import { addressOf, typeOf } from "./webhook-requests.ts";

/** Which events a webhook sent the app, and whether that looked at their signatures. */
export interface WebhookReads {
  /** The webhook's URL. */
  readonly url: string;
  /** The type of event. */
  readonly type: string;
  /** Whether the app asked for the signature or the timestamp by name, or a server got them over HTTP. */
  readonly isAsked: boolean;
  /** Whether the app took the headers of any request, to read them or to pass them on. */
  readonly areHeadersTaken: boolean;
}

/** One type of event at one URL. */
interface Watched {
  readonly url: string;
  readonly type: string;
  /** What the app read of the headers of each request. */
  readonly reads: HeaderReads[];
  readonly signatures: Set<string>;
  /** The names of the headers that have the signature and the time. */
  readonly names: readonly string[];
  /** Whether the signature is in the body, so that the app may have looked at it. */
  readonly isInBody: boolean;
  areHeadersTaken: boolean;
}

/** Notices in one run whether the app looks at signatures. */
export class SignatureReads {
  private readonly watched = new Map<string, Watched>();
  /** The signatures that `verifySignature` verified, and those that went on to a server. */
  private readonly seen = new Set<string>();
  private readonly endings: (() => void)[];

  /** @param isInAnyCase whether a header counts as asked for if its name has another case than its own */
  constructor(
    private readonly simulator: Simulator,
    private readonly isInAnyCase: boolean,
  ) {
    this.endings = [
      simulator.services.engine.probes.attach({ askEndpoint: this.askEndpoint }),
      onVerification((signature) => void this.seen.add(signature)),
      onRequestsOverHttp((headers) => this.noteSent(headers)),
    ];
  }

  /** Notes which signatures go on to a server. @param headers all headers of a request, as text */
  private noteSent(headers: string): void {
    for (const { signatures } of this.watched.values())
      for (const each of signatures) if (each !== "" && headers.includes(each)) this.seen.add(each);
  }

  /** The webhooks' events, in the order in which they first came. */
  get all(): WebhookReads[] {
    return [...this.watched.values()].map((watched) => {
      const { url, type, reads, names, signatures, isInBody, areHeadersTaken } = watched;
      const isAsked =
        isInBody ||
        reads.some((each) => names.some((name) => each.hasAsked(name))) ||
        [...signatures].some((each) => this.seen.has(each));
      return { url, type, areHeadersTaken, isAsked };
    });
  }

  end(): void {
    for (const end of this.endings) end();
  }

  private watch(url: string, type: string, request: RequestRecord): Watched {
    const writing = findWriting(this.simulator, request);
    const places = writing.signaturePlaces();
    const isInBody = places.some(({ where }) => where !== "header");
    const names = [...places.flatMap(({ name }) => name ?? []), ...writing.timeHeaders()];
    return { url, type, reads: [], signatures: new Set(), names, isInBody, areHeadersTaken: false };
  }

  private readonly askEndpoint = (asked: object, ask: (other?: object) => unknown): unknown => {
    const request = asked as RequestRecord;
    const type = typeOf(request);
    if (type === undefined) return ask();
    const to = addressOf(request);
    const key = `${to} ${type}`;
    const watched = this.watched.get(key) ?? this.watch(to, type, request);
    this.watched.set(key, watched);
    const { content } = request;
    const headers = content.headers();
    const reads = new HeaderReads(headers, this.isInAnyCase);
    watched.reads.push(reads);
    const [signature] = watched.names;
    if (signature !== undefined) watched.signatures.add(headers[signature] ?? "");
    const take = () => {
      watched.areHeadersTaken = true;
      return reads.headers;
    };
    return ask({ ...request, content: { headers: take, body: () => content.body() } });
  };
}

/** Reads the requests that Node sends. @param listener told of the headers of each as text @returns a function that ends it */
function onRequestsOverHttp(listener: (headers: string) => void): () => void {
  const endings = [
    onHttp("fetched", ({ headers }: { readonly headers: unknown }) =>
      listener(Array.isArray(headers) ? headers.join("\n") : String(headers)),
    ),
    onHttp("sent", (request: { getHeaders(): object }) =>
      listener(Object.values(request.getHeaders()).join("\n")),
    ),
  ];
  return () => {
    for (const end of endings) end();
  };
}
