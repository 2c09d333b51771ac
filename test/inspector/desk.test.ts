import { expect, onTestFinished, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { serve } from "../../src/server/index.ts";
import { violations } from "./axe.ts";
import { textsInSystemFonts } from "./fonts.ts";
import { useWindow } from "./window.ts";

/** The page that a server with a desk has at `/desk`: hands on the phones. */

const window = useWindow({ isOffline: false });

async function desk() {
  const sim = createSimulator({ ids: "counter" });
  const server = await serve(sim, { desk: true });
  const { page } = window;
  onTestFinished(async () => {
    // leave the page first, so that it does not ask a server that has closed
    await page.goto("about:blank");
    await server.close();
  });
  return { sim, page, url: server.url };
}

test("People call, answer, transfer and hang up at the desk", async () => {
  const { sim, page, url } = await desk();
  await page.goto(`${url}/desk`);
  const phone = (name: string) => page.getByRole("region", { name });
  await phone("Outside").getByRole("button", { name: "Call" }).click();
  await phone("Alice Ng").getByText("rings: Jane Smith").waitFor();
  await phone("Alice Ng").getByRole("button", { name: "Answer (desktop)" }).click();
  await phone("Alice Ng").getByLabel("Transfer to").fill("102");
  await phone("Alice Ng").getByRole("button", { name: "Transfer" }).click();
  await phone("Bob Tane").getByRole("button", { name: "Answer (mobile)" }).click();
  await phone("Bob Tane").getByText("talks with Jane Smith").waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await textsInSystemFonts(page)).toEqual([]);
  await phone("Bob Tane").getByRole("button", { name: "Hang up" }).click();
  await phone("Outside").getByText("talks with").waitFor({ state: "detached" });
  expect(sim.calls.live()).toEqual([]);
  expect(sim.events.map(({ type }) => type)).toContain("call.ended");
});

test("A phone alone shows one person, and says why a button was refused", async () => {
  const { page, url } = await desk();
  await page.goto(`${url}/desk/bob`);
  await page.getByRole("region", { name: "Bob Tane" }).waitFor();
  expect(await page.getByRole("region").count()).toBe(1);
  await page.getByLabel("Dial").fill("999");
  await page.getByRole("button", { name: "Call" }).click();
  await page.getByRole("status").getByText("999").waitFor();
  // the browser notes each refusal by itself
  expect(await window.reset()).toEqual([expect.stringContaining("status of 4")]);
});
