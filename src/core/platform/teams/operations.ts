import { object } from "../../foundation/input-schemas.ts";
import type { CoreServices } from "../base/core-services.ts";
import { done, type Operation, ok, operationsWith } from "../declare/operation.ts";
import { bodyOf, nothing } from "../declare/wire-schemas.ts";
import type { Directory } from "../directory/directory.ts";
import { teamsTag, userById, userParameter } from "../directory/operations.ts";
import { team } from "../directory/record.ts";
import { memberEntries } from "./schemas.ts";

interface Needs extends CoreServices {
  readonly directory: Directory;
}

const operation = operationsWith<Needs>();

const params: Operation<Needs>["params"] = {
  teamId: {
    description: "The team's id.",
    example: "sales",
    candidates: ({ tables }) => tables.teams,
  },
  userId: userParameter,
};

export const teamOperations = [
  operation({
    method: "put",
    path: "/teams/{teamId}/users/{userId}",
    id: "putTeamMember",
    tag: teamsTag,
    summary: "Add a user to a team, or change their offer priority",
    description: "Offer priority 1 is the highest, and the default. It counts from the next offer on.",
    params,
    body: bodyOf("TeamMembership", object(memberEntries)),
    isBodyOptional: true,
    commands: ["setTeamMember"],
    answers: { 200: team },
    example: { body: { priority: 2 } },
    handle({ platform, params: { teamId = "", userId = "" }, body: { priority } }) {
      platform.runValidated("setTeamMember", {
        team: teamId,
        user: userById(platform, userId).id,
        priority,
      });
      return ok(platform.directory.team(teamId));
    },
  }),
  operation({
    method: "delete",
    path: "/teams/{teamId}/users/{userId}",
    id: "deleteTeamMember",
    tag: teamsTag,
    summary: "Remove a user from a team",
    description: "The user stops ringing for the team's calls at once. Calls that they talk on go on.",
    params,
    commands: ["removeTeamMember"],
    answers: { 200: nothing },
    example: { params: { userId: "bob" } },
    handle({ platform, params: { teamId = "", userId = "" } }) {
      platform.command("removeTeamMember", { team: teamId, user: userById(platform, userId).id });
      return done;
    },
  }),
];
