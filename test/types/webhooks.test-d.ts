import { describe, test } from "vitest";
import { createSimulator, type EventType } from "../../src/index.ts";

const sim = createSimulator();
const url = "https://crm.test/hooks";
const text: string = "recording.ready";
const texts: string[] = [text];
const known: EventType = "call.ended";

describe("a webhook asks for", () => {
  test("a known type, or all", () => {
    sim.webhooks.create({ url, events: ["call.ended", "user.availability.updated"] });
    sim.webhooks.create({ url, events: ["*"], description: null });
    sim.webhooks.create({ url, events: [known] });
    sim.webhooks.update("webhook-1", { events: ["call.started", "*"] });
    sim.webhooks.update("webhook-1", { enabled: false });
    sim.command("createWebhook", { url, events: ["call.started"] });
    sim.command("updateWebhook", { webhook: "webhook-1", events: ["*"] });
    sim.command("updateWebhook", { webhook: "webhook-1", enabled: true });
    createSimulator({ organisation: { id: "acme", users: [], webhooks: [{ url, events: ["call.ended"] }] } });
    sim.restart({ organisation: { id: "acme", users: [], webhooks: [{ url, events: ["*"] }] } });
  });

  test("any string, since a dialect may declare more types", () => {
    sim.webhooks.create({ url, events: texts });
    sim.webhooks.create({ url, events: [text, "call.ended"] });
    sim.webhooks.update("webhook-1", { events: texts });
    sim.command("createWebhook", { url, events: texts });
    createSimulator({ organisation: { id: "acme", users: [], webhooks: [{ url, events: texts }] } });
    sim.restart({ organisation: { id: "acme", users: [], webhooks: [{ url, events: [text] }] } });
  });

  test("no type that there is not", () => {
    // @ts-expect-error no such type
    sim.webhooks.create({ url, events: ["call.foo"] });
    // @ts-expect-error no such type beside one that there is
    sim.webhooks.create({ url, events: ["call.ended", "call.foo"] });
    // @ts-expect-error no such type
    sim.webhooks.create({ url, events: ["call.foo"] as const });
    // @ts-expect-error no such type
    sim.webhooks.update("webhook-1", { events: ["call.foo"] });
    // @ts-expect-error no such type
    sim.command("createWebhook", { url, events: ["call.foo"] });
    // @ts-expect-error no such type
    sim.command("updateWebhook", { webhook: "webhook-1", events: ["call.foo"] });
    // @ts-expect-error no such type
    createSimulator({ organisation: { id: "acme", users: [], webhooks: [{ url, events: ["call.foo"] }] } });
    const two = [{ url, events: ["*"] } as const, { url, events: ["call.foo"] } as const];
    // @ts-expect-error no such type in the second
    createSimulator({ organisation: { id: "acme", users: [], webhooks: two } });
    // @ts-expect-error no such type
    sim.restart({ organisation: { id: "acme", users: [], webhooks: [{ url, events: ["call.foo"] }] } });
  });

  test("nothing under a misspelt key", () => {
    // @ts-expect-error no such key
    sim.webhooks.create({ url, events: ["*"], enabeld: true });
    // @ts-expect-error no such key
    createSimulator({ organisation: { id: "acme", webhooks: [{ url, events: ["*"], enabeld: true }] } });
    // @ts-expect-error no such key
    createSimulator({ organisation: { id: "acme", usres: [] } });
    // @ts-expect-error no such option
    createSimulator({ sede: 1 });
    // @ts-expect-error events are missing
    sim.webhooks.create({ url });
  });
});
