import nodeHttps from "node:https";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { callLog, exploreReport } from "../../../src/explore/index.ts";
import { createSimulator } from "../../../src/index.ts";
import { dependency } from "../../../src/testing/msw/index.ts";

const url = "https://api.crm.example/activities";
let activities: { readonly callId: string }[] = [];
const handlers = [
  http.post(url, async ({ request }) => {
    activities.push((await request.json()) as { callId: string });
    return HttpResponse.json({}, { status: 201 });
  }),
];

function listening() {
  const server = setupServer(...handlers);
  server.listen({ onUnhandledRequest: "error" });
  onTestFinished(() => server.close());
  return server;
}

const byFetch = async (body: string) => (await fetch(url, { method: "POST", body })).ok;
const byHttps = (body: string) =>
  new Promise<boolean>((resolve, reject) => {
    const asked = nodeHttps.request(url, { method: "POST" }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve((answer.statusCode ?? 500) < 300));
    });
    asked.on("error", reject);
    asked.end(body);
  });

describe("A dependency behind MSW", () => {
  test("answers as its handlers do in a plain simulator", async () => {
    const server = listening();
    server.resetHandlers(
      dependency(createSimulator(), "crm", "https://api.crm.example/*", handlers),
      ...handlers,
    );
    activities = [];
    expect(await byFetch('{"callId":"call-1"}')).toBe(true);
    expect(activities).toEqual([{ callId: "call-1" }]);
    await expect(fetch("https://api.crm.example/unknown")).rejects.toThrow("Failed to fetch");
  });

  test.each([
    ["fetch", byFetch],
    ["node:https", byHttps],
  ])("fails for an app that asks by %s", async (_, post) => {
    const server = listening();
    const explored = (looksInCrm: boolean) =>
      exploreReport({
        scenario(sim) {
          sim.webhooks.create({ url: "https://app.test/hooks", events: ["call.ended"] });
          const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
          call.answer("alice");
          sim.advance("PT5S");
          call.hangup("caller");
        },
        durable() {
          activities = [];
          return new Set<string>();
        },
        subject(sim, seen) {
          server.resetHandlers(dependency(sim, "crm", "https://api.crm.example/*", handlers), ...handlers);
          sim.network.route("https://app.test/hooks", async ({ body }) => {
            const { id } = JSON.parse(body).data.call;
            if (looksInCrm ? activities.some(({ callId }) => callId === id) : seen.has(id)) return 204;
            if (!(await post(JSON.stringify({ callId: id })).catch(() => false))) return 503;
            seen.add(id);
            return 204;
          });
          return activities;
        },
        ...callLog({ rows: () => activities }),
      });
    const { failures } = await explored(false);
    expect(failures[0]?.story).toContain("When crm does POST /activities and its answer is lost");
    expect((await explored(true)).failures).toEqual([]);
  });
});
