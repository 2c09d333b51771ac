import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { challenges } from "../../src/cli/challenge-tasks.ts";
import { isWhole } from "../counts.ts";
import { listening, unusedPort } from "../server/support.ts";
import { folderWith, ringbackEnds, root } from "./support.ts";

const attempt = (number: number, verdict: "fails" | "passes") =>
  join(root, `docs/challenges/attempts/${number}-${verdict}.mjs`);
const numbers = challenges.map(({ number }) => number);

describe("ringback challenge", () => {
  test("lists seven, a line each that begins with its number", async () => {
    const { code, out } = await ringbackEnds("challenge");
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect(lines[1]).toMatch(/^2 {2}Once .*15 min/);
  });

  test("tells the task of one: the three routes, the rule, how to begin, and no hint", async () => {
    const { code, out } = await ringbackEnds("challenge", "4");
    expect(code).toBe(0);
    for (const text of ["POST /hooks", "POST /numbers", "POST /reset", "What must hold", "--starter python"])
      expect(out).toContain(text);
    expect(out).not.toContain("createdTimestamp");
    expect((await ringbackEnds("challenge", "4", "--hint")).out).toContain("createdTimestamp");
  });

  test("prints starters that fail the first challenge with the call that is not logged", async () => {
    const { out } = await ringbackEnds("challenge", "--starter", "typescript");
    expect(out).toBe(readFileSync(join(root, "docs/examples/challenges/receiver.ts"), "utf8"));
    // the starter without its types, which are few
    const text = out
      .replace(/^import.*\n/m, "")
      .replaceAll(/: (Simulator|\{.*?\}\[\]|string\[\]|\{ live.*\})(?= =|\))|<string>/g, "");
    const { code, out: verdict } = await ringbackEnds(
      ...["challenge", "1", "--with", join(folderWith({ "receiver.mjs": text }), "receiver.mjs")],
    );
    expect(code).toBe(1);
    expect(verdict).toMatch(/your log is wrong: call-1.* missing/);
    for (const [language, file] of Object.entries({ python: "py", go: "go" }))
      expect((await ringbackEnds("challenge", "--starter", language)).out).toBe(
        readFileSync(join(root, `docs/examples/challenges/receiver.${file}`), "utf8"),
      );
  });

  test("prints a module in JavaScript that is the one in TypeScript without its types", async () => {
    const starter = async (language: string) => (await ringbackEnds("challenge", "--starter", language)).out;
    const plain = (await starter("typescript"))
      .replace(/^import.*\n\n/m, "")
      .replace("receiver.ts", "receiver.mjs")
      .replaceAll(/: (Simulator|\{.*?\}\[\]|string\[\]|\{ live.*\})(?= =|\))|<string>/g, "");
    expect(await starter("javascript")).toBe(plain);
    expect((await ringbackEnds("challenge", "1")).out).toContain("--with ./receiver.mjs");
  });

  test.each([
    [
      "the first request that reaches nobody, if its route has a typo",
      'sim.network.route("https://crm.test/hooks", () => 204);',
      "At 0:00.000 call.started reaches nobody: your module has no route for https://app.test/hooks, and your log is wrong: ",
    ],
    [
      "the request after which a call is there twice, not the last of all",
      'on((type, call) => { if (type === "call.hungup") log.push({ callId: call.id }); });',
      "At 1:00.000 call.hungup of call-1 arrives; you answer 204, and your log is wrong: ",
    ],
    [
      "the first request that is answered with no success",
      'on((type, call) => { if (type !== "call.ended") return 400; log.push({ callId: call.id }); });',
      "At 0:00.000 call.started of call-1 arrives; you answer 400, and your app refuses what the platform sends: call.started is answered 400",
    ],
  ])("names %s", async (_, code, sentence) => {
    const text = `export function subject(sim) {
      const log = [];
      const on = (handle) => sim.network.route("https://app.test/hooks", ({ body }) => {
        const { type, data } = JSON.parse(body);
        return handle(type, data.call) ?? 204;
      });
      ${code}
      return { log: () => log };
    }`;
    const path = join(folderWith({ "receiver.mjs": text }), "receiver.mjs");
    const { out } = await ringbackEnds("challenge", "1", "--with", path);
    expect(out).toContain(sentence);
    expect(out).not.toContain("you answer 200");
  });

  test.each(numbers)("passes an app that solves challenge %i", async (number) => {
    const { code, out, err } = await ringbackEnds(
      "challenge",
      `${number}`,
      "--with",
      attempt(number, "passes"),
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(": passes in ");
  });

  test.each([
    [1, "At 2:30.000 call.not_answered of call-1 arrives; you answer 204, and your log is wrong: "],
    [
      2,
      "comes again, as your answer of 0:30.000 is lost; you answer 204, and your log is wrong: call-1 is logged twice.",
    ],
    [
      3,
      "At 2:49.080 call.started of call-1 arrives only now, as that of 0:00.000 does not reach you; you answer 204",
    ],
    [4, "call.not_answered of call-1 arrives only now"],
    [
      5,
      "user.availability.updated of carol is the first to reach you after 2h down; you answer 204, and your board",
    ],
    [
      6,
      "call.ended of call-1 arrives, and you restart as soon as you have answered; you answer 204, and your log",
    ],
    [7, "A call.ended arrives that is signed with another secret; expected a 401, but you believe it"],
  ])("names the request and the answer that break an app in challenge %i", async (number, sentence) => {
    const { code, out } = await ringbackEnds("challenge", `${number}`, "--with", attempt(number, "fails"));
    expect(code).toBe(1);
    expect(out).toContain(sentence);
    expect(out).toContain(`A hint: npx ringback challenge ${number} --hint`);
    expect(out).not.toContain(challenges[number - 1]?.hint);
  });

  test("prints the verdict as JSON, with the requests", async () => {
    const { code, out } = await ringbackEnds("challenge", "5", "--with", attempt(5, "fails"), "--json");
    expect(code).toBe(1);
    const { ok, passed, failures } = JSON.parse(out);
    expect({ ok, passed }).toEqual({ ok: false, passed: false });
    expect(failures[0].requests).toMatchObject([
      { at: 3_600_000, type: "user.availability.updated", answer: "finds nobody who listens" },
      { at: 10_800_000, type: "user.availability.updated", attempt: 1, answer: "you answer 204" },
    ]);
    const passes = JSON.parse(
      (await ringbackEnds("challenge", "5", "--with", attempt(5, "passes"), "--json")).out,
    );
    expect(passes).toMatchObject({ ok: true, number: 5, passed: true });
  });
});

/** A server that logs finished calls, each once. @param answer what it answers the platform */
async function logging(answer = 204): Promise<string> {
  let log: { callId: string }[] = [];
  const { url } = await listening(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.url === "/log") return response.writeHead(200).end(JSON.stringify(log));
    if (request.url === "/reset") log = [];
    else if (request.url === "/hooks" && answer === 204) {
      const { type, data } = JSON.parse(text);
      const isFinished = type === "call.ended" || type === "call.not_answered";
      if (isFinished && log.every(({ callId }) => callId !== data.call.id))
        log.push({ callId: data.call.id });
    } else if (request.url !== "/hooks") return response.writeHead(404).end();
    return response.writeHead(request.url === "/hooks" ? answer : 204).end();
  });
  return url;
}

/** The events that a server knows, which its /reset leaves. */
const known = new Set<string>();

describe("ringback challenge --server", () => {
  test("passes a server that solves the challenge", async () => {
    const url = await logging();
    for (const number of isWhole ? ["1", "2"] : ["2"]) {
      const { code, out } = await ringbackEnds("challenge", number, "--server", url);
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(": passes in ") });
    }
  });

  test("fails a server that answers 2xx to forged requests, whatever it does with them", async () => {
    const { code, out } = await ringbackEnds("challenge", "7", "--server", await logging());
    expect(code).toBe(1);
    expect(out).toContain("expected a 401, but you");
  });

  test.each([
    [
      "a server that fails at a request",
      (crash: () => void) => crash(),
      "At 0:00.000 call.started of call-1 arrives; you give no answer, and your app closes the connection",
    ],
    [
      "a server that keeps something over /reset",
      (_: unknown, { id }: { id: string }) => !known.has(id) && known.add(id),
      "Your app does otherwise when a world begins anew: ",
    ],
  ])("names %s", async (_, isNew, sentence) => {
    let log: { callId: string }[] = [];
    known.clear();
    const { url } = await listening(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      if (request.url === "/reset") log = [];
      else if (request.url === "/hooks") {
        const event = JSON.parse(text);
        const { call } = event.data;
        if (isNew(() => response.destroy(), event) && call.endedAt !== null) log.push({ callId: call.id });
      }
      if (!response.destroyed) response.writeHead(200).end(JSON.stringify(log));
    });
    const { code, out } = await ringbackEnds("challenge", "1", "--server", url);
    expect(out).toContain(sentence);
    expect(out).not.toContain("cannot be reached");
    expect(code).toBe(1);
  });

  test("names the answer of a server that refuses the platform's requests", async () => {
    const { code, out } = await ringbackEnds("challenge", "1", "--server", await logging(422));
    expect(code).toBe(1);
    expect(out).toContain("call.started of call-1 arrives; you answer 422, and your app refuses what");
  });
});

describe("ringback challenge with bad input", () => {
  test.each<[string, readonly string[], string]>([
    ["a number that there is not", ["9"], "expected a challenge from 1 to 7"],
    ["a number that is none", ["one"], "expected a challenge from 1 to 7"],
    [
      "a module and a server",
      ["1", "--with", "a.mjs", "--server", "http://127.0.0.1:1"],
      "cannot be used with option",
    ],
    [
      "a server without a challenge",
      ["--server", "http://127.0.0.1:1"],
      "expected the number of a challenge too",
    ],
    ["a module that is not there", ["1", "--with", "nowhere.mjs"], "nowhere.mjs"],
    ["an address that is none", ["1", "--server", "localhost"], "expected the address of a server"],
    ["a restart without a server", ["6", "--with", attempt(6, "passes"), "--restart", "true"], "--restart"],
    [
      "a restart where none happens",
      ["1", "--server", "http://127.0.0.1:1", "--restart", "true"],
      "only challenge 6",
    ],
    [
      "a server that cannot be restarted",
      ["6", "--server", "http://127.0.0.1:1"],
      "expected --restart COMMAND too",
    ],
    [
      "a starter in no language",
      ["--starter", "cobol"],
      "Allowed choices are javascript, typescript, python, go, java",
    ],
  ])("ends with 2 for %s", async (_, args, message) => {
    const { code, out, err } = await ringbackEnds("challenge", ...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
  });

  test("ends with 2 for a server that nobody can reach", async () => {
    const url = `http://127.0.0.1:${await unusedPort()}`;
    const { code, err } = await ringbackEnds("challenge", "1", "--server", url);
    expect(code).toBe(2);
    expect(err).toContain(`${url}: `);
    expect(err).toContain("cannot be reached");
  });

  test("ends with 2 for a module whose app shows nothing, and names the function", async () => {
    const folder = folderWith({ "receiver.mjs": "export const subject = () => ({});" });
    const { code, err } = await ringbackEnds("challenge", "1", "--with", join(folder, "receiver.mjs"));
    expect(code).toBe(2);
    expect(err).toContain("with the function `log`");
  });
});
