import { json, text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  type ExploreOptions,
  exploreReport,
  type HttpSubject,
  type HttpSubjectOptions,
  httpSubject,
  type PlatformTruth,
} from "../../../src/explore/index.ts";
import { parseScenario } from "../../../src/index.ts";
import { listening } from "../../server/support.ts";

const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`);

/** What a server does with an event. */
interface Handling {
  /** Asks the platform. Resolves with the status of the answer. */
  ask(path: string): Promise<number>;
  /** What the properties are shown. */
  readonly noted: string[];
  /** Answers the event. */
  answer(): void;
}

/** Starts a server that says at `/idle` for how many answers it waits. @returns its URL */
async function started(handle: (handling: Handling) => Promise<void>): Promise<string> {
  const noted: string[] = [];
  let world = { api: "", clientId: "", clientSecret: "" };
  let [token, busy, waiting] = ["", 0, 0];
  const fetched = async (path: string, init: RequestInit) => {
    waiting++;
    const answer = await fetch(`${world.api}${path}`, init);
    waiting--;
    return answer;
  };
  const signIn = async () => {
    const { clientId, clientSecret } = world;
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: "client_credentials" };
    const answer = await fetched("/oauth/token", { method: "POST", body: new URLSearchParams(form) });
    token = (await answer.json()).access_token;
  };
  const ask = async (path: string) => {
    const answer = await fetched(path, { headers: { authorization: `Bearer ${token}` } });
    await answer.text();
    return answer.status;
  };
  const { url } = await listening(async (request, response) => {
    const answer = (status = 200, body = "") => void response.writeHead(status).end(body);
    if (request.url === "/idle") return answer(busy > waiting ? 503 : 200, JSON.stringify({ waiting }));
    if (request.url === "/noted") return answer(200, noted.join());
    if (request.url === "/reset") {
      world = (await json(request)) as typeof world;
      noted.length = 0;
      await signIn();
      return answer();
    }
    busy++;
    await text(request);
    await handle({ ask, noted, answer });
    busy--;
  });
  return url;
}

/** Explores a server. Returns what it had noted in the end, over all worlds. */
async function explored(options: HttpSubjectOptions, bound: Partial<ExploreOptions<HttpSubject>>) {
  const seen = new Set<string>();
  const report = await exploreReport({
    forged: false,
    scenario,
    subject: httpSubject(options),
    eventually: {
      "is noted": async (_, server) => void seen.add(await (await server.fetch("/noted")).text()),
    },
    ...bound,
  });
  expect(report.failures).toEqual([]);
  return { seen: [...seen].sort(), worlds: report.worlds };
}

/** Asks for two things at once, and notes which came first. */
const asksTwoThings = async ({ ask, noted, answer }: Handling) => {
  await Promise.all(["/users", "/teams"].map((path) => ask(path).then(() => noted.push(path))));
  answer();
};

describe("Requests that a server has open at the same time", () => {
  const answers = { deviations: { kinds: ["answers"] as const } };

  test("are answered in each order if the server says when it only waits", async () => {
    const url = await started(asksTwoThings);
    const { seen } = await explored({ url, reset: "/reset", idle: "/idle" }, answers);
    expect(seen).toEqual(["/teams,/users", "/users,/teams"]);
  });

  test("are answered in each order if silence counts as waiting", async () => {
    const url = await started(asksTwoThings);
    const { seen } = await explored({ url, reset: "/reset", silence: "PT0.1S" }, answers);
    expect(seen).toEqual(["/teams,/users", "/users,/teams"]);
  });

  test("are answered together once the server has sent nothing for as long as silence says", async () => {
    const url = await started(async ({ ask, noted, answer }) => {
      const askIn = async (ms: number, path: string) => {
        await setTimeout(ms);
        await ask(path);
        noted.push(path);
      };
      await Promise.all([askIn(0, "/webhooks"), askIn(110, "/users"), askIn(220, "/teams")]);
      answer();
    });
    const { seen } = await explored({ url, reset: "/reset", silence: "PT0.2S" }, { deviations: 0 });
    expect(seen).toEqual(["/teams,/users,/webhooks"]);
  });

  test("are answered one after the other by default", async () => {
    const { worlds } = await explored({ url: await started(asksTwoThings), reset: "/reset" }, answers);
    expect(worlds).toBe(1);
  });
});

test("A server that works later than worlds wait is told which option is missing", async () => {
  const report = async (delayMs: number, more: Partial<HttpSubjectOptions>) => {
    const url = await started(async ({ noted, answer }) => {
      answer();
      await setTimeout(delayMs, undefined, { ref: false });
      noted.push("call");
    });
    return exploreReport({
      ...{ scenario, forged: false, deviations: 0 },
      app: httpSubject({ url, reset: "/reset", ...more }),
      eventually: {
        "notes the call": async (_, server) =>
          expect(await (await server.fetch("/noted")).text()).toBe("call"),
      },
    });
  };
  const text = (await report(5_000, {})).toText();
  expect(text).toContain("Nothing waits for what the server does after its answer.");
  expect(text).toContain("`--idle /idle`");
  expect((await report(30, { silence: "PT0.2S" })).passed).toBe(true);
});

test("What a server does after it has answered is part of the world if it says when it only waits", async () => {
  const url = await started(async ({ ask, noted, answer }) => {
    answer();
    noted.push(String(await ask("/users")));
  });
  const bound = { deviations: { kinds: ["503", "429"] as const } };
  const { seen, worlds } = await explored({ url, reset: "/reset", idle: "/idle" }, bound);
  // 401 where signing in has failed
  expect(seen).toEqual(["200", "401", "429", "503"]);
  expect(worlds).toBeGreaterThanOrEqual(3);
});

test("A path for idle that does not answer 2xx is refused", async () => {
  const { url } = await listening((request, response) => {
    response.writeHead(request.url === "/reset" ? 200 : 404).end();
  });
  await expect(explored({ url, reset: "/reset", idle: "/idle" }, {})).rejects.toThrow(
    "idle: GET /idle answered 404, expected 2xx",
  );
});

test.each([
  [{ idle: "/idle", silence: "PT1S" }, "silence: expected only one of `idle` and `silence`"],
  [{ silence: "soon" }, 'silence: expected a duration such as PT0.02S, got "soon"'],
  [{ url: [] }, "url: expected the address of at least one server"],
  [{ url: ["http://a.test", "http://a.test"] }, "http://a.test is given twice"],
])("The options %j are refused", (options, message) => {
  expect(() => httpSubject({ url: "http://127.0.0.1:8000", reset: "/reset", ...options })).toThrow(message);
});

test("A property's path receives the calls, people and totals that the platform has", async () => {
  const truths: PlatformTruth[] = [];
  const { url } = await listening(async (request, response) => {
    const body = await text(request);
    if (request.url === "/truth") truths.push(JSON.parse(body));
    response.end();
  });
  const report = await exploreReport({
    forged: false,
    scenario,
    subject: httpSubject({ url, reset: "/reset" }),
    always: { agrees: (_, server) => server.mustConfirm("/truth") },
    eventually: { agrees: (_, server) => server.mustConfirm("/truth") },
    deviations: 0,
  });
  expect(report.failures).toEqual([]);
  const [first, last] = [truths[0], truths.at(-1)];
  expect(first).toMatchObject({
    now: "2026-07-01T00:00:00.000Z",
    calls: [{ id: "call-1", status: "offered", contactNumber: "+6421555001" }],
    totals: { calls: 1, outcomes: {}, events: { "call.started": 1 } },
    conversations: [],
  });
  expect(first?.agents).toContainEqual(expect.objectContaining({ id: "alice", email: "alice@acme.test" }));
  expect(last).toMatchObject({ calls: [], totals: { calls: 1, outcomes: { missed: 1 } } });
});
