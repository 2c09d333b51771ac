import * as v from "valibot";
import type { Keys } from "../foundation/errors.ts";
import {
  duration,
  flag,
  instant,
  list,
  object,
  oneOf,
  readInput,
  text,
  wholeNumber,
} from "../foundation/input-schemas.ts";
import { durationMs } from "../foundation/instants.ts";
import { show } from "../foundation/show.ts";
import type { CommandName } from "../platform/base/core-services.ts";
import { commands } from "../platform/catalogue/commands.ts";
import { formsOf, methodNames } from "../platform/catalogue/forms.ts";
import type { AnyCommand } from "../platform/declare/any-command.ts";
import { assumptionsSchema } from "../platform/declare/assumptions.ts";
import { type EventType, eventTypes } from "../platform/declare/events.ts";
import { profileNames } from "../platform/declare/profile.ts";
import { dialectNamesSchema, timingSchema } from "../platform/declare/settings.ts";
import { urlsSchema } from "../platform/declare/urls.ts";
import { webhookSettingsSchema } from "../platform/declare/webhook-settings.ts";
import { organisationSchema } from "../platform/organisation/schema.ts";
import { withPassthrough } from "../platform/redirect/schemas.ts";
import { networkSchema } from "../simulator/options.ts";
import { deviationSchema } from "./deviations.ts";
import { questionSchema } from "./question-schema.ts";
import type { ExpectedLine } from "./scenario.ts";

/**
 * The schema of a scenario file. Steps have the schemas of the platform's commands. The editor's JSON Schema
 * (`scenarios/scenario.schema.json`) is made from this one.
 */

const optional = v.optional;

const lineExample = 'an offset from the start and an event type, such as "PT6S call.answered"';

/** One line of the expected stream: `PT6S call.answered`. */
export const eventLine = v.pipe(
  v.string(
    (issue) => `expected ${lineExample}, { event, match } or { attempt, ... }, got ${show(issue.input)}`,
  ),
  v.metadata({ pattern: `^\\s*P\\S+\\s+(${eventTypes.join("|").replaceAll(".", "\\.")})\\s*$` }),
  v.rawTransform(({ dataset, addIssue, NEVER }): { atMs: number; type: EventType } => {
    const [offset = "", type = "", ...rest] = dataset.value.trim().split(/\s+/);
    const atMs = durationMs(offset) ?? -1;
    const isOffset = Number.isInteger(atMs) && atMs >= 0;
    const known = eventTypes.find((each) => each === type);
    if (isOffset && known !== undefined && rest.length === 0) return { atMs, type: known };
    const isShaped = isOffset && type !== "" && rest.length === 0;
    const expected = isShaped ? `one of the event types ${eventTypes.join(", ")}` : lineExample;
    addIssue({ message: `expected ${expected}, got ${show(dataset.value)}` });
    return NEVER;
  }),
);

/** A line with a subset of the event's data. */
export const matchingLine = object({
  /** The event's offset from the start and its type, such as `PT6S call.answered`. */
  event: eventLine,
  /** A part of the event's `data`: objects by the keys that are named, lists item by item. */
  match: optional(
    v.record(v.string(), v.unknown(), (issue) => `expected a part of the data, got ${show(issue.input)}`),
  ),
});

/**
 * Reads a line of the expected stream, with or without a subset of the event's data.
 * @throws {InputError} saying what was expected
 */
export function readEventLine(line: unknown, keys: Keys): ExpectedLine {
  if (typeof line !== "object" || line === null)
    return { ...readInput(eventLine, line, keys), match: undefined };
  const { event } = readInput(matchingLine, line, keys);
  // taken as given: reading would destroy a test framework's matchers
  return { ...event, match: (line as Partial<ExpectedLine>).match };
}

/** An expected request to a webhook: when it is sent with which event, and its other properties. */
export const attemptLine = object({
  /** When the request is sent, from the start, and the type of its event, such as `PT6S call.answered`. */
  attempt: eventLine,
  /** The name that `createWebhook` gave the webhook by `as`. */
  webhook: optional(text()),
  /** Which attempt of its delivery: 1 is the first. */
  number: optional(wholeNumber(1)),
  /** The status of the answer. */
  status: optional(wholeNumber(100, 599)),
  /** Why there is no answer: `timeout`, `refused` or `lost`. */
  failure: optional(text()),
  /** When the request is over, from the start. */
  ended: optional(duration()),
  /** Whether the network made it from another request. */
  duplicate: optional(flag()),
  /** How the delivery ends. */
  state: optional(oneOf(["pending", "delivered", "givenUp", "dropped"])),
  /** Why the delivery ends so. */
  reason: optional(oneOf(["rejected", "exhausted", "disabled", "deleted"])),
});

/** The keys of a scenario file. Values of any type here are read one by one, each by its own schema. */
export const headEntries = {
  /** The rule that the scenario shows. */
  scenario: text(),
  /** What to notice. */
  description: optional(text()),
  /** The version of ringback's rules that it was written for, as in the files of a corpus. Others are refused. */
  rules: optional(wholeNumber(1)),
  /** The name of a file in `organisations/` beside the scenario, or a whole organisation. @default "acme" */
  organisation: optional(v.unknown()),
  /** Seeds all randomness. @default 1 */
  seed: optional(v.union([v.string(), v.number()], "expected text or a number")),
  /** The instant at which virtual time starts. @default "2026-07-01T00:00:00Z" */
  start: optional(instant()),
  /** How ids look; those of `counter` are `call-1`, `call-2`. @default "counter" */
  ids: optional(oneOf(["nanoid", "counter", "uuid"])),
  /** Other defaults for `timing`, `assume` and `dialect`, and other shapes of bodies: `observed`. @default none */
  profile: optional(oneOf(profileNames)),
  /** Other default durations, by name. */
  timing: optional(v.unknown()),
  /** What the platform does where its documentation is silent, by name. */
  assume: optional(v.unknown()),
  /** How requests travel to endpoints. */
  network: optional(v.unknown()),
  /** Other names on the wire. */
  dialect: optional(v.unknown()),
  /** How webhooks are attempted. */
  webhooks: optional(v.unknown()),
  /** The base URLs in answers and events, http or https. @default hosts under `ringback.test` */
  urls: optional(v.unknown()),
  /** How long to play, from the start. @default until nothing is scheduled but working hours */
  until: optional(duration()),
  /** The commands, in the order of time. */
  steps: list(v.unknown()),
  /** What the network and the platform do differently, one item for each place. */
  deviations: optional(list(v.unknown())),
  /** The whole stream of events in order, and all attempts of deliveries. */
  expect: optional(list(v.unknown())),
  /** What a class or a reader is asked about the run. */
  questions: optional(list(v.unknown())),
};

/** A name for the call, conversation or webhook that a command makes. */
const as = optional(text());
const schemasWithAs = new Map<string, v.GenericSchema>(
  Object.entries<AnyCommand>(commands).flatMap(([name, { makes, schema }]) =>
    makes === undefined ? [] : [[name, withAs(schema)]],
  ),
);

/** The schema of a command's arguments with `as` as its first key. */
function withAs(schema: v.GenericSchema): v.GenericSchema {
  const { entries } = schema as v.GenericSchema & { readonly entries: v.ObjectEntries };
  if (schema.type !== "object_with_rest") return object({ as, ...entries });
  const { passthroughParameters: _, ...others } = entries;
  return withPassthrough({ as, ...others });
}

/** The schema of the arguments of a step's command, with `as` if it makes something. */
export function argumentsOf(name: CommandName): v.GenericSchema<unknown, Readonly<Record<string, unknown>>> {
  return (schemasWithAs.get(name) ?? commands[name].schema) as ReturnType<typeof argumentsOf>;
}

/** The keys that a step's arguments may have, in any form. */
export function argumentKeys(name: StepName): string[] {
  const command = commandOfStep[name];
  const keys = [command, ...formsOf(command).map(([form]) => form)].flatMap((each) =>
    Object.keys((argumentsOf(each) as { entries?: object }).entries ?? {}),
  );
  return [...new Set(keys)];
}

export const eventType = oneOf(eventTypes);

/** When a step is played: at a time from the start, or after an event. */
export const whenSchema = object({
  /** When the step is played, from the start. Timers that are due at the same instant come first. */
  at: optional(duration()),
  /** The type of the event that the step waits for. */
  on: optional(eventType),
  /** The call or conversation (its `as`), user or team that the event is about. @default any */
  of: optional(text()),
  /** Which of these events, 1 for the first. @default 1 */
  nth: optional(wholeNumber(1)),
  /** How long after the event the step is played. @default at once */
  plus: optional(duration()),
  /** A name for the call or the conversation of the event: what the platform begins by itself has no other. */
  as: optional(text()),
});

/** The keys of a step that say when it is played. `as` is one only beside `on`: elsewhere it is an argument. */
export function listWhenKeys(step: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(whenSchema.entries);
  return Object.hasOwn(step, "on") ? keys : keys.filter((key) => key !== "as");
}

/** Commands by which `sim.fetch` records requests. Not allowed as steps. */
export const commandsWithoutStep: readonly string[] = ["restAsked", "restServed"] satisfies CommandName[];
type StepCommand = Exclude<CommandName, "restAsked" | "restServed">;

/** The names of steps: a command's name, or the name of the method that issues it. */
export type StepName = StepCommand | keyof typeof methodNames;

/** The command of each step's name. */
export const commandOfStep = {
  ...(Object.fromEntries(
    Object.keys(commands)
      .filter((name) => !commandsWithoutStep.includes(name))
      .map((name) => [name, name]),
  ) as { [Name in StepCommand]: Name }),
  ...methodNames,
} satisfies Record<StepName, CommandName>;

/** Whether a key names a step. */
export const isStepName = (key: string): key is StepName => Object.hasOwn(commandOfStep, key);

export const stepNames = Object.keys(commandOfStep) as readonly StepName[];

/** The schemas of the steps of one name, by time and by event: `{ at: PT6S, answer: { call: c1, by: alice } }`. */
const stepSchemas = stepNames.flatMap((name) => {
  const { at, on, ...more } = whenSchema.entries;
  const own = commandOfStep[name];
  const forms = [own, ...formsOf(own).map(([form]) => form)].map(argumentsOf);
  const command = { [name]: forms.length === 1 ? argumentsOf(own) : v.union(forms) };
  return [object({ at: v.unwrap(at), ...command }), object({ on: v.unwrap(on), ...more, ...command })];
});

/** The schema of the whole file, for the editor. */
export const scenarioSchema = object({
  ...headEntries,
  organisation: optional(v.union([text(), organisationSchema])),
  timing: optional(timingSchema),
  assume: optional(assumptionsSchema),
  network: optional(networkSchema),
  dialect: optional(dialectNamesSchema),
  webhooks: optional(webhookSettingsSchema),
  urls: optional(urlsSchema),
  steps: list(v.union(stepSchemas)),
  deviations: optional(list(deviationSchema)),
  expect: optional(list(v.union([matchingLine, attemptLine, eventLine]))),
  questions: optional(list(questionSchema)),
});
