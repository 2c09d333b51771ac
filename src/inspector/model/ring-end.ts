import { ringStates } from "../../core/narration/state-spans.ts";
import type { MachineTypes, StateOf } from "../../core/platform/base/machine-types.ts";
import type { LoggedStep, MachineInstance } from "./machine-log.ts";
import type { Recording } from "./recording.ts";

type RingAbout = MachineTypes["ring"]["about"];
type TeamOfferAbout = MachineTypes["teamOffer"]["about"];

/**
 * How a ring ended, as a clause.
 * @param all the machines of its call
 */
export function ringEndText(
  lanes: Recording["recorder"]["lanes"],
  ring: MachineInstance,
  last: LoggedStep,
  all: readonly MachineInstance[],
): string {
  const state = last.next.value as StateOf<"ring">;
  if (state === "withdrawn") return stopText(lanes, ring, last, all);
  return ringStates[state].end ?? `the ring ended as ${state}`;
}

/** Why a ring was stopped: derived from what its team's and call's machines did in the same step. */
function stopText(
  lanes: Recording["recorder"]["lanes"],
  { about }: MachineInstance,
  { row, event }: LoggedStep,
  all: readonly MachineInstance[],
): string {
  const { offerId } = (about as RingAbout).ring;
  const team = all.find((each) => each.machine === "teamOffer" && offerOf(each) === offerId);
  const at = team?.steps.findIndex((step) => step.row === row && step.previous?.value === "ringing") ?? -1;
  const step = team?.steps[at];
  const why = step?.event?.type ?? "";
  if (team !== undefined && why.startsWith("xstate.after.teamTimeout"))
    return `then the time of ${lanes.name((team.about as TeamOfferAbout).teamId)} was over`;
  if (why.startsWith("xstate.after.nextOffer")) {
    const next = team?.steps[at + 1]?.event;
    const isSame = next?.type === "RING" && "tier" in next && next.tier === tierOf(step?.previous);
    return isSame ? "then their turn was over, and came again" : "then it was the next tier's turn";
  }
  const outcome = event !== undefined && "outcome" in event ? event.outcome : undefined;
  if (outcome === "answeredElsewhere") return "then someone else answered";
  if (outcome === "timeout") return "then their time was over";
  const isOver = all.some(({ machine, steps }) => machine === "call" && steps.at(-1)?.row === row);
  return isOver ? "then the call was over" : "then they were stopped";
}

const offerOf = ({ about }: MachineInstance) => (about as TeamOfferAbout).offerId;

function tierOf(before: LoggedStep["previous"]): unknown {
  return (before?.context as { tier?: number | null } | undefined)?.tier;
}
