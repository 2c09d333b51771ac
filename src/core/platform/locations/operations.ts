import type { CoreServices } from "../base/core-services.ts";
import { created, done, type Operation, ok, okPage, operationsWith, type Tag } from "../declare/operation.ts";
import { singlePage } from "../declare/paging.ts";
import { defineBody, defineList, nothing } from "../declare/wire-schemas.ts";
import { userById, userParameter } from "../directory/operations.ts";
import { location, user } from "../directory/record.ts";
import { createLocation } from "./commands/create-location.ts";
import type { Locations } from "./locations.ts";

export interface Needs extends CoreServices {
  readonly locations: Locations;
}

const operation = operationsWith<Needs>();

const tag: Tag = { name: "Locations", description: "Locations and who is there" };
const params: Operation<Needs>["params"] = {
  locationId: {
    description: "The location's id.",
    example: "auckland",
    candidates: ({ tables }) => tables.locations,
  },
};
const userParams = { ...params, userId: userParameter };

export const locationOperations = [
  operation({
    method: "get",
    path: "/locations",
    id: "listLocations",
    tag,
    summary: "List locations",
    description: "The places where people work, in the order in which they were made.",
    answers: { 200: defineList("locations", location) },
    handle: ({ platform }) => okPage("locations", singlePage([...platform.tables.locations])),
  }),
  operation({
    method: "put",
    path: "/locations",
    id: "createLocation",
    tag,
    summary: "Create a location",
    description: "A new place where people work. The answer has its id.",
    body: defineBody("NewLocation", createLocation.schema),
    commands: ["createLocation"],
    errors: [409],
    answers: { 201: location },
    example: { body: { name: "Wellington", address: "2 Lambton Quay", countryIso: "NZ" } },
    handle({ platform, body }) {
      return created(platform.locations.get(platform.runValidated("createLocation", body)));
    },
  }),
  operation({
    method: "get",
    path: "/locations/{locationId}",
    id: "getLocation",
    tag,
    summary: "Read a location",
    description: "The name, address, country and time zone of a place.",
    params,
    answers: { 200: location },
    handle: ({ platform, params: { locationId = "" } }) => ok(platform.locations.get(locationId)),
  }),
  operation({
    method: "get",
    path: "/locations/{locationId}/users",
    id: "listLocationUsers",
    tag,
    summary: "List the users at a location",
    description: "The users who are assigned to the location, in the order of the organisation.",
    params,
    answers: { 200: defineList("users", user) },
    handle({ platform, params: { locationId = "" } }) {
      const { id } = platform.locations.get(locationId);
      const users = [...platform.tables.users].filter(({ location }) => location?.id === id);
      return okPage("users", singlePage(users));
    },
  }),
  operation({
    method: "put",
    path: "/locations/{locationId}/users/{userId}",
    id: "putLocationUser",
    tag,
    summary: "Assign a user to a location",
    description: "A user is at one location at most: they leave the one that they were at.",
    params: userParams,
    commands: ["addUserToLocation"],
    answers: { 200: user },
    example: { params: { locationId: "london" } },
    handle({ platform, params: { locationId = "", userId = "" } }) {
      platform.command("addUserToLocation", { location: locationId, user: userById(platform, userId).id });
      return ok(userById(platform, userId));
    },
  }),
  operation({
    method: "delete",
    path: "/locations/{locationId}/users/{userId}",
    id: "deleteLocationUser",
    tag,
    summary: "Remove a user from a location",
    description: "The user has no location afterwards. A user who is not there is 404.",
    params: userParams,
    commands: ["removeUserFromLocation"],
    answers: { 200: nothing },
    example: { params: { userId: "bob" } },
    handle({ platform, params: { locationId = "", userId = "" } }) {
      platform.command("removeUserFromLocation", {
        location: locationId,
        user: userById(platform, userId).id,
      });
      return done;
    },
  }),
];
