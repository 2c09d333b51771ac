import { createSimulator } from "../../../src/index.ts";

type Marked = { readonly $: readonly [kind: string, content: unknown] };

/** The places in a snapshot of a run in which a little of everything happened, without the numbers of list items. */
export function layoutOfSnapshot(): string[] {
  const { snapshot } = busyRun().compact() ?? {};
  const places = new Set<string>();
  const walk = (value: unknown, place: string): void => {
    places.add(place);
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) for (const each of value) walk(each, `${place}[]`);
    else if ("$" in value) walkMarked((value as Marked).$, place);
    else for (const [key, each] of Object.entries(value)) walk(each, `${place}.${key}`);
  };
  const walkMarked = ([kind, content]: Marked["$"], place: string): void => {
    if (kind === "ref") walk(snapshot?.shared[content as number], place);
    else if (kind === "map")
      for (const [, each] of content as readonly (readonly [unknown, unknown])[]) walk(each, `${place}{}`);
    else if (kind !== "undefined" && kind !== "number") walk(content, `${place}<${kind}>`);
  };
  walk(snapshot?.state, "state");
  return [...places].sort();
}

function busyRun() {
  const sim = createSimulator({ ids: "counter", seed: 1 });
  const url = "https://crm.acme.test/hooks";
  sim.webhooks.create({ url, events: ["*"] });
  sim.command("route", { url, status: 200 });
  sim.command("fault", { url, status: 503, times: 1 });
  sim.command("conditions", { url, latency: "PT1S" });
  sim.command("behave", { user: "carol", behaviour: { answer: { after: "PT20S" } } });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }).answer("alice", { endpoint: "desktop" });
  for (let index = 0; index < 5; index++)
    sim.calls.inbound({ from: `+642155510${index}`, to: "+6495550200" });
  sim.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "Hello" });
  sim.token();
  sim.advance("PT3S");
  return sim;
}
