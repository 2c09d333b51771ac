import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { callLog, exploreReport } from "../../../src/explore/index.ts";
import { fromFetch, parseScenario, type Simulator } from "../../../src/index.ts";

const url = "https://crm.test/hooks";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }
`);

/** How an app stores behind its answer. */
const later = {
  "an immediate": (store: () => void) => void setImmediate(store),
  "a timer of no time": (store: () => void) => void setTimeout(store, 0),
  "a timer of 10 ms": (store: () => void) => void setTimeout(store, 10),
  "a microtask": (store: () => void) => queueMicrotask(store),
  "a tick": (store: () => void) => process.nextTick(store),
};
type Store = Set<string>;
type Later = (store: () => void) => void;
const callIn = (body: string): string => JSON.parse(body).data.call.id;

function inProcess(sim: Simulator, db: Store, after: Later) {
  sim.network.route(url, ({ body }) => {
    after(() => db.add(callIn(body)));
    return 204;
  });
  return { db };
}

/** @param isSent whether it stores when its answer is sent, and not once that is given to Node */
const overPortWhen = (isSent: boolean) => async (sim: Simulator, db: Store, after: Later) => {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const store = () => after(() => db.add(callIn(body)));
    if (isSent) response.on("finish", store);
    response.writeHead(204).end();
    if (!isSent) store();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  sim.network.route(
    url,
    fromFetch((request) => fetch(new Request(`http://127.0.0.1:${port}/`, request))),
  );
  const end = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { db, [Symbol.asyncDispose]: end };
};

const overPort = overPortWhen(false);
const forms = {
  "in process": inProcess,
  "over a port": overPort,
  "over a port that has sent it": overPortWhen(true),
};
const isRed = ["an immediate", "a timer of no time", "a timer of 10 ms"];
const cases = [
  ...Object.keys(later).flatMap((how) => ["in process", "over a port"].map((form) => [how, form] as const)),
  ["an immediate", "over a port that has sent it"] as const,
];

test.each(cases)(
  "An app that stores in %s behind its answer, %s, loses it only if it can restart",
  async (how, form) => {
    const build = forms[form as keyof typeof forms];
    const after = later[how as keyof typeof later];
    const explored = (isDurable: boolean) =>
      exploreReport({
        scenario,
        forged: false,
        deviations: { kinds: isDurable ? ["restartedAfter"] : ["duplicated", "lost"] },
        ...(isDurable ? { durable: (): Store => new Set() } : {}),
        subject: (sim: Simulator, db?: unknown) => build(sim, (db as Store) ?? new Set(), after),
        ...callLog({ rows: ({ db }: { db: Store }) => [...db].map((callId) => ({ callId })) }),
      });
    const { failures } = await explored(true);
    expect(failures.map(({ smallest }) => smallest.deviations.map(({ is }) => is))).toEqual(
      isRed.includes(how) ? [["restartedAfter"]] : [],
    );
    expect((await explored(false)).failures).toEqual([]);
  },
);
