import type { Engine } from "../../core/engine/engine.ts";
import type { VirtualTimer } from "../sandbox/virtual-timers.ts";
import { questionOfCaller } from "../sandbox/world-context.ts";
import { OF_REQUEST, type RestartPlaces } from "./restart-places.ts";

type Parts = Pick<Engine<never, never>, "deviations" | "now" | "options">;

/** So many timers of one length may be interrupted, until something is new: a poller has one after the other. */
const MOST_ALIKE = 2;

/** What may happen while the app waits for a timer of its own. */
const options = [{ is: "restarted" }] as const;

/**
 * The timers of the app as deviation points: it may restart while it waits for one. A timer that it sets while it handles a request needs
 * none, as a restart at that request loses it too; nor does an interval, of which nothing is under way between two of its runs.
 */
export class AppWaits {
  /** How often the app has asked the REST API or a dependency. */
  private asked = 0;
  private askedBefore = 0;
  /** How much was new: requests, and answers unlike the ones before. */
  private news = 0;
  /** By what is alike: how many timers were deviation points, and how much was new then. */
  private readonly places = new Map<string, { readonly news: number; readonly count: number }>();

  /**
   * @param outside what the app asks files and other services
   * @param mayRestart whether the app may be restarted now
   * @param restart restarts it; without effect where no restart is planned
   */
  constructor(
    private readonly engine: Parts,
    private readonly outside: RestartPlaces,
    private readonly mayRestart: () => boolean,
    private readonly restart: () => void,
  ) {}

  /** The app has received a request. */
  received(): void {
    this.otherHappened();
    this.askedBefore = this.asked;
    this.news++;
  }

  /** The app asks the REST API or a dependency. */
  asks(): void {
    this.asked++;
    this.outside.isElsewhere(questionOfCaller());
  }

  /** The app was answered otherwise than before. */
  answeredAnew(): void {
    this.news++;
  }

  /** Whether the app has asked somebody since its last request. */
  get hasAsked(): boolean {
    return this.asked > this.askedBefore;
  }

  /** What it has asked before which no world restarts it, in the order of the alphabet. */
  get notInterrupted(): readonly string[] {
    return this.outside.notInterrupted;
  }

  /** Whether no world restarts it before some of what it asks, as it waits for several services at once. */
  get isInChains(): boolean {
    return this.outside.isInChains;
  }

  /** Something else than a timer has happened. */
  otherHappened(): void {
    this.outside.begin(OF_REQUEST);
  }

  /** Whether the app restarts before a timer runs that is due now. */
  endsBefore({ ms, repeats, origin }: VirtualTimer): boolean {
    const { deviations, now, options: start } = this.engine;
    const mayEnd = deviations.isActive && this.mayRestart();
    this.outside.begin(mayEnd && this.isNew(`what is asked after ${ms} ms`) ? 1 : Number.POSITIVE_INFINITY);
    if (!mayEnd || repeats || !origin.isOfLaterWork || !this.isNew(`${ms} ms`)) return false;
    const point = deviations.numberPoint({ what: "wait", at: now - start.startMs, of: `${ms} ms` });
    if (deviations.deviationAt(point, options) === undefined) return false;
    this.restart();
    return true;
  }

  /** Whether few were alike since something was new. */
  private isNew(place: string): boolean {
    const { news } = this;
    const before = this.places.get(place);
    const count = before?.news === news ? before.count : 0;
    if (count === MOST_ALIKE) return false;
    this.places.set(place, { news, count: count + 1 });
    return true;
  }
}
