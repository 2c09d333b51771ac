import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { isWhole } from "../counts.ts";

/** `ringback explore --run`, with the installed package, as `npm start` and others start the program. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const { consumer } = inject("installed");

const scenario = `
scenario: A call that nobody answers
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/hooks", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
`;

/** Answers first, stores the call half a second later, and tries again each minute, or never. */
const app = (again: string, served: string) => `
const { RINGBACK_API: api, RINGBACK_CLIENT_ID: id, RINGBACK_CLIENT_SECRET: secret } = process.env;
const calls = new Set();
async function store(call) {
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
  const token = await fetch(api + "/oauth/token", { method: "POST", body: form }).then((answer) => answer.json());
  const headers = { authorization: "Bearer " + token.access_token };
  const answer = await fetch(api + "/calls/" + call, { headers });
  if (answer.ok) calls.add(call);
  else ${again};
}
const rows = () => [...calls].map((callId) => ({ callId }));
${served}
`;

const inExpress = `import express from "express";
const app = express();
app.post("/hooks", express.json(), ({ body }, response) => {
  response.sendStatus(204);
  setTimeout(store, 500, body.data.call.id);
});
app.post("/calls", (_, response) => response.json(rows()));
app.listen(0);`;

/** Starts faster. */
const plain = `import { createServer } from "node:http";
import { json } from "node:stream/consumers";
createServer(async (request, response) => {
  const { data } = await json(request);
  if (request.url === "/calls") return response.end(JSON.stringify(rows()));
  response.writeHead(204).end();
  setTimeout(store, 500, data.call.id);
}).listen(0);`;

/** Before it listens, it looks for a port that is free, and gets its token. */
const asksFirst = `import { createServer } from "node:http";
import { createServer as probe } from "node:net";
import { json } from "node:stream/consumers";
const { RINGBACK_API: api, RINGBACK_CLIENT_ID: id, RINGBACK_CLIENT_SECRET: secret } = process.env;
const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
await new Promise((resolve) => {
  const probing = probe().listen(0, () => probing.close(resolve));
});
const { access_token } = await fetch(api + "/oauth/token", { method: "POST", body: form }).then((answer) => answer.json());
const calls = new Set();
createServer(async (request, response) => {
  const { data } = await json(request);
  if (request.url === "/calls") return response.end(JSON.stringify([...calls].map((callId) => ({ callId }))));
  if (access_token !== undefined) calls.add(data.call.id);
  response.writeHead(204).end();
}).listen(0);`;

const files = {
  "package.json": '{ "private": true, "type": "module", "scripts": { "start": "node express.js" } }',
  "call.yaml": scenario,
  "express.js": app("setTimeout(store, 60_000, call)", inExpress),
  "asks.js": asksFirst,
  // sets the second timer while the first runs
  "right.js": app("setTimeout(() => setTimeout(store, 30_000, call), 30_000)", plain),
  "wrong.js": app("{}", plain),
  "throws.js": `import http from "node:http";
    const later = (_, response) => response.end(setTimeout(() => { throw new Error("boom"); }, 1_000) && "");
    http.createServer(later).listen(0);`,
  // the program that listens is its child, as with tsx
  "starts.js": `import { spawn } from "node:child_process";
    const child = spawn(process.execPath, process.argv.slice(2), { stdio: "inherit" });
    child.on("exit", (code) => process.exit(code ?? 1));`,
  // prints much before that is no cause, and listens at another address where there is one
  "fails.js": `import http from "node:http";
    import { networkInterfaces } from "node:os";
    console.error("Error: of old\\n" + "a line\\n".repeat(2_000));
    const addresses = Object.values(networkInterfaces()).flat().map(({ address }) => address);
    const take = ({ url }, response) => {
      if (url !== "/hooks") return response.end("[]");
      console.error("Error: before");
      throw new TypeError("no such call");
    };
    http.createServer(take).listen(0, addresses.includes("::1") ? "::1" : "127.0.0.1");`,
  // listens to itself, and keeps its calls in a file
  "keeps.js": `import { appendFileSync, existsSync, readFileSync } from "node:fs";
    import { createServer } from "node:http";
    import { json } from "node:stream/consumers";
    const server = createServer(async (request, response) => {
      if (request.url === "/events") return response.write("listening");
      const { data } = await json(request);
      const calls = existsSync("calls") ? readFileSync("calls", "utf8").trim().split(" ") : [];
      if (request.url === "/calls") return response.end(JSON.stringify(calls.map((callId) => ({ callId }))));
      appendFileSync("calls", data.call.id + " ");
      response.end();
    });
    server.listen(0, () => fetch("http://127.0.0.1:" + server.address().port + "/events"));`,
  // has a process of its own, and never answers
  "holds.js": `import { spawn } from "node:child_process";
    import { writeFileSync } from "node:fs";
    import { createServer } from "node:http";
    const { pid } = spawn("sleep", ["600"]);
    createServer(() => writeFileSync("pid", String(pid))).listen(0);`,
  // takes HTTP at a second port
  "two.js": `import { createServer } from "node:http";
    import { json } from "node:stream/consumers";
    const calls = new Set();
    createServer((_, response) => response.end("[]")).listen(0);
    const server = createServer(async (request, response) => {
      const { data } = await json(request);
      if (data !== undefined) calls.add(data.call.id);
      response.end(JSON.stringify([...calls].map((callId) => ({ callId }))));
    });
    const open = () => server.listen(Number(process.env.PORT));
    if (process.env.LATER) setTimeout(open, 50);
    else open();`,
  // throws where it is asked for what it shows
  "blind.js": `import { createServer } from "node:http";
    createServer(({ url }, response) => {
      if (url === "/calls") throw new Error("no such table");
      response.end();
    }).listen(0);`,
  // takes requests only a while after it listens, passes them on to itself with their headers, and keeps what it showed
  "late.js": `import { createServer } from "node:http";
    import { json } from "node:stream/consumers";
    const calls = [];
    let shown;
    const server = createServer().listen(0, () => setTimeout(() => server.on("request", take), 20));
    async function take(request, response) {
      const body = await json(request);
      if (request.url === "/calls") return response.end((shown ??= JSON.stringify(calls)));
      if (request.url === "/store") return response.end(calls.push({ callId: body.data.call.id }) && "");
      const { rawHeaders: raw, headersDistinct: distinct } = request;
      const headers = raw.flatMap((name, at) => (at % 2 === 0 && name in distinct ? [[name, raw[at + 1]]] : []));
      const passed = headers.filter(([name]) => !/^(host|connection|content-length|transfer-encoding)$/i.test(name));
      const names = JSON.stringify([raw, distinct, request.headers]);
      if (names.includes("ringback")) throw new Error(names);
      await fetch("http://127.0.0.1:" + server.address().port + "/store", {
        ...{ method: "POST", headers: passed, body: JSON.stringify(body) },
      });
      response.end();
    }`,
  // never listens
  "starting.js": `import { writeFileSync } from "node:fs";
    writeFileSync("starting", String(process.pid));
    setInterval(() => {}, 1_000);`,
  // leaves a signal to who else hears it
  "polite.js": `process.on("SIGTERM", function hear() {
      if (process.listenerCount("SIGTERM") > 1) return;
      process.off("SIGTERM", hear);
      process.kill(process.pid, "SIGTERM");
    });`,
  "streams.js": `import { createServer } from "node:http2";
    createServer(() => {}).listen(0);`,
  "slow.js": "setTimeout(() => process.exit(3), 1_500);",
};
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(consumer, "program-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await symlink(join(root, "node_modules/express"), join(consumer, "node_modules/express"), "dir");
});

const cli = () => join(consumer, "node_modules/ringback/dist/cli.js");

/** Runs the command. @returns its exit code and all that it printed */
function ringback(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const env = { ...process.env, RINGBACK_RESULTS: join(folder, "results") };
  return new Promise((resolve) =>
    execFile(process.execPath, [cli(), ...args], { cwd: folder, env }, (error, out, err) =>
      // how far it has come is printed where the machine is busy
      resolve({
        code: Number(error?.code ?? 0),
        text: `${out}${err.replaceAll(/^ringback: \d+%.*\n/gm, "")}`,
      }),
    ),
  );
}

/** The journals that explorations have left. */
async function journals(): Promise<string[]> {
  const names = await readdir(join(folder, "results")).catch(() => []);
  const left = names.filter((name) => name.endsWith(".journal.jsonl")).sort();
  return Promise.all(left.map((name) => readFile(join(folder, "results", name), "utf8")));
}

/** Whether a process runs; one that nobody has waited for does not. */
async function isThere(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/\) Z /.test(stat);
}

const explore = (run: string, ...more: string[]) =>
  ringback("explore", "call.yaml", "--run", run, "--check", "callLog=/calls", "--no-forged", ...more);

describe("explore --run", () => {
  test("finds nothing wrong with an app of Express that is right, started by npm", async () => {
    const { code, text } = await explore("npm start", ...(isWhole ? [] : ["--deviations", "0"]));
    expect({ code, text }).toEqual({
      code: 0,
      text: expect.stringContaining("every property holds in each of these worlds"),
    });
  });

  test.each([
    ["right", 0],
    ["wrong", 1],
  ] as const)("finds the same in each exploration of one that is %s", async (name, expected) => {
    const explored = async () => {
      await rm(join(folder, "results"), { recursive: true, force: true });
      const found = await explore(`node ${name}.js`, "--kinds", "503");
      return { ...found, journals: await journals() };
    };
    const first = await explored();
    expect(first).toMatchObject({ code: expected, text: expect.stringContaining("3 worlds") });
    expect(await explored()).toEqual(first);
  });

  test("answers what an app asks before it listens, also as it restarts", async () => {
    const { text } = await explore(
      "node asks.js",
      "--kinds",
      "503,restartedAfter",
      "--restart",
      "node asks.js",
    );
    // it keeps its calls in memory
    expect(text).toContain("smallest: restartedAfter(PT30S call.not_answered)");
    expect(text).toContain("2 worlds with at most 1 deviation, all of them");
  });

  test("finds what is wrong with one that never tries again, and plays that world", async () => {
    const { code, text } = await explore("node wrong.js", "--kinds", "503");
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining("smallest: 503(PT30.5S") });
    const [, replay = ""] = /replay: npx ringback (.*)$/m.exec(text) ?? [];
    const args = replay.split(" ").map((word) => word.replaceAll("'", ""));
    const at = args.indexOf("--run") + 1;
    args.splice(at, 2, args.slice(at, at + 2).join(" "));
    const again = await ringback(...args);
    expect({ code: again.code, text: again.text }).toEqual({
      code: 1,
      text: expect.stringContaining("call-1 is missing"),
    });
  });

  test("says how a program ended that throws in a timer or at a request, and one that does not listen", async () => {
    const thrown = await explore("node starts.js throws.js", "--deviations", "0");
    expect(thrown.text).toContain("the app throws: `node starts.js throws.js` ended with 1: Error: boom");
    const failed = await explore("node fails.js", "--deviations", "0");
    expect(failed.text).toContain(
      "POST /hooks: the server closed the connection without an answer, as one does that fails at a request: `node fails.js` ended with 1: TypeError: no such call",
    );
    const blind = await explore("node blind.js", "--deviations", "0");
    expect(blind.text).toContain("FAILS the call log has one row for each call that is over: POST /calls: ");
    expect(blind.text).toContain("ended with 1: Error: no such table");
    const { code, text } = await explore("node gone.js");
    expect({ code, text }).toEqual({
      code: 2,
      text: expect.stringContaining(
        "run: `node gone.js` ended with 1 before it took requests by HTTP: Error [ERR_MODULE_NOT_FOUND]",
      ),
    });
  });

  test("waits for a slow start longer than for an app that runs, and names a command that is no server in Node", async () => {
    const slow = await explore("node slow.js", "--patience", "PT0.5S");
    expect(slow).toEqual({
      code: 2,
      text: expect.stringContaining("run: `node slow.js` ended with 3 before it took"),
    });
    const expected = "run: expected a command that starts a server in Node";
    for (const [command, text] of [
      ["node streams.js", "run: `node streams.js` takes HTTPS or HTTP/2, expected HTTP/1.1 without TLS"],
      [
        // a level of its own: under `npm run -s` npm says nothing
        "npm run nothing --loglevel=error",
        `${expected}: \`npm run nothing --loglevel=error\` ended with 1: npm error Missing script: "nothing"`,
      ],
      ["exit 4", `${expected}: \`exit 4\` ended with 4`],
      ["", `--${expected}`],
    ] as const)
      expect(await explore(command)).toEqual({ code: 2, text: expect.stringContaining(text) });
    const kinds = ["--kinds", "restartedAfter", "--restart", "exit 5"];
    expect((await explore("node asks.js", ...kinds)).text).toContain("--restart: expected a command");
  });

  test("says where a program that is not deterministic keeps its state", async () => {
    const { text } = await explore("node keeps.js", "--deviations", "0");
    expect(text).toContain("FAILS deterministic");
    expect(text).toContain("name a path that clears it (`--reset /reset`)");
  });

  test("says which port of a program it has asked, where there are several, and asks the one that --server names", async () => {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    probe.close();
    const run = `PORT=${port} node two.js`;
    const first = await explore(run, "--deviations", "0");
    expect(first.code).toBe(1);
    expect(first.text).toContain(
      `\`${run}\` takes HTTP at 2 ports: the one that it opens first was asked, and no other. \`--server http://127.0.0.1:3000\` (\`url\`) names another`,
    );
    const named = await explore(
      `LATER=1 ${run}`,
      "--deviations",
      "0",
      "--server",
      `http://127.0.0.1:${port}`,
    );
    expect(named).toMatchObject({ code: 0, text: expect.not.stringContaining("2 ports") });
  });

  test("takes an app that adds its listener later, and passes on to itself what it is asked", async () => {
    const { code, text } = await explore("node late.js", "--deviations", "0");
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining("every property holds") });
  });

  test.skipIf(process.platform === "win32").each([
    ["SIGTERM", "holds.js", "pid", []],
    // somebody else hears the signal too
    ["SIGTERM", "holds.js", "pid", ["--import", "./polite.js"]],
    ["SIGKILL", "starting.js", "starting", []],
  ] as const)(
    "ends what the program started when %s ends it: %s, %s %j",
    async (signal, name, file, first) => {
      const tmp = await mkdtemp(join(folder, "tmp-"));
      await rm(join(folder, file), { force: true });
      const given = [cli(), "explore", "call.yaml", "--run", `node ${name}`, "--check", "callLog=/calls"];
      const env = { ...process.env, TMPDIR: tmp };
      const child = spawn(process.execPath, [...first, ...given], { cwd: folder, env, stdio: "ignore" });
      const read = () => readFile(join(folder, file), "utf8").catch(() => "");
      await expect.poll(read, { timeout: 30_000 }).toMatch(/\d/);
      const pid = Number(await read());
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([null, signal]);
      await expect.poll(() => isThere(pid), { timeout: 30_000 }).toBe(false);
      const left = (await readdir(tmp)).filter((each) => each.startsWith("ringback-"));
      // nobody can tidy up after SIGKILL
      expect(left).toHaveLength(signal === "SIGKILL" ? 1 : 0);
    },
  );

  test("refuses what it makes needless or impossible", async () => {
    const two = ["my-crm", "my_crm"].flatMap((name) => ["--dependency", `${name}=http://127.0.0.1:1`]);
    for (const [more, text] of [
      [["--silence", "PT1S"], "silence: not needed with `run`"],
      [
        ["--server", "http://127.0.0.1:1", "--server", "http://127.0.0.1:2"],
        "--server: expected one address, which names the port at which `run` is asked",
      ],
      [
        ["--server", "http://example.org:4567"],
        "--server: expected an address such as http://127.0.0.1:3000, of which the port counts",
      ],
      [["--workers", "3"], "--workers: with --run, one world runs at a time"],
      [["--dependency", "crm=http://127.0.0.1:1"], "ringback: --dependency: crm: nobody listens at"],
      [two, "--dependency: my_crm: RINGBACK_DEPENDENCY_MY_CRM is the address of another one already"],
    ] as const)
      expect(await explore("node right.js", ...more)).toEqual({
        code: 2,
        text: expect.stringContaining(text),
      });
  });
});
