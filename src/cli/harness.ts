import { basename } from "node:path";
import { type Framework, namesAddress, type Project } from "./project.ts";

/** What `ringback init` writes for a project: a scenario, and a test that explores the project's app in it. */
export interface Harness {
  readonly scenario: WrittenFile;
  readonly test: WrittenFile;
  /** What only the project's author knows. */
  readonly asks: readonly Ask[];
  /** The command that runs the test. */
  readonly command: string;
}

interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

/** Something to write, and where: a file of the project and a line of it. */
export interface Ask {
  readonly path: string;
  readonly line: number;
  readonly what: string;
}

/** A name that no earlier version of `ringback init` gave to another scenario. */
export const SCENARIO = "scenarios/calls-of-my-app.yaml";
const SECRET = "a secret of the tests";
const HOST = "https://app.test";

/** What Node can do. */
export interface NodeVersion {
  readonly major: number;
  /** Whether hooks of a thread load modules anew with all that they import. */
  readonly hasHooks: boolean;
}

/** What is written differently for each runner and language. */
interface Style {
  readonly file: string;
  readonly isCommonJs: boolean;
  readonly isTypeScript: boolean;
  readonly command: string;
}

/**
 * Writes both files.
 * @param node the version of Node that will run the test
 * @param kept the scenario that the project has already
 */
export function writeHarness(project: Project, node: NodeVersion, kept?: string): Harness {
  const style = chooseStyle(project, node);
  // signatures are checked only where the scenario signs with the test's secret
  const isSigned = kept === undefined || kept.includes(`signingSecret: ${SECRET}`);
  const test = testText({ ...project, secret: isSigned ? project.secret : undefined }, style, node);
  const scenario = kept ?? scenarioText(project);
  const asked = [
    ...(kept === undefined ? asksOfScenario(project) : asksOfKept(project, kept)),
    ...asksOfSecret(project, isSigned),
    ...listUnknown(project),
  ];
  const asks = asked.map(({ path = style.file, line, what }) => {
    const lines = (path === SCENARIO ? scenario : test).split("\n");
    return { path, line: Math.max(1, lines.findIndex((each) => each.includes(line)) + 1), what };
  });
  return {
    scenario: { path: SCENARIO, text: scenario },
    test: { path: style.file, text: test },
    ...{ asks, command: style.command },
  };
}

function chooseStyle(project: Project, node: NodeVersion): Style {
  const { runner, isTypeScript, isModule, app, installed, database } = project;
  const isCommonJs = runner !== "vitest" && !isTypeScript && !isModule && app?.file.endsWith(".mjs") !== true;
  const ending = isTypeScript
    ? runner === "node:test" && !isModule
      ? "mts"
      : "ts"
    : isModule || isCommonJs
      ? "js"
      : "mjs";
  const file = `test/ringback.test.${ending}`;
  const loader = isTypeScript && (installed.includes("tsx") || node.major < 23) ? "--import tsx " : "";
  // an app may leave its connections open, as a killed process does; Vitest ends in any case
  const isLeft = database?.isFile === false;
  const commands = {
    vitest: "npx vitest run ringback",
    jest: `${isModule && !isTypeScript ? "NODE_OPTIONS=--experimental-vm-modules " : ""}npx jest ${isLeft ? "--forceExit " : ""}ringback`,
    "node:test": `node ${loader}--test ${isLeft ? "--test-force-exit " : ""}${file}`,
  };
  return { file, isCommonJs, isTypeScript, command: commands[runner] };
}

/** The events that an app gets which names none in its sources. */
const usualEvents = ["call.started", "call.answered", "call.not_answered", "call.ended"];

/** Whether an app gets the end of calls that were answered alone: another call ends with `call.not_answered`. */
const missesUnanswered = (events: readonly string[]) =>
  events.includes("call.ended") && !events.includes("call.not_answered");

/** The events that the webhook asks for. */
function eventsOf({ events }: Project): readonly string[] {
  const ofCalls = events.filter((type) => type.startsWith("call."));
  if (ofCalls.length === 0) return usualEvents;
  return missesUnanswered(ofCalls) ? [...ofCalls, "call.not_answered"] : ofCalls;
}

function scenarioText(project: Project): string {
  const { hook, secret } = project;
  const signing = secret === undefined ? "" : `, signingSecret: ${SECRET}`;
  const webhook = `as: app, url: "${HOST}${hook?.path ?? "/hooks"}", events: [${eventsOf(project).join(", ")}]${signing}`;
  return `# yaml-language-server: $schema=../node_modules/ringback/scenarios/scenario.schema.json
scenario: A missed call, and one that is answered
description: >
  Nobody answers for thirty seconds, so the caller hears the greeting and leaves a message.
  Four minutes later the same customer calls again, and Alice answers.
seed: 1
steps:
  - { at: PT0S, createWebhook: { ${webhook} } }
  - { at: PT1S, inbound: { as: missed, from: "+6421555001", to: "+6495550100" } }
  - { at: PT32S, leaveVoicemail: { call: missed, duration: PT12S, transcript: Please call me back. } }
  - { at: PT5M, inbound: { as: answered, from: "+6421555001", to: "+6495550100" } }
  - { at: PT5M6S, answer: { call: answered, by: alice, endpoint: desktop } }
  - { at: PT6M, hangup: { call: answered, by: caller } }
`;
}

function testText(project: Project, style: Style, node: NodeVersion): string {
  const { runner, framework, database, secret } = project;
  const shown = style.isTypeScript ? "started: Awaited<ReturnType<typeof app>>" : "app";
  const hasDurable = database !== undefined && (!database.isFile || database.variable !== undefined);
  const given = ["scenario", "app", ...(hasDurable ? ["durable"] : [])].join(", ");
  // what hands requests on copies their headers, so that nobody sees whether the app reads a signature
  const tries = framework === undefined ? "" : "forged: false";
  const forged = secret === undefined ? tries : 'forged: true,\n    require: ["forged"]';
  const explore = (more: string) =>
    `explore({\n${[given, more, "...properties"].map((each) => (each === "" ? "" : `    ${each},\n`)).join("")}  })`;
  const test = (title: string, more: string) => {
    const limit = runner === "jest" ? ["", ", 60_000"] : ["{ timeout: 60_000 }, ", ""];
    return `test("${title}", ${limit[0]}() =>\n  ${explore(more)}${limit[1]});`;
  };
  const parts = [
    writeImports(project, style, node, hasDurable),
    `const scenario = "${SCENARIO}";`,
    ...(secret === undefined ? [] : [`process.env.${secret} = "${SECRET}"; // as in the scenario`]),
    ...resetAll(project, style, node),
    ...reachText(project),
    ...(hasDurable ? [durableText(project)] : []),
    appText(project, style, node, hasDurable),
    `// What your app shows, which is then compared with what happened in each world: callLog, callBacks or wallboard of ringback/explore,
// such as \`callLog({ rows: async (${shown}) => [{ callId: "…", answered: true }] })\`. Without it, worlds only show refusals, errors and hangs.
const properties = {};`,
    `// 1. What a network does: requests that are lost, late, doubled${hasDurable ? ", restarts of your app" : ""}${secret === undefined ? "" : ", and forged ones"}
${test("my app survives what a network does to its webhook", forged)}`,
    `// 2. Who calls, and when: a withheld number, a short code, midnight, a clock change
${test("my app takes each caller, on each day", 'forged: false,\n    deviations: { kinds: ["caller", "calendar"] }')}`,
    `// 3. What people do: each of them does one thing more, or leaves one undone
${test("my app follows what people do", "forged: false,\n    deviations: 0,\n    people: { acts: 1 }")}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The names that the test needs, by module, in the order of modules. */
function writeImports(
  project: Project,
  { isCommonJs, isTypeScript }: Style,
  node: NodeVersion,
  hasDurable: boolean,
): string {
  const { runner, framework, database, app } = project;
  const isExpress = framework === "express";
  const isReached = serverOf(project) !== undefined;
  const before = isReached ? [beforeTests[runner]] : [];
  const hasFile = hasDurable && database?.isFile === true;
  const isReset = runner === "node:test" && !isCommonJs && app !== undefined;
  const modules: [string, readonly string[]][] = [
    ["node:events", isExpress || isReached ? ["once"] : []],
    ["node:fs", hasFile ? ["mkdtempSync", "rmSync"] : []],
    ["node:http", isExpress ? ["createServer"] : []],
    ["node:module", isReset ? [node.hasHooks ? "registerHooks" : "register"] : []],
    [
      "node:net",
      [...(isExpress && isTypeScript ? ["type AddressInfo"] : []), ...(isReached ? ["connect"] : [])],
    ],
    ["node:os", hasFile ? ["tmpdir"] : []],
    ["node:path", hasFile ? ["join"] : []],
    ["node:test", runner === "node:test" ? [...before, "test"] : []],
    [
      "ringback",
      [...(framework === "fastify" ? [] : ["fromFetch"]), ...(isTypeScript ? ["type Simulator"] : [])],
    ],
    ["ringback/explore", ["explore"]],
    ["vitest", runner === "vitest" ? [...before, "test", ...(app === undefined ? [] : ["vi"])] : []],
    // in CommonJS they are global
    [
      "@jest/globals",
      runner === "jest" && !isCommonJs ? [...before, ...(app === undefined ? [] : ["jest"]), "test"] : [],
    ],
  ];
  return modules
    .filter(([, names]) => names.length > 0)
    .map(([module, names]) =>
      isCommonJs
        ? `const { ${names.join(", ")} } = require("${module}");`
        : `import ${names.length === 1 ? (names[0] ?? "").replace(/^(type )?(.*)$/, "$1{ $2 }") : `{ ${names.join(", ")} }`} from "${module}";`,
    )
    .join("\n");
}

/** What loads modules anew where the runner cannot. */
function resetAll({ runner, app }: Project, { isCommonJs }: Style, node: NodeVersion): string[] {
  if (runner !== "node:test" || isCommonJs || app === undefined) return [];
  if (!node.hasHooks) return [resetByImporters];
  return [
    `// each world loads the modules of your app anew
let world = 0;
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isYours = found.url.startsWith("file:") && !found.url.includes("/node_modules/");
    return isYours ? { ...found, url: \`\${found.url.split("?")[0]}?world=\${world}\` } : found;
  },
});`,
  ];
}

/** The same for Node before 22.15, whose hooks run in a thread of their own: only addresses tell them the world. */
const resetByImporters = `// each world loads the modules of your app anew: a module takes the world of the one that imports it
let world = 0;
const hook = \`export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const [world] = /\\\\?world=.*/.exec(context.parentURL) ?? [];
  const isYours = found.url.startsWith("file:") && !found.url.includes("/node_modules/");
  return world && isYours ? { ...found, url: found.url.split("?")[0] + world } : found;
}\`;
register(\`data:text/javascript,\${encodeURIComponent(hook)}\`);`;

/** The database, if it is a server that one variable names: then the test can look for it. */
function serverOf({ database }: Project): { name: string; variable: string; port: number } | undefined {
  const { name = "", variable = "", port } = database ?? {};
  return port !== undefined && namesAddress(variable) ? { name, variable, port } : undefined;
}

/** What a runner calls before the first test. */
const beforeTests = { vitest: "beforeAll", jest: "beforeAll", "node:test": "before" } as const;

/**
 * What fails at once where the database does not run: each world would wait for it in vain. Only a variable that is set before the
 * app is loaded says where that is.
 */
function reachText(project: Project): string[] {
  const server = serverOf(project);
  if (server === undefined) return [];
  const { name, variable, port } = server;
  return [
    `// The database must run. Or let the test put a stub of ${name} in its place, and take this away.
${beforeTests[project.runner]}(async () => {
  const address = process.env.${variable} ?? "";
  const { hostname, port } = URL.canParse(address) ? new URL(address) : { hostname: "", port: "" };
  // not named by a host
  if (hostname === "" || hostname.includes("%")) return;
  const socket = connect(Number(port || ${port}), hostname.replace(/^\\[|\\]$/g, ""));
  const limit = AbortSignal.timeout(3_000);
  const runs = await once(socket, "connect", { signal: limit }).then(() => true, () => false);
  socket.destroy();
  if (!runs) throw new Error(\`no database (${name}) at \${hostname}:\${port || ${port}}: start one, and name it by ${variable}\`);
});`,
  ];
}

function durableText({ database }: Project): string {
  if (database?.isFile !== true)
    return `// What outlives a restart of your app: its database (${database?.name}). Each world begins with an empty one.
async function durable() {
  // empty the tables here
}`;
  const value = database.name === "@libsql/client" ? `\`file:\${file}\`` : "file";
  return `// What outlives a restart of your app: its database. Each world has a file of its own.
const folder = mkdtempSync(join(tmpdir(), "ringback-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
let files = 0;
function durable() {
  const file = join(folder, \`\${++files}.db\`);
  process.env.${database.variable} = ${value};
  return file;
}`;
}

/** The function that starts the app for a world. */
function appText(project: Project, style: Style, node: NodeVersion, hasDurable: boolean): string {
  const { app, framework } = project;
  const of = app === undefined ? "your app" : `the app that ${app.file} exports`;
  const sim = style.isTypeScript ? "sim: Simulator" : "sim";
  const lines =
    framework === undefined
      ? standIn
      : [...loadText(project, style, node), ...startText(framework, style.isTypeScript)];
  const about =
    framework === undefined
      ? "// A new app for each world: put yours in place of this one, a function from a Request to a Response"
      : `// A new app for each world, and after each restart: ${of}${hasDurable ? ", with the world's database" : ""}`;
  return `${about}
async function app(${sim}) {
${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}
}`;
}

const standIn = [
  "let requests = 0;",
  `sim.network.route("${HOST}/", fromFetch(async (request) => {`,
  "  await request.json();",
  "  requests += 1;",
  "  return new Response(null, { status: 204 });",
  "}));",
  "return { requests: () => requests };",
];

/** Loads the app as `yours`. */
function loadText(project: Project, style: Style, node: NodeVersion): string[] {
  const { app, runner } = project;
  if (app === undefined)
    return [
      `// such as: const { app: yours } = ${style.isCommonJs ? 'require("../src/app.js")' : 'await import("../src/app.js")'};`,
      'const yours = (() => { throw new Error("write in this line of the test where your app is exported"); })();',
    ];
  const reset = {
    vitest: ["vi.resetModules();"],
    jest: ["jest.resetModules();"],
    "node:test": style.isCommonJs
      ? [
          'for (const file of Object.keys(require.cache)) if (!file.includes("node_modules")) delete require.cache[file];',
        ]
      : ["world += 1;"],
  }[runner];
  const path = writeSpecifier(project, style);
  const asked =
    runner === "node:test" && !style.isCommonJs && !node.hasHooks
      ? `\`${path}?world=\${world}\``
      : `"${path}"`;
  const loaded = style.isCommonJs ? `require(${asked})` : `await import(${asked})`;
  const own = app.isFactory ? (app.name === "default" ? "createYours" : app.name) : "yours";
  const names =
    app.name === "default" && style.isCommonJs
      ? own
      : `{ ${app.name === own ? own : `${app.name}: ${own}`} }`;
  return [
    ...reset,
    `const ${names} = ${loaded};`,
    ...(app.isFactory
      ? [`const yours = await ${own}(${app.takes === "" ? "" : `/* ${app.takes} */`});`]
      : []),
  ];
}

/** The app's module as the test imports it, with the ending that the project's compiler wants. */
function writeSpecifier({ app, runner, endings }: Project, { isTypeScript }: Style): string {
  const path = `../${app?.file ?? ""}`;
  if (!isTypeScript || runner === "node:test" || !/\.[cm]?tsx?$/.test(path)) return path;
  return endings === "js" ? path.replace(/\.([cm]?)tsx?$/, ".$1js") : path.replace(/\.tsx?$/, "");
}

function startText(framework: Framework, isTypeScript: boolean): string[] {
  switch (framework) {
    case "express":
      return [
        'const server = createServer(yours).listen(0, "127.0.0.1");',
        'await once(server, "listening");',
        `const { port } = server.address()${isTypeScript ? " as AddressInfo" : ""};`,
        `const url = \`http://127.0.0.1:\${port}\`;`,
        `sim.network.route("${HOST}/", fromFetch((request) => {`,
        "  const { pathname, search } = new URL(request.url);",
        `  return fetch(new Request(\`\${url}\${pathname}\${search}\`, request));`,
        "}));",
        "const close = async () => {",
        "  server.closeAllConnections();",
        "  server.close();",
        "};",
        "return { url: () => url, [Symbol.asyncDispose]: close };",
      ];
    case "fastify":
      return [
        "await yours.ready();",
        `sim.network.route("${HOST}/", async ({ url, headers, body }) => {`,
        "  const { pathname, search } = new URL(url);",
        '  const answer = await yours.inject({ method: "POST", url: pathname + search, headers, payload: body });',
        "  return { status: answer.statusCode, body: answer.body };",
        "});",
        "return { server: () => yours, [Symbol.asyncDispose]: () => yours.close() };",
      ];
    case "hono":
      return [
        `sim.network.route("${HOST}/", fromFetch((request) => yours.fetch(request)));`,
        "return { server: () => yours };",
      ];
    case "next":
      return [`sim.network.route("${HOST}/", fromFetch(yours));`, "return { handler: () => yours };"];
  }
}

interface Asked {
  /** The file, where it is not the test. */
  readonly path?: string;
  /** What the line has. */
  readonly line: string;
  readonly what: string;
}

/** What is to be said of a scenario that is written. */
function asksOfScenario({ framework, hook, events }: Project): Asked[] {
  const at = { path: SCENARIO, line: "createWebhook" };
  const others = hook?.others ?? [];
  return [
    ...(missesUnanswered(events)
      ? [
          {
            ...at,
            what: "your app names `call.ended` and not `call.not_answered`, with which a call ends that nobody answers",
          },
        ]
      : []),
    ...(framework !== undefined && hook === undefined
      ? [{ ...at, what: "write the path of your webhook's route in place of /hooks" }]
      : []),
    ...(others.length > 0
      ? [{ ...at, what: `${hook?.path} may be another's webhook; your app has also ${others.join(", ")}` }]
      : []),
  ];
}

/** What is to be said of the signing secret in the test. */
function asksOfSecret({ framework, secret, otherSecrets }: Project, isSigned: boolean): Asked[] {
  return [
    ...(secret !== undefined && isSigned && otherSecrets.length > 0
      ? [
          {
            line: `process.env.${secret}`,
            what: `${secret} may be another's secret; your app has also ${otherSecrets.join(", ")}`,
          },
        ]
      : []),
    ...(framework !== undefined && secret === undefined
      ? [
          {
            line: "// 1. ",
            what: "your app looks at no signature: no variable of its environment is named as a webhook's secret. Once it does, write `forged: true`",
          },
        ]
      : []),
  ];
}

/** What is to be said of a scenario that the project has already. */
function asksOfKept({ secret, hook }: Project, kept: string): Asked[] {
  const url = `${HOST}${hook?.path ?? "/"}`;
  const at = { path: SCENARIO, line: "createWebhook" };
  if (!kept.includes(url))
    return [{ ...at, what: `this scenario has no webhook at ${url}, so the test does not reach your app` }];
  if (secret === undefined || kept.includes(`signingSecret: ${SECRET}`)) return [];
  const line = `\`signingSecret: ${SECRET}\``;
  return [{ ...at, what: `give the webhook ${line}, and set process.env.${secret} to it in the test` }];
}

/** What cannot be read in a project. */
function listUnknown({ framework, app, database }: Project): Asked[] {
  const asks: Asked[] = [];
  const ask = (isUnknown: boolean, asked: Asked) => {
    if (isUnknown) asks.push(asked);
  };
  const line = "const yours =";
  ask(framework === undefined, {
    line: "async function app(",
    what: "put your app in place of this one, which takes everything",
  });
  ask(framework !== undefined && app === undefined, {
    ...{ line, what: `say where your app is exported; no module of yours exports ${thing(framework)}` },
  });
  ask(app !== undefined && app.takes !== "", {
    line,
    what: `give ${app?.name} what it takes: ${app?.takes}`,
  });
  ask(app?.listens === true, {
    line: "async function app(",
    what: `${basename(app?.file ?? "")} listens on a port when it is imported: export the app from a module that does not`,
  });
  ask(database?.isFile === false, {
    ...{ line: "// empty the tables here", what: `empty the tables of your database (${database?.name})` },
  });
  ask(database?.isFile === true && database.variable === undefined, {
    line: "async function app(",
    what: `let a variable such as DATABASE_FILE name the file of ${database?.name}. Then delete this test, and run \`ringback init\` again`,
  });
  ask(true, {
    line: "const properties",
    what: "say what your app shows, with callLog, callBacks or wallboard",
  });
  return asks;
}

const thing = (framework: Framework | undefined) =>
  framework === "next" ? "a function `POST` in app/**/route" : `an app of ${framework}`;
