import * as v from "valibot";
import { CommandError } from "../../../foundation/errors.ts";
import { e164, object, text } from "../../../foundation/input-schemas.ts";
import { whoeverFrom } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer } from "../../guards/example.ts";
import { passthrough } from "../../passthrough/schema.ts";
import type { Calls } from "../calls.ts";
import { type Dialler, freeCallerOutside } from "../free-caller.ts";

export interface Needs {
  readonly calls: Calls;
  readonly directory: Directory;
}

/** A user or a device dials an outside number. */
export const outbound = defineCommand({
  summary: "a user or device dials an outside number",
  makes: "call",
  schema: object({
    /** Who dials: a user's id or e-mail address, or a device's id. */
    from: text(),
    /** The outside number to call, E.164. */
    to: e164(),
    /**
     * The organisation's number to call from, E.164.
     * @default the caller's first number, otherwise the organisation's first
     */
    callerId: v.optional(e164()),
    /** Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all. */
    passthroughParameters: v.optional(passthrough),
  }),
  guard: freeCallerOutside,
  actor: whoeverFrom,
  describe: ({ to }) => ({ verb: "calls", mention: { called: to } }),
  run({ calls, directory }: Needs, args, { entry: from }) {
    if (directory.numbers.includes(args.to))
      throw new CommandError(
        "not_allowed",
        `${args.to} is the organisation's own number: use internal with the extension`,
      );
    return calls.fromInside(from, {
      isInternal: false,
      contactNumber: args.to,
      companyNumber: callerId(directory, from, args.callerId),
      passthroughParameters: args.passthroughParameters,
      target: { kind: "number", id: args.to },
    });
  },
  example: () => ({ from: "alice", to: aCustomer }),
});

/** The number that an outbound call shows: the requested one, the caller's first, or the organisation's first. */
function callerId({ numbers }: Directory, from: Dialler["entry"], wanted: string | undefined): string {
  const number = wanted ?? from.record.phoneNumbers[0] ?? numbers[0];
  if (number !== undefined && numbers.includes(number)) return number;
  const problem =
    wanted === undefined
      ? "the organisation has no number to call from"
      : `${wanted} is not a number of the organisation`;
  throw new CommandError(
    "unknown_number",
    `callerId: ${problem}; its numbers: ${numbers.join(", ") || "none"}`,
  );
}
