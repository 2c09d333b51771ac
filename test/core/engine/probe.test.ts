import { describe, expect, test } from "vitest";
import type { Probe } from "../../../src/core/engine/probe.ts";
import { createSimulator, type Simulator } from "../../../src/index.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };

/** A simulator with a webhook whose endpoint notes what it is asked, and a function that attaches probes to the run. */
function probed() {
  const sim = createSimulator({ ids: "counter" });
  const heard: string[] = [];
  sim.network.route("https://crm.test/", ({ body }) => {
    heard.push(JSON.parse(body).type);
    return 204;
  });
  sim.webhooks.create({ url: "https://crm.test/hooks", events: ["call.started"] });
  return { sim, heard, attach: (probe: Probe) => sim.services.engine.probes.attach(probe) };
}

const statusIn = (sim: Simulator) => sim.network.requests.map(({ answer }) => answer?.status);

describe("Probes of one run", () => {
  test("hear of each command in the order in which they were attached, until they are detached", () => {
    const { sim, heard, attach } = probed();
    const detach = attach({ commandRun: (name) => heard.push(`first: ${name}`) });
    attach({ commandRun: (name) => heard.push(`second: ${name}`) });
    const call = sim.calls.inbound(callAlice);
    detach();
    call.answer("alice");
    expect(heard).toEqual(["first: inbound", "second: inbound", "second: answer"]);
  });

  test("stand one behind the other between the run and an endpoint", () => {
    const { sim, heard, attach } = probed();
    const standing = (name: string): Probe => ({
      askEndpoint: (_request, ask) => {
        heard.push(`${name} asks`);
        const answer = ask();
        heard.push(`${name} has the answer`);
        return answer;
      },
    });
    attach(standing("first"));
    attach({ afterStep: () => {} });
    attach(standing("second"));
    sim.calls.inbound(callAlice);
    sim.advance(0);
    expect(heard).toEqual([
      "first asks",
      "second asks",
      "call.started",
      "second has the answer",
      "first has the answer",
    ]);
    expect(statusIn(sim)).toEqual([204]);
  });

  test("may answer in place of an endpoint, or of the REST API", async () => {
    const { sim, heard, attach } = probed();
    attach({ askEndpoint: () => 503 });
    attach({ askRest: async (request) => new Response(`no ${new URL(request.url).pathname}`) });
    sim.calls.inbound(callAlice);
    sim.advance(0);
    expect([heard, statusIn(sim)]).toEqual([[], [503]]);
    expect(await (await sim.fetch("/users")).text()).toMatch(/^no .*\/users$/);
  });

  test("hear of every entry of a journal that is not kept", () => {
    const sim = createSimulator({ retain: { journal: false } });
    const written: string[] = [];
    const detach = sim.serverPort.attach({ entryWritten: ({ command }) => written.push(command) });
    const call = sim.calls.inbound(callAlice);
    call.answer("alice");
    detach();
    call.hangup("caller");
    expect(written).toEqual(["inbound", "answer"]);
  });

  test("end a run before its next step by throwing, and all that were attached have had their pause", async () => {
    const { sim, heard, attach } = probed();
    attach({ beforeStep: () => Promise.resolve().then(() => void heard.push("paused")) });
    const detach = attach({
      beforeStep: () => {
        throw new Error("interrupted");
      },
    });
    sim.calls.inbound(callAlice);
    await expect(sim.advanceAsync(0)).rejects.toThrow("interrupted");
    detach();
    expect(heard).not.toContain("call.started");
    await sim.advanceAsync(0);
    expect(heard).toContain("call.started");
  });

  test("are not those of a fork", () => {
    const { sim, heard, attach } = probed();
    attach({ commandRun: (name) => heard.push(name) });
    sim.fork().calls.inbound(callAlice);
    expect(heard).toEqual([]);
  });
});
