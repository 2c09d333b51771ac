import * as v from "valibot";
import { type Shape, schemaShape } from "../capture/read/shapes.ts";
import { InputError } from "../core/foundation/errors.ts";
import { list, object, oneOf, readInput } from "../core/foundation/input-schemas.ts";
import { isRecord } from "../core/foundation/values.ts";
import type { CallerDeviation } from "../core/network/request-deviations.ts";
import { SIGNATURE_TOLERANCE_MS } from "../core/network/webhook-signature.ts";
import { jane } from "../core/platform/base/shortest.ts";
import { eventData, events } from "../core/platform/catalogue/events.ts";
import { type EventType, eventTypes } from "../core/platform/declare/events.ts";
import { type DialectInput, readDialect } from "../core/platform/declare/settings.ts";
import { wireName } from "../core/platform/declare/wire-names.ts";
import { demoOrganisation } from "../core/platform/organisation/demo.ts";
import { type CalendarKind, calendarStarts } from "../findings/calendar.ts";
import { newToken } from "./access.ts";
import { addressProblem, EMPTY_SECRET, isTaken, type Send, senderTo } from "./app-answers.ts";
import { epochMs } from "./clock.ts";
import { type PlayedEvent, playEvents, scenarioText, signedHeaders } from "./played-events.ts";
import {
  type Asked,
  type CheckCode,
  checks,
  isFailure,
  judgeProbe,
  needsSecret,
  notTried,
  type ProbeCheck,
  type ProbeRule,
  type Variety,
  varieties,
} from "./probe-checks.ts";

/** Sends events to a running app in real time, and judges its answers. */

/** What a probe is told of an app. */
export interface ProbeOptions {
  /** The app's address, such as `http://localhost:3000/hooks`. */
  readonly url: string;
  /** The webhook's signing secret that the app verifies with. Without it, wrong signatures are not tried. */
  readonly secret?: string | undefined;
  /** The service's own names, as `createSimulator` takes them; `send` has no effect. Default: none. */
  readonly dialect?: DialectInput | undefined;
  /** Also sends the same call from other callers (`caller`), or at other times (`calendar`). Default: neither. */
  readonly kinds?: readonly ("caller" | "calendar")[] | undefined;
}

/** What a probe found. */
export interface ProbeResult {
  /** Whether no hard check failed. Those that were not tried do not count. */
  readonly passed: boolean;
  /** Each check, in the order in which they were made. */
  readonly checks: readonly ProbeCheck[];
}

/**
 * Sends events to a running app, as `ringback probe` does, and judges its answers: about thirty-five requests in
 * real time, among them one of each type of event. It writes to that app: do not point it at one whose data you need.
 * @param options where the app is, and what it verifies with
 * @returns each check. In a test, expect no failed one: `checks` then shows what is wrong, and what to do
 * @throws {InputError} if an option is wrong, or the app cannot be reached
 * @example
 * import { once } from "node:events";
 * import { createServer } from "node:http";
 * import { probe } from "ringback/node";
 *
 * // takes everything, and verifies no signature
 * const app = createServer((request, response) => request.resume().on("end", () => response.writeHead(204).end()));
 * await once(app.listen(0, "127.0.0.1"), "listening");
 * const { port } = app.address() as { port: number };
 * const { passed, checks } = await probe({ url: `http://127.0.0.1:${port}/hooks`, secret: "whsec-1" });
 * app.close();
 *
 * passed; // => false
 * checks.filter(({ status }) => status === "failed").map(({ code }) => code); // => ["unsigned", "wrongSecret", "stale"]
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  const made: ProbeCheck[] = [];
  for await (const check of probing(options)) made.push(check);
  return { passed: !made.some(isFailure), checks: made };
}

const schema = object({
  url: v.pipe(
    v.string("expected the app's URL"),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? addressProblem(dataset.value) : undefined;
      if (problem !== undefined) addIssue({ message: problem });
    }),
  ),
  secret: v.optional(v.pipe(v.string("expected text"), v.nonEmpty(EMPTY_SECRET))),
  dialect: v.optional(v.unknown()),
  kinds: v.optional(list(oneOf(Object.keys(varieties) as Variety[])), []),
});

/**
 * Makes one check of an app after the other.
 * @throws {InputError} if an option is wrong, or the app cannot be reached
 */
export async function* probing(options: ProbeOptions): AsyncGenerator<ProbeCheck> {
  const { url, secret, kinds } = readInput(schema, options, []);
  const { dialect } = options;
  readDialect(dialect);
  if (dialect?.send !== undefined)
    throw new InputError(["dialect"], "`send` makes its own requests, and probe writes JSON: leave it out");
  yield* new Probing(await senderTo(url), secret, dialect).run(kinds);
}

/** The age of a signature that is too old by 1 ms. */
const STALE_MS = SIGNATURE_TOLERANCE_MS + 1;

/** A request, before it is signed as usual or in another way. */
interface Draft {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The type of its event, where those of a check differ. */
  readonly words?: string;
}

/** The requests to one app. */
class Probing {
  /** Signs what the app should take. */
  private readonly key: string;
  /** Whether bodies have a space, because the app takes only those. */
  private isSpaced = false;
  private readonly text = scenarioText(events["call.ended"].shortest);

  constructor(
    private readonly send: Send,
    private readonly secret: string | undefined,
    private readonly dialect: DialectInput | undefined,
  ) {
    this.key = secret ?? newToken();
  }

  /** Makes each check in turn. @throws {InputError} if the app cannot be reached */
  async *run(kinds: readonly Variety[]): AsyncGenerator<ProbeCheck> {
    let stop = "";
    for (const check of [...checks, ...kinds.flatMap((kind) => varieties[kind])]) {
      const result = stop === "" ? await this.make(check) : notTried(check, stop);
      yield result;
      if (check.code === "taken" && result.status === "failed") stop = await this.reasonToStop(result);
    }
  }

  /** Why the other checks would say nothing. An app that takes only bodies with a space is probed with those. */
  private async reasonToStop({ answers }: ProbeCheck): Promise<string> {
    if (answers.some(({ status }) => status === null)) return "the app did not answer";
    const body = spaced(this.play().ended.body);
    this.isSpaced = isTaken(await this.send(body, this.signed(body)));
    return this.isSpaced ? "" : "the app took no signed event";
  }

  private async make(check: ProbeRule): Promise<ProbeCheck> {
    if (needsSecret(check.code) && this.secret === undefined) return notTried(check, "no secret is given");
    const drafts = this.draftsOf(check.code);
    if (typeof drafts === "string") return notTried(check, drafts);
    const asked: Asked[] = [];
    for (const { body, headers, words } of drafts) {
      const answer = await this.send(body, headers ?? this.signed(body));
      if (check.code === "taken" && !answer.isReached)
        throw new InputError(["url"], `the app cannot be reached: ${answer.failure}`);
      asked.push({ answer, words });
    }
    return judgeProbe(check, asked, this.secret !== undefined);
  }

  /** The requests of a check, or why there are none. Each check has a call of its own. */
  private draftsOf(code: CheckCode): readonly Draft[] | string {
    const { ended, started } = this.play();
    const body = this.written(ended);
    switch (code) {
      case "taken":
      case "compact":
        return [{ body: compact(ended.body) }];
      case "spaced":
        return [{ body: spaced(ended.body) }];
      case "everyType":
        return this.everyType();
      case "unknownType":
        return this.changed(ended, (fields) => withType(fields, ended.event.type));
      case "unknownField":
        return this.changed(ended, withUnknownFields);
      case "unsigned":
        return this.unsigned(body);
      case "wrongSecret":
        return [{ body, headers: this.signed(body, newToken()) }];
      case "stale":
        return [{ body, headers: this.signed(body, this.key, epochMs() - STALE_MS) }];
      case "null":
        return this.withNulls(ended);
      case "twice":
        return [{ body }, { body }];
      case "endBeforeStart":
        if (started === undefined) return "the dialect leaves out call.started";
        return [{ body }, { body: this.written(started) }];
      default:
        return this.otherCall(code);
    }
  }

  /** An event of each type, as `ringback trigger` sends it. Those that the dialect leaves out are never sent. */
  private everyType(): readonly Draft[] {
    return eventTypes.flatMap((type) => {
      const played = this.playTo(scenarioText(events[type].shortest), type).get(type);
      return played === undefined ? [] : [{ body: this.written(played), words: type }];
    });
  }

  /** The same call, from another caller or at another time. Its requests are signed now all the same. */
  private otherCall(code: CallerDeviation | CalendarKind): readonly Draft[] {
    const starts = calendarStarts(epochMs(), demoOrganisation.timezone, 0);
    const start = starts.find(({ is }) => is === code)?.start;
    const caller = `deviations: [{ caller: PT0S ${jane}, is: ${code} }]\n`;
    const events = playEvents(start === undefined ? `${this.text}${caller}` : this.text, {
      ...{ dialect: this.dialect, seed: newToken() },
      startMs: start === undefined ? epochMs() - findOffset(this.text, "call.ended") : Date.parse(start),
    });
    return callEvents.flatMap((type) => events.get(type) ?? []).map((each) => ({ body: this.written(each) }));
  }

  /** Plays an answered call that ends now. Its ids are new, so that the app has not seen them. */
  private play(): { readonly ended: PlayedEvent; readonly started: PlayedEvent | undefined } {
    const played = this.playTo(this.text, "call.ended");
    const type = "call.ended";
    const ended = played.get(type);
    // nearly all checks need it, so this is said before the first of them
    if (ended === undefined) throw new InputError(["dialect"], `${type} is left out: expected a body`);
    return { ended, started: played.get("call.started") };
  }

  /** Plays a scenario so that an event happens now, if the dialect has it, with new ids. */
  private playTo(text: string, type: EventType): Map<EventType, PlayedEvent> {
    const startMs = epochMs() - findOffset(text, type);
    return playEvents(text, { dialect: this.dialect, startMs, seed: newToken() });
  }

  private written({ body }: PlayedEvent): string {
    return this.isSpaced ? spaced(body) : compact(body);
  }

  private signed(body: string, secret = this.key, timestampMs = epochMs()): Record<string, string> {
    return signedHeaders(body, secret, timestampMs, this.dialect);
  }

  /** Without a signature, and without a timestamp too. */
  private unsigned(body: string): readonly Draft[] {
    const headers = Object.entries(this.signed(body));
    const without = (names: RegExp) => Object.fromEntries(headers.filter(([name]) => !names.test(name)));
    return [
      { body, headers: without(/-signature$/) },
      { body, headers: without(/-(signature|timestamp)$/) },
    ];
  }

  private changed(
    { body }: PlayedEvent,
    change: (fields: Fields) => Fields | string,
  ): readonly Draft[] | string {
    const fields = change(JSON.parse(body));
    if (typeof fields === "string") return fields;
    const text = JSON.stringify(fields);
    return [{ body: this.isSpaced ? spaced(text) : text }];
  }

  private withNulls({ event, body }: PlayedEvent): readonly Draft[] | string {
    if (this.dialect?.write !== undefined) return "the dialect writes its own bodies";
    const { fieldNames } = readDialect(this.dialect);
    const named = (name: string) => wireName(name, fieldNames);
    const shape = schemaShape(eventData[event.type]);
    return this.changed({ event, body, offsetMs: 0 }, (fields) => ({
      ...fields,
      [named("data")]: nulled(fields[named("data")], shape, named),
    }));
  }
}

/** When the shortest run with an event of a type has it, ms from its start. Each is played once in a process. */
const offsets = new Map<EventType, number>();
function findOffset(text: string, type: EventType): number {
  const offsetMs = offsets.get(type) ?? playEvents(text).get(type)?.offsetMs ?? 0;
  offsets.set(type, offsetMs);
  return offsetMs;
}

type Fields = Readonly<Record<string, unknown>>;

/** What an app hears of an answered call, in that order. */
const callEvents = ["call.started", "call.answered", "call.ended"] as const;

/** One space behind the first brace: no serialiser writes that, so it shows who signs what it has parsed. */
const spaced = (body: string) => body.replace(/^\{\s*/, "{ ");
const compact = (body: string) => JSON.stringify(JSON.parse(body));

const UNKNOWN = "unspecified";

/** Gives the event a type that no documentation has, under whatever name its type has. */
function withType(fields: Fields, type: string): Fields | string {
  const name = Object.keys(fields).find((each) => fields[each] === type);
  if (name === undefined) return "the body does not name the event's type";
  return { ...fields, [name]: type.replace(/\w+$/, UNKNOWN) };
}

/** Adds a field to every object. */
function withUnknownFields(fields: Fields): Fields {
  const added = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(added);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, part]) => [key, added(part)]);
    return { ...Object.fromEntries(entries), [UNKNOWN]: { is: UNKNOWN } };
  };
  return added(fields) as Fields;
}

/** Puts null wherever the schema allows it. @param named a field's name on the wire */
function nulled(value: unknown, shape: Shape, named: (name: string) => string): unknown {
  if ("isNullable" in shape && shape.isNullable) return null;
  if (shape.kind === "list" && Array.isArray(value))
    return value.map((each) => nulled(each, shape.item, named));
  if (shape.kind !== "object" || !isRecord(value)) return value;
  const changed = shape.fields
    .filter(({ name }) => named(name) in value)
    .map(({ name, shape: inner }) => [named(name), nulled(value[named(name)], inner, named)]);
  return { ...value, ...Object.fromEntries(changed) };
}
