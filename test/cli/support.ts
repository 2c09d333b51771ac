import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { main } from "../../src/cli/program.ts";
import { controlOf } from "../server/support.ts";
import { bundle } from "./bundle.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const lessons = join(root, "scenarios");

/** A port at which nobody listens now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** A scenario whose endpoints are all on this machine, in an organisation of its own and in a step. */
export const localEndpoints = `scenario: Everything is on this machine
organisation:
  id: acme
  users: [{ id: alice, email: alice@acme.test, displayName: Alice, extension: "101" }]
  numbers: [{ number: "+6495550100", owner: alice }]
  dataActions: { callInsights: "http://127.0.0.1:9/cards" }
  webhooks: [{ url: "http://localhost:9/hooks", events: [call.started] }]
steps:
  - { at: PT0S, createWebhook: { url: "http://localhost:9/more", events: [call.ended] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
`;

/** Runs `ringback` in this process. */
export function ringback(...args: string[]) {
  return ringbackOn({ isTerminal: false }, ...args);
}

export function ringbackOn({ isTerminal }: { isTerminal: boolean }, ...args: string[]) {
  const { code, said } = begun(isTerminal, args);
  const { out, err } = said();
  // `openapi` and `serve` run as processes
  return { code: code as number, out, err: isTerminal ? err : withoutProgress(err) };
}

/** Runs `ringback` in this process until it has ended, for commands that take their time. */
export async function ringbackEnds(...args: string[]) {
  const begins = begun(false, args);
  const code = await begins.code;
  const { out, err } = begins.said();
  return { code, out, err: withoutProgress(err) };
}

/**
 * Runs `ringback serve` in this process until the test is over, for what a server says and does. How it begins and ends
 * as a process is told by `serving`.
 */
export async function servingHere(...args: string[]) {
  const { code, said, stop } = await startedHere(["serve", ...args], "Time ");
  const { out, err } = said();
  const [, url] = /^(?:listens at|REST API) +(http:\/\/127\.\S+|http:\/\/localhost\S+)$/m.exec(out) ?? [];
  if (url === undefined) throw new Error(`ringback serve ended with ${await code}: ${out}${err}`);
  return { url, out, err, control: controlOf(url), stop };
}

/** Starts a command that lasts in this process until the test is over. @param says what it prints once it is there */
export async function startedHere(args: readonly string[], says: string) {
  let isThere = () => {};
  const there = new Promise<void>((resolve) => {
    isThere = resolve;
  });
  const { code, said } = begun(false, args, (out) => {
    if (out.includes(says)) isThere();
  });
  const stop = async () => {
    // nothing else in this process listens for it
    process.emit("SIGHUP");
    return { code: await code, ...said() };
  };
  onTestFinished(async () => void (await stop()));
  await Promise.race([there, code]);
  return { code, said, stop };
}

/** Begins `ringback` in this process, and keeps what it says. @param hears is given all that was printed so far */
function begun(isTerminal: boolean, args: readonly string[], hears = (_out: string) => {}) {
  let [out, err] = ["", ""];
  const code = main(args, {
    isTerminal,
    out: (text) => {
      out += text;
      hears(out);
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, said: () => ({ out, err }) };
}

/** Starts `ringback` in a process of its own. Only in the project `processes`, which bundles it first. */
export function startProcess(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [bundle, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** The same, in a shell that limits the size of files. Writing more fails, as it does on a full disk. */
export function startProcessWithFilesOf(blocks: number, args: readonly string[]) {
  const limited = `ulimit -f ${blocks}; trap "" XFSZ; exec "$@"`;
  return spawn("sh", ["-c", limited, "sh", process.execPath, bundle, ...args], {
    cwd: root,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs `ringback serve` in a process of its own until it has said where it is. */
export async function serving(...args: string[]) {
  return servingBy(startProcess(["serve", ...args]));
}

/** The same for a process that was started otherwise. */
export async function servingBy(child: ReturnType<typeof startProcess>) {
  onTestFinished(() => void child.kill("SIGKILL"));
  const err = text(child.stderr);
  const closed = once(child, "close");
  let out = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    out += chunk;
    if (out.includes("Time ")) break;
  }
  const rest = text(child.stdout);
  const [, url = ""] = /^REST API +(\S+)$/m.exec(out) ?? [];
  return { child, url, out, rest, err, closed, control: controlOf(url) };
}

/**
 * The errors that a process printed, without the lines about slow runs, since any run may be slow on a busy machine.
 */
export function withoutProgress(err: string): string {
  return err.replaceAll(
    /^(ringback: \d+%, .* left|ringback: for \d+ s .*|.* of platform time, \d+ events so far)\n/gm,
    "",
  );
}

/**
 * Code after which a process has always taken a minute of processor time more than when it last looked, on a machine of eight
 * cores that do nothing but this meanwhile.
 */
export const minuteAtEachLook = minuteBeside("idle");

function minuteBeside(other: "idle" | "user"): string {
  const cores = `process.getBuiltinModule('os').cpus=()=>Array(8).fill({times:{idle:0,${other}:(ms+=6e7)}})`;
  return `let/**/ms=0;process.cpuUsage=()=>({user:(ms+=6e7),system:0});${cores}`;
}

const importing = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${code}` });

/** The environment of a process whose explorations start threads after their first world, since each takes a minute. */
export const threadsAtOnce = importing(minuteAtEachLook);

/** The same on a machine that has no core to spare. */
export const threadsWithoutCores = importing(minuteBeside("user"));

/** Runs `ringback` in a process of its own; the last argument may add to its environment. */
export async function ringbackProcess(...given: readonly (string | Readonly<Record<string, string>>)[]) {
  const args = given.filter((each) => typeof each === "string");
  const child = startProcess(
    args,
    given.find((each) => typeof each === "object"),
  );
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, out, err: withoutProgress(err) };
}

/** A folder of its own for a test, with these files in it. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ringback-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** The same for a project in which `npx` finds ringback and test runners. */
export function projectWith(files: Readonly<Record<string, string>>): string {
  const built = dirname(bundle);
  const exported = {
    ".": { import: "./index.mjs", require: "./index.cjs" },
    "./jest": "./jest.cjs",
    "./node-test": { import: "./node-test.mjs", require: "./node-test.cjs" },
    "./explore": { import: "./explore.mjs", require: "./explore.cjs" },
  };
  const folder = folderWith({
    "node_modules/ringback/package.json": JSON.stringify({
      ...{ name: "ringback", type: "module", exports: exported },
    }),
    "node_modules/.bin/ringback": `#!/bin/sh\nexec "${process.execPath}" "${bundle}" "$@"\n`,
    ...files,
  });
  const installed = join(folder, "node_modules");
  chmodSync(join(installed, ".bin/ringback"), 0o755);
  for (const name of readdirSync(built)) symlinkSync(join(built, name), join(installed, "ringback", name));
  for (const name of ["vitest", "jest", "@jest", ".bin/vitest", ".bin/jest"])
    symlinkSync(join(root, "node_modules", name), join(installed, name));
  return folder;
}

/** The same with copies of lessons and their golden files. */
export function folderWithLessons(...names: string[]): string {
  const folder = folderWith();
  for (const name of names)
    for (const end of [".yaml", ".golden.jsonl", ".golden.txt"].filter((each) =>
      existsSync(join(lessons, name + each)),
    ))
      cpSync(join(lessons, `${name}${end}`), join(folder, `${name}${end}`));
  return folder;
}

/** A call that nobody answers, and a stream that it does not produce. */
export const failing = `scenario: It rings for ten seconds
steps:
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550104" } }
expect:
  - PT0S call.started
  - PT10S call.not_answered
`;
export const passing = failing.replace("ten", "thirty").replace("PT10S", "PT30S");

/** Bad input: a misspelt key, and a step that the state does not allow. */
export const misspelt = "scenario: A rule\nsetps: []\n";
export const impossible = passing.replace('"+6495550104"', '"+6495559999"');
