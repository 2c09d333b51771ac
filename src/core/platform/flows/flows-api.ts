import { InputError } from "../../foundation/errors.ts";
import { mustBeFunction } from "../../foundation/input-schemas.ts";
import type { PublicCallRecord, ReturnRecord } from "../../generated/records.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import { CallHandle } from "../calls/call-handle.ts";
import type { Flows } from "./flows.ts";

type Needs = CoreServices &
  ConstructorParameters<typeof CallHandle>[0] & {
    readonly flows: Flows;
    readonly redirect: { returns(): ReturnRecord[] };
  };

/** Where a flow sends a call next. */
export type FlowRedirect = NonNullable<CommandInput<"takeBack">["redirect"]>;

/** What a flow does with a call: redirects it, hangs up, or says nothing. */
export interface FlowDecision {
  /** Redirects the call to this extension. */
  readonly redirect?: FlowRedirect;
  /** Hangs up on the caller. */
  readonly hangup?: true;
}

/** A call that has returned to a flow, for whatever takes it back. */
export class ReturnedCall {
  readonly #services: Needs;
  /** The call's id. */
  readonly id: string;

  /** @internal Reached by the simulator. */
  constructor(services: Needs, id: string) {
    this.#services = services;
    this.id = id;
  }

  /** The record of the call that nobody answered. */
  get record(): PublicCallRecord {
    return new CallHandle(this.#services, this.id).record;
  }

  /** Where the call returned to, and why. */
  get returned(): ReturnRecord {
    const found = this.#services.redirect.returns().findLast(({ callId }) => callId === this.id);
    if (found === undefined) throw new Error(`call ${this.id} has not returned`);
    return found;
  }

  /**
   * Redirects the call to another extension: it goes on as a new call with the same vendor's id and parameters.
   * @param to the extension, and how long to wait for whom
   * @throws {CommandError} `not_found` for an unknown extension, `not_allowed` if the call was taken back before
   * @example
   * sim.flows.route("night", (call) => {
   *   if (call.returned.vendorCallId === "CA1") call.redirect({ extension: "201", timeout: 30 });
   * });
   */
  redirect(to: FlowRedirect): CallHandle {
    const id = this.#services.command("takeBackCall", { call: this.id, redirect: to });
    if (id === undefined) throw new Error(`call ${this.id} returned too often: the flow hung up`);
    return new CallHandle(this.#services, id);
  }

  /**
   * Hangs up on the caller.
   * @throws {CommandError} `not_allowed` if the call was taken back before
   * @example
   * sim.flows.route("closed", (call) => call.hangup());
   */
  hangup(): void {
    this.#services.command("takeBackCall", { call: this.id, hangup: true });
  }
}

/** `sim.flows`: what takes back the calls that return to a flow, a task queue or an application. */
export class FlowsApi {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(services: Needs) {
    this.#services = services;
  }

  /**
   * Registers what takes back the calls that return to this id. It is asked at the instant of the return.
   * @param id the `returnToId` of redirects
   * @param handler what it does with every call; or a function of the call, which calls `redirect` or `hangup` on it,
   * or returns what to do. A function that does neither says nothing. Its commands are in the journal, it is not.
   * @throws {CommandError} `not_found` for an unknown extension
   * @example
   * sim.flows.route("night", (call) => call.redirect({ extension: "201" }));
   */
  route(
    id: string,
    // biome-ignore lint/suspicious/noConfusingVoidType: a handler that calls commands returns nothing
    handler: FlowDecision | ((call: ReturnedCall) => FlowDecision | CallHandle | undefined | void),
  ): void {
    if (typeof id !== "string" || id === "") throw new InputError(["flows"], "expected the id of a flow");
    if (typeof handler === "object" && handler !== null) {
      this.#services.command("takeBack", { id, ...handler });
      return;
    }
    mustBeFunction(handler, "flows");
    this.#services.engine.registrationLines.keep(handler);
    this.#services.flows.route(id, (callId) => {
      const decision = handler(new ReturnedCall(this.#services, callId));
      if (decision === undefined || decision instanceof CallHandle) return;
      if (decision.redirect !== undefined || decision.hangup !== undefined)
        this.#services.command("takeBackCall", { call: callId, ...decision });
    });
  }
}
