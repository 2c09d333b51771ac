import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
// @ts-expect-error an example for users, in plain JavaScript
import * as dialect from "../../docs/examples/dialect/dialect.mjs";
import { captured, capturedIn, edited, jsonl } from "../capture/support.ts";
import { folderWith, ringbackEnds, root } from "./support.ts";

const capture = jsonl(captured("01"));
const forged = jsonl(
  captured("01").map((line) => {
    const body = JSON.parse(line.body);
    if (body.type === "call.ended") body.data.call.duration += 30_000;
    return { ...line, body: JSON.stringify(body) };
  }),
);

describe("ringback import", () => {
  test("writes a scenario that `ringback run` plays, and ends with 0", async () => {
    const folder = folderWith({ "monday.jsonl": capture });
    const file = join(folder, "monday.yaml");
    const { code, out, err } = await ringbackEnds("import", join(folder, "monday.jsonl"), "-o", file);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toContain("possible: the platform could have sent these requests (7 of 7 explained)");
    const run = await ringbackEnds("run", file);
    expect(run.code).toBe(0);
    expect(run.out).toContain("call.answered");
  });

  test("prints no control character or direction mark of a body, as text or as JSON", async () => {
    const odd = "\u009b2J\u202e\u2066\u0085";
    const bad = edited(captured("01"), ({ data: { call } }) => {
      if (call?.connections?.[0] !== undefined) call.connections[0].partyId = odd;
    });
    const path = join(folderWith({ "monday.jsonl": jsonl(bad) }), "monday.jsonl");
    for (const flags of [[], ["--json"], ["--check"], ["--check", "--json"]]) {
      const { code, out, err } = await ringbackEnds("import", path, "--keep-names", ...flags);
      expect(code).toBe(1);
      expect(out + err).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
      if (!flags.includes("--json")) continue;
      const { unexplained } = JSON.parse(out);
      expect(unexplained[0].because).toContain("\\u009b2J\\u202e\\u2066\\u0085 is on the bridge");
    }
  });

  test("prints the scenario without -o, with stand-ins unless --keep-names is given", async () => {
    const path = join(folderWith({ "monday.jsonl": capture }), "monday.jsonl");
    expect((await ringbackEnds("import", path)).out).not.toContain("Alice");
    expect((await ringbackEnds("import", path, "--keep-names")).out).toContain("Alice Ng");
  });

  test.each([
    [["--tolerance", "2"], "Expected a duration such as PT10M."],
    [["--events", "call.endd"], "ringback: --events: expected event types, such as call.ended, got"],
  ])("names the option that is wrong: %j", async (flags, message) => {
    const path = join(folderWith({ "monday.jsonl": capture }), "monday.jsonl");
    const { code, err } = await ringbackEnds("import", path, ...flags);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test("ends with 1 if values differ, and with 0 if --allow-differences is given", async () => {
    const missed = edited(captured("01"), ({ type, data }) => {
      if (type === "call.ended") Object.assign(data.call, { status: "missed", isConference: true });
    });
    const path = join(folderWith({ "monday.jsonl": jsonl(missed) }), "monday.jsonl");
    const { code, err } = await ringbackEnds("import", path);
    expect(code).toBe(1);
    expect(err).toContain('monday.jsonl:7: call.status: got "missed", the run sends "ended"');
    expect(err).toContain("possible with differences: 2 fields (7 of 7 explained)");
    expect((await ringbackEnds("import", path, "--allow-differences")).code).toBe(0);
    const { ok, failures, differences } = JSON.parse((await ringbackEnds("import", path, "--json")).out);
    expect({ ok, failures: failures.length, differences: differences.length }).toEqual({
      ...{ ok: false, failures: 2, differences: 2 },
    });
  });

  test("ends with 1 if a request cannot be read, and says how many were", async () => {
    const path = join(
      folderWith({ "monday.jsonl": `${capture}{"receivedAt":1,"headers":{},"body":"{"}\n` }),
      "monday.jsonl",
    );
    const { code, err } = await ringbackEnds("import", path);
    expect(code).toBe(1);
    expect(err).toContain("7 of 8 requests read; of these possible");
  });

  test("writes scenarios, pages and results that only their owner can read", async () => {
    const folder = folderWith({ "monday.jsonl": capture });
    const path = (name: string) => join(folder, name);
    const modeOf = (name: string) => statSync(path(name)).mode & 0o777;
    expect((await ringbackEnds("import", path("monday.jsonl"), "-o", path("a.yaml"))).code).toBe(0);
    expect((await ringbackEnds("inspect", path("monday.jsonl"), "-o", path("a.html"))).code).toBe(0);
    expect([modeOf("a.yaml"), modeOf("a.html")]).toEqual([0o600, 0o600]);
    expect((await ringbackEnds("run", path("a.yaml"), "--write-expect")).code).toBe(0);
    expect(readFileSync(path("a.yaml"), "utf8")).toContain("expect:");
    expect(modeOf("a.yaml")).toBe(0o600);
    // so is each page of such a scenario
    expect((await ringbackEnds("inspect", path("a.yaml"), "-o", path("b.html"))).code).toBe(0);
    expect((await ringbackEnds("play", path("a.yaml"), "-o", path("c.html"))).code).toBe(0);
    expect([modeOf("b.html"), modeOf("c.html")]).toEqual([0o600, 0o600]);
    // and a page that was private stays so
    expect((await ringbackEnds("inspect", "01", "-o", path("b.html"))).code).toBe(0);
    expect((await ringbackEnds("inspect", "01", "-o", path("d.html"))).code).toBe(0);
    expect([modeOf("b.html"), modeOf("d.html")]).toEqual([0o600, 0o644]);
  });

  test("quotes nothing of an answer that --rest cannot read", async () => {
    const folder = folderWith({ "monday.jsonl": capture });
    const answers = folderWith({ "users.json": "Zebulon Quagga, +6427555001" });
    const { code, out, err } = await ringbackEnds("import", join(folder, "monday.jsonl"), "--rest", answers);
    expect(code).toBe(2);
    expect(err).toContain("users.json");
    expect(out + err).not.toMatch(/Zebulon|Quagga|27555001/);
  });

  test("ends with 1 if a request breaks a law, and names its file and line", async () => {
    const path = join(folderWith({ "monday.jsonl": forged }), "monday.jsonl");
    const { code, err } = await ringbackEnds("import", path);
    expect(code).toBe(1);
    expect(err).toMatch(/monday\.jsonl:\d+: call\.ended: duration is \d+ ms/);
    expect(err).toContain("impossible: the platform could not have sent these requests");
  });

  test("reads several files, each in an encoding of its own", async () => {
    const lines = captured("01").map((line) => jsonl([line]));
    const half = (from: number, to?: number) => lines.slice(from, to).join("");
    const folder = folderWith({
      "a.jsonl.gz": gzipSync(half(0, 2)),
      "b.jsonl": half(2, 4),
      "c.jsonl": Buffer.from(`\ufeff${half(4, 6)}not a request\n`, "utf16le"),
      "d.jsonl.gz": gzipSync(half(6)),
    });
    const { code, err } = await ringbackEnds("import", folder);
    expect(code).toBe(1);
    expect(err).toContain("c.jsonl:3: expected a request as JSON");
    expect(err).toContain("7 of 8 requests read; of these possible");
    expect((await ringbackEnds("import", join(folder, "a.jsonl.gz"))).err).toContain("2 of 2 explained");
  });

  test("names the line within each of several files", async () => {
    const folder = folderWith({ "a.jsonl": capture, "b.jsonl": "not a request\n" });
    const { err } = await ringbackEnds("import", join(folder, "a.jsonl"), join(folder, "b.jsonl"));
    expect(err).toContain("b.jsonl:1: ");
  });

  test("ends with 2 and names the line if no request can be read", async () => {
    const path = join(folderWith({ "monday.jsonl": "no\n" }), "monday.jsonl");
    const { code, err } = await ringbackEnds("import", path);
    expect(code).toBe(2);
    expect(err).toContain("monday.jsonl:1: ");
  });

  test("reads bodies with the module of --dialect", async () => {
    const dialectFile = join(root, "docs/examples/dialect/dialect.mjs");
    const path = join(folderWith({ "monday.jsonl": jsonl(capturedIn("01", dialect)) }), "monday.jsonl");
    const read = async (...more: string[]) =>
      JSON.parse((await ringbackEnds("import", path, "--json", ...more)).out);
    const { verdict, explained, drift } = await read("--dialect", dialectFile);
    expect({ verdict, explained, drifts: Object.values(drift).flat() }).toEqual({
      verdict: "possible",
      explained: 7,
      drifts: [],
    });
    expect((await read()).drift.enums).toMatchObject([{ got: "directDial" }]);
  });

  test("prints with --check which rules the capture confirms and which it contradicts", async () => {
    const folder = folderWith({ "monday.jsonl": capture, "tuesday.jsonl": forged });
    const check = (name: string) => ringbackEnds("import", join(folder, name), "--check");
    const { code, out } = await check("monday.jsonl");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^confirmed {5}assumption answeredStatus: The call's status .* {2}1 for, 0 against$/m,
    );
    expect(out).toMatch(/^\d+ of \d+ rules confirmed, 0 contradicted; of \d+ the capture shows nothing$/m);
    expect((await check("tuesday.jsonl")).out).toMatch(
      /^contradicted {2}law duration: .*tuesday\.jsonl:\d+\)$/m,
    );
  });

  test("prints rules without the capture's names, numbers, ids, texts and keys", async () => {
    const lines = ["17", "29", "46"].flatMap((name) => captured(name));
    const telling = edited(lines, (body, index) => {
      Object.assign(body, {
        organisationId: "acme",
        "+6421555001": 1,
        "Alice Ng": 2,
        n6421555001: 3,
        "alice@acme.test": 4,
      });
      if (index % 5 === 0) body.type = "call.about.6421555001";
      if (body.data.call) body.data.call.status = "for Alice Ng";
    });
    const folder = folderWith({ "monday.jsonl": jsonl(telling) });
    const { out } = await ringbackEnds("import", join(folder, "monday.jsonl"), "--check");
    expect(out).toContain("contradicted  rule wrapper");
    const words = [...jsonl(telling).matchAll(/"(?:id|entryId|\w*[nN]ame|text|email)\\?":\\?"([^"\\]+)/g)];
    const own = new Set(words.map(([, word]) => word ?? ""));
    expect(own.size).toBeGreaterThan(20);
    expect(
      [...own].filter((word) => out.includes(`"${word}"`) || (/[ @]/.test(word) && out.includes(word))),
    ).toEqual([]);
    expect(out).not.toMatch(/\d{7,}|alice|Alice|@/);
  });
});

describe("ringback inspect", () => {
  const lines = captured("01");
  const har = JSON.stringify({
    log: {
      version: "1.2",
      entries: lines.map(({ body, receivedAt }) => ({
        startedDateTime: new Date(receivedAt).toISOString(),
        request: { method: "POST", headers: [], postData: { mimeType: "application/json", text: body } },
        response: { status: 200 },
      })),
    },
  });
  const bodies = Object.fromEntries(lines.map(({ body }, index) => [`${index}.json`, body]));

  test.each([
    ["a capture", { "monday.jsonl": capture }, "monday.jsonl"],
    ["a HAR file", { "monday.har": har }, "monday.har"],
    ["a folder of bodies", bodies, ""],
  ])("shows the run that %s was imported as", async (_, files, name) => {
    const { code, out, err } = await ringbackEnds("inspect", join(folderWith(files), name), "-o", "-");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^<!doctype html>/i);
    // the page has the journal of the imported run, and not the bodies
    expect(out.includes("https://imported.test/hooks")).toBe(true);
    expect(out.includes("receiver.test")).toBe(false);
  });

  test("names the file and the line, given a folder without requests", async () => {
    const { code, err } = await ringbackEnds("inspect", folderWith({ "notes.txt": "hello\n" }), "-o", "-");
    expect(code).toBe(2);
    expect(err).toContain("notes.txt:1: expected a request as JSON");
  });
});
