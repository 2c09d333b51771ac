import type { PossibleDeviation } from "../../engine/deviations.ts";
import { type CallerDeviation, callerDeviations } from "../../network/request-deviations.ts";
import { ANONYMOUS, callerOrAnonymous } from "../../records/withheld.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { Directory } from "../directory/directory.ts";
import type { Phonebooks } from "../phonebooks/phonebooks.ts";
import type { InboundArguments } from "./schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly phonebooks: Phonebooks;
}

/** The options at each call, by who would call without them. */
const othersThan = Object.fromEntries(
  callerDeviations.map((kind) => [
    kind,
    callerDeviations.filter((each) => each !== kind).map((is) => Object.freeze({ is })),
  ]),
) as unknown as Readonly<Record<CallerDeviation, readonly PossibleDeviation[]>>;

/** A short code, which no call from outside can have as its number otherwise. */
const SHORT_CODE = "24680";

/**
 * Puts another caller into a call's arguments, if a deviation is planned for it. So journals and timelines have the number that
 * really calls.
 */
export function withDeviatingCaller(services: Needs, args: InboundArguments): InboundArguments {
  const { deviations, now, options } = services.engine;
  if (!deviations.isActive) return args;
  const { from } = args;
  const possible = othersThan[findKind(from, services)].filter(
    ({ is }) => is !== "contact" || services.phonebooks.firstKnownNumber() !== undefined,
  );
  const point = deviations.numberPoint({ what: "caller", at: now - options.startMs, of: from });
  const deviation = deviations.deviationAt(point, possible);
  if (deviation === undefined) return args;
  deviations.distinguish(deviation);
  return { ...args, from: chooseNumber(deviation.is as CallerDeviation, args, services) };
}

function findKind(from: string, { phonebooks }: Needs): CallerDeviation {
  if (callerOrAnonymous(from) === ANONYMOUS) return "withheld";
  if (!from.startsWith("+")) return "shortCode";
  return phonebooks.isKnown(from) ? "contact" : "unknown";
}

function chooseNumber(kind: CallerDeviation, args: InboundArguments, services: Needs): string {
  if (kind === "withheld") return ANONYMOUS;
  if (kind === "shortCode") return SHORT_CODE;
  if (kind === "contact") return services.phonebooks.firstKnownNumber() ?? args.from;
  return unknownNumber(args, services);
}

/** A number of the same length and country that nobody has whom the organisation knows. */
function unknownNumber({ from, to }: InboundArguments, { phonebooks, directory }: Needs): string {
  const like = from.startsWith("+") ? from : to;
  for (let more = 1; more < 1_000; more++) {
    const ending = String((Number(like.slice(-3)) + more) % 1_000).padStart(3, "0");
    const number = like.slice(0, -3) + ending;
    if (!phonebooks.isKnown(number) && directory.findOwner(number) === undefined) return number;
  }
  return from;
}
