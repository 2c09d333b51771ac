import * as v from "valibot";
import { CommandError } from "../../../foundation/errors.ts";
import { extension, object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { whoeverFrom } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer } from "../../guards/example.ts";
import { validEntries } from "../../passthrough/passthrough.ts";
import type { Redirect } from "../redirect.ts";
import { vendorEntries } from "../schemas.ts";

export interface Needs extends CoreServices {
  readonly redirect: Redirect;
}

/** Connects a call to the organisation's application, with application parameters. */
export const connectApplication = defineCommand({
  summary: "a call is connected to the organisation's application",
  makes: "call",
  schema: object({
    /** The extension number of the entry that the call is for. */
    extension: extension(),
    /** The id of the account that the call comes from. */
    accountId: text(),
    /** Passthrough parameters: text values whose names start with `x-`; at most 1000 bytes in all. */
    parameters: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.transform((given) => validEntries(given)),
      ),
    ),
    ...vendorEntries,
  }),
  actor: whoeverFrom,
  describe: ({ extension }) => ({ verb: "is redirected to", mention: { called: extension } }),
  run({ redirect, settings }: Needs, { extension, accountId: given, parameters, from, to, vendorCallId }) {
    const { accountId = given } = settings;
    if (given !== accountId)
      throw new CommandError("not_found", `accountId: expected ${accountId}, got ${given}`);
    return redirect.redirect({ extension, from, to, vendorCallId, passthroughParameters: parameters ?? {} });
  },
  example: () => ({ from: aCustomer, to: "+6495559999", extension: "101", accountId: "AC1" }),
});
