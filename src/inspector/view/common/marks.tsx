import { type MarkName, markDefinitions } from "../../../look/marks.ts";
import type { Outcome } from "../../model/types.ts";
import type { Tone } from "./tones.ts";

/** Defines all shapes once for the page, for `<Mark>`, the ladder and the scrubber. */
export function MarkShapes() {
  return (
    <svg width="0" height="0" class="sr" aria-hidden="true">
      <defs dangerouslySetInnerHTML={{ __html: markDefinitions }} />
    </svg>
  );
}

export function Mark({ name, small = false }: { name: MarkName; small?: boolean }) {
  return (
    <svg class={small ? "mark small" : "mark"} viewBox="0 0 16 16" aria-hidden="true">
      <use href={`#mark-${name}`} />
    </svg>
  );
}

/** A line drawing on a button. */
export function Icon({ d, fill = false }: { d: string; fill?: boolean }) {
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={d}
        fill={fill ? "currentColor" : "none"}
        stroke={fill ? "none" : "currentColor"}
        stroke-width="1.7"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** The mark of a request's result. */
export const outcomeMarks: Readonly<Record<Outcome["kind"], MarkName>> = {
  delivered: "delivered",
  failed: "failed",
  lost: "lost",
  pending: "timer",
};

/** The name of each kind. */
export const kindNames: Readonly<Record<Tone, string>> = {
  command: "Command",
  ring: "Ring",
  answer: "Answer",
  voicemail: "Voicemail",
  event: "Event",
  delivered: "Delivered",
  failed: "Failed",
  retry: "Retried",
  lost: "Lost",
  timer: "Timer",
  message: "Message",
  cards: "Cards",
  rest: "REST",
  unexplained: "Unexplained",
  state: "Your app",
};
