import { get } from "node:http";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { expect, onTestFinished, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";

/** A report names each host that the app asks for real: no world can let these requests fail. */

const HOST = "api.crm.example";

/** Asks the host by `node:http`, whatever comes of it. */
const ask = (host: string) =>
  new Promise<void>((resolve) => {
    get({ host, path: "/people?secret=1" }, (answer) => answer.resume().on("end", resolve)).on("error", () =>
      resolve(),
    );
  });

/** What the report says of an app that does this when a call begins. */
async function notesOf(
  work: (sim: Simulator) => Promise<unknown>,
  more: Partial<ExploreOptions<unknown>> = {},
) {
  const { result } = await exploreReport({
    scenario(sim: Simulator) {
      sim.webhooks.create({ url: "https://crm.test/", events: ["call.started"] });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    },
    deviations: { kinds: ["lost"] },
    app(sim: Simulator) {
      sim.network.route("https://crm.test/", async () => {
        await work(sim).catch(() => undefined);
        return 204;
      });
    },
    ...more,
  });
  return result.notes;
}

const told = [
  `the app asked ${HOST} for real; wrap it with \`sim.dependency\`, or \`dependency\` of ringback/msw`,
];

test("a host is named once, without path or body, by fetch and by node:http", async () => {
  const both = () =>
    Promise.all([fetch(`https://${HOST}/people?secret=1`).catch(() => undefined), ask(HOST)]);
  expect(await notesOf(both)).toEqual(told);
  expect(await notesOf(() => ask(HOST))).toEqual(told);
});

test("the line stands in the report, which passes", async () => {
  const report = await exploreReport({
    scenario: (sim) => void sim.calls.inbound({ from: "+6421555001", to: "+6495550103" }),
    deviations: 0,
    app: async () => void (await fetch(`https://${HOST}/`).catch(() => undefined)),
  });
  expect(report.passed).toBe(true);
  expect(report.toText()).toContain(`\n\n${told[0]}\n\n`);
});

test("loopback, what MSW answers, a dependency and a property are not named", async () => {
  const local = () => Promise.all([fetch("http://127.0.0.1:9/").catch(() => undefined), ask("localhost")]);
  expect(await notesOf(local)).toEqual([]);
  const wrapped = (sim: Simulator) => sim.dependency("crm", fetch)(`https://${HOST}/people`);
  expect(await notesOf(wrapped)).toEqual([]);
  const asks = () =>
    fetch(`https://${HOST}/`).then(
      () => true,
      () => true,
    );
  expect(await notesOf(async () => undefined, { eventually: { "the CRM answers": asks } })).toEqual([]);
  const server = setupServer(http.get(`http://${HOST}/people`, () => HttpResponse.json([])));
  server.listen();
  onTestFinished(() => server.close());
  expect(await notesOf(() => Promise.all([ask(HOST), fetch(`http://${HOST}/people`)]))).toEqual([]);
});
