import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";
import { folderWith, root } from "../../cli/support.ts";

/** What a webhook's handler asks the REST API is told inside the request that it handles. */

const hook = "https://crm.acme.test/hooks";
const usersUrl = (sim: Simulator) => `${sim.urls.api}/users`;

/** A simulator whose webhook asks the REST API a number of times for each event. */
function asking(times = 1): Simulator {
  const sim = createSimulator({ ids: "counter" });
  sim.webhooks.create({ url: hook, events: ["call.started", "call.not_answered"] });
  sim.network.route(hook, async () => {
    for (let count = 0; count < times; count++) await sim.fetch(usersUrl(sim));
    return { status: 204 };
  });
  return sim;
}

async function missedCall(sim: Simulator): Promise<void> {
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  await sim.advanceAsync("PT1S");
  call.hangup("caller");
  await sim.advanceAsync("PT1S");
}

describe("a request to the REST API", () => {
  test("knows the delivery whose handler made it", async () => {
    const sim = asking();
    await missedCall(sim);
    const deliveries = sim.webhooks.deliveries("webhook-1");
    expect(sim.rest.requests.map(({ during }) => during)).toEqual(
      deliveries.map(({ attempts }) => attempts[0]?.requestId),
    );
  });

  test("knows no request, given none is being handled", async () => {
    const sim = createSimulator();
    await sim.fetch(usersUrl(sim));
    expect(sim.rest.requests.map(({ during }) => during)).toEqual([null]);
  });

  test("knows the request of the handler that makes it at once, even while another one waits", async () => {
    const sim = createSimulator({ ids: "counter" });
    const hooks = ["a", "b"].map((name) => `https://${name}.acme.test/`);
    for (const url of hooks) sim.webhooks.create({ url, events: ["call.started"] });
    sim.network.route(
      "https://a.acme.test/",
      () => new Promise((answer) => sim.schedule("PT1S", () => answer(200))),
    );
    sim.network.route("https://b.acme.test/", async () => {
      await sim.fetch(usersUrl(sim));
      return 200;
    });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    await sim.advanceAsync("PT5S");
    const [toB] = sim.webhooks.deliveries("webhook-2");
    expect(sim.rest.requests.map(({ during }) => during)).toEqual([toB?.attempts[0]?.requestId]);
  });

  /** Three webhooks, each of which waits as long as its name says and then asks the REST API. */
  async function askedByThreeWhoWait(create = createSimulator): Promise<Simulator> {
    const sim = create({ ids: "counter" });
    for (const duration of ["PT3S", "PT2S", "PT1S"]) {
      const url = `https://${duration.toLowerCase()}.acme.test/`;
      sim.webhooks.create({ url, events: ["call.started"] });
      sim.network.route(url, async () => {
        await new Promise<void>((go) => sim.schedule(duration, go));
        await sim.fetch(`${usersUrl(sim)}?of=${duration}`);
        return 200;
      });
    }
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    await sim.advanceAsync("PT2.500S");
    await sim.fetch(`${usersUrl(sim)}?of=nobody`);
    await sim.advanceAsync("PT5S");
    return sim;
  }

  test("knows the request of the handler that makes it after a wait, even while others wait", async () => {
    const sim = await askedByThreeWhoWait();
    const requestTo = (number: number) =>
      sim.webhooks.deliveries(`webhook-${number}`)[0]?.attempts[0]?.requestId;
    const asked = sim.rest.requests.filter(({ path }) => !path.endsWith("nobody"));
    expect(asked.map(({ path, during }) => [path.slice(-4), during])).toEqual([
      ["PT1S", requestTo(3)],
      ["PT2S", requestTo(2)],
      ["PT3S", requestTo(1)],
    ]);
  });

  test("knows no request, given several wait in an environment that cannot follow them", async () => {
    const file = join(folderWith(), "ringback.mjs");
    await build({ entryPoints: [join(root, "src/index.ts")], outfile: file, bundle: true, format: "esm" });
    const { getBuiltinModule } = process;
    process.getBuiltinModule = (() => undefined) as typeof getBuiltinModule;
    onTestFinished(() => {
      process.getBuiltinModule = getBuiltinModule;
    });
    const elsewhere: typeof import("../../../src/index.ts") = await import(file);
    process.getBuiltinModule = getBuiltinModule;
    const sim = await askedByThreeWhoWait(elsewhere.createSimulator);
    expect(sim.rest.requests.map(({ during }) => during)).toEqual([
      null,
      null,
      expect.any(String),
      expect.any(String),
    ]);
  });

  test("has its row between the request's arrival and its answer, in a replay too", async () => {
    const sim = asking(2);
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    await sim.advanceAsync("PT1S");
    expect(sim.events.toTimeline()).toMatchInlineSnapshot(`
      "Acme   2026-07-01 00:00:00Z - seed 1

        0:00.000  crm.acme.test (webhook) asks for call.started, call.not_answered
                  Jane Smith (+6421555001) calls +6495550100 (Alice Ng, 101)
                  * call.started                   inbound from Jane Smith (+6421555001)
                  | Alice Ng: rings on mobile, desktop
                  | crm.acme.test (webhook): receives call.started
                  |   an unknown client: asks GET /users: 401 (expected the header Authorization: Bearer <access token>; POST /oauth/token gives one)
                  |   an unknown client: asks GET /users: 401 (expected the header Authorization: Bearer <access token>; POST /oauth/token gives one)
                  | crm.acme.test (webhook): call.started - 204

      1 event, 1s of platform time
      "
    `);
    expect(sim.events.toMermaid()).toMatchInlineSnapshot(`
      "sequenceDiagram
        actor P1 as Jane Smith (+6421555001)
        actor P2 as an unknown client
        participant P3 as Acme
        actor P4 as Alice Ng
        participant P5 as crm.acme.test (webhook)
        participant E as events
        P5->>P3: asks for call.started, call.not_answered
        P1->>P3: calls +6495550100 (Alice Ng, 101)
        P3-)E: call.started<br/>inbound from Jane Smith (+6421555001)
        P3-->>P4: rings on mobile, desktop
        P3-->>P5: receives call.started
        P2->>P3: asks GET /users: 401 (expected the header Authorization: Bearer #60;access token#62;#59; POST /oauth/token gives one)
        P2->>P3: asks GET /users: 401 (expected the header Authorization: Bearer #60;access token#62;#59; POST /oauth/token gives one)
        P3-->>P5: call.started - 204
      "
    `);
  });

  test("is on the page inside the webhook's request, with its answer below", async () => {
    const sim = asking();
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    await sim.advanceAsync("PT1S");
    const { rows } = Recording.from(sim.journal());
    expect(
      rows
        .filter(({ kind }) => kind === "rest")
        .map((row) => [row.subject, row.verb, row.detail, row.isInsideHandler]),
    ).toMatchInlineSnapshot(`
      [
        [
          "crm.acme.test",
          "receives",
          "call.started",
          undefined,
        ],
        [
          "an unknown client",
          "asks",
          "GET /users, expected the header Authorization: Bearer <access token>; POST /oauth/token gives one",
          true,
        ],
        [
          "crm.acme.test",
          "answers",
          "call.started",
          undefined,
        ],
      ]
    `);
  });
});

describe("a command that a request to the REST API issues", () => {
  /** A client removes Bob from a team. */
  async function removing(sim: Simulator): Promise<number> {
    const headers = { authorization: `Bearer ${sim.token()}` };
    const { status } = await sim.fetch("/teams/sales/users/bob", { method: "DELETE", headers });
    return status;
  }

  test("has its row below the request, in a replay too", async () => {
    const sim = createSimulator({ ids: "counter" });
    expect(await removing(sim)).toBe(200);
    expect(sim.events.toTimeline()).toMatchInlineSnapshot(`
      "Acme   2026-07-01 00:00:00Z - seed 1

        0:00.000  acme-client is given an access token
                  acme-client asks DELETE /teams/sales/users/bob
                  | Bob Tane: leaves Sales
                  * team.availability.updated      Sales: 2 of 2 available
                  | acme-client: gets the answer to DELETE /teams/sales/users/bob: 200

      1 event, 0s of platform time
      "
    `);
    expect(sim.events.toMermaid()).toMatchInlineSnapshot(`
      "sequenceDiagram
        actor P1 as acme-client
        participant P2 as Acme
        actor P3 as Bob Tane
        participant E as events
        P1->>P2: is given an access token
        P1->>P2: asks DELETE /teams/sales/users/bob
        P3->>P2: leaves Sales
        P2-)E: team.availability.updated<br/>Sales: 2 of 2 available
        P1->>P2: gets the answer to DELETE /teams/sales/users/bob: 200
      "
    `);
    const { rows } = Recording.from(sim.journal());
    expect(rows.map(({ subject, verb, source }) => [subject, verb, source])).toMatchInlineSnapshot(`
      [
        [
          "acme-client",
          "is given an access token",
          "rest",
        ],
        [
          "acme-client",
          "asks",
          "rest",
        ],
        [
          "Bob Tane",
          "leaves Sales",
          "bob",
        ],
        [
          "team.availability.updated",
          "",
          "platform",
        ],
        [
          "acme-client",
          "gets the answer to",
          "rest",
        ],
      ]
    `);
  });

  test("has its row inside the webhook request whose handler calls the API", async () => {
    const sim = createSimulator({ ids: "counter" });
    sim.webhooks.create({ url: hook, events: ["call.started"] });
    sim.network.route(hook, () => removing(sim));
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    await sim.advanceAsync("PT1S");
    expect(sim.events.toTimeline()).toMatchInlineSnapshot(`
      "Acme   2026-07-01 00:00:00Z - seed 1

        0:00.000  crm.acme.test (webhook) asks for call.started
                  Jane Smith (+6421555001) calls +6495550100 (Alice Ng, 101)
                  * call.started                   inbound from Jane Smith (+6421555001)
                  | Alice Ng: rings on mobile, desktop
                  acme-client is given an access token
                  crm.acme.test (webhook) receives call.started
                  |   acme-client: asks DELETE /teams/sales/users/bob
                  |   Bob Tane: leaves Sales
                  * team.availability.updated      Sales: 2 of 2 available
                  |   acme-client: gets the answer to DELETE /teams/sales/users/bob: 200
                  | crm.acme.test (webhook): call.started - 200

      2 events, 1s of platform time
      "
    `);
  });
});
