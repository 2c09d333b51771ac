import { CommandError } from "../../foundation/errors.ts";
import type { CallRecord } from "../../records/call.ts";
import type { CallRecords } from "../call-record/call-records.ts";
import type { RecordGuard } from "../declare/record-guards.ts";

type OnKeptCall = RecordGuard<{ readonly callRecords: CallRecords }, { readonly call: string }, CallRecord>;

/** Any call whose record is kept, live or closed, for follow-ups such as notes. */
export const anyCall: OnKeptCall = {
  recordKind: "follow-ups of a call",
  find: ({ callRecords }, { call }) => callRecords.find(call),
  refusal: () => undefined,
};

/** A kept call whose outside party can be given a name. */
export const callToName: OnKeptCall = {
  ...anyCall,
  refusal: ({ id, contactNumber, isInternal }) => {
    if (contactNumber === null)
      return new CommandError(
        "not_allowed",
        `the caller of call ${id} withheld the number: there is none to name`,
      );
    return isInternal
      ? new CommandError("not_allowed", `call ${id} is internal: it has no outside number to name`)
      : undefined;
  },
};
