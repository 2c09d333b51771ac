import { runValidated } from "../../platform/catalogue/run-command.ts";
import { createLocation } from "../../platform/locations/commands/create-location.ts";
import { location, user } from "../../records/schemas/directory.ts";
import { created, noContent, type Operation, ok, okPage, operation, type Tag } from "../operation.ts";
import { pageOf, pagingIfAskedQuery } from "../paging.ts";
import { bodyOf, listOf } from "../schemas.ts";
import { userParameter } from "./directory.ts";

const tag: Tag = { name: "Locations", description: "Locations and who is there" };
const params: Operation["params"] = {
  locationId: {
    description: "The location's id.",
    example: "auckland",
    candidates: ({ locations }) => locations.list(),
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
    query: pagingIfAskedQuery,
    answers: { 200: listOf("locations", location) },
    handle: (request) => okPage("locations", pageOf(request, request.platform.tables.locations)),
  }),
  operation({
    method: "put",
    path: "/locations",
    id: "createLocation",
    tag,
    summary: "Create a location",
    description: "A new place where people work. The answer has its id.",
    body: bodyOf("NewLocation", createLocation.schema),
    answers: { 201: location },
    example: { body: { name: "Wellington", address: "2 Lambton Quay", countryIso: "NZ" } },
    handle({ platform, body }) {
      return created(platform.locations.get(runValidated(platform, "createLocation", body)));
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
    query: pagingIfAskedQuery,
    answers: { 200: listOf("users", user) },
    handle(request) {
      const { platform, params } = request;
      const { id } = platform.locations.get(params.locationId ?? "");
      const isListed = ({ location }: { readonly location: { readonly id: string } | null }) =>
        location?.id === id;
      return okPage("users", pageOf(request, platform.tables.users, { isListed }));
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
    answers: { 200: user },
    example: { params: { locationId: "london" } },
    handle({ platform, params: { locationId = "", userId = "" } }) {
      platform.command("addUserToLocation", { location: locationId, user: userId });
      return ok(platform.directory.user(userId));
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
    answers: { 204: null },
    example: { params: { userId: "bob" } },
    handle({ platform, params: { locationId = "", userId = "" } }) {
      platform.command("removeUserFromLocation", { location: locationId, user: userId });
      return noContent;
    },
  }),
];
