import { exactDurationText } from "../../core/foundation/instants.ts";
import type { Lifeline } from "../../core/narration/lifelines.ts";
import type { NarrationRow as StoryRow } from "../../core/narration/rows.ts";
import { missedWords, secondArrival } from "../../core/narration/words.ts";
import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { DeliveryRows } from "./deliveries.ts";
import { type Lanes, PLATFORM } from "./lanes.ts";
import { outcomeOf } from "./outcome.ts";
import { ringText, stoppedText } from "./ring-text.ts";
import { capital, type RowText, shortNote, textOf } from "./row-text.ts";
import type { Row, RowKind } from "./types.ts";

type New = Pick<Row, "kind" | "from"> & Partial<Row>;

/** The rows of a page, and for each row of the story the index of the page's row that it is in. */
export interface Drawn {
  readonly rows: readonly Row[];
  readonly places: readonly number[];
}

/** The run whose story is drawn. */
export interface Watched {
  readonly run: Simulator;
  readonly lanes: Lanes;
  /** All events, in the order of the stream. */
  readonly events: readonly PlatformEvent[];
  /** How many steps the run had made after a row of the story. */
  stepOf(row: number): number;
}

/** Draws a story as rows of a page: phones that ring or stop together share one, deliveries are part of their events'. */
export function drawRows(story: readonly StoryRow[], watched: Watched): Drawn {
  const drawing = new Drawing(watched);
  const places = story.map((row) => drawing.draw(row));
  drawing.end();
  return { rows: drawing.rows, places };
}

class Drawing {
  readonly rows: Row[] = [];
  private readonly deliveries: DeliveryRows;
  /** The requests that have a row for their arrival. */
  private readonly arrivals = new Set<string>();
  /** What each row about a ring rings. */
  private readonly offers = new Map<Row, StoryRow["offer"]>();

  constructor(private readonly watched: Watched) {
    const { run, lanes } = watched;
    this.deliveries = new DeliveryRows(run, lanes, run.startTimestamp);
  }

  /** Draws a row of the story. @returns the index of the page's row that has it */
  draw(row: StoryRow): number {
    const drawn = this.drawn(row);
    for (const { line, endpoint, does } of row.phones) {
      const lane = this.lane(line);
      drawn?.endpoints.push({ lane, endpoint, does });
      if (drawn !== undefined && drawn.from === PLATFORM && !drawn.to.includes(lane)) drawn.to.push(lane);
    }
    return drawn?.index ?? Math.max(0, this.rows.length - 1);
  }

  /** The last texts, which need all of a row. */
  end(): void {
    const { lanes } = this.watched;
    for (const row of this.rows) {
      if (row.kind === "ring") Object.assign(row, ringText(row, lanes, this.offers.get(row)));
      else if (row.kind === "cards" && row.to.length > 1) Object.assign(row, seenText(row, lanes));
      else {
        const stopped = stoppedText(row, lanes);
        if (stopped !== "") row.detail = [row.detail, stopped].filter(Boolean).join("; ");
      }
    }
    this.deliveries.end(this.rows);
  }

  private drawn(row: StoryRow): Row | undefined {
    switch (row.kind) {
      case "event":
        return this.event(row);
      case "ring":
        return this.ring(row);
      case "silence":
        return this.last(row) ?? this.told(row, "timer");
      case "arrival":
        return row.request && this.arrival(row, row.request);
      case "attempt":
        return row.request && this.attempt(row, row.request);
      case "cards":
        return this.cards(row);
      case "request":
        return row.request && this.request(row, row.request);
      case "deviation":
        return this.deviation(row);
      case "failed":
        return this.failed(row);
      // the row of its cause, or of its answer, says it
      case "caller":
      case "sending":
        return undefined;
      case "timer":
        return row.delivery === undefined ? this.told(row, "timer") : this.retry(row, row.delivery);
      default:
        return this.told(row, row.kind);
    }
  }

  /** A row that says who does what. Its arrow leads to the platform, or from there if it tells what the platform does. */
  private told(row: StoryRow, kind: RowKind): Row {
    const { actor, sentence, cause, command } = row;
    const lane = this.lane(actor);
    const people = sentence.mention?.is === "people" ? sentence.mention.people : [];
    const arrow =
      cause === undefined || command !== undefined
        ? { from: lane, to: PLATFORM }
        : { from: PLATFORM, to: lane };
    const to =
      kind === "message" && people.length > 0
        ? people.map((each) => this.lane(each))
        : arrow.from === arrow.to || (kind === "timer" && cause === undefined)
          ? []
          : [arrow.to];
    const status = sentence.status;
    const outcome =
      status === undefined
        ? {}
        : { outcome: { kind: status < 400 ? "delivered" : "failed", text: String(status) } as const };
    return this.add(row, {
      kind,
      from: arrow.from,
      to,
      ...textOf(row, this.watched.lanes),
      ...outcome,
      ...(command === undefined ? {} : { command }),
      ...(row.origin === undefined ? {} : { origin: row.origin }),
    });
  }

  private event(row: StoryRow): Row | undefined {
    if (row.event === undefined) return undefined;
    const { id, type, place } = row.event;
    const event = this.watched.events[place];
    const detail = event === undefined ? "" : shortNote(event, (number) => this.watched.lanes.name(number));
    const added = this.add(row, { kind: "event", from: PLATFORM, subject: type, detail, event: place });
    this.deliveries.published(id, added);
    return added;
  }

  /** Phones that one offer rings share a row. */
  private ring(row: StoryRow): Row {
    const last = this.lastOf("ring", row);
    const isSame = last !== undefined && row.offer !== undefined && this.offers.get(last) === row.offer;
    const added = isSame ? last : this.add(row, { kind: "ring", from: PLATFORM });
    this.offers.set(added, row.offer);
    return added;
  }

  /** Those who see the cards of a call at once share a row. */
  private cards(row: StoryRow): Row {
    const last = this.lastOf("cards", row);
    if (last?.record !== row.record || last.origin !== row.origin) return this.told(row, "cards");
    last.to.push(this.lane(row.actor));
    return last;
  }

  private retry(row: StoryRow, delivery: string): Row {
    const added = this.add(row, { kind: "retry", from: PLATFORM });
    this.deliveries.retried(delivery, added);
    return added;
  }

  private arrival(row: StoryRow, request: RequestRecord): Row {
    this.arrivals.add(request.id);
    const text = textOf(row, this.watched.lanes);
    return this.add(row, { kind: "rest", from: PLATFORM, to: [this.lane(row.actor)], ...text });
  }

  /** An attempt is part of its event's row. One that arrives twice, or is lost for long, has its own as well. */
  private attempt(row: StoryRow, request: RequestRecord): Row | undefined {
    this.deliveries.arrived(request);
    if (request.duplicateOf !== null) {
      const added = this.add(row, {
        kind: "event",
        from: PLATFORM,
        subject: eventType(request),
        ...secondArrival,
      });
      this.deliveries.doubled(request, added);
      return added;
    }
    // what its handler asked stands between its arrival and its answer
    if (request.answer !== null && this.arrivals.has(request.id)) {
      const { subject } = textOf(row, this.watched.lanes);
      const text = { subject, verb: "answers", detail: request.subject };
      const lane = this.lane(row.actor);
      return this.add(row, {
        kind: "rest",
        from: lane,
        to: [PLATFORM],
        ...text,
        outcome: outcomeOf(request),
      });
    }
    if (request.answer !== null || waitedMs(request) === 0) return undefined;
    const added = this.lostRow(row, request);
    this.deliveries.lost(request, added);
    return added;
  }

  /** One row for all requests that get no answer at one instant, for the same reason. */
  private lostRow(row: StoryRow, request: RequestRecord): Row {
    const last = this.rows.at(-1);
    const words = missedWords(request);
    if (last?.kind === "lost" && last.atMs === this.sinceStart(row) && last.verb === words.verb) return last;
    return this.add(row, { kind: "lost", from: PLATFORM, subject: eventType(request), ...words });
  }

  private request(row: StoryRow, request: RequestRecord): Row {
    const waited = waitedMs(request);
    const { subject, verb } = textOf(row, this.watched.lanes);
    return this.add(row, {
      kind: "rest",
      from: PLATFORM,
      to: [this.lane(row.actor)],
      subject,
      verb,
      detail: waited === 0 ? request.why : `${request.why}, after ${exactDurationText(waited)}`,
      outcome: outcomeOf(request),
      command: { name: "request", args: { request: request.id } },
    });
  }

  private deviation(row: StoryRow): Row {
    const kind = row.is === "lost" || row.is === "unanswered" ? "lost" : "timer";
    const text = textOf(row, this.watched.lanes);
    return this.add(row, { kind, from: PLATFORM, to: [this.lane(row.actor)], ...text });
  }

  private failed(row: StoryRow): Row {
    const text = textOf(row, this.watched.lanes);
    const added = this.add(row, { kind: "failed", from: PLATFORM, ...text });
    if (row.delivery === undefined) added.to.push(...this.arrowTo(row.actor));
    else this.deliveries.gaveUp(row.delivery, added);
    return added;
  }

  private arrowTo(line: Lifeline): string[] {
    const lane = this.lane(line);
    return lane === PLATFORM ? [] : [lane];
  }

  /** The last row, if it is of the same step. */
  private last(row: StoryRow): Row | undefined {
    const last = this.rows.at(-1);
    return last?.step === this.watched.stepOf(row.index) ? last : undefined;
  }

  /** The last row of a kind in the same step, which others may follow. */
  private lastOf(kind: RowKind, { index }: StoryRow): Row | undefined {
    const step = this.watched.stepOf(index);
    for (let place = this.rows.length - 1; this.rows[place]?.step === step; place--)
      if (this.rows[place]?.kind === kind) return this.rows[place];
    return undefined;
  }

  private lane(line: Lifeline): string {
    return this.watched.lanes.of(line);
  }

  private sinceStart({ atMs }: StoryRow): number {
    return atMs - this.watched.run.startTimestamp;
  }

  private add(row: StoryRow, drawn: New & Partial<RowText>): Row {
    const added: Row = {
      index: this.rows.length,
      atMs: this.sinceStart(row),
      record: row.record,
      subject: "",
      verb: "",
      detail: "",
      to: [],
      deliveries: [],
      endpoints: [],
      step: this.watched.stepOf(row.index),
      ...(row.during === undefined ? {} : { isInside: true }),
      ...drawn,
    };
    added.subject = capital(added.subject, row);
    this.rows.push(added);
    return added;
  }
}

/** Who sees cards, if they are several. */
function seenText({ to }: Row, lanes: Lanes): Pick<Row, "subject" | "verb"> {
  const [first = "", second = "", ...others] = to.map((lane) => lanes.name(lane));
  const subject =
    others.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${others.length} more`;
  return { subject, verb: "see" };
}

/** How long the platform waited for the answer, ms. */
function waitedMs({ startedTimestamp, endedTimestamp }: RequestRecord): number {
  return (endedTimestamp ?? startedTimestamp) - startedTimestamp;
}

/** The event type in a subject such as `call.ended, attempt 2`. */
function eventType({ subject }: RequestRecord): string {
  return subject.split(",")[0] ?? subject;
}
