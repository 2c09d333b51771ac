import { describe, expect, test } from "vitest";
import { listening } from "../server/support.ts";
import { folderWith, ringbackEnds } from "./support.ts";

const scenario = `scenario: A call, and one that is missed
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/hooks", events: [call.not_answered, call.ended, user.availability.updated] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
  - { at: PT5S, answer: { call: c1, by: dave } }
  - { at: PT30S, hangup: { call: c1, by: caller } }
  - { at: PT60S, inbound: { as: c2, from: "+6421555002", to: "+6495550104" } }
`;

// biome-ignore lint/suspicious/noExplicitAny: what a server knows, and answers
type Any = any;

/** A server that keeps each call and person. @param shown what it answers a path with, from its calls and people */
async function serverThat(
  shown: Readonly<Record<string, (calls: Map<string, Any>, people: Map<string, Any>) => unknown>>,
) {
  const calls = new Map<string, Any>();
  const people = new Map<string, Any>();
  const { url } = await listening(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { data } = JSON.parse(text || "{}");
    const read = shown[request.url ?? ""];
    if (request.url === "/reset") {
      calls.clear();
      people.clear();
    } else if (data?.call !== undefined) calls.set(data.call.id, data.call);
    else if (data?.user !== undefined) {
      const known = people.get(data.user.id);
      const isNewer =
        known === undefined || known.availability.statusTimestamp <= data.user.availability.statusTimestamp;
      if (isNewer) people.set(data.user.id, data.user);
    }
    const answer = read?.(calls, people);
    response.writeHead(200).end(typeof answer === "string" ? answer : JSON.stringify(answer ?? {}));
  });
  return url;
}

const explored = (url: string, ...flags: string[]) =>
  ringbackEnds(
    "explore",
    `${folderWith({ "calls.yaml": scenario })}/calls.yaml`,
    ...["--server", url, "--reset", "/reset", "--deviations", "0", "--no-forged"],
    ...flags,
  );

const rows = (calls: Map<string, Any>) =>
  [...calls.values()].map(({ id, answeredAt, duration }) => ({
    ...{
      callId: id,
      answered: answeredAt !== null,
      seconds: duration === null ? null : duration / 1_000,
      users: null,
    },
    note: "an app may say more",
  }));
const numbers = (calls: Map<string, Any>) =>
  [...calls.values()].flatMap(({ answeredAt, contactNumber }) =>
    answeredAt === null ? [contactNumber] : [],
  );
const people = (all: Map<string, Any>) =>
  Object.fromEntries([...all.values()].map(({ id, availability }) => [id, availability.status]));

describe("explore --check", () => {
  test("begins a world with a server that was not asked: one that keeps what it showed is no other", async () => {
    let kept: unknown;
    const url = await serverThat({
      "/calls": (calls) => {
        kept ??= rows(calls);
        return kept;
      },
      "/reset": () => {
        kept = undefined;
      },
    });
    const { code, out } = await explored(url, "--check", "callLog=/calls");
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("every property holds") });
  });

  test("passes a server whose log, call-backs and wallboard are right", async () => {
    const url = await serverThat({
      "/calls": rows,
      "/numbers": numbers,
      "/board": (_, all) => ({ people: people(all), live: [] }),
    });
    const flags = ["--check", "callLog=/calls", "callBacks=/numbers", "wallboard=/board"];
    const { code, out, err } = await explored(url, ...flags);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("every property holds in each of these worlds");
  });

  test.each<[string, string, Parameters<typeof serverThat>[0], string]>([
    [
      "a log with a row for each event",
      "callLog=/calls",
      { "/calls": (calls) => [...rows(calls), ...rows(calls)] },
      "FAILS ",
    ],
    [
      "a log that says something else",
      "callLog=/calls",
      { "/calls": (calls) => rows(calls).map((row) => ({ ...row, answered: true })) },
      "the call log says which calls were answered",
    ],
    [
      "rows that are none",
      "callLog=/calls",
      { "/calls": () => [{ callId: 7 }, { id: "call-1" }] },
      "[0].callId: expected text, got 7",
    ],
    ["an answer that is no list", "callBacks=/numbers", { "/numbers": () => ({}) }, "expected a list"],
    [
      "an answer without a body",
      "callLog=/calls",
      { "/calls": () => "" },
      "answered 200, expected JSON in its body\n",
    ],
    ["an answer that is no JSON", "callBacks=/numbers", { "/numbers": () => "none" }, "expected JSON: none"],
    [
      "a board that shows neither people nor calls",
      "wallboard=/board",
      { "/board": () => ({ users: {} }) },
      "expected people, live or both",
    ],
    [
      "a board with a call that is over",
      "wallboard=/board",
      { "/board": (calls) => ({ live: [...calls.keys()] }) },
      "call-1, call-2 must not be there",
    ],
  ])("fails a server with %s", async (_, check, shown, message) => {
    const { code, out } = await explored(await serverThat(shown), "--check", check);
    expect(code).toBe(1);
    expect(out).toContain(message);
  });

  test("refuses a path that the server does not have, before any world", async () => {
    const { url } = await listening((request, response) =>
      response.writeHead(request.url === "/nope" ? 404 : 200).end("[]"),
    );
    const { code, out, err } = await explored(url, "--check", "callLog=/nope");
    expect({ code, out, err }).toEqual({
      code: 2,
      out: "",
      err: "ringback: --check: POST /nope answered 404, expected 2xx: []\n",
    });
  });

  test("judges what a board shows, and leaves out what it does not", async () => {
    const url = await serverThat({ "/board": (_, all) => ({ people: people(all), live: null }) });
    expect(await explored(url, "--check", "wallboard=/board")).toMatchObject({ code: 0, err: "" });
  });

  test("reads a path once in a world, and says once what it cannot read", async () => {
    const cannotBeRead = await serverThat({ "/calls": () => "none", "/board": () => "none" });
    const { out } = await explored(
      cannotBeRead,
      ...["--check", "callLog=/calls", "wallboard=/board", "--json"],
    );
    expect(JSON.parse(out).failures).toHaveLength(2);
    let reads = 0;
    const url = await serverThat({
      "/calls": (calls) => {
        reads++;
        return rows(calls);
      },
    });
    const { code } = await explored(url, "--check", "callLog=/calls");
    // before the first world, whether it is there; and the world is run once more at the end
    expect({ code, reads }).toEqual({ code: 0, reads: 3 });
  });

  test("explores a server in the scenario that `trigger --print --to` writes for it", async () => {
    const url = await serverThat({ "/calls": rows });
    const { out: scenario } = await ringbackEnds("trigger", "call.ended", "--to", `${url}/hooks`, "--print");
    const folder = folderWith({ "call-ended.yaml": scenario });
    const { code, out } = await ringbackEnds(
      ...["explore", `${folder}/call-ended.yaml`, "--allow-local", "--no-forged"],
      ...["--server", url, "--reset", "/reset", "--check", "callLog=/calls"],
    );
    expect(out).toContain("worlds with at most 1 deviation, all of them");
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining("every property holds in each of these worlds"),
    });
  });

  test("goes into the replay and into the test that a failure leaves", async () => {
    const url = await serverThat({ "/calls": () => [] });
    const { out } = await explored(url, "--check", "callLog=/calls", "--corpus", folderWith());
    expect(out).toMatch(/replay: npx ringback run \S+ .* --check callLog=\/calls\n/);
  });

  test("is refused for a name or a path that is none, twice, and for a module", async () => {
    const refusals = await Promise.all([
      explored("http://127.0.0.1:1", "--check", "callRows=/calls"),
      explored("http://127.0.0.1:1", "--check", "callLog=calls"),
      explored("http://127.0.0.1:1", "--check", "callLog=/a", "callLog=/b"),
      ringbackEnds("explore", "calls.yaml", "--with", "./app.mjs", "--check", "callLog=/calls"),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    const messages = [
      /--check: expected one of callLog=\/path, callBacks=\/path, wallboard=\/path, got callRows=\/calls/,
      /--check: expected one of .* got callLog=calls/,
      /--check: callLog is given twice/,
      /--check.* cannot be used with .*--with/,
    ];
    for (const [index, message] of messages.entries()) expect(refusals[index]?.err).toMatch(message);
  });
});
