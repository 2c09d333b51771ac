import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, ringbackProcess } from "../../cli/support.ts";
import { someOf } from "../../counts.ts";

const url = "https://crm.acme.test/hooks";
const scenario = `scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`;
/** @param does what the integration does when it hears of the missed call for the second time */
const integration = (does: string, whenLoaded: string) => `
export function subject(sim) {
  let heard = 0;
  sim.network.route("${url}", ({ body }) => {
    if (JSON.parse(body).type === "call.not_answered" && ++heard === 2) ${does};
    return 204;
  });
}
${whenLoaded};
`;

describe("ringback explore, with one thread and with two", () => {
  const cases = [
    [
      "ends the process",
      "process.exit(0)",
      "",
      /the subject ends the process\n +process\.exit\(0\) at bad\.mjs:5\n/,
    ],
    ["runs in a loop", "for (;;)", "", /the subject does not return\n +bad\.mjs:\d ran for 2000 ms\n/],
    [
      "throws from a timer",
      'setTimeout(() => { throw new Error("too late"); }, 5)',
      "",
      /the subject throws where nothing catches it\n +too late\n/,
    ],
    [
      "ends the process when it is loaded",
      "",
      "process.exit(0)",
      /the subject ends the process\n +process\.exit/,
    ],
    ["runs in a loop when it is loaded", "", "for (;;)", /the subject does not return\n +bad\.mjs:9 ran for/],
  ] as const;

  test.each(someOf(cases))("says the same of an integration that %s", async (_, does, whenLoaded, says) => {
    const folder = folderWith({ "missed.yaml": scenario, "bad.mjs": integration(does, whenLoaded) });
    const explored = async (workers: string) => {
      const files = [join(folder, "missed.yaml"), "--with", join(folder, "bad.mjs")];
      const { code, out } = await ringbackProcess(
        "explore",
        ...files,
        "--patience",
        "PT2S",
        "--workers",
        workers,
      );
      return { code, out };
    };
    const one = await explored("1");
    expect(one.code, one.out).toBe(1);
    expect(one.out).toMatch(says);
    expect(await explored("2")).toEqual(one);
  });
});
