/** The marks. Each kind of thing that happens has its own shape, so that colour is never the only cue. */

const shapes = {
  command:
    '<path d="M4 2.6v10.8a.8.8 0 0 0 1.2.7l8.2-5.4a.8.8 0 0 0 0-1.4L5.2 1.9A.8.8 0 0 0 4 2.6z" fill="var(--command)"/>',
  ring: '<g fill="none" stroke="var(--ring)" stroke-width="1.8" stroke-linecap="round"><circle cx="8" cy="8" r="2" fill="var(--ring)" stroke="none"/><path d="M4 3.6a6.2 6.2 0 0 0 0 8.8M12 3.6a6.2 6.2 0 0 1 0 8.8"/></g>',
  answer:
    '<circle cx="8" cy="8" r="6.7" fill="var(--answer)"/><path d="m4.9 8.3 2.2 2.1 4-4.4" fill="none" stroke="var(--panel)" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/>',
  voicemail:
    '<path d="M2 6.5v3M5 3.5v9M8 5.5v5M11 2v12M14 6v4" stroke="var(--voicemail)" stroke-width="1.9" stroke-linecap="round"/>',
  message:
    '<path d="M3.6 2h8.8c.9 0 1.6.7 1.6 1.6v5.8c0 .9-.7 1.6-1.6 1.6H7.2L4 14v-3h-.4c-.9 0-1.6-.7-1.6-1.6V3.6C2 2.7 2.7 2 3.6 2z" fill="var(--message)"/>',
  cards:
    '<rect x="1.7" y="2.7" width="12.6" height="10.6" rx="2" fill="none" stroke="var(--cards)" stroke-width="1.7"/><path d="M4.6 6.4h6.8M4.6 9.6h4" stroke="var(--cards)" stroke-width="1.7" stroke-linecap="round"/>',
  state:
    '<path d="M2.5 4.2h6M2.5 8h11M2.5 11.8h8M12 2.4v3.6M10.2 4.2h3.6" fill="none" stroke="var(--state)" stroke-width="1.8" stroke-linecap="round"/>',
  event: '<path d="M8 1.2 14.8 8 8 14.8 1.2 8z" fill="var(--event)"/>',
  delivered:
    '<g fill="none" stroke="var(--delivered)" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"><rect x="1.9" y="1.9" width="12.2" height="12.2" rx="3"/><path d="m5 8.2 2.1 2.1L11 6"/></g>',
  failed:
    '<path d="M5.2 1.2h5.6l4 4v5.6l-4 4H5.2l-4-4V5.2z" fill="var(--failed)"/><path d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2" stroke="var(--panel)" stroke-width="1.9" stroke-linecap="round"/>',
  retry:
    '<path d="M13.2 8a5.2 5.2 0 1 1-1.7-3.9" fill="none" stroke="var(--retry)" stroke-width="1.9" stroke-linecap="round"/><path d="M13.6 1.4v4.2H9.4z" fill="var(--retry)"/>',
  lost: '<circle cx="8" cy="8" r="6.2" fill="none" stroke="var(--lost)" stroke-width="1.7" stroke-dasharray="3.2 2.6"/><path d="M6.2 6.4a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.2" fill="none" stroke="var(--lost)" stroke-width="1.5" stroke-linecap="round"/><circle cx="8" cy="11.3" r="1" fill="var(--lost)"/>',
  timer:
    '<path d="M3.5 1.8h9M3.5 14.2h9M4.6 2v2.6L8 8l3.4-3.4V2M4.6 14v-2.6L8 8l3.4 3.4V14" fill="none" stroke="var(--timer)" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/>',
  rest: '<path d="M1.6 5.4h11M9.8 2.4l3 3-3 3M14.4 10.6h-11M6.2 7.6l-3 3 3 3" fill="none" stroke="var(--rest)" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>',
  unexplained:
    '<path d="M8 1.3 15.2 14.2H.8z" fill="var(--unexplained)" stroke="var(--unexplained)" stroke-linejoin="round"/><path d="M8 5.6v4" stroke="var(--panel)" stroke-width="1.8" stroke-linecap="round"/><circle cx="8" cy="12.1" r="1.05" fill="var(--panel)"/>',
  wait: '<circle cx="8" cy="8" r="5.5" fill="none" stroke="var(--command)" stroke-width="1.8" stroke-dasharray="2.6 2.2"/>',
  idle: '<circle cx="8" cy="8" r="1.8" fill="var(--text3)"/>',
  info: '<g fill="none" stroke="var(--text2)" stroke-width="1.5" stroke-linecap="round"><path d="M5.6 10.8a4.4 4.4 0 1 1 4.8 0v1.4H5.6zM6.2 14.4h3.6"/></g>',
} as const;

export type MarkName = keyof typeof shapes;

/** Bars for a phone that rings and for voicemail: a pattern says which, with and without colour. */
const patterns = [
  '<pattern id="hatch-ring" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="var(--panel)"/><rect width="2.6" height="5" fill="var(--ring)"/></pattern>',
  '<pattern id="weave-voicemail" width="8" height="6" patternUnits="userSpaceOnUse"><rect width="8" height="6" fill="var(--panel)"/><path d="M0 1.5h8M1.5 4.5h5" stroke="var(--voicemail)" stroke-width="1.8"/></pattern>',
];

/** What an SVG defines once for a page: `mark-` and the name of each shape, and the patterns. */
export const markDefinitions = [
  ...Object.entries(shapes).map(
    ([name, shape]) => `<symbol id="mark-${name}" viewBox="0 0 16 16">${shape}</symbol>`,
  ),
  ...patterns,
].join("");
