import { redirectReturnMachine } from "../../../../machines/redirect-return.ts";
import type { ReturnRecord } from "../../generated/records.ts";
import { belongsTo, definePart, ownMachine } from "./define-part.ts";

/** Where an unanswered redirected call goes back to. */
export interface ReturnTo {
  readonly to: ReturnRecord["returnTo"];
  readonly id: string;
}

/** Redirected calls, and those that go back to a flow. */
export const redirectsPart = definePart({
  machines: {
    redirectReturn: ownMachine({
      machine: redirectReturnMachine,
      about: belongsTo<{ readonly returnTo: ReturnTo }>(),
      timers: {},
    }),
  },
  tasks: { "flow: takes the call back": { subject: "the flow", verb: "takes the call back" } },
});
