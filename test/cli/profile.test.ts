import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, ringback, ringbackEnds, servingHere } from "./support.ts";

const hook = "https://crm.acme.test/hooks";
const missed = `scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hook}", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`;

/** An app that takes only bodies for which an expression holds, and counts events by id. */
const app = (holds: string, isIdempotent = true) => `
export function subject(sim) {
  const seen = [];
  sim.network.route("${hook}", ({ body: text }) => {
    const body = JSON.parse(text);
    if (!(${holds})) throw new Error("another shape: " + text);
    if (!(${isIdempotent} && seen.includes(body.id))) seen.push(body.id);
    return 204;
  });
  return seen;
}
export const eventually = {
  "each is counted once": (sim, seen) => {
    const sent = new Set(sim.network.requests.map(({ body }) => JSON.parse(body).id)).size;
    if (seen.length !== sent || sent === 0) throw new Error("got " + seen.length + " of " + sent);
  },
};
`;

const dialect = `
export const write = ({ type, id }) => (type === "call.started" ? undefined : { kind: type, id });
`;

const project = () => {
  const folder = folderWith({
    "missed.yaml": missed,
    "observed.mjs": app("body.version === 1 && body.timestamp > 0"),
    "own.mjs": app('body.kind === "call.not_answered"'),
    "twice.mjs": app("body.kind", false),
    "dialect.mjs": dialect,
  });
  return (name: string) => join(folder, name);
};

describe("--profile observed", () => {
  test("plays the assumptions of the profile in `run`, where the scenario's own win", () => {
    const in_ = project();
    const lines = (...args: string[]) => ringback("run", in_("missed.yaml"), "--format", "jsonl", ...args);
    const times = (out: string) =>
      out
        .trim()
        .split("\n")
        .slice(0, 2)
        .map((line) => JSON.parse(line).createdAt.slice(-13));
    expect(times(lines().out)).toEqual(["00:00:00.000Z", "00:00:30.000Z"]);
    expect(times(lines("--profile", "observed").out)).toEqual(["00:00:01.500Z", "00:00:31.500Z"]);
    const other = ringback("run", in_("missed.yaml"), "--profile", "real");
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining("observed") });
  });

  test("sends its bodies to the app that `explore` and `run --with` play", async () => {
    const in_ = project();
    const flags = [in_("missed.yaml"), "--with", in_("observed.mjs"), "--profile", "observed"];
    expect(await ringbackEnds("explore", ...flags)).toMatchObject({ code: 0, err: "" });
    expect(await ringbackEnds("explore", ...flags, "--workers", "2")).toMatchObject({ code: 0, err: "" });
    expect(await ringbackEnds("run", ...flags)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^holds: /),
    });
    expect((await ringbackEnds("explore", ...flags.slice(0, 3))).code).toBe(1);
  });

  test("shapes the document of `openapi`", async () => {
    const [plain, shaped] = await Promise.all([
      ringbackEnds("openapi"),
      ringbackEnds("openapi", "--profile", "observed"),
    ]);
    expect(shaped.out).toContain('"includeRecordingUrl"');
    expect(plain.out).not.toContain('"includeRecordingUrl"');
    const refused = await ringbackEnds("openapi", "--control", "--profile", "observed");
    expect(refused.code).toBe(2);
  });

  test("is the profile of the platform that `serve` serves", async () => {
    const { url } = await servingHere("--profile", "observed");
    const document = await (await fetch(`${url}/openapi.json`)).text();
    expect(document).toContain("includeRecordingUrl");
  });
});

describe("--dialect of explore", () => {
  test("sends the bodies of another service, and not what it leaves out", async () => {
    const in_ = project();
    const flags = [in_("missed.yaml"), "--with", in_("own.mjs"), "--dialect", in_("dialect.mjs")];
    expect(await ringbackEnds("explore", ...flags)).toMatchObject({ code: 0, err: "" });
    expect(await ringbackEnds("run", ...flags)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^holds: /),
    });
    const alone = ringback("run", in_("missed.yaml"), "--dialect", in_("dialect.mjs"));
    expect(alone.err).toContain("expected --with or --server too");
  });

  test("is named in the command that plays a failure again", async () => {
    const in_ = project();
    const flags = [in_("missed.yaml"), "--with", in_("twice.mjs"), "--dialect", in_("dialect.mjs")];
    const { code, out } = await ringbackEnds("explore", ...flags);
    expect(code).toBe(1);
    expect(out).toContain(`--dialect ${in_("dialect.mjs")}`);
    expect(out).toContain("FAILS ");
  });
});
