import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commands } from "../../src/core/platform/catalogue/commands.ts";
import { exampleOrganisation } from "../../src/core/platform/organisation/example.ts";
import type { OpenApiOperation } from "../../src/core/rest/openapi/types.ts";
import { commandsWithoutStep } from "../../src/core/scenario/schema.ts";
import { createSimulator, parseScenario, runScenario, type Simulator } from "../../src/index.ts";
import { controlDocument } from "../../src/server/control-document.ts";
import { serve } from "../../src/server/index.ts";
import { problemsBy } from "../core/rest/schemas.ts";
import { runsOf, sixthOf } from "../counts.ts";
import { served } from "./support.ts";

/** Holds the control plane to its document: each answer is checked by the schema that the document has for it. */

const document = await controlDocument(createSimulator(), "http://127.0.0.1:8080");
const problemsOf = problemsBy(document);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Sends a request, and returns its status and how its answer differs from the document. */
async function ask(url: string, { method, path, query = {}, body }: Asked) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const aborting = new AbortController();
  const answered = await fetch(`${url}${path}?${search}`, {
    method: method.toUpperCase(),
    signal: aborting.signal,
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const { status } = answered;
  const type = answered.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) {
    aborting.abort();
    return { status, problems: contentOf(method, path, status, "text/event-stream") ? [] : [type] };
  }
  const text = await answered.text();
  if (type.startsWith("text/plain"))
    return { status, problems: contentOf(method, path, status, "text/plain") ? [] : [type] };
  const content = contentOf(method, path.replace(/worlds\/1$/, "worlds/{id}"), status, "application/json");
  if (content === undefined) return { status, problems: [`${status} is not documented: ${text}`] };
  return { status, problems: problemsOf(content.schema, JSON.parse(text)) };
}

function contentOf(method: string, path: string, status: number, type: string) {
  const said = document.paths[path]?.[method]?.responses[status];
  const { $ref = "" } = (said ?? {}) as { readonly $ref?: string };
  const named = document.components.responses?.[$ref.replace("#/components/responses/", "")];
  return ((named ?? said) as typeof said)?.content?.[type];
}

const exampleOf = ({ requestBody }: OpenApiOperation) => requestBody?.content?.["application/json"]?.example;
const queryOf = ({ parameters = [] }: OpenApiOperation) =>
  Object.fromEntries(
    parameters.filter(({ example }) => example !== undefined).map(({ name, example }) => [name, example]),
  );

describe("The document of the control plane", () => {
  test("is served beside that of the REST API, without a token, with the server's address", async () => {
    const { url } = await served({}, { token: "secret" });
    const answered = await fetch(`${url}/_sim/openapi.json`);
    expect(answered.status).toBe(200);
    expect(await answered.json()).toEqual({ ...document, servers: [{ url }] });
    expect((await fetch(`${url}/_sim/state`)).status).toBe(401);
  });

  test("has a path for each request of the control plane and for each command that a test may give", async () => {
    const { url } = await served();
    const { message } = (await (await fetch(`${url}/_sim/nowhere`)).json()) as { message: string };
    const routed = (message.split("there are: ")[1] ?? "").split(", ");
    const commands = createSimulator().commandNames.filter((name) => !commandsWithoutStep.includes(name));
    const expected = routed.flatMap((path) =>
      path.endsWith("commands/*")
        ? commands.map((name) => path.replace("*", name))
        : [path.replace("*", "{id}")],
    );
    expect(Object.keys(document.paths).sort()).toEqual(expected.sort());
  });

  test("describes every parameter and every field of a body", () => {
    const bare: string[] = [];
    const visit = (part: unknown, place: string): void => {
      if (typeof part !== "object" || part === null) return;
      const { properties = {}, parameters } = part as {
        properties?: Record<string, { description?: string; $ref?: string }>;
        parameters?: unknown;
      };
      if (Array.isArray(parameters))
        for (const { name, description } of parameters) if (!description) bare.push(`${place}: ${name}`);
      for (const [name, field] of Object.entries(properties))
        if (!field.description && !field.$ref) bare.push(`${place}.${name}`);
      for (const [key, each] of Object.entries(part)) if (key !== "example") visit(each, `${place}/${key}`);
    };
    visit(document.paths, "paths");
    visit(document.components, "components");
    expect(bare).toEqual([]);
  });

  test("has examples that succeed, with the answers that a server gives", async () => {
    for (const { path, method, operation } of operations) {
      const sim = createSimulator({ ids: "counter", organisation: exampleOrganisation });
      const name = path.replace("/_sim/commands/", "") as keyof typeof commands;
      if (name in commands) commands[name].example(sim);
      const server = await serve(sim, { outbound: false });
      if (path.endsWith("{id}")) await fetch(`${server.url}/_sim/worlds`, { method: "POST" });
      const { status, problems } = await ask(server.url, {
        ...{ path: path.replace("{id}", "1"), method, query: queryOf(operation), body: exampleOf(operation) },
      });
      await server.close();
      expect([path, status, problems]).toEqual([path, 200, []]);
      const content = operation.responses[200]?.content?.["application/json"];
      if (content !== undefined) expect(problemsOf(content.schema, content.example)).toEqual([]);
    }
  });

  test("has no secret and no token that a server with the default options has or will have", async () => {
    const { sim, url } = await served();
    const text = await (await fetch(`${url}/_sim/openapi.json`)).text();
    const { clientSecret, vendorSecret } = sim.credentials;
    const { signingSecret } = sim.webhooks.create({ url: "https://crm.acme.test/", events: ["*"] });
    for (const secret of [clientSecret, vendorSecret, signingSecret, sim.token()])
      expect(text).not.toContain(secret);
  });

  test("holds for every list of a lesson's run", async () => {
    const folder = new URL("../../scenarios/", import.meta.url);
    const lessons = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    const lists = operations.filter(({ method, path }) => method === "get" && !path.endsWith("/stream"));
    for (const name of sixthOf(lessons, 1)) {
      const { simulator } = runScenario(parseScenario(readFileSync(new URL(name, folder), "utf8")));
      const server = await serve(simulator, { outbound: false });
      for (const { path, method } of lists)
        expect([name, path, await ask(server.url, { path, method })]).toEqual([
          ...[name, path],
          { status: 200, problems: [] },
        ]);
      await server.close();
    }
  });

  test("holds for answers to wrong requests too", async () => {
    const wild = fc.oneof(fc.constant("call-1"), fc.constant("alice"), fc.jsonValue({ maxDepth: 1 }));
    const request = fc.constantFrom(...operations).chain(({ path, method, operation }) =>
      fc.record({
        path: fc.constant(path),
        method: fc.constant(method),
        query: fc.dictionary(fc.constantFrom("since", "limit", "type", "x"), wild, { maxKeys: 2 }),
        body:
          method === "get"
            ? fc.constant(undefined)
            : fc.oneof(
                fc.constant(exampleOf(operation)),
                fc.dictionary(
                  fc.constantFrom("x", ...Object.keys((exampleOf(operation) as object | undefined) ?? {})),
                  wild,
                ),
                wild,
              ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 30 }), async (requests) => {
        const sim: Simulator = createSimulator({ ids: "counter", organisation: exampleOrganisation });
        const server = await serve(sim, { outbound: false });
        try {
          for (const each of requests)
            expect([each, (await ask(server.url, each)).problems]).toEqual([each, []]);
        } finally {
          await server.close();
        }
      }),
      { numRuns: runsOf(40) },
    );
  });
});
