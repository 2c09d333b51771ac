import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { explore } from "../../src/explore/index.ts";
import { createSimulator, parseScenario, runScenario, type Simulator } from "../../src/index.ts";
import { NoteTaker } from "../../src/testing/received-notes.ts";
import { controlOf, receiver } from "../server/support.ts";
import { folderWith, ringback, servingHere } from "./support.ts";

const url = "https://crm.test/hooks";
const fromJane = { from: "+6421555001", to: "+6495550103" };

function simulatorFor(
  events: ("call.ended" | "call.not_answered" | "*")[] = ["call.ended", "call.not_answered"],
) {
  const sim = createSimulator({ ids: "counter" });
  sim.network.route(url, () => 204);
  sim.webhooks.create({ url: `${url}?token=in-the-address`, events, signingSecret: "secret-of-somebody" });
  return sim;
}

function answeredCall(sim: Simulator): void {
  const call = sim.calls.inbound(fromJane);
  sim.advance("PT5S");
  call.answer("carol");
  sim.advance("PT1M");
  call.hangup("caller");
  sim.runUntilIdle();
}

/** Takes notes of what the simulators of a test file get, in a folder of its own. @returns the text of its notes */
async function noted(
  use: () => void | Promise<void>,
  tests: () => readonly string[] = () => ["a test"],
): Promise<{ folder: string; notes: string }> {
  const folder = folderWith({});
  vi.stubEnv("RINGBACK_RESULTS", folder);
  const hook = Symbol.for("ringback.made");
  const before = Object.getOwnPropertyDescriptor(globalThis, hook);
  const taker = new NoteTaker({
    ...{ file: () => join(process.cwd(), "some/calls.test.ts"), isFiltered: () => false },
    ...{ tests, isRunning: () => false },
  });
  taker.listen();
  try {
    await use();
  } finally {
    Object.defineProperty(
      globalThis,
      hook,
      before ?? { value: undefined, writable: true, configurable: true },
    );
  }
  taker.write();
  const [run = ""] = readdirSync(join(folder, "notes"));
  const [file = ""] = readdirSync(join(folder, "notes", run));
  expect(file).toMatch(/^some-calls\.test\.ts-\w+\.notes\.jsonl$/);
  const path = join(folder, "notes", run, file);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  return { folder, notes: readFileSync(path, "utf8") };
}

test("notes counts by key for each endpoint, without bodies, secrets and texts of messages", async () => {
  const { notes } = await noted(() => {
    for (let count = 0; count < 60; count++) answeredCall(simulatorFor());
    const sim = simulatorFor(["*"]);
    sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "what-she-says" });
    sim.runUntilIdle();
  });
  const { endpoints, simulators } = JSON.parse(notes);
  expect(simulators).toBe(61);
  expect(endpoints).toEqual([
    {
      ...{ url, organisation: 0, types: expect.arrayContaining(["*", "call.ended", "call.not_answered"]) },
      begins: [{ inbound: fromJane }, { receiveMessage: { from: "+6421555001", to: "+6495550100" } }],
      got: expect.objectContaining({
        "call.ended dial direct answered": 60,
        "call.ended inbound answered": 60,
      }),
      again: {},
    },
  ]);
  expect(notes).not.toMatch(/secret-of-somebody|in-the-address|what-she-says|createdAt|parties/);
});

test("counts what a simulator gets that is shared by all tests, however many others there are", async () => {
  let running: string[] = [];
  const { notes } = await noted(
    () => {
      const shared = simulatorFor();
      for (let count = 0; count < 51; count++) createSimulator();
      running = ["a test"];
      for (let count = 0; count < 51; count++) createSimulator();
      answeredCall(shared);
    },
    () => running,
  );
  expect(JSON.parse(notes).endpoints).toMatchObject([{ got: { "call.ended inbound answered": 1 } }]);
});

test("says on stderr that notes cannot be written, and fails no test", () => {
  const folder = folderWith({ notes: "a file in the place of the folder" });
  vi.stubEnv("RINGBACK_RESULTS", folder);
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  new NoteTaker(undefined).write();
  const { calls } = warned.mock;
  warned.mockRestore();
  expect(calls).toEqual([[expect.stringMatching(/^no notes for `ringback unseen`: /), "RingbackWarning"]]);
});

test("says what no endpoint got, each with a story that brings it", async () => {
  await noted(() => {
    const sim = simulatorFor();
    sim.network.fault(url, { status: 503, times: 1 });
    answeredCall(sim);
  });
  const { code, out } = ringback("unseen", "--partial");
  expect(code).toBe(0);
  expect(out).toMatch(/^the last run: 20\S+Z, 1 test file, 1 simulator\n/);
  expect(out).toMatch(
    /^never: call\.not_answered inbound abandoned \(callerHungUp\) at \S+ <- Jane Smith \(\+6421555001\) hangs up$/m,
  );
  // received, and a second time after the fault
  expect(out).not.toMatch(/^never: (a second attempt of )?call\.ended( inbound answered)? at/m);
  // nobody asked for it
  expect(out).not.toContain("call.started");

  // each is a scenario that plays and brings it
  const { unseen } = JSON.parse(ringback("unseen", "--partial", "--json").out);
  expect(unseen.length).toBeGreaterThan(5);
  for (const { what, scenario } of unseen) {
    const { simulator, report } = runScenario(parseScenario(scenario));
    expect(report).toBe("");
    expect(simulator.events.map(({ type }) => type)).toContain(what.split(" ")[0]);
  }
});

test("tells stories of the organisation that the tests have", async () => {
  await noted(() => {
    const organisation = {
      id: "shop",
      users: [{ id: "kim", email: "kim@shop.test", displayName: "Kim Lee", extension: "101" }],
      teams: [
        { id: "till", displayName: "Till", extension: "200", members: [{ user: "kim" }], timeout: "PT25S" },
      ],
      numbers: [{ number: "+6495550500", owner: "till" }],
      webhooks: [{ url, events: ["call.not_answered" as const], signingSecret: "secret-of-somebody" }],
    };
    const sim = createSimulator({ organisation });
    sim.network.route(url, () => 204);
    sim.calls.inbound({ from: "+6421555001", to: "+6495550500" }).hangup("caller");
    sim.runUntilIdle();
  });
  const { unseen } = JSON.parse(ringback("unseen", "--partial", "--json").out);
  const { scenario } = unseen.find(({ what }: { what: string }) => /missed \(timeout\)$/.test(what));
  expect(scenario).toContain("timeout: PT25S");
  expect(runScenario(parseScenario(scenario)).simulator.events.map(({ type }) => type)).toContain(
    "call.not_answered",
  );
});

test("lists what an endpoint could get that got nothing, and a second attempt of what it got", async () => {
  await noted(() => {
    const sim = simulatorFor(["call.not_answered"]);
    answeredCall(sim);
  });
  expect(ringback("unseen", "--partial").out).toContain(
    "never: call.not_answered inbound missed (timeout) at",
  );
  await noted(() => answeredCall(simulatorFor()));
  expect(ringback("unseen", "--partial").out).toContain(
    `never: a second attempt of call.ended at ${url} <- sim.network.fault("${url}", { status: 503, times: 1 })\n`,
  );
});

test("leaves out worlds of an exploration", async () => {
  const scenario = `scenario: A call\nsteps:\n  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }\n`;
  const { notes } = await noted(async () => {
    await explore({
      scenario: parseScenario(scenario),
      app: (sim) => {
        sim.network.route(url, () => 204);
        sim.webhooks.create({ url, events: ["*"] });
      },
      deviations: 1,
    });
  });
  expect(JSON.parse(notes)).toMatchObject({ simulators: 0, endpoints: [] });
});

test("compares with a list that is kept, whose stories may differ", async () => {
  const { folder } = await noted(() => answeredCall(simulatorFor()));
  const known = join(folder, "known.txt");
  const all = ringback("unseen", "--partial")
    .out.split("\n")
    .filter((line) => line.startsWith("never: "));
  writeFileSync(known, `# known\n${all.map((line) => line.replace(/<- .*/, "<- some story")).join("\n")}\n`);
  const same = ringback("unseen", "--partial", "--fail-on", known);
  expect(same).toMatchObject({ code: 0 });
  expect(same.out).toContain("0 things that the list does not have and no test has seen");
  writeFileSync(known, `${all.slice(1).join("\n")}\n`);
  const fresh = ringback("unseen", "--partial", "--fail-on", known);
  expect(fresh).toMatchObject({ code: 1 });
  expect(fresh.out.split("\n").filter((line) => line.startsWith("never: "))).toEqual([all[0]]);
  writeFileSync(known, "call.ended\n");
  expect(ringback("unseen", "--partial", "--fail-on", known).err).toContain(
    'known.txt:1: expected a line that begins with "never: ", or with "#"',
  );
  expect(ringback("unseen", "--partial", "--fail-on", join(folder, "nowhere")).err).toContain("no such file");
});

test("reads the notes of a server that was given --note: its worlds, and what was before a reset", async () => {
  vi.stubEnv("RINGBACK_RESULTS", folderWith({}));
  const app = await receiver();
  const { control, stop } = await servingHere("--quiet", "--note", "--allow-local");
  const call = async ({ post }: Pick<typeof control, "post">) => {
    await post("commands/createWebhook", { url: app.url, events: ["call.ended", "call.not_answered"] });
    return (await post("commands/inbound", fromJane)).body.result;
  };
  await call(control);
  await control.post("advance", { untilIdle: true });
  await control.post("reset", {});
  const world = controlOf((await control.post("worlds")).body.url);
  await world.post("commands/hangup", { call: await call(world), by: "caller" });
  await world.post("advance", { untilIdle: true });
  await stop();
  const { out } = ringback("unseen");
  expect(out).toMatch(/^the last run: 20\S+Z, 1 server, 3 simulators\n/);
  expect(out).toContain(`never: call.ended inbound answered at ${app.url} <- `);
  expect(out).not.toMatch(
    /^never: call\.not_answered inbound (missed \(timeout\)|abandoned \(callerHungUp\)) at/m,
  );
});

test("says how to begin where no run left notes", () => {
  vi.stubEnv("RINGBACK_RESULTS", folderWith({}));
  const { code, err } = ringback("unseen");
  expect(code).toBe(2);
  expect(err).toContain("notes: no test run has left notes");
});
