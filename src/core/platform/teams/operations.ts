import { object } from "../../foundation/input-schemas.ts";
import type { CoreServices } from "../base/core-services.ts";
import { done, type Operation, ok, okPage, operationsWith, type Tag } from "../declare/operation.ts";
import { singlePage } from "../declare/paging.ts";
import { defineBody, defineList, nothing } from "../declare/wire-schemas.ts";
import type { Directory } from "../directory/directory.ts";
import { userById, userParameter } from "../directory/operations.ts";
import { team } from "../directory/record.ts";
import { memberEntries } from "./schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

const operation = operationsWith<Needs>();

const tag: Tag = { name: "Teams", description: "Teams and who is in them" };
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
    method: "get",
    path: "/teams",
    id: "listTeams",
    tag,
    summary: "List teams, hidden ones too",
    description: "Every team with its members, their offer priorities and its availability.",
    answers: { 200: defineList("teams", team) },
    handle: ({ platform }) => okPage("teams", singlePage([...platform.tables.teams])),
  }),
  operation({
    method: "put",
    path: "/teams/{teamId}/users/{userId}",
    id: "putTeamMember",
    tag,
    summary: "Add a user to a team, or change their offer priority",
    description: "Offer priority 1 is the highest, and the default. It counts from the next offer on.",
    params,
    body: defineBody("TeamMembership", object(memberEntries)),
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
    tag,
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
