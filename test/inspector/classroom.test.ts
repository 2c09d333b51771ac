import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { lessonCode, readClassResults, readLessonCode } from "../../src/inspector/lesson-code.ts";
import { ringback } from "../cli/support.ts";
import { fileOf } from "./pages.ts";
import { useWindow } from "./window.ts";

/** A teacher's way in a real Chromium: from a file of their own to a link, a code, a table and a printed sheet. */

const window = useWindow();
let page: Page;
beforeAll(() => {
  page = window.page;
});

const organisation = `id: clinic
users:
  - { id: mere, email: mere@clinic.test, displayName: Mereana Whitiora, extension: "101", voicemail: false }
  - { id: tama, email: tama@clinic.test, displayName: Tamatea Ngata, extension: "102" }
numbers:
  - { number: "+6495550100", owner: mere }
`;
const own = `scenario: A patient rings the clinic
organisation: clinic
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT5S, answer: { call: c1, by: mere } }
  - { at: PT60S, hangup: { call: c1, by: caller } }
questions:
  - ask: Whose phone rings?
    choices:
      - { text: Mereana's, when: { rings: mere } }
      - { text: Tamatea's, when: { rings: tama } }
    right: 1
    because: The number is hers.
  - ask: Mereana answers. Which event says so?
    at: PT5S
    choices:
      - { text: call.started, when: { event: call.started, at: PT5S } }
      - { text: call.answered, when: { event: call.answered, at: PT5S } }
      - { text: call.ended, when: { event: call.ended, at: PT5S } }
    right: 2
    because: Somebody talks from then on.
`;

/** A teacher's folder. @returns the page that `ringback play` writes there, and its text */
function lessonOf(...flags: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "ringback-class-"));
  writeFileSync(join(folder, "own.yaml"), own);
  mkdirSync(join(folder, "organisations"));
  writeFileSync(join(folder, "organisations/clinic.yaml"), organisation);
  const path = join(folder, "lesson.html");
  expect(ringback("play", join(folder, "own.yaml"), "-o", path, ...flags)).toMatchObject({ code: 0 });
  return { path, html: readFileSync(path, "utf8"), folder };
}

/** Opens a page, and waits for an element: not each has a run from the start. */
async function open(html: string, hash: string, there: string): Promise<void> {
  await page.goto(fileOf(html) + hash);
  await page.locator(there).first().waitFor();
}

const question = () => page.locator(".question h2").innerText();

describe("A lesson of one's own", () => {
  test("is a page that a web server may read", () => {
    const { path } = lessonOf();
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  test("has a link with its questions and its organisation, which names no folder of the teacher's", async () => {
    const { path } = lessonOf();
    await page.goto(pathToFileURL(path).href);
    await page.evaluate(() => {
      Object.assign(navigator.clipboard, {
        writeText: async (text: string) => void Object.assign(globalThis, { copied: text }),
      });
    });
    await page.getByRole("button", { name: "Class link" }).click();
    await page.locator(".toast", { hasText: "link for a class" }).waitFor();
    const link = String(await page.evaluate(() => (globalThis as { copied?: string }).copied));
    expect(link).toMatch(/^lesson\.html#v=1&.*teach=alone&s=/);
    // the teacher's own page stays the teacher's
    expect(new URL(page.url()).hash).not.toContain("teach");
    // any playground opens it: nothing else of the folder is needed
    await open(
      readFileSync(path, "utf8").replace(
        /"organisations":\{"clinic":"(?:[^"\\]|\\.)*"\}/,
        '"organisations":{}',
      ),
      link.slice(11),
      ".question",
    );
    expect(await question()).toBe("Whose phone rings?");
    // no key of the inspector does anything, and the same questions come after a reload
    for (const key of ["End", "j", "g", "?"]) await page.keyboard.press(key);
    expect(await page.locator(".keys").count()).toBe(0);
    for (const key of ["1", "Enter"]) await page.keyboard.press(key);
    await page.locator(".step").first().click();
    await page.waitForFunction(() => location.hash.includes("now="));
    await page.reload();
    await page.locator(".question").waitFor();
    expect(await question()).toBe("Whose phone rings?");
    // of a link that was cut nobody is asked something else
    for (const cut of [link.slice(11, -40), link.slice(11).replace(/&s=.*/, "")]) {
      await page.goto("about:blank");
      await open(readFileSync(path, "utf8"), cut, "main.waiting:has-text('damaged')");
      expect(await page.locator(".question, .step").count()).toBe(0);
    }
  });

  test("is asked, or its codes are read, as soon as the address of the open page says so", async () => {
    await window.show(lessonOf().html);
    await page.evaluate(() => location.assign("#teach=class"));
    await page.locator(".question").waitFor();
    await page.evaluate(() => location.assign("#codes"));
    await page.locator(".class-codes").waitFor();
  });

  test("is tried by a learner alone, who sees no answer before, and hands in a code", async () => {
    await open(lessonOf("--teach").html, "", ".question");
    expect(await question()).toBe("Whose phone rings?");
    expect(await page.locator("main").innerText()).not.toMatch(/rings|answers/);
    // there is no way to the run before the end
    await page.keyboard.press("Escape");
    expect(await page.getByRole("button", { name: "Stop teaching" }).count()).toBe(0);
    const answer = page.getByRole("button", { name: "Answer", exact: true });
    expect(await answer.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("2");
    expect(await answer.getAttribute("aria-disabled")).toBeNull();
    await page.keyboard.press("Enter");
    expect(await page.locator(".because").innerText()).toBe("“Tamatea's” is not so. Try again.");
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    expect(await page.locator(".because").innerText()).toBe("Mereana's. The number is hers.");
    await page.keyboard.press("Enter");
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Done" }).click();
    const code = await page.locator(".lesson-code").innerText();
    expect(readLessonCode(code)?.tries).toEqual([2, 1]);
    expect(await page.locator(".curtain, .teach-keys").count()).toBe(0);
    await page.getByRole("button", { name: "See the run" }).click();
    await page.locator(".editor .cm-content").waitFor();
  });

  test("writes whole names above the lanes, however little room a projector has", async () => {
    await open(lessonOf().html, "#teach=class", ".question");
    for (const width of [1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 768 });
      const cut = await page
        .locator(".lane-head > span:first-child")
        .evaluateAll((all) =>
          all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent),
        );
      expect(cut, `${width} px`).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("prints its questions on A4, and the answers on a page of their own", async () => {
    await window.show(lessonOf().html);
    await page.getByRole("button", { name: "Sheet" }).click();
    await page.locator(".sheet").waitFor();
    const [questions, answers] = await page.locator(".sheet > section").allInnerTexts();
    expect(questions).toContain("calls Mereana");
    expect(questions).not.toContain("The number is hers.");
    expect(answers).toContain("Whose phone rings? Mereana's The number is hers.");
    const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
    expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(2);
    await page.getByRole("button", { name: "Back" }).click();
    await page.locator(".editor .cm-content").waitFor();
  });

  test("stands on a slide without anything around it", async () => {
    const { path } = lessonOf();
    await page.goto(`${pathToFileURL(path).href}?embed`);
    await page.locator(".step").first().waitFor();
    expect(await page.locator(".site-header").count()).toBe(0);
    for (const hidden of [".app-bar", ".editor", "aside"])
      expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
  });
});

describe("The codes of a class", () => {
  const asked = ["Whose phone rings?", "Which event?"];
  const code = lessonCode(asked, [1, 0]);

  test("become a table and CSV, and a slip is found", async () => {
    await open(lessonOf().html, "#codes", "textarea");
    const example = await page.locator("label kbd").innerText();
    expect(readClassResults(example).lines).toHaveLength(1);
    const slip = code.replace(/-10-/, "-11-");
    await page.locator("textarea").fill(`Aroha ${code}\n=Ben, ${lessonCode(asked, [2, 1])}\nCleo ${slip}`);
    expect(await page.locator(".class-codes .bad").innerText()).toBe(
      `Line 3 has no code, or a slip in it: Cleo ${slip}`,
    );
    expect(await page.locator("tbody tr").allInnerTexts()).toEqual([
      expect.stringMatching(/^Aroha\s+\S{4}\s+1\s+shown$/),
      expect.stringMatching(/^=Ben\s+\S{4}\s+2\s+1$/),
      expect.stringMatching(/^Right at once\s+1 of 2\s+1 of 2$/),
    ]);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const path = join(mkdtempSync(join(tmpdir(), "ringback-class-")), "codes.csv");
    await (await saved).saveAs(path);
    const csv = readFileSync(path, "utf8");
    const lesson = code.slice(0, 4);
    expect(csv).toBe(`name,lesson,question 1,question 2\r\nAroha,${lesson},1,0\r\n'=Ben,${lesson},2,1\r\n`);
  });

  test("hold what was answered, and each slip in one sign is found", () => {
    let [slips, found] = [0, 0];
    for (const tries of [[1], [1, 2, 0], [3, 1, 1, 2]]) {
      const whole = lessonCode(asked, tries);
      expect(readClassResults(`Ann ${whole}`).lines).toEqual([
        { name: "Ann", lesson: whole.slice(0, 4), tries },
      ]);
      for (const [place, sign] of [...whole].entries()) {
        if (sign === "-") continue;
        const other = `${whole.slice(0, place)}${sign === "3" ? "4" : "3"}${whole.slice(place + 1)}`;
        slips++;
        if (readLessonCode(other) === undefined) found++;
      }
    }
    expect(found).toBe(slips);
  });

  test("are read as people hand them in: with other dashes, a full stop or a comma", () => {
    const named = { name: "Ann", lesson: code.slice(0, 4), tries: [1, 0] };
    for (const written of [
      `Ann ${code}.`,
      `Ann,${code}`,
      `Ann: ${code.toLowerCase()} `,
      `Ann ; ${code.replaceAll("-", "–")}`,
    ])
      expect(readClassResults(written).lines, written).toEqual([named]);
    // a line of separators takes no longer than another
    expect(readClassResults(",".repeat(100_000)).problems).toHaveLength(1);
  });
});
