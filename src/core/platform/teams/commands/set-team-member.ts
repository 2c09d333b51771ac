import { theUser } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { setTeamMemberSchema } from "../schemas.ts";
import type { Teams } from "../teams.ts";

export const setTeamMember = defineCommand({
  summary: "adds a user to a team, or changes their priority, from the next offer on",
  schema: setTeamMemberSchema,
  actor: theUser,
  describe: ({ team, priority }) => ({
    verb: "joins",
    mention: { entry: team },
    detail: `with offer priority ${priority ?? 1}`,
  }),
  run: ({ teams }: { readonly teams: Teams }, args) => teams.setMember(args),
  example: () => ({ team: "sales", user: "alice", priority: 1 }),
});
