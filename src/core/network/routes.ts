import type { TimedAnswer } from "./answer.ts";
import { longestPrefix } from "./conditions.ts";
import type { Endpoint } from "./endpoint-request.ts";

export interface RoutesState {
  /** Answers given as data, by URL prefix. */
  readonly fixed: Map<string, TimedAnswer>;
  /** Endpoints given as functions, by URL prefix. The journal holds their answers. */
  readonly endpoints: Map<string, Endpoint>;
}

/** The routes by URL prefix. The longest wins, then the latest. */
export class Routes {
  constructor(private readonly state: RoutesState) {}

  /** Lets a function answer requests to URLs that start like this. */
  add(urlPrefix: string, endpoint: Endpoint): void {
    this.state.endpoints.set(urlPrefix, endpoint);
  }

  /** Lets one answer serve all requests to URLs that start like this. */
  addAnswer(urlPrefix: string, answer: TimedAnswer): void {
    this.state.endpoints.delete(urlPrefix);
    this.state.fixed.set(urlPrefix, answer);
  }

  /** Removes a function. */
  remove(urlPrefix: string): void {
    this.state.endpoints.delete(urlPrefix);
  }

  /** Replaces all functions by one. */
  replace(endpoint: Endpoint): void {
    for (const urlPrefix of this.state.endpoints.keys()) this.add(urlPrefix, endpoint);
  }

  /** The URL prefixes that have a route. */
  list(): string[] {
    return [...new Set([...this.state.endpoints.keys(), ...this.state.fixed.keys()])].sort();
  }

  has(url: string): boolean {
    return longestPrefix(url, this.state.endpoints, this.state.fixed) !== undefined;
  }

  /** The function that answers requests to a URL, unless an answer given as data does. */
  endpointOf(url: string): Endpoint | undefined {
    const prefix = longestPrefix(url, this.state.endpoints, this.state.fixed);
    return prefix === undefined ? undefined : this.state.endpoints.get(prefix);
  }

  /** The answer given as data for a URL. */
  answerOf(url: string): TimedAnswer | undefined {
    const prefix = longestPrefix(url, this.state.fixed);
    return prefix === undefined ? undefined : this.state.fixed.get(prefix);
  }
}
