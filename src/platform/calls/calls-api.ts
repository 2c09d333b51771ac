import type { DialPad, ReturnRecord } from "../../generated/records.ts";
import { type CommandInput, runCommand } from "../commands.ts";
import type { Platform } from "../platform.ts";
import { CallHandle } from "./call-handle.ts";

/** The vendor's part of a call that is handed over. */
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
  readonly #platform: Platform;

  /** @internal Reached by the simulator. */
  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /**
   * An outside caller dials one of the organisation's numbers.
   * @param call.from the caller's number, E.164
   * @param call.to one of the organisation's, E.164
   * @param call.passthroughParameters entries whose key starts with `x-` and whose value is a string; others are
   *   ignored, and all are if they come to more than 1000 bytes. A string is read as a URL-encoded query.
   * @throws {CommandError} `unknown_number` when nobody has the number `to`
   */
  inbound(call: CommandInput<"inbound">): CallHandle {
    return new CallHandle(this.#platform, runCommand(this.#platform, "inbound", call));
  }

  /**
   * A user or a device dials an outside number.
   * @param call.callerId one of the organisation's numbers; default: the caller's first, or the organisation's first
   * @throws {CommandError} `busy`, `not_allowed`, `not_found`, `unknown_number`
   */
  outbound(call: CommandInput<"outbound">): CallHandle {
    return new CallHandle(this.#platform, runCommand(this.#platform, "outbound", call));
  }

  /** A user dials a colleague, a team or a device by extension. @throws {CommandError} as `outbound` */
  internal(call: CommandInput<"internal">): CallHandle {
    return new CallHandle(this.#platform, runCommand(this.#platform, "internal", call));
  }

  /**
   * Another voice application hands a call over. Numbers out of range go to the nearest bound (a priority to 5), what is
   * not a number is ignored. Specification, "Call redirect handler".
   * @throws {CommandError} `not_found` for another organisation or an unknown extension
   */
  redirect(parameters: RedirectParameters, call: VendorCall): CallHandle {
    return new CallHandle(
      this.#platform,
      runCommand(this.#platform, "redirect", { ...(parameters as CommandInput<"redirect">), ...call }),
    );
  }

  /** The organisation's application is connected to: an extension, and `x-` parameters. */
  connectApplication(
    parameters: Omit<CommandInput<"connectApplication">, keyof VendorCall>,
    call: VendorCall,
  ): CallHandle {
    return new CallHandle(
      this.#platform,
      runCommand(this.#platform, "connectApplication", { ...parameters, ...call }),
    );
  }

  /** A deep link dials for a user. With parameters over the limit no call is made, and the dial pad opens instead. */
  dialLink(
    link: CommandInput<"dialLink"> & { readonly [parameter: `x-${string}`]: string },
  ): { readonly call: CallHandle } | DialPad {
    const result = runCommand(this.#platform, "dialLink", link);
    return "callId" in result ? { call: new CallHandle(this.#platform, result.callId) } : result;
  }

  /** The calls that went back to where they were redirected from, in order. */
  get returns(): ReturnRecord[] {
    return this.#platform.redirect.returns();
  }

  /** @throws {CommandError} `not_found` when no call that is kept has this id */
  get(id: string): CallHandle {
    return new CallHandle(this.#platform, this.#platform.calls.find(id).call.id);
  }

  /** Every call that is kept, closed or live, in the order in which they started. */
  list(): CallHandle[] {
    return [...this.#platform.tables.calls].map(({ id }) => new CallHandle(this.#platform, id));
  }

  /** The calls that have not closed, in the order in which they started. */
  live(): CallHandle[] {
    return this.#platform.live.ids().map((id) => new CallHandle(this.#platform, id));
  }
}
