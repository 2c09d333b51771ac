import * as v from "valibot";
import type { Engine } from "../../engine/engine.ts";
import type { Keys } from "../../foundation/errors.ts";
import { duration, object, readInput, text } from "../../foundation/input-schemas.ts";
import type { Call } from "./call.ts";

/** The command of a journal entry for a call that the app made to a dependency. A replay calls nobody. */
export const DEPENDENCY_ENTRY = "dependency.called";

/** A call that the app made to a dependency, and what it got. Bodies and messages stay with the app. */
const calledSchema = object({
  /** The dependency's name, such as `crm`. */
  dependency: text(),
  /** What was called: `POST /activities`, `INSERT INTO calls`, or the name of a method. */
  call: text(),
  /** A status, `done`, or what the app's call threw: a code such as `ECONNREFUSED`, or a class. Empty: the app got nothing, or not yet when the journal was taken. */
  answer: v.string(),
  /** What an exploration did to the call, such as `refused` or `slow`. */
  deviation: v.optional(text()),
  /** How much later the answer came. */
  after: v.optional(duration()),
  /** The id of the platform's request whose handler called. */
  during: v.optional(text()),
});
export type DependencyCalled = v.InferOutput<typeof calledSchema>;

/** Notes a call that a journal has. @throws {InputError} */
export function replayCalled(engine: Recorded, args: unknown, keys: Keys): void {
  recordCalled(engine, readInput(calledSchema, args, keys));
}

type Recorded = Pick<Engine<never, never>, "record" | "tracer">;

/** Notes a call in the journal, and for whoever narrates the run. */
export function recordCalled(engine: Recorded, called: DependencyCalled): void {
  engine.record(DEPENDENCY_ENTRY, called);
  engine.tracer?.command(DEPENDENCY_ENTRY, called);
}

/** What a call gave: the status of a request over HTTP. */
export function writeAnswer(value: unknown, { http }: Pick<Call, "http">): string {
  return String((http && statusOf(value)) ?? "done");
}

/** What a call threw: the status in it, its code, or its class. Its message may hold what is private. */
export function thrownWords(error: unknown): string {
  const status = statusOf(error) ?? statusOf(readField(error, "response"));
  if (status !== undefined) return String(status);
  const code = [error, readField(error, "cause")].map((each) => readField(each, "code")).find(isCode);
  return code ?? (error instanceof Error ? error.constructor.name || "Error" : "an error");
}

const isCode = (code: unknown): code is string => typeof code === "string" && /^[A-Z0-9_]{2,40}$/.test(code);

function statusOf(value: unknown): number | undefined {
  const isResponse = Object.prototype.toString.call(value) === "[object Response]";
  const status: unknown = isResponse ? (value as Response).status : readField(value, "status");
  return typeof status === "number" && status >= 100 && status < 600 ? status : undefined;
}

/** An object's own field that is data: a getter might do something. */
function readField(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** A call in words, with its dependency as the actor: `POST /activities - 201`, `insert - refused (deviation)`. */
export function calledWords({ call, answer, deviation = "", after }: DependencyCalled) {
  const [outcome, why] = outcomes[deviation] ?? [
    answer === "" ? "not answered" : answer,
    deviation === "" ? undefined : "deviation",
  ];
  return { verb: `${call} - ${outcome}`, outcome, why, laterMs: after };
}

/** What becomes of a call whose answer the app never gets, and why. */
const outcomes: Readonly<Record<string, readonly [outcome: string, why: string]>> = {
  refused: ["refused", "deviation"],
  outage: ["refused", "outage"],
  unanswered: ["answer lost", "deviation"],
  restarted: ["not asked", "the app restarts"],
  restartedAfter: ["done", "the app restarts"],
};
