import { createServer } from "node:http";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import {
  createSimulator,
  demoOrganisation,
  type EndpointHandler,
  fromFetch,
  InputError,
} from "../../../src/index.ts";

/** As JavaScript may call it, with what the types refuse. */
const anything = (value: unknown) => value as never;

const ids = { undefined: undefined, null: null, "a number": 5, "an object": { id: "alice" } };

function simulatorWithTrunk() {
  const trunks = [{ id: "pbx", name: "PBX" }];
  return createSimulator({ organisation: { ...demoOrganisation, features: { pbx: true }, trunks } });
}

/** Each way to get something by an id. */
const getters: Readonly<Record<string, (sim: ReturnType<typeof createSimulator>, id: never) => unknown>> = {
  "calls.get": (sim, id) => sim.calls.get(id),
  "users.get": (sim, id) => sim.users.get(id),
  "teams.get": (sim, id) => sim.teams.get(id),
  "devices.get": (sim, id) => sim.devices.get(id),
  "directory.get": (sim, id) => sim.directory.get(id),
  "locations.get": (sim, id) => sim.locations.get(id),
  "locations.users": (sim, id) => sim.locations.users(id),
  "phonebooks.get": (sim, id) => sim.phonebooks.get(id),
  "phonebooks.contacts": (sim, id) => sim.phonebooks.contacts(id),
  "phonebooks.contact": (sim, id) => sim.phonebooks.contact("customers", id),
  "trunks.get": (sim, id) => sim.trunks.get(id),
  "trunks.get(…).devices.get": (sim, id) => sim.trunks.get("pbx").devices.get(id),
  "conversations.get": (sim, id) => sim.conversations.get(id),
  "recordings.get": (sim, id) => sim.recordings.get(id, id),
  "transcripts.get": (sim, id) => sim.transcripts.get(id),
  "transcripts.segments": (sim, id) => sim.transcripts.segments(id),
  "analysis.get": (sim, id) => sim.analysis.get(id),
  "webhooks.get": (sim, id) => sim.webhooks.get(id),
  "webhooks.deliveries": (sim, id) => sim.webhooks.deliveries(id),
  "webhooks.delivery": (sim, id) => sim.webhooks.delivery(id),
  "webhooks.signingSecret": (sim, id) => sim.webhooks.signingSecret(id),
};

describe("An id that is no text", () => {
  test.each(Object.entries(getters))("is unknown to %s, as a misspelt one is", (_, get) => {
    const sim = simulatorWithTrunk();
    const errorOf = (id: unknown) => {
      try {
        return get(sim, anything(id));
      } catch (error) {
        const { name, code, message } = error as Error & { code: string };
        return { name, code, message };
      }
    };
    const { message, ...misspelt } = errorOf("nope") as { message: string };
    for (const id of Object.values(ids)) {
      const said = typeof id === "object" && id !== null ? "an object" : String(id);
      expect(errorOf(id)).toEqual({ ...misspelt, message: message.replace('"nope"', said) });
    }
  });
});

describe("An app of a server library", () => {
  const app = express();
  const koa = { use: () => koa, callback: () => () => undefined, listen: () => undefined };
  const apps: [string, unknown, RegExp][] = [
    ["Express", app, /got an Express app, .* let it listen, and give fromFetch\(/],
    ["an Express router", express.Router(), /got an Express app/],
    ["Koa", koa, /got a Koa app, .* let it listen/],
    ["Fastify", Fastify(), /got a Fastify app: give a function .* app\.inject/],
    ["Hono", new Hono(), /got an app that has fetch: give fromFetch\(\(request\) => app\.fetch\(request\)\)/],
    ["node:http", createServer(), /got a server, .* let it listen/],
  ];
  test.each(apps)("of %s is refused by route and fromFetch, with what to do", (_, given, what) => {
    const sim = createSimulator();
    for (const give of [
      () => sim.network.route("https://crm.test/", given as EndpointHandler),
      () => fromFetch(anything(given)),
    ]) {
      expect(give).toThrow(InputError);
      expect(give).toThrow(what);
    }
    expect(sim.network.routes).toEqual([]);
  });

  test.each([undefined, null, 204, "https://crm.test/", {}])(
    "is no other value either: fromFetch refuses %j",
    (given) => {
      expect(() => fromFetch(anything(given))).toThrow(
        /^fromFetch: expected a function from a Request to a Response, got/,
      );
    },
  );
});
