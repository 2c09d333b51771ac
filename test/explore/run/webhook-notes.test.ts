import { expect, test } from "vitest";
import { type ExploreOptions, exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";

/** What may be a mistake about webhooks is told in a line each, and never fails. */

const url = "https://crm.acme.test/hooks";

/** What the report of such an app says. @param urls where its webhooks send to */
async function notesOf(urls: readonly string[], more: Partial<ExploreOptions<unknown>> = {}) {
  const report = await exploreReport({
    scenario(sim: Simulator) {
      for (const each of urls) sim.webhooks.create({ url: each, events: ["call.started", "call.ended"] });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    },
    deviations: { kinds: ["late"] },
    app: (sim: Simulator) => sim.network.route("https://crm.acme.test/", () => 204),
    ...more,
  });
  expect(report.passed).toBe(true);
  for (const note of report.result.notes) expect(report.toText()).toContain(`${note}\n`);
  return report.result.notes;
}

/** An app that deletes its webhook at the first event. @param again whether it makes another */
const deleting = (again: boolean) => ({
  app(sim: Simulator) {
    let isDeleted = false;
    sim.network.route("https://crm.acme.test/", async () => {
      if (isDeleted) return 204;
      isDeleted = true;
      const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
      const [id] = sim.webhooks.list().map((each) => each.id);
      await sim.fetch(`/webhooks/${id}`, { method: "DELETE", headers });
      const body = JSON.stringify({ url, events: ["call.ended"] });
      if (again) await sim.fetch("/webhooks", { method: "POST", headers, body });
      return 204;
    });
  },
});

test("webhooks that send the same events to one URL are named, without its query", async () => {
  expect(await notesOf([url, url])).toEqual([
    `webhook-1 and webhook-2 both send call.started and 1 more type of event to ${url}`,
  ]);
  expect(await notesOf([url, `${url}/other`])).toEqual([]);
  expect(await notesOf([`${url}?key=1`, `${url}?key=1`])).toEqual([
    `webhook-1 and webhook-2 both send call.started and 1 more type of event to ${url}`,
  ]);
});

test("a webhook that the app deleted is named, unless another has its URL", async () => {
  expect(await notesOf([url], deleting(false))).toEqual([
    `webhook-1 was deleted by a request to the REST API: nothing sends events to ${url} any more`,
  ]);
  expect(await notesOf([url], deleting(true))).toEqual([]);
});
