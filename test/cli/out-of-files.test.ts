import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { bundle } from "./bundle.ts";
import { folderWith, root, servingBy } from "./support.ts";

test("A server that may open no further file keeps its journal and goes on", async () => {
  const journal = join(folderWith(), "journal.jsonl");
  const limited = ["-c", 'ulimit -n 96; exec "$@"', "sh", process.execPath, bundle];
  const child = spawn("sh", [...limited, "serve", "--port", "0", "--journal", journal], {
    cwd: root,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { url } = await servingBy(child);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = (method: string, path: string, body?: object) =>
    new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const sent = request(url + path, { agent, method, headers }, async (answer) =>
        resolve({ status: answer.statusCode, body: await json(answer) }),
      );
      sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  expect((await ask("GET", "/_sim/state")).status).toBe(200);
  const sockets = Array.from({ length: 200 }, () => connect(Number(new URL(url).port), "127.0.0.1"));
  for (const socket of sockets) socket.on("error", () => {});
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const calls = 5;
  for (let call = 0; call < calls; call++) {
    const { status, body } = await ask("POST", "/_sim/commands/inbound", {
      from: "+6421555001",
      to: "+6495550100",
    });
    expect(status, JSON.stringify(body)).toBe(200);
    // longer than the lock's heartbeat
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(readFileSync(journal, "utf8").match(/"command":"inbound"/g)).toHaveLength(calls);
  expect(child.exitCode).toBe(null);
});
