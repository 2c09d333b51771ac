import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { gzipSync } from "node:zlib";
import { validate } from "ctrf";
import { build, type Metafile } from "esbuild";
import { parse } from "junit2json";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { deadLinks } from "../../src/build/packed-links.ts";
import { createSimulator } from "../../src/index.ts";
import { packagesOfPage } from "../../src/inspector/build/page.ts";
import { isWhole, someOf } from "../counts.ts";
import { peers } from "../runtimes/versions.ts";

/** The package as consumers get it, used in the folder that it is installed in. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const stricter = ["--exactOptionalPropertyTypes", "--verbatimModuleSyntax", "--isolatedModules"];
const tsc = join(root, "node_modules/typescript-native/bin/tsc");
const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");

const budgets = "test/package/tarball.test.ts has the budgets: raise this one if the package should grow";

const { work, consumer, tarball, packed, bytes } = inject("installed");

async function installedManifest() {
  return JSON.parse(await readFile(join(consumer, "node_modules/ringback/package.json"), "utf8"));
}

/** Nobody can register a name under `invalid`, so no address leads elsewhere before the project has one. */
function isPlaceholder(address: string): boolean {
  return new URL(address.replace("git+", "")).hostname.endsWith(".invalid");
}

describe("the tarball", () => {
  const published = [
    /^dist\/[\w-]+(\.d-[\w-]+)?\.(js|cjs|d\.ts|d\.cts)$/,
    /^dist\/(inspect|desk)\.html$/,
    /^scenarios\/([\w-]+\/)*[\w-]+(\.schema)?\.(yaml|json|sha256)$/,
    /^docs\/((fidelity|guides)\/)?[\w-]+\.md$/,
    /^docs\/(api|lessons)\/README\.md$/,
    /^docs\/examples\/[\w-]+\/([\w.-]+\.(go|java|md|mjs|py|ts|yaml)|Dockerfile)$/,
    /^skills\/[\w-]+\/SKILL\.md$/,
    /^(README\.md|LICENSE|CHANGELOG\.md|package\.json)$/,
  ];

  test("contains the build, the scenarios and the documentation files, and nothing else", () => {
    expect(packed.filter((path) => !published.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  test("has no link that leads to nothing", async () => {
    const files = new Set(packed);
    const read = packed.filter((path) => /\.(md|html|d\.c?ts)$/.test(path));
    const dead = await Promise.all(
      read.map(async (path) => {
        const text = await readFile(join(consumer, "node_modules/ringback", path), "utf8");
        return deadLinks(path, text, files).map((target) => `${path}: ${target}`);
      }),
    );
    expect(dead.flat()).toEqual([]);
    // which of them are found
    const page =
      "[one](gone.md#a) `[two](gone.md)` ![three](gone.png) [five](%zz.md) <img src='x'> [four `[]`](../b.md)";
    expect(deadLinks("a/a.md", page, new Set(["b.md"]))).toEqual(["gone.md#a", "gone.png", "%zz.md"]);
  });

  // pictures, lessons and what only we read are on the site
  test("is at most 2.4 MB, and 7.9 MB unpacked", () => {
    expect(bytes.packed, budgets).toBeLessThan(2_400_000);
    expect(bytes.unpacked, budgets).toBeLessThan(7_900_000);
  });

  test("names the licence of every package in its files", async () => {
    const notices = await readFile(join(consumer, "node_modules/ringback/docs/third-party.md"), "utf8");
    const named = [...notices.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    const inPage = await packagesOfPage();
    expect(inPage).toContain("luxon");
    expect(inPage.filter((name) => !named.includes(name))).toEqual([]);
  });

  test("has provenance only beside a repository that there is", async () => {
    const { publishConfig, repository } = await installedManifest();
    expect(publishConfig.provenance === true).toBe(!isPlaceholder(repository.url));
  });

  test("names one host for code, pages and defects", async () => {
    const { repository, homepage, bugs } = await installedManifest();
    expect(isPlaceholder(homepage)).toBe(isPlaceholder(repository.url));
    expect(isPlaceholder(bugs.url)).toBe(isPlaceholder(repository.url));
  });

  test("allows the versions of its peers that are proved, and needs none of them", async () => {
    const { peerDependencies, peerDependenciesMeta } = await installedManifest();
    const majors = (range: string) => range.split(" || ").map((part) => Number(/^\^(\d+)\./.exec(part)?.[1]));
    const allowed = Object.entries<string>(peerDependencies).map(([name, range]) => [name, majors(range)]);
    expect(Object.fromEntries(allowed)).toEqual(peers);
    const optional = Object.keys(peers).map((name) => [name, { optional: true }]);
    expect(peerDependenciesMeta).toEqual(Object.fromEntries(optional));
  });

  test("has nothing that npm runs when it is installed", async () => {
    const { scripts } = await installedManifest();
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
  });

  test("contains every file that the manifest points to", async () => {
    const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const { main, module, types, typesVersions, bin, exports } = manifest;
    const targets = stringsIn({ main, module, types, typesVersions, bin, exports });
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((target) => !packed.includes(target.replace(/^\.\//, "")))).toEqual([]);
  });

  test("contains the container's files, and the guides for other languages", () => {
    const names = ["Dockerfile", "compose.yaml", "receiver.mjs"].map((name) => `examples/container/${name}`);
    const guides = ["python", "go", "java", "containers"].map((name) => `guides/${name}.md`);
    expect(packed).toEqual(expect.arrayContaining([...names, ...guides].map((name) => `docs/${name}`)));
  });

  test("passes publint without errors or suggestions", async () => {
    const bytes = await readFile(tarball);
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(bytes).buffer },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  // programs that import it are type-checked below, under some of them
  test.runIf(isWhole)("has correct types under every module resolution", async () => {
    const check = (...flags: string[]) =>
      run(process.execPath, [attw, tarball, "--no-color", ...flags], work);
    // `run` throws if the checker exits with an error
    expect(await check("--profile", "strict")).toContain("No problems found");
  });
});

describe("the installed package", () => {
  test("plays a call equally if imported, required or run from the sources", async () => {
    const fromSources = playCall({ createSimulator });
    const imported = await runModule("play.mjs", `import * as ringback from "ringback";`, printCall);
    const required = await runModule("play.cjs", `const ringback = require("ringback");`, printCall);
    expect(fromSources).toMatch(/"call.started".*"call.answered".*"call.hungup".*"call.ended"/s);
    expect(imported).toBe(fromSources);
    expect(required).toBe(fromSources);
  });

  test("has one class of an error and one simulator for all entries that are required", async () => {
    const entries = [
      "ringback",
      "ringback/node",
      "ringback/explore",
      "ringback/import",
      "ringback/inspect",
      "ringback/jest",
    ];
    const body = `const { InputError, createSimulator } = require("ringback");
      const [, ...others] = ${JSON.stringify(entries)}.map((name) => require(name));
      const [node, explore, , inspect, jest] = others;
      const sim = createSimulator();
      const refused = [
        explore.explore({}),
        (async () => inspect.inspectHtml({ failures: [] }))(),
        node.serve(sim, { publicUrl: "x" }),
        (async () => createSimulator({ seed: {} }))(),
      ].map((each) => each.then(() => "taken", (error) => error instanceof InputError));
      Promise.all(refused).then((all) => process.stdout.write(JSON.stringify([all, typeof jest.matchers])));`;
    expect(JSON.parse(await runModule("shared.cjs", "", body))).toEqual([[true, true, true, true], "object"]);
    const simulators = packed.filter((path) => path.endsWith(".cjs"));
    const texts = await Promise.all(simulators.map((path) => readFile(join(root, path), "utf8")));
    expect(texts.filter((text) => text.includes("nobody has the number"))).toHaveLength(1);
  });

  test("has types that are those of another copy too", async () => {
    await cp(join(consumer, "node_modules/ringback"), join(consumer, "node_modules/other-copy"), {
      recursive: true,
    });
    const manifest = join(consumer, "node_modules/other-copy/package.json");
    await writeFile(
      manifest,
      (await readFile(manifest, "utf8")).replace('"name": "ringback"', '"name": "other-copy"'),
    );
    const source = `import { type DateTime, createSimulator, type Simulator, type CallHandle, InputError } from "ringback";
import type * as other from "other-copy";
import type * as otherNode from "other-copy/node";
import { serve } from "ringback/node";
const sim: other.Simulator = createSimulator();
const back: Simulator = sim;
const call: CallHandle = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
const error: other.InputError = new InputError([], "wrong");
const server: Promise<otherNode.SimulatorServer> = serve(sim, { port: 0 });
const now: DateTime = back.now;
export { call, error, server, now };
`;
    await writeFile(join(consumer, "copies.mts"), source);
    expect(await typeCheck(["copies.mts"], "nodenext")).toBe("");
    const declarations = packed.filter((path) => /\.d\.c?ts$/.test(path));
    const texts = await Promise.all(declarations.map((path) => readFile(join(root, path), "utf8")));
    expect(texts.filter((text) => /^\s+(#private|private (?!constructor))/m.test(text))).toEqual([]);
  });

  test("has the machines, whether imported or required", async () => {
    const imported = await runModule(
      "machines.mjs",
      `import * as machines from "ringback/machines"; import * as xstate from "xstate";`,
      printMachines,
    );
    const required = await runModule(
      "machines.cjs",
      `const machines = require("ringback/machines"); const xstate = require("xstate");`,
      printMachines,
    );
    expect(JSON.parse(imported)).toMatchObject({ callAfterAnswer: "accepted", failures: [9, 0] });
    expect(JSON.parse(imported).names).toContain("ringMachine");
    expect(required).toBe(imported);
  });

  test("plays a call equally where tests have put enumerable properties on Object.prototype", async () => {
    const pollute = `Object.prototype.polluted = "yes"; Object.prototype.pollutedToo = () => {};`;
    const imported = await runModule(
      "polluted.mjs",
      `${pollute} const ringback = await import("ringback");`,
      printCall,
    );
    const required = await runModule(
      "polluted.cjs",
      `${pollute} const ringback = require("ringback");`,
      printCall,
    );
    const expected = playCall({ createSimulator });
    expect([imported === expected, required === expected]).toEqual([true, true]);
  });

  test("plays a call equally where memory cannot be shared, as in most pages of browsers", async () => {
    const imported = await runModule(
      "unshared.mjs",
      `delete globalThis.SharedArrayBuffer; delete globalThis.Atomics; const ringback = await import("ringback");`,
      printCall,
    );
    expect(imported).toBe(playCall({ createSimulator }));
  });

  test("answers requests where the prototypes of built-in objects are frozen", async () => {
    const harden = `Object.defineProperty(Object.prototype, "constructor", { writable: false });`;
    const body = `const sim = createSimulator();
      process.stdout.write((await sim.openapi()).openapi);`;
    const imports = `${harden} const { createSimulator } = await import("ringback");`;
    expect(await runModule("hardened.mjs", imports, body)).toBe("3.1.0");
  });

  test("serves over HTTP, whether imported or required", async () => {
    const imported = await runModule(
      "serve.mjs",
      `import * as ringback from "ringback"; import * as node from "ringback/node";`,
      printServed,
    );
    const required = await runModule(
      "serve.cjs",
      `const ringback = require("ringback"); const node = require("ringback/node");`,
      printServed,
    );
    expect(JSON.parse(imported)).toEqual({
      began: 200,
      first: "call.started",
      refused: "not_ringing",
      calls: 200,
    });
    expect(required).toBe(imported);
  });

  const resolutions: [string, string[], string[]][] = [
    ["node16", ["consumer.mts", "consumer.cts"], ["edges.mts", "edges.cts"]],
    ["nodenext", ["consumer.mts", "consumer.cts"], []],
    ["bundler", ["consumer.ts"], ["edges.ts"]],
  ];

  test.each(someOf(resolutions))(
    "type-checks in consumers that resolve modules as %s, all entries with stricter options than strict",
    async (resolution, files, edges) => {
      for (const file of files) await writeFile(join(consumer, file), consumerSource);
      expect(await typeCheck(files, resolution)).toBe("");
      // each on its own: a program with both would have the matchers twice; the next test has one that is required
      for (const file of isWhole ? edges : edges.slice(0, 1)) {
        await writeFile(join(consumer, file), edgesSource);
        // which a file that is required cannot be checked with
        const flags = file.endsWith(".cts") ? [] : stricter;
        expect(ownProblems(await typeCheck([file], resolution, ...flags))).toEqual([]);
      }
    },
  );

  test("type-checks in a CommonJS project, with one type of simulator for all entries", async () => {
    const compilerOptions = {
      ...{ module: "node16", target: "es2022", lib: ["es2023", "esnext.disposable", "dom"], strict: true },
      ...{ noEmit: true, types: [] },
    };
    const folder = await folderWith({
      "package.json": '{ "private": true, "type": "commonjs" }',
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["*.ts"] }),
      "all.ts": `${consumerSource}\n${edgesSource.replace('import { createSimulator } from "ringback";', "").replace("const sim = createSimulator();", "")}`,
    });
    const output = await run(process.execPath, [tsc, "--singleThreaded", "-p", folder], folder).catch(
      (error: Error) => error.message,
    );
    expect(ownProblems(output)).toEqual([]);
  });

  test("declares exactly the values it exports at run time", async () => {
    const names = ["ringback", "ringback/machines", "ringback/node"];
    const imports = names.map((name, index) => `import * as all${index} from "${name}";`).join("\n");
    const print = "process.stdout.write(JSON.stringify([all0, all1, all2].map(Object.keys)))";
    const exported = JSON.parse(await runModule("keys.mjs", imports, print)) as string[][];
    let source = "";
    for (const [index, name] of names.entries()) {
      const keys = exported[index] ?? [];
      const values = Object.fromEntries(keys.map((key) => [key, true]));
      source += `import * as all${index} from "${name}";
        export const values${index}: Record<keyof typeof all${index}, true> = ${JSON.stringify(values)};\n`;
    }
    const files = ["values.mts", "values.cts"];
    for (const file of files) await writeFile(join(consumer, file), source);
    expect(await typeCheck(files, "nodenext")).toBe("");
  });

  describe("with a test runner", () => {
    const missedCall = `import { createSimulator } from "ringback";
      test("a call that nobody answers", () => {
        const sim = createSimulator();
        sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
        sim.advance("PT30S");
        expect(sim.events.map((event) => event.type)).toEqual(["call.started", "call.not_answered"]);
      });`;

    test("runs in Jest, as an ES module, and has handlers for MSW there", async () => {
      const handlers = `import { handlers } from "ringback/msw";
        import { createSimulator } from "ringback";
        test("they are there", () => expect(handlers(createSimulator())).toHaveLength(3));`;
      const folder = await folderWith({ "call.test.mjs": missedCall, "msw.test.mjs": handlers });
      const env = { NODE_OPTIONS: "--experimental-vm-modules" };
      expect(await runJest(folder, {}, env)).toBe(2);
    });

    test("runs in Jest, compiled to CommonJS, without flags", async () => {
      const folder = await folderWith({ "call.test.ts": missedCall });
      // what Babel, ts-jest and SWC do
      await writeFile(
        join(folder, "compile.cjs"),
        `const { transformSync } = require(${JSON.stringify(join(root, "node_modules/esbuild"))});
        exports.process = (text) => ({ code: transformSync(text, { loader: "ts", format: "cjs" }).code });`,
      );
      const transform = { "[.]ts$": join(folder, "compile.cjs") };
      expect(await runJest(folder, { transform })).toBe(1);
    });

    test("runs the recipe for Jest as printed, every entry except Vitest's and MSW's, and the matchers and shareTime, without flags", async () => {
      const entries = `
        const required = ["ringback", "ringback/jest", "ringback/machines", "ringback/node"];
        test.each(required)("%s is there", (name) => {
          expect(Object.keys(require(name)).length).toBeGreaterThan(0);
        });
        test("the parts that are loaded when they are needed are there", async () => {
          const sim = require("ringback").createSimulator();
          const headers = { authorization: "Bearer " + sim.token() };
          expect((await sim.fetch("/users", { headers })).status).toBe(200);
          expect((await sim.openapi()).openapi).toMatch(/^3[.]1/);
        });`;
      const recipe = await exampleOf("docs/guides/test-runner.md");
      const imports = `const { readFileSync } = require("node:fs");
        const { createSimulator, replay } = require("ringback"); const { shareTime } = require("ringback/jest");`;
      const folder = await folderWith({
        ...{ "recipe.test.cjs": recipe, "entries.test.cjs": entries },
        "matchers.test.cjs": `${imports}\n${jestTests}`,
      });
      expect(await runJest(folder)).toBe(9);
    });

    // jest-environment-jsdom hides these; what its classes do beside Node's shows `npm run prove:runtimes`
    test("runs in a Jest environment that hides Node's globals, and refuses what needs fetch in one sentence", async () => {
      const hidden = [
        "TextEncoder",
        "TextDecoder",
        "structuredClone",
        "fetch",
        "Request",
        "Response",
        "Headers",
      ];
      const environment = `const { TestEnvironment } = require(${JSON.stringify(join(root, "node_modules/jest-environment-node"))});
        module.exports = class extends TestEnvironment {
          async setup() {
            await super.setup();
            for (const name of [...${JSON.stringify(hidden)}, "ReadableStream", "Blob", "FormData"]) delete this.global[name];
            this.global.document = { baseURI: "http://localhost/" };
          }
        };`;
      const tests = `const { createSimulator, fromFetch, replay, verifySignature } = require("ringback");
        require("ringback/jest");
        test("nothing is there", () => {
          for (const name of ${JSON.stringify(hidden)}) expect(globalThis[name]).toBeUndefined();
        });
        test("a call, its webhook, its signature, a fork, a replay and the matchers", () => {
          const sim = createSimulator();
          const { signingSecret: secret } = sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
          let body;
          sim.network.route("https://crm.test/", (request) => {
            body = request.body;
            return verifySignature({ ...request, secret, now: sim.timestamp }).valid ? 204 : 401;
          });
          sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
          sim.fork().runUntilIdle();
          sim.runUntilIdle();
          expect(sim).toHaveDelivered("https://crm.test/", "call.ended");
          expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
          const bytes = Buffer.from(body);
          const { headers } = sim.network.requests[0];
          expect(verifySignature({ headers, body: bytes, secret, now: sim.timestamp }).valid).toBe(true);
        });
        test("the inspector's page", () => {
          const { inspectHtml } = require("ringback/inspect");
          expect(inspectHtml(createSimulator())).toContain("<!doctype html>");
        });
        test("an exploration", async () => {
          const { exploreReport } = require("ringback/explore");
          const report = await exploreReport({
            scenario: (sim) => {
              sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
              sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
            },
            subject: (sim) => { sim.network.route("https://crm.test/", () => 204); return {}; },
            eventually: { holds: () => {} },
          });
          expect(report.failures).toEqual([]);
        });
        test("what needs fetch names the environment to choose", async () => {
          const refusal = /^\\S+ needs Request, Response.* which this environment hides: run the file in Node's, by \`@jest-environment node\`/;
          await expect(createSimulator().fetch("/users")).rejects.toThrow(refusal);
          expect(() => fromFetch(() => undefined)).toThrow(refusal);
        });`;
      const folder = await folderWith({ "environment.cjs": environment, "hidden.test.cjs": tests });
      expect(await runJest(folder, { testEnvironment: join(folder, "environment.cjs") })).toBe(5);
    });

    test.runIf(isWhole)("has the matchers and shareTime in Jest, imported", async () => {
      const imports = `import { readFileSync } from "node:fs"; import { createSimulator, replay } from "ringback";
        import { shareTime } from "ringback/jest"; import { jest } from "@jest/globals";`;
      const folder = await folderWith({ "matchers.test.mjs": `${imports}\n${jestTests}` });
      const env = { NODE_OPTIONS: "--experimental-vm-modules" };
      expect(await runJest(folder, {}, env)).toBe(3);
    });

    test("runs the recipe for Node's own runner as printed", async () => {
      const recipe = await exampleOf("docs/guides/test-runner.md", 1);
      expect(await runModule("quiet.test.mjs", recipe, "")).toMatch(/pass 1\b/);
    });

    test("has matchers for any other expect.extend", async () => {
      const imports = `import test from "node:test"; import { expect } from "expect";
        import { createSimulator } from "ringback"; import { matchers } from "ringback/jest";`;
      const body = `expect.extend(matchers);
        test("they work", () => {
          const sim = createSimulator();
          expect(sim).toBeIdle();
          expect(() => expect(sim).toHaveEmitted("call.ended", { call: { id: expect.any(String) } })).toThrow(
            /with data like { call: { id: Any<String> } }[^]*npx ringback run/,
          );
        });`;
      expect(await runModule("other.mjs", imports, body)).toMatch(/# pass 1|pass 1/);
    });

    test("has the matchers of ringback/vitest", async () => {
      const source = `import { createSimulator } from "ringback";
        import "ringback/vitest";
        import { expect, test } from "vitest";
        test("the matchers are there", () => {
          const sim = createSimulator();
          expect(sim).toBeIdle();
          expect(() => expect(sim).toHaveEmitted("call.ended")).toThrow("Seed: 1");
        });`;
      const folder = await folderWith({ "matchers.test.ts": source });
      expect(await runVitest(folder)).toMatch(/Tests {2}1 passed/);
    });

    // more requests than a world has: a world that finds what others left is red
    const honoApp = `let requests = 0;
      const app = new Hono();
      app.post("/hooks", async (c) => {
        const { type } = await c.req.json();
        return c.body(null, ++requests > 30 ? 500 : type === "call.ended" ? STATUS : 204);
      });`;
    const esm = (status: number) =>
      `import { Hono } from "hono";\n${honoApp}\nexport { app };\n`.replace("STATUS", `${status}`);
    const cjs = `const { Hono } = require("hono");\n${honoApp}\nmodule.exports = app;\n`.replace(
      "STATUS",
      "204",
    );
    const projects: [string, string, string, string][] = [
      ["vitest", "module", esm(204), "passed"],
      ["vitest", "module", esm(422), "failed"],
      ["jest", "commonjs", cjs, "passed"],
      ["node:test", "commonjs", cjs, "passed"],
      ["node:test", "module", esm(204), "passed"],
    ];

    test.each(someOf(projects))(
      "runs the test that ringback init writes for an app of Hono, %s in a %s project",
      async (runner, type, app, verdict) => {
        const scripts = runner === "node:test" ? { test: "node --test" } : {};
        const devDependencies = { ringback: "*", ...(runner === "node:test" ? {} : { [runner]: "*" }) };
        const manifest = { type, scripts, dependencies: { hono: "*" }, devDependencies };
        const folder = await folderWith({ "package.json": JSON.stringify(manifest), "app.js": app });
        const command = join(consumer, "node_modules/.bin/ringback");
        await run(command, ["init"], folder);
        if (verdict === "failed")
          await expect(runVitest(folder)).rejects.toThrow(
            /FAILS refuses: the app refuses what the platform sends/,
          );
        else if (runner === "jest") expect(await runJest(folder)).toBe(3);
        else if (runner === "vitest") expect(await runVitest(folder)).toMatch(/Tests {2}3 passed/);
        else
          expect(await run(process.execPath, ["--test", "test/ringback.test.js"], folder)).toMatch(
            /pass 3\b/,
          );
        expect(await run(command, ["verify", join(folder, "scenarios")], consumer)).toMatch(/^same/);
      },
    );
  });

  test("has handlers for MSW, whether imported or required", async () => {
    const print = `process.stdout.write(String(msw.handlers(ringback.createSimulator()).length))`;
    const imports = `import * as ringback from "ringback"; import * as msw from "ringback/msw";`;
    const requires = `const ringback = require("ringback"); const msw = require("ringback/msw");`;
    expect(await runModule("msw.mjs", imports, print)).toBe("3");
    // MSW has parts that are only ES modules: to `require` it takes a Node that can require those
    await writeFile(join(consumer, "msw.cjs"), `${requires}\n${print}`);
    expect(await run(process.execPath, ["msw.cjs"], consumer)).toBe("3");
  });

  test("writes a page, whether imported or required", async () => {
    const print = `const html = inspect.inspectHtml(ringback.createSimulator());
      const playground = inspect.playgroundHtml();
      process.stdout.write(String(html.startsWith("<!doctype html>") && html.includes('"ringback":1')
        && playground.includes('"exercise"') && playground.includes("@font-face")))`;
    const imports = `import * as ringback from "ringback"; import * as inspect from "ringback/inspect";`;
    const requires = `const ringback = require("ringback"); const inspect = require("ringback/inspect");`;
    expect(await runModule("inspect.mjs", imports, print)).toBe("true");
    expect(await runModule("inspect.cjs", requires, print)).toBe("true");
  });

  // failed tests share one viewer, so the page's size no longer counts for each of them
  test("has an importer of at most 64 KB for its playgrounds", async () => {
    const importer = await readFile(join(root, "dist/page-importer.js"));
    expect(gzipSync(importer).length).toBeLessThan(64 * 1024);
  });

  test("has an inspector's page of at most 400 KB, including the simulator", async () => {
    const page = await readFile(join(root, "dist/inspect.html"));
    expect(gzipSync(page).length, budgets).toBeLessThan(400 * 1024);
  });

  /**
   * The minified and compressed size with everything it needs except what a consumer of the entry has already; KiB.
   */
  test.each([
    ["ringback", ["node:*"], 310],
    ["ringback/machines", [], 20],
    ["ringback/node", ["node:*"], 362],
    ["ringback/vitest", ["vitest"], 160],
    ["ringback/jest", [], 157],
    ["ringback/node-test", [], 160],
    ["ringback/explore", ["node:*"], 450],
    ["ringback/import", ["node:*"], 380],
    ["ringback/phone-numbers", [], 35],
    ["ringback/msw", ["msw"], 0.5],
    ["ringback/inspect", ["node:*"], 290],
  ])("has an entry %s within its budget", async (entry, external, budgetKiB) => {
    const sizeKiB = await sizeKiBOf(`export * from "${entry}"`, external);
    expect(sizeKiB, budgets).toBeLessThan(budgetKiB);
  });

  test.each([
    ["verifySignature", 30],
    ["CommandError", 1],
    ["uniform", 30],
    ["fromFetch", 5],
  ])("adds no simulator to a bundle that imports only %s", async (name, budgetKiB) => {
    const sizeKiB = await sizeKiBOf(`export { ${name} } from "ringback"`, ["node:*"]);
    expect(sizeKiB).toBeLessThan(budgetKiB);
  });

  /** The packages that are loaded before anything is called. The others wait for the first request. */
  const loads: Record<string, string[]> = {
    ringback: ["luxon"],
    "ringback/explore": ["luxon"],
    "ringback/import": ["luxon"],
    "ringback/phone-numbers": [],
    "ringback/machines": [],
    "ringback/node": [
      "@hono/node-server",
      "luxon",
      "node:crypto",
      "node:dns",
      "node:fs",
      "node:http",
      "node:https",
      "node:net",
      "node:os",
      "node:path",
      "node:perf_hooks",
    ],
    "ringback/vitest": ["luxon", "vitest"],
    "ringback/jest": ["luxon"],
    "ringback/node-test": ["luxon"],
    "ringback/msw": ["msw"],
    "ringback/inspect": ["luxon"],
  };

  test("has every entry covered by the tests of budgets and of loaded packages", async () => {
    const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const entries = Object.keys(exports).filter((name) => !name.endsWith(".json"));
    expect(Object.keys(loads).sort()).toEqual(entries.map((name) => name.replace(/^\./, "ringback")).sort());
  });

  test.each(Object.entries(loads))("loads exactly these packages for %s", async (entry, expected) => {
    expect(packagesOf(await importsOf(`import "${entry}"`), "static")).toEqual(expected);
  });

  test.each(["ringback", "ringback/machines"])(
    "loads no more for a required %s than for an imported one",
    async (entry) => {
      const print = `process.stdout.write(JSON.stringify(Object.keys(require.cache)))`;
      const files = JSON.parse(await runModule("loads.cjs", `require("${entry}");`, print)) as string[];
      const names = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
      expect([...new Set(names)].sort()).toEqual(["ringback", ...(loads[entry] ?? [])].sort());
    },
  );

  test("installs only packages that an entry or a command needs", async () => {
    const { dependencies, peerDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const entries = [...Object.keys(loads), "./node_modules/ringback/dist/cli.js"];
    const all = await importsOf(entries.map((entry) => `import "${entry}";`).join("\n"));
    const imported = packagesOf(all, "any").filter((name) => !name.startsWith("node:"));
    // our types use Luxon's and XState's
    const needed = [...imported.filter((name) => !(name in peerDependencies)), "@types/luxon", "xstate"];
    expect(Object.keys(dependencies).sort()).toEqual(needed.sort());
  });

  test("adds nothing to a bundle that imports the core without using it", async () => {
    const stdin = { contents: 'import "ringback"', resolveDir: consumer };
    const { outputFiles } = await build({
      stdin,
      bundle: true,
      write: false,
      format: "esm",
      minify: true,
      logLevel: "silent",
    });
    expect(outputFiles[0]?.contents.length).toBe(0);
  });

  test("has a command that prints its help and its version", async () => {
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const command = join(consumer, "node_modules/.bin/ringback");
    expect(await run(command, ["--help"], consumer)).toMatch(/^Usage: ringback/);
    expect(await run(command, ["--version"], consumer)).toBe(`${version}\n`);
  });

  test("has a command that plays the included lessons", async () => {
    const command = join(consumer, "node_modules/.bin/ringback");
    expect(await run(command, ["run", "01"], consumer)).toContain("call.started");
  });

  test("has a command that explores on several threads with the same findings as one thread", async () => {
    const folder = await folderWith({
      "scenario.yaml": `scenario: A call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`,
      "app.mjs": `export const subject = (sim) => {
  const ids = new Set();
  sim.network.route("https://crm.test/", ({ body }) => {
    ids.add(JSON.parse(body).id);
    return 204;
  });
  return ids;
};
export const eventually = { known: (sim, ids) => ids.size === sim.calls.list().length };
`,
    });
    const command = join(consumer, "node_modules/.bin/ringback");
    const explored = (workers: string) =>
      run(
        command,
        ["explore", "scenario.yaml", "--with", "./app.mjs", "--deviations", "2", "--workers", workers],
        folder,
      );
    const [one, two] = [await explored("1"), await explored("2")];
    expect(two).toContain("worlds with at most 2 deviations, all of them");
    expect(two).toBe(one);
  });
});

describe("the commands of the installed package", () => {
  /** A call of which nobody expects the stream that it has. */
  const wrong = `scenario: A call
steps:
  - { at: PT0S, createWebhook: { url: "https://crm.test/", events: [call.started] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
expect:
  - PT1S call.started
`;
  const app = `console.log("said by the app");
export const subject = (sim) => sim.network.route("https://crm.test/", () => 204);
export const eventually = { "no call is there": (sim) => sim.calls.list().length === 0 };
`;
  const commands = {
    rest: ["openapi"],
    control: ["openapi", "--control"],
    init: ["init", "--agents", "project"],
    run: ["run", "wrong.yaml", "--json"],
    runJunit: ["run", "wrong.yaml", "--format", "junit"],
    runCtrf: ["run", "wrong.yaml", "--format", "ctrf"],
    explore: ["explore", "wrong.yaml", "--with", "./app.mjs", "--deviations", "0", "--json"],
    exploreJunit: [
      ...["explore", "wrong.yaml", "--with", "./app.mjs", "--deviations", "0"],
      ...["--format", "junit"],
    ],
    exploreCtrf: [
      ...["explore", "wrong.yaml", "--with", "./app.mjs", "--deviations", "0"],
      ...["--format", "ctrf"],
    ],
    check: ["journal", "check", "damaged.jsonl", "--json"],
    salvage: ["journal", "salvage", "damaged.jsonl", "-o", "whole.jsonl", "--json"],
    replay: ["replay", "whole.jsonl", "--format", "jsonl"],
  };

  /** Runs the command's file once for each of them in one process, which takes a tenth of the time. */
  const runner = `
import { readFileSync, writeFileSync } from "node:fs";
import { createSimulator } from "ringback";
import { serve } from "ringback/node";

const sim = createSimulator();
const server = await serve(sim, { journal: "run.jsonl" });
sim.calls.inbound({ from: "+6421555001", to: "+6495550101" });
sim.advance("PT10S");
await server.close();
const lines = readFileSync("run.jsonl", "utf8").split("\\n");
writeFileSync("damaged.jsonl", lines.with(4, lines[4].replace("10000", "20000")).join("\\n"));

const file = import.meta.resolve("ringback/package.json").replace("package.json", "dist/cli.js");
const write = process.stdout.write.bind(process.stdout);
// a command ends the process a second after its output is written, while the next one is at work here
Object.defineProperty(process.stdout, "writableLength", { get: () => 1 });
const results = {};
for (const [name, args] of Object.entries(JSON.parse(process.argv[2]))) {
  let out = "";
  process.stdout.write = (text) => {
    out += text;
    return true;
  };
  process.argv = [process.execPath, "ringback", ...args];
  await import(file + "?" + name);
  results[name] = { code: process.exitCode, out };
}
process.exitCode = 0;
write(JSON.stringify(results));
`;

  let folder: string;
  let results: Record<keyof typeof commands, { readonly code: number; readonly out: string }>;

  beforeAll(async () => {
    folder = await folderWith({ "wrong.yaml": wrong, "app.mjs": app, "run.mjs": runner });
    results = JSON.parse(await run(process.execPath, ["run.mjs", JSON.stringify(commands)], folder));
  });

  const read = (...path: string[]) => readFile(join(folder, ...path), "utf8");

  test("write the documents of the REST API and of the control plane", () => {
    const [rest, control] = [JSON.parse(results.rest.out), JSON.parse(results.control.out)];
    expect([rest.openapi, control.openapi]).toEqual(["3.1.0", "3.1.0"]);
    expect(Object.keys(rest.paths)).toContain("/calls");
    expect(Object.keys(control.paths)).toEqual(
      expect.arrayContaining(["/_sim/state", "/_sim/advance", "/_sim/commands/inbound"]),
    );
  });

  test("point agents to the skill", async () => {
    const [, path = ""] = /`(.*SKILL\.md)`/.exec(await read("project/AGENTS.md")) ?? [];
    expect(path).toMatch(/^node_modules\/ringback\//);
    const skill = await readFile(join(consumer, path), "utf8");
    expect(skill).toMatch(/^## .*counterexample$/m);
  });

  test("write a scenario whose head line leads editors to the schema", async () => {
    const [, schema = ""] = /\$schema=(\S+)/.exec(await read("project/scenarios/calls-of-my-app.yaml")) ?? [];
    // where the project has ringback installed
    const path = join(consumer, "scenarios", schema);
    expect(JSON.parse(await readFile(path, "utf8"))).toHaveProperty("$schema");
  });

  test("print a failure as JSON alone on the standard output, whatever an app prints", () => {
    for (const name of ["run", "explore", "check"] as const) {
      const { code, out } = results[name];
      expect(code).toBe(1);
      const { ok, failures } = JSON.parse(out);
      expect(ok).toBe(false);
      expect(Object.keys(failures[0]).slice(0, 4)).toEqual(["cause", "place", "replay", "next"]);
    }
  });

  test("print reports that readers of JUnit's XML and of CTRF read", async () => {
    const nameOf = { run: "A call", explore: "A call" };
    for (const [name, out] of [
      ["run", results.runJunit.out],
      ["explore", results.exploreJunit.out],
    ] as const)
      expect(await parse(out)).toMatchObject({
        ...{ name: `ringback ${name}`, tests: 1, failures: 1 },
        testsuite: [{ testcase: [{ name: nameOf[name] }] }],
      });
    for (const [name, out] of [
      ["run", results.runCtrf.out],
      ["explore", results.exploreCtrf.out],
    ] as const) {
      const report = JSON.parse(out);
      expect(validate(report)).toMatchObject({ valid: true });
      expect(report.results).toMatchObject({
        summary: { tests: 1, failed: 1 },
        tests: [{ name: nameOf[name], status: "failed" }],
      });
    }
  });

  test("name the line at which a journal is damaged, and save what precedes it", () => {
    expect(JSON.parse(results.check.out).failures[0].place).toBe("damaged.jsonl:5");
    expect(JSON.parse(results.salvage.out)).toMatchObject({ ok: true });
    expect(results.replay).toMatchObject({ code: 0, out: expect.stringContaining('"call.started"') });
  });
});

/** A folder of its own inside the consumer, which finds what is installed there. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(consumer, "project-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** The first block of JavaScript on a page, or a later one. */
async function exampleOf(page: string, index = 0): Promise<string> {
  const text = await readFile(join(consumer, "node_modules/ringback", page), "utf8");
  return [...text.matchAll(/```js\n([\s\S]*?)```/g)][index]?.[1] ?? "";
}

async function runVitest(folder: string, ...flags: string[]): Promise<string> {
  const vitest = join(consumer, "node_modules/vitest/vitest.mjs");
  const report = await run(process.execPath, [vitest, "run", "--root", folder, ...flags], folder);
  return stripVTControlCharacters(report);
}

/** @returns how many tests passed; one that failed is an error */
async function runJest(folder: string, config: object = {}, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const jest = join(consumer, "node_modules/jest/bin/jest.js");
  const flags = ["--config", JSON.stringify({ rootDir: folder, ...config }), "--no-cache", "--json"];
  return JSON.parse(await run(process.execPath, [jest, ...flags], folder, env)).numPassedTests;
}

/** Also run as text, in processes that have only the package: it may use only its parameter. */
function playCall({ createSimulator: create }: { createSimulator: typeof createSimulator }): string {
  const sim = create({ seed: "packed" });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("PT6S");
  call.answer("alice@acme.test", { endpoint: "desktop" });
  sim.advance({ minutes: 1 });
  call.hangup("caller");
  sim.runUntilIdle();
  return sim.events.toJSONL();
}

const printCall = `process.stdout.write((${playCall})(ringback));`;

const printMachines = `
  const actor = xstate.createActor(machines.callMachine, { input: { caller: "caller" } }).start();
  actor.send({ type: "OFFER" });
  actor.send({ type: "ANSWER", party: "alice" });
  const callAfterAnswer = actor.getSnapshot().value;
  // the package has a copy of XState of its own, and what the consumer's makes has to fit
  const provided = machines.webhookMachine.provide({
    actions: { reset: xstate.assign({ failures: 9 }) },
    guards: { isTooMany: xstate.not(() => false), isEnabled: xstate.and(["isTooMany"]) },
  });
  const [before] = xstate.initialTransition(provided, { isEnabled: false, failureLimit: 1 });
  const [delivered] = xstate.transition(provided, before, { type: "DELIVERED" });
  const [disabled] = xstate.transition(provided, before, { type: "DISABLE" });
  const failures = [delivered.context.failures, disabled.context.failures];
  process.stdout.write(JSON.stringify({ callAfterAnswer, failures, names: Object.keys(machines) }));`;

/** The refusal comes from a class of `ringback`, and is read by `ringback/node`. */
const printServed = `(async () => {
  const sim = ringback.createSimulator({ ids: "counter" });
  const server = await node.serve(sim);
  const post = (path, body) =>
    fetch(server.url + "/_sim/commands/" + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const began = await post("inbound", { from: "+6421555001", to: "+6495550100" });
  const first = (await began.json()).events[0].type;
  const refused = (await (await post("answer", { call: "call-1", by: "bob" })).json()).code;
  const headers = { authorization: "Bearer " + sim.token() };
  const calls = (await fetch(server.url + "/calls", { headers })).status;
  await server.close();
  process.stdout.write(JSON.stringify({ began: began.status, first, refused, calls }));
})();`;

const jestTests = `
  test("the matchers are there", () => {
    const sim = createSimulator({ ids: "counter" });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).hangup("caller");
    expect(sim).toHaveEmitted("call.not_answered", { call: { id: expect.stringMatching(/^call-/) } });
    expect(sim).toHaveEmittedStream(["PT0S call.started", "PT0S call.not_answered"]);
    expect(sim).toBeIdle();
    expect(sim).not.toHaveDelivered("https://crm.test/", "call.started");

  });
  test("a failure names a file that runs it again", () => {
    const sim = createSimulator();
    let message = "";
    try {
      expect(sim).toHaveEmitted("call.ended");
    } catch (error) {
      message = error.message;
    }
    const [, journal] = /npx ringback run (.+)$/m.exec(message);
    expect(journal).toMatch(/matchers.test-a-failure-names-a-file/);
    expect(replay(readFileSync(journal, "utf8")).events.length).toBe(0);
  });
  test("an app's timers and the simulator share one time", async () => {
    const sim = createSimulator({ ids: "counter" });
    const time = shareTime(sim, jest);
    const headers = { authorization: "Bearer " + sim.token() };
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    const seen = [];
    setTimeout(async () => {
      const { status } = await time.fetch("/calls/call-1", { headers });
      seen.push(status, Date.now() - sim.startTimestamp);
    }, 10_000);
    await time.advance("PT40S");
    expect(seen).toEqual([200, 10_000]);
    expect(sim).toHaveEmitted("call.not_answered");
    jest.useRealTimers();
  });`;

/** The expected errors make sure that the types were found at all: with \`any\` there would be none. */
const consumerSource = `
  import { createSimulator, type PlatformEvent, type Simulator } from "ringback";
  import { callMachine, machines } from "ringback/machines";
  import { type Pace, type SimulatorServer, serve } from "ringback/node";
  import type { EmittedFrom } from "xstate";

  const sim: Simulator = createSimulator({ seed: 1, timing: { ringTimeout: "PT20S" } });
  const answered: PlatformEvent<"call.answered"> = sim.runUntil("call.answered");
  export const who: string | undefined = answered.data.call.assignedUser?.displayName;
  export const zone: string | null = sim.now.plus({ minutes: 1 }).zoneName;
  sim.on("call.hungup", ({ data }) => data.party.displayName.toUpperCase());
  // @ts-expect-error no event has this name
  sim.runUntil("call.vanished");
  // @ts-expect-error records are read-only
  answered.data.call.status = "ended";

  const pace: Pace = "realtime";
  export const served: Promise<SimulatorServer> = serve(sim, { port: 0, pace });
  // @ts-expect-error no pace has this name
  serve(sim, { pace: "slow" });

  export const id: "call" | string = callMachine.id;
  export const ring = machines.ringMachine.id;
  // @ts-expect-error a call tells no such fact
  export const fact: EmittedFrom<typeof callMachine> = { type: "vanished" };
`;

const edgesSource = `
  import { expect as jestExpect, jest } from "@jest/globals";
  import { createSimulator } from "ringback";
  import { matchers, shareTime as shareTimeInJest } from "ringback/jest";
  import { handlers } from "ringback/msw";
  import { serve as serveIt } from "ringback/node";
  import { shareTime } from "ringback/vitest";
  import { expect } from "vitest";

  const sim = createSimulator();
  expect(sim).toHaveEmitted("call.ended", { call: { id: expect.any(String) } });
  // @ts-expect-error no event has this name
  expect(sim).toHaveEmitted("call.vanished");
  // @ts-expect-error no event has this name
  expect(sim).toHaveEmittedStream(["PT0S call.startet"]);
  export const count: number = handlers(sim).length;
  export const time = shareTime(sim);

  jestExpect(sim).toHaveEmitted("call.ended", { call: { id: jestExpect.any(String) } });
  // @ts-expect-error no event has this name
  jestExpect(sim).not.toHaveEmitted("call.vanished");
  jestExpect.extend(matchers);
  expect.extend(matchers);
  export const jestTime = shareTimeInJest(sim, jest);
  export const server = serveIt(sim);
`;

/** With library checks, so that our declarations themselves are checked, and with nothing ambient. */
async function typeCheck(
  files: readonly string[],
  moduleResolution: string,
  ...more: readonly string[]
): Promise<string> {
  const module = moduleResolution === "bundler" ? "esnext" : moduleResolution;
  const options = { module, moduleResolution, target: "es2022", lib: "es2023,esnext.disposable,dom" };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const strict = [
    "--singleThreaded",
    "--strict",
    "--noUncheckedIndexedAccess",
    "--noEmit",
    "--ignoreConfig",
    ...more,
  ];
  return run(process.execPath, [tsc, ...flags, ...strict, ...files], consumer).catch(
    (error: Error) => error.message,
  );
}

/** The type checker's errors, except those in declarations of others: not all of them pass these checks. */
function ownProblems(output: string): string[] {
  const problems = output.split("\n").filter((line) => /: error TS\d/.test(line));
  return problems.filter((line) => !/node_modules\/(?!ringback\/)/.test(line));
}

/** Node loads CommonJS without its newer ability to require ES modules, which not every consumer's tools have. */
async function runModule(file: string, imports: string, body: string): Promise<string> {
  await writeFile(join(consumer, file), `${imports}\n${body}\n`);
  return run(process.execPath, ["--no-experimental-require-module", file], consumer);
}

/** @returns what it printed; throws an error with all its output if the process fails */
async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    const options = { cwd, maxBuffer: 64 << 20, env: { ...process.env, RINGBACK_RESULTS: "", ...env } };
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** The size of a program, minified and compressed. */
async function sizeKiBOf(contents: string, external: string[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: consumer },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    external,
  });
  return gzipSync(outputFiles[0]?.contents ?? "").length / 1024;
}

/** The imports of each module of a program, those of the installed package too. */
async function importsOf(contents: string): Promise<Metafile["inputs"]> {
  const ours = join(consumer, "node_modules/ringback");
  const { metafile } = await build({
    stdin: { contents, resolveDir: consumer },
    absWorkingDir: consumer,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    outdir: "never-written",
    ignoreAnnotations: true,
    plugins: [
      {
        name: "ours alone",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
            /^ringback(\/|$)/.test(path) || kind === "entry-point" || path.startsWith(ours)
              ? undefined
              : { path, external: true },
          ),
      },
    ],
  });
  return metafile.inputs;
}

/** The packages that are imported from a program's start on: at once, or also by later dynamic imports. */
function packagesOf(inputs: Metafile["inputs"], which: "static" | "any"): string[] {
  const names = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (which === "static" && kind !== "import-statement") continue;
      if (external) names.add(/^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
      else visit(path);
    }
  };
  visit("<stdin>");
  return [...names].sort();
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Object.values(value ?? {}).flatMap(stringsIn);
}
