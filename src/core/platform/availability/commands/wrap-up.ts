import { CommandError } from "../../../foundation/errors.ts";
import { object, positiveDuration, text } from "../../../foundation/input-schemas.ts";
import { exactDurationText } from "../../../foundation/instants.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theUser } from "../../declare/description.ts";
import { recordGuard } from "../../declare/record-guards.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { type Availability, isFree } from "../availability.ts";

export interface Needs extends CoreServices {
  readonly availability: Availability;
  readonly directory: Directory;
}

/** A user who can wrap up: whoever is busy by choice or offline is not rung anyway. */
const reachable = recordGuard({
  recordKind: "user",
  find(
    { directory, machines }: Pick<Needs, "directory" | "machines">,
    { user: who, for: wrapUpMs }: { user: string; for: number },
  ) {
    const user = directory.user(who);
    const isRunning = machines.isRunning("availability", user.id);
    const event = { type: "WRAP_UP", wrapUpMs } as const;
    return { user, isAllowed: isRunning ? machines.can("availability", user.id, event) : isFree(user) };
  },
  refusal: ({ user: { id, availability }, isAllowed }) =>
    isAllowed
      ? undefined
      : new CommandError(
          "not_allowed",
          `${id} is ${availability.status} and cannot wrap up: that is for users who are available, on a call or wrapping up`,
        ),
});

/** A user stays busy for a while. */
export const wrapUp = defineCommand({
  summary: "the user stays busy for a while: after the call that they are on, or from now on",
  schema: object({
    /** The user, by id or e-mail address. */
    user: text(),
    /** How long they stay busy: after the present call, or from now on without one. */
    for: positiveDuration(),
  }),
  guard: reachable,
  actor: theUser,
  describe: ({ for: forMs }) => `asks for ${exactDurationText(forMs)} of wrap-up`,
  run: ({ availability }: Needs, { for: wrapUpMs }, { user }) =>
    availability.send(user.id, { type: "WRAP_UP", wrapUpMs }),
  example: () => ({ user: "alice", for: "PT30S" }),
});
