import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspect/index.ts";
import { ringback } from "../cli/support.ts";
import { lessonText } from "./pages.ts";
import { useWindow } from "./window.ts";

/** Pages of what explorations found, made from real reports. */

const window = useWindow();

/** An exploration in which a property does not hold. */
function explored(property: string, type: "call.ended" | "call.hungup") {
  return exploreReport({
    scenario: parseScenario(lessonText("01")),
    subject: () => ({}),
    deviations: 0,
    eventually: {
      [property]: (sim) => {
        if (sim.events.ofType(type).length > 0) throw new Error(`${type} was emitted`);
      },
    },
  });
}

describe("the page of an exploration", () => {
  test("shows the smallest world of each failure, with its reason", async () => {
    const reports = [
      await explored("no call ends", "call.ended"),
      await explored("nobody hangs up", "call.hungup"),
    ];
    const { page } = window;
    await window.show(inspectHtml({ failures: reports.flatMap(({ failures }) => failures) }));
    expect(await page.locator(".notice").innerText()).toContain("no call ends: call.ended was emitted");
    await page.selectOption("header .select", { label: "2 · nobody hangs up" });
    await page.locator(".notice summary", { hasText: "nobody hangs up: call.hungup" }).waitFor();
  });

  test("is written by the command from a JSON report", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ringback-report-"));
    const file = join(folder, "report.json");
    writeFileSync(file, JSON.stringify(await explored("no call ends", "call.ended"), null, 2));
    const { code, out } = ringback("inspect", file, "-o", "-");
    expect(code).toBe(0);
    expect(out.includes("no call ends: call.ended was emitted")).toBe(true);
  });

  test("is written by the command from an exploration's results", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ringback-report-"));
    const [subject, out] = [join(folder, "subject.mjs"), join(folder, "results.jsonl")];
    writeFileSync(
      subject,
      "export const subject = () => ({});\nexport const eventually = { never() { throw new Error('it did'); } };\n",
    );
    await ringback("explore", "01", "--with", subject, "--deviations", "0", "--out", out).code;
    const page = ringback("inspect", out, "-o", "-");
    expect(page.code).toBe(0);
    expect(page.out.includes("never: it did")).toBe(true);
  });

  test("is not written if nothing failed, or a failure has no journal", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ringback-report-"));
    const file = join(folder, "report.json");
    writeFileSync(file, JSON.stringify({ title: "x", failures: [] }));
    expect(ringback("inspect", file)).toMatchObject({
      code: 2,
      err: expect.stringContaining("nothing failed, so there is nothing to show"),
    });
    const failure = { property: "p", message: "m", smallest: { journal: { ringback: 1 } } };
    writeFileSync(file, JSON.stringify({ failures: [failure] }));
    expect(ringback("inspect", file)).toMatchObject({
      code: 2,
      err: expect.stringContaining("failures[0].smallest"),
    });
  });
});
