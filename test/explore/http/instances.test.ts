import { json, text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { exploreReport, httpApp, httpSubject } from "../../../src/explore/index.ts";
import { isWhole } from "../../counts.ts";
import { listening } from "../../server/support.ts";
import { scenario } from "../missed-call.ts";

/** How many servers have a world now, and the most that had. */
const busy = { now: 0, most: 0 };

/** A server that counts missed calls, and counts one again that it is told of twice. */
async function counter(): Promise<string> {
  let [missed, isBusy] = [0, false];
  const { url } = await listening(async (request, response) => {
    if (request.url === "/reset") {
      await text(request);
      if (!isBusy) busy.now++;
      [missed, isBusy] = [0, true];
      busy.most = Math.max(busy.most, busy.now);
      return response.end();
    }
    const body = (await json(request)) as { readonly type?: string };
    if (body.type === "call.not_answered") missed++;
    if (request.url !== "/missed") return response.end();
    if (isBusy) busy.now--;
    isBusy = false;
    response.writeHead(missed === 1 ? 200 : 500).end(`counted ${missed}`);
  });
  return url;
}

async function explored(instances: number) {
  const url = await Promise.all(Array.from({ length: instances }, counter));
  const report = await exploreReport({
    forged: false,
    scenario,
    subject: httpSubject({ url, reset: "/reset" }),
    eventually: { "each missed call is counted once": (_, server) => server.mustConfirm("/missed") },
    deviations: isWhole ? 2 : 1,
  });
  return report.toJSON();
}

test("A server that hangs when it is reset is free for the next world", async () => {
  let resets = 0;
  const { url } = await listening((_, response) => {
    if (++resets > 1) response.end();
  });
  const { failures } = await exploreReport({
    ...{ scenario, app: httpApp({ url, reset: "/reset" }), forged: false, deviations: 0, patience: "PT2S" },
  });
  expect(failures).toMatchObject([
    {
      property: "deterministic",
      message: expect.stringContaining('"the app hangs" failed in this world, but not when it was run again'),
    },
  ]);
});

test("Several instances of a server run worlds side by side, and report the same as one", async () => {
  const one = await explored(1);
  expect(one.failures).toHaveLength(1);
  Object.assign(busy, { now: 0, most: 0 });
  const three = await explored(3);
  expect(busy.most).toBeGreaterThan(1);
  const { worlds, alike, complete, failures } = three;
  expect([worlds, alike, complete]).toEqual([one.worlds, one.alike, one.complete]);
  expect(failures.map(({ smallest }) => smallest.scenario)).toEqual(
    one.failures.map(({ smallest }) => smallest.scenario),
  );
});
