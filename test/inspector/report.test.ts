import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callLog, exploreReport } from "../../src/explore/index.ts";
import { parseScenario } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";
import { ringback, ringbackEnds } from "../cli/support.ts";
import { pairs } from "../explore/dependencies/apps.ts";
import { textsInSystemFonts } from "./fonts.ts";
import { fileOf, lessonText, selected } from "./pages.ts";
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

/** An app that logs an activity for each finished call, and logs it again when it does not know that it has. */
function twiceLogged() {
  return exploreReport({
    scenario(sim) {
      sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    },
    subject(sim) {
      const activities: string[] = [];
      sim.network.route("https://crm.test/", ({ body }) => {
        activities.push(JSON.parse(body).data.call.contactNumber);
        return 204;
      });
      return activities;
    },
    eventually: { "one activity a call": (_, activities) => expect(activities).toHaveLength(1) },
  });
}

/** An app that writes to each caller, and writes again when it does not know that it has. */
function twiceWritten() {
  return exploreReport({
    scenario(sim) {
      sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    },
    subject(sim) {
      sim.network.route("https://crm.test/", async ({ body }) => {
        const { id, contactNumber: to } = JSON.parse(body).data.call;
        const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
        await sim.fetch(`https://api.ringback.test/calls/${id}`, { headers });
        const message = JSON.stringify({ from: "+6495550100", to, body: "Sorry that we missed you" });
        await sim.fetch("https://api.ringback.test/messages", { method: "POST", headers, body: message });
        return 204;
      });
    },
    deviations: { atMost: 1, kinds: ["unanswered"] },
    eventually: {
      "at most one message": (sim) => sim.events.ofType("conversation.message.created").length <= 1,
    },
  });
}

/** Which views the page's header says are shown while something is done, until the failure is there. */
async function pressedWhile(act: () => Promise<unknown>): Promise<string[]> {
  const { page } = window;
  await page.evaluate(() => {
    const seen = new Set<string>();
    new MutationObserver(() => {
      const pressed = document.querySelector(".app-bar .segments [aria-pressed=true]");
      seen.add(pressed?.textContent ?? "");
      document.documentElement.dataset.seen = [...seen].join();
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await act();
  await page.locator(".sentence", { hasText: "call.hungup was emitted" }).waitFor();
  return (await page.locator("html").getAttribute("data-seen"))?.split(",") ?? [];
}

describe("the page of an exploration", () => {
  test("tells failures of one property apart by their deviations", async () => {
    const [failure] = (await twiceLogged()).failures;
    if (failure === undefined) throw new Error("expected a failure");
    const { page } = window;
    await page.goto(fileOf(inspectHtml({ failures: [failure, failure] })));
    const names = page.locator("select option");
    expect(await names.first().innerText()).toBe("1 · one activity a call: the answer to call.ended is lost");
  });

  test("shows the smallest world of each failure, with its reason", async () => {
    const reports = [
      await explored("no call ends", "call.ended"),
      await explored("nobody hangs up", "call.hungup"),
    ];
    const { page } = window;
    await page.goto(fileOf(inspectHtml({ failures: reports.flatMap(({ failures }) => failures) })));
    await page.waitForSelector(".world");
    expect(await page.locator(".sentence").innerText()).toBe("call.ended was emitted.");
    const pressed = await pressedWhile(() =>
      page.selectOption(".app-bar .select", { label: "2 · nobody hangs up" }),
    );
    expect(pressed).toEqual(["Failure"]);
    await page.getByRole("button", { name: "Inspect" }).click();
    await page.locator(".notice summary", { hasText: "nobody hangs up: call.hungup" }).waitFor();
  });

  test("says what failed once, with the call in a person's words", async () => {
    const report = await exploreReport({
      scenario(sim) {
        sim.webhooks.create({ url: "https://crm.test/", events: ["call.not_answered", "call.ended"] });
        const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
        sim.advance("PT40S");
        call.leaveVoicemail({ duration: "PT8S" });
      },
      app(sim) {
        const log: { readonly callId: string }[] = [];
        sim.network.route("https://crm.test/", ({ body }) => {
          log.push({ callId: JSON.parse(body).data.call.id });
          return 204;
        });
        return log;
      },
      ...callLog({ rows: (log: { readonly callId: string }[]) => log }),
      deviations: 0,
    });
    const { page } = window;
    await page.goto(fileOf(inspectHtml(report)));
    await page.waitForSelector(".shared-steps .instant");
    expect(await page.locator(".sentence").innerText()).toBe("A missed call with a message is logged twice.");
    // the bar's title is for screen readers alone
    expect((await page.locator("h1").boundingBox())?.width).toBeLessThan(2);
    const text = await page.locator(".world").innerText();
    expect(text.split("the call log has one row for each call that is over")).toHaveLength(2);
    expect(text.split("is logged twice")).toHaveLength(2);
    expect(text.split("without any deviation")).toHaveLength(2);
  });

  test("keeps the words of a message that is about an instant, long or empty", async () => {
    const [failure] = (await explored("no call ends", "call.ended")).failures;
    if (failure === undefined) throw new Error("expected a failure");
    const ring = "said to ring ".repeat(20).trim();
    const [is, was] = [`call-1 is ${ring}`, `call-1 was ${ring}`];
    const messages = ["call-1 is ringing", "", is, `\n${was}\nand more`];
    const { page } = window;
    const failures = messages.map((message) => ({ ...failure, message }));
    await page.goto(fileOf(inspectHtml({ failures: [failure, ...failures] })));
    const mustSay = async (index: number, text: string) => {
      await page.locator(".app-bar .select").selectOption({ index });
      await page.locator(".sentence", { hasText: text }).waitFor({ timeout: 5_000 });
      expect(await page.locator(".sentence").innerText()).toBe(text);
    };
    await mustSay(1, "call-1 is ringing.");
    await mustSay(2, "An error without a message is thrown.");
    await mustSay(3, `call-1 is ${"said to ring ".repeat(11)}said …`);
    expect(await page.locator(".card .message").innerText()).toBe(is);
    await mustSay(4, `call-1 was ${"said to ring ".repeat(11)}said …`);
    expect(await page.locator(".card .message").innerText()).toBe(was);
  });

  test("tells the failure in one sentence, and shows the failing world beside the nearest passing one", async () => {
    const { page } = window;
    await page.goto(fileOf(inspectHtml(await twiceLogged())));
    await page.waitForSelector(".branch.fails .instant");
    expect(await page.locator(".sentence").innerText()).toBe(
      'The answer to call.ended is lost; it comes again at 3:54; your app ends with one more, "+6421555001".',
    );
    const [passes, fails] = [page.locator(".branch.passes"), page.locator(".branch.fails")];
    expect(await passes.locator(".chip").allInnerTexts()).toEqual(["204"]);
    expect(await fails.locator(".request .chip").allInnerTexts()).toEqual(["answer lost", "204"]);
    expect(await page.locator(".first").innerText()).toBe(
      "First difference at 1:05: the answer to call.ended is lost",
    );
    expect(await fails.locator(".state.bad .added").innerText()).toContain("+6421555001");
    // only events that somebody asked for have a line of their own
    expect(await page.locator(".shared-steps .unasked").allInnerTexts()).toContain(
      "no webhook asks for call.not_answered",
    );
    expect(await page.locator(".difference").innerText()).toMatch(/- 1\n.*\+ 2\n/s);
    await page.locator(".sentence .follows").click();
    expect(await selected(page)).toContain("call.ended attempt 2");
    // the app's state has a lane of its own there
    expect(await page.locator(".lane-head", { hasText: "your app" }).count()).toBe(1);
    const changed = page.locator(".step", { hasText: "Your app changes" });
    expect(await changed.innerText()).toContain('+ "+6421555001"');
    await changed.click();
    await page.click("#tab-payload");
    expect(await page.locator("#detail-body .state .added").innerText()).toContain("+6421555001");
  });

  test("explains events that arrive out of order, and which field gives their order", async () => {
    const report = await exploreReport({
      scenario(sim) {
        sim.webhooks.create({ url: "https://desk.test/", events: ["call.started", "call.ended"] });
        sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
      },
      subject(sim) {
        const board = { live: [] as string[], over: 0 };
        sim.network.route("https://desk.test/", ({ body }) => {
          const { type, data } = JSON.parse(body);
          if (type === "call.started") board.live.push(data.call.contactNumber);
          else {
            board.live = board.live.filter((each) => each !== data.call.contactNumber);
            board.over++;
          }
          return 204;
        });
        return board;
      },
      eventually: { "nobody is left": (_, board) => expect(board.live).toEqual([]) },
    });
    const { page } = window;
    await page.goto(fileOf(inspectHtml(report)));
    await page.waitForSelector(".branch.fails .instant");
    expect(await page.locator(".sentence").innerText()).toBe(
      'call.started is lost; it comes at 2:49, after call.ended; your app ends with live: ["+6421555001"], not [].',
    );
    expect(await page.locator(".advice").innerText()).toContain("createdTimestamp");
  });

  test("forks the run with another deviation of a request", async () => {
    const { page } = window;
    await page.goto(fileOf(inspectHtml(await twiceLogged())));
    const request = page.locator(".branch.fails .request").first();
    await request.locator("summary").click();
    await request.getByRole("button", { name: "lost", exact: true }).click();
    await page.waitForSelector(".branch.tried");
    expect(await page.locator(".tried-note b").innerText()).toBe("You tried: call.ended at 1:05: lost.");
    expect(await page.locator(".branch.tried .request .chip").allInnerTexts()).toEqual(["lost", "204"]);
    // on top of it: the attempt that follows
    const next = page.locator(".branch.tried .request").nth(1);
    await next.locator("summary").click();
    await next.getByRole("button", { name: "twice", exact: true }).click();
    await page.locator(".tried-note b", { hasText: "; call.ended, attempt 2 at 3:54: twice." }).waitFor();
    expect(await page.locator(".branch.tried .request .chip").allInnerTexts()).toEqual([
      "lost",
      "204",
      "204",
    ]);
    await page.getByRole("button", { name: "Back to the failure" }).click();
    await page.waitForSelector(".branch.passes");
  });

  test("names the REST answer that is the first difference", async () => {
    const { page } = window;
    const report = await exploreReport({
      scenario(sim) {
        sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
        sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
      },
      subject(sim) {
        const names: unknown[] = [];
        sim.network.route("https://crm.test/", async ({ body }) => {
          const headers = { authorization: `Bearer ${sim.token()}` };
          const { id } = JSON.parse(body).data.call;
          const answer = await sim.fetch(`https://api.ringback.test/calls/${id}`, { headers });
          names.push(((await answer.json()) as { contactNumber?: string }).contactNumber);
          return 204;
        });
        return names;
      },
      deviations: { atMost: 1, kinds: ["503"] },
      eventually: { "each number is known": (_, names) => names.every((each) => each !== undefined) },
    });
    await page.goto(fileOf(inspectHtml(report)));
    await page.waitForSelector(".branch.fails .instant");
    expect(await page.locator(".first").innerText()).toBe(
      "First difference at 1:05: GET /calls/call-1 is answered 503, not 200",
    );
    await page.getByRole("button", { name: "Inspect" }).click();
    await page
      .locator(".notice summary", { hasText: "each number is known, when GET /calls/call-1 is answered 503" })
      .waitFor();
  });

  test("names the call to a dependency that is the first difference, beside what its app called", async () => {
    const { page } = window;
    const { wrong } = pairs["writes, then remembers"] ?? {};
    const report = await exploreReport({
      ...wrong,
      deviations: { atMost: 1, on: ["crm"] },
    } as Parameters<typeof exploreReport>[0]);
    await page.goto(fileOf(inspectHtml(report)));
    await page.waitForSelector(".branch.fails .instant");
    // a name keeps its case, also where it begins a sentence
    expect(await page.locator(".sentence").innerText()).toBe(
      "crm does POST /activities and its answer is lost; a missed call is logged twice.",
    );
    expect(await page.locator(".first").innerText()).toBe(
      "First difference at 1:05: the answer to crm POST /activities is lost",
    );
    expect(await textsInSystemFonts(page)).toEqual([]);
    const called = page.locator(".branch.fails .inside").first().locator("li");
    expect((await called.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim())).toEqual([
      "db has done",
      "crm POST /activities (deviation) answer lost",
    ]);
  });

  test("tries a lost and a duplicated REST request, and says which deviations change nothing", async () => {
    const { page } = window;
    await page.goto(fileOf(inspectHtml(await twiceWritten())));
    const first = page.locator(".branch.fails .request").first();
    const written = first.locator(".inside li", { hasText: "POST /messages" });
    await written.locator("summary").click();
    expect(await written.locator(".what-if button").allInnerTexts()).toEqual(["lost", "twice"]);
    expect(await written.locator(".what-if p").innerText()).toContain(
      "answer lost: the platform has processed it anyway, and only your app would notice",
    );
    const read = first.locator(".inside li", { hasText: "GET /calls" });
    await read.locator("summary").click();
    expect(await read.locator(".what-if button").count()).toBe(0);
    expect(await read.locator(".what-if p").innerText()).toContain("it changes nothing at the platform");
    await written.getByRole("button", { name: "lost" }).click();
    await page.waitForSelector(".branch.tried");
    const messages = page.locator(".branch.tried", { hasText: "conversation.message.created" });
    expect(await page.locator(".tried-note b").innerText()).toBe("You tried: POST /messages at 1:05: lost.");
    // what the second attempt asks is as it was
    expect(await messages.locator(".unasked, .step-line", { hasText: "message.created" }).count()).toBe(1);
    await page.getByRole("button", { name: "Back to the failure" }).click();
    await written.locator("summary").click();
    await written.getByRole("button", { name: "twice" }).click();
    await page.waitForSelector(".branch.tried");
    const asked = page.locator(".branch.tried .inside li", { hasText: "POST /messages" });
    expect(await asked.count()).toBe(3);
  });

  test("loses a data action's answer in a run that did not fail", async () => {
    const { page } = window;
    await window.show(inspectHtml(parseScenario(lessonText("31"))));
    await page.locator(".step", { hasText: "outboundCall" }).first().click();
    await page.click("#tab-fork");
    const request = page.locator(".what-if .bar", { hasText: "outboundCall" });
    await request.getByRole("button", { name: "answer lost" }).click();
    await page.waitForSelector(".compare .new");
    expect(await page.locator(".compare").innerText()).toContain("call.not_answered");
  });

  test("is written by the command from a JSON report", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ringback-report-"));
    const file = join(folder, "report.json");
    writeFileSync(file, JSON.stringify(await explored("no call ends", "call.ended"), null, 2));
    const { code, out } = ringback("inspect", file, "-o", "-");
    expect(code).toBe(0);
    expect(out.includes("no call ends: call.ended was emitted")).toBe(true);
  });

  test("is written by the command from an exploration's results, and from what it printed as JSON", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ringback-report-"));
    const [subject, out, json] = ["subject.mjs", "results.jsonl", "report.json"].map((each) =>
      join(folder, each),
    ) as [string, string, string];
    writeFileSync(
      subject,
      "export const subject = () => ({});\nexport const eventually = { never() { throw new Error('it did'); } };\n",
    );
    const flags = ["--with", subject, "--deviations", "0", "--out", out, "--json"];
    const { code, out: printed } = await ringbackEnds("explore", "01", ...flags);
    expect(code).toBe(1);
    writeFileSync(json, printed);
    for (const file of [out, json]) {
      const page = ringback("inspect", file, "-o", "-");
      expect(page).toMatchObject({ code: 0, err: "" });
      expect(page.out.includes("never: it did")).toBe(true);
    }
  });

  test("is refused if nothing failed, or a failure has no journal", async () => {
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
