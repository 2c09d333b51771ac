import { describe, expect, test } from "vitest";
// @ts-expect-error an example for users, in plain JavaScript
import * as dialect from "../../docs/examples/dialect/dialect.mjs";
import { importCapture, readCapture } from "../../src/import/index.ts";
import { createSimulator, parseScenario, replay, runScenario, verifySignature } from "../../src/index.ts";
import { differences } from "./same-stream.ts";
import {
  captured,
  edited,
  jsonl,
  type Line,
  lesson,
  received,
  receiver,
  secret,
  withReceiver,
} from "./support.ts";

/** What the receiver of a lesson gets in the dialect. */
function inDialect(name: string): Line[] {
  const { options, ...scenario } = withReceiver(lesson(name));
  return received(runScenario({ ...scenario, options: { ...options, dialect } }).simulator);
}

describe("A dialect that is a module", () => {
  test("writes the bodies of webhooks, which are signed as they are sent", () => {
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
    expect(verifySignature({ ...signed, serviceName: dialect.serviceName })).toEqual({ valid: true });
  });

  test.each(["01", "03", "10", "29"])("reads what it wrote: lesson %s comes back", async (name) => {
    const lines = inDialect(name);
    const result = await importCapture(jsonl(lines), { dialect, secret, redact: false });
    expect(result).toMatchObject({ verdict: "possible", problems: [], explained: lines.length });
    const { simulator } = runScenario(parseScenario(result.yaml));
    expect(differences(captured(name), simulator.events)).toEqual([]);
  });

  test("makes types of events that it declares drift, and others unexplained", async () => {
    const lines = inDialect("01");
    const last = lines.slice(-1);
    const unknown = (type: string) =>
      edited(last, (body) => {
        body.type = type;
        body.id = "event-of-another-type";
      });
    const declared = await importCapture(jsonl([...lines, ...unknown("call.note.created")]), { dialect });
    expect(declared).toMatchObject({ verdict: "possible", unexplained: [] });
    expect(declared.drift.events).toMatchObject([{ path: "call.note.created", count: 1 }]);
    const other = await importCapture(jsonl([...lines, ...unknown("call.unheard.of")]), { dialect });
    expect(other.verdict).toBe("undecided");
    expect(other.unexplained).toMatchObject([{ event: "call.unheard.of" }]);
  });

  test("stays with forks, and is given again to a replay", () => {
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

  test("whose function throws or returns no object is named", () => {
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

  test("that cannot read a body is a problem of its line", async () => {
    const lines = inDialect("01");
    const broken = [{ ...lines[0], body: "{}" }, ...lines.slice(1)];
    const { problems } = await readCapture(jsonl(broken), { dialect });
    expect(problems).toMatchObject([
      { line: 1, message: expect.stringContaining("the dialect cannot read it") },
    ]);
  });
});
