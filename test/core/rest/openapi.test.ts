import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { type AnyOperation, operations } from "../../../src/core/platform/catalogue/operations.ts";
import { eventTypes } from "../../../src/core/platform/declare/events.ts";
import { defaultDialect } from "../../../src/core/platform/declare/settings.ts";
import { exampleSimulator, playExample } from "../../../src/core/rest/openapi/examples.ts";
import type { OpenApiOperation } from "../../../src/core/rest/openapi/types.ts";
import { createSimulator } from "../../../src/index.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test("The document carries the version of the API, its hosts and every event", async () => {
  const sim = createSimulator();
  const document = await sim.openapi();
  expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "2026-07-01" } });
  expect(document.servers).toEqual([{ url: sim.urls.api }]);
  expect(Object.keys(document.webhooks)).toEqual([...eventTypes]);
});

test("Every event says in a sentence what happened, and which field says when", async () => {
  const { webhooks } = await createSimulator().openapi();
  const { summary, description, requestBody }: Partial<OpenApiOperation> = webhooks["call.ended"]?.post ?? {};
  expect(summary).toBe("A call that anyone joined, or that was blocked, is over");
  expect(description).toContain("`data.call.endedAt` says when");
  expect(JSON.stringify(requestBody)).toContain(`"description":"${summary}."`);
  const sentences = Object.values(webhooks).map(({ post }) => String(post.summary));
  expect(sentences.filter((sentence) => !/^[A-Z].* .*\w$/.test(sentence))).toEqual([]);
  expect(new Set(sentences).size).toBe(eventTypes.length);
});

test("Every field of every answer and event has a description", async () => {
  const document = await createSimulator().openapi();
  const records = Object.entries(document.components.schemas ?? {}).filter(
    ([name]) => !/^New|Changes$|^TeamMembership$|^PhonebookContents$/.test(name),
  );
  const events = Object.entries(document.webhooks).map(
    ([type, { post }]) => [type, post.requestBody] as const,
  );
  const fields = [...records, ...events].flatMap(([name, schema]) => fieldsOf(name, schema));
  expect(fields.length).toBeGreaterThan(400);
  // a constant field needs no description: its value says enough
  const bare = fields.filter(({ field }) => field.description === undefined && field.const === undefined);
  expect(bare.map(({ path }) => path)).toEqual([]);
});

test("The setup of an example happens in a fork", async () => {
  const sim = exampleSimulator(createSimulator, defaultDialect);
  const declared = operations.find(({ id }) => id === "getCall") as AnyOperation;
  const operation: AnyOperation = {
    ...declared,
    example: {
      prepare: (before) => void before.command("inbound", { from: "+6421555001", to: "+6495550100" }),
      params: { id: "call-2" },
    },
  };
  const world = { sim, isReal: false, showsSecrets: true };
  const played = await playExample(world, operation, defaultDialect);
  expect(played).toMatchObject({ status: 200, params: { id: "call-2" }, answer: { status: "offered" } });
  expect(sim.calls.list()).toHaveLength(1);
  // a simulator that shows its own state invents nothing
  const shown = await playExample({ ...world, isReal: true }, operation, defaultDialect);
  expect(shown).toMatchObject({ status: 200, params: { id: "call-1" } });
});

test("A redirect needs no body: its parameters may be in the query, as in a vendorRedirectUrl", async () => {
  const { paths } = await createSimulator().openapi();
  const { requestBody, parameters = [] } = paths["/telephony/redirect"]?.post ?? {};
  expect(requestBody?.required).toBe(false);
  const names = parameters.flatMap(({ name, in: where }) => (where === "query" ? [name] : []));
  expect(names).toEqual([...names].sort());
  expect(names).toEqual(expect.arrayContaining(["from", "parentCallId", "to"]));
  const required = parameters.filter((each) => each.required === true).map(({ name }) => name);
  expect(required).toEqual(["extension", "organisationId"]);
});

test("Every operation lists how faults answer it, and they answer so", async () => {
  const { paths } = await createSimulator().openapi();
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([key]) => key !== "servers")
      .map(([method, operation]) => ({
        name: `${method} ${path}`,
        statuses: Object.keys((operation as OpenApiOperation).responses),
      })),
  );
  const silent = operations.filter(({ statuses }) => !statuses.includes("429") || !statuses.includes("5XX"));
  expect(silent.map(({ name }) => name)).toEqual([]);
  const sim = createSimulator();
  for (const [path, url, body] of [
    ["/oauth/token", `${sim.urls.auth}/oauth/token`, { error: "temporarily_unavailable" }],
    ["/telephony/redirect", `${sim.urls.redirect}/telephony/redirect`, { code: "too_many_requests" }],
    ["/users", "/users", { code: "too_many_requests" }],
  ] as const) {
    sim.rest.fault({ path, status: 429, times: 1 });
    const answer = await sim.fetch(url, { method: "POST" });
    expect([answer.status, await answer.json()]).toMatchObject([429, body]);
  }
});

test("Deprecated parts are marked as deprecated", async () => {
  const { components, webhooks } = await createSimulator().openapi();
  const fields = Object.entries(components.schemas ?? {}).flatMap(([name, schema]) => fieldsOf(name, schema));
  const deprecated = fields.filter(({ field }) => field.deprecated === true).map(({ path }) => path);
  expect(deprecated).toEqual([
    "Call.initiator",
    "Call.recipient",
    "EventCall.initiator",
    "EventCall.recipient",
  ]);
  const events = Object.entries(webhooks).filter(([, { post }]) => post.deprecated === true);
  expect(events.map(([type]) => type)).toEqual([
    "call.contact_assigned_with_add",
    "call.contact_assigned_with_update",
  ]);
});

type Field = Readonly<Record<string, unknown>>;

/** The fields of the objects in a schema, by where they are. */
function fieldsOf(path: string, schema: unknown): { readonly path: string; readonly field: Field }[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, part]) => {
    if (key === "example") return [];
    if (key !== "properties") return fieldsOf(path, part);
    return Object.entries(part as Record<string, Field>).flatMap(([name, field]) => [
      { path: `${path}.${name}`, field },
      ...fieldsOf(`${path}.${name}`, field),
    ]);
  });
}

test("The REST API is loaded only when it is used", async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/index.ts"],
    outdir: "out",
    bundle: true,
    splitting: true,
    format: "esm",
    packages: "external",
    write: false,
    metafile: true,
  });
  const loadedWith = (path: string): string[] => {
    const { inputs, imports } = metafile.outputs[path] ?? { inputs: {}, imports: [] };
    const eager = imports.filter(({ kind }) => kind === "import-statement");
    return [
      ...Object.keys(inputs),
      ...eager.flatMap(({ path: each, external }) => (external ? [each] : loadedWith(each))),
    ];
  };
  const loaded = loadedWith("out/index.js");
  expect(loaded).toContain("src/core/simulator/simulator.ts");
  expect(loaded.filter((each) => /^src\/core\/rest\/|hono|to-json-schema/.test(each))).toEqual([]);
});

test("The document describes every parameter and every field of every body", async () => {
  const document = await createSimulator().openapi();
  const undescribed: string[] = [];
  let fields = 0;
  const look = (part: unknown, at: string): void => {
    if (typeof part !== "object" || part === null) return;
    const { properties = {}, parameters = [] } = part as {
      readonly properties?: Record<string, { readonly description?: string }>;
      readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
    };
    for (const [name, { description }] of [
      ...Object.entries(properties),
      ...parameters.map((each) => [each.name, each] as const),
    ]) {
      fields++;
      if (!description) undescribed.push(`${at}: ${name}`);
    }
    for (const [key, each] of Object.entries(part))
      if (key !== "example" && key !== "examples") look(each, `${at}/${key}`);
  };
  look(document.paths, "paths");
  look(document.webhooks, "webhooks");
  look(document.components, "components");
  expect(fields).toBeGreaterThan(500);
  expect(undescribed).toEqual([]);
});
