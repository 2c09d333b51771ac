import { deepStrictEqual } from "node:assert";
import { execFile } from "node:child_process";
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { callLog, exploreReport } from "../../../src/explore/index.ts";
import { fromFetch, parseScenario, type Simulator, verifySignature } from "../../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const secret = "s3cret";
const twoCalls = `
scenario: Two missed calls
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", signingSecret: ${secret}, events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT100S, inbound: { as: c2, from: "+6421555002", to: "+6495550103" } }
`;
const scenario = parseScenario(twoCalls);

/** A request as an app gets it. */
interface Got {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The time, ms. */
  readonly now: number;
}

/** Whether an app takes a request as genuine. */
type Check = (got: Got) => boolean;

const signatureIn = ({ headers }: Got) => headers["x-service-signature"];
const timestampIn = ({ headers }: Got) => Number(headers["x-service-timestamp"]);
const isSigned = (got: Got): boolean => {
  const mac = createHmac("sha256", secret).update(`${got.headers["x-service-timestamp"]}.${got.body}`);
  return signatureIn(got) === `sha256=${mac.digest("hex")}`;
};
const isVerified: Check = (got) => {
  const { headers, body, now } = got;
  return verifySignature({ headers: { ...headers }, body, secret, now }).valid;
};

/** How an app answers, and what it does with what it does not take. */
interface Receiver {
  readonly isGenuine: Check;
  readonly refusal?: number;
  /** Whether it notes the id of an event before it checks the request. */
  readonly notesFirst?: boolean;
}

/** Apps that keep the numbers of missed calls, once for each event. */
function receiving({ isGenuine, refusal = 401, notesFirst = false }: Receiver) {
  return (sim: Simulator) => {
    const store = { seen: new Set<string>(), numbers: [] as string[] };
    sim.network.route(url, ({ headers, body }) => {
      const { id, data } = JSON.parse(body);
      const isKnown = store.seen.has(id);
      if (notesFirst) store.seen.add(id);
      if (!isGenuine({ headers, body, now: sim.timestamp })) return refusal;
      if (!isKnown) store.numbers.push(data.call.contactNumber);
      store.seen.add(id);
      return 204;
    });
    return store;
  };
}

const explored = (subject: (sim: Simulator) => unknown, more: object = {}) =>
  exploreReport({ scenario, subject, deviations: 0, ...more });

const believedBy = async (...of: Parameters<typeof explored>) => {
  const { result } = await explored(...of);
  return result.forged?.believed.map(({ is }) => is);
};

const all = [
  "unsigned",
  "wrongSecret",
  "changedBody",
  "stale",
  "cutSignature",
  "emptySignature",
  "unsetSecret",
];
const allButUnsigned = all.filter((each) => each !== "unsigned");
const macOf = ({ headers, body }: Got, key: string) =>
  `sha256=${createHmac("sha256", key).update(`${headers["x-service-timestamp"]}.${body}`).digest("hex")}`;
/** Whether a request is signed, for a check that is right but for one thing. @param is compares what is given with what is right */
const isRecentAnd = (is: (given: string, right: (key: string) => string) => boolean): Check => {
  return (got) =>
    got.now - timestampIn(got) <= 300_000 && is(signatureIn(got) ?? "none", (key) => macOf(got, key));
};

describe("Forged requests", () => {
  test.each<readonly [what: string, receiver: Receiver, believed: readonly string[]]>([
    ["checks nothing", { isGenuine: (got) => signatureIn(got) !== null }, all],
    ["is content with any signature", { isGenuine: (got) => signatureIn(got) !== undefined }, allButUnsigned],
    [
      "compares as many characters as it is given",
      { isGenuine: isRecentAnd((given, right) => right(secret).startsWith(given)) },
      ["cutSignature", "emptySignature"],
    ],
    [
      "compares as many digits as it is given, and at least one",
      {
        isGenuine: isRecentAnd(
          (given, right) => given.length > "sha256=".length && right(secret).startsWith(given),
        ),
      },
      ["cutSignature"],
    ],
    [
      "skips an empty signature",
      { isGenuine: isRecentAnd((given, right) => given === "" || given === right(secret)) },
      ["emptySignature"],
    ],
    [
      "skips a signature without a digest",
      { isGenuine: isRecentAnd((given, right) => given === "sha256=" || given === right(secret)) },
      ["emptySignature"],
    ],
    [
      "also takes its old secret, which is not set any more",
      { isGenuine: isRecentAnd((given, right) => [right(secret), right("")].includes(given)) },
      ["unsetSecret"],
    ],
    [
      "also takes its old secret, which is not set any more, as text",
      { isGenuine: isRecentAnd((given, right) => [right(secret), right(`${undefined}`)].includes(given)) },
      ["unsetSecret"],
    ],
    [
      "checks a signature only if there is one",
      { isGenuine: (got) => signatureIn(got) === undefined || isVerified(got) },
      ["unsigned"],
    ],
    [
      "checks a signature only if there is a timestamp",
      { isGenuine: (got) => got.headers["x-service-timestamp"] === undefined || isVerified(got) },
      ["unsigned"],
    ],
    ["does not look at the age", { isGenuine: isSigned }, ["stale"]],
    [
      "rounds the age to whole seconds",
      {
        isGenuine: (got) =>
          isSigned(got) && Math.floor(got.now / 1_000) - Math.floor(timestampIn(got) / 1_000) <= 300,
      },
      ["stale"],
    ],
    [
      "takes the timestamp for seconds",
      { isGenuine: (got) => isSigned(got) && got.now / 1_000 - timestampIn(got) < 300 },
      ["stale"],
    ],
    // what it refuses takes the place of what is true
    ["notes ids before it checks", { isGenuine: isVerified, notesFirst: true }, ["changedBody"]],
    ["verifies", { isGenuine: isVerified }, []],
    ["verifies by `Date`", { isGenuine: (got) => isVerified({ ...got, now: Date.now() }) }, []],
    [
      "checks the age by `Date`, in seconds",
      { isGenuine: (got) => isSigned(got) && Date.now() / 1_000 - timestampIn(got) < 300 },
      ["stale"],
    ],
    ["verifies and refuses politely", { isGenuine: isVerified, refusal: 204 }, []],
  ])("are believed by an app that %s", async (_, receiver, believed) => {
    expect(await believedBy(receiving(receiver))).toEqual(believed);
  });

  test("are explained by rounding only where the app takes no request that is older", async () => {
    const advice =
      "A signature is valid for 300,000 ms and not for one more: a check that rounds to whole seconds";
    const seconds = (round: (value: number) => number): Receiver => ({
      isGenuine: (got) => isSigned(got) && round(got.now / 1_000) - round(timestampIn(got) / 1_000) <= 300,
    });
    const storyOf = async (receiver: Receiver) =>
      (await explored(receiving(receiver))).failures.map(({ story }) => story);
    for (const round of [Math.floor, Math.round])
      expect(await storyOf(seconds(round))).toEqual([expect.stringContaining(advice)]);
    for (const isGenuine of [
      isSigned,
      (got: Got) => isSigned(got) && got.now - timestampIn(got) <= 600_000,
      (got: Got) => isSigned(got) && got.now / 1_000 - timestampIn(got) < 300,
    ])
      expect(await storyOf({ isGenuine })).toEqual([expect.not.stringContaining("rounds")]);
  });

  test("make a failure that says what was believed, in the smallest scenario", async () => {
    const report = await explored(receiving({ isGenuine: isSigned }));
    expect(report.failures).toHaveLength(1);
    const [failure] = report.failures;
    expect(failure).toMatchObject({
      property: "the app believes what the platform did not send",
      worlds: 1,
      forged: [{ to: url, type: "call.not_answered", is: "stale" }],
      smallest: { deviations: [], isMinimal: true },
    });
    expect(failure?.smallest.scenario?.match(/inbound/g)).toHaveLength(1);
    const text = report.toText();
    expect(text).toContain(
      `  When a call.not_answered arrives more than 300,000 ms after it was signed, the app believes what the platform did not send: the app ends with {seen: {"event-2"}, numbers: ["+6421555001"]}, not {seen: {}, numbers: []}.
  smallest: stale(call.not_answered)
`,
    );
    expect(text).toContain("\nforged requests: 7 in 3 more worlds, the app believes 1\n");
    expect(text).toContain("1 world with at most 0 deviations, all of them");
    expect([report.worlds, report.passed]).toEqual([1, false]);
  });

  test("are one failure with each kind that is believed", async () => {
    const report = await explored(receiving({ isGenuine: (got) => signatureIn(got) !== "" }));
    expect(report.failures.map(({ worlds, forged }) => [worlds, forged.length])).toEqual([[7, 7]]);
    expect(report.toText()).toContain(
      "  smallest: unsigned(call.not_answered)\n  also: wrongSecret(call.not_answered), changedBody(call.not_answered), stale(call.not_answered), cutSignature(call.not_answered), ",
    );
  });

  test("fail again in the smallest scenario, explored by itself", async () => {
    const subject = receiving({ isGenuine: isSigned });
    const { failures } = await explored(subject);
    const smallest = parseScenario(failures[0]?.smallest.scenario ?? "");
    const again = await exploreReport({ scenario: smallest, subject, deviations: 0 });
    expect(again.failures.map(({ property, forged }) => [property, forged.map(({ is }) => is)])).toEqual([
      ["the app believes what the platform did not send", ["stale"]],
    ]);
  });

  test("are sent for each type of event at each URL, and only where `on` allows it", async () => {
    const two = parseScenario(`
scenario: Two webhooks
steps:
  - { at: PT0S, createWebhook: { url: "${url}", signingSecret: ${secret}, events: [call.started, call.not_answered] } }
  - { at: PT0S, createWebhook: { url: "https://other.test/", signingSecret: ${secret}, events: [call.started] } }
  - { at: PT1S, inbound: { from: "+6421555001", to: "+6495550103" } }
`);
    const subject = (sim: Simulator) => {
      const ids = new Set<string>();
      sim.network.route("https://", ({ headers, body }) => {
        if (!isVerified({ headers, body, now: sim.timestamp })) return 401;
        ids.add(JSON.parse(body).id);
        return 204;
      });
      return ids;
    };
    const worldsOf = async (more: object) => {
      const { result } = await exploreReport({ scenario: two, subject, deviations: 0, ...more });
      return [result.forged?.worlds, result.forged?.believed];
    };
    expect(await worldsOf({})).toEqual([9, []]);
    expect(await worldsOf({ deviations: { atMost: 0, on: ["https://other.test/"] } })).toEqual([3, []]);
    expect(await worldsOf({ shard: { index: 2, count: 2 } })).toEqual([undefined, undefined]);
    expect(await worldsOf({ forged: false })).toEqual([undefined, undefined]);
  });
});

test("Forged requests are believed alike with one thread and with two", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-forged-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "receiver.mjs"),
    `export function subject(sim) {
  const calls = [];
  sim.network.route("${url}", ({ headers, body }) => {
    if (headers["x-service-signature"] === undefined) return 401;
    calls.push(JSON.parse(body).data.call.contactNumber);
    return 204;
  });
  return calls;
}
`,
  );
  const reported = async (workers: number) => {
    const report = await exploreReport({ scenario, with: join(folder, "receiver.mjs"), workers });
    return report.toText();
  };
  const one = await reported(1);
  expect(one).toContain("  smallest: wrongSecret(call.not_answered)\n  also: changedBody(call.not_answered)");
  expect(await reported(2)).toBe(one);
});

/** What an app may do with headers, and what it gets. */
const uses: Record<string, (headers: Record<string, string>) => unknown> = {
  "assert.deepStrictEqual": (headers) => deepStrictEqual(headers, { ...headers }),
  "assert.deepStrictEqual, the other way round": (headers) => deepStrictEqual({ ...headers }, headers),
  toStrictEqual: (headers) => void expect(headers).toStrictEqual({ ...headers }),
  structuredClone: (headers) => structuredClone(headers),
  "JSON.stringify": (headers) => JSON.stringify(headers),
  spread: (headers) => ({ ...headers }),
  "Object.keys": (headers) => Object.keys(headers),
  "Reflect.ownKeys": (headers) => Reflect.ownKeys(headers),
  "Object.getPrototypeOf": (headers) => Object.getPrototypeOf(headers) === Object.prototype,
  instanceof: (headers) => headers instanceof Object,
  in: (headers) =>
    ["x-service-signature", "X-Service-Signature", "constructor"].map((each) => each in headers),
  "Object.hasOwn": (headers) =>
    ["x-service-signature", "X-Service-Signature"].map((each) => Object.hasOwn(headers, each)),
  "new Headers": (headers) => Object.fromEntries(new Headers(headers)),
  "new Request": (headers) => Object.fromEntries(new Request(url, { headers }).headers),
  "a write": (headers) => Object.assign(headers, { "content-type": "text/plain", more: "1" })["content-type"],
  "a removal": (headers) => Reflect.deleteProperty(headers, "content-type") && headers["content-type"],
};

test.each(Object.keys(uses))(
  "In a world that is judged, headers do under %s what plain ones do",
  async (name) => {
    const use = uses[name] ?? expect.unreachable();
    const seen: [got: unknown, plain: unknown][] = [];
    const { failures } = await explored((sim) => {
      sim.network.route(url, ({ headers }) => {
        const plain = structuredClone(headers);
        seen.push([use(headers), use(plain)]);
        return 204;
      });
      return {};
    });
    expect(failures).toEqual([]);
    // two requests in the first world, and in the one at the end; the next one is not judged
    expect(seen.length).toBeGreaterThanOrEqual(4);
    for (const [got, plain] of seen.slice(0, 4)) expect(got).toStrictEqual(plain);
  },
);

describe("Forged requests are tried", () => {
  /** Whether they are, for an app that does this with the headers of each request. */
  const isTriedFor = async (
    look: (headers: Readonly<Record<string, string>>) => unknown,
    more: object = {},
  ) => {
    const report = await explored((sim) => {
      sim.network.route(url, ({ headers }) => {
        look(headers);
        return 204;
      });
      return {};
    }, more);
    const { worlds } = report.result.forged ?? { worlds: 0 };
    expect(report.failures).toEqual([]);
    expect(report.toText().includes("signatures were not looked at, so forged requests were not tried")).toBe(
      worlds === 0,
    );
    return worlds > 0;
  };

  test.each<
    readonly [what: string, look: (headers: Readonly<Record<string, string>>) => unknown, is: boolean]
  >([
    ["reads nothing", () => {}, false],
    ["reads another header", (headers) => headers["content-type"], false],
    ["asks for the signature", (headers) => headers["x-service-signature"], true],
    ["asks for the timestamp", ({ "x-service-timestamp": timestamp }) => timestamp, true],
    ["copies all headers", (headers) => ({ ...headers }), false],
    ["lists all headers", (headers) => Object.entries(headers), false],
    ["clones all headers", (headers) => structuredClone(headers), false],
    ["copies all headers twice", (headers) => [{ ...headers }, new Headers(headers)], false],
    ["copies all and asks for one", (headers) => [{ ...headers }, headers["x-service-signature"]], true],
    [
      "asks for two and copies all",
      (headers) => [headers["content-type"], headers["x-service-timestamp"], { ...headers }],
      true,
    ],
    ["asks for the signature in another case", (headers) => headers["X-Service-Signature"], true],
    ["asks whether there is one in another case", (headers) => "X-SERVICE-SIGNATURE" in headers, true],
    ["asks for another header in another case", (headers) => headers["Content-Type"], false],
    ["verifies a copy", (headers) => isVerified({ headers: { ...headers }, body: "", now: 0 }), true],
  ])("where an app asks for signatures: one that %s", async (_, look, is) => {
    expect(await isTriedFor(look)).toBe(is);
  });

  test("everywhere with `forged: true`", async () => {
    expect(await isTriedFor(() => {}, { forged: true })).toBe(true);
  });

  test.each<readonly [what: string, app: (request: Request) => unknown, is: boolean]>([
    ["reads the body", (request) => request.text(), false],
    ["asks for the signature", ({ headers }) => headers.get("X-Service-Signature"), true],
    ["asks whether there is a timestamp", ({ headers }) => headers.has("x-service-timestamp"), true],
    ["asks for another header", ({ headers }) => headers.get("content-type"), false],
    ["copies all headers", ({ headers }) => Object.fromEntries(headers), false],
  ])("where an app of fromFetch asks for signatures: one that %s", async (_, app, is) => {
    const { result } = await explored((sim) => {
      const handle = async (request: Request) => {
        await app(request);
        return new Response(null, { status: 204 });
      };
      sim.network.route(url, fromFetch(handle));
      return {};
    });
    expect((result.forged?.worlds ?? 0) > 0).toBe(is);
  });

  test.each(["fetch", "http"] as const)("where requests go on to a server by %s", async (by) => {
    const store: string[] = [];
    const server = createServer((request, response) => {
      request.on("data", (chunk) => store.push(JSON.parse(String(chunk)).data.call.contactNumber));
      request.on("end", () => response.writeHead(204).end());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const ways = {
      fetch: (from: Request) => fetch(new Request(`http://127.0.0.1:${port}/`, from)),
      http: async (from: Request) => {
        const body = await from.text();
        const headers = { ...Object.fromEntries(from.headers), "content-length": String(body.length) };
        const sent = request({ port, host: "127.0.0.1", method: "POST", headers });
        sent.end(body);
        const [{ statusCode }] = (await once(sent, "response")) as [{ statusCode: number }];
        return new Response(null, { status: statusCode });
      },
    };
    const report = await exploreReport({
      scenario,
      deviations: 0,
      subject: (sim) => {
        store.length = 0;
        sim.network.route(url, fromFetch(ways[by]));
        return store;
      },
    });
    expect(report.failures.map(({ forged }) => forged.map(({ is }) => is))).toEqual([all]);
  });
});

test("A request that goes on to a server is seen though the garbage collector ran after an earlier exploration", async () => {
  const { folder: src, ending } = inject("sources");
  const explore = pathToFileURL(join(src, `explore/index.${ending}`)).href;
  const main = pathToFileURL(join(src, `index.${ending}`)).href;
  // Node has loaded neither `fetch` nor `http` before the second exploration
  const program = `
import { setTimeout } from "node:timers/promises";
import { callLog, exploreReport } from ${JSON.stringify(explore)};
import { parseScenario } from ${JSON.stringify(main)};
const scenario = parseScenario(${JSON.stringify(twoCalls)});
const worldsOf = async (handle) => {
  const subject = (sim) => void sim.network.route(${JSON.stringify(url)}, handle);
  const { result } = await exploreReport({ scenario, subject, deviations: 0 });
  return result.forged.worlds;
};
const before = await worldsOf(() => 204);
await setTimeout(20);
gc();
const { createServer, request } = await import("node:http");
void Response;
await setTimeout(20);
const server = createServer((_, response) => response.writeHead(204).end()).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const { port } = server.address();
const sentOn = (headers, body) => new Promise((resolve, reject) => {
  const sent = request({ port, host: "127.0.0.1", method: "POST", headers: { ...headers, "content-length": String(body.length) } });
  sent.on("error", reject).on("response", (response) => response.resume().on("end", () => resolve(204))).end(body);
});
const ways = [
  ({ headers, body }) => sentOn({ ...headers }, body),
  ({ headers, body }) => fetch("http://127.0.0.1:" + port, { method: "POST", headers: { ...headers }, body }).then(() => 204),
];
const after = [];
for (const way of ways) after.push(await worldsOf(way));
console.log(JSON.stringify([before, after]));
process.exit();
`;
  const args = ["--expose-gc", ...(ending === "ts" ? ["--import", "tsx"] : []), "--input-type=module"];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, "--eval", program]);
  expect(JSON.parse(stdout)).toEqual([0, [3, 3]]);
});

describe("An app that refuses forged requests", () => {
  test.each<
    readonly [what: string, refuse: (store: { refused: number; log: string[] }, id: string) => unknown]
  >([
    ["counts them", (store) => store.refused++],
    ["notes their ids", (store, id) => store.log.push(id)],
  ])("passes though it %s", async (_, refuse) => {
    const subject = (sim: Simulator) => {
      const store = { calls: [] as string[], refused: 0, log: [] as string[] };
      sim.network.route(url, ({ headers, body }) => {
        const { id, data } = JSON.parse(body);
        if (!isVerified({ headers, body, now: sim.timestamp })) {
          refuse(store, id);
          return 401;
        }
        store.calls.push(data.call.id);
        return 204;
      });
      return store;
    };
    expect((await explored(subject)).failures).toEqual([]);
  });

  test.each([
    ["asks first whether it knows them", true],
    ["reads what they are about first", false],
  ])("passes though it counts them and %s", async (_, asksFirst) => {
    const subject = (sim: Simulator) => {
      const store = { numbers: [] as string[], refused: 0 };
      const seen = new Set<string>();
      sim.network.route(url, ({ headers, body }) => {
        const { id, data } = JSON.parse(body);
        const { contactNumber } = data.call;
        if (asksFirst && seen.has(id)) return 204;
        if (!isVerified({ headers, body, now: sim.timestamp })) {
          store.refused++;
          return 401;
        }
        seen.add(id);
        store.numbers.push(contactNumber);
        return 204;
      });
      return store;
    };
    expect((await explored(subject)).failures).toEqual([]);
  });

  test("believes none though it refuses all, as it signs what it parsed, and counts them", async () => {
    const subject = (sim: Simulator) => {
      const store = { calls: [] as string[], refused: 0 };
      sim.network.route(url, ({ headers, body }) => {
        const event = JSON.parse(body);
        if (isSigned({ headers, body: JSON.stringify(event), now: sim.timestamp }))
          store.calls.push(event.data.call.id);
        else store.refused++;
        return store.calls.length > 0 ? 204 : 401;
      });
      return store;
    };
    // true events are refused as well
    expect((await explored(subject)).failures).toMatchObject([{ property: "refuses" }]);
  });

  test("fails if it keeps what they say", async () => {
    const subject = (sim: Simulator) => {
      const numbers: string[] = [];
      sim.network.route(url, ({ headers, body }) => {
        numbers.push(JSON.parse(body).data.call.contactNumber);
        return isVerified({ headers, body, now: sim.timestamp }) ? 204 : 401;
      });
      return numbers;
    };
    expect(await believedBy(subject)).toEqual(all);
  });

  test("passes though it throws while it compares, as a server then answers 500", async () => {
    const subject = (sim: Simulator) => {
      const calls: string[] = [];
      sim.network.route(url, async ({ headers, body }) => {
        const { "x-service-signature": signature = "", "x-service-timestamp": timestamp } = headers;
        const own = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
        // throws if the lengths differ
        if (!timingSafeEqual(Buffer.from(signature), Buffer.from(`sha256=${own}`))) return 401;
        if (sim.timestamp - Number(timestamp) > 300_000) return 401;
        calls.push(JSON.parse(body).data.call.id);
        return 204;
      });
      return calls;
    };
    expect((await explored(subject)).failures).toEqual([]);
  });

  test("passes though it draws ids at random", async () => {
    const subject = (sim: Simulator) => {
      const rows = new Map<string, { readonly key: string; readonly call: string }>();
      sim.network.route(url, ({ headers, body }) => {
        if (!isVerified({ headers, body, now: sim.timestamp })) return 401;
        rows.set(randomUUID(), { key: randomUUID(), call: JSON.parse(body).data.call.id });
        return 204;
      });
      return { rows, list: [randomUUID()] };
    };
    expect((await explored(subject)).failures).toEqual([]);
  });

  test("fails if it counts what it believes, and draws ids at random", async () => {
    const subject = (sim: Simulator) => {
      const rows = new Map<string, string>();
      sim.network.route(url, ({ headers, body }) => {
        if (headers["x-service-signature"] === "") return 401;
        rows.set(randomUUID(), JSON.parse(body).data.call.id);
        return 204;
      });
      return rows;
    };
    expect(await believedBy(subject)).toEqual(all);
  });
});

/** Apps that take what is signed with a secret, and refuse all once something is wrong, as they say. */
const banning =
  (taken: string, isBanned: (bad: readonly number[], now: number) => boolean, status: number) =>
  (sim: Simulator) => {
    const store = { bad: [] as number[], numbers: [] as string[] };
    sim.network.route(url, ({ headers, body }) => {
      const now = sim.timestamp;
      if (isBanned(store.bad, now)) return status;
      const signature = createHmac("sha256", taken).update(`${headers["x-service-timestamp"]}.${body}`);
      const isTaken = `sha256=${signature.digest("hex")}` === signatureIn({ headers, body, now });
      if (isTaken || isVerified({ headers, body, now })) {
        store.numbers.push(JSON.parse(body).data.call.contactNumber);
        return 204;
      }
      store.bad.push(now);
      return 401;
    });
    return { numbers: store.numbers };
  };

test.each([
  ["for ever", (bad: readonly number[]) => bad.length > 0, 403],
  ["for a minute", (bad: readonly number[], now: number) => now - (bad.at(-1) ?? -1e9) < 60_000, 429],
  ["after two bad ones", (bad: readonly number[]) => bad.length > 1, 429],
] as const)(
  "An app that bans who sent a bad request %s fails with what it believes",
  async (_, isBanned, status) => {
    for (const secretNotSet of ["", "undefined"])
      expect(await believedBy(banning(secretNotSet, isBanned, status))).toEqual(["unsetSecret"]);
    expect(await believedBy(banning("a secret that nobody guesses", isBanned, status))).toEqual([]);
  },
);

describe("An app that learns of calls in another way too", () => {
  /** Does not look at the age of a request, and asks for all calls every quarter of an hour. @param isCareless whether it takes anything */
  const polling = (isCareless: boolean, keepsOnlyListed: boolean) => (sim: Simulator) => {
    const store = { calls: [] as string[] };
    const add = (id: string) => store.calls.includes(id) || store.calls.push(id);
    sim.network.route(url, ({ headers, body }) => {
      if (headers["x-service-signature"] === undefined && !isCareless) return 401;
      if (!isCareless && !isSigned({ headers, body, now: sim.timestamp })) return 401;
      add(JSON.parse(body).data.call.id);
      return 204;
    });
    setInterval(async () => {
      const answer = await sim.fetch("/calls", { headers: { authorization: `Bearer ${sim.token()}` } });
      const { calls }: { calls: { id: string }[] } = JSON.parse(await answer.text());
      if (keepsOnlyListed) store.calls = calls.map(({ id }) => id).sort();
      else for (const { id } of calls) add(id);
    }, 900_000);
    return store;
  };

  test("is told of though it knows the same in the end", async () => {
    expect(await believedBy(polling(false, false))).toEqual(["stale"]);
    const { failures } = await explored(polling(false, true));
    expect(failures.map(({ story }) => story)).toEqual([
      expect.stringContaining(
        "the app believes what the platform did not send: once that has settled, the app has {calls: [",
      ),
    ]);
  });

  test("is told of though its list then throws away what it believed", async () => {
    expect(await believedBy(polling(true, true), { forged: true })).toEqual(all);
  });
});

test("An app that notes each request, and checks it a second later, passes", async () => {
  const subject = (sim: Simulator) => {
    const store = { inbox: [] as Got[], calls: [] as string[] };
    sim.network.route(url, ({ headers, body }) => {
      store.inbox.push({ headers: { ...headers }, body, now: sim.timestamp });
      return 204;
    });
    setInterval(() => {
      for (const got of store.inbox.splice(0))
        if (isVerified(got)) store.calls.push(JSON.parse(got.body).data.call.id);
    }, 1_000);
    return store;
  };
  expect((await explored(subject)).result.forged).toMatchObject({ requests: 7, believed: [], unclear: [] });
});

test("What is stale is told of though the call's other events say the same", async () => {
  const events = parseScenario(`
scenario: An answered call
steps:
  - { at: PT0S, createWebhook: { url: "${url}", signingSecret: ${secret}, events: [call.hungup, call.ended] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550102" } }
  - { at: PT5S, answer: { call: c1, by: bob } }
  - { at: PT65S, hangup: { call: c1, by: caller } }
`);
  const subject = (sim: Simulator) => {
    const calls = new Set<string>();
    sim.network.route(url, ({ headers, body }) => {
      if (!isSigned({ headers, body, now: sim.timestamp })) return 401;
      const { call } = JSON.parse(body).data;
      if (call.endedAt !== undefined) calls.add(call.id);
      return 204;
    });
    return { rows: () => [...calls].map((callId) => ({ callId })) };
  };
  const { failures } = await explored(subject, {
    scenario: events,
    ...callLog({ rows: (app: ReturnType<typeof subject>) => app.rows() }),
  });
  expect(failures.flatMap(({ forged }) => forged.map(({ is, type }) => `${is} ${type}`))).toEqual([
    "stale call.hungup",
    "stale call.ended",
  ]);
});

describe("An app whose state is partly private", () => {
  class Repository {
    readonly #numbers: string[] = [];
    save(number: string): void {
      this.#numbers.push(number);
    }
    all(): readonly string[] {
      return this.#numbers;
    }
  }
  class Service {
    readonly repository = new Repository();
    readonly name = "calls";
  }

  /** Believes whatever has a signature. */
  const careless = (sim: Simulator) => {
    const service = new Service();
    sim.network.route(url, ({ headers, body }) => {
      if (headers["x-service-signature"] === undefined) return 401;
      service.repository.save(JSON.parse(body).data.call.contactNumber);
      return 204;
    });
    return service;
  };

  test("fails by a property that the forged request breaks", async () => {
    const { failures } = await explored(careless, {
      eventually: {
        "each number is a caller's": (sim: Simulator, { repository }: Service) =>
          expect(sim.calls.list().map(({ record }) => record.contactNumber)).toEqual(
            expect.arrayContaining([...repository.all()]),
          ),
      },
    });
    expect(failures.flatMap(({ forged }) => forged.map(({ is }) => is))).toEqual(allButUnsigned);
  });

  test("passes with a line for each forged request that it answered 2xx", async () => {
    const { result } = await explored(careless);
    expect(result.forged).toMatchObject({ believed: [] });
    expect(result.forged?.unclear.map(({ is }) => is)).toEqual(allButUnsigned);
  });
});

test("A property decides nothing about forged requests where all of the state is shown", async () => {
  const subject = (sim: Simulator) => {
    const app = { heard: 0, numbers: [] as string[] };
    sim.network.route(url, ({ headers, body }) => {
      app.heard++;
      if (isVerified({ headers, body, now: sim.timestamp }))
        app.numbers.push(JSON.parse(body).data.call.contactNumber);
      return 204;
    });
    return app;
  };
  const { failures, result } = await explored(subject, {
    show: ({ numbers }: { numbers: readonly string[] }) => numbers,
    eventually: { "hears of two calls": (_: Simulator, { heard }: { heard: number }) => heard === 2 },
  });
  expect([failures, result.forged?.believed, result.forged?.unclear]).toEqual([[], [], []]);
});

test("A report names the webhooks whose signatures were not looked at, if others were", async () => {
  const second = "https://crm.acme.test/recordings";
  const two = parseScenario(`
scenario: Two webhooks
steps:
  - { at: PT0S, createWebhook: { url: "${url}", signingSecret: ${secret}, events: [call.not_answered] } }
  - { at: PT0S, createWebhook: { url: "${second}", signingSecret: other, events: [call.ended] } }
  - { at: PT1S, inbound: { from: "+6421555001", to: "+6495550100" } }
`);
  const subject = (sim: Simulator) => {
    const store = receiving({ isGenuine: isVerified })(sim);
    const ended = new Set<string>();
    sim.network.route(second, ({ body }) => ended.add(JSON.parse(body).data.call.id) && 204);
    return { store, ended };
  };
  const text = (await explored(subject, { scenario: two })).toText();
  expect(text).toContain(
    `\nforged requests: 7 in 3 more worlds, the app believes none; not all were tried: signatures were not looked at for call.ended at ${second}; \`forged: true\` (\`--forged\`) tries these too\n`,
  );
  expect(await believedBy(subject, { scenario: two, forged: true })).toEqual(all);
});

describe("An app whose state cannot be shown", () => {
  /** Takes everything. @param isKept whether its state is in variables of its own */
  const careless = (sim: Simulator) => {
    const numbers: string[] = [];
    sim.network.route(url, ({ headers, body }) => {
      if (headers["x-service-signature"] === "") return 401;
      numbers.push(JSON.parse(body).data.call.contactNumber);
      return 204;
    });
    return { list: () => numbers };
  };

  test("fails by a property that the forged request breaks", async () => {
    const report = await explored(careless, {
      eventually: {
        "each number is a caller's": (sim: Simulator, { list }: ReturnType<typeof careless>) =>
          expect(sim.calls.list().map(({ record }) => record.contactNumber)).toEqual(
            expect.arrayContaining(list()),
          ),
      },
    });
    expect(report.failures).toHaveLength(1);
    expect(report.failures[0]?.forged.map(({ is }) => is)).toEqual(all);
    expect(report.failures[0]?.message).toMatch(
      /^a property fails that holds without that request\n"each number is a caller's" does not hold: /,
    );
  });

  test("fails by a property that holds only with what is too old", async () => {
    const ageless = (sim: Simulator) => {
      const numbers = new Set<string>();
      sim.network.route(url, ({ headers, body }) => {
        if (!isSigned({ headers, body, now: sim.timestamp })) return 401;
        numbers.add(JSON.parse(body).data.call.contactNumber);
        return 204;
      });
      return { size: () => numbers.size };
    };
    const { failures } = await explored(ageless, {
      eventually: {
        "each caller is known": (sim: Simulator, { size }: ReturnType<typeof ageless>) =>
          size() === sim.calls.list().length,
      },
    });
    expect(failures.map(({ story }) => story)).toEqual([
      'When a call.not_answered arrives more than 300,000 ms after it was signed, the app believes what the platform did not send: "each caller is known" holds, which fails without it.',
    ]);
  });

  test("passes with a line for each forged request that it answered 2xx, and says what helps", async () => {
    const report = await explored(careless);
    expect([report.failures, report.passed]).toEqual([[], true]);
    expect(report.result.forged?.unclear.map(({ is }) => is)).toEqual(all);
    expect(report.toText()).toContain(
      "  answered 2xx: unsigned(call.not_answered); no state and no property tells whether it was believed: give `show`\n",
    );
    expect(report.toText()).toContain(
      "\nforged requests: 7 in 3 more worlds, nothing tells whether the app believes 7\n",
    );
    const throwing = await explored(careless, {
      show: () => {
        throw new Error("no table\nat all");
      },
    });
    expect(throwing.toText()).toContain('whether it was believed: `show` throws "no table"\n');
    expect(throwing.toText()).not.toContain("give `show`");
    const shown = await explored(careless, { show: ({ list }: ReturnType<typeof careless>) => list() });
    expect(shown.result.forged?.unclear).toEqual([]);
    expect(shown.result.forged?.believed.map(({ is }) => is)).toEqual(all);
  });
});

describe("An app that returns data which never changes", () => {
  /** @param isCareless whether it takes anything */
  const exploredWith = (isCareless: boolean) => {
    let numbers: string[] = [];
    const subject = (sim: Simulator) => {
      numbers = [];
      sim.network.route(url, ({ headers, body }) => {
        const isTrue = isVerified({ headers, body, now: sim.timestamp });
        if (isTrue || isCareless) numbers.push(JSON.parse(body).data.call.contactNumber);
        return 204;
      });
      return { name: "crm" };
    };
    const isCaller = (sim: Simulator) =>
      expect(sim.calls.list().map(({ record }) => record.contactNumber)).toEqual(
        expect.arrayContaining(numbers),
      );
    return explored(subject, { forged: true, eventually: { "each number is a caller's": isCaller } });
  };

  test("fails by a property that the forged request breaks", async () => {
    const { failures } = await exploredWith(true);
    expect(failures.map(({ forged }) => forged.map(({ is }) => is))).toEqual([all]);
  });

  test("passes if it keeps nothing that is forged, and the report says that only properties tell", async () => {
    const { failures, result } = await exploredWith(false);
    expect([failures, result.forged?.believed]).toEqual([[], []]);
    expect(result.forged?.unclear.map(({ is }) => is)).toEqual(all);
  });
});
