import { isPromise } from "../../core/foundation/values.ts";
import { accepted, readAnswer } from "../../core/network/answer.ts";
import {
  SIGNATURE_TOLERANCE_MS,
  signatureHeader,
  timestampHeader,
  webhookSignature,
} from "../../core/network/webhook-signature.ts";
import { contentOf, type RequestContent, type RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { realInstantMs } from "../../findings/real-time.ts";
import { addressOf, typeOf } from "./webhook-requests.ts";

/**
 * How a request of a webhook is forged. `unsigned`: without a signature. `wrongSecret`: signed with another secret. Both
 * have another id and number. `changedBody`: the true id and headers, another number, before the true request. `stale`: the
 * true request, which comes only when its signature is 1 ms too old.
 */
export type ForgedKind = "unsigned" | "wrongSecret" | "changedBody" | "stale";

export const forgedKinds: readonly ForgedKind[] = ["unsigned", "wrongSecret", "changedBody", "stale"];

/** A forged request, in place of or beside the first true one of its type. */
export interface Forgery {
  /** The webhook's URL. */
  readonly to: string;
  /** The type of event. */
  readonly type: string;
  /** How it is forged. */
  readonly is: ForgedKind;
}

/** A world with a forged request, or one to compare it with. Plain data. */
export interface ForgedWorld extends Forgery {
  /**
   * `forged`: the request. `nothing`: none, so only what is stale is missing. `nonsense`: one that is as wrong and says
   * something else, so it shows what an app does that refuses. In place of a changed body it comes behind the true one, so
   * that its id cannot keep that out. `otherNonsense`: with another id, before the true one.
   */
  readonly sends: "forged" | "nothing" | "nonsense" | "otherNonsense";
  /** Whether the true request never comes, so that what is forged cannot be hidden behind it. What is stale is another event then. */
  readonly isAlone: boolean;
  /** Whether the app is a server, which does not have the world's time. */
  readonly isServer: boolean;
}

/** The age of a signature that is 1 ms too old. */
const STALE_MS = SIGNATURE_TOLERANCE_MS + 1;

/** What stands in forged events in place of outside numbers; the second where an event has the first. */
const forgedNumbers = ["+6421559009", "+6421559008"] as const;
/** What stands in nonsense. */
const nonsenseNumber = "+6421559007";

/** Told of what is forged in a world. */
export interface ForgeryListener {
  /** Called once for each forged request. @param isTaken whether the app answered 2xx */
  answered(isTaken: boolean): void;
  /** Called when all are answered, or at the same instant of a world without them. */
  sent(): void;
}

/**
 * Forges a request in one run.
 * @returns a function that ends it
 */
export function forge(simulator: Simulator, world: ForgedWorld, listener: ForgeryListener): () => void {
  const { engine } = simulator.services;
  /** The delivery whose request is forged. */
  let delivery: string | undefined;
  const askEndpoint = (asked: object, ask: (other?: object) => unknown): unknown => {
    const request = asked as RequestRecord;
    if (typeOf(request) !== world.type || addressOf(request) !== world.to) return ask();
    const isFirst = delivery === undefined;
    delivery ??= request.recordId;
    const isWithheld = world.is === "stale" || world.isAlone;
    if (!isFirst && !(isWithheld && request.recordId === delivery)) return ask();
    const send = () => {
      const contents = isFirst ? new Forger(simulator, request).contents(world) : [];
      const sending = contents.map((content) => () => sendOne(() => ask({ ...request, content }), listener));
      return inTurn([...sending, () => listener.sent()]);
    };
    if (world.is !== "stale" && world.isAlone) return inTurn([send, () => accepted]);
    if (world.is === "changedBody" && world.sends === "nonsense") return lastly(ask(), send);
    if (world.is !== "stale") return inTurn([send, () => ask()]);
    // the platform takes it as delivered, so no other attempt comes
    if (world.isServer) return inTurn([send, () => accepted]);
    // also where nothing is sent, as worlds that are compared must last as long
    if (isFirst) engine.loop.callBack(STALE_MS, send);
    return accepted;
  };
  return engine.probes.attach({ askEndpoint });
}

/** Calls functions one after the other. @returns what the last one returns; a promise if any of them does */
function inTurn(calls: readonly (() => unknown)[]): unknown {
  let last: unknown;
  for (const call of calls) last = isPromise(last) ? last.then(call) : call();
  return last;
}

/** Calls a function behind an answer, which it returns. */
function lastly(answer: unknown, call: () => unknown): unknown {
  if (isPromise(answer)) return answer.then((value) => inTurn([() => call(), () => value]));
  return inTurn([call, () => answer]);
}

/** Sends a forged request. An app that throws refuses it, as every server then answers 500. */
function sendOne(ask: () => unknown, listener: ForgeryListener): unknown {
  const take = (answer: object) => {
    const { status = 0 } = answer as { readonly status?: number };
    listener.answered(status >= 200 && status < 300);
  };
  const refuse = () => listener.answered(false);
  const read = (answer: unknown) => {
    const reply = readAnswer(answer, "a forged request");
    return isPromise(reply) ? reply.then(take) : take(reply);
  };
  try {
    const answer = ask();
    const taken = isPromise(answer) ? answer.then(read) : read(answer);
    return isPromise(taken) ? taken.then(undefined, refuse) : taken;
  } catch {
    return refuse();
  }
}

/** Writes what forged requests have in place of a true one's content. */
class Forger {
  private readonly headers: Readonly<Record<string, string>>;
  private readonly body: string;

  constructor(
    private readonly simulator: Simulator,
    private readonly request: RequestRecord,
  ) {
    this.headers = request.content.headers();
    this.body = request.content.body();
  }

  contents({ is, sends, isServer, isAlone }: ForgedWorld): RequestContent[] {
    if (sends === "nothing") return [];
    const isNonsense = sends !== "forged";
    const { headers, signature, timestamp } = this;
    const another = this.forged(true);
    if (is === "changedBody") {
      if (!isNonsense) return [content(headers, this.forged(false))];
      return [content(headers, nonsenseOf(sends === "nonsense" ? this.body : another))];
    }
    const other = isNonsense ? nonsenseOf(another) : another;
    if (is === "wrongSecret") return [this.signed(other, `not ${this.secret}`, headers[timestamp] ?? "")];
    if (is === "unsigned")
      return [
        content(without(headers, signature), other),
        content(without(headers, signature, timestamp), other),
      ];
    if (!isNonsense && !isServer && !isAlone) return [this.request.content];
    const sent = isAlone ? another : this.body;
    const body = isNonsense ? nonsenseOf(sent) : sent;
    // the server may go by the time that it was told, or by its own
    const clockMs = Math.min(this.simulator.startTimestamp, Math.floor(realInstantMs()));
    return [
      this.signed(body, this.secret, isServer ? String(clockMs - STALE_MS) : (headers[timestamp] ?? "")),
    ];
  }

  private get serviceName(): string {
    return this.simulator.services.settings.dialect.serviceName;
  }

  private get signature(): string {
    return signatureHeader(this.serviceName);
  }

  private get timestamp(): string {
    return timestampHeader(this.serviceName);
  }

  private get secret(): string {
    const { deliveries, webhooks } = this.simulator.services;
    return webhooks.secretOf(deliveries.get(this.request.recordId).webhookId);
  }

  private signed(body: string, secret: string, timestamp: string): RequestContent {
    const signature = webhookSignature(secret, timestamp, body);
    return content({ ...this.headers, [this.timestamp]: timestamp, [this.signature]: signature }, body);
  }

  /**
   * The true body with other numbers of outside. Changes the text, so that it stays as the platform writes it.
   * @param isOther whether it is another event, about another record; otherwise only if there is no number to change
   */
  private forged(isOther: boolean): string {
    const { numbers = [] } = this.simulator.options.organisation;
    const own = new Set(numbers.map(({ number }) => number));
    const [first, second] = forgedNumbers;
    const other = this.body.includes(first) ? second : first;
    const body = this.body.replaceAll(/\+\d{7,15}/g, (number) => (own.has(number) ? number : other));
    const { event } = this.simulator.services.deliveries.get(this.request.recordId);
    const records = Object.values(event.data as object).flatMap((each: unknown) => idOf(each) ?? []);
    const ids = isOther ? [event.id, ...records] : body === this.body ? records : [];
    return ids.reduce((text, id) => text.replaceAll(JSON.stringify(id), JSON.stringify(forgedId(id))), body);
  }
}

/** The same event, its wrapper aside, about something else: who reads it before checking does not stumble over what is missing. */
function nonsenseOf(body: string): string {
  const changedPart = (value: unknown) => (typeof value === "object" ? changed(value) : value);
  const text = JSON.stringify(mapped(JSON.parse(body) as object, changedPart));
  // as the platform writes it, so that who signs what it parsed refuses this too
  return body.startsWith("{ ") ? text.replace("{", "{ ") : text;
}

/** A value with everything in it changed but the words of the platform, such as `inbound`. */
function changed(value: unknown): unknown {
  if (typeof value === "string") return changedText(value);
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return value.map(changed);
  if (typeof value !== "object" || value === null) return value;
  return mapped(value, changed);
}

function mapped(record: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(record).map(([key, each]: [string, unknown]) => [key, change(each)]),
  );
}

function changedText(text: string): string {
  if (/^[a-z][a-zA-Z_.]*$/.test(text)) return text;
  if (/^\+\d+$/.test(text)) return nonsenseNumber;
  return /^\d{4}-\d\d-\d\dT/.test(text) ? text.replace(/^\d{4}/, "1999") : `not ${text}`;
}

function content(headers: Readonly<Record<string, string>>, body: string): RequestContent {
  return contentOf(Object.freeze(headers), () => body);
}

function without(headers: Readonly<Record<string, string>>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

function idOf(value: unknown): string | undefined {
  const { id } = (typeof value === "object" && value !== null ? value : {}) as { readonly id?: unknown };
  return typeof id === "string" ? id : undefined;
}

/** Another id of the same form: UUIDs stay UUIDs. */
function forgedId(id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? id.replace(/^[0-9a-f]{8}/, "f0f0f0f0") : `forged-${id}`;
}

/** How a forged request is wrong, as a clause. */
const clauses: Readonly<Record<ForgedKind, string>> = {
  unsigned: "arrives that is not signed",
  wrongSecret: "arrives that is signed with another secret",
  changedBody: "arrives whose body was changed after it was signed",
  stale: `arrives ${STALE_MS.toLocaleString("en")} ms after it was signed`,
};

/** What a forged request is, as a clause: `a call.ended arrives that is not signed`. */
export function forgeryClause({ type, is }: Forgery): string {
  return `a ${type} ${clauses[is]}`;
}

/** What the subject's check may have missed, as a sentence; undefined where that is plain. */
export function forgeryAdvice({ is }: Forgery): string | undefined {
  if (is !== "stale") return undefined;
  return `A signature is valid for ${SIGNATURE_TOLERANCE_MS.toLocaleString("en")} ms and not for one more: a check that rounds to whole seconds may take this one.`;
}

/** A forged request as deviations are written: `wrongSecret(call.ended)`. */
export function forgeryText({ type, is }: Forgery): string {
  return `${is}(${type})`;
}
