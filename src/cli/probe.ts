import { Option } from "commander";
import { type Shape, shapeOf } from "../capture/read/shapes.ts";
import { isRecord } from "../core/foundation/values.ts";
import { endpointUrlProblem } from "../core/network/endpoint-url.ts";
import type { CallerDeviation } from "../core/network/request-deviations.ts";
import { SIGNATURE_TOLERANCE_MS } from "../core/network/webhook-signature.ts";
import { jane } from "../core/platform/base/shortest.ts";
import { eventData, events } from "../core/platform/catalogue/events.ts";
import type { EventType } from "../core/platform/declare/events.ts";
import { type DialectInput, readDialect } from "../core/platform/declare/settings.ts";
import { wireName } from "../core/platform/declare/wire-names.ts";
import { demoOrganisation } from "../core/platform/organisation/demo.ts";
import { type CalendarKind, calendarStarts } from "../findings/calendar.ts";
import { quoted } from "../findings/quoted.ts";
import { newToken } from "../server/access.ts";
import { wallClockMs } from "../server/clock.ts";
import { dialectOption, jsonOption, kindsOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";
import { type PlayedEvent, playEvents, scenarioText, signedHeaders } from "./played-events.ts";
import {
  type Check,
  type CheckCode,
  type CheckResult,
  checks,
  judge,
  needsSecret,
  notTried,
  type Variety,
  varieties,
} from "./probe-checks.ts";
import { isTaken, type ReceiverAnswer, receiverOf, type Send, secretOf, senderTo } from "./receiver.ts";
import { dialectIn } from "./serve.ts";

import { type ReportFormat, reportFormats, type Test, testReport } from "./test-report.ts";

/** `ringback probe` sends events to a running receiver in real time, and judges its answers. */

interface ProbeFlags {
  readonly secret?: string;
  readonly dialect?: string;
  readonly format?: ReportFormat;
  readonly kinds?: readonly Variety[];
}

/** The age of a signature that is too old by 1 ms. */
const STALE_MS = SIGNATURE_TOLERANCE_MS + 1;

/** `ringback probe`. */
export const probeCommand: CommandRow = {
  name: "probe",
  group: "app",
  about: "send events to a running receiver, in any language, and check that it takes or refuses them",
  mayChange: true,
  declare: (command, output, exit) => {
    command
      .argument("<url>", "the receiver, such as http://localhost:3000/hooks", receiverOf)
      .option(
        "--secret <secret>",
        "the webhook's signing secret that the receiver verifies with; without it, signatures are not tried",
        secretOf,
      )
      .addOption(dialectOption())
      .addOption(
        kindsOption(
          "also send the same call from other callers (caller), or at other times (calendar)",
          Object.keys(varieties),
        ),
      )
      .addOption(
        new Option("--format <format>", "print a report as other test runners do").choices(reportFormats),
      )
      .addOption(jsonOption())
      .action((url: string, flags: ProbeFlags) => exit(probe(url, flags, output)));
  },
};

/**
 * Probes a receiver.
 * @returns the exit code: 0, or 1 if a hard check fails
 * @throws {UsageError} if the receiver cannot be reached
 */
async function probe(url: string, flags: ProbeFlags, output: CommandOutput): Promise<number> {
  const { secret, format, kinds = [] } = flags;
  const dialect = await dialectIn(flags.dialect);
  if (dialect?.send !== undefined)
    throw new UsageError("`send` makes its own requests, and probe writes JSON: leave it out", "--dialect");
  const isForReaders = !output.isJson && format === undefined;
  // a report, and results for programs, have the standard output for themselves
  const tell = isForReaders ? output.out : output.isJson ? () => {} : output.err;
  tell(`Writes to ${url}: it gets about fifteen requests about calls that nobody made, from +6421555001.\n`);
  const results: CheckResult[] = [];
  for await (const result of new Probing(url, await senderTo(url), secret, dialect).run(kinds)) {
    results.push(result);
    if (isForReaders && !(needsSecret(result.check) && secret === undefined)) output.out(lineOf(result));
  }
  const failures = failuresOf(url, results);
  if (output.isJson) output.out(output.result(failures, factsOf(url, results, secret)));
  else if (format !== undefined)
    output.out(testReport({ suite: "ringback probe", tests: testsOf(url, results) }, format));
  if (secret === undefined) tell("signatures: not tried; --secret names the webhook's signing secret\n");
  tell(
    'Go on with what a network does to it. Add two paths for tests: /reset forgets everything, and /calls answers what is logged, such as [{"callId":"call-1"}]. Then run ' +
      `\`${exploring(url, secret)}\`\n`,
  );
  return failures.length === 0 ? 0 : 1;
}

/** A request, before it is signed as usual or in another way. */
interface Draft {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The requests to one receiver. */
class Probing {
  /** Signs what the receiver should take. */
  private readonly key: string;
  /** Whether bodies have a space, because the receiver takes only those. */
  private isSpaced = false;
  private readonly text = scenarioText(events["call.ended"].shortest);
  /** From the start of a run to the end of its call, ms. */
  private lengthMs: number | undefined;

  constructor(
    private readonly url: string,
    private readonly send: Send,
    private readonly secret: string | undefined,
    private readonly dialect: DialectInput | undefined,
  ) {
    this.key = secret ?? newToken();
  }

  /** Makes each check in turn. @throws {UsageError} if the receiver cannot be reached */
  async *run(kinds: readonly Variety[]): AsyncGenerator<CheckResult> {
    let stop = "";
    for (const check of [...checks, ...kinds.flatMap((kind) => varieties[kind])]) {
      const result = stop === "" ? await this.make(check) : notTried(check, stop);
      yield result;
      if (check.code === "taken" && result.status === "failed") stop = await this.reasonToStop(result);
    }
  }

  /** Why the other checks would say nothing. A receiver that takes only bodies with a space is probed with those. */
  private async reasonToStop({ answers }: CheckResult): Promise<string> {
    if (answers.some(({ status }) => status === null)) return "the receiver did not answer";
    const body = spaced(this.play()("call.ended").body);
    this.isSpaced = isTaken(await this.send(body, this.signed(body)));
    return this.isSpaced ? "" : "the receiver took no signed event";
  }

  private async make(check: Check): Promise<CheckResult> {
    if (needsSecret(check) && this.secret === undefined) return notTried(check, "there is no --secret");
    const drafts = this.draftsOf(check.code);
    if (typeof drafts === "string") return notTried(check, drafts);
    const answers: ReceiverAnswer[] = [];
    for (const { body, headers } of drafts) {
      const answer = await this.send(body, headers ?? this.signed(body));
      if (check.code === "taken" && !answer.isReached)
        throw new UsageError(`the receiver cannot be reached: ${answer.failure}`, this.url);
      answers.push(answer);
    }
    return judge(check, answers, this.secret !== undefined);
  }

  /** The requests of a check, or why there are none. Each check has a call of its own. */
  private draftsOf(code: CheckCode): readonly Draft[] | string {
    const played = this.play();
    const ended = played("call.ended");
    const body = this.written(ended);
    switch (code) {
      case "taken":
      case "compact":
        return [{ body: compact(ended.body) }];
      case "spaced":
        return [{ body: spaced(ended.body) }];
      case "unknownType":
        return this.changed(ended, (fields) => withType(fields, ended.event.type));
      case "unknownField":
        return this.changed(ended, withUnknownFields);
      case "unsigned":
        return this.unsigned(body);
      case "wrongSecret":
        return [{ body, headers: this.signed(body, newToken()) }];
      case "stale":
        return [{ body, headers: this.signed(body, this.key, wallClockMs() - STALE_MS) }];
      case "null":
        return this.withNulls(ended);
      case "twice":
        return [{ body }, { body }];
      case "endBeforeStart":
        return [{ body }, { body: this.written(played("call.started")) }];
      default:
        return this.otherCall(code);
    }
  }

  /** The same call, from another caller or at another time. Its requests are signed now all the same. */
  private otherCall(code: CallerDeviation | CalendarKind): readonly Draft[] {
    const starts = calendarStarts(wallClockMs(), demoOrganisation.timezone, 0);
    const start = starts.find(({ is }) => is === code)?.start;
    const caller = `deviations: [{ caller: PT0S ${jane}, is: ${code} }]\n`;
    const events = playEvents(start === undefined ? `${this.text}${caller}` : this.text, {
      ...{ dialect: this.dialect, seed: newToken() },
      startMs: start === undefined ? wallClockMs() - (this.lengthMs ?? 0) : Date.parse(start),
    });
    return callEvents.flatMap((type) => events.get(type) ?? []).map((each) => ({ body: this.written(each) }));
  }

  /** Plays an answered call that ends now. Its ids are new, so that the receiver has not seen them. */
  private play(): (type: EventType) => PlayedEvent {
    const { text, dialect } = this;
    const played = (startMs?: number) => {
      const events = playEvents(text, { dialect, startMs, seed: newToken() });
      return (type: EventType) => {
        const event = events.get(type);
        // an answered call has every type that is asked for
        if (event === undefined) throw new UsageError(`${type} is left out: expected a body`, "--dialect");
        return event;
      };
    };
    this.lengthMs ??= played()("call.ended").offsetMs;
    return played(wallClockMs() - this.lengthMs);
  }

  private written({ body }: PlayedEvent): string {
    return this.isSpaced ? spaced(body) : compact(body);
  }

  private signed(body: string, secret = this.key, timestampMs = wallClockMs()): Record<string, string> {
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
    const shape = shapeOf(eventData[event.type]);
    return this.changed({ event, body, offsetMs: 0 }, (fields) => ({
      ...fields,
      [named("data")]: nulled(fields[named("data")], shape, named),
    }));
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** What a receiver hears of an answered call, in that order. */
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

/** A check as a line: a soft one is a note. */
function lineOf({ check, status, problem, next }: CheckResult): string {
  const sign = { passed: "ok     ", failed: check.isHard ? "FAILS  " : "note   ", notTried: "-      " }[
    status
  ];
  const why = status === "notTried" ? `not tried, as ${problem}` : problem;
  return `${sign}${check.name}${why === "" ? "" : `: ${why}`}${next === "" ? "" : `\n         ${next}`}\n`;
}

function failuresOf(url: string, results: readonly CheckResult[]): (CommandFailure & { code: CheckCode })[] {
  return results
    .filter(({ check, status }) => check.isHard && status === "failed")
    .map((result) => ({ code: result.check.code, cause: causeOf(result), place: url, next: result.next }));
}

const causeOf = ({ check, problem }: CheckResult) => `${check.name}: ${problem}`;

function factsOf(url: string, results: readonly CheckResult[], secret: string | undefined): object {
  const rows = results.map(({ check: { code, name, isHard }, status, answers, problem }) => ({
    ...{ code, name, isHard, status, problem },
    answers: answers.map(({ status: answered, failure = null, tookMs }) => ({
      ...{ status: answered, failure, tookMs },
    })),
  }));
  const signatures = secret === undefined ? "not tried" : "tried";
  return { url, signatures, checks: rows, goOn: exploring(url, secret) };
}

/** The checks that decide, without those that were not tried. */
function testsOf(url: string, results: readonly CheckResult[]): Test[] {
  const tried = results.filter(({ check, status }) => check.isHard && status !== "notTried");
  return tried.map((result) => {
    const named = { name: result.check.name, path: url };
    return result.status === "passed"
      ? { ...named, status: "passed", problems: [] }
      : { ...named, status: "failed", problems: [`${causeOf(result)}\n${result.next}`] };
  });
}

/** The commands that write a scenario with its webhook, and explore the same server in it. */
function exploring(url: string, secret: string | undefined): string {
  const { origin } = new URL(url);
  const signing = secret === undefined ? "" : ' --secret "$SECRET"';
  const local = endpointUrlProblem(url, false) === undefined ? "" : " --allow-local";
  return (
    `npx ringback trigger call.ended --to ${quoted(url)}${signing} --print > call-ended.yaml && ` +
    `npx ringback explore call-ended.yaml${local} --server ${quoted(origin)} --reset /reset --check callLog=/calls`
  );
}
