import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import type { PageData } from "../../src/inspector/data.ts";
import { failing, folderWith, ringback } from "./support.ts";

describe("ringback init --agents", () => {
  const skill = "node_modules/ringback/skills/ringback/SKILL.md";

  test("writes a pointer to the skill into AGENTS.md, once", () => {
    const folder = folderWith();
    expect(ringback("init", folder, "--agents").out).toContain(`wrote  ${join(folder, "AGENTS.md")}`);
    const written = readFileSync(join(folder, "AGENTS.md"), "utf8");
    expect(written).toContain(skill);
    expect(ringback("init", folder, "--agents").out).toContain(`kept   ${join(folder, "AGENTS.md")}`);
    expect(readFileSync(join(folder, "AGENTS.md"), "utf8")).toBe(written);
  });

  test("adds the pointer below the text that AGENTS.md has", () => {
    const folder = folderWith({ "AGENTS.md": "# Ours\n\nSpeak plainly.\n" });
    ringback("init", folder, "--agents");
    const text = readFileSync(join(folder, "AGENTS.md"), "utf8");
    expect(text.startsWith("# Ours\n\nSpeak plainly.\n\n## ringback\n")).toBe(true);
    expect(text).toContain(skill);
  });

  test("is required: without it, no AGENTS.md is written", () => {
    const folder = folderWith();
    ringback("init", folder);
    expect(existsSync(join(folder, "AGENTS.md"))).toBe(false);
  });
});

describe("ringback init", () => {
  test("writes a scenario that plays as it expects, and a test", () => {
    const folder = folderWith();
    const { code, out } = ringback("init", folder);
    expect(code).toBe(0);
    expect(out).toContain(
      `wrote  ${folder}/scenarios/missed-call.yaml\nwrote  ${folder}/test/ringback.test.ts\n`,
    );
    expect(ringback("run", join(folder, "scenarios")).code).toBe(0);
  });

  test("says what to install and run next in a project without Vitest and Jest", () => {
    const folder = folderWith();
    const { out } = ringback("init", folder);
    expect(out.split("Next:\n")[1]).toBe(
      `  npm install --save-dev ringback vitest\n  npx ringback run ${folder}/scenarios/missed-call.yaml\n  npx vitest run\n`,
    );
  });

  test.each([
    ["commonjs", "ringback.test.js"],
    ["module", "ringback.test.cjs"],
  ])("writes a test that Jest runs without flags in a %s project", (type, name) => {
    const devDependencies = { ringback: "*", jest: "*" };
    const folder = folderWith({ "package.json": JSON.stringify({ type, devDependencies }) });
    const { code, out } = ringback("init", folder);
    expect(code).toBe(0);
    expect(out).toContain(`wrote  ${folder}/test/${name}\n`);
    expect(out.split("Next:\n")[1]).toMatch(/^ {2}npx ringback run \S+\n {2}npx jest\n$/);
    expect(readFileSync(join(folder, "test", name), "utf8")).toContain('= require("ringback");');
  });

  test("writes a test for Vitest if a project has both, or a broken manifest", () => {
    for (const manifest of ['{ "devDependencies": { "jest": "*", "vitest": "*" } }', "null", "{"]) {
      const { code, out } = ringback("init", folderWith({ "package.json": manifest }));
      expect(code).toBe(0);
      expect(out).toContain("/test/ringback.test.ts\n");
    }
  });

  test("keeps existing files", () => {
    const folder = folderWith({ "test/ringback.test.ts": "mine" });
    const { code, out } = ringback("init", folder);
    expect(code).toBe(0);
    expect(out).toContain(`kept   ${folder}/test/ringback.test.ts`);
    expect(readFileSync(join(folder, "test/ringback.test.ts"), "utf8")).toBe("mine");
    expect(ringback("run", join(folder, "scenarios")).code).toBe(0);
  });

  test("exits with 2 if it may not write", () => {
    const folder = folderWith();
    writeFileSync(join(folder, "scenarios"), "a file");
    expect(ringback("init", folder).code).toBe(2);
  });
});

/** The data in a page, which its script reads. */
function dataOf(html: string): PageData {
  const [, json = "{}"] =
    /<script type="application\/json" id="ringback-data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as PageData;
}

describe("ringback run --format html", () => {
  const page = () => ringback("run", "01", "--format", "html").out;

  test("is one page with the journal of the run and the scenario's text", () => {
    const html = page();
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain("<title>The first endpoint to answer wins · ringback</title>");
    const [run] = dataOf(html).runs;
    expect(run?.journal).toMatchObject({ ringback: 1, options: { seed: 1 } });
    expect(run?.scenario).toContain("scenario: The first endpoint to answer wins");
    expect(run?.problems).toEqual([]);
  });

  test("sends no requests: a policy in the page forbids it", () => {
    const [head = ""] = page().split("<body>");
    expect(head).toContain("default-src 'none'");
    expect(head).toContain("connect-src 'none'");
    // the browser's own editing sets styles; the icon's text names the namespace of its drawing
    const rest = head.replace("style-src-attr 'unsafe-inline'", "").replaceAll(/href="data:[^"]*"/g, "");
    expect(rest).not.toMatch(/unsafe|https?:|src=/);
  });

  test("shows the problem, and escapes markup in names", () => {
    const wild = failing.replace("It rings", "</script><b>It</b> & rings");
    const { code, out } = ringback("run", folderWith({ "a.yaml": wild }), "--format", "html");
    expect(code).toBe(1);
    const [run] = dataOf(out).runs;
    expect(run?.problems?.join()).toContain("expected");
    expect(run?.name).toContain("</script><b>It</b> & rings");
    expect(out).not.toContain("</script><b>It");
  });
});

describe("ringback inspect", () => {
  test("writes a scenario's run as a page into the current folder", () => {
    const folder = folderWith();
    const to = join(folder, "page.html");
    expect(ringback("inspect", "56", "-o", to)).toMatchObject({ code: 0, out: `${to}\n` });
    expect(dataOf(readFileSync(to, "utf8")).title).toBe(
      "A delivery that fails is attempted again and may succeed",
    );
  });

  test("writes a journal's run, and explains why another file is no journal", () => {
    const journal = JSON.stringify(createSimulator().journal());
    const folder = folderWith({ "run.json": journal, "bad.json": '{ "ringback": 1 }' });
    const { code, out } = ringback("inspect", join(folder, "run.json"), "-o", "-");
    expect(code).toBe(0);
    expect(dataOf(out).runs[0]?.journal).toEqual(JSON.parse(journal));
    expect(ringback("inspect", join(folder, "bad.json"), "-o", "-")).toMatchObject({ code: 2 });
    expect(ringback("inspect", join(folder, "missing.json"), "-o", "-").err).toContain("no such file");
  });

  test("compares with another journal, with a scenario and with a golden stream", () => {
    const journal = createSimulator().journal();
    const folder = folderWith({
      "run.json": JSON.stringify(journal),
      "run.golden.txt": "PT0S call.started {}\nPT6S call.answered {}\n",
    });
    const compared = (other: string) =>
      dataOf(ringback("inspect", "03", "--compare", other, "-o", "-").out).compare;
    expect(compared(join(folder, "run.json"))).toEqual({ name: "run.json", journal });
    expect(compared("04")).toMatchObject({ name: "04-leaving-a-voicemail", journal: { ringback: 1 } });
    const startMs = Date.parse("2026-07-01T09:00:00Z");
    expect(compared(join(folder, "run.golden.txt"))).toEqual({
      name: "run.golden.txt",
      events: [
        { type: "call.started", createdTimestamp: startMs },
        { type: "call.answered", createdTimestamp: startMs + 6_000 },
      ],
    });
  });

  test("names the line of a compared stream that is not an event", () => {
    const folder = folderWith({
      "run.golden.jsonl": '{ "type": "call.started", "createdTimestamp": 0 }\nx\n',
    });
    const { code, err } = ringback("inspect", "03", "--compare", join(folder, "run.golden.jsonl"), "-o", "-");
    expect(code).toBe(2);
    expect(err).toMatch(/run\.golden\.jsonl: .*line 2.*: expected an event/);
    expect(ringback("inspect", "03", "--compare", join(folder, "none.json"), "-o", "-")).toMatchObject({
      code: 2,
      err: expect.stringContaining("none.json"),
    });
  });
});

describe("ringback play", () => {
  test("writes the playground with a scenario in its editor", () => {
    const { code, out } = ringback("play", "20", "-o", "-");
    expect(code).toBe(0);
    expect(dataOf(out)).toMatchObject({
      mode: "play",
      runs: [{ scenario: expect.stringContaining("seed: 20") }],
    });
  });
});
