import { ForkableMap } from "../../foundation/collections.ts";
import { CommandError } from "../../foundation/errors.ts";
import type { ReturnRecord } from "../../generated/records.ts";
import type { CallRecord } from "../../records/call.ts";
import { ANONYMOUS } from "../../records/withheld.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService, type Tasks } from "../declare/service.ts";
import type { Directory } from "../directory/directory.ts";
import type { ReturnTo } from "../parts/redirects.ts";
import type { Redirect } from "../redirect/redirect.ts";
import type { Decision } from "./schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly redirect: Redirect;
}

/** A call that returned to a flow, and what the flow needs to continue it. Replaced, never changed, so forks share it. */
interface Returned {
  readonly callId: string;
  readonly vendorCallId: string;
  readonly from: string;
  readonly to: string;
  readonly passthroughParameters: Readonly<Record<string, string>>;
  /** How often the carrier's call has returned, this time included. */
  readonly times: number;
}

export interface State {
  /** What each flow does with the calls that return to it, by its id. */
  readonly decisions: ForkableMap<string, Decision>;
  /** Calls that returned and that no flow has taken back, by their ids. */
  readonly returned: ForkableMap<string, Returned>;
  /** How often each call of the carrier has returned. */
  readonly times: ForkableMap<string, number>;
}

/** How often a flow redirects one call of the carrier, since a flow that sends it to nobody would do so for ever. */
const MOST_RETURNS = 10;
const TAKE_BACK = "flow.takeBack";

/**
 * Flows, task queues and applications to which calls return: each takes a call back, and redirects it or hangs up. Rules:
 * docs/fidelity/calls.md#returns.
 */
export class Flows {
  /** Functions that decide for flows. Neither journals nor forks have them. */
  private readonly handlers = new Map<string, (callId: string) => unknown>();

  constructor(
    private readonly services: Needs,
    private readonly state: State,
  ) {}

  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<Flows> = {
    [TAKE_BACK]: (flows, { data }) => {
      const { callId, id } = data as { callId: string; id: string };
      const decision = flows.state.decisions.get(id);
      if (decision !== undefined && flows.state.returned.has(callId)) flows.decide(callId, decision);
    },
  };

  /** Lets a function decide for a flow. Its commands are in the journal. */
  route(id: string, handler: (callId: string) => unknown): void {
    this.handlers.set(id, handler);
  }

  /**
   * Sets what a flow does with the calls that return to it from now on.
   * @throws {CommandError} `not_found` for an unknown extension
   */
  takeBack(id: string, { redirect, hangup }: Decision): void {
    if (redirect !== undefined) this.services.directory.byExtension(redirect.extension);
    this.handlers.delete(id);
    this.state.decisions.set(id, { redirect, hangup });
  }

  /**
   * Takes back one call that has returned.
   * @returns the id of the call that it goes on as; undefined if it was not redirected
   * @throws {CommandError} `not_found` for an unknown extension; `not_allowed` for a call that did not return to a flow, or was taken back before
   */
  takeBackCall(callId: string, { redirect, hangup }: Decision): string | undefined {
    if (!this.state.returned.has(callId)) {
      const waiting = this.services.redirect.returns().filter((each) => this.state.returned.has(each.callId));
      throw new CommandError(
        "not_allowed",
        `call ${callId} has not returned to a flow, or was taken back; waiting: ${waiting.map((each) => each.callId).join(", ") || "none"}`,
      );
    }
    if (redirect !== undefined) this.services.directory.byExtension(redirect.extension);
    return this.decide(callId, { redirect, hangup });
  }

  /** Schedules the taking back of a call that returned: at the same instant, after the current step. */
  callReturned(call: CallRecord, { to, id }: ReturnTo): void {
    if (to === "postEndpoint") return;
    const { engine } = this.services;
    const times = (this.state.times.get(call.vendorCallId) ?? 0) + 1;
    this.state.times.set(call.vendorCallId, times);
    this.state.returned.set(call.id, {
      callId: call.id,
      vendorCallId: call.vendorCallId,
      from: call.contactNumber ?? ANONYMOUS,
      to: call.companyNumber,
      passthroughParameters: call.passthroughParameters,
      times,
    });
    const handler = this.handlers.get(id);
    if (handler !== undefined) engine.loop.callBack(0, () => handler(call.id));
    else if (this.state.decisions.has(id))
      engine.schedule(0, TAKE_BACK, call.id, "flow: takes the call back", { callId: call.id, id });
  }

  /** Drops calls whose returns were dropped. A call that is still going through flows has newer returns. */
  forget(dropped: readonly ReturnRecord[]): void {
    for (const { callId, vendorCallId } of dropped) {
      this.state.returned.delete(callId);
      if (!this.services.redirect.hasReturned(vendorCallId)) this.state.times.delete(vendorCallId);
    }
  }

  private decide(callId: string, { redirect, hangup }: Decision): string | undefined {
    const returned = this.state.returned.get(callId);
    if (returned === undefined) throw new Error(`call ${callId} has not returned`);
    if (redirect === undefined && hangup === undefined) return undefined;
    this.state.returned.delete(callId);
    if (redirect === undefined) {
      this.services.redirect.followed(callId, { takenBack: "hangup", nextCallId: null });
      return undefined;
    }
    const { directory } = this.services;
    // a flow that keeps sending the call to nobody hangs up in the end, and so does one whose entry was removed
    if (returned.times > MOST_RETURNS || directory.findByExtension(redirect.extension) === undefined) {
      this.services.redirect.followed(callId, { takenBack: "hangup", nextCallId: null });
      return undefined;
    }
    const { from, to, vendorCallId, passthroughParameters } = returned;
    const nextCallId = this.services.redirect.redirect({
      ...redirect,
      from,
      to,
      vendorCallId,
      passthroughParameters,
    });
    this.services.redirect.followed(callId, { takenBack: "redirect", nextCallId });
    return nextCallId;
  }
}

/** Takes returned calls back. */
export const flows = defineService({
  init: (): State => ({
    decisions: new ForkableMap(),
    returned: new ForkableMap(),
    times: new ForkableMap(),
  }),
  create: (services: Needs, state) => new Flows(services, state),
  tasks: Flows.tasks,
});
