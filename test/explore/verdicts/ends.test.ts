import { expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";

const url = "https://crm.test/hooks";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550104" } }
`);

/** Answers 204, then looks the call up in the background and stores it. */
function looksUpLater(sim: Simulator, rows: string[]): string[] {
  sim.network.route(url, ({ body }) => {
    const { id } = JSON.parse(body).data.call;
    const asked = sim.fetch(`/calls/${id}`, { headers: { authorization: `Bearer ${sim.token()}` } });
    void asked.then((answer) => answer.ok && rows.push(id));
    return 204;
  });
  return rows;
}

test("An answer that is held back for a life that is over leaves the next one nothing to wait for", async () => {
  const report = await exploreReport({
    scenario,
    durable: (): string[] => [],
    subject: looksUpLater,
    eventually: { anything: () => {} },
    deviations: { atMost: 2, kinds: ["slow", "restartedAfter"] },
  });
  expect(report.failures).toEqual([]);
  expect(report.complete).toBe(true);
});

test.runIf(isWhole)("Code that is neither the app's nor returns is stopped and named", async () => {
  // a native function alone: no line of the app is on the stack
  const search = RegExp.prototype.test.bind(/^(a+)+$/, `${"a".repeat(40)}!`);
  const report = await exploreReport({
    scenario,
    subject: (sim: Simulator) => sim.network.route(url, search as unknown as () => 204),
    deviations: 0,
    patience: 300,
    shrinkFor: 0,
  });
  expect(report.failures.map(({ property, message }) => `${property}: ${message}`)).toEqual([
    "the app does not return: code that works for the app and is not its own ran for 300 ms",
  ]);
});

test("An app that is stopped while its caller is looked for leaves errors their stacks", async () => {
  // whoever fills as much may be a package that keeps random bytes for later, so its file is read
  const fillForEver = () => {
    for (;;) crypto.getRandomValues(new Uint8Array(256));
  };
  const subject = (sim: Simulator) => sim.network.route(url, fillForEver);
  const { failures } = await exploreReport({ scenario, subject, deviations: 0, patience: 100, shrinkFor: 0 });
  expect(failures.map(({ property }) => property)).toEqual(["the app does not return"]);
  expect(new Error("after it").stack).toMatch(/^Error: after it\n {4}at .*ends\.test\.ts:\d+:\d+/);
  expect(Error.prepareStackTrace?.name).not.toBe("hook");
});
