import { CommandError, notFound } from "../../foundation/errors.ts";
import type { DataActions } from "../data-actions/data-actions.ts";
import type { RecordGuard } from "../declare/record-guards.ts";
import { type Directory, type Entry, endpointsOf } from "../directory/directory.ts";
import type { LiveCalls } from "../live/live-calls.ts";

/** A user or a device who dials. */
export interface Dialler {
  readonly entry: Extract<Entry, { kind: "user" | "device" }>;
  /** The call that they are on. */
  readonly callId: string | undefined;
  readonly mayDialOut: boolean;
}

export interface Needs {
  readonly dataActions: DataActions;
  readonly directory: Directory;
  readonly live: LiveCalls;
}

type DialledBy = RecordGuard<Needs, { readonly from: string }, Dialler>;

/** A user or a device who can begin a call now. */
export const freeCaller: DialledBy = {
  recordKind: "dialler",
  find({ dataActions, directory, live }, { from }) {
    const entry = directory.find(from);
    if (entry?.kind !== "user" && entry?.kind !== "device")
      throw notFound("user or device", from, directory.usersAndDevices());
    // if a data action decides, its answer overrides the caller's own right to dial out
    const mayDialOut = mayDial(entry) || dataActions.isAsked("outboundCall");
    return { entry, callId: live.callOf(entry.record.id), mayDialOut };
  },
  refusal: ({ entry, callId }) => {
    const { id } = entry.record;
    if (callId !== undefined)
      return new CommandError("busy", `${id} is on call ${callId}: hang up before beginning another`);
    if (entry.kind === "user" && entry.record.status !== "active")
      return new CommandError(
        "not_allowed",
        `${id} is ${entry.record.status}: only active users can call; setStatus("active") makes them so`,
      );
    return endpointsOf(entry).length > 0
      ? undefined
      : new CommandError(
          "not_allowed",
          `${id} has no registered endpoint to call from: register one of theirs`,
        );
  },
};

/** A user or a device who can begin a call now and may dial outside numbers. */
export const freeCallerOutside: DialledBy = {
  ...freeCaller,
  refusal: (dialler) => {
    const { entry, mayDialOut } = dialler;
    const refusal = freeCaller.refusal(dialler);
    return refusal !== undefined || mayDialOut
      ? refusal
      : new CommandError(
          "not_allowed",
          `${entry.record.id} may not dial outside numbers: set its outboundAllowed to true in the organisation`,
        );
  },
};

/** Whether a caller may dial outside numbers. A device may be forbidden to. */
export function mayDial(from: Entry): boolean {
  return from.kind !== "device" || from.record.isOutboundAllowed;
}
