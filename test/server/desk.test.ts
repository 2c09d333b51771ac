import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSimulator, parseScenario, runScenario, type SimulatorOptions } from "../../src/index.ts";
import type { Desk, DeskButton, DeskPhone } from "../../src/inspector/desk/desk.ts";
import { served } from "./support.ts";

const fromOutside = { from: "+6421555001", to: "+6495550100" };

/** A server with a desk, and hands on its phones. */
async function desk(options: SimulatorOptions = {}) {
  const server = await served(options, { desk: true });
  const { control } = server;
  const phone = async (id: string): Promise<DeskPhone> => {
    const { phones } = (await control.get("desk")).body as Desk;
    const found = phones.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no phone ${id}`);
    return found;
  };
  const labels = async (id: string) =>
    (await phone(id)).calls.flatMap(({ buttons }) => buttons.map(({ label }) => label));
  const press = async (id: string, label: string) => {
    const { calls, buttons } = await phone(id);
    const all: readonly DeskButton[] = [...calls.flatMap((call) => call.buttons), ...buttons];
    const button = all.find((each) => each.label === label);
    if (button === undefined) throw new Error(`${id} has no ${label}, but ${all.map((each) => each.label)}`);
    return control.post(`commands/${button.command}`, button.args);
  };
  return { ...server, phone, labels, press };
}

describe("a desk", () => {
  test("has a phone for each person, with the buttons that the state allows", async () => {
    const { control, phone, labels, press } = await desk();
    await control.post("commands/inbound", fromOutside);
    expect((await phone("outside")).calls).toMatchObject([{ text: "calls Alice Ng" }]);
    expect((await phone("alice")).calls).toMatchObject([{ text: "rings: Jane Smith +6421555001" }]);
    expect(await labels("alice")).toEqual(["Answer (mobile)", "Answer (desktop)", "Decline"]);
    expect(await labels("bob")).toEqual([]);
    expect((await press("alice", "Answer (desktop)")).status).toBe(200);
    expect(await phone("alice")).toMatchObject({
      state: "Busy on a call",
      calls: [{ text: "talks with Jane Smith +6421555001", canHandOver: true }],
    });
    expect(await labels("alice")).toEqual(["Hang up", "Move to mobile"]);
    await press("outside", "Hang up");
    expect((await phone("alice")).calls).toEqual([]);
  });

  test("offers nothing that is refused", async () => {
    const { sim, control } = await desk();
    await control.post("commands/inbound", { ...fromOutside, to: "+6495550200" });
    for (let turn = 0; turn < 12; turn++) {
      const { phones } = (await control.get("desk")).body as Desk;
      for (const { calls, buttons } of phones)
        for (const { command, args } of [...calls.flatMap((call) => call.buttons), ...buttons]) {
          const given = command === "leaveVoicemail" ? { duration: "PT10S", ...args } : args;
          expect(() => sim.fork().command(command, given as never)).not.toThrow();
        }
      const first = phones.flatMap(({ calls }) => calls.flatMap((call) => call.buttons))[turn % 3];
      if (first !== undefined) await control.post(`commands/${first.command}`, first.args);
      await control.post("advance", { duration: "PT7S" });
    }
  });

  test("is a page for all phones and one for each, only where it is asked for", async () => {
    const { url } = await desk();
    for (const path of ["/desk", "/desk/alice"]) {
      const answer = await fetch(url + path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      // its policy names the style with the fonts, which are put into it
      const page = await answer.text();
      const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
      expect(style).toContain('font-family:"Inter"');
      expect(page).toContain(createHash("sha256").update(style).digest("base64"));
    }
    const plain = await served();
    expect((await fetch(`${plain.url}/desk`)).status).toBe(401);
  });

  test.each([
    {},
    { ids: "nanoid", seed: "lucky", start: "2026-03-05T22:14:03.217Z", timing: { ringTimeout: "PT12S" } },
    {
      organisation: {
        id: "dental",
        users: [{ id: "alice", displayName: "Al", email: "al@dental.test", extension: "101" }],
        numbers: [{ number: "+6495550100", owner: "alice" }],
      },
    },
  ] as SimulatorOptions[])("saves the run as a scenario that plays the same: %j", async (options) => {
    const { sim, url, control, press } = await desk(options);
    await control.post("commands/inbound", fromOutside);
    await control.post("advance", { duration: 4_321 });
    await press("alice", "Decline");
    await control.post("advance", { duration: 1_234 });
    await control.post("commands/inbound", fromOutside);
    await control.post("advance", { duration: "PT6S" });
    await press("outside", "Hang up");
    await control.post("advance", { duration: "PT1H" });
    const text = await (await fetch(`${url}/_sim/scenario`)).text();
    const { simulator } = runScenario(parseScenario(text));
    expect(simulator.events.toJSONL()).toBe(sim.events.toJSONL());
    // an app that is explored may ask the usual address
    expect(simulator.urls).toEqual({ ...createSimulator().urls, redirect: url });
  });
});
