import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failing, folderWith, ringback } from "./support.ts";

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

  test("says what to install and to run next, given a project that has neither", () => {
    const folder = folderWith();
    const { out } = ringback("init", folder);
    expect(out.split("Next:\n")[1]).toBe(
      `  npm install --save-dev ringback vitest\n  npx ringback run ${folder}/scenarios/missed-call.yaml\n  npx vitest run\n`,
    );
  });

  test.each([
    ["commonjs", "ringback.test.js"],
    ["module", "ringback.test.cjs"],
  ])("writes a test that Jest runs without flags, given a %s project with Jest", (type, name) => {
    const devDependencies = { ringback: "*", jest: "*" };
    const folder = folderWith({ "package.json": JSON.stringify({ type, devDependencies }) });
    const { code, out } = ringback("init", folder);
    expect(code).toBe(0);
    expect(out).toContain(`wrote  ${folder}/test/${name}\n`);
    expect(out.split("Next:\n")[1]).toMatch(/^ {2}npx ringback run \S+\n {2}npx jest\n$/);
    expect(readFileSync(join(folder, "test", name), "utf8")).toContain('= require("ringback");');
  });

  test("writes a test for Vitest, given a project that has both, or a manifest that is broken", () => {
    for (const manifest of ['{ "devDependencies": { "jest": "*", "vitest": "*" } }', "null", "{"]) {
      const { code, out } = ringback("init", folderWith({ "package.json": manifest }));
      expect(code).toBe(0);
      expect(out).toContain("/test/ringback.test.ts\n");
    }
  });

  test("keeps what is there", () => {
    const folder = folderWith({ "test/ringback.test.ts": "mine" });
    const { code, out } = ringback("init", folder);
    expect(code).toBe(0);
    expect(out).toContain(`kept   ${folder}/test/ringback.test.ts`);
    expect(readFileSync(join(folder, "test/ringback.test.ts"), "utf8")).toBe("mine");
    expect(ringback("run", join(folder, "scenarios")).code).toBe(0);
  });

  test("exits with 2 where it may not write", () => {
    const folder = folderWith();
    writeFileSync(join(folder, "scenarios"), "a file");
    expect(ringback("init", folder).code).toBe(2);
  });
});

describe("ringback run --format html", () => {
  const page = () => ringback("run", "01", "--format", "html").out;

  test("is one page with the diagram, the timeline, the stream and the seed", () => {
    const html = page();
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain("<title>The first endpoint to answer wins</title>");
    expect(html).toContain("as expected");
    expect(html).toContain("seed 1");
    expect(html).toContain("Alice Ng answers on desktop");
    expect(html).toContain("&#34;type&#34;:&#34;call.started&#34;");
  });

  test("needs no network and no script", () => {
    expect(page()).not.toMatch(/<script|<link|<img|@import|url\((?!#)|\b(src|href)=/);
  });

  test("draws a lifeline for everyone and an arrow for every event", () => {
    const [svg = ""] = /<svg[\s\S]*<\/svg>/.exec(page()) ?? [];
    expect(svg.match(/class="life"/g)?.length).toBe(3);
    expect(svg.match(/class="arrow told"/g)?.length).toBe(7);
    expect(svg.match(/<text [^>]*class="event"[^>]*>[^<]+/g)?.map((text) => text.split(">")[1])).toEqual([
      "call.started",
      "call.answered",
      "user.availability.updated",
      "call.hungup",
      "call.hungup",
      "user.availability.updated",
      "call.ended",
    ]);
  });

  test("says what is wrong, and writes names as text", () => {
    const wild = failing.replace("It rings", "<b>It</b> & rings");
    const { code, out } = ringback("run", folderWith({ "a.yaml": wild }), "--format", "html");
    expect(code).toBe(1);
    expect(out).toContain('<pre class="wrong">');
    expect(out).toContain("&#60;b&#62;It&#60;/b&#62; &#38; rings");
    expect(out).not.toContain("<b>");
  });
});
