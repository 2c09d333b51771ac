/** Programs for runtimes and environments beside the ones that `npm test` runs in. Each throws, or exits with an error, if it fails. */

/** What an app does with the package, but for servers and test runners. */
const useAll = `
import { createSimulator, fromFetch, replay, verifySignature } from "ringback";
const equal = (what, got, expected) => {
  if (JSON.stringify(got) !== JSON.stringify(expected))
    throw new Error(what + ": expected " + JSON.stringify(expected) + ", got " + JSON.stringify(got));
};
const sim = createSimulator({ ids: "counter" });
const url = "https://crm.test/hooks";
const { signingSecret: secret } = sim.webhooks.create({ url, events: ["*"] });
const verified = [];
sim.network.route(url, fromFetch(async (request) => {
  const { valid } = verifySignature({ headers: request.headers, body: await request.text(), secret, now: sim.timestamp });
  verified.push(valid);
  return new Response(null, { status: valid ? 204 : 401 });
}));
sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
await sim.runUntilIdleAsync();
equal("signatures", [...new Set(verified)], [true]);
equal("fork", sim.fork().events.length, sim.events.length);
equal("replay", replay(JSON.parse(JSON.stringify(sim.journal()))).events.toJSONL(), sim.events.toJSONL());
equal("timeline", sim.events.toTimeline().includes("call.started"), true);
const ask = () => sim.fetch("/users", { headers: { authorization: "Bearer " + sim.token() } });
const bytes = (await (await ask()).text()).length;
equal("users", (await (await ask()).json()).users.length, 5);
equal("a response of its body", (await new Response((await ask()).body).text()).length, bytes);
equal("the runtime's own text", (await Response.prototype.text.call(await ask())).length, bytes);
equal("url", (await ask()).url, sim.urls.api + "/users");
equal("openapi", (await sim.openapi()).openapi, "3.1.0");
`;

const explore = `
const { explore } = await import("ringback/explore");
await explore({
  scenario: (sim) => {
    sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  },
  subject: (sim) => { sim.network.route("https://crm.test/", () => 204); return {}; },
  eventually: { holds: () => {} },
});
`;

const inspect = `
const { inspectHtml } = await import("ringback/inspect");
equal("page", inspectHtml(sim).startsWith("<!doctype html>"), true);
`;

const serveAndAsk = `
const { serve } = await import("ringback/node");
const { request } = await import("node:http");
const server = await serve(createSimulator());
const status = await new Promise((resolve, reject) => {
  request(server.url + "/_sim/state", (answer) => resolve(answer.resume().statusCode)).on("error", reject).end();
});
await server.close();
equal("serve", status, 200);
`;

export const everything = useAll + explore + inspect + serveAndAsk;

const throughServer = (serve: string, close: string) => `${useAll}
const answer = (request) =>
  sim.fetch(new Request(sim.urls.api + new URL(request.url).pathname, { headers: request.headers }));
${serve}
const served = await fetch("http://127.0.0.1:" + port + "/users", { headers: { authorization: "Bearer " + sim.token() } });
equal("served", [served.status, (await served.text()).length], [200, bytes]);
${close}
`;

export const bun = throughServer(
  `const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });\nconst { port } = server;`,
  "server.stop(true);",
);

export const deno = throughServer(
  `const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);\nconst { port } = server.addr;`,
  `await server.shutdown();
const cache = await caches.open("answers");
await cache.put("https://answers.test/", new Response((await ask()).body));
equal("cached", (await (await cache.match("https://answers.test/")).text()).length, bytes);`,
);

/** Runs in workerd, by Vitest's pool. */
export const worker = `
import { test } from "vitest";
test("everything but servers", async () => {
${useAll.replace(/^import .*$/m, 'const { createSimulator, fromFetch, replay, verifySignature } = await import("ringback");')}
  const { exports } = await import("cloudflare:workers");
  const answer = await exports.default.fetch("http://worker.test/users");
  equal("answered by a worker", [answer.status, (await answer.text()).length], [200, bytes]);
  const kept = await ask();
  // its cache keeps only what says for how long
  kept.headers.set("cache-control", "max-age=60");
  await caches.default.put("https://answers.test/", kept);
  equal("cached", (await (await caches.default.match("https://answers.test/")).text()).length, bytes);
});
`;

export const workerMain = `
import { createSimulator } from "ringback";
export default {
  fetch(request) {
    const sim = createSimulator();
    const headers = { authorization: "Bearer " + sim.token() };
    return sim.fetch(new Request(sim.urls.api + new URL(request.url).pathname, { headers }));
  },
};
`;

export const workerConfig = `
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
export default {
  plugins: [cloudflareTest({ main: "./worker.mjs", miniflare: { compatibilityDate: "2026-07-01" } })],
  test: { include: ["w.test.mjs"], testTimeout: 600_000 },
};
`;

/** In an environment of Vitest with the globals of a page. */
export const page = `
import { expect, test } from "vitest";
import "ringback/vitest";
test("everything", async () => {
${everything.replace(/^import .*$/m, 'const { createSimulator, fromFetch, replay, verifySignature } = await import("ringback");').replaceAll("Response.prototype.text.call(await ask())", "(await ask()).text()")}
  expect(sim).toBeIdle();
});
`;

/** In Jest's jsdom: `WITH` says whether it has Node's globals. */
export const jsdom = `
const { createSimulator, fromFetch } = require("ringback");
require("ringback/jest");
const { inspectHtml } = require("ringback/inspect");
const { explore } = require("ringback/explore");
const hasFetch = typeof Request === "function";
test("has Node's globals as it should", () => expect(hasFetch).toBe(process.env.WITH === "globals"));
test("what needs no fetch", async () => {
  const sim = createSimulator();
  sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
  sim.network.route("https://crm.test/", () => 204);
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.runUntilIdle();
  expect(sim).toHaveDelivered("https://crm.test/", "call.ended");
  expect(inspectHtml(sim)).toContain("<!doctype html>");
  await explore({
    scenario: (each) => { each.calls.inbound({ from: "+6421555001", to: "+6495550100" }); },
    subject: () => ({}),
    eventually: { holds: () => {} },
  });
});
test("what needs fetch works, or names the environment", async () => {
  const sim = createSimulator();
  const asked = sim.fetch("/users", { headers: { authorization: "Bearer " + sim.token() } });
  if (hasFetch) expect((await (await asked).json()).users).toHaveLength(5);
  else await expect(asked).rejects.toThrow(/which this environment hides: run the file in Node's/);
  if (!hasFetch) expect(() => fromFetch(() => undefined)).toThrow(/@jest-environment node/);
});
`;

export const jsdomWithGlobals = `
const { TestEnvironment } = require("jest-environment-jsdom");
const names = ["fetch", "Headers", "Request", "Response", "FormData", "Blob", "TextEncoder", "TextDecoder",
  "structuredClone", "ReadableStream", "AbortController", "AbortSignal"];
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of names) this.global[name] = globalThis[name];
  }
};
`;

export const matcherTypes = `
import { createSimulator } from "ringback";
import "ringback/vitest";
import { expect, test } from "vitest";
test("matchers", async () => {
  const sim = createSimulator();
  expect(sim).toBeIdle();
  expect(sim).not.toHaveEmitted("call.ended", { call: { id: "x" } });
  // @ts-expect-error a misspelt type
  expect(sim).toHaveEmitted("call.endde");
  // @ts-expect-error no matcher
  expect(sim).toBeSpoon();
  const waited: Promise<void> = expect(Promise.resolve(sim)).resolves.toBeIdle();
  await waited;
});
`;

export const jestTypes = `
import { expect, test } from "@jest/globals";
import { createSimulator } from "ringback";
import "ringback/jest";
test("matchers", () => {
  const sim = createSimulator();
  expect(sim).toBeIdle();
  // @ts-expect-error a misspelt type
  expect(sim).toHaveEmitted("call.endde");
  // @ts-expect-error no matcher
  expect(sim).toBeSpoon();
});
`;

export const mswTypes = `
import { setupServer } from "msw/node";
import { createSimulator } from "ringback";
import { handlers } from "ringback/msw";
setupServer(...handlers(createSimulator())).listen();
// @ts-expect-error no simulator
handlers({});
`;

export const pollution = `
Object.prototype.polluted = "yes";
Object.prototype.pollutedToo = function () {};
`;

export const lockdown = `
import "ses";
lockdown({ errorTaming: "unsafe", consoleTaming: "unsafe" });
`;
