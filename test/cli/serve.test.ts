import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSimulator, replay } from "../../src/index.ts";
import { controlOf, receiver, streamOf } from "../server/support.ts";
import { bundle } from "./bundle.ts";
import {
  failing,
  folderWith,
  localEndpoints,
  ringback,
  ringbackEnds,
  root,
  serving,
  servingBy,
  servingHere,
  startProcess,
  startProcessWithFilesOf,
} from "./support.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };

/** How a server answers a client that calls it by a name. */
async function statusAt(url: string, host: string): Promise<number | undefined> {
  const [response] = (await once(get(url, { headers: { host } }), "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

const shop = `id: shop
name: The shop
users:
  - { id: kim, email: kim@shop.test, displayName: Kim Lee, extension: "101" }
numbers:
  - { number: "+6495550500", owner: kim }
`;

describe("ringback serve", () => {
  test("prints its address, its clients and its pace", async () => {
    const { out, url, control } = await servingHere();
    const { credentials } = (await control.get("state")).body;
    expect(out).toContain(`token endpoint  ${url}/oauth/token\n`);
    expect(out).toContain(`client id       ${credentials.clientId}\n`);
    expect(out).toContain(`client secret   ${credentials.clientSecret}\n`);
    expect(out).toContain(`curl --json '{"duration":"PT30S"}' ${url}/_sim/advance\n`);
  });

  test("says that signatures of redirects are unchecked until the vendor's secret is set", async () => {
    const unchecked =
      "Redirects are taken unsigned, or with any signature, until dialect.vendorSecret is set.\n";
    const { out, control } = await servingHere();
    const { credentials } = (await control.get("state")).body;
    expect(out).toContain(`vendor secret   ${credentials.vendorSecret}  (signs returns)\n`);
    expect(out).toContain(unchecked);
    const folder = folderWith({ "dialect.yaml": "vendorSecret: s3cret\n" });
    const set = await servingHere("--dialect", `${folder}/dialect.yaml`);
    expect(set.out).toContain("vendor secret   s3cret  (signs returns)\n");
    expect(set.out).not.toContain(unchecked);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("ends streams and exits with 0 on %s", async (signal) => {
    const { child, url, closed, err } = await serving("--pace", "realtime");
    const stream = await streamOf(`${url}/_sim/events/stream`);
    child.kill(signal);
    expect(await closed).toEqual([0, null]);
    expect(await stream.next()).toBeUndefined();
    expect(await err).toBe("");
  });

  test("ends on a signal while virtual time runs", async () => {
    const { child, control, closed } = await serving();
    await control.post("commands/traffic", { to: "+6495550200", every: "PT5S", for: "P30D" });
    const advancing = control.post("advance", { duration: "P30D" }).catch(() => undefined);
    await expect.poll(async () => (await control.get("state")).body.running).not.toBeNull();
    child.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
    await advancing;
  });

  test("logs requests, unless it is quiet", async () => {
    for (const flags of [[], ["--quiet"]]) {
      const { child, control, rest } = await serving(...flags);
      await control.get("state");
      child.kill("SIGTERM");
      expect(await rest).toMatch(flags.length === 0 ? /^GET \/_sim\/state 200 \d+ ms$/m : /^$/);
    }
  });

  test("starts at the current time in real time, unless another start is given", async () => {
    const beforeMs = Date.now();
    const real = await servingHere("--pace", "realtime");
    expect((await real.control.get("state")).body.timestamp).toBeGreaterThanOrEqual(beforeMs);
    const told = await servingHere("--start", "2027-01-02T03:04:05Z");
    expect((await told.control.get("state")).body.now).toBe("2027-01-02T03:04:05.000Z");
    const now = await servingHere("--start", "now");
    expect((await now.control.get("state")).body.timestamp).toBeGreaterThanOrEqual(beforeMs);
    const resetMs = Date.now();
    for (const { control } of [real, now])
      expect((await control.post("reset", {})).body.timestamp).toBeGreaterThanOrEqual(resetMs);
    expect((await told.control.post("reset", {})).body.now).toBe("2027-01-02T03:04:05.000Z");
  });

  test("serves a dialect, at a public address, with limits and local endpoints", async () => {
    const folder = folderWith({ "names.yaml": "serviceName: acmephone\n" });
    const { out } = await servingHere(
      ...["--dialect", `${folder}/names.yaml`, "--public-url", "https://phones.acme.test/", "--allow-local"],
      ...["--retain", "events=5,calls=2", "--cors", "https://wall.acme.test"],
      ...["--assume", "sameInstant=reversed", "--allow-host", "phones.internal", "--token", "let-me-in"],
    );
    expect(out).toContain("REST API        https://phones.acme.test\n");
    const [, url = ""] = /^listens at +(\S+)$/m.exec(out) ?? [];
    expect((await controlOf(url).get("state")).status).toBe(401);
    const journal = await fetch(`${url}/_sim/journal?token=let-me-in`);
    const { options } = await journal.json();
    expect(options).toMatchObject({
      assume: { sameInstant: "reversed" },
      dialect: { serviceName: "acmephone" },
      allowLocal: true,
      retain: { events: 5, calls: 2 },
      urls: { api: "https://phones.acme.test" },
    });
    for (const [host, status] of Object.entries({ "phones.internal": 200, "other.internal": 403 }))
      expect([host, await statusAt(url, host)]).toEqual([host, status]);
  });

  test("writes bodies and takes webhooks as a module says that --dialect names", async () => {
    const { url, control } = await servingHere("--dialect", `${root}/docs/examples/dialect/dialect.mjs`);
    const { credentials } = (await control.get("state")).body;
    const client = { client_id: credentials.clientId, client_secret: credentials.clientSecret };
    const form = new URLSearchParams({ grant_type: "client_credentials", ...client });
    const token = await (await fetch(`${url}/oauth/token`, { method: "POST", body: form })).json();
    const events = ["call.started", "call.note.created"];
    const asked = await fetch(`${url}/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${token.access_token}`, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://crm.test/hooks", events }),
    });
    expect(await asked.json()).toMatchObject({ events });
    await control.post("commands/inbound", callAlice);
    await control.post("advance", { duration: "PT1S" });
    const [request] = (await control.get("requests")).body.requests;
    expect(request.headers).toHaveProperty("x-acme-signature");
    expect(JSON.parse(request.body)).toMatchObject({ type: "call.started", version: 2 });
  });

  test("plays a scenario with local endpoints with --allow-local", async () => {
    const folder = folderWith({ "local.yaml": localEndpoints });
    const { control } = await servingHere(
      ...[`${folder}/local.yaml`, "--play", "--allow-local", "--no-outbound"],
    );
    const { events } = (await control.get("events")).body;
    expect(events.map(({ type }: { type: string }) => type)).toContain("call.started");
  });

  test("continues from a journal that was being written when it was killed", async () => {
    const file = `${folderWith()}/run.jsonl`;
    const first = await serving("--journal", file);
    const { result } = (await first.control.post("commands/inbound", callAlice)).body;
    await first.control.post("advance", { duration: "PT6S" });
    first.child.kill("SIGKILL");
    await first.closed;
    const second = await serving(file, "--journal", file);
    expect((await second.control.get("state")).body).toMatchObject({ now: "2026-07-01T00:00:06.000Z" });
    expect((await second.control.post("commands/answer", { call: result, by: "alice" })).status).toBe(200);
    second.child.kill("SIGINT");
    expect(await second.closed).toEqual([0, null]);
    const before = readFileSync(file, "utf8");
    const startedMs = Date.now();
    for (const way of [
      ["--start", "now"],
      ["--pace", "realtime"],
    ]) {
      const { control } = await serving(file, ...way);
      await expect
        .poll(async () => (await control.get("state")).body.timestamp)
        .toBeGreaterThanOrEqual(startedMs);
      const { events } = (await control.get("events")).body;
      expect(events.map(({ type }: { type: string }) => type)).toContain("call.answered");
    }
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("asks the app to forget, by --reset, before its run is played again", async () => {
    const { url: hooks, received } = await receiver();
    const { control } = await servingHere("--allow-local", "--reset", `${hooks}/forget`);
    await control.post("commands/createWebhook", { url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    expect((await control.post("try", { run: 0, deviations: [] })).status).toBe(200);
    expect(received.map(({ path }) => path)).toEqual(["/hooks", "/hooks/forget", "/hooks"]);
  });

  test("warns if other machines can reach it, and prints the token of its control plane", async () => {
    const { out, err, child, closed } = await serving("--host", "0.0.0.0");
    const [, token = ""] = /^control token +(\S+)$/m.exec(out) ?? [];
    expect(token).toMatch(/^[\w-]{32}$/);
    child.kill("SIGTERM");
    await closed;
    expect(await err).toMatch(/warning: other machines can reach this server/);
    expect(await err).toMatch(/URLs in answers begin with http:\/\/127\.0\.0\.1:\d+, .* --public-url/);
  });

  test("exits with 2 when its journal cannot be written, and leaves the file complete up to then", async () => {
    const file = `${folderWith()}/run.jsonl`;
    const full = startProcessWithFilesOf(10, ["serve", "--journal", file]);
    const { control, closed, err } = await servingBy(full);
    const from = (index: number) => `+64215550${String(index).padStart(2, "0")}`;
    const answers = [];
    for (let index = 0; index < 99 && answers.at(-1)?.status !== 500; index++)
      answers.push(await control.post("commands/inbound", { ...callAlice, from: from(index) }));
    expect(answers.at(-1)?.body.message).toContain(`${file} cannot be written any more`);
    expect(await closed).toEqual([2, null]);
    expect((await err).trim().split("\n")).toEqual([expect.stringContaining("cannot be written any more")]);
    const again = replay(readFileSync(file, "utf8"));
    expect(again.calls.list()).toHaveLength(answers.length - 1);
  });

  test("ends without a file if its journal cannot be started", async () => {
    const folder = folderWith();
    const full = startProcessWithFilesOf(1, ["serve", "--journal", `${folder}/run.jsonl`]);
    const err = text(full.stderr);
    expect(await once(full, "close")).toEqual([2, null]);
    expect(await err).toMatch(/^ringback: .*run\.jsonl: the file is too big\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(["/dev/null", "."])("refuses to write a journal to anything but a file: %s", async (path) => {
    const { code, err } = await ringbackEnds("serve", "--journal", path);
    expect(code).toBe(2);
    expect(err).toMatch(/^ringback: .* expected a file\n$/);
  });

  test("stops at the end of standard input with --stop-on-eof", async () => {
    const child = startProcess(["serve", "--stop-on-eof"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }))
      if (String(chunk).includes("Time ")) break;
    child.stdout.resume();
    child.stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("stops on %s if started by npx", async (signal) => {
    const folder = folderWith({
      "package.json": '{ "name": "mine", "private": true }',
      "node_modules/.bin/ringback": `#!/bin/sh\ncd '${root}' && exec '${process.execPath}' '${bundle}' "$@"\n`,
    });
    chmodSync(`${folder}/node_modules/.bin/ringback`, 0o755);
    const child = spawn("npx", ["--no-install", "ringback", "serve"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    // kill the processes of the group that still run
    onTestFinished(() => {
      try {
        process.kill(-Number(child.pid), "SIGKILL");
      } catch {
        // none does
      }
    });
    let out = "";
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      out += chunk;
      if (out.includes("Time ")) break;
    }
    child.stdout.resume();
    const [, url = ""] = /^REST API +(\S+)$/m.exec(out) ?? [];
    // a terminal signals the whole group; SIGTERM goes to the child's id, so to npx alone
    process.kill(signal === "SIGINT" ? -Number(child.pid) : Number(child.pid), signal);
    const asked = () =>
      fetch(url).then(
        () => "there",
        () => "gone",
      );
    await expect.poll(asked, { timeout: 120_000 }).toBe("gone");
  });

  test("serves an organisation, with a seed and a pace", async () => {
    const folder = folderWith({ "shop.yaml": shop });
    const flags = ["--seed", "7", "--pace", "60", "--retain", "9"];
    const { control } = await servingHere(`${folder}/shop.yaml`, ...flags);
    expect((await control.get("state")).body).toMatchObject({ organisationId: "shop", seed: 7, pace: 60 });
    const { retain } = (await control.get("journal")).body.options;
    const kept = ["events", "calls", "conversations", "analyses", "notifications", "requests"];
    expect(retain).toEqual(Object.fromEntries(kept.map((name) => [name, 9])));
  });

  test("serves a scenario at its start, or played to its end", async () => {
    const path = `${folderWith({ "a.yaml": failing })}/a.yaml`;
    const begun = await servingHere(path);
    expect((await begun.control.get("state")).body.counts.events).toBe(0);
    const played = await servingHere(path, "--play");
    expect((await played.control.get("state")).body).toMatchObject({
      now: "2026-07-01T00:00:30.000Z",
      counts: { events: 2 },
    });
  });

  test.each([
    [["nowhere.yaml"], /nowhere.yaml: no such file/],
    [["--play"], /--play: there is no scenario to play/],
    [["scenarios"], /scenarios: expected one file, got a folder/],
    [["--dialect", "scenarios/organisations/acme.yaml"], /acme\.yaml: dialect\.id: unknown key/],
    [["--public-url", "phones"], /publicUrl: expected an http or https URL/],
    [["--journal", "package.json"], /package\.json exists and is not overwritten/],
    [["scenarios/organisations/acme.yaml", "--play"], /acme.yaml is an organisation, not a scenario/],
  ])("exits with 2 for %j", async (args, message) => {
    const { code, err } = await ringbackEnds("serve", ...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test("exits with 2 when the organisation is wrong, or the port is taken", async () => {
    const { url } = await servingHere();
    const folder = folderWith({ "shop.yaml": shop.replace("extension", "extention") });
    const wrong = await ringbackEnds("serve", `${folder}/shop.yaml`);
    const busy = await ringbackEnds("serve", "--port", new URL(url).port);
    expect(wrong.err).toMatch(
      /shop\.yaml: users\[0\]\.extension: missing\nusers\[0\]\.extention: unknown key/,
    );
    expect(busy.err).toMatch(
      /^ringback: port \d+: another program listens there: choose another port with --port\n/,
    );
    expect([wrong.code, busy.code]).toEqual([2, 2]);
  });

  test.each([["--seed", "7"], ["--retain", "9"], ["--start", "2027-01-02T03:04:05Z"], ["--allow-local"]])(
    "refuses %s beside a journal, which has its own options",
    async (...args) => {
      const file = `${folderWith({ "run.json": JSON.stringify(createSimulator().journal()) })}/run.json`;
      const { code, err } = await ringbackEnds("serve", file, ...args);
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(`is a journal, which has its own options: leave out ${args[0]}`),
      });
    },
  );

  test("refuses to compact without a journal", async () => {
    const { code, err } = await ringbackEnds("serve", "--compact", "5");
    expect(code).toBe(2);
    expect(err).toContain("--compact: there is no journal to compact; add --journal <file>");
  });

  test.each([
    ["--port", "70000"],
    ["--port", "x"],
    ["--pace", "0"],
    ["--pace", "fast"],
    ["--start", "soon"],
    ["--retain", "events"],
    ["--retain", "evens=5"],
    ["--compact", "often"],
  ])("rejects %s %s", (...args) => {
    const { code, err } = ringback("serve", ...args);
    expect(code).toBe(2);
    expect(err).toContain(" is invalid. Expected ");
  });
});
