import { ForkableList, ForkableMap } from "../../foundation/collections.ts";
import { notFound } from "../../foundation/errors.ts";
import { toHex } from "../../network/hmac.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import type { Client } from "../organisation/clients.ts";

const TOKEN_BYTES = 32;
/** How much longer `sim.token()` must be valid, ms, so that a test may let some time pass. */
const LONG_LIVED_MS = 5 * 60_000;

/** An access token of an API client. It is valid for an hour of virtual time by default. */
interface AccessToken {
  readonly token: string;
  readonly clientId: string;
  readonly expiresMs: number;
}

export interface State {
  readonly byToken: ForkableMap<string, AccessToken>;
  /** Each client's newest token. */
  readonly newest: ForkableMap<string, AccessToken>;
  /** The remembered tokens, oldest first. */
  readonly issued: ForkableList<string>;
}

const newState = (): State => ({
  byToken: new ForkableMap(),
  newest: new ForkableMap(),
  issued: new ForkableList(),
});

/** Access tokens of API clients. Rules: docs/fidelity/rest.md#access-tokens. */
export class Tokens {
  constructor(
    private readonly services: CoreServices,
    private readonly state: State,
  ) {}

  get clients(): readonly Client[] {
    return this.services.settings.clients;
  }

  /** @throws {CommandError} `not_found` for an unknown client */
  issue(clientId: string): string {
    const { engine, settings } = this.services;
    if (!this.clients.some(({ id }) => id === clientId)) throw notFound("client", clientId, this.clients);
    this.forgetExpired();
    // drawn by organisation and client, so that no other simulator or client gets the same token
    const purpose = `access token of ${settings.organisationId} ${clientId}`;
    const token = toHex(engine.randomness.bytes(purpose, TOKEN_BYTES));
    const expiresMs = engine.now + settings.timing.accessTokenLifetime;
    const issued = { token, clientId, expiresMs };
    this.state.byToken.set(token, issued);
    this.state.newest.set(clientId, issued);
    this.state.issued.push(token);
    return token;
  }

  /** Whether a token is valid now. */
  isValid(token: string): boolean {
    const issued = this.state.byToken.get(token);
    return issued !== undefined && this.isCurrent(issued);
  }

  /** The client of a remembered token, valid or expired. */
  clientOf(token: string): string | undefined {
    return this.state.byToken.get(token)?.clientId;
  }

  /** Whether the client of a remembered token may change something. */
  mayWrite(token: string): boolean {
    const client = this.clients.find(({ id }) => id === this.clientOf(token));
    return client?.scopes?.includes("write") ?? true;
  }

  /**
   * Expires every token issued so far. They are remembered, so that requests with them can be assigned to a client.
   */
  expireAll(): void {
    const expiresMs = this.services.engine.now;
    for (const token of this.state.issued) {
      const issued = this.state.byToken.get(token);
      if (issued !== undefined) this.state.byToken.set(token, { ...issued, expiresMs });
    }
    for (const { id } of this.clients) this.state.newest.delete(id);
  }

  /** A client's newest token, if it is valid for five more minutes, or for as long as a new one would be. */
  longLivedToken(clientId: string): string | undefined {
    const { engine, settings } = this.services;
    const newest = this.state.newest.get(clientId);
    if (newest === undefined || !this.isCurrent(newest)) return undefined;
    const lastingMs = Math.min(LONG_LIVED_MS, settings.timing.accessTokenLifetime);
    return newest.expiresMs - engine.now >= lastingMs ? newest.token : undefined;
  }

  private isCurrent({ expiresMs }: AccessToken): boolean {
    return this.services.engine.now < expiresMs;
  }

  /** Drops expired tokens. All are valid equally long, so the oldest expire first. */
  private forgetExpired(): void {
    const { byToken, issued } = this.state;
    for (let oldest = issued.at(0); oldest !== undefined && !this.isValid(oldest); oldest = issued.at(0)) {
      byToken.delete(oldest);
      issued.dropFirst(issued.length - 1);
    }
  }
}

/** Access tokens of API clients. */
export const tokens = defineService({
  init: newState,
  create: (services: CoreServices, state) => new Tokens(services, state),
});
