import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSimulator, type PlatformEvent } from "../../src/index.ts";
import { folderWith, ringbackEnds, root } from "./support.ts";

/** What a run sends, by type: the last of each. */
function sent(options: Parameters<typeof createSimulator>[0] = {}): Record<string, PlatformEvent> {
  const sim = createSimulator({ start: "2026-07-01T00:00:00Z", ...options });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
  call.answer("carol");
  sim.advance("PT65S");
  call.hangup("carol");
  sim.runUntilIdle();
  return Object.fromEntries(sim.events.map((event) => [event.type, structuredClone(event)]));
}

// biome-ignore lint/suspicious/noExplicitAny: a body is changed in ways that its type forbids
type Body = any;
const ended: Body = sent()["call.ended"];
/** The body with another call. */
const withCall = (changes: object): Body => ({
  ...ended,
  data: { call: { ...ended.data.call, ...changes } },
});

/** Twelve fixtures as people write them, and the line of each. */
const handWritten: Readonly<Record<string, readonly [fixture: unknown, line: string]>> = {
  whole: [ended, "possible    @  call.ended"],
  small: [
    { type: "call.ended", data: { call: { id: "c1", direction: "inbound", status: "ended" } } },
    "part        @  call.ended of a possible body, without id, createdAt, createdTimestamp, and 32 more",
  ],
  "no-wrapper": [
    { direction: "inbound", outcome: { status: "missed", reason: "timeout" } },
    "part        @  a record of a possible body, without type, data.call.id, data.call.organisationId, and 30 more",
  ],
  "text-duration": [
    withCall({ duration: "65" }),
    "impossible  @  call.ended: data.call.duration expected number or null, got text",
  ],
  seconds: [
    withCall({ duration: 65 }),
    'impossible  @  call.ended: data.call.duration is 65 ms, but from startedAt to endedAt it is 65000 ms; data.call.durationText says other than duration: 65 ms is "0s"',
  ],
  completed: [
    { type: "call.ended", data: { call: { status: "completed" } } },
    'impossible  @  call.ended: data.call.status expected one of started, offered, accepted, ended, missed, unanswered, abandoned, blocked, got "completed"',
  ],
  "abandoned-timeout": [
    { type: "call.not_answered", data: { call: { outcome: { status: "abandoned", reason: "timeout" } } } },
    'impossible  @  call.not_answered: data.call.outcome.reason "timeout" is never the reason of abandoned',
  ],
  "blocked-inbound": [
    {
      type: "call.ended",
      data: { call: { direction: "inbound", outcome: { status: "blocked", reason: "notAllowed" } } },
    },
    'impossible  @  call.ended: data.call.outcome.status "blocked" is only for outbound calls',
  ],
  finished: [
    { type: "call.finished", data: { call: { id: "c1" } } },
    'impossible  @  call.finished: type expected a type of event, got "call.finished"; a dialect can declare it',
  ],
  snake: [
    { type: "call.ended", data: { call: { contact_number: "+6421555001" } } },
    "impossible  @  call.ended: data.call.contact_number is no field of this record; did you mean contactNumber?",
  ],
  "still-live": [
    { type: "call.ended", data: { call: { status: "accepted", outcome: null } } },
    "impossible  @  call.ended: data.call.outcome is null, but call.ended comes when a call is over; data.call.status is accepted, but call.ended comes when a call is over",
  ],
  "busy-nowhere": [
    {
      type: "user.availability.updated",
      data: { user: { availability: { status: "busy", notAvailableRule: "busyOnACall", callId: null } } },
    },
    "impossible  @  user.availability.updated: data.user.availability.callId busy on a call, but names none",
  ],
};

const folderOf = (files: Readonly<Record<string, unknown>>) =>
  folderWith(
    Object.fromEntries(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value, null, 2)])),
  );

describe("ringback fixtures", () => {
  test.each(Object.entries(handWritten))(
    "judges what people write by hand: %s",
    async (name, [fixture, line]) => {
      const file = join(folderOf({ [`${name}.json`]: fixture }), `${name}.json`);
      const { out, code } = await ringbackEnds("fixtures", file);
      expect(out.split("\n")[0]).toBe(line.replace("@", file));
      expect(code).toBe(line.startsWith("impossible") ? 1 : 0);
    },
  );

  test("finds events in lists, under names, in bodies of requests, in lines and in modules", async () => {
    const folder = folderOf({
      "list.json": [ended, { type: "call.ended", data: {} }],
      "named.json": { first: ended, request: { headers: {}, body: JSON.stringify(ended) } },
      "tsconfig.json": { compilerOptions: {}, type: "module" },
    });
    const module = `export const event = ${JSON.stringify(ended)};\nexport const helper = () => 1;\n`;
    const lines = folderWith({
      "log.jsonl": `${JSON.stringify(ended)}\n\n${JSON.stringify(ended)}\n`,
      "event.mjs": module,
    });
    const { out, code } = await ringbackEnds("fixtures", folder, lines);
    expect(out).toBe(
      [
        `possible    ${folder}/list.json#0  call.ended`,
        `part        ${folder}/list.json#1  call.ended of a possible body, without id, createdAt, createdTimestamp, and 2 more`,
        `possible    ${folder}/named.json#first  call.ended`,
        `possible    ${folder}/named.json#request.body  call.ended`,
        `possible    ${lines}/event.mjs#event  call.ended`,
        `possible    ${lines}/log.jsonl#0  call.ended`,
        `possible    ${lines}/log.jsonl#1  call.ended`,
        "",
        "7 fixtures in 4 files: 6 possible, 1 part of a possible body, 0 impossible; 1 file without an event",
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
  });

  test("understands patterns as shells do, and refuses those that name no file", async () => {
    const folder = folderOf({
      "a/x/one.json": ended,
      "a/two.json": ended,
      "b/three.json": ended,
      "a/four.txt": "",
    });
    const files = async (pattern: string) => {
      const { out } = await ringbackEnds("fixtures", join(folder, pattern), "--json");
      return JSON.parse(out).fixtures?.map(({ place }: { place: string }) => place.slice(folder.length + 1));
    };
    expect(await files("a/**/*.json")).toEqual(["a/two.json", "a/x/one.json"]);
    expect(await files("{a,b}/*.json")).toEqual(["a/two.json", "b/three.json"]);
    expect(await files("?/t*.json")).toEqual(["a/two.json", "b/three.json"]);
    const { code, err } = await ringbackEnds("fixtures", join(folder, "c/*.json"));
    expect({ code, err }).toEqual({
      code: 2,
      err: `ringback: ${folder}/c/*.json: no file has such a name\n`,
    });
  });

  test("names a file that is no JSON without quoting it, judges the others, and ends with 2", async () => {
    const folder = folderWith({ "bad.json": "{ secret", "good.json": JSON.stringify(ended) });
    const { out, err, code } = await ringbackEnds("fixtures", folder);
    expect(err).toBe(`refused     ${folder}/bad.json: expected JSON, got a text that is none\n`);
    expect(out).toContain(`possible    ${folder}/good.json  call.ended\n`);
    expect(code).toBe(2);
  });

  test("prints every field and reason as JSON", async () => {
    const folder = folderOf({ "a.json": withCall({ duration: "65", mood: 1 }) });
    const { out, code } = await ringbackEnds("fixtures", folder, "--json");
    expect(code).toBe(1);
    const { ok, failures, fixtures } = JSON.parse(out);
    expect(ok).toBe(false);
    expect(failures.map(({ cause }: { cause: string }) => cause)).toEqual([
      "data.call.mood is no field of this record",
      "data.call.duration expected number or null, got text",
    ]);
    expect(fixtures).toMatchObject([
      { place: `${folder}/a.json`, verdict: "impossible", event: "call.ended" },
    ]);
  });

  test("reads bodies as the dialect writes them", async () => {
    const renamed = JSON.parse(JSON.stringify(ended).replaceAll('"contactNumber"', '"customerNumber"'));
    const folder = folderOf({ "a.json": renamed });
    const dialect = join(
      folderWith({ "dialect.yaml": "fieldNames: { contactNumber: customerNumber }\n" }),
      "dialect.yaml",
    );
    expect(await ringbackEnds("fixtures", folder)).toMatchObject({ code: 1 });
    expect(await ringbackEnds("fixtures", folder, "--dialect", dialect)).toMatchObject({ code: 0 });
  });

  test("judges by the profile: observed events come later than what they tell", async () => {
    const { "call.answered": answered } = sent({ profile: "observed" });
    const folder = folderOf({ "a.json": answered, "b.json": { type: "call.note.created", data: {} } });
    const { out } = await ringbackEnds("fixtures", folder);
    expect(out).toContain("data.call.status is started");
    const observed = await ringbackEnds("fixtures", folder, "--profile", "observed");
    expect(observed).toMatchObject({ code: 0 });
    expect(observed.out).toContain("1 file without an event");
  });

  test("knows by saved answers who there is", async () => {
    const sim = createSimulator();
    const users = sim.users.list().map(({ record }) => record);
    const rest = folderOf({ "users.json": { users } });
    const stranger = JSON.parse(JSON.stringify(ended).replaceAll('"carol"', '"zoe"'));
    const renamed = withCall({ assignedUser: { ...ended.data.call.assignedUser, extension: "999" } });
    const folder = folderOf({ "a.json": ended, "b.json": stranger, "c.json": renamed });
    const { out, code } = await ringbackEnds("fixtures", folder, "--rest", rest);
    expect(code).toBe(1);
    expect(out).toContain(`possible    ${folder}/a.json`);
    expect(out).toContain("data.call.assignedUser.id is no user of the saved answers");
    expect(out).toContain(
      "data.call.assignedUser.extension is another than that of this user in the saved answers",
    );
  });

  test("changes no file", async () => {
    const folder = folderOf({ "a.json": withCall({ duration: "65" }) });
    const before = readFileSync(join(folder, "a.json"), "utf8");
    await ringbackEnds("fixtures", folder);
    expect(readFileSync(join(folder, "a.json"), "utf8")).toBe(before);
  });

  test("says of the guide's fixture what the guide says", async () => {
    const guide = readFileSync(join(root, "docs/guides/fixtures.md"), "utf8");
    const block = (language: string) =>
      new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(guide)?.[1] ?? "";
    const folder = folderWith({ "test/fixtures/missed.json": block("json") });
    const { out } = await ringbackEnds("fixtures", `${folder}/test/**/*.json`);
    expect(out.replaceAll(`${folder}/`, "")).toBe(block("text"));
  });
});
