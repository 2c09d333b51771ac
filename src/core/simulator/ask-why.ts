import * as v from "valibot";
import { type Keys, notFound } from "../foundation/errors.ts";
import { object, readInput, text } from "../foundation/input-schemas.ts";
import { type InstantInput, readDurationMs, readInstantMs } from "../foundation/instants.ts";
import type { Services } from "../platform/catalogue/services.ts";
import { type Why, whyNoRing } from "../why/answer.ts";
import { findPerson } from "../why/person-state.ts";
import { whyNames } from "../why/words.ts";

/** What `sim.why` is asked. */
export interface WhyQuestion {
  /** A user's id or e-mail address, or a device's id. */
  readonly who: string;
  /** The id of the call for which they do not ring. Default: any call. */
  readonly rings?: string;
  /** A time since the start of the run (`PT20S`), or an instant. Default: now. */
  readonly at?: InstantInput;
}

/** What the answer needs of a simulator. */
interface AskedRun {
  readonly services: Services;
  readonly startTimestamp: number;
}

/** The run at an instant. @throws {InputError} with these keys, for the future and before the start */
type RunAt = (instantMs: number, keys: Keys) => AskedRun;

const questionSchema = object({
  who: text("expected a user's id or e-mail address, or a device's id"),
  rings: v.optional(text("expected the id of a call")),
  at: v.optional(v.unknown()),
});

/** @throws {InputError | CommandError} as `Simulator.why` */
export function askWhy(run: AskedRun, runAt: RunAt, question: WhyQuestion): Why {
  const { who, rings, at } = readInput(questionSchema, question, ["why"]);
  const { services, startTimestamp } = run;
  const person = findPerson(services, who);
  if (person === undefined) throw notFound("user or device", who, services.directory.usersAndDevices());
  const callId = rings === undefined ? undefined : services.callRecords.find(rings).id;
  const asked = at === undefined ? services : runAt(readAt(at, startTimestamp), AT).services;
  const then = findPerson(asked, person.record.id) ?? person;
  return whyNoRing(asked, then, callId, whyNames(services, startTimestamp));
}

const AT = ["why", "at"];

/** @throws {InputError} if it is no instant */
function readAt(at: unknown, startMs: number): number {
  const isFromStart = typeof at === "string" && at.startsWith("P");
  return isFromStart ? startMs + readDurationMs(at, AT) : readInstantMs(at, AT);
}
