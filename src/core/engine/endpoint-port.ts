import type { AgendaItem } from "./agenda.ts";
import type { DeviationPoint } from "./deviations.ts";
import type { Reply } from "./promised.ts";

/**
 * The consumer's endpoints that agenda items call. An endpoint is called before its item runs, so that the item stays due
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
  /** Whether an item carries a request or an answer through the network. */
  isOwn(item: AgendaItem): boolean;
  /**
   * The function that answers an item's request; undefined if none does. It may return a promise, or throw.
   * @param canWait whether the caller can await a promise
   */
  findAnswerer(item: AgendaItem, canWait: boolean): (() => unknown) | undefined;
  /**
   * Whether the endpoint of an item may be called while others are busy: it answers in real time and never throws
   * synchronously.
   */
  isConcurrent?(item: AgendaItem): boolean;
  /** The endpoint's name for messages. */
  describe(item: AgendaItem): string;
  /** Takes the endpoint's answer, what it threw, or `later`, before the item runs. */
  acceptAnswer(item: AgendaItem, reply: Reply | "later"): void;
  /** The key of an item's request. */
  keyOf(item: AgendaItem): string;
  /**
   * Takes a late answer at this instant.
   * @param key the request's key
   */
  acceptLateAnswer(key: string, reply: Reply): void;
  /** The key of the request that times out when this item runs; undefined for any other item. */
  limitOf(item: AgendaItem): string | undefined;
}

/** The most endpoints that are called at the same time. */
export const MAX_TOGETHER = 100;
