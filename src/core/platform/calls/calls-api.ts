import type { CallInsightsRecord, DialPad, ReturnRecord } from "../../generated/records.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import type { LiveCalls } from "../live/live-calls.ts";
import { CallHandle } from "./call-handle.ts";

export interface Needs extends CoreServices {
  readonly callRecords: CallRecords;
  readonly live: LiveCalls;
  /** The returns of redirected calls. */
  readonly redirect: { returns(): ReturnRecord[] };
  readonly dataActions: { listInsights(): CallInsightsRecord[] };
}

/** The carrier's part of a call that is handed over. */
export interface VendorCall {
  /** The caller's number, E.164. */
  readonly from: string;
  /** The number that was called, E.164. */
  readonly to: string;
  /** The vendor's id for the call. Default: a new one, from the seed. */
  readonly vendorCallId?: string;
}

/** The query of a redirect. Keys that start with `x-` are passthrough parameters. */
export interface RedirectParameters {
  /** The extension number of the entry that the call is for. */
  readonly extension: string;
  /** The organisation's id. Default: this organisation's. */
  readonly organisationId?: string;
  /** Seconds before the next tier of a team is offered the call, 5 to 60. */
  readonly nextOfferTimeout?: number | string;
  /** The priority in a team's queue, 1 (first) to 9; default 5. */
  readonly priority?: number | string;
  /** Where an unanswered call returns to: `flow`, `taskQueue`, `postEndpoint` or `application`. */
  readonly returnTo?: string;
  /** The id of that place; for `postEndpoint` an https URL. */
  readonly returnToId?: string;
  /** `true` sends the call to voicemail without ringing. */
  readonly sendToVoicemail?: boolean | string;
  /** Seconds to wait for an answer: 10 to 70 for users and devices, 10 to 300 for teams. */
  readonly timeout?: number | string;
  readonly [parameter: `x-${string}`]: string;
}

/** `sim.calls`: calls from outside, to outside and inside. */
export class CallsApi {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(services: Needs) {
    this.#services = services;
  }

  /**
   * An outside caller dials one of the organisation's numbers.
   * @param call.from the caller's number, E.164
   * @param call.to one of the organisation's numbers, E.164
   * @param call.passthroughParameters text values whose keys start with `x-`; others are ignored. With more than
   *   1000 bytes in all, every one is ignored. A string is read as a URL-encoded query.
   * @throws {CommandError} `unknown_number` if nobody has the number `to`
   * @example
   * const call = sim.calls.inbound({
   *   from: "+6421555001",
   *   to: "+6495550100",
   *   passthroughParameters: { "x-ticket": "7" },
   * });
   * call.record.companyNumber; // => "+6495550100"
   */
  inbound(call: CommandInput<"inbound">): CallHandle {
    return new CallHandle(this.#services, this.#services.command("inbound", call));
  }

  /**
   * A user or a device dials an outside number.
   * @param call.callerId one of the organisation's numbers; default: the caller's first, or the organisation's first
   * @throws {CommandError} `busy`, `not_allowed`, `not_found`, `unknown_number`
   * @example
   * const call = sim.calls.outbound({ from: "alice", to: "+6421555002" });
   * call.answer("callee");
   * call.record.direction; // => "outbound"
   */
  outbound(call: CommandInput<"outbound">): CallHandle {
    return new CallHandle(this.#services, this.#services.command("outbound", call));
  }

  /**
   * A user dials a colleague, a team or a device by extension.
   * @param call `from`: the user, by id or e-mail address. `to`: the extension number
   * @throws {CommandError} as `outbound`
   * @example
   * const call = sim.calls.internal({ from: "alice", to: "102" });
   * call.answer("bob");
   * call.record.isInternal; // => true
   */
  internal(call: CommandInput<"internal">): CallHandle {
    return new CallHandle(this.#services, this.#services.command("internal", call));
  }

  /**
   * Another voice application hands a call over. A number out of range becomes the nearest bound (a priority becomes 5).
   * Anything but a number is ignored. Rules: docs/fidelity/calls.md#redirect-parameters.
   * @param parameters the query of the redirect
   * @param call the carrier's part of the call
   * @throws {CommandError} `not_found` for another organisation or an unknown extension
   * @example
   * const carrier = { from: "+6421555001", to: "+6495559000", vendorCallId: "CA1" };
   * sim.calls.redirect({ extension: "101", timeout: 10, returnTo: "flow", returnToId: "FW1" }, carrier);
   * sim.advance("PT10S");
   * sim.calls.returns.map(({ returnToId }) => returnToId); // => ["FW1"]
   */
  redirect(parameters: RedirectParameters, call: VendorCall): CallHandle {
    return new CallHandle(
      this.#services,
      this.#services.command("redirect", { ...(parameters as CommandInput<"redirect">), ...call }),
    );
  }

  /**
   * A call is connected to the organisation's application, by an extension and `x-` parameters.
   * @param parameters the extension number, the account's id and the passthrough parameters
   * @param call the carrier's part of the call
   * @example
   * const parameters = { extension: "101", accountId: "AC1", parameters: { "x-ticket": "7" } };
   * const call = sim.calls.connectApplication(parameters, { from: "+6421555001", to: "+6495559000" });
   * call.record.passthroughParameters; // => { "x-ticket": "7" }
   */
  connectApplication(
    parameters: Omit<CommandInput<"connectApplication">, keyof VendorCall>,
    call: VendorCall,
  ): CallHandle {
    return new CallHandle(
      this.#services,
      this.#services.command("connectApplication", { ...parameters, ...call }),
    );
  }

  /**
   * A deep link dials for a user. If the parameters are over the limit, no call is made and the dial pad opens instead.
   * @param link the user, and the outside number with the passthrough parameters; or `link`, a URL of any scheme and
   *   host whose query has `contactNumber`, `callerId` and `x-` parameters
   * @throws {CommandError} `invalid_argument` for a link without a number, and as `outbound`
   * @example
   * const dialled = sim.calls.dialLink({ user: "alice", contactNumber: "+6421555002", "x-ticket": "7" });
   * if ("call" in dialled) dialled.call.answer("callee");
   * const link = "acme-phone://dial?contactNumber=%2B6421555002&x-ticket=7";
   * sim.calls.dialLink({ user: "bob", link });
   */
  dialLink(
    link:
      | { readonly user: string; readonly link: string }
      | (CommandInput<"dialLink"> & { readonly contactNumber: string } & {
          readonly [parameter: `x-${string}`]: string;
        }),
  ): { readonly call: CallHandle } | DialPad {
    const result = this.#services.command("dialLink", link);
    return "callId" in result ? { call: new CallHandle(this.#services, result.callId) } : result;
  }

  /** The calls that returned to where they were redirected from, in order. */
  get returns(): ReturnRecord[] {
    return this.#services.redirect.returns();
  }

  /**
   * The answers of the Call Insights data action, in order: cards and preferences that people see with a call. Invalid
   * answers are left out; `sim.network.requests` says why. `retain.requests` limits how many are kept.
   */
  get insights(): CallInsightsRecord[] {
    return this.#services.dataActions.listInsights();
  }

  /**
   * Returns one call.
   * @param id the call's id
   * @throws {CommandError} `not_found` for an unknown call, or one that `retain.calls` has dropped
   * @example
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.calls.get(call.id).status; // => "offered"
   */
  get(id: string): CallHandle {
    return new CallHandle(this.#services, this.#services.callRecords.find(id).id);
  }

  /**
   * All calls that are kept, closed or live, in the order in which they started.
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).hangup("caller");
   * sim.calls.list().map(({ status }) => status); // => ["abandoned"]
   */
  list(): CallHandle[] {
    return [...this.#services.tables.calls].map(({ id }) => new CallHandle(this.#services, id));
  }

  /**
   * The calls that have not closed, in the order in which they started.
   * @example
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).hangup("caller");
   * sim.calls.inbound({ from: "+6421555002", to: "+6495550102" });
   * sim.calls.live().length; // => 1
   */
  live(): CallHandle[] {
    return this.#services.live.ids().map((id) => new CallHandle(this.#services, id));
  }
}
