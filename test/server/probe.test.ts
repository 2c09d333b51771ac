import { describe, expect, test } from "vitest";
import { verifySignature } from "../../src/index.ts";
import { probe } from "../../src/server/index.ts";
import { type ReceivedRequest, receiving } from "../cli/receivers.ts";
import { unusedPort } from "./support.ts";

const secret = "whsec-1";
const right = ({ headers, body }: ReceivedRequest) =>
  verifySignature({ headers, body, secret, now: Date.now() }).valid ? 204 : 401;
const typeOf = ({ body }: ReceivedRequest) => JSON.parse(body).type as string;

describe("probe", () => {
  test("passes a right app, which gets an event of each type", async () => {
    const { url, requests } = await receiving(right);
    const { passed, checks } = await probe({ url, secret });
    expect(checks.filter(({ status }) => status !== "passed")).toEqual([]);
    expect(passed).toBe(true);
    const types = new Set(requests.filter((request) => right(request) === 204).map(typeOf));
    expect([...types].filter((type) => !type.endsWith(".unspecified"))).toHaveLength(20);
  });

  test("says which type of event is not taken, how many others, and what to do", async () => {
    const { url } = await receiving((request) =>
      typeOf(request).startsWith("conversation.") ? 500 : right(request),
    );
    const { passed, checks } = await probe({ url, secret });
    expect(passed).toBe(false);
    expect(checks.filter(({ status }) => status === "failed")).toEqual([
      {
        ...{ code: "everyType", name: "takes every type of event", isHard: true, status: "failed" },
        problem: "answered 500 to conversation.message.created and 3 others, expected 2xx",
        next: "answer 2xx to each type that the webhook asks for, also if you do nothing about it",
        answers: expect.arrayContaining([{ status: 500, failure: null, tookMs: expect.any(Number) }]),
      },
    ]);
  });

  test("passes without a secret, and says what was not tried", async () => {
    const { url } = await receiving(() => 204);
    const { passed, checks } = await probe({ url });
    expect(passed).toBe(true);
    expect(checks.filter(({ status }) => status === "notTried")).toEqual(
      ["unsigned", "wrongSecret", "stale"].map((code) =>
        expect.objectContaining({ code, problem: "no secret is given", answers: [] }),
      ),
    );
  });

  test("a note does not fail it", async () => {
    const seen = new Set<string>();
    const { url } = await receiving((request) => {
      const { id } = JSON.parse(request.body);
      const isSeen = seen.has(id);
      if (right(request) === 204) seen.add(id);
      return isSeen && right(request) === 204 ? 409 : right(request);
    });
    const { passed, checks } = await probe({ url, secret });
    expect(passed).toBe(true);
    expect(checks.find(({ status }) => status === "failed")).toMatchObject({ code: "twice", isHard: false });
  });

  test("leaves out the types that the dialect leaves out", async () => {
    const { url, requests } = await receiving(() => 204);
    const { passed } = await probe({
      url,
      dialect: { write: ({ type }) => (type.startsWith("call.") ? { type } : undefined) },
    });
    expect(passed).toBe(true);
    expect(requests.filter((request) => !typeOf(request).startsWith("call."))).toEqual([]);
  });

  test("does not try what needs a type that the dialect leaves out", async () => {
    const { url, requests } = await receiving(() => 204);
    const without = (left: string) => ({
      dialect: { write: ({ type }: { type: string }) => (type === left ? undefined : { type }) },
    });
    const { checks } = await probe({ url, ...without("call.started") });
    expect(checks.find(({ code }) => code === "endBeforeStart")).toMatchObject({
      ...{ status: "notTried", problem: "the dialect leaves out call.started", answers: [] },
    });
    const sent = requests.length;
    // without this one nothing could be tried
    await expect(probe({ url, ...without("call.ended") })).rejects.toThrow("call.ended is left out");
    expect(requests).toHaveLength(sent);
  });

  test.each<readonly [options: object, message: string | RegExp]>([
    [{ url: "localhost:3000/hooks" }, /^url: .*; did you mean http:\/\/localhost:3000\/hooks\?$/],
    [{}, "url: missing"],
    [
      { url: "http://127.0.0.1:9/", secret: "" },
      /^secret: expected the webhook's signing secret, got an empty/,
    ],
    [{ url: "http://127.0.0.1:9/", kinds: ["caler"] }, /^kinds\[0\]: got "caler"; did you mean "caller"\?/],
    [{ url: "http://127.0.0.1:9/", sekret: "s" }, /^sekret: unknown key.*; did you mean "?secret"?\?$/],
    [
      { url: "http://127.0.0.1:9/", dialect: { send: () => [] } },
      "dialect: `send` makes its own requests, and probe writes JSON: leave it out",
    ],
  ])("refuses %j", async (options, message) => {
    // @ts-expect-error some are what only JavaScript may give
    await expect(probe(options)).rejects.toThrow(message);
  });

  test("rejects if the app cannot be reached", async () => {
    const probed = probe({ url: `http://127.0.0.1:${await unusedPort()}/hooks` });
    await expect(probed).rejects.toThrow(/^url: the app cannot be reached: nobody listens there /);
    await expect(probed).rejects.toMatchObject({ name: "InputError", path: "url" });
  });
});
