import { builtinModules, isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build, type Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import * as ringback from "../src/index.ts";

/** The core also runs in browsers: only `src/server` and `src/cli` may use Node. */

/** Modules that the OpenAPI generator tries to load for schemas of other libraries. They are not there. */
const otherSchemaLibraries = ["effect", "sury", "zod/v4/core", "zod-to-json-schema", "zod-openapi"];

let bundle: string;
let metafile: Metafile;

beforeAll(async () => {
  const result = await build({
    absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
    entryPoints: ["src/index.ts"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "iife",
    globalName: "ringback",
    // leave built-ins in the bundle, so that the check below names them; the build itself would only fail
    external: ["node:*", ...builtinModules],
    logLevel: "silent",
  });
  bundle = result.outputFiles[0]?.text ?? "";
  metafile = result.metafile;
});

test("the core bundled for a browser imports nothing of Node's", () => {
  const imports = Object.entries(metafile.inputs).flatMap(([file, input]) =>
    input.imports.filter(({ path }) => isBuiltin(path)).map(({ path }) => `${file} imports ${path}`),
  );
  expect(imports).toEqual([]);
  const left = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  expect(left.filter((path) => !otherSchemaLibraries.includes(path))).toEqual([]);
});

test("the core plays a call with only a browser's globals, byte-identical to Node", () => {
  const page = createContext(browserGlobals());
  runInContext(bundle, page);
  const stream = runInContext(`(${playCall})(ringback)`, page);
  expect(stream).toMatch(/"call.started".*"call.answered".*"call.hungup".*"call.ended"/s);
  expect(stream).toBe(playCall(ringback));
});

/** Browser globals that a library may need. A new context has only those of the language. */
function browserGlobals(): Record<string, unknown> {
  const names = ["AbortController", "clearTimeout", "console", "crypto", "performance", "queueMicrotask"];
  names.push("setTimeout", "structuredClone", "TextDecoder", "TextEncoder", "URL", "URLSearchParams");
  return Object.fromEntries(names.map((name) => [name, globalThis[name as keyof typeof globalThis]]));
}

/** Also run as text inside the bundle's context: it may use only its parameter. */
function playCall({ createSimulator }: Pick<typeof ringback, "createSimulator">): string {
  const sim = createSimulator({ seed: "browser" });
  sim.on("call.started", ({ data }) =>
    sim.users.get("bob").setAvailability("offline", { reason: data.call.id }),
  );
  const call = sim.calls.inbound({
    from: "+6421555001",
    to: "+6495550100",
    passthroughParameters: "x-order=42&x-name=J%C3%BCrgen",
  });
  sim.advance("PT6S");
  call.answer("alice@acme.test", { endpoint: "desktop" });
  sim.advance({ minutes: 1 });
  call.hangup("caller");
  sim.calls.inbound({ from: "+6421555002", to: "+6495550100" });
  sim.runUntilIdle();
  return sim.events.toJSONL() + sim.events.toTimeline() + JSON.stringify(sim.journal());
}
