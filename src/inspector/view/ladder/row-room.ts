import type { PageRow } from "../../model/types.ts";
import type { Columns } from "../state/layout.ts";

/** In a narrower text the name of an event has no room beside how often it was tried, px. */
export const ROOM_FOR_RETRIES = 304;
/** How much room a letter of a row takes, px; of a type of event in bold a little more. */
const LETTER = 6.9;
/** What stands beside the text: time, mark, call and spaces; and the result of a delivery, px. */
const BESIDE = 52;
const RESULT = 58;
/** The letters of a result that has this room: those of a status. */
const STATUS = 3;
/** How far what a handler did is indented, px. */
const INSIDE = 22;
const RETRIES = 72;

/** How much room a row's text takes, px. */
export function textWidth({ subject, verb, detail }: PageRow): number {
  return `${subject} ${verb} ${detail}`.length * LETTER + subject.length * 0.6;
}

/** The room for a row's text, px. */
export function roomIn({ text }: Columns, { outcome, deliveries, isInsideHandler }: PageRow): number {
  const isDelivered = deliveries.length > 0;
  const ofResult = outcome === undefined ? 0 : RESULT + Math.max(0, outcome.text.length - STATUS) * LETTER;
  const saysRetries = text >= ROOM_FOR_RETRIES && deliveries.some(({ attemptCount }) => attemptCount > 1);
  const left = text - BESIDE - (isInsideHandler === true ? INSIDE : 0);
  return left - Math.max(ofResult, isDelivered ? RESULT : 0) - (saysRetries ? RETRIES : 0);
}
