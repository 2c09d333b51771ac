import { ForkableList, ForkableMap } from "../../foundation/collections.ts";
import { CommandError } from "../../foundation/errors.ts";
import type { ReturnRecord } from "../../generated/records.ts";
import { endpointUrlProblem } from "../../network/endpoint-url.ts";
import type { Network } from "../../network/network.ts";
import { vendorSignature } from "../../network/vendor-signature.ts";
import type { CallRecord } from "../../records/call.ts";
import { dateFields } from "../../records/date-fields.ts";
import { makeContent, type RequestRecord } from "../../records/request.ts";
import { ANONYMOUS } from "../../records/withheld.ts";
import type { CoreServices } from "../base/core-services.ts";
import type { Calls } from "../calls/calls.ts";
import { defineService } from "../declare/service.ts";
import type { Directory, Entry } from "../directory/directory.ts";
import type { OfferRules } from "../live/live-calls.ts";
import type { ReturnTo } from "../parts/redirects.ts";
import type { RedirectArguments } from "./schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly calls: Calls;
  readonly network: Network;
}

/** How a flow took a returned call back, and the call that followed. */
type Followed = Pick<ReturnRecord, "takenBack" | "nextCallId">;

export interface State {
  /** The calls that returned, in order. `retain.calls` limits how many are kept; the oldest are dropped first. */
  readonly returned: ForkableList<ReturnRecord>;
  /** How each returned call was taken back, by the call's id. */
  readonly followed: ForkableMap<string, Followed>;
}

const returnKinds: readonly string[] = [
  "flow",
  "taskQueue",
  "postEndpoint",
  "application",
] satisfies ReturnTo["to"][];

/** Calls that another voice application hands over, and their returns. Rules: docs/fidelity/calls.md#redirect. */
export class Redirect {
  constructor(
    private readonly services: Needs,
    private readonly state: State,
  ) {}

  /**
   * @returns the call's id; if the same redirect of the carrier's call is repeated, the id of the call that rings
   * @throws {CommandError} `not_found` for another organisation or an unknown extension
   */
  redirect(args: RedirectArguments): string {
    const { directory, settings, calls } = this.services;
    if ((args.organisationId ?? settings.organisationId) !== settings.organisationId) {
      throw new CommandError(
        "not_found",
        `organisationId: expected ${settings.organisationId}, got ${args.organisationId}`,
      );
    }
    const entry = directory.byExtension(args.extension);
    const { from, vendorCallId, passthroughParameters } = args;
    const redirectedBy = vendorCallId === undefined ? null : writeParameters(args, settings.organisationId);
    const ringing = redirectedBy === null ? undefined : calls.ringingBy(redirectedBy);
    if (ringing !== undefined) return ringing;
    const priority = priorityOf(args.priority);
    return calls.fromOutside(
      { from, vendorCallId, passthroughParameters, priority },
      entry,
      args.to,
      readRules(args, entry, settings.allowLocal),
      "redirect",
      null,
      redirectedBy,
    );
  }

  /** Notes the start of a call that may return. */
  begin(callId: string, returnTo: ReturnTo): void {
    const input = { isPosted: returnTo.to === "postEndpoint" };
    this.services.machines.start("redirectReturn", callId, { recordId: callId, returnTo }, input);
  }

  /** Ends the return of a call that was answered or is over. */
  keep(callId: string): void {
    if (this.isOpen(callId)) this.services.machines.send("redirectReturn", callId, { type: "KEEP" });
  }

  /** Returns an unanswered call, if it may return. */
  unanswered(callId: string, reason: string): void {
    if (this.isOpen(callId))
      this.services.machines.send("redirectReturn", callId, { type: "UNANSWERED", reason });
  }

  /** Notes that the request which posts a return has ended. */
  posted({ recordId, failure }: RequestRecord): void {
    this.services.machines.send("redirectReturn", recordId, { type: "POSTED", failure });
  }

  /** Returns an unanswered call to where it came from. @returns the older returns that were dropped */
  giveBack(call: CallRecord, { to, id }: ReturnTo, returnReason: string): ReturnRecord[] {
    const record: ReturnRecord = Object.freeze({
      callId: call.id,
      vendorCallId: call.vendorCallId,
      returnTo: to,
      returnToId: id,
      returnReason,
      takenBack: null,
      nextCallId: null,
      ...dateFields("created", this.services.engine.now),
    });
    const { returned, followed } = this.state;
    returned.push(record);
    // keep at least the newest return, since a flow may still take it back
    const keep = Math.max(1, this.services.settings.keep.calls);
    if (returned.length <= keep) return [];
    const dropped = [...returned].slice(0, -keep);
    returned.dropFirst(keep);
    for (const { callId } of dropped) followed.delete(callId);
    return dropped;
  }

  /** Whether a return of a carrier's call is kept. */
  hasReturned(vendorCallId: string): boolean {
    return [...this.state.returned].some((record) => record.vendorCallId === vendorCallId);
  }

  /** Posts the return to the endpoint, in a request signed by the vendor. */
  post(call: CallRecord, { id: to }: ReturnTo, returnReason: string): void {
    const { vendorSecret, dialect } = this.services.settings;
    const form = {
      from: call.contactNumber ?? ANONYMOUS,
      parentCallId: call.vendorCallId,
      returnReason,
      to: call.companyNumber,
    };
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      [`x-${dialect.vendor}-signature`]: vendorSignature(vendorSecret, to, form),
    };
    this.services.network.send({
      to,
      method: "POST",
      why: "return",
      recordId: call.id,
      subject: "return",
      content: makeContent(headers, () => new URLSearchParams(form).toString()),
      context: null,
    });
  }

  /** Every call that returned, in order. */
  returns(): ReturnRecord[] {
    return [...this.state.returned].map((record) => {
      const followed = this.state.followed.get(record.callId);
      return followed === undefined ? record : Object.freeze({ ...record, ...followed });
    });
  }

  /** Notes how a flow took a returned call back. */
  followed(callId: string, followed: Followed): void {
    const { returned } = this.state;
    const keepsAll = this.services.settings.keep.calls === Number.POSITIVE_INFINITY;
    if (keepsAll || [...returned].some((record) => record.callId === callId))
      this.state.followed.set(callId, followed);
  }

  /** Whether a call may still return, since it has not been answered. */
  private isOpen(callId: string): boolean {
    return this.services.machines.isRunning("redirectReturn", callId);
  }
}

/** All parameters of a redirect as text. Their order does not change the text, so repeats can be recognised. */
function writeParameters(args: RedirectArguments, organisationId: string): string {
  const { passthroughParameters, ...rest } = { organisationId, ...args };
  const entries = Object.entries({ ...rest, ...passthroughParameters }).filter(
    ([, value]) => value !== undefined,
  );
  return JSON.stringify(entries.map(([name, value]) => [name, String(value)]).sort());
}

function readRules(args: RedirectArguments, entry: Entry, allowLocal: boolean): OfferRules {
  return {
    timeoutMs: secondsWithin(args.timeout, 10, entry.kind === "team" ? 300 : 70),
    nextOfferTimeoutMs: secondsWithin(args.nextOfferTimeout, 5, 60),
    sendToVoicemail: String(args.sendToVoicemail) === "true",
    returnTo: readReturnTo(args, allowLocal),
  };
}

/** Reads seconds. A value out of range becomes the nearest bound; anything but a number is ignored. */
function secondsWithin(value: unknown, min: number, max: number): number | null {
  const seconds = numberOf(value);
  return seconds === null ? null : Math.round(Math.min(max, Math.max(min, seconds)) * 1000);
}

/** Reads a priority, an integer from 1 to 9. Anything else becomes the default. */
function priorityOf(value: unknown): number | undefined {
  const priority = numberOf(value);
  return priority !== null && Number.isInteger(priority) && priority >= 1 && priority <= 9
    ? priority
    : undefined;
}

function numberOf(value: unknown): number | null {
  if (typeof value === "boolean" || value === undefined || String(value).trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/**
 * Reads where a call returns to. Ignored unless it has both parts, a known kind and, for `postEndpoint`, the URL of a
 * public host.
 */
function readReturnTo(
  { returnTo = "", returnToId = "" }: RedirectArguments,
  allowLocal: boolean,
): ReturnTo | null {
  if (!returnKinds.includes(returnTo)) return null;
  const id = returnTo === "postEndpoint" ? endpointUrl(returnToId, allowLocal) : returnToId;
  return id === "" ? null : { to: returnTo as ReturnTo["to"], id };
}

/** Reads an endpoint's URL, which may be URL-encoded. Empty if it is not a URL. */
function endpointUrl(given: string, allowLocal: boolean): string {
  const isEndpoint = (text: string) => endpointUrlProblem(text, allowLocal) === undefined;
  if (isEndpoint(given)) return given;
  try {
    const decoded = decodeURIComponent(given);
    return isEndpoint(decoded) ? decoded : "";
  } catch {
    return ""; // invalid URL encoding
  }
}

/** Calls that another voice application hands over, and their returns. */
export const redirectService = defineService({
  init: (): State => ({ returned: new ForkableList(), followed: new ForkableMap() }),
  create: (services: Needs, state) => new Redirect(services, state),
});
