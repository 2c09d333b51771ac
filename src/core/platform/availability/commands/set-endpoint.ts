import { CommandError } from "../../../foundation/errors.ts";
import { flag, object, text } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import type { CallRecords } from "../../call-record/call-records.ts";
import { theUser } from "../../declare/description.ts";
import { recordGuard } from "../../declare/record-guards.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Availability } from "../availability.ts";

export interface Needs extends CoreServices {
  readonly availability: Availability;
  readonly callRecords: CallRecords;
  readonly directory: Directory;
}

/** An endpoint to register, or one to unregister on which the user does not talk. */
const unusedEndpoint = recordGuard({
  recordKind: "endpoint",
  find(
    { callRecords, directory }: Pick<Needs, "callRecords" | "directory">,
    { user, endpoint, registered }: { user: string; endpoint: string; registered: boolean },
  ) {
    const { id } = directory.user(user);
    const call = callRecords.connectedAt(id, endpoint);
    return { user: id, endpoint, call: registered ? undefined : call };
  },
  refusal: ({ user, endpoint, call }) =>
    call === undefined
      ? undefined
      : new CommandError(
          "busy",
          `${user} is on call ${call} at ${endpoint}: move the call or hang up before unregistering it`,
        ),
});

/**
 * Registers or unregisters an endpoint. A user without any is logged out. A ring in progress stops on an endpoint
 * that is unregistered, and does not extend to one that is registered.
 */
export const setEndpoint = defineCommand({
  summary: "registers or unregisters an endpoint",
  schema: object({
    /** The user, by id or e-mail address. */
    user: text(),
    /** The endpoint's id. */
    endpoint: text(),
    /** Whether it is signed in. Only registered endpoints ring. */
    registered: flag(),
  }),
  guard: unusedEndpoint,
  actor: theUser,
  describe: ({ endpoint, registered }) => `${registered ? "registers" : "unregisters"} ${endpoint}`,
  run({ availability, directory, raise, tables }: Needs, { user: who, endpoint: endpointId, registered }) {
    const user = directory.user(who);
    const index = user.endpoints.findIndex((endpoint) => endpoint.id === endpointId);
    if (index < 0) {
      const known = user.endpoints.map((endpoint) => endpoint.id).join(", ");
      throw new CommandError(
        "not_found",
        `${user.id} has no endpoint "${endpointId}"; known: ${known || "none"}`,
      );
    }
    if (user.endpoints[index]?.registered === registered) return;
    const isLoggedIn = user.endpoints.some((endpoint, at) =>
      at === index ? registered : endpoint.registered,
    );
    tables.users.update(user.id, (draft) => {
      const endpoint = draft.endpoints[index];
      if (endpoint !== undefined) endpoint.registered = registered;
      draft.loginStatus = isLoggedIn ? "loggedIn" : "loggedOut";
    });
    raise.entryChanged({ entryId: user.id });
    if (!registered) raise.endpointLost({ userId: user.id, endpointId });
    if (isLoggedIn !== (user.loginStatus === "loggedIn"))
      availability.send(user.id, { type: isLoggedIn ? "LOG_IN" : "LOG_OUT" });
  },
  example: () => ({ user: "alice", endpoint: "mobile", registered: false }),
});
