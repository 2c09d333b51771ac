import type { AgendaItem } from "./agenda.ts";
import type { DeviationPoint } from "./deviations.ts";
import type { Reply } from "./promised.ts";

/**
 * The outside endpoints that agenda items call. An endpoint is called before its item runs, so that the item stays due
 * if the answer needs an asynchronous run.
 */
export interface EndpointPort {
  /** The task name of items that call an endpoint. */
  readonly task: string;
  /**
   * The deviation point of a request that may arrive while the one before it is still being handled; undefined if it may
   * not.
   */
  overlapOf(item: AgendaItem): DeviationPoint | undefined;
  /** Whether an item belongs to a request's way through the network. */
  isOwn(item: AgendaItem): boolean;
  /**
   * How to ask the endpoint of an item; undefined if no function answers it. The function may return a promise, or
   * throw.
   * @param canWait whether a promise can be waited for
   */
  endpointOf(item: AgendaItem, canWait: boolean): (() => unknown) | undefined;
  /**
   * Whether the endpoint of an item may be asked while others are: it answers in real time and never throws
   * synchronously.
   */
  isConcurrent?(item: AgendaItem): boolean;
  /** The endpoint's name for messages. */
  describe(item: AgendaItem): string;
  /** Takes the endpoint's answer, what it threw, or `later`, before the item runs. */
  answered(item: AgendaItem, reply: Reply | "later"): void;
  /** The key of an item's request. */
  keyOf(item: AgendaItem): string;
  /**
   * Takes a late answer at this instant.
   * @param key the request's key
   */
  answeredLate(key: string, reply: Reply): void;
  /** The key of the request whose sender stops waiting when this item runs; undefined for any other item. */
  limitOf(item: AgendaItem): string | undefined;
}

/** The most endpoints that are called at the same time. */
export const MAX_TOGETHER = 100;
