import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listening } from "../server/support.ts";
import { folderWith, ringbackEnds, root } from "./support.ts";

const missed = `scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`;
const example = readFileSync(join(root, "docs/examples/explore-python/missed_calls.py"), "utf8");

/** Starts a program in Python. @returns where it listens */
async function startPython(program: string): Promise<string> {
  const child = spawn("python3", [join(folderWith({ "server.py": program }), "server.py"), "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, "data");
  return String(line).trim();
}

const flagsOf = (url: string) => ["--server", url, "--reset", "/reset", "--eventually", "/missed"];

describe("ringback explore --server", () => {
  test("fails a server in Python that counts twice, and passes the corrected one", async () => {
    const scenario = join(folderWith({ "missed.yaml": missed }), "missed.yaml");
    const mended = await startPython(example);
    const passed = await ringbackEnds("explore", scenario, ...flagsOf(mended));
    expect(passed).toMatchObject({ code: 0, err: "" });
    expect(passed.out).toContain("every property holds in each of these worlds");

    const careless = await startPython(example.replace('if event["id"] in seen:', "if False:"));
    const corpus = folderWith();
    const failed = await ringbackEnds("explore", scenario, ...flagsOf(careless), "--corpus", corpus);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain(
      '    POST /missed answered 500, expected 2xx: {"counted": 2, "expected": 1}\n',
    );
    expect(failed.out).toContain("\n  smallest: unanswered(PT30S call.not_answered)\n");
    const kept = join(corpus, "post-missed.yaml");
    expect(failed.out).toContain(`  replay: npx ringback run ${kept} ${flagsOf(careless).join(" ")}\n`);
    const again = await ringbackEnds("run", kept, ...flagsOf(careless));
    expect(again.code).toBe(1);
    expect(again.err).toContain("FAILS POST /missed: POST /missed answered 500");
    expect((await ringbackEnds("run", kept, ...flagsOf(mended))).code).toBe(0);
  });

  test("exits with 2 and the expected value if no server answers or it cannot be reset", async () => {
    const scenario = join(folderWith({ "missed.yaml": missed }), "missed.yaml");
    const explored = (...flags: string[]) => ringbackEnds("explore", scenario, ...flags);
    const { url: deaf } = await listening((request, response) => {
      response.writeHead(request.url === "/reset" ? 404 : 200).end("what?");
    });
    const results = await Promise.all([
      explored(...flagsOf("http://127.0.0.1:1")),
      explored(...flagsOf(deaf)),
      explored("--server", deaf),
      explored("--server", deaf, "--reset", "/reset"),
      explored(...flagsOf(deaf), "--workers", "2"),
      explored(...flagsOf("ftp://127.0.0.1")),
      explored(),
    ]);
    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2, 2]);
    const messages = [
      /server: POST \/reset: the server at http:\/\/127\.0\.0\.1:1 cannot be reached: /,
      /reset: POST \/reset answered 404, expected 2xx: what\?/,
      /--server: expected --reset PATH/,
      /--server: expected --eventually PATH or --always PATH/,
      /--workers: a server runs one world at a time/,
      /url: expected the address of a server such as/,
      /expected --with MODULE or --server URL/,
    ];
    for (const [index, message] of messages.entries()) expect(results[index]?.err).toMatch(message);
  });
});
