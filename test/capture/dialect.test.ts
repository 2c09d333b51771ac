import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
// @ts-expect-error an example for users, in plain JavaScript
import * as dialect from "../../docs/examples/dialect/dialect.mjs";
import { importCapture, readCapture } from "../../src/capture/index.ts";
import {
  createSimulator,
  demoOrganisation,
  parseScenario,
  replay,
  runScenario,
  type Simulator,
  verifySignature,
} from "../../src/index.ts";
import { ask } from "../core/rest/support.ts";
import { differences } from "./same-stream.ts";
import {
  captured,
  capturedIn,
  edited,
  jsonl,
  lesson,
  received,
  receiver,
  secret,
  withReceiver,
} from "./support.ts";

/** What the app of a lesson gets in the dialect. */
const inDialect = (name: string) => capturedIn(name, dialect);

describe("A dialect module", () => {
  test("writes the bodies of webhooks, and signatures are of what it wrote", () => {
    const [first] = inDialect("01");
    const body = JSON.parse(first?.body ?? "");
    expect(body).toMatchObject({ type: "call.started", version: 2, timestamp: first?.receivedAt });
    expect(body.data.call.parties[0].connections).toBeInstanceOf(Array);
    expect(first?.headers).toHaveProperty("x-acme-signature");
    const signed = {
      headers: first?.headers ?? {},
      body: first?.body ?? "",
      secret,
      now: first?.receivedAt ?? 0,
    };
    expect(verifySignature({ ...signed, dialect })).toEqual({ valid: true });
    expect(verifySignature(signed)).toEqual({ valid: false, reason: "missing_timestamp" });
    expect(verifySignature({ ...signed, dialect, serviceName: "other" }).valid).toBe(false);
  });

  test.each(["01", "03", "10", "29"])("reads back lesson %s in the bodies that it wrote", async (name) => {
    const lines = inDialect(name);
    const result = await importCapture(jsonl(lines), { dialect, secret, redact: false });
    expect(result).toMatchObject({ verdict: "possible", problems: [], explained: lines.length });
    const { simulator } = runScenario(parseScenario(result.yaml));
    expect(differences(captured(name), simulator.events)).toEqual([]);
  });

  test("makes event types that it declares drift; others are unexplained", async () => {
    const lines = inDialect("01");
    const last = lines.slice(-1);
    const unknown = (type: string) =>
      edited(last, (body) => {
        body.type = type;
        body.id = "event-of-another-type";
      });
    const events = ["call.started", "call.answered", "call.ended", "call.note.created"] as const;
    for (const more of [{}, { events }]) {
      const options = { dialect, ...more };
      const declared = await importCapture(jsonl([...lines, ...unknown("call.note.created")]), options);
      expect(declared).toMatchObject({ verdict: "possible", unexplained: [] });
      expect(declared.drift.events).toMatchObject([{ path: "call.note.created", count: 1 }]);
    }
    await expect(importCapture(jsonl(lines), { events })).rejects.toThrow(
      'events: expected event types, such as call.ended, got "call.note.created"',
    );
    const other = await importCapture(jsonl([...lines, ...unknown("call.unheard.of")]), { dialect });
    expect(other.verdict).toBe("undecided");
    expect(other.unexplained).toMatchObject([{ event: "call.unheard.of" }]);
  });

  test("declares event types that webhooks can subscribe to, however they are created", async () => {
    const url = "https://crm.test/hooks";
    const events = ["call.ended", "call.note.created"];
    const refused = /events\[1\]: expected one of call\.started.*, got "call\.note\.created"/;
    const hooks = (sim: Simulator) => sim.webhooks.list().map((each) => each.events);

    const organisation = { ...demoOrganisation, webhooks: [{ url, events }] };
    const sim = createSimulator({ dialect, organisation });
    sim.webhooks.update(sim.webhooks.create({ url, events: ["*"] }).id, { events });
    const answer = await ask(sim, "POST", "/webhooks", { url, events });
    expect(answer).toMatchObject({ status: 201, body: { events } });
    expect(hooks(sim)).toEqual([events, events, events]);
    expect(hooks(replay(sim.journal()))).toEqual(hooks(sim));
    const isFitting = new Ajv2020({ strict: false, validateFormats: false }).addSchema(
      await sim.openapi(),
      "doc",
    );
    expect(isFitting.validate("doc#/components/schemas/CreatedWebhook", answer.body)).toBe(true);

    expect(() => createSimulator({ organisation })).toThrow(refused);
    const plain = createSimulator();
    expect(() => plain.webhooks.create({ url, events })).toThrow(refused);
    const { id } = plain.webhooks.create({ url, events: ["*"] });
    expect(() => plain.webhooks.update(id, { events })).toThrow(refused);
    expect(await ask(plain, "POST", "/webhooks", { url, events })).toMatchObject({
      status: 400,
      body: { details: [{ path: "events[1]" }] },
    });
    expect(hooks(plain)).toEqual([["*"]]);
  });

  test("declares event types that a scenario's webhooks can name", () => {
    const scenario = (head: string, type: string) =>
      `scenario: s\n${head}steps:\n  - at: PT1S\n    createWebhook: { url: "https://crm.test/", events: [${type}] }\n`;
    const head = "dialect: { events: [call.note.created] }\n";
    const { simulator } = runScenario(parseScenario(scenario(head, "call.note.created")));
    expect(simulator.webhooks.list()).toMatchObject([{ events: ["call.note.created"] }]);
    expect(() => parseScenario(scenario("", "call.note.created"))).toThrow(
      /line 4, column \d+: steps\[0\]\.createWebhook\.events\[0\]: expected one of .*, got "call\.note\.created"/,
    );
    expect(() => parseScenario(scenario(head, "call.note.craeted"))).toThrow(
      /did you mean "call\.note\.created"/,
    );
  });

  test("is kept by forks and must be given to a replay", () => {
    const { options } = withReceiver(lesson("01"));
    const simulator = createSimulator({ ...options, dialect });
    const [number] = simulator.options.organisation.numbers ?? [];
    const call = () => ({ from: "+6421555001", to: number?.number ?? "" });
    const fork = simulator.fork();
    simulator.calls.inbound(call());
    fork.calls.inbound(call());
    const bodies = (sim: typeof simulator) => received(sim).map(({ body }) => body);
    simulator.advance("PT1S");
    fork.advance("PT1S");
    expect(bodies(fork)).toEqual(bodies(simulator));
    expect(bodies(replay(simulator.journal(), { dialect }))).toEqual(bodies(simulator));
    expect(JSON.parse(bodies(replay(simulator.journal()))[0] ?? "")).not.toHaveProperty("version");
  });

  test("is named in the error if its function throws or returns no object", () => {
    const { options } = withReceiver(lesson("01"));
    const written = (write: () => unknown) => {
      const simulator = createSimulator({ ...options, dialect: { write } });
      const [number] = simulator.options.organisation.numbers ?? [];
      simulator.network.route(receiver, ({ body }) => (body === "" ? 500 : 200));
      simulator.calls.inbound({ from: "+6421555001", to: number?.number ?? "" });
      simulator.advance("PT1S");
    };
    expect(() => written(() => "text")).toThrow(
      /dialect\.write: expected an object as the body of call\.started/,
    );
    expect(() =>
      written(() => {
        throw new Error("no");
      }),
    ).toThrow(/cannot write call\.started: Error: no/);
  });

  test("causes a problem with the line if it cannot read a body", async () => {
    const lines = inDialect("01");
    const broken = [{ ...lines[0], body: "{}" }, ...lines.slice(1)];
    const { problems } = await readCapture(jsonl(broken), { dialect });
    expect(problems).toMatchObject([
      { line: 1, message: expect.stringContaining("the dialect's read throws TypeError at dialect.mjs:") },
    ]);
  });
});
