import { theUser } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { removeTeamMemberSchema } from "../schemas.ts";
import type { Teams } from "../teams.ts";

export const removeTeamMember = defineCommand({
  summary: "takes a user out of a team, from the next offer on",
  schema: removeTeamMemberSchema,
  actor: theUser,
  describe: ({ team }) => ({ verb: "leaves", mention: { entry: team } }),
  run: ({ teams }: { readonly teams: Teams }, args) => teams.removeMember(args),
  example: () => ({ team: "sales", user: "bob" }),
});
