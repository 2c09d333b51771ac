import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { controlOf, streamOf } from "../node/support.ts";
import { failing, folderWith, ringback, startProcess } from "./support.ts";

/** Runs `ringback serve` in a process of its own until it has said where it is. */
async function serving(...args: string[]) {
  const child = startProcess(["serve", ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const err = text(child.stderr);
  const closed = once(child, "close");
  let out = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    out += chunk;
    if (out.includes("Time ")) break;
  }
  child.stdout.resume();
  const [, url = ""] = /^REST API +(\S+)$/m.exec(out) ?? [];
  return { child, url, out, err, closed, control: controlOf(url) };
}

const shop = `id: shop
name: The shop
users:
  - { id: kim, email: kim@shop.test, displayName: Kim Lee, extension: "101" }
numbers:
  - { number: "+6495550500", owner: kim }
`;

describe("ringback serve", () => {
  test("says where it is, who may ask for tokens, and how time passes", async () => {
    const { out, url, control } = await serving();
    const { credentials } = (await control.get("state")).body;
    expect(out).toContain(`token endpoint  ${url}/oauth/token\n`);
    expect(out).toContain(`client id       ${credentials.clientId}\n`);
    expect(out).toContain(`client secret   ${credentials.clientSecret}\n`);
    expect(out).toContain(`curl --json '{"duration":"PT30S"}' ${url}/_sim/advance\n`);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("ends streams and exits with 0 on %s", async (signal) => {
    const { child, url, closed, err } = await serving("--pace", "realtime");
    const stream = await streamOf(`${url}/_sim/events/stream`);
    child.kill(signal);
    expect(await closed).toEqual([0, null]);
    expect(await stream.next()).toBeUndefined();
    expect(await err).toBe("");
  });

  test("serves an organisation, with a seed and a pace", async () => {
    const folder = folderWith({ "shop.yaml": shop });
    const { control } = await serving(`${folder}/shop.yaml`, "--seed", "7", "--pace", "60");
    expect((await control.get("state")).body).toMatchObject({ organisationId: "shop", seed: 7, pace: 60 });
  });

  test("serves a scenario at its start, or played to its end", async () => {
    const path = `${folderWith({ "a.yaml": failing })}/a.yaml`;
    const begun = await serving(path);
    expect((await begun.control.get("state")).body.counts.events).toBe(0);
    const played = await serving(path, "--play");
    expect((await played.control.get("state")).body).toMatchObject({
      now: "2026-07-01T00:00:30.000Z",
      counts: { events: 2 },
    });
  });

  test.each([
    [["nowhere.yaml"], /nowhere.yaml: no such file/],
    [["--play"], /--play: there is no scenario to play/],
    [["scenarios"], /scenarios: expected one file, got a folder/],
    [["scenarios/organisations/acme.yaml", "--play"], /acme.yaml is an organisation, not a scenario/],
  ])("exits with 2 given %j", async (args, message) => {
    const child = startProcess(["serve", ...args]);
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test("exits with 2 when the organisation is wrong, or the port is taken", async () => {
    const { url } = await serving();
    const folder = folderWith({ "shop.yaml": shop.replace("extension", "extention") });
    const child = startProcess(["serve", `${folder}/shop.yaml`]);
    const taken = startProcess(["serve", "--port", new URL(url).port]);
    const ends = Promise.all([child, taken].map((each) => once(each, "close")));
    // both from the start: Node throws away what a child said that ended unread
    const [wrong, busy] = await Promise.all([child, taken].map(({ stderr }) => text(stderr)));
    expect(wrong).toMatch(/shop\.yaml: users\[0\]\.extension: missing\nusers\[0\]\.extention: unknown key/);
    expect(busy).toMatch(/^ringback: listen EADDRINUSE/);
    expect(await ends).toEqual([
      [2, null],
      [2, null],
    ]);
  });

  test.each([
    ["--port", "70000"],
    ["--port", "x"],
    ["--pace", "0"],
    ["--pace", "fast"],
  ])("refuses %s %s", (...args) => {
    const { code, err } = ringback("serve", ...args);
    expect(code).toBe(2);
    expect(err).toContain("expected");
  });
});
