import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import type { PageData } from "../../src/inspector/data.ts";
import { failing, folderWith, ringback } from "./support.ts";

describe("ringback init --agents", () => {
  const skill = "node_modules/ringback/skills/ringback/SKILL.md";

  test("writes a pointer to the skill into AGENTS.md, once", () => {
    const folder = folderWith();
    expect(ringback("init", folder, "--agents").out).toContain(`wrote  ${join(folder, "AGENTS.md")}`);
    const written = readFileSync(join(folder, "AGENTS.md"), "utf8");
    expect(written).toContain(skill);
    expect(ringback("init", folder, "--agents").out).toContain(`kept   ${join(folder, "AGENTS.md")}`);
    expect(readFileSync(join(folder, "AGENTS.md"), "utf8")).toBe(written);
  });

  test("adds the pointer below the text that AGENTS.md has", () => {
    const folder = folderWith({ "AGENTS.md": "# Ours\n\nSpeak plainly.\n" });
    ringback("init", folder, "--agents");
    const text = readFileSync(join(folder, "AGENTS.md"), "utf8");
    expect(text.startsWith("# Ours\n\nSpeak plainly.\n\n## ringback\n")).toBe(true);
    expect(text).toContain(skill);
  });

  test("is required: without it, no AGENTS.md is written", () => {
    const folder = folderWith();
    ringback("init", folder);
    expect(existsSync(join(folder, "AGENTS.md"))).toBe(false);
  });
});

describe("ringback init", () => {
  /** What `init` writes and prints in a project. */
  function initIn(manifest: object | string, sources: Readonly<Record<string, string>> = {}) {
    const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
    const folder = folderWith({ "package.json": text, ...sources });
    const { code, out } = ringback("init", folder);
    expect(code).toBe(0);
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    return { folder, out: out.replaceAll(`${folder}/`, ""), read };
  }

  test("writes a scenario that plays, and a test that explores an app in it", () => {
    const { folder, out, read } = initIn({});
    expect(out).toContain("wrote  scenarios/calls-of-my-app.yaml\nwrote  test/ringback.test.mjs\n");
    expect(out).toContain(
      "test/ringback.test.mjs:8: put your app in place of this one, which takes everything\n",
    );
    expect(read("test/ringback.test.mjs").match(/explore\(\{/g)).toHaveLength(3);
    expect(ringback("run", join(folder, "scenarios")).code).toBe(0);
  });

  test("says what to install and run next in a project without a runner", () => {
    const { folder, out } = initIn({});
    expect(out.split("Next:\n")[1]).toBe(
      `  npm install --save-dev ringback vitest\n  cd ${folder}\n  npx vitest run ringback\n`,
    );
  });

  test("finds an Express app, the path of its webhook below a router, its secret and its database", () => {
    const { out, read } = initIn(
      {
        type: "module",
        dependencies: { express: "*", "better-sqlite3": "*" },
        devDependencies: { vitest: "*" },
      },
      {
        "tsconfig.json": "{}",
        "src/app.ts": `import express from "express";
          import { calls } from "./calls/routes.js";
          export const app = express();
          app.use("/api", calls);`,
        "src/calls/routes.ts": `const db = new Database(process.env.DATABASE_FILE);
          const { JWT_SECRET, token = process.env.JWT_SECRET } = {};
          calls.post("/login", login);
          calls.post("/webhooks/phone", check(process.env.HOOK_SECRET), (request) => {
            if (request.body.type === "call.ended") store();
          });`,
      },
    );
    expect(out.split("Found:\n")[1]?.split("\n\n")[0]).toBe(`  src/app.ts:3 exports \`app\` (express)
  src/calls/routes.ts:4 takes the webhook, at /api/webhooks/phone
  HOOK_SECRET holds its signing secret
  DATABASE_FILE names its database (better-sqlite3)`);
    expect(read("scenarios/calls-of-my-app.yaml")).toContain(
      '{ as: app, url: "https://app.test/api/webhooks/phone", events: [call.ended, call.not_answered], signingSecret: a secret of the tests }',
    );
    const test = read("test/ringback.test.ts");
    expect(test).toContain('vi.resetModules();\n  const { app: yours } = await import("../src/app.js");');
    expect(test).toContain("process.env.DATABASE_FILE = file;");
    expect(out).toContain(
      "your app names `call.ended` and not `call.not_answered`, with which a call ends that nobody answers\n",
    );
  });

  test.each([
    ["export default createApp();", "{ default: yours }", false],
    ["export default createApp;", "{ default: createYours }", true],
    ["export { createApp };\nexport default createApp();", "{ createApp }", true],
  ])("knows an app that a module makes from what makes one: %s", (exported, names, isMade) => {
    const text = `import express from "express";
      function createApp() {
        const app = express();
        return app;
      }
      ${exported}\n`;
    const { read } = initIn({ type: "module", dependencies: { express: "*" } }, { "src/app.js": text });
    const test = read("test/ringback.test.js");
    expect(test).toContain(`const ${names} = await import("../src/app.js");`);
    expect(test.includes("const yours = await ")).toBe(isMade);
  });

  test.each([
    ["express", "app.mjs", "import make from 'express';\nexport const app = express();\n"],
    ["fastify", "app.mjs", "import make from 'fastify';\nexport const app = fastify();\n"],
    ["hono", "app.mjs", "import { Hono } from 'hono';\nexport default new Hono();\n"],
    ["next", "app/api/hooks/route.js", "export async function POST() {}\n"],
  ])(
    "shows no state of an app in %s: properties tell whether it believes a forged request",
    (of, file, text) => {
      const { read } = initIn({ type: "module", dependencies: { [of]: "*" } }, { [file]: text });
      const [app = ""] = /async function app[\s\S]*?\n\}/.exec(read("test/ringback.test.js")) ?? [];
      // data that stays as it is would be taken for the app's state
      expect(app).toMatch(
        /\n {2}return \{ \w+: \(\) => (url|yours)(, \[Symbol\.asyncDispose\]: .*)? \};\n\}$/,
      );
    },
  );

  test.each(["express", "fastify"])("tries no forged request where %s knows no secret", (framework) => {
    const text = `import make from "${framework}";\nexport const app = ${framework}();\n`;
    const { read } = initIn({ dependencies: { [framework]: "*" } }, { "app.mjs": text });
    expect(read("test/ringback.test.mjs").match(/forged: false/g)).toHaveLength(3);
  });

  test.each([
    [
      "jest in CommonJS",
      { devDependencies: { jest: "*" } },
      "js",
      "jest.resetModules();",
      "npx jest ringback",
    ],
    [
      "jest in modules",
      { type: "module", devDependencies: { jest: "*" } },
      "js",
      "jest.resetModules();",
      "NODE_OPTIONS=--experimental-vm-modules npx jest ringback",
    ],
    [
      "node:test",
      { scripts: { test: "node --test" } },
      "js",
      "delete require.cache[file];",
      "node --test test/ringback.test.js",
    ],
    [
      "Vitest beside Jest",
      { devDependencies: { jest: "*", vitest: "*" } },
      "mjs",
      "vi.resetModules();",
      "npx vitest run ringback",
    ],
  ])("writes a test for %s, which loads the app's modules anew", (_, manifest, ending, reset, command) => {
    const app = 'const app = require("fastify")();\napp.post("/hooks", take);\nmodule.exports = { app };\n';
    const { out, read } = initIn(
      { ...manifest, dependencies: { fastify: "*", ringback: "*" } },
      { "app.js": app },
    );
    expect(read(`test/ringback.test.${ending}`)).toContain(reset);
    expect(read(`test/ringback.test.${ending}`)).toContain("yours.inject(");
    expect(out.split("Next:\n")[1]?.trim().split("\n  ").at(-1)).toBe(command);
  });

  test("loads each module of the app anew under node:test, in ES modules, in the Node that runs", () => {
    const app = 'import { Hono } from "hono";\nexport const app = new Hono();\n';
    const { folder, read } = initIn(
      { type: "module", scripts: { test: "node --test" }, dependencies: { hono: "*" } },
      { "app.js": app, "a.mjs": 'export { made } from "./b.mjs";', "b.mjs": "export const made = {};" },
    );
    const written = read("test/ringback.test.js");
    const load = /await import\(["`].*["`]\)/.exec(written)?.[0].replace("app.js", "a.mjs") ?? "";
    const lines = [
      /import \{ register.* \} from "node:module";/.exec(written)?.[0],
      /\/\/ each world loads[\s\S]*?\n(?=\n)/.exec(written)?.[0],
      `const load = async () => { world += 1; const { made } = ${load}; return made; };`,
      "process.exitCode = (await load()) === (await load()) ? 1 : 0;",
    ];
    const file = join(folder, "test", "anew.mjs");
    writeFileSync(file, lines.join("\n"));
    expect(spawnSync(process.execPath, [file], { encoding: "utf8", timeout: 30_000 })).toMatchObject({
      ...{ stderr: "", status: 0 },
    });
  });

  test.each([
    ["TypeScript", { "tsconfig.json": "{}" }, "ts", "started: Awaited<ReturnType<typeof app>>"],
    ["JavaScript", {}, "mjs", "app"],
  ])("writes for %s how rows are shown", (_, files, ending, parameter) => {
    const { read } = initIn({ devDependencies: { vitest: "*" } }, files);
    expect(read(`test/ringback.test.${ending}`)).toContain(`callLog({ rows: async (${parameter}) =>`);
  });

  test("takes the route of Next.js that posts, at the path of its folder", () => {
    const route = "export async function POST(request: Request) { return new Response(); }";
    const { read } = initIn({ dependencies: { next: "*" } }, { "src/app/(open)/api/hooks/route.ts": route });
    expect(read("scenarios/calls-of-my-app.yaml")).toContain("https://app.test/api/hooks");
    expect(read("test/ringback.test.ts")).toContain(
      '{ POST: yours } = await import("../src/app/(open)/api/hooks/route")',
    );
  });

  describe("looks for a database where its address says", () => {
    const app =
      'import fastify from "fastify";\nexport const app = fastify([process.env.DB_CONNECTION_LIMIT, process.env.PG_URL]);\n';
    const project = {
      type: "module",
      scripts: { test: "node --test" },
      dependencies: { fastify: "*", pg: "*" },
    };
    const lookOf = (written: string) => {
      const [, look = ""] = /\nbefore\(async \(\) => \{\n([\s\S]*?)\n\}\);/.exec(written) ?? [];
      return runInThisContext(`(async (process, connect, once) => {${look}})`);
    };

    test.each([
      ["a host at which it runs", (port: number) => `postgres://u:p@127.0.0.1:${port}/db`, undefined],
      [
        "a host at which nothing runs",
        () => "postgres://u:p@127.0.0.1:1/db",
        "no database (pg) at 127.0.0.1:1",
      ],
      ["nothing, as the variable is not set yet", () => undefined, undefined],
      ["the folder of a socket", () => "postgres:///db?host=/var/run/postgresql", undefined],
      ["the folder of a socket in place of a host", () => "postgres://u:p@%2Fvar%2Frun/db", undefined],
      ["no address", () => "/var/run/postgresql app", undefined],
    ])("%s", async (_, addressAt, message) => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const lookAt = lookOf(initIn(project, { "app.js": app }).read("test/ringback.test.js"));
      const error = await lookAt({ env: { PG_URL: addressAt(port) } }, connect, once).catch(
        (thrown: Error) => thrown,
      );
      server.close();
      if (message === undefined) expect(error).toBeUndefined();
      else expect(error.message).toContain(message);
    });
  });

  test.each([
    ["vitest", "beforeAll", "DATABASE_URL"],
    ["jest", "beforeAll", "POSTGRES_URL"],
    ["node:test", "before", "PG_DSN"],
  ])("fails at once where the server of a database does not run: in %s", (runner, hook, variable) => {
    const app = `import fastify from "fastify";\nexport const app = fastify({ url: process.env.${variable} });\n`;
    const own =
      runner === "node:test" ? { scripts: { test: "node --test" } } : { devDependencies: { [runner]: "*" } };
    const { read, out } = initIn(
      { type: "module", ...own, dependencies: { fastify: "*", pg: "*" } },
      { "app.js": app },
    );
    const test = read("test/ringback.test.js");
    // connections that the app leaves open would keep these from ending
    expect(/force-?exit/i.test(out)).toBe(runner !== "vitest");
    expect(test).toContain(`\n${hook}(async () => {`);
    expect(test).toContain(`process.env.${variable} `);
    expect(test).toMatch(new RegExp(`import \\{ ${hook}, .*\\} from "(vitest|@jest/globals|node:test)";`));
    expect(test).toContain('import { connect } from "node:net";');
    const file = initIn(
      { ...own, dependencies: { fastify: "*", "better-sqlite3": "*" } },
      { "app.mjs": app },
    );
    expect(file.read("test/ringback.test.mjs")).not.toContain("connect(");
  });

  test("asks with file and line for what it cannot know", () => {
    const app = "const app = new Hono();\napp.get('/', show);\nserve(app).listen(3000);\n";
    const { out, read } = initIn({ dependencies: { hono: "*", pg: "*" } }, { "index.js": `// hono\n${app}` });
    const asked = (what: string) => new RegExp(`^ {2}(\\S+):(\\d+): ${what}`, "m").exec(out)?.slice(1) ?? [];
    const lineOf = ([file = "", line]: readonly string[]) => read(file).split("\n")[Number(line) - 1];
    expect(
      lineOf(asked("say where your app is exported; no module of yours exports an app of hono")),
    ).toMatch(/^ {2}const yours = .*throw new Error/);
    expect(lineOf(asked("write the path of your webhook's route"))).toContain("createWebhook");
    expect(lineOf(asked("empty the tables of your database .pg."))).toBe("  // empty the tables here");
    expect(lineOf(asked("say what your app shows"))).toBe("const properties = {};");
    const { out: more } = initIn(
      { dependencies: { hono: "*" } },
      {
        "index.js": `import { Hono } from "hono";\n${app}export const make = (db) => app;\nexport default app;\n`,
      },
    );
    expect(more).toContain("index.js listens on a port when it is imported");
  });

  const signed = `import { Hono } from "hono";
    export const app = new Hono();
    app.post("/hooks/stripe", pay);
    app.post("/hooks/other", check(process.env.STRIPE_HOOK_SECRET, process.env.OTHER_HOOK_SECRET));\n`;
  const hono = { dependencies: { hono: "*" } };
  const scenarioFile = "scenarios/calls-of-my-app.yaml";

  test("requires forged requests where a secret is found, and says so where none is", () => {
    const { read, out } = initIn(hono, { "app.js": signed });
    expect(read("test/ringback.test.mjs")).toContain('    forged: true,\n    require: ["forged"],\n');
    expect(out).not.toContain("looks at no signature");
    const without = initIn(hono, { "app.js": signed.replaceAll("SECRET", "NAME") });
    expect(without.read("test/ringback.test.mjs")).not.toMatch(/require: \[|forged: true|forged ones/);
    expect(without.out).toContain("your app looks at no signature");
  });

  test("takes the webhook and the secret that name the platform, else the first, and names the others", () => {
    const { read, out } = initIn(hono, { "app.js": signed });
    expect(read(scenarioFile)).toContain("https://app.test/hooks/stripe");
    expect(out).toContain("/hooks/stripe may be another's webhook; your app has also /hooks/other\n");
    expect(out).toContain(
      "STRIPE_HOOK_SECRET may be another's secret; your app has also OTHER_HOOK_SECRET\n",
    );
    const named = initIn(hono, { "app.js": signed.replace("/other", "/phone").replace("OTHER", "PHONE") });
    expect(named.read(scenarioFile)).toContain("https://app.test/hooks/phone");
    expect(named.read("test/ringback.test.mjs")).toContain("process.env.PHONE_HOOK_SECRET =");
    expect(named.out).not.toContain("may be another's");
  });

  test("asks what a kept scenario lacks, and sets no secret that it does not sign with", () => {
    const old = initIn(hono, { "app.js": signed, "scenarios/missed-call.yaml": "scenario: Ours\n" });
    expect(old.out).toContain(`wrote  ${scenarioFile}`);
    const bare = initIn(hono, { "app.js": signed, [scenarioFile]: "scenario: Ours\n" });
    expect(bare.out).toContain(
      `${scenarioFile}:1: this scenario has no webhook at https://app.test/hooks/stripe, so the test does not reach your app\n`,
    );
    expect(bare.out).toContain("say what your app shows");
    const unsigned = `steps:\n  - { at: PT0S, createWebhook: { url: "https://app.test/hooks/stripe" } }\n`;
    const { out, read } = initIn(hono, { "app.js": signed, [scenarioFile]: unsigned });
    expect(out).toContain(`${scenarioFile}:2: give the webhook \`signingSecret: a secret of the tests\``);
    expect(read("test/ringback.test.mjs")).not.toContain("process.env.STRIPE");
  });

  test.each([
    ["", "app.listen(3000);", true],
    ["", "const url = import.meta.url;\nserve(app).listen(3000);", true],
    ["", "if (isMain) { setUp(); }\napp.listen(3000);", true],
    ["not ", "if (isMain) app.listen(3000);", false],
    ["not ", "if (isMain) {\n  const port = { a: 1 };\n  app.listen(port, () => {});\n}", false],
  ])("does %ssay that an app listens when it is imported: %s", (_, listens, isSaid) => {
    const { out } = initIn(hono, { "app.js": `${signed}${listens}\n` });
    expect(out.includes("listens on a port when it is imported")).toBe(isSaid);
  });

  test("keeps existing files, and reads no broken manifest", () => {
    for (const manifest of ["null", "{"]) {
      const { folder } = initIn(manifest, { "test/ringback.test.mjs": "mine" });
      expect(ringback("init", folder).out).toContain(`kept   ${folder}/test/ringback.test.mjs`);
      expect(readFileSync(join(folder, "test/ringback.test.mjs"), "utf8")).toBe("mine");
    }
  });

  test("exits with 2 if it may not write", () => {
    const folder = folderWith();
    writeFileSync(join(folder, "scenarios"), "a file");
    expect(ringback("init", folder).code).toBe(2);
  });
});

/** The data in a page, which its script reads. */
function dataOf(html: string): PageData {
  const [, json = "{}"] =
    /<script type="application\/json" id="ringback-data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as PageData;
}

describe("ringback run --format html", () => {
  const page = () => ringback("run", "01", "--format", "html").out;

  test("is one page with the journal of the run and the scenario's text", () => {
    const html = page();
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain("<title>The first endpoint to answer wins · ringback</title>");
    const [run] = dataOf(html).runs;
    expect(run?.journal).toMatchObject({ ringback: 1, options: { seed: 1 } });
    expect(run?.scenario).toContain("scenario: The first endpoint to answer wins");
    expect(run?.problems).toEqual([]);
  });

  test("sends no requests: a policy in the page forbids it", () => {
    const [head = ""] = page().split("<body>");
    expect(head).toContain("default-src 'none'");
    expect(head).toContain("connect-src 'none'");
    // the browser's own editing sets styles; the icon's text names the namespace of its drawing
    const rest = head.replace("style-src-attr 'unsafe-inline'", "").replaceAll(/href="data:[^"]*"/g, "");
    expect(rest).not.toMatch(/unsafe|https?:|src=/);
  });

  test("shows the problem, and escapes markup in names", () => {
    const wild = failing.replace("It rings", "</script><b>It</b> & rings");
    const { code, out } = ringback("run", folderWith({ "a.yaml": wild }), "--format", "html");
    expect(code).toBe(1);
    const [run] = dataOf(out).runs;
    expect(run?.problems?.join()).toContain("expected");
    expect(run?.name).toContain("</script><b>It</b> & rings");
    expect(out).not.toContain("</script><b>It");
  });
});

describe("ringback inspect", () => {
  test("writes a scenario's run as a page into the current folder", () => {
    const folder = folderWith();
    const to = join(folder, "page.html");
    expect(ringback("inspect", "56", "-o", to)).toMatchObject({ code: 0, out: `${to}\n` });
    expect(dataOf(readFileSync(to, "utf8")).title).toBe(
      "A delivery that fails is attempted again and may succeed",
    );
  });

  test("writes a journal's run, and explains why another file is no journal", () => {
    const journal = JSON.stringify(createSimulator().journal());
    const folder = folderWith({ "run.json": journal, "bad.json": '{ "ringback": 1 }' });
    const { code, out } = ringback("inspect", join(folder, "run.json"), "-o", "-");
    expect(code).toBe(0);
    expect(dataOf(out).runs[0]?.journal).toEqual(JSON.parse(journal));
    expect(ringback("inspect", join(folder, "bad.json"), "-o", "-")).toMatchObject({ code: 2 });
    expect(ringback("inspect", join(folder, "missing.json"), "-o", "-").err).toContain("no such file");
  });

  test("compares with another journal, with a scenario and with a golden stream", () => {
    const journal = createSimulator().journal();
    const folder = folderWith({
      "run.json": JSON.stringify(journal),
      "run.golden.txt": "PT0S call.started {}\nPT6S call.answered {}\n",
    });
    const compared = (other: string) =>
      dataOf(ringback("inspect", "03", "--compare", other, "-o", "-").out).compare;
    expect(compared(join(folder, "run.json"))).toEqual({ name: "run.json", journal });
    expect(compared("04")).toMatchObject({ name: "04-leaving-a-voicemail", journal: { ringback: 1 } });
    const startMs = Date.parse("2026-07-01T09:00:00Z");
    expect(compared(join(folder, "run.golden.txt"))).toEqual({
      name: "run.golden.txt",
      events: [
        { type: "call.started", createdTimestamp: startMs },
        { type: "call.answered", createdTimestamp: startMs + 6_000 },
      ],
    });
  });

  test("names the line of a compared stream that is not an event", () => {
    const folder = folderWith({
      "run.golden.jsonl": '{ "type": "call.started", "createdTimestamp": 0 }\nx\n',
    });
    const { code, err } = ringback("inspect", "03", "--compare", join(folder, "run.golden.jsonl"), "-o", "-");
    expect(code).toBe(2);
    expect(err).toMatch(/run\.golden\.jsonl: .*line 2.*: expected an event/);
    expect(ringback("inspect", "03", "--compare", join(folder, "none.json"), "-o", "-")).toMatchObject({
      code: 2,
      err: expect.stringContaining("none.json"),
    });
  });
});

describe("ringback play", () => {
  test("writes the playground with a scenario in its editor", () => {
    const { code, out } = ringback("play", "20", "-o", "-");
    expect(code).toBe(0);
    expect(dataOf(out)).toMatchObject({
      mode: "play",
      runs: [{ scenario: expect.stringContaining("seed: 20") }],
    });
  });
});
