import { expect, test } from "vitest";
import { playWorld } from "../../src/explore/explore.ts";
import { httpSubject } from "../../src/explore/http/http-app.ts";
import { parseScenario, replay, type Simulator } from "../../src/index.ts";
import { url } from "../explore/missed-call.ts";
import { receiver } from "../server/support.ts";

/** What happens to an app's requests on their way to the REST API, when a page tries it. */

const scenario = parseScenario(`
scenario: A call that is texted about
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT6S, answer: { call: c1, by: alice } }
  - { at: PT10S, hangup: { call: c1, by: caller } }
`);
const message = { from: "alice@acme.test", to: "+6421555001", body: "You called" };

/** An app that sends a message after each call, and keeps what it was answered. */
function texting(sim: Simulator): string[] {
  const answers: string[] = [];
  sim.network.route(url, async () => {
    const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
    const asked = sim.fetch("/messages", { method: "POST", headers, body: JSON.stringify(message) });
    answers.push(await asked.then(({ status }) => String(status), String));
    return 204;
  });
  return answers;
}

const place = { what: "rest", at: 10_000, of: "POST /messages" } as const;
const sentIn = (journal: Parameters<typeof replay>[0]) =>
  replay(journal).events.ofType("conversation.message.created").length;

test.each([
  { is: "refused", answers: ["TypeError: fetch failed"], sent: 0 },
  { is: "lost", answers: ["TypeError: fetch failed"], sent: 0 },
  { is: "unanswered", answers: ["TypeError: fetch failed"], sent: 1 },
  { is: "duplicated", answers: ["201"], sent: 2 },
])("A request of an app to the REST API is $is in the world that plans it", async ({ is, answers, sent }) => {
  let app: string[] = [];
  const subject = (sim: Simulator) => {
    app = texting(sim);
    return app;
  };
  const { journal, deviations } = await playWorld({ scenario, subject }, [{ ...place, is }]);
  expect(app).toEqual(answers);
  expect(sentIn(journal)).toBe(sent);
  expect(deviations).toEqual([{ ...place, is: is === "lost" ? "refused" : is }]);
});

test("A request that the app does not send cannot be doubled", async () => {
  const added = [{ ...place, of: "POST /calls", is: "duplicated" }];
  await expect(playWorld({ scenario, subject: texting }, added)).rejects.toThrow(
    "your app does not send POST /calls 10 s after the start",
  );
});

test("A server sees the connection break when its request is lost on the way", async () => {
  let api = "";
  const seen: string[] = [];
  const server = await receiver(async ({ path, body }) => {
    if (path === "/reset") api = (JSON.parse(body) as { api: string }).api;
    else
      seen.push(
        await fetch(`${api}/users`).then(
          ({ status }) => String(status),
          ({ message: text }: Error) => text,
        ),
      );
    return 200;
  });
  const subject = httpSubject({ url: new URL(server.url).origin, reset: "/reset" });
  await playWorld({ scenario, subject }, [{ ...place, of: "GET /users", is: "lost" }]);
  expect(seen).toEqual(["fetch failed"]);
});
