import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { serve } from "../../src/server/index.ts";

test("A client that sends many requests at once and reads nothing has one answer made for it", async () => {
  const sim = createSimulator();
  const served: string[] = [];
  const server = await serve(sim, {
    onRequest: ({ path }) => served.push(path),
    page: () => "x".repeat(1_000_000),
  });
  onTestFinished(() => server.close());
  const { url } = server;
  const many = 100;
  const ask = (path: string) =>
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${sim.token()}\r\n\r\n`;
  const greedy = connect(Number(new URL(url).port), "127.0.0.1");
  await once(greedy, "connect");
  onTestFinished(() => void greedy.destroy());
  greedy.pause();
  // each is 1 MB, so the buffers of the system are full after a few
  greedy.write(ask("/").repeat(many));
  // others are served meanwhile
  for (let turn = 0; turn < 20; turn++) expect((await fetch(`${url}/_sim/state`)).status).toBe(200);
  expect(served.filter((path) => path === "/").length).toBeLessThan(many / 2);
  // whoever reads again gets all
  let bytes = 0;
  greedy.on("data", ({ length }) => {
    bytes += length;
  });
  greedy.resume();
  await expect.poll(() => bytes).toBeGreaterThan(many * 1_000_000);
});
