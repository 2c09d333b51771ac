import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ShortestScenario } from "../../src/core/platform/base/shortest.ts";
import { events as declared } from "../../src/core/platform/catalogue/events.ts";
import { eventTypes } from "../../src/core/platform/declare/events.ts";
import { createSimulator, parseScenario, runScenario, verifySignature } from "../../src/index.ts";
import { playEvents, scenarioText } from "../../src/server/played-events.ts";
import { unusedPort } from "../server/support.ts";
import { receiving } from "./receivers.ts";
import { folderWith, ringback, ringbackEnds } from "./support.ts";

const secret = "whsec-1";

describe("the shortest scenario of", () => {
  test.each(eventTypes)("%s reaches it, and does not without any one of its steps", (type) => {
    const scenario: ShortestScenario = declared[type].shortest;
    const reached = (steps: typeof scenario.steps) => {
      try {
        const read = parseScenario(scenarioText({ ...scenario, steps }));
        return runScenario(read, { refused: "collect" }).events.some((event) => event.type === type);
      } catch (error) {
        // the step that was left out made the call or conversation of the others
        expect(String(error)).toMatch(/unknown (call|conversation) "\w+"; named by `as` before: none/);
        return false;
      }
    };
    expect(reached(scenario.steps)).toBe(true);
    const without = scenario.steps.map((step) => scenario.steps.filter((each) => each !== step));
    expect(without.map(reached)).toEqual(without.map(() => false));
  });

  test.each(eventTypes)(
    "%s is played as `ringback run` plays it, and names each step by its command",
    (type) => {
      const scenario: ShortestScenario = declared[type].shortest;
      const commands = scenario.steps.map(({ command }) => command);
      expect(new Set(commands).size).toBe(commands.length);
      const { events } = runScenario(parseScenario(scenarioText(scenario)));
      const found = events.find((event) => event.type === type);
      expect(JSON.parse(playEvents(scenarioText(scenario)).get(type)?.body ?? "{}")).toEqual(found);
    },
  );
});

describe("ringback trigger", () => {
  test("prints the event as JSON", async () => {
    const { code, out, err } = await ringbackEnds("trigger", "call.ended");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { type, data } = JSON.parse(out);
    expect(type).toBe("call.ended");
    expect(data.call).toMatchObject({ outcome: { status: "answered" }, duration: 65_000 });
  });

  test("sends the event to --to, signed with --secret, as if it happened now", async () => {
    const { url, requests } = await receiving(() => 204);
    const before = Date.now();
    const { code, out, err } = await ringbackEnds(
      "trigger",
      "conversation.inactive",
      "--to",
      url,
      "--secret",
      secret,
    );
    expect({ code, out, err }).toEqual({ code: 0, out: "conversation.inactive: answered 204\n", err: "" });
    expect(requests).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: "" }] = requests;
    expect(verifySignature({ headers, body, secret, now: Date.now() })).toEqual({ valid: true });
    const { type, createdTimestamp } = JSON.parse(body);
    expect(type).toBe("conversation.inactive");
    expect(createdTimestamp).toBeGreaterThanOrEqual(before);
    expect(createdTimestamp).toBeLessThanOrEqual(Date.now());
  });

  test("sends another event each time, so that no app takes it for one that it has seen", async () => {
    const { url, requests } = await receiving(() => 204);
    for (let round = 0; round < 2; round++)
      await ringbackEnds("trigger", "call.started", "--to", url, "--secret", secret);
    const [first, second] = requests.map(({ body }) => JSON.parse(body));
    expect(first.id).not.toBe(second.id);
    expect(first.data.call.id).not.toBe(second.data.call.id);
  });

  test("prints the secret that it signs with if none is given", async () => {
    const { url, requests } = await receiving(() => 204);
    const { out } = await ringbackEnds("trigger", "call.started", "--to", url);
    const [, printed = ""] = /^signed with (\S+)\n/.exec(out) ?? [];
    const [{ headers, body } = { headers: {}, body: "" }] = requests;
    expect(verifySignature({ headers, body, secret: printed, now: Date.now() })).toEqual({ valid: true });
  });

  test("names the service in headers and bodies as --dialect does", async () => {
    const { url, requests } = await receiving(() => 204);
    const dialect = join(
      folderWith({ "d.yaml": "serviceName: Acme\nfieldNames: { contactNumber: callerNumber }\n" }),
      "d.yaml",
    );
    await ringbackEnds("trigger", "call.started", "--to", url, "--secret", secret, "--dialect", dialect);
    const [{ headers, body } = { headers: {}, body: "" }] = requests;
    const serviceName = "Acme";
    expect(verifySignature({ headers, body, secret, now: Date.now(), serviceName })).toEqual({ valid: true });
    expect(JSON.parse(body).data.call.callerNumber).toBe("+6421555001");
  });

  test.each(["trigger", "probe"])("%s refuses a dialect that cannot write an event", async (command) => {
    const { url, requests } = await receiving(() => 204);
    const module = 'export const write = () => { throw new Error("no such field") };';
    const args = command === "trigger" ? ["call.started", "--to", url] : [url];
    const dialect = join(folderWith({ "dialect.mjs": module }), "dialect.mjs");
    const { code, err } = await ringbackEnds(command, ...args, "--dialect", dialect);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^ringback: --dialect: dialect\.write: cannot write call\.started: Error: no such field\n/m,
    );
    expect(requests).toEqual([]);
  });

  test.each(["trigger", "serve"])(
    "%s names a misspelt function of a dialect's default export",
    async (command) => {
      const { url } = await receiving(() => 204);
      const dialect = join(folderWith({ "d1.mjs": "export default { sned: () => 1 };" }), "d1.mjs");
      const args = command === "trigger" ? ["call.started", "--to", url] : [];
      const { code, err } = await ringbackEnds(command, ...args, "--dialect", dialect);
      expect({ code, err: err.split("\n")[0] }).toEqual({
        code: 2,
        err: `ringback: ${dialect}: dialect.sned: did you mean \`send\`?`,
      });
    },
  );

  test.each(["trigger", "probe"])("%s says that a dialect leaves out its event", async (command) => {
    const { url } = await receiving(() => 204);
    const module = "export const write = ({ type }) => (/ended/.test(type) ? undefined : { type });";
    const dialect = join(folderWith({ "dialect.mjs": module }), "dialect.mjs");
    const args = command === "trigger" ? ["call.ended", "--to", url] : [url];
    const { code, err } = await ringbackEnds(command, ...args, "--dialect", dialect);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^ringback: --dialect: call\.ended is left out: expected a body\n/m),
    });
  });

  test("exits with 1 if the app does not take the event, and says little of its answer", async () => {
    const { url } = await receiving(() => ({
      status: 500,
      body: `TypeError${"!".repeat(5_000)}\n  at app.js`,
    }));
    const { code, err } = await ringbackEnds("trigger", "call.ended", "--to", url);
    expect(code).toBe(1);
    expect(err).toMatch(/^ringback: http:\S+: call\.ended: answered 500: "TypeError!+…"\n$/);
    expect(err.length).toBeLessThan(200);
  });

  test("exits with 2 and one sentence if the app cannot be reached", async () => {
    const url = `http://127.0.0.1:${await unusedPort()}/hooks`;
    const { code, out, err } = await ringbackEnds("trigger", "call.ended", "--to", url);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^ringback: \S+: the app cannot be reached: nobody listens there [^\n]+\n$/);
  });

  test("--set changes an argument of a step, and when it is played", async () => {
    const set = ["--set", "hangup.by=dave", "--set", "hangup.at=PT10S", "--set", "inbound.from=+6421555044"];
    const { out } = await ringbackEnds("trigger", "call.ended", ...set);
    expect(JSON.parse(out).data.call).toMatchObject({ contactNumber: "+6421555044", duration: 10_000 });
  });

  test("--set takes objects, lists and flags in YAML", async () => {
    const set = "inbound.passthroughParameters={ x-order: '42' }";
    const { out } = await ringbackEnds("trigger", "call.started", "--set", set);
    expect(JSON.parse(out).data.call.passthroughParameters).toEqual({ "x-order": "42" });
  });

  test.each([
    ["answer.by=bob", /^ringback: --set: step 2 \(answer\) at PT5S .* bob cannot answer/],
    ["answer.mood=calm", /^ringback: --set: steps\[1\]\.answer\.mood: unknown key/],
    ["body.id=1", /^ringback: --set: no step is named body; the steps are inbound, answer, hangup\n$/],
    ["inbound.passthroughParameters={ a: [ }", /^ringback: --set: \{ a: \[ \} is not well-formed YAML\n$/],
    ["answer.as=c2", /^ringback: --set: `as` is the name that later steps use\n$/],
    ["inbound.to=+6495550103", /^ringback: --set: .*dave cannot answer/],
    ["hangup", /Expected step\.key=value, such as hangup\.by=dave/],
  ])("refuses --set %s", async (set, message) => {
    const { code, out, err } = await ringbackEnds("trigger", "call.ended", "--set", set);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  test("says which events happen instead if a change leads elsewhere", async () => {
    const set = ["--set", "setAvailability.user=alice"];
    const { code, err } = await ringbackEnds("trigger", "team.availability.updated", ...set);
    expect({ code, err }).toEqual({
      code: 2,
      err: "ringback: --set: team.availability.updated does not happen with these arguments, but user.availability.updated\n",
    });
  });

  test.each(eventTypes)("--print writes a scenario of %s that `ringback run` plays", async (type) => {
    const { code, out } = await ringbackEnds("trigger", type, "--print");
    expect(code).toBe(0);
    const played = ringback("run", join(folderWith({ "a.yaml": out }), "a.yaml"), "--format", "jsonl");
    expect(played).toMatchObject({ code: 0, err: "" });
    expect(played.out).toContain(`"type":"${type}"`);
  });

  test("--print writes what --set changed, and sends nothing", async () => {
    const { out } = await ringbackEnds(
      "trigger",
      "call.not_answered",
      "--print",
      "--set",
      "inbound.from=+6421555044",
    );
    expect(out).toBe(
      'scenario: Nobody answers a call\nsteps:\n  - { at: PT0S, inbound: { as: c1, from: "+6421555044", to: "+6495550104" } }\n',
    );
    const { code, err } = await ringbackEnds("trigger", "call.ended", "--print", "--dialect", "d.yaml");
    expect(code).toBe(2);
    expect(err).toContain("'--print' cannot be used with option '--dialect <file>'");
  });

  test("--print with --to writes a scenario that creates the app's webhook, and sends nothing", async () => {
    const { url, requests } = await receiving(() => 204);
    const print = (...args: string[]) =>
      ringbackEnds("trigger", "call.ended", "--print", "--to", url, ...args);
    const { out } = await print("--secret", secret);
    expect(out.split("\n")[2]).toBe(
      `  - { at: PT0S, createWebhook: { as: app, url: ${url}, events: [ call.ended ], signingSecret: ${secret} } }`,
    );
    expect((await print()).out).not.toContain("signingSecret");
    expect(requests).toEqual([]);
    const file = join(folderWith({ "ended.yaml": out }), "ended.yaml");
    expect(await ringbackEnds("run", file, "--allow-local")).toMatchObject({ code: 0, err: "" });
  });

  test("lists the event types for one that there is not", async () => {
    const { code, err } = await ringbackEnds("trigger", "call.end");
    expect(code).toBe(2);
    expect(err).toContain("Expected one of the event types call.started, call.answered");
    expect(err).toContain('did you mean "call.ended"?');
  });

  test.each([
    [["--secret", secret], /^ringback: --secret: there is nothing to sign; add --to <url>\n$/],
    [
      ["--to", "http://example.com/"],
      /expected an https URL, .*; http is for this machine and private hosts/,
    ],
    [
      ["--to", "http://127.0.0.1:9/", "--secret", ""],
      /expected the webhook's signing secret, got an empty text/,
    ],
  ])("refuses %j", async (args, message) => {
    const { code, err } = await ringbackEnds("trigger", "call.ended", ...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test("--json prints the event, the scenario and the answer, and hides the secret that was given", async () => {
    const { url } = await receiving(() => 422);
    const { code, out, err } = await ringbackEnds(
      "trigger",
      "call.ended",
      "--to",
      url,
      "--secret",
      secret,
      "--json",
    );
    expect({ code, err }).toEqual({ code: 1, err: "" });
    const { ok, failures, event, scenario, status } = JSON.parse(out);
    expect({ ok, status, type: event.type }).toEqual({ ok: false, status: 422, type: "call.ended" });
    expect(createSimulator(parseScenario(scenario).options)).toBeDefined();
    expect(failures).toEqual([
      {
        cause: "call.ended: answered 422",
        place: url,
        replay: `npx ringback trigger call.ended --to ${url} --secret "$SECRET" --json`,
        next: `\`npx ringback probe ${url}\` tries what an app must do`,
      },
    ]);
    expect(out).not.toContain(secret);
  });
});
