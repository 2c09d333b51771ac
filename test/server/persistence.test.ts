import { appendFileSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LONGEST_JOURNAL_BYTES } from "../../src/core/simulator/journal-codec.ts";
import { createSimulator, replay } from "../../src/index.ts";
import { serve } from "../../src/server/index.ts";
import { JournalWriter } from "../../src/server/journal-writer.ts";
import { compactAfter } from "../../src/server/serve.ts";
import { folderWith } from "../cli/support.ts";
import { controlOf, receiver, served } from "./support.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };

test("A journal that is written as the run goes is complete after every command", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const { url: hooks } = await receiver(() => 500);
  const { sim, control } = await served({}, { journal: file });
  await control.post("commands/createWebhook", { url: hooks, events: ["*"] });
  for (const from of ["+6421555001", "+6421555002"]) {
    await control.post("commands/inbound", { ...callAlice, from });
    await control.post("advance", { duration: "PT10M" });
    const again = replay(readFileSync(file, "utf8"));
    expect(again.timestamp).toBe(sim.timestamp);
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
    expect(again.network.requests.map(({ failure }) => failure)).toEqual(
      sim.network.requests.map(({ failure }) => failure),
    );
  }
});

test("A journal holds a request to the REST API before that is answered", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const { sim, url } = await served({}, { journal: file });
  const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
  const body = JSON.stringify({ from: "alice@acme.test", to: "+6421555001", body: "On my way." });
  const { status } = await fetch(`${url}/messages`, { method: "POST", headers, body });
  const again = replay(readFileSync(file, "utf8"));
  expect(status).toBe(201);
  expect(again.events.ofType("conversation.message.created")).toHaveLength(1);
  expect(again.rest.requests).toMatchObject([{ method: "POST", path: "/messages", status: 201 }]);
});

test("A journal never grows longer than what can be read again", () => {
  const file = `${folderWith()}/run.jsonl`;
  const writer = new JournalWriter(file, openSync(file, "w"), LONGEST_JOURNAL_BYTES - 100);
  expect(() => writer.write({ text: "x".repeat(100) })).toThrow(
    "it would be longer than 256 MB, the most that can be read again. A server that continues it with --compact puts a snapshot in its place",
  );
  writer.write({ text: "x" });
  writer.close();
  expect(statSync(file).size).toBeLessThanOrEqual(LONGEST_JOURNAL_BYTES);
});

test("Once it is compacted, the server's timeline begins at the snapshot", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const { url, control } = await served({}, { journal: file, compact: 3 });
  for (let minute = 0; minute < 5; minute++) {
    await control.post("commands/inbound", { ...callAlice, from: `+642155506${minute}` });
    await control.post("advance", { duration: "PT1M" });
  }
  await control.post("commands/inbound", { ...callAlice, from: "+6421555069" });
  const timeline = await (await fetch(`${url}/_sim/timeline`)).text();
  expect(timeline).toMatch(/the journal was compacted at .*: earlier instants are gone/);
  expect(timeline).toContain("+6421555069");
  expect(timeline).not.toContain("+6421555060");
});

test("A journal loses only the entry being written when the process is killed", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const { sim, server, control } = await served({}, { journal: file });
  await control.post("commands/inbound", callAlice);
  await control.post("advance", { duration: "PT6S" });
  await server.close();
  appendFileSync(file, '{"atMs":17828640060');
  expect(replay(readFileSync(file, "utf8")).events.toJSONL()).toBe(sim.events.toJSONL());
  appendFileSync(file, "\n{}\n");
  expect(() => replay(readFileSync(file, "utf8"))).toThrow(/journal: line \d+ is not JSON/);
});

test("A server continues its journal in the same file, even after the process was killed", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const first = await served({}, { journal: file });
  await first.control.post("commands/inbound", callAlice);
  await first.server.close();
  appendFileSync(file, '{"atMs":1782');
  const journal = replay(readFileSync(file, "utf8")).journal();
  const second = await serve(replay(journal), { journal: file, resumed: { path: file, journal } });
  second.simulator.advance("PT1M");
  await second.close();
  const again = replay(readFileSync(file, "utf8"));
  expect(again.events.map(({ type }) => type)).toEqual(["call.started", "call.not_answered"]);
  expect(again.events.slice(0, 1)).toEqual(first.sim.events.slice(0, 1));
});

test("A server continues line by line in the file of a journal that was saved as one document", async () => {
  const file = `${folderWith()}/run.json`;
  const sim = createSimulator();
  sim.calls.inbound(callAlice);
  writeFileSync(file, JSON.stringify(sim.journal(), null, 2));
  const journal = replay(readFileSync(file, "utf8")).journal();
  const server = await serve(replay(journal), { journal: file, resumed: { path: file, journal } });
  server.simulator.advance("PT1M");
  await server.close();
  expect(replay(readFileSync(file, "utf8")).events.toJSONL()).toBe(server.simulator.events.toJSONL());
  expect(readdirSync(dirname(file))).toEqual(["run.json"]);
  expect(await server.ended).toBeUndefined();
});

test("A journal contains the run after the last reset", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const { server, control } = await served({}, { journal: file });
  await control.post("commands/inbound", callAlice);
  await control.post("reset", { seed: 9 });
  await control.post("commands/inbound", { ...callAlice, from: "+6421555002" });
  const again = replay(readFileSync(file, "utf8"));
  expect(again.seed).toBe(9);
  expect(again.events.toJSONL()).toBe(server.simulator.events.toJSONL());
});

test("A journal is written even with retain.journal false, and never overwrites an existing file", async () => {
  const folder = folderWith({ "mine.txt": "mine" });
  const { control, sim } = await served({ retain: { journal: false } }, { journal: `${folder}/run.jsonl` });
  await control.post("commands/inbound", callAlice);
  expect(replay(readFileSync(`${folder}/run.jsonl`, "utf8")).events.toJSONL()).toBe(sim.events.toJSONL());
  await expect(serve(createSimulator(), { journal: `${folder}/mine.txt` })).rejects.toThrow(
    /mine\.txt exists and is not overwritten/,
  );
  expect(readFileSync(`${folder}/mine.txt`, "utf8")).toBe("mine");
});

test.each([0, 3])(
  "A server that goes on from a journal, compacted after %d lines, answers the same about dropped conversations",
  async (compact) => {
    const file = `${folderWith()}/run.jsonl`;
    const first = await served({ retain: { conversations: 1 } }, { journal: file, compact });
    const write = (control: typeof first.control, from: string) =>
      control.post("commands/receiveMessage", { from, to: "+6495550100", text: "Hello" });
    for (const from of ["+6421555001", "+6421555002"]) {
      await write(first.control, from);
      await first.control.post("advance", { duration: "P2D" });
    }
    const gone = { conversation: "conversation-1" };
    const refused = await first.control.post("commands/closeConversation", gone);
    expect(refused.status).toBe(404);
    await first.server.close();
    const journal = replay(readFileSync(file, "utf8")).journal();
    const second = await serve(replay(journal), { journal: file, resumed: { path: file, journal } });
    onTestFinished(() => second.close());
    const control = controlOf(second.url);
    expect(await control.post("commands/closeConversation", gone)).toEqual(refused);
    expect((await write(control, "+6421555002")).body).toMatchObject({
      result: { hasExistingConversation: true },
    });
    expect((await write(control, "+6421555001")).body).toMatchObject({
      result: { hasExistingConversation: false },
    });
    expect(second.simulator.conversations.list().map(({ id }) => id)).toEqual([
      "conversation-2",
      "conversation-3",
    ]);
  },
);

test("A journal is compacted after 10,000 lines if the run is bounded, otherwise only on request", () => {
  const never = Number.POSITIVE_INFINITY;
  expect(compactAfter(undefined, { calls: 10 })).toBe(10_000);
  expect(compactAfter(undefined, {})).toBe(never);
  expect(compactAfter(undefined, { journal: false })).toBe(never);
  expect(compactAfter(0, { calls: 10 })).toBe(never);
  expect(compactAfter(500, {})).toBe(500);
});
