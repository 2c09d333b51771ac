import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { forgedKinds } from "../../src/explore/run/forgery.ts";
import { listening } from "../server/support.ts";
import { folderWith, freePort, ringbackEnds, root } from "./support.ts";

const missed = `scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", signingSecret: s3cret, events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`;
const example = readFileSync(join(root, "docs/examples/explore-python/call_log.py"), "utf8");

/** Starts a program in Python. @returns where it listens */
async function startPython(program: string): Promise<string> {
  const child = spawn("python3", [join(folderWith({ "server.py": program }), "server.py"), "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, "data");
  return String(line).trim();
}

/**
 * A server that keeps a task for each missed call in a file. What it remembers of events, and its queue, are in memory or in
 * that file: a restart loses what is in memory.
 */
const tasks = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const [port, file, how] = process.argv.slice(2);
const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
let { world = {}, tasks = [], seen = [], queue = [] } = kept;
const save = () => writeFileSync(file, JSON.stringify({ world, tasks, ...(how === "memory" ? {} : { seen }), ...(how === "outbox" ? { queue } : {}) }));
let busy = 0;
let waiting = 0;

async function token() {
  const form = { client_id: world.clientId, client_secret: world.clientSecret, grant_type: "client_credentials" };
  return (await (await fetch(world.api + "/oauth/token", { method: "POST", body: new URLSearchParams(form) })).json()).access_token;
}

/** Asks the platform for each call in the queue, and keeps a task. */
async function work() {
  if (busy > 0) return;
  busy++;
  while (queue.length > 0) {
    waiting++;
    const headers = { authorization: "Bearer " + await token() };
    const answer = await fetch(world.api + "/calls/" + queue[0], { headers });
    const { id } = await answer.json();
    waiting--;
    tasks.push(id);
    queue.shift();
    save();
  }
  busy--;
}

createServer(async (request, response) => {
  const answer = (status, body = {}) => void response.writeHead(status).end(JSON.stringify(body));
  if (request.url === "/idle") return answer(busy > waiting ? 503 : 200, { waiting });
  if (request.method !== "POST") return answer(404);
  const body = await json(request);
  if (request.url === "/reset") [world, tasks, seen, queue] = [body, [], [], []];
  else if (request.url === "/hooks" && !seen.includes(body.id)) {
    seen.push(body.id);
    if (how === "queue" || how === "outbox") queue.push(body.data.call.id);
    else tasks.push(body.data.call.id);
  } else if (request.url === "/missed")
    return answer(tasks.length === body.totals.events["call.not_answered"] ? 200 : 500, { tasks: tasks.length });
  save();
  answer(200);
  void work();
}).listen(Number(port), "127.0.0.1", () => {
  writeFileSync(file + ".pid", String(process.pid));
  void work();
});
`;

/** Ends the server, and starts it again. It says on the standard error which server it was given. */
const restart = `
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";

const [program, port, file, how] = process.argv.slice(2);
if (process.env.RINGBACK_SERVER !== undefined && process.env.RINGBACK_SERVER !== "http://127.0.0.1:" + port) process.exit(3);
if (existsSync(file + ".pid")) {
  process.kill(Number(readFileSync(file + ".pid", "utf8")), "SIGKILL");
  rmSync(file + ".pid");
}
spawn(process.execPath, [program, port, file, how], { detached: true, stdio: "ignore" }).unref();
`;

const twoMissed = `scenario: Two missed calls
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT20S, inbound: { as: c2, from: "+6421555002", to: "+6495550104" } }
`;

/** Starts the server. @returns the flags that explore and restart it */
async function startTasks(how: string) {
  const folder = folderWith({ "tasks.mjs": tasks, "restart.mjs": restart, "missed.yaml": twoMissed });
  const port = String(await freePort());
  const given = [join(folder, "tasks.mjs"), port, join(folder, "store"), how];
  const command = [process.execPath, join(folder, "restart.mjs"), ...given];
  execFileSync(command[0] as string, command.slice(1));
  onTestFinished(() => void process.kill(Number(readFileSync(join(folder, "store.pid"), "utf8")), "SIGKILL"));
  await expect.poll(() => existsSync(join(folder, "store.pid"))).toBe(true);
  const url = `http://127.0.0.1:${port}`;
  return {
    scenario: join(folder, "missed.yaml"),
    url,
    restart: command.map((each) => `"${each}"`).join(" "),
  };
}

const flagsOf = (url: string) => ["--server", url, "--reset", "/reset", "--eventually", "/missed"];
/** Those of the example. */
const logFlagsOf = (url: string) => ["--server", url, "--reset", "/reset", "--check", "callLog=/calls"];

describe("ringback explore --server", () => {
  test("fails a server in Python that logs a call twice, and passes the corrected one", async () => {
    const scenario = join(folderWith({ "missed.yaml": missed }), "missed.yaml");
    const mended = await startPython(example);
    const passed = await ringbackEnds("explore", scenario, ...logFlagsOf(mended));
    expect(passed).toMatchObject({ code: 0, err: "" });
    expect(passed.out).toContain("every property holds in each of these worlds");
    expect(passed.out).toContain("\nforged requests: 14 in 6 more worlds, the app believes none\n");

    const careless = await startPython(example.replace("if call not in calls:", "if True:"));
    const corpus = folderWith();
    const failed = await ringbackEnds("explore", scenario, ...logFlagsOf(careless), "--corpus", corpus);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain(
      "FAILS the call log has one row for each call that is over: call-1 is logged twice (in ",
    );
    expect(failed.out).toContain("\n  smallest: unanswered(PT30S call.not_answered)\n");
    const kept = join(corpus, "the-call-log-has-one-row-for-each-call-that-is-over.yaml");
    expect(failed.out).toContain(`  replay: npx ringback run ${kept} ${logFlagsOf(careless).join(" ")}\n`);
    const again = await ringbackEnds("run", kept, ...logFlagsOf(careless));
    expect(again.code).toBe(1);
    expect(again.err).toContain(
      "FAILS the call log has one row for each call that is over: call-1 is logged twice",
    );
    expect((await ringbackEnds("run", kept, ...logFlagsOf(mended))).code).toBe(0);
  });

  test("asks a dependency by its address, whose calls may fail and are shown", async () => {
    const scenario = join(folderWith({ "missed.yaml": twoMissed }), "missed.yaml");
    const crm = await listening((_, response) => void response.writeHead(201).end());
    const rows: { callId: string }[] = [];
    let crmAt = "";
    const app = await listening(async (request, response) => {
      const end = (status: number, body?: unknown) =>
        response.writeHead(status).end(body === undefined ? "" : JSON.stringify(body));
      if (request.url === "/rows") return void end(200, rows);
      const body = (await json(request)) as {
        readonly dependencies: { readonly crm: string };
        readonly data: { readonly call: { readonly id: string } };
      };
      if (request.url === "/reset") {
        crmAt = body.dependencies.crm;
        rows.length = 0;
        return void end(204);
      }
      // an error of the CRM is swallowed
      const told = await fetch(`${crmAt}/tasks`, { method: "POST" }).catch(() => undefined);
      const callId = body.data.call.id;
      if (told?.ok === true && !rows.some((each) => each.callId === callId)) rows.push({ callId });
      end(204);
    });
    const flags = [
      "--server",
      app.url,
      "--reset",
      "/reset",
      "--dependency",
      `crm=${crm.url}`,
      "--check",
      "callLog=/rows",
    ];
    const corpus = folderWith();
    const kinds = ["--kinds", "refused", "--no-forged", "--corpus", corpus];
    const failed = await ringbackEnds("explore", scenario, ...flags, ...kinds);
    expect(failed.code, failed.err).toBe(1);
    expect(failed.out).toContain("When the connection to crm for POST /tasks is refused, ");
    const kept = join(corpus, "the-call-log-has-one-row-for-each-call-that-is-over.yaml");
    expect(failed.out).toContain(`npx ringback run ${kept} ${flags.join(" ")}\n`);
    const again = await ringbackEnds("run", kept, ...flags);
    expect(again.code).toBe(1);
    expect(again.out).toContain("|   crm (dependency): POST /tasks - refused (deviation)");
  });

  test.each([
    ["remembers events in memory", "memory", "the app restarts while it handles call.not_answered"],
    ["keeps a queue in memory", "queue", "the app restarts while it handles call.not_answered"],
  ])("restarts a server that %s, and so finds that it loses or repeats tasks", async (_, how, cause) => {
    const { scenario, url, restart } = await startTasks(how);
    const flags = [...flagsOf(url), "--idle", "/idle", "--no-forged"];
    const kinds = ["--kinds", "restarted", "restartedAfter"];
    const failed = await ringbackEnds(
      "explore",
      scenario,
      ...flags,
      "--restart",
      restart,
      ...kinds,
      "--verbose",
    );
    expect(failed.code, failed.out + failed.err).toBe(1);
    expect(failed.out).toContain(`When ${cause}, "POST /missed" does not hold`);
    expect(failed.out).toContain("5 worlds with at most 1 deviation, all of them");
    expect(failed.out).toMatch(how === "queue" ? /not_answered +2 of 2 +2 of 2/ : /not_answered +2 of 2\n/);
  });

  test.each(["file", "outbox"])(
    "restarts a server whose memory is in its store (%s): nothing is lost",
    async (how) => {
      const { scenario, url, restart } = await startTasks(how);
      const flags = [...flagsOf(url), "--idle", "/idle", "--restart", restart, "--no-forged"];
      const passed = await ringbackEnds(
        "explore",
        scenario,
        ...flags,
        "--kinds",
        "restarted",
        "restartedAfter",
      );
      expect(passed.code, passed.out + passed.err).toBe(0);
      expect(passed.out).toContain("5 worlds with at most 1 deviation, all of them");
    },
  );

  test("says what goes wrong with --restart", async () => {
    const { scenario, url } = await startTasks("memory");
    const explored = (...flags: string[]) => ringbackEnds("explore", scenario, ...flags);
    const kinds = ["--kinds", "restarted"];
    const unnamed = await explored(...flagsOf(url), ...kinds);
    expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining("--restart")]);
    const failing = await explored(
      ...flagsOf(url),
      ...kinds,
      "--restart",
      "echo no such container >&2; exit 4",
    );
    expect([failing.code, failing.err]).toEqual([
      2,
      expect.stringContaining("ended with 4: no such container"),
    ]);
    const module = await explored("--with", "app.mjs", "--restart", "true");
    expect([module.code, module.err]).toEqual([
      2,
      expect.stringContaining("--restart: expected --server URL"),
    ]);
  });

  test.each<readonly [what: string, from: string, to: string, believed: readonly string[]]>([
    ["checks nothing", "not self.is_genuine(body)", "False", [...forgedKinds]],
    ["ignores the age", "is_signed and int(timestamp) >= now_ms() - 300_000", "is_signed", ["stale"]],
  ])("fails a server in Python that %s", async (_, from, to, believed) => {
    const scenario = join(folderWith({ "missed.yaml": missed }), "missed.yaml");
    expect(example).toContain(from);
    const flags = [...logFlagsOf(await startPython(example.replace(from, to))), "--kinds", "lost"];
    const { code, out } = await ringbackEnds("explore", scenario, ...flags, "--json");
    const { failures, forged } = JSON.parse(out) as {
      failures: { property: string; forged: { type: string; is: string }[] }[];
      forged: { requests: number; unclear: { type: string }[] };
    };
    expect(code).toBe(1);
    expect(failures.map(({ property }) => property)).toEqual([
      "the app believes what the platform did not send",
    ]);
    expect(failures[0]?.forged.map(({ type, is }) => `${type} ${is}`)).toEqual(
      believed.map((is) => `call.not_answered ${is}`),
    );
    // its properties do not tell what it knows of beginnings
    expect(forged.requests).toBe(2 * forgedKinds.length);
    expect(forged.unclear.some(({ type }) => type === "call.started")).toBe(true);
    expect((await ringbackEnds("explore", scenario, ...flags, "--no-forged")).code).toBe(0);
  });

  test("exits with 2 and the expected value if no server answers or it cannot be reset", async () => {
    const scenario = join(folderWith({ "missed.yaml": missed }), "missed.yaml");
    const explored = (...flags: string[]) => ringbackEnds("explore", scenario, ...flags);
    const { url: deaf } = await listening((request, response) => {
      response.writeHead(request.url === "/reset" ? 404 : 200).end("what?");
    });
    const results = await Promise.all([
      explored(...flagsOf("http://127.0.0.1:1")),
      explored(...flagsOf(deaf)),
      explored("--server", deaf),
      explored("--server", deaf, "--reset", "/reset"),
      explored(...flagsOf(deaf), "--workers", "2"),
      explored(...flagsOf("ftp://127.0.0.1")),
      explored(),
    ]);
    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2, 2]);
    const messages = [
      /--reset: POST \/reset: the server at http:\/\/127\.0\.0\.1:1 cannot be reached: /,
      /reset: POST \/reset answered 404, expected 2xx: what\?/,
      /--server: expected --reset PATH/,
      /--server: expected --eventually PATH or --always PATH/,
      /--workers: a server runs one world at a time/,
      /--server: expected the address of a server such as/,
      /expected --with MODULE, --run COMMAND or --server URL/,
    ];
    for (const [index, message] of messages.entries()) expect(results[index]?.err).toMatch(message);
  });
});
