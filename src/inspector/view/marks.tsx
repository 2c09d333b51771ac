import type { Outcome, PageRowKind } from "../model/types.ts";
import type { Tone } from "./tones.ts";

/** The marks. Each kind has its own shape, so that colour is never the only cue. */

export type MarkName = PageRowKind | "delivered" | "wait" | "idle" | "info";

const paths: Readonly<Record<MarkName, preact.ComponentChildren>> = {
  command: (
    <path
      d="M4 2.6v10.8a.8.8 0 0 0 1.2.7l8.2-5.4a.8.8 0 0 0 0-1.4L5.2 1.900A.8.8 0 0 0 4 2.600z"
      fill="var(--command)"
    />
  ),
  ring: (
    <g fill="none" stroke="var(--ring)" stroke-width="1.8" stroke-linecap="round">
      <circle cx="8" cy="8" r="2" fill="var(--ring)" stroke="none" />
      <path d="M4 3.600a6.2 6.2 0 0 0 0 8.800M12 3.600a6.2 6.2 0 0 1 0 8.8" />
    </g>
  ),
  answer: (
    <>
      <circle cx="8" cy="8" r="6.7" fill="var(--answer)" />
      <path
        d="m4.9 8.3 2.2 2.1 4-4.4"
        fill="none"
        stroke="var(--panel)"
        stroke-width="1.9"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </>
  ),
  voicemail: (
    <path
      d="M2 6.500v3M5 3.500v9M8 5.500v5M11 2v12M14 6v4"
      stroke="var(--voicemail)"
      stroke-width="1.9"
      stroke-linecap="round"
    />
  ),
  message: (
    <path
      d="M3.6 2h8.800c.9 0 1.6.7 1.6 1.600v5.800c0 .9-.7 1.6-1.6 1.600H7.200L4 14v-3h-.400c-.9 0-1.6-.7-1.6-1.600V3.600C2 2.7 2.7 2 3.6 2z"
      fill="var(--message)"
    />
  ),
  cards: (
    <>
      <rect
        x="1.7"
        y="2.7"
        width="12.6"
        height="10.6"
        rx="2"
        fill="none"
        stroke="var(--cards)"
        stroke-width="1.7"
      />
      <path
        d="M4.600 6.400h6.800M4.600 9.600h4"
        stroke="var(--cards)"
        stroke-width="1.7"
        stroke-linecap="round"
      />
    </>
  ),
  state: (
    <path
      d="M2.5 4.200h6M2.5 8h11M2.5 11.800h8M12 2.400v3.600M10.200 4.200h3.600"
      fill="none"
      stroke="var(--state)"
      stroke-width="1.8"
      stroke-linecap="round"
    />
  ),
  event: <path d="M8 1.2 14.8 8 8 14.8 1.2 8z" fill="var(--event)" />,
  delivered: (
    <g
      fill="none"
      stroke="var(--delivered)"
      stroke-width="1.8"
      stroke-linejoin="round"
      stroke-linecap="round"
    >
      <rect x="1.9" y="1.9" width="12.2" height="12.2" rx="3" />
      <path d="m5 8.2 2.1 2.100L11 6" />
    </g>
  ),
  failed: (
    <>
      <path d="M5.2 1.200h5.600l4 4v5.600l-4 4H5.200l-4-4V5.200z" fill="var(--failed)" />
      <path
        d="m5.4 5.4 5.2 5.200m0-5.2-5.2 5.2"
        stroke="var(--panel)"
        stroke-width="1.9"
        stroke-linecap="round"
      />
    </>
  ),
  retry: (
    <>
      <path
        d="M13.2 8a5.2 5.2 0 1 1-1.7-3.9"
        fill="none"
        stroke="var(--retry)"
        stroke-width="1.9"
        stroke-linecap="round"
      />
      <path d="M13.6 1.400v4.200H9.400z" fill="var(--retry)" />
    </>
  ),
  lost: (
    <>
      <circle
        cx="8"
        cy="8"
        r="6.2"
        fill="none"
        stroke="var(--lost)"
        stroke-width="1.7"
        stroke-dasharray="3.2 2.6"
      />
      <path
        d="M6.2 6.400a1.8 1.8 0 1 1 2.6 1.600c-.6.3-.8.6-.8 1.2"
        fill="none"
        stroke="var(--lost)"
        stroke-width="1.5"
        stroke-linecap="round"
      />
      <circle cx="8" cy="11.3" r="1" fill="var(--lost)" />
    </>
  ),
  timer: (
    <path
      d="M3.5 1.800h9M3.5 14.200h9M4.6 2v2.600L8 8l3.4-3.400V2M4.6 14v-2.600L8 8l3.4 3.400V14"
      fill="none"
      stroke="var(--timer)"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  ),
  rest: (
    <path
      d="M1.6 5.400h11M9.8 2.400l3 3-3 3M14.4 10.600h-11M6.2 7.600l-3 3 3 3"
      fill="none"
      stroke="var(--rest)"
      stroke-width="1.7"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  ),
  unexplained: (
    <>
      <path
        d="M8 1.300 15.200 14.200H.8z"
        fill="var(--unexplained)"
        stroke="var(--unexplained)"
        stroke-linejoin="round"
      />
      <path d="M8 5.600v4" stroke="var(--panel)" stroke-width="1.8" stroke-linecap="round" />
      <circle cx="8" cy="12.1" r="1.05" fill="var(--panel)" />
    </>
  ),
  wait: (
    <circle
      cx="8"
      cy="8"
      r="5.5"
      fill="none"
      stroke="var(--command)"
      stroke-width="1.8"
      stroke-dasharray="2.6 2.2"
    />
  ),
  idle: <circle cx="8" cy="8" r="1.8" fill="var(--text3)" />,
  info: (
    <g fill="none" stroke="var(--text2)" stroke-width="1.5" stroke-linecap="round">
      <path d="M5.6 10.800a4.4 4.4 0 1 1 4.8 0v1.400H5.600zM6.2 14.400h3.6" />
    </g>
  ),
};

/** Defines all shapes once for the page, for `<Mark>`, the ladder and the scrubber. */
export function MarkShapes() {
  return (
    <svg width="0" height="0" class="sr" aria-hidden="true">
      <defs>
        {Object.entries(paths).map(([name, shape]) => (
          <symbol key={name} id={`mark-${name}`} viewBox="0 0 16 16">
            {shape}
          </symbol>
        ))}
        <pattern
          id="hatch-ring"
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="5" height="5" fill="var(--panel)" />
          <rect width="2.6" height="5" fill="var(--ring)" />
        </pattern>
        <pattern id="weave-voicemail" width="8" height="6" patternUnits="userSpaceOnUse">
          <rect width="8" height="6" fill="var(--panel)" />
          <path d="M0 1.500h8M1.5 4.500h5" stroke="var(--voicemail)" stroke-width="1.8" />
        </pattern>
      </defs>
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
