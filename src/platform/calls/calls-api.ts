import type { CallInsightsRecord, DialPad, ReturnRecord } from "../../generated/records.ts";
import type { Base, CommandInput } from "../base.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import type { LiveCalls } from "../live/live-calls.ts";
import { CallHandle } from "./call-handle.ts";

export interface Needs extends Base {
  readonly callRecords: CallRecords;
  readonly live: LiveCalls;
  /** The returns of redirected calls. */
  readonly redirect: { returns(): ReturnRecord[] };
  readonly dataActions: { listInsights(): CallInsightsRecord[] };
}

/** The carrier's part of a call that is handed over. */
export interface VendorCall {
  readonly from: string;
  readonly to: string;
  readonly vendorCallId?: string;
}

/** The query of a redirect; keys that start with `x-` are passthrough parameters. */
export interface RedirectParameters {
  readonly extension: string;
  /** Default: the organisation's own. */
  readonly organisationId?: string;
  /** Seconds before the next tier of a team is offered the call, 5 to 60. */
  readonly nextOfferTimeout?: number | string;
  /** 1 (highest) to 9, default 5. */
  readonly priority?: number | string;
  /** `flow`, `taskQueue`, `postEndpoint` or `application`. */
  readonly returnTo?: string;
  readonly returnToId?: string;
  readonly sendToVoicemail?: boolean | string;
  /** Seconds to wait for an answer: 10 to 70 for users and devices, 10 to 300 for teams. */
  readonly timeout?: number | string;
  readonly [parameter: `x-${string}`]: string;
}

/** `sim.calls`. */
export class CallsApi {
  readonly #world: Needs;

  /** @internal Reached by the simulator. */
  constructor(world: Needs) {
    this.#world = world;
  }

  /**
   * An outside caller dials one of the organisation's numbers.
   * @param call.from the caller's number, E.164
   * @param call.to one of the organisation's numbers, E.164
   * @param call.passthroughParameters entries whose key starts with `x-` and whose value is a string; others are
   *   ignored. If they come to more than 1000 bytes, all are ignored. A string is read as a URL-encoded query.
   * @throws {CommandError} `unknown_number` when nobody has the number `to`
   */
  inbound(call: CommandInput<"inbound">): CallHandle {
    return new CallHandle(this.#world, this.#world.command("inbound", call));
  }

  /**
   * A user or a device dials an outside number.
   * @param call.callerId one of the organisation's numbers; default: the caller's first, or the organisation's first
   * @throws {CommandError} `busy`, `not_allowed`, `not_found`, `unknown_number`
   */
  outbound(call: CommandInput<"outbound">): CallHandle {
    return new CallHandle(this.#world, this.#world.command("outbound", call));
  }

  /** A user dials a colleague, a team or a device by extension. @throws {CommandError} as `outbound` */
  internal(call: CommandInput<"internal">): CallHandle {
    return new CallHandle(this.#world, this.#world.command("internal", call));
  }

  /**
   * Another voice application hands a call over. A number out of range becomes the nearest bound (a priority becomes 5),
   * and what is not a number is ignored. Rules: docs/fidelity.md#redirect-parameters.
   * @throws {CommandError} `not_found` for another organisation or an unknown extension
   */
  redirect(parameters: RedirectParameters, call: VendorCall): CallHandle {
    return new CallHandle(
      this.#world,
      this.#world.command("redirect", { ...(parameters as CommandInput<"redirect">), ...call }),
    );
  }

  /** A call is connected to the organisation's application, by an extension and `x-` parameters. */
  connectApplication(
    parameters: Omit<CommandInput<"connectApplication">, keyof VendorCall>,
    call: VendorCall,
  ): CallHandle {
    return new CallHandle(this.#world, this.#world.command("connectApplication", { ...parameters, ...call }));
  }

  /** A deep link dials for a user. If the parameters are over the limit, no call is made and the dial pad opens instead. */
  dialLink(
    link: CommandInput<"dialLink"> & { readonly [parameter: `x-${string}`]: string },
  ): { readonly call: CallHandle } | DialPad {
    const result = this.#world.command("dialLink", link);
    return "callId" in result ? { call: new CallHandle(this.#world, result.callId) } : result;
  }

  /** The calls that returned to where they were redirected from, in order. */
  get returns(): ReturnRecord[] {
    return this.#world.redirect.returns();
  }

  /**
   * What the Call Insights data action answered, in order: the cards and preferences that people see with a call. Answers that
   * are not valid are missing; `sim.network.requests` says why. `retain.requests` limits how many are kept.
   */
  get insights(): CallInsightsRecord[] {
    return this.#world.dataActions.listInsights();
  }

  /** @throws {CommandError} `not_found` if no call that is kept has this id */
  get(id: string): CallHandle {
    return new CallHandle(this.#world, this.#world.callRecords.find(id).id);
  }

  /** Every call that is kept, closed or live, in the order in which they started. */
  list(): CallHandle[] {
    return [...this.#world.tables.calls].map(({ id }) => new CallHandle(this.#world, id));
  }

  /** The calls that have not closed, in the order in which they started. */
  live(): CallHandle[] {
    return this.#world.live.ids().map((id) => new CallHandle(this.#world, id));
  }
}
