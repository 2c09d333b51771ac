import type { Services } from "../platform/catalogue/services.ts";
import { type NoRingCause, noRingCauses } from "./no-ring.ts";
import { type Person, personState } from "./person-state.ts";
import { causeSentence, type Names, stateSentence } from "./words.ts";

/** A reason why somebody did not ring at an instant. */
export interface WhyCause {
  /** What it is, such as `on` (a call), `outOfHours`, `declined`, `turn` (of another tier) or `voicemail`. */
  readonly is: NoRingCause["is"];
  /** The reason as a sentence. */
  readonly text: string;
}

/** Why somebody did not ring at an instant. */
export interface Why {
  /** The whole answer, which begins with what they did. */
  readonly text: string;
  /** The reasons, those that decide first. One whose `is` is `rings` says that they rang. */
  readonly causes: readonly WhyCause[];
}

/** A cause with the call that it is about; null without one. */
interface FoundCause {
  readonly call: string | null;
  readonly cause: NoRingCause;
}

/**
 * Why somebody does not ring at the run's present instant.
 * @param callId for which call, which may not have begun; undefined for any
 */
export function whyNoRing(services: Services, person: Person, callId: string | undefined, names: Names): Why {
  const { id } = person.record;
  const found = callId === undefined ? ofAnyCall(services, person) : ofCall(services, person, callId);
  const causes = found.map(({ call, cause }) => ({
    is: cause.is,
    text: causeSentence(cause, id, call ?? "", names),
  }));
  const at = names.time(services.engine.now);
  const texts = [...new Set(causes.map(({ text }) => text))].join(" ");
  if (callId === undefined) {
    const state = stateSentence(personState(services, person), id, names);
    return { text: `At ${at}: ${texts.startsWith(state) ? texts : `${state} ${texts}`.trim()}`, causes };
  }
  const [first] = causes;
  const did = first?.is === "rings" ? "rang" : "did not ring";
  return { text: `${names.person(id)} ${did} for ${names.call(callId)} at ${at}. ${texts}`.trim(), causes };
}

function ofCall(services: Services, person: Person, callId: string): FoundCause[] {
  return noRingCauses(services, person, callId).map((cause) => ({ call: callId, cause }));
}

/** What they do instead, or why none of the live calls rings them. */
function ofAnyCall(services: Services, person: Person): FoundCause[] {
  const state = personState(services, person);
  if (state.is !== "free") return [{ call: null, cause: state }];
  const live = services.live.ids();
  if (live.length === 0) return [{ call: null, cause: { is: "noCall" } }];
  return live.flatMap((callId) => ofCall(services, person, callId));
}
