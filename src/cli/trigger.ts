import { InvalidArgumentError, Option } from "commander";
import { parse } from "yaml";
import { nearest, withSuggestion } from "../core/foundation/suggestions.ts";
import type { ShortestScenario } from "../core/platform/base/shortest.ts";
import { events } from "../core/platform/catalogue/events.ts";
import { type EventType, eventTypes } from "../core/platform/declare/events.ts";
import type { DialectInput } from "../core/platform/declare/settings.ts";
import { problemText, ScenarioError } from "../core/scenario/scenario.ts";
import { quoted } from "../findings/quoted.ts";
import { readPhoneNumber } from "../phone-numbers/index.ts";
import { newToken } from "../server/access.ts";
import { answerText, isTaken, senderTo } from "../server/app-answers.ts";
import { epochMs } from "../server/clock.ts";
import { type PlayedEvent, playEvents, scenarioText, signedHeaders } from "../server/played-events.ts";
import { dialectOption, jsonOption, secretArgument, toUsageError, urlArgument } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";
import { dialectIn } from "./serve.ts";

/** `ringback trigger` brings one event about, and prints it or sends it to an app. */

interface TriggerFlags {
  readonly to?: string;
  readonly secret?: string;
  readonly set?: readonly Change[];
  readonly print?: boolean;
  readonly dialect?: string;
}

/** A new value for an argument of a step: `--set hangup.by=alice`. */
interface Change {
  /** The step, by its command. */
  readonly step: string;
  readonly key: string;
  readonly value: string;
}

/** `ringback trigger`. */
export const triggerCommand: CommandRow = {
  name: "trigger",
  group: "app",
  summary: "play the shortest scenario that reaches an event, and print the event or send it",
  mayChange: true,
  declare: (command, output, exit) => {
    command
      .argument("<event>", "the event's type, such as call.ended", readEventType)
      .option("--to <url>", "an app to send the event to, signed, as if it happened now", urlArgument)
      .option(
        "--secret <secret>",
        "what to sign with; default: a random one, which is printed",
        secretArgument,
      )
      .option(
        "--set <step.key=value>",
        "change an argument of a step, or when it is played (at), such as hangup.by=dave; may be given again",
        readChange,
      )
      .addOption(
        new Option(
          "--print",
          "instead: print the scenario, which `ringback run` plays and you can go on from; with --to, it creates the app's webhook",
        ).conflicts("dialect"),
      )
      .addOption(dialectOption())
      .addOption(jsonOption())
      .action((type: EventType, flags: TriggerFlags) => exit(trigger(type, flags, output)));
  },
};

/** @throws {InvalidArgumentError} unless it is an event type */
function readEventType(text: string): EventType {
  const found = eventTypes.find((each) => each === text);
  if (found !== undefined) return found;
  const message = `Expected one of the event types ${eventTypes.join(", ")}`;
  throw new InvalidArgumentError(withSuggestion(message, nearest(text, eventTypes)));
}

function readChange(text: string, before: readonly Change[] = []): readonly Change[] {
  const [, step, key, value] = /^(\w+)\.(\w+)=(.*)$/s.exec(text) ?? [];
  if (step === undefined || key === undefined || value === undefined)
    throw new InvalidArgumentError("Expected step.key=value, such as hangup.by=dave.");
  return [...before, { step, key, value }];
}

/**
 * Brings the event about.
 * @returns the exit code: 0, or 1 if the app does not take the event
 * @throws {UsageError} if a change is not possible, or the app cannot be reached
 */
async function trigger(type: EventType, flags: TriggerFlags, output: CommandOutput): Promise<number> {
  const { to, secret, set = [], print = false } = flags;
  if (secret !== undefined && to === undefined)
    throw new UsageError("there is nothing to sign; add --to <url>", "--secret");
  const dialect = await dialectIn(flags.dialect);
  const scenario = set.reduce(changed, events[type].shortest);
  const text = scenarioText(scenario);
  const first = playTo(type, text, { dialect });
  if (to !== undefined && !print)
    return send(type, text, first.offsetMs, { url: to, secret, dialect }, output);
  const event = JSON.parse(first.body);
  const printed = to === undefined ? text : scenarioText(withWebhook(scenario, type, to, secret));
  if (output.isJson) output.out(output.result([], { event, scenario: printed }));
  else output.out(print ? printed : `${JSON.stringify(event, null, 2)}\n`);
  return 0;
}

/** The same, with a webhook for the event first. */
function withWebhook(
  scenario: ShortestScenario,
  type: EventType,
  url: string,
  signingSecret: string | undefined,
): ShortestScenario {
  const signing = signingSecret === undefined ? {} : { signingSecret };
  const args = { as: "app", url, events: [type], ...signing };
  return { ...scenario, steps: [{ command: "createWebhook", at: "PT0S", args }, ...scenario.steps] };
}

/** Applies one change. @throws {UsageError} naming the steps or the arguments that there are */
function changed(scenario: ShortestScenario, { step, key, value }: Change): ShortestScenario {
  const commands = scenario.steps.map(({ command }) => command);
  if (!commands.some((each) => each === step))
    throw new UsageError(`no step is named ${step}; the steps are ${commands.join(", ")}`, "--set");
  if (key === "as") throw new UsageError("`as` is the name that later steps use", "--set");
  const steps = scenario.steps.map((each) => {
    if (each.command !== step) return each;
    return key === "at"
      ? { ...each, at: value }
      : { ...each, args: { ...each.args, [key]: givenValue(value) } };
  });
  return { ...scenario, steps };
}

/** Reads lists, objects, flags and null as YAML. Everything else is text, as numbers of phones and extensions are. */
function givenValue(text: string): unknown {
  if (!/^(true|false|null|\[.*\]|\{.*\})$/s.test(text)) return text;
  try {
    return parse(text);
  } catch {
    throw new UsageError(`${text} is not well-formed YAML`, "--set");
  }
}

/** Plays a scenario to an event. @throws {UsageError} if it cannot be played, or does not reach the event */
function playTo(type: EventType, text: string, options: Parameters<typeof playEvents>[1]): PlayedEvent {
  const played = playedOrRefused(text, options);
  const found = played.get(type);
  if (found !== undefined) return found;
  if (options?.dialect !== undefined && playedOrRefused(text, { ...options, dialect: undefined }).has(type))
    throw new UsageError(`${type} is left out: expected a body`, "--dialect");
  const others = [...played.keys()].join(", ") || "no event";
  throw new UsageError(`${type} does not happen with these arguments, but ${others}`, "--set");
}

function playedOrRefused(text: string, options: Parameters<typeof playEvents>[1]) {
  try {
    return playEvents(text, { ...options, phoneNumbers: readPhoneNumber });
  } catch (error) {
    if (error instanceof ScenarioError)
      throw new UsageError(error.problems.map(problemText).join("; "), "--set");
    throw toUsageError(error);
  }
}

/** Plays the scenario so that the event happens now, and sends its request. */
async function send(
  type: EventType,
  text: string,
  offsetMs: number,
  given: {
    readonly url: string;
    readonly secret: string | undefined;
    readonly dialect: DialectInput | undefined;
  },
  output: CommandOutput,
): Promise<number> {
  const { url, dialect, secret = newToken() } = given;
  const nowMs = epochMs();
  // another seed, so that the app does not take it for an event that it has seen
  const played = playTo(type, text, { dialect, startMs: nowMs - offsetMs, seed: `${nowMs} ${newToken()}` });
  const { body } = played;
  const answer = await (await senderTo(url))(body, signedHeaders(body, secret, nowMs, dialect));
  if (!answer.isReached) throw new UsageError(`the app cannot be reached: ${answer.failure}`, url);
  const said = `${type}: ${answerText(answer)}`;
  const problems: CommandFailure[] = isTaken(answer)
    ? []
    : [
        {
          cause: said,
          place: url,
          next: `\`npx ringback probe ${quoted(url)}\` tries what an app must do`,
        },
      ];
  const signedWith = given.secret === undefined ? { secret } : {};
  if (output.isJson)
    output.out(
      output.result(problems, {
        event: JSON.parse(body),
        scenario: text,
        status: answer.status,
        ...signedWith,
      }),
    );
  else {
    if (given.secret === undefined) output.out(`signed with ${secret}\n`);
    if (isTaken(answer)) output.out(`${said}\n`);
    else output.err(`ringback: ${url}: ${said}\n`);
  }
  return problems.length === 0 ? 0 : 1;
}
