import { exactDurationText } from "../../core/foundation/instants.ts";
import type { Lifeline } from "../../core/narration/lifelines.ts";
import type { NarrationRow } from "../../core/narration/rows.ts";
import { missedWords, secondArrival } from "../../core/narration/words.ts";
import { calledWords, type DependencyCalled } from "../../core/network/dependencies/called.ts";
import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { DeliveryRows } from "./deliveries.ts";
import { type Lanes, PLATFORM } from "./lanes.ts";
import { requestResult } from "./outcome.ts";
import { ringText, stoppedText } from "./ring-text.ts";
import { capitaliseSubject, type RowText, shortNote, toRowText } from "./row-text.ts";
import type { PageRow, PageRowKind } from "./types.ts";

type RowContent = Pick<PageRow, "kind" | "source"> & Partial<PageRow>;

/** The rows of a page, and the index of the page row for each narration row. */
export interface DrawnRows {
  readonly rows: readonly PageRow[];
  readonly pageRowOf: readonly number[];
}

/** The run whose narration is drawn. */
export interface NarratedRun {
  readonly simulator: Simulator;
  readonly lanes: Lanes;
  /** All events, in the order of the stream. */
  readonly events: readonly PlatformEvent[];
  /** The number of steps that the run has made after a row of the narration. */
  stepOf(row: number): number;
}

/** Draws narration rows as page rows: phones that ring together share a row, deliveries join their event's. */
export function drawRows(narration: readonly NarrationRow[], watched: NarratedRun): DrawnRows {
  const drawer = new RowDrawer(watched);
  const pageRowOf = narration.map((row) => drawer.draw(row));
  drawer.finish();
  return { rows: drawer.rows, pageRowOf };
}

class RowDrawer {
  readonly rows: PageRow[] = [];
  private readonly deliveries: DeliveryRows;
  /** The requests that have a row for their arrival. */
  private readonly arrivals = new Set<string>();
  /** The offer of each ring row. */
  private readonly offers = new Map<PageRow, NarrationRow["offer"]>();

  constructor(private readonly run: NarratedRun) {
    const { simulator, lanes } = run;
    this.deliveries = new DeliveryRows(simulator, lanes, simulator.startTimestamp);
  }

  /** Draws a narration row. @returns the index of its page row */
  draw(row: NarrationRow): number {
    const drawn = this.drawByKind(row);
    for (const { line, endpoint, does } of row.phones) {
      const lane = this.lane(line);
      drawn?.endpoints.push({ lane, endpoint, does });
      if (drawn !== undefined && drawn.source === PLATFORM && !drawn.targets.includes(lane))
        drawn.targets.push(lane);
    }
    return drawn?.index ?? Math.max(0, this.rows.length - 1);
  }

  /** Writes the texts that need the complete row. */
  finish(): void {
    const { lanes } = this.run;
    for (const row of this.rows) {
      if (row.kind === "ring") Object.assign(row, ringText(row, lanes, this.offers.get(row)));
      else if (row.kind === "cards" && row.targets.length > 1) Object.assign(row, viewersText(row, lanes));
      else {
        const stopped = stoppedText(row, lanes);
        if (stopped !== "") row.detail = [row.detail, stopped].filter(Boolean).join("; ");
      }
    }
    this.deliveries.addOutcomes(this.rows);
  }

  private drawByKind(row: NarrationRow): PageRow | undefined {
    switch (row.kind) {
      case "event":
        return this.drawEvent(row);
      case "ring":
        return this.drawRing(row);
      case "silence":
        return this.lastOfStep(row) ?? this.drawSentence(row, "timer");
      case "arrival":
        return row.request && this.drawArrival(row, row.request);
      case "attempt":
        return row.request && this.drawAttempt(row, row.request);
      case "cards":
        return this.drawCards(row);
      case "request":
        return row.request && this.drawRequest(row, row.request);
      case "deviation":
        return this.drawDeviation(row);
      case "failed":
        return this.drawFailure(row);
      case "dependency":
        return row.called && this.drawDependency(row, row.called);
      // shown by the row of its cause or of its answer
      case "caller":
      case "sending":
        return undefined;
      case "timer":
        return row.delivery === undefined
          ? this.drawSentence(row, "timer")
          : this.drawRetry(row, row.delivery);
      default:
        return this.drawSentence(row, row.kind);
    }
  }

  /** A row made of the narration's sentence. Arrows of actors lead to the platform, arrows of effects come from it. */
  private drawSentence(row: NarrationRow, kind: PageRowKind): PageRow {
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
      source: arrow.from,
      targets: to,
      ...toRowText(row, this.run.lanes),
      ...outcome,
      ...(command === undefined ? {} : { command }),
      ...(row.origin === undefined ? {} : { origin: row.origin }),
    });
  }

  private drawEvent(row: NarrationRow): PageRow | undefined {
    if (row.event === undefined) return undefined;
    const { id, type, place: index } = row.event;
    const event = this.run.events[index];
    const detail = event === undefined ? "" : shortNote(event, this.run.lanes.eventNames);
    const added = this.add(row, { kind: "event", source: PLATFORM, subject: type, detail, event: index });
    this.deliveries.addEvent(id, added);
    return added;
  }

  /** Phones that one offer rings share a row. */
  private drawRing(row: NarrationRow): PageRow {
    const last = this.lastOfKind("ring", row);
    const isSame = last !== undefined && row.offer !== undefined && this.offers.get(last) === row.offer;
    const added = isSame ? last : this.add(row, { kind: "ring", source: PLATFORM });
    this.offers.set(added, row.offer);
    return added;
  }

  /** Users who see the cards of a call at the same instant share a row. */
  private drawCards(row: NarrationRow): PageRow {
    const last = this.lastOfKind("cards", row);
    if (last?.record !== row.record || last.origin !== row.origin) return this.drawSentence(row, "cards");
    last.targets.push(this.lane(row.actor));
    return last;
  }

  private drawRetry(row: NarrationRow, delivery: string): PageRow {
    const added = this.add(row, { kind: "retry", source: PLATFORM });
    this.deliveries.addRetry(delivery, added);
    return added;
  }

  private drawArrival(row: NarrationRow, request: RequestRecord): PageRow {
    this.arrivals.add(request.id);
    const text = toRowText(row, this.run.lanes);
    return this.add(row, {
      kind: "rest",
      source: PLATFORM,
      targets: [this.lane(row.actor)],
      ...text,
    });
  }

  /** An attempt belongs to its event's row. Duplicates and attempts that time out get a row of their own as well. */
  private drawAttempt(row: NarrationRow, request: RequestRecord): PageRow | undefined {
    this.deliveries.addRequest(request);
    if (request.duplicateOf !== null) {
      const added = this.add(row, {
        kind: "event",
        source: PLATFORM,
        subject: eventType(request),
        ...secondArrival,
      });
      this.deliveries.addDuplicate(request, added);
      return added;
    }
    // the REST requests of its handler come between its arrival and its answer
    if (request.answer !== null && this.arrivals.has(request.id)) {
      const { subject } = toRowText(row, this.run.lanes);
      const text = { subject, verb: "answers", detail: request.subject };
      const lane = this.lane(row.actor);
      return this.add(row, {
        kind: "rest",
        source: lane,
        targets: [PLATFORM],
        ...text,
        outcome: requestResult(request),
      });
    }
    if (request.answer !== null || waitedMs(request) === 0) return undefined;
    const added = this.drawLost(row, request);
    this.deliveries.addLost(request, added);
    return added;
  }

  /** One row for all requests that get no answer at one instant, for the same reason. */
  private drawLost(row: NarrationRow, request: RequestRecord): PageRow {
    const last = this.rows.at(-1);
    const words = missedWords(request);
    if (last?.kind === "lost" && last.atMs === this.sinceStart(row) && last.verb === words.verb) return last;
    return this.add(row, { kind: "lost", source: PLATFORM, subject: eventType(request), ...words });
  }

  private drawRequest(row: NarrationRow, request: RequestRecord): PageRow {
    const waited = waitedMs(request);
    const { subject, verb } = toRowText(row, this.run.lanes);
    return this.add(row, {
      kind: "rest",
      source: PLATFORM,
      targets: [this.lane(row.actor)],
      subject,
      verb,
      detail: waited === 0 ? request.why : `${request.why}, after ${exactDurationText(waited)}`,
      outcome: requestResult(request),
      command: { name: "request", args: { request: request.id } },
    });
  }

  /** A call to a dependency: its arrow comes from the host whose handler calls, or from the app. */
  private drawDependency(row: NarrationRow, called: DependencyCalled): PageRow {
    const { outcome: text, why, laterMs } = calledWords(called);
    const lane = this.lane(row.actor);
    const asker = this.findAsker(called);
    const { deviation = "unanswered" } = called;
    const isLost = called.answer === "" && (deviation === "unanswered" || deviation.startsWith("restarted"));
    const isOk = called.answer === "done" || /^[23]\d\d$/.test(called.answer);
    const late = laterMs === undefined ? undefined : `answered ${exactDurationText(laterMs)} later`;
    return this.add(row, {
      kind: "rest",
      ...(asker === undefined ? { source: lane } : { source: asker, targets: [lane] }),
      subject: row.actor.name,
      verb: called.call,
      detail: [why && `(${why})`, late].filter((each) => each !== undefined).join(", "),
      outcome: { kind: isLost ? "lost" : isOk ? "delivered" : "failed", text },
      called,
    });
  }

  /** The lane of the app that calls a dependency: of the host whose handler calls, or of the first webhook. */
  private findAsker({ during = "" }: DependencyCalled): string | undefined {
    const { simulator, lanes } = this.run;
    const request = simulator.services.network.request(during);
    const url = request?.to ?? simulator.webhooks.list()[0]?.url;
    return url === undefined ? undefined : lanes.host(url);
  }

  private drawDeviation(row: NarrationRow): PageRow {
    const kind = row.is === "lost" || row.is === "unanswered" ? "lost" : "timer";
    const text = toRowText(row, this.run.lanes);
    return this.add(row, { kind, source: PLATFORM, targets: [this.lane(row.actor)], ...text });
  }

  private drawFailure(row: NarrationRow): PageRow {
    const text = toRowText(row, this.run.lanes);
    const added = this.add(row, { kind: "failed", source: PLATFORM, ...text });
    if (row.delivery === undefined) added.targets.push(...this.arrowTo(row.actor));
    else this.deliveries.addGivenUp(row.delivery, added);
    return added;
  }

  private arrowTo(line: Lifeline): string[] {
    const lane = this.lane(line);
    return lane === PLATFORM ? [] : [lane];
  }

  /** The last row, if it is of the same step. */
  private lastOfStep(row: NarrationRow): PageRow | undefined {
    const last = this.rows.at(-1);
    return last?.step === this.run.stepOf(row.index) ? last : undefined;
  }

  /** The last row of this kind in the same step, even if other rows follow it. */
  private lastOfKind(kind: PageRowKind, { index }: NarrationRow): PageRow | undefined {
    const step = this.run.stepOf(index);
    for (let index = this.rows.length - 1; this.rows[index]?.step === step; index--)
      if (this.rows[index]?.kind === kind) return this.rows[index];
    return undefined;
  }

  private lane(line: Lifeline): string {
    return this.run.lanes.of(line);
  }

  private sinceStart({ atMs }: NarrationRow): number {
    return atMs - this.run.simulator.startTimestamp;
  }

  private add(row: NarrationRow, drawn: RowContent & Partial<RowText>): PageRow {
    const added: PageRow = {
      index: this.rows.length,
      atMs: this.sinceStart(row),
      record: row.record,
      subject: "",
      verb: "",
      detail: "",
      targets: [],
      deliveries: [],
      endpoints: [],
      step: this.run.stepOf(row.index),
      ...(row.during === undefined ? {} : { isInsideHandler: true }),
      ...drawn,
    };
    added.subject = capitaliseSubject(added.subject, row);
    this.rows.push(added);
    return added;
  }
}

/** The text of a row of cards with several viewers. */
function viewersText({ targets }: PageRow, lanes: Lanes): Pick<PageRow, "subject" | "verb"> {
  const [first = "", second = "", ...others] = targets.map((lane) => lanes.name(lane));
  const subject =
    others.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${others.length} more`;
  return { subject, verb: "see" };
}

/** How long the platform waited for the answer, ms. */
function waitedMs({ startedTimestamp, endedTimestamp }: RequestRecord): number {
  return (endedTimestamp ?? startedTimestamp) - startedTimestamp;
}

/** The event type of a request such as `call.ended, attempt 2`. */
function eventType({ subject }: RequestRecord): string {
  return subject.split(",")[0] ?? subject;
}
