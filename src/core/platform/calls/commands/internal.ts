import { CommandError } from "../../../foundation/errors.ts";
import { extension, object, text } from "../../../foundation/input-schemas.ts";
import { whoeverFrom } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Calls } from "../calls.ts";
import { freeCaller } from "../free-caller.ts";

export interface Needs {
  readonly calls: Calls;
  readonly directory: Directory;
}

/** A user dials a colleague, a team or a device by extension. */
export const internal = defineCommand({
  summary: "a user dials an extension",
  makes: "call",
  schema: object({
    /** Who dials: a user's id or e-mail address. */
    from: text(),
    /** The extension number of a user, a team or a device. */
    to: extension(),
  }),
  guard: freeCaller,
  actor: whoeverFrom,
  describe: ({ to }) => ({ verb: "calls", mention: { called: to } }),
  run({ calls, directory }: Needs, args, { entry: from }) {
    const to = directory.byExtension(args.to);
    if (to.record.id === from.record.id)
      throw new CommandError(
        "not_allowed",
        `${from.record.id} cannot call themselves: call another extension`,
      );
    return calls.fromInside(from, {
      isInternal: true,
      contactNumber: to.record.extension,
      companyNumber: from.record.extension,
      passthroughParameters: undefined,
      target: { kind: to.kind, id: to.record.id },
    });
  },
  example: () => ({ from: "alice", to: "102" }),
});
