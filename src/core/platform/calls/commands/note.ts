import { object, text } from "../../../foundation/input-schemas.ts";
import { show } from "../../../foundation/show.ts";
import type { CallNote } from "../../../records/call.ts";
import { dateFields } from "../../../records/date-fields.ts";
import type { CoreServices } from "../../base/core-services.ts";
import type { CallRecords } from "../../call-record/call-records.ts";
import { whoeverBy } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { ringingCall } from "../../guards/example.ts";
import { anyCall } from "../kept-call.ts";

export interface Needs extends CoreServices {
  readonly callRecords: CallRecords;
  readonly directory: Directory;
}

/** A user writes a note. This changes `modified` and emits no event. Rules: docs/fidelity/after-the-call.md#notes-and-contacts. */
export const note = defineCommand({
  summary: "a user writes a note, also after the call",
  schema: object({
    /** The call's id. */
    call: text(),
    /** The user who writes the note, by id or e-mail address. */
    by: text(),
    /** The text of the note. */
    text: text(),
  }),
  guard: anyCall,
  actor: whoeverBy,
  describe: ({ text }) => `notes ${show(text)}`,
  run({ callRecords, directory, engine }: Needs, { by, text }, call) {
    const { id: userId, email, displayName } = directory.user(by);
    const id = engine.ids.next("note");
    const note: CallNote = {
      id,
      text,
      author: { userId, email, displayName },
      ...dateFields("created", engine.now),
    };
    callRecords.change(call.id, { notes: [...call.notes, note] });
    return id;
  },
  example: (before) => ({ call: ringingCall(before), by: "alice", text: "Wants a quote" }),
});
