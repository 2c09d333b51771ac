import type { PageRow, PageRowKind, RunRecord } from "../../src/inspector/model/types.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** Something that the outside learns, without its time: an event, or a further attempt to deliver one. */
export interface EventCard {
  readonly kind: PageRowKind;
  /** The type of the event. */
  readonly title: string;
  /** What tells it from other events of its type. */
  readonly detail: string;
}

/** A card in a run. */
export interface PlayedCard {
  readonly card: EventCard;
  /** The index of its row. */
  readonly row: number;
  /** From the start of the run, ms. */
  readonly atMs: number;
}

/** A time or a size, such as `waited 6s`, `1m 30s` or `48000 bytes of`. A card must not tell when something comes. */
const MEASURE = /(?:waited |in )?(?:\d+(?:d|h|m|s|ms)\b ?)+|\d+ bytes of /g;

/** Whether cards must name the caller, since the run has calls of several. */
export function hasManyCallers(run: RecordedRun): boolean {
  return new Set(run.records.map(callerOf)).size > 1;
}

/** The cards of a run, in order. @param saysWhose whether a card names the caller */
export function cardsOf(run: RecordedRun, saysWhose = hasManyCallers(run)): PlayedCard[] {
  return run.rows.filter(isTold).map((row) => {
    const { kind, subject, index, atMs } = row;
    const caller = saysWhose ? callerOf(run.records[row.record]) : undefined;
    const isAboutCall = subject.startsWith("call.") && caller !== undefined;
    const whose = isAboutCall && !row.detail.startsWith(caller) ? `call of ${caller}` : undefined;
    const detail = [row.verb, ...detailsOf(row), whose].filter((part) => part !== undefined && part !== "");
    return { card: { kind, title: subject, detail: detail.join(", ") }, row: index, atMs };
  });
}

/** Whether two cards say the same. */
export function isSameCard(one: EventCard, other: EventCard): boolean {
  return one.title === other.title && one.detail === other.detail;
}

/** Who began a call or a conversation. */
function callerOf(record: RunRecord | undefined): string | undefined {
  return record?.title.split(" → ")[0];
}

/** Events, and what becomes of their deliveries. */
function isTold({ kind, deliveries, event }: PageRow): boolean {
  if (kind === "event") return event !== undefined || deliveries.length > 0;
  return ["retry", "lost", "failed"].includes(kind);
}

function detailsOf({ kind, detail }: PageRow): string[] {
  // the reason of a further attempt is what happened to the last one
  if (kind === "retry") return [];
  // behind a semicolon stands whose phones stop
  const [about = ""] = detail.split(";");
  return [
    about
      .replaceAll(MEASURE, "")
      .split(", ")
      .filter((part) => part.trim() !== "")
      .join(", ")
      .trim(),
  ];
}
