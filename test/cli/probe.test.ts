import { createHmac } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifySignature } from "../../src/index.ts";
import { unusedPort } from "../server/support.ts";
import { type ReceivedRequest, receiving, receivingSecurely } from "./receivers.ts";
import { folderWith, ringbackEnds } from "./support.ts";

const secret = "whsec-1";

/** Whether a request is genuine by this computer's clock. */
const isGenuine = ({ headers, body }: ReceivedRequest, toleranceMs = 300_000) =>
  verifySignature({ headers, body, secret, now: Date.now(), tolerance: toleranceMs }).valid;

const signatureOf = (secretOfReceiver: string, timestamp: unknown, body: string) =>
  `sha256=${createHmac("sha256", secretOfReceiver).update(`${timestamp}.${body}`).digest("hex")}`;

/** An app as it should be. */
const right = (request: ReceivedRequest) => (isGenuine(request) ? 204 : 401);

/** Probes an app with its secret. @returns what was printed, and the codes of the checks by their status */
async function probing(answer: Parameters<typeof receiving>[0], ...args: string[]) {
  const { url, requests } = await receiving(answer);
  const { code, out } = await ringbackEnds("probe", url, "--secret", secret, "--json", ...args);
  const { checks, failures, ...rest } = JSON.parse(out) as {
    checks: { code: string; status: string; isHard: boolean; problem: string }[];
    failures: { code: string; cause: string }[];
  };
  const of = (status: string) => checks.filter((each) => each.status === status).map((each) => each.code);
  return { code, requests, url, checks, failures, rest, failed: of("failed"), notTried: of("notTried") };
}

const typeOf = ({ body }: ReceivedRequest) => JSON.parse(body).type as string;

describe("ringback probe", () => {
  test("passes an app that takes what it should and verifies signatures", async () => {
    const { url } = await receiving(right);
    const { code, out, err } = await ringbackEnds("probe", url, "--secret", secret);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toBe(
      `Writes to ${url}: it may get about thirty-five requests about calls and messages that nobody made, from +6421555001 and others.`,
    );
    expect(lines.slice(1, -1)).toEqual([
      "ok     takes a signed event within 5 s",
      "ok     takes a body without spaces",
      "ok     takes a body with a space",
      "ok     takes every type of event",
      "ok     takes an unknown type of event",
      "ok     takes unknown fields",
      "ok     refuses an unsigned event",
      "ok     refuses another secret's signature",
      "ok     refuses a signature that is too old",
      "ok     takes null wherever it is allowed",
      "ok     takes the same event twice",
      "ok     takes the end before the start",
    ]);
    expect(lines.at(-1)).toContain(
      `/calls answers what is logged, such as [{"callId":"call-1"}]. Then run \`npx ringback trigger call.ended --to ${url} --secret "$SECRET" --print > call-ended.yaml && npx ringback explore call-ended.yaml --allow-local --server ${new URL(url).origin} --reset /reset --check callLog=/calls\``,
    );
  });

  test("without --secret says that signatures were not tried, and sends no forged request", async () => {
    const { url, requests } = await receiving(() => 204);
    const { code, out } = await ringbackEnds("probe", url);
    expect(code).toBe(0);
    expect(out).toContain("\nsignatures: not tried; --secret names the webhook's signing secret\n");
    expect(out).not.toContain("refuses");
    expect(requests.every(({ headers }) => headers["x-service-signature"] !== undefined)).toBe(true);
  });

  test.each<readonly [what: string, receiver: Parameters<typeof receiving>[0], failed: string[]]>([
    ["verifies nothing", () => 204, ["unsigned", "wrongSecret", "stale"]],
    [
      "only looks whether a signature is there",
      ({ headers }) => (headers["x-service-signature"] === undefined ? 401 : 204),
      ["wrongSecret", "stale"],
    ],
    [
      "verifies a signature only if there is one",
      (request) => (request.headers["x-service-signature"] === undefined || isGenuine(request) ? 204 : 401),
      ["unsigned"],
    ],
    [
      "verifies a signature only if there is a timestamp",
      (request) => (request.headers["x-service-timestamp"] === undefined || isGenuine(request) ? 204 : 401),
      ["unsigned"],
    ],
    ["ignores the age", (request) => (isGenuine(request, 1e15) ? 204 : 401), ["stale"]],
    [
      "reads the timestamp as seconds",
      (request) =>
        isGenuine(request, 1e15) && Date.now() / 1_000 - Number(request.headers["x-service-timestamp"]) < 300
          ? 204
          : 401,
      ["stale"],
    ],
    [
      "signs what it has parsed",
      ({ headers, body }) => {
        const { "x-service-timestamp": timestamp, "x-service-signature": signature } = headers;
        const own = signatureOf(secret, timestamp, JSON.stringify(JSON.parse(body)));
        const isRecent = Date.now() - Number(timestamp) <= 300_000;
        return own === signature && isRecent ? 204 : 401;
      },
      ["spaced"],
    ],
    [
      "takes only bodies with a space",
      (request) => (request.body.startsWith("{ ") ? right(request) : 400),
      ["taken", "compact"],
    ],
    [
      "fails at messages",
      (request) => (typeOf(request).startsWith("conversation.") ? 500 : right(request)),
      ["everyType"],
    ],
    [
      "refuses types that it does not know",
      (request) => (typeOf(request).endsWith(".unspecified") ? 422 : right(request)),
      ["unknownType"],
    ],
    [
      "refuses fields that it does not know",
      (request) => ("unspecified" in JSON.parse(request.body) ? 400 : right(request)),
      ["unknownField"],
    ],
    [
      "answers a forged request with 500",
      (request) => (isGenuine(request) ? 204 : 500),
      ["unsigned", "wrongSecret", "stale"],
    ],
  ])("finds an app that %s", async (_, receiver, failed) => {
    const found = await probing(receiver);
    expect(found.failed).toEqual(failed);
    expect(found.failures.map(({ code }) => code)).toEqual(failed);
    expect(found).toMatchObject({ code: 1, notTried: [] });
  });

  test.each<readonly [what: string, receiver: Parameters<typeof receiving>[0], code: string]>([
    [
      "needs a field that may be null",
      (request) =>
        typeOf(request) === "call.ended" && JSON.parse(request.body).data.call.answeredAt === null
          ? 500
          : right(request),
      "null",
    ],
    [
      "refuses an event that it has seen",
      (() => {
        const seen = new Set<string>();
        return (request: ReceivedRequest) => {
          const { id } = JSON.parse(request.body);
          if (seen.has(id) && isGenuine(request)) return 409;
          if (isGenuine(request)) seen.add(id);
          return right(request);
        };
      })(),
      "twice",
    ],
    [
      "needs the start before the end",
      (() => {
        const ended = new Set<string>();
        return (request: ReceivedRequest) => {
          const { type, data } = JSON.parse(request.body);
          if (type === "call.ended") ended.add(data.call.id);
          return type === "call.started" && ended.has(data.call.id) ? 500 : right(request);
        };
      })(),
      "endBeforeStart",
    ],
  ])("notes an app that %s, and exits with 0", async (_, receiver, code) => {
    expect(await probing(receiver)).toMatchObject({ code: 0, failed: [code], failures: [] });
  });

  test("a note is a line that says what came and what to do", async () => {
    const { url } = await receiving((request) => {
      const isNulled =
        typeOf(request) === "call.ended" && JSON.parse(request.body).data.call.answeredAt === null;
      return isNulled ? { status: 500, body: "TypeError: null\n    at app.js:3" } : right(request);
    });
    const { code, out } = await ringbackEnds("probe", url, "--secret", secret);
    expect(code).toBe(0);
    expect(out).toContain(
      'note   takes null wherever it is allowed: answered 500: "TypeError: null", expected 2xx\n         expect null',
    );
  });

  test("sends stale requests with a true signature that is 300,001 ms old", async () => {
    const { requests } = await probing(right);
    const ages = requests
      .filter((request) => !isGenuine(request) && isGenuine(request, 1e15))
      .map(({ headers }) => Date.now() - Number(headers["x-service-timestamp"]));
    expect(ages).toHaveLength(1);
    expect(ages[0]).toBeGreaterThanOrEqual(300_001);
    expect(ages[0]).toBeLessThan(360_000);
  });

  test("says of a stale request that is believed how old it is", async () => {
    const { url } = await receiving((request) => (isGenuine(request, 1e15) ? 204 : 401));
    expect((await ringbackEnds("probe", url, "--secret", secret)).out).toContain(
      "at most five minutes old, in milliseconds: this one is a millisecond older, which a check that rounds to seconds may take",
    );
  });

  test("sends calls that the app has not seen, each time", async () => {
    const { url, requests } = await receiving(right);
    await ringbackEnds("probe", url, "--secret", secret);
    await ringbackEnds("probe", url, "--secret", secret);
    const ids = requests
      .filter((request) => typeOf(request) === "call.ended")
      .map(({ body }) => JSON.parse(body).id);
    // the same event is sent twice by one check, and without two headers by another
    expect(ids.length - new Set(ids).size).toBe(4);
  });

  test("puts null in nullable fields alone", async () => {
    const { requests } = await probing(right);
    const call = requests
      .filter((request) => typeOf(request) === "call.ended")
      .map(({ body }) => JSON.parse(body).data.call)
      .find(({ answeredAt }) => answeredAt === null);
    expect(call).toMatchObject({
      answeredAt: null,
      outcome: null,
      id: expect.any(String),
      parties: expect.any(Array),
    });
  });

  test("tries nothing else on an app that takes no signed event", async () => {
    const { code, failed, notTried, requests } = await probing(() => 401);
    expect({ code, failed }).toEqual({ code: 1, failed: ["taken"] });
    expect(notTried).toHaveLength(11);
    expect(requests).toHaveLength(2);
  });

  test("does not follow redirects, as the platform does not", async () => {
    const { failures } = await probing(() => ({ status: 302, headers: { location: "/elsewhere" } }));
    expect(failures[0]?.cause).toBe("takes a signed event within 5 s: answered 302, expected 2xx");
  });

  test.each<readonly [Parameters<typeof receiving>[0], secrets: readonly string[], string]>([
    [() => 308, [], "probe the address that it leads to: no redirect is followed"],
    [() => 404, [], "probe the path that takes webhooks, which come as POST"],
    [() => "reset", [], "a server of https needs an address with https"],
    [() => 401, [], "probe it with its secret: an app that verifies signatures refuses any other"],
    [
      () => 401,
      ["--secret", "another"],
      "verify with the secret that it was probed with: the signature is an HMAC of `<timestamp>.<body>`",
    ],
    [() => 500, ["--secret", secret], "answer 2xx at once, and work later"],
  ])("says what to do about a first event that is not taken: %o %j", async (answer, secrets, next) => {
    const { url } = await receiving(answer);
    const { code, out } = await ringbackEnds("probe", url, ...secrets);
    expect(code).toBe(1);
    expect(out.split("\n")[2]?.trim()).toBe(next);
  });

  test("waits five seconds for an answer, and no longer", async () => {
    const { failures, notTried, requests } = await probing(() => "hang");
    expect(failures.map(({ cause }) => cause)).toEqual([
      "takes a signed event within 5 s: no answer within 5 s, expected 2xx",
    ]);
    expect(notTried).toHaveLength(11);
    expect(requests).toHaveLength(1);
  });

  test("reports an app that closes the connection", async () => {
    const { code, failures } = await probing((request) =>
      typeOf(request).endsWith(".unspecified") ? "reset" : right(request),
    );
    expect(code).toBe(1);
    expect(failures.map(({ cause }) => cause)).toEqual([
      expect.stringMatching(
        /^takes an unknown type of event: no answer: the connection was reset .*, expected 2xx$/,
      ),
    ]);
  });

  test("exits with 2 and one sentence if the app cannot be reached", async () => {
    const { code, out, err } = await ringbackEnds("probe", `http://127.0.0.1:${await unusedPort()}/hooks`);
    expect(code).toBe(2);
    expect(out).toMatch(/^Writes to [^\n]+\n$/);
    expect(err).toMatch(/^ringback: \S+: the app cannot be reached: nobody listens there [^\n]+\n$/);
  });

  test("says what is wrong with https, instead of OpenSSL's words for it", async () => {
    const { url } = await receiving(() => 204);
    const plain = await ringbackEnds("probe", url.replace("http:", "https:"));
    expect(plain.err).toMatch(/reached: the TLS handshake failed: is it a server of http\? \([a-z ]+\)\n$/);
    const unknown = await ringbackEnds("probe", await receivingSecurely());
    expect(unknown.err).toMatch(
      /reached: the certificate is not trusted: NODE_EXTRA_CA_CERTS may name it \(self-signed certificate, \w+\)\n$/,
    );
    expect([plain.code, unknown.code]).toEqual([2, 2]);
  });

  test.each([
    [["nonsense"], /expected an https URL, got "nonsense"; http is for this machine and private hosts\n/],
    [
      ["localhost:3000/hooks"],
      /got "localhost:3000\/hooks"; .*; did you mean http:\/\/localhost:3000\/hooks\?/,
    ],
    [["/hooks"], /got "\/hooks"; http is for this machine and private hosts\n/],
    [["ftp://127.0.0.1/"], /expected an https URL/],
    [["http://example.com/hooks"], /http is for this machine and private hosts/],
    [["http://me:pw@127.0.0.1/"], /expected a URL without a user name and password/],
    [["http://127.0.0.1:9/", "--secret", ""], /expected the webhook's signing secret, got an empty text/],
    [["http://127.0.0.1:9/", "--format", "html"], /Allowed choices are junit, ctrf/],
    [[], /missing required argument 'url'/],
  ])("refuses %j", async (args, message) => {
    const { code, out, err } = await ringbackEnds("probe", ...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  test("never quotes an app's body at length", async () => {
    const body = `<html>${"x".repeat(100_000)}\u001b[31m</html>`;
    const { url } = await receiving(() => ({ status: 500, body }));
    const { out } = await ringbackEnds("probe", url);
    expect(out).toContain(`answered 500: "<html>${"x".repeat(74)}…"`);
    expect(out.length).toBeLessThan(3_000);
  });

  test("--kinds sends the same call from other callers, and at other times", async () => {
    const { code, failures, checks } = await probing(
      (request) =>
        isGenuine(request) ? (JSON.parse(request.body).data.call?.contactNumber === null ? 500 : 204) : 401,
      ...["--kinds", "caller,calendar"],
    );
    expect(code).toBe(1);
    expect(failures.map((each) => each.code)).toEqual(["withheld"]);
    const more = [
      "withheld",
      "shortCode",
      "unknown",
      "midnight",
      "clocksForward",
      "clocksBack",
      "monthEnd",
      "yearEnd",
    ];
    expect(checks.slice(-8).map((each) => each.code)).toEqual(more);
    const { code: wrong, err } = await ringbackEnds(
      "probe",
      "http://127.0.0.1:1",
      "--kinds",
      "caller,calender",
    );
    expect([wrong, err]).toEqual([2, expect.stringContaining("Did you mean calendar?")]);
  });

  test("names the service in headers and bodies as --dialect does", async () => {
    const { url, requests } = await receiving(() => 204);
    const dialect = join(
      folderWith({ "d.yaml": "serviceName: Acme\nfieldNames: { type: event, contactNumber: caller }\n" }),
      "d.yaml",
    );
    const { code } = await ringbackEnds("probe", url, "--dialect", dialect);
    expect(code).toBe(0);
    const read = requests.map(({ body }) => JSON.parse(body));
    expect(requests.every(({ headers }) => "x-acme-signature" in headers)).toBe(true);
    expect(read.filter(({ event }) => event === "call.unspecified")).toHaveLength(1);
    expect(read.filter(({ data }) => data.call?.caller === null)).toHaveLength(1);
  });

  test("--format junit prints a test for each hard check, and the rest to the standard error", async () => {
    const { url } = await receiving(({ body }) =>
      JSON.parse(body).type.endsWith("unspecified") ? 422 : 204,
    );
    const { code, out, err } = await ringbackEnds("probe", url, "--format", "junit");
    expect(code).toBe(1);
    expect(out).toMatch(
      /^<\?xml [^\n]+\n<testsuites name="ringback probe" tests="6" failures="1" errors="0"/,
    );
    expect(out).toContain('<failure message="takes an unknown type of event: answered 422, expected 2xx">');
    expect(err).toContain("signatures: not tried");
  });

  test("--json prints each check, and hides the secret", async () => {
    const { rest, failures, url, checks } = await probing(() => 204);
    expect(rest).toEqual({
      ...{ ok: false, url, signatures: "tried" },
      goOn: expect.stringMatching(
        /^npx ringback trigger call.ended --to http:.* && npx ringback explore .* --server http:/,
      ),
    });
    expect(failures[0]).toEqual({
      code: "unsigned",
      cause: "refuses an unsigned event: answered 204 to request 1 of 2, expected 4xx",
      place: url,
      replay: `npx ringback probe ${url} --secret "$SECRET" --json`,
      next: expect.stringContaining("401"),
    });
    expect(checks[0]).toEqual({
      ...{
        code: "taken",
        name: "takes a signed event within 5 s",
        isHard: true,
        status: "passed",
        ...{ problem: "", next: "" },
      },
      answers: [{ status: 204, failure: null, tookMs: expect.any(Number) }],
    });
  });
});
