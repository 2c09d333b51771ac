import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { exploreReport, httpSubject } from "../../../src/explore/index.ts";
import { parseScenario } from "../../../src/index.ts";
import { listening, unusedPort } from "../../server/support.ts";

const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: app, url: "https://app.acme.test/hooks", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
`);

/** A CRM on a port of its own, which keeps the tasks that it was told of. */
async function crm() {
  const tasks: string[] = [];
  const { url } = await listening(async (request, response) => {
    const { task } = (await json(request)) as { task: string };
    if (request.url === "/v2/tasks" && !tasks.includes(task)) tasks.push(task);
    response.writeHead(201).end("{}");
  });
  return { url: `${url}/v2`, tasks };
}

/** A server that tells its CRM of each missed call. @param onFailure what it answers where the CRM fails */
async function app(tasks: string[], onFailure: number) {
  let crmAt = "";
  const tell = (task: string) =>
    fetch(`${crmAt}/tasks`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ task }),
      signal: AbortSignal.timeout(60_000),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  const bodyOf = async (request: IncomingMessage) => (await json(request)) as Record<string, unknown>;
  const { url } = await listening(async (request, response) => {
    if (request.url === "/reset") {
      const { dependencies } = await bodyOf(request);
      crmAt = (dependencies as { crm: string }).crm;
      tasks.length = 0;
      response.writeHead(204).end();
      return;
    }
    const { data } = await bodyOf(request);
    const isTold = await tell((data as { call: { id: string } }).call.id);
    response.writeHead(isTold ? 204 : onFailure).end();
  });
  return url;
}

async function explored(onFailure: number, more: object = {}) {
  const { url, tasks } = await crm();
  return exploreReport({
    ...{ scenario, forged: false },
    subject: httpSubject({
      url: await app(tasks, onFailure),
      reset: "/reset",
      dependencies: { crm: url },
      ...more,
    }),
    eventually: {
      "each missed call is a task": () => {
        if (tasks.length !== 1) throw new Error(`${tasks.length} tasks, expected 1`);
      },
    },
  });
}

describe("A server's dependency", () => {
  test("fails in some worlds, and the first sentence names it", async () => {
    const report = await explored(204);
    expect(report.failures.map(({ property }) => property)).toEqual(["each missed call is a task"]);
    expect(report.toText()).toMatch(/POST \/v2\/tasks.*crm|crm.*POST \/v2\/tasks/s);
    expect(report.failures[0]?.smallest.scenario).toContain("- { dependency: PT30S crm POST /v2/tasks, is: ");
  });

  test("is asked again by a server that answers 500", async () => {
    const report = await explored(500);
    expect(report.passed, report.toText()).toBe(true);
    expect(report.worlds).toBeGreaterThan(6);
  });

  test("is held with what the server asks, where the server says when it is idle", async () => {
    const report = await explored(204, { silence: "PT0.02S" });
    expect(report.failures.map(({ property }) => property)).toEqual(["each missed call is a task"]);
  });

  test.each([
    ["not an address", "expected the address of a server"],
    ["", "expected the address of a server"],
  ])("is refused at %j", (url, problem) => {
    const make = () => httpSubject({ url: "http://127.0.0.1:1", reset: "/", dependencies: { crm: url } });
    expect(make).toThrow(`dependencies.crm: ${problem}`);
  });

  test("must be there", async () => {
    const { tasks } = await crm();
    const nowhere = `http://127.0.0.1:${await unusedPort()}`;
    const subject = httpSubject({
      url: await app(tasks, 204),
      reset: "/reset",
      dependencies: { crm: nowhere },
    });
    await expect(exploreReport({ scenario, forged: false, subject, eventually: {} })).rejects.toThrow(
      `dependencies.crm: nobody listens at ${nowhere}`,
    );
  });
});
