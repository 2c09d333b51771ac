import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { dial, office } from "../../helpers.ts";

/** A run that keeps nothing of what is over has as much in memory after many calls as after a few. */

const url = "https://crm.acme.test/hooks";

/** What the deviations of a run do in turn. */
const ways = ["lost", "late", "unanswered", "duplicated", "refused", undefined, undefined] as const;

function longRun(): Simulator {
  const sim = createSimulator({
    organisation: {
      ...office,
      numbers: office.numbers.map((each) => ({ ...each, sms: true })),
      features: { recording: true, transcription: true, analysis: true },
    },
    retain: {
      ...{ events: 0, journal: false, calls: 0, conversations: 0, analyses: 0 },
      ...{ notifications: 0, requests: 0 },
    },
  });
  sim.webhooks.create({ url, events: ["*"] });
  sim.network.route(url, () => 200);
  sim.network.conditions(url, { latency: { uniform: [0, 900] }, loss: 0.1, duplicate: 0.1 });
  return sim;
}

/** Plays a call that nobody answers, one that is answered, one that returns, a conversation, and a webhook's life. */
function round(sim: Simulator): void {
  const { id } = sim.webhooks.create({ url, events: ["*"] });
  sim.network.fault(`https://${sim.timestamp}.acme.test/`, { for: "PT1H" });
  const from = "+6421555001";
  const answered = sim.calls.inbound({ from, to: dial.alice });
  sim.calls.inbound({ from: "+6421555002", to: dial.sales });
  sim.calls.redirect(
    { extension: "104", returnTo: "postEndpoint", returnToId: "https://crm.acme.test/back" },
    { from: "+6421555004", to: dial.dan, vendorCallId: "CA1" },
  );
  answered.answer("alice");
  const writer = `+64211${String(Math.floor(sim.timestamp / 86_400_000)).padStart(6, "0")}`;
  sim.conversations.receive({ from: writer, to: dial.alice, text: "Hello" });
  sim.advance("PT20S");
  answered.hangup("caller");
  sim.webhooks.remove(id);
  sim.advance("P2D");
}

/** The sizes of all maps, sets and lists, by their place. */
function sizesOf(value: unknown, path = "", sizes = new Map<string, number>(), seen = new Set()) {
  if (typeof value !== "object" || value === null || seen.has(value)) return sizes;
  seen.add(value);
  const size =
    value instanceof Map || value instanceof Set ? value.size : Array.isArray(value) ? value.length : 0;
  if (size > 0) sizes.set(path, (sizes.get(path) ?? 0) + size);
  if (value instanceof Map) for (const each of value.values()) sizesOf(each, `${path}[]`, sizes, seen);
  else if (value instanceof Set || Array.isArray(value))
    for (const each of value) sizesOf(each, `${path}[]`, sizes, seen);
  else for (const [key, each] of Object.entries(value)) sizesOf(each, `${path}.${key}`, sizes, seen);
  return sizes;
}

/** What is larger after more rounds of a run. */
function grown(sim: Simulator): string[] {
  const play = (rounds: number) => {
    for (let index = 0; index < rounds; index++) round(sim);
    return sizesOf(sim.services);
  };
  const early = play(20);
  const late = play(60);
  return [...late].flatMap(([path, size]) => {
    const before = early.get(path) ?? 0;
    return size > 2 * before + 10 ? [`${path}: ${before} after 20 rounds, ${size} after 80`] : [];
  });
}

describe("A long run", () => {
  test("forgets what is over", () => {
    expect(grown(longRun())).toEqual([]);
  });

  test("forgets what is over behind a call that goes on", () => {
    const sim = longRun();
    sim.calls.inbound({ from: "+6421555003", to: dial.lobby }).answer("lobby");
    expect(grown(sim)).toEqual([]);
  });

  test("forgets requests that took deviations, and their deviation points", () => {
    const sim = longRun();
    const { deviations } = sim.services.engine;
    let count = 0;
    deviations.decideBy((_point, options) => {
      count++;
      return options.find(({ is }) => is === ways[count % ways.length]);
    });
    const results = /^\.engine\.parts\.deviations\.(chosen|all|distinct)/;
    expect(grown(sim).filter((line) => !results.test(line))).toEqual([]);
    expect(deviations.chosen.length).toBeGreaterThan(100);
  });
});
