import { expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";
import { scenario, url } from "../missed-call.ts";

/** What an app may do with the simulator, also later than anybody waits for. */
const uses: Readonly<Record<string, (sim: Simulator) => unknown>> = {
  "a token": (sim) => sim.token(),
  "a call": (sim) => sim.calls.inbound({ from: "+6421555009", to: "+6495550103" }).id,
  "a webhook": (sim) => sim.webhooks.create({ url, events: ["call.started"] }),
  "a listener": (sim) => sim.on("call.started", () => {}),
  "a route": (sim) => sim.network.route("https://other.test/", () => 204),
  "a callback": (sim) => sim.schedule("PT1S", () => {}),
  "a state": (sim) => sim.show(() => ({})),
  "a list of calls": (sim) => sim.calls.list(),
};

/** The simulators of all worlds, and what each app heard. */
async function explored() {
  const worlds: { readonly sim: Simulator; readonly heard: string[] }[] = [];
  const subject = (sim: Simulator) => {
    const heard: string[] = [];
    sim.network.route(url, ({ body }) => {
      heard.push(JSON.parse(body).type);
      return 204;
    });
    worlds.push({ sim, heard });
    return heard;
  };
  const { failures } = await exploreReport({ scenario, subject, deviations: 0 });
  expect(failures).toEqual([]);
  return worlds;
}

test.each(Object.entries(uses))(
  "After `explore`, an app still gets %s, and nobody hears of it",
  async (_, use) => {
    for (const { sim, heard } of await explored()) {
      const before = [sim.timestamp, heard.length];
      use(sim);
      await sim.advanceAsync("PT1H");
      expect([sim.timestamp, heard.length]).toEqual(before);
    }
  },
);

test("After `explore`, the REST API answers an app no more", async () => {
  const [{ sim } = { sim: undefined }] = await explored();
  const authorization = `Bearer ${sim?.token()}`;
  const answer = sim?.fetch("/calls", { headers: { authorization } }).then(
    () => "answered",
    () => "refused",
  );
  const later = new Promise((resolve) => void setTimeout(resolve, 50, "nothing"));
  expect(await Promise.race([answer, later])).toBe("nothing");
});
