import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { processOutput } from "../../src/cli/output.ts";
import { main } from "../../src/cli/program.ts";
import { createSimulator, replay } from "../../src/index.ts";
import { inspectHtml } from "../../src/inspector/index.ts";
import {
  failing,
  folderWith,
  impossible,
  lessons,
  misspelt,
  passing,
  ringback,
  ringbackOn,
  root,
} from "./support.ts";

const names = readdirSync(lessons).filter((name) => name.endsWith(".yaml"));

test("the help of each command explains every option in its source", () => {
  const folder = join(root, "src/cli");
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const named = sources.flatMap((name) => [
    ...readFileSync(join(folder, name), "utf8").matchAll(
      /(?:[oO]ption)\(\s*"(?:-\w, )?(--[\w-]+)[^"]*"(?!\)\.hideHelp)/g,
    ),
  ]);
  const options = [...new Set(named.map(([, option]) => option))];
  const commands = [...ringback("--help").out.matchAll(/^ {2}(\w+) .*\S/gm)].map(([, name = ""]) => name);
  const explained = ["--help", ["explore", "--help-all"], ...commands.map((name) => [name, "--help"])].map(
    (args) => ringback(...[args].flat()).out,
  );
  const isExplained = (option = "") =>
    explained.some((help) =>
      new RegExp(`^ +(-\\w, )?${option}( <[^>]+>| \\[[^\\]]+\\])? {2,}\\S`, "m").test(
        help.replaceAll(/\n {20,}/g, "  "),
      ),
    );
  expect(options.length).toBeGreaterThan(20);
  expect(options.filter((option) => !isExplained(option))).toEqual([]);
});

describe("ringback check", () => {
  test("notes old names of steps with the new ones, and lets them pass", () => {
    const folder = folderWith({
      "a.yaml": `scenario: Old names
steps:
  - { at: PT0S, conditions: { url: "https://crm.test/", loss: 0.5 } }
  - { at: PT0S, fault: { url: "https://crm.test/", loss: 0 } }
`,
    });
    const { code, out, err } = ringback("check", folder);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(
      `note   ${folder}/a.yaml:3: \`conditions\` still works; the new name is \`fault\`\n`,
    );
    expect(out.match(/^note/gm)).toHaveLength(1);
    const { scenarios } = JSON.parse(ringback("check", folder, "--json").out);
    expect(scenarios[0].notes).toEqual([{ line: 3, name: "conditions", now: "fault" }]);
  });

  test("lists each valid scenario with its number of steps", () => {
    const folder = folderWith({ "a.yaml": passing, "b.yaml": failing });
    const { code, out, err } = ringback("check", folder);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      `ok     ${folder}/a.yaml  1 step\nok     ${folder}/b.yaml  1 step\n\n2 checked: 2 ok, 0 wrong\n`,
    );
  });

  test("does not compare streams, so it ignores a mismatch", () => {
    expect(ringback("check", folderWith({ "a.yaml": failing })).code).toBe(0);
  });

  test("plays scenarios, and so finds an unknown number", () => {
    const { code, err } = ringback("check", folderWith({ "a.yaml": impossible }));
    expect(code).toBe(2);
    expect(err).toMatch(/a\.yaml:3:5: step 1 \(inbound\) at PT0S .*nobody has the number \+6495559999/);
    expect(err).toContain("\n> 3 |   - { at: PT0S, inbound: ");
  });

  test("names file, line and column of every wrong scenario", () => {
    const folder = folderWith({
      "a.yaml": misspelt,
      "b.yaml": passing,
      "c.yaml": "scenario: 5\nsteps: []\n",
    });
    const { code, out, err } = ringback("check", folder);
    expect(code).toBe(2);
    expect(out).toBe(`ok     ${folder}/b.yaml  1 step\n\n3 checked: 1 ok, 2 wrong\n`);
    expect(err.split("\n")).toEqual([
      `ringback: ${folder}/a.yaml:2:1: setps: unknown key; did you mean "steps"?`,
      "  1 | scenario: A rule",
      "> 2 | setps: []",
      "    | ^^^^^",
      `ringback: ${folder}/c.yaml:1:11: scenario: expected text, got 5; put it in quotes: "5"`,
      "> 1 | scenario: 5",
      "    |           ^",
      "  2 | steps: []",
      "",
    ]);
  });

  test("--json prints the scenarios, and the position of each problem", () => {
    const folder = folderWith({ "a.yaml": passing, "c.yaml": "scenario: 5\nsteps: []\n" });
    const { code, out, err } = ringback("check", folder, "--json");
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      failures: [
        {
          cause: 'scenario: expected text, got 5; put it in quotes: "5"',
          place: join(folder, "c.yaml:1:11"),
        },
      ],
      scenarios: [
        { path: join(folder, "a.yaml"), scenario: "It rings for thirty seconds", steps: 1 },
        { path: join(folder, "c.yaml"), problems: [{ line: 1, column: 11 }] },
      ],
    });
  });

  test("accepts the lessons", () => {
    const { code, out } = ringback("check", lessons);
    expect(code).toBe(0);
    expect(out.match(/^ok /gm)).toHaveLength(names.length);
  });
});

describe("ringback run without arguments, and its old name list", () => {
  test("lists the lessons by their numbers for run, with their questions and no answers", () => {
    const { code, out, err } = ringback("run");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(ringback("list")).toEqual({ code, out, err: "ringback: `ringback list` is now `ringback run`\n" });
    for (const name of names) expect(out).toMatch(new RegExp(`^${name.replace(/-.*/, "")} {2}.+\\?$`, "m"));
    expect(out).toMatch(/^01 {2}Alice has a mobile and a desktop app\. Someone calls her number\. /);
    expect(out).not.toContain("first-endpoint-wins");
    expect(out).not.toContain("The first endpoint to answer wins");
    const [, folder = ""] = /^`ringback run 01` plays the first; their files are in (.*)$/m.exec(out) ?? [];
    expect(realpathSync(folder)).toBe(realpathSync(lessons));
    expect(ringback("run", "01-first-endpoint-wins").code).toBe(0);
    expect(ringback("run", "first-endpoint-wins").code).toBe(0);
  });

  test("lists the scenarios of a folder", () => {
    const folder = folderWith({
      "a.yaml": "scenario: A rule\ndescription: |\n  Why.\n  And how.\nsteps: []\n",
    });
    expect(ringback("list", folder).out).toBe(`${folder}/a.yaml\n  A rule\n  Why.\n  And how.\n\n`);
  });

  test("--json prints them as data", () => {
    const folder = folderWith({ "a.yaml": passing });
    expect(JSON.parse(ringback("list", folder, "--json").out)).toEqual({
      ...{ ok: true, failures: [] },
      scenarios: [{ path: join(folder, "a.yaml"), scenario: "It rings for thirty seconds", description: "" }],
    });
  });

  test("gives exit code 2 for a folder that is missing", () => {
    const { code, err } = ringback("list", "nowhere");
    expect(code).toBe(2);
    expect(err).toMatch(/^ringback: nowhere: no such file, folder or lesson/m);
  });
});

describe("ringback run with a journal, and its old name replay", () => {
  function journalFile(text: string): string {
    return join(folderWith({ "journal.json": text }), "journal.json");
  }

  function recorded() {
    const sim = createSimulator({ seed: 7 });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT31S");
    return sim;
  }

  test("plays a journal to its end and prints a timeline", () => {
    const sim = recorded();
    const { code, out, err } = ringback("run", journalFile(JSON.stringify(sim.journal())));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(sim.events.toTimeline());
  });

  test("writes a page in chunks, however long the journal is", () => {
    const sim = createSimulator();
    for (let index = 0; index < 2_000; index++) {
      sim.users.get("alice").setAvailability(index % 2 === 0 ? "offline" : "busy", { reason: "</script>" });
      sim.advance("PT1S");
    }
    for (const start of ["", "-"])
      sim.users.get("alice").setAvailability("busy", { reason: start + "\u{1f600}".repeat(50_000) });
    const file = join(folderWith({ "long.json": JSON.stringify(sim.journal()) }), "long.json");
    const pieces: string[] = [];
    const output = { isTerminal: false, out: (text: string) => void pieces.push(text), err: () => {} };
    expect(main(["run", "--format", "html", file], output)).toBe(0);
    const lengths = pieces.map(({ length }) => length);
    expect(pieces.join("")).toBe(inspectHtml(replay(sim.journal())));
    // a journal as long as this one would be seen
    expect(JSON.stringify(sim.journal()).length).toBeGreaterThan(200_000);
    expect(Math.max(...lengths)).toBeLessThan(150_000);
    // as it is written, a piece at a time
    expect(pieces.map((piece) => Buffer.from(piece).toString()).join("")).toBe(pieces.join(""));
  });

  test("has an old name, which says what to write now", () => {
    const file = journalFile(JSON.stringify(recorded().journal()));
    const { out } = ringback("run", file);
    const err = "ringback: `ringback replay` is now `ringback run <journal>`\n";
    expect(ringback("replay", file)).toEqual({ code: 0, out, err });
    expect(ringback("replay", file, "--json").err).toBe("");
  });

  test("is played alone, and has nothing to update or to report", () => {
    const file = journalFile(JSON.stringify(recorded().journal()));
    expect(ringback("run", file, "01").err).toContain("this is a journal, which is played alone");
    for (const option of [["--update"], ["--output", `${file}.out`]])
      expect(ringback("run", file, ...option)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${option[0]}: a journal is only played again`),
      });
    expect(ringback("run", file, "--format", "junit").err).toContain("a journal has no expectations");
  });

  test("is no capture, which `import` takes", () => {
    const line = JSON.stringify({ request: { body: "{}", headers: {} } });
    const file = join(folderWith({ "capture.jsonl": `${line}\n` }), "capture.jsonl");
    const { code, err } = ringback("run", file);
    expect(code).toBe(2);
    expect(err).toContain(
      `this is a capture of requests: \`ringback import ${file}\` turns it into a scenario`,
    );
  });

  test("prints the same bytes as --format jsonl", () => {
    const sim = recorded();
    const { out } = ringback("run", journalFile(JSON.stringify(sim.journal())), "--format", "jsonl");
    expect(out).toBe(sim.events.toJSONL());
  });

  test.each([
    ["no JSON", "{", /journal\.json: journal: expected JSON: /],
    ["no journal", '{"scenario": "T"}', /journal\.json: journal\./],
    [
      "of another version",
      '{"ringback":2,"options":{},"entries":[],"end":{"atMs":0,"step":0}}',
      /expected a journal of version 1/,
    ],
    [
      "that issues an unknown command",
      JSON.stringify({
        ...recorded().journal(),
        entries: [{ atMs: 1_782_864_000_000, step: 0, command: "fly", args: {} }],
      }),
      /journal\.json: journal\.entries\[0\]\.command: no command is named "fly"/,
    ],
    [
      "that answers a call that never was",
      JSON.stringify(recorded().journal()).replace('"command":"inbound"', '"command":"answer"'),
      /journal\.json: journal\.entries\[0\]: answer: /,
    ],
  ])("gives exit code 2 for a file that is %s", (_, text, problem) => {
    const { code, out, err } = ringback("replay", journalFile(text));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(problem);
  });

  test.each([
    [
      "is missing",
      () => "nowhere.json",
      /^ringback: nowhere\.json: no such file\. To write a journal in a test: JSON\.stringify/m,
    ],
    ["is a folder", () => lessons, /^ringback: .*scenarios: this is a folder, expected a file/m],
  ])("gives exit code 2 for a file that %s", (_, path, problem) => {
    const { code, err } = ringback("replay", path());
    expect(code).toBe(2);
    expect(err).toMatch(problem);
  });
});

describe("help", () => {
  test("names every command in its group", () => {
    const { code, out } = ringback("--help");
    expect(code).toBe(0);
    const groups = out.matchAll(/^(\S.*):\n((?: {2,}.*\n)+)/gm);
    const named = [...groups].map(([, group, rows = ""]) => [
      group,
      [...rows.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name),
    ]);
    expect(named).toEqual([
      ["Options", []],
      ["Play scenarios", ["run", "check", "stories"]],
      ["Test an app", ["explore", "merge", "probe", "trigger", "fixtures", "unseen", "keep", "init"]],
      ["Simulate over HTTP", ["serve", "openapi"]],
      ["Start from what happened", ["record", "import", "journal"]],
      ["Look and learn", ["inspect", "ask", "play", "challenge"]],
      ["Help", ["help"]],
    ]);
  });

  test.each([
    ["run", "[scenario...]", ["--format", "--update", "--write-expect", "--twice", "--json"]],
    ["check", "<scenario...>", ["--json"]],
    ["list", "[folder]", ["--json"]],
    ["replay", "<journal>", ["--format"]],
  ])("of %s names its argument and its options", (command, argument, options) => {
    const { code, out, err } = ringback(command, "--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`Usage: ringback ${command} [options] ${argument}`);
    for (const option of options) expect(out).toContain(`  ${option}`);
  });

  test("of explore shows at most 20 options, and all of them with --help-all", () => {
    const optionsIn = (help: string) =>
      [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);
    const [usual, all] = ["--help", "--help-all"].map((each) => {
      const { code, out, err } = ringback("explore", each);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      return optionsIn(out);
    });
    expect(usual?.length).toBeLessThanOrEqual(20);
    expect(usual).toContain("--help-all");
    expect(all).toEqual(expect.arrayContaining([...(usual ?? []), "--horizon", "--shard", "--dialect"]));
    expect(optionsIn(ringback("explore", "--help").out)).toEqual(usual);
  });

  test("has no colours, even on a terminal", () => {
    expect(ringbackOn({ isTerminal: true }, "run", "--help").out).toBe(ringback("run", "--help").out);
  });

  test("is shown without a command, as an error", () => {
    const { code, out, err } = ringback();
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("Usage: ringback");
  });
});

describe("ringback", () => {
  test("--version prints the version of the package", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(ringback("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  test.each([
    ["an unknown command", ["rnu", "01"], /unknown command 'rnu'\n\(Did you mean run\?\)/],
    [
      "an unknown option",
      ["run", "01", "--fromat", "jsonl"],
      /unknown option '--fromat'\n\(Did you mean --format\?\)/,
    ],
    ["an option without its value", ["run", "01", "--format"], /argument missing/],
    ["too many arguments", ["replay", "a.json", "b.json"], /too many arguments/],
  ])("exits with 2 for %s and points to the help", (_, args, problem) => {
    const { code, out, err } = ringback(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(problem);
    expect(err).toContain("(--help after a command shows what it takes, ringback --help all commands)");
  });
});

describe("the output of the process", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    Reflect.deleteProperty(process.stdout, "isTTY");
  });

  function isTerminalOn(isTTY: boolean, env: Readonly<Record<string, string>>): boolean {
    for (const name of ["NO_COLOR", "FORCE_COLOR", "TERM"]) vi.stubEnv(name, env[name]);
    Object.defineProperty(process.stdout, "isTTY", { value: isTTY, configurable: true });
    return processOutput().isTerminal;
  }

  test("has colours on a terminal", () => {
    expect(isTerminalOn(true, { TERM: "xterm" })).toBe(true);
    expect(isTerminalOn(false, { TERM: "xterm" })).toBe(false);
  });

  test("has colours if FORCE_COLOR is set, unless NO_COLOR is", () => {
    expect(isTerminalOn(false, { FORCE_COLOR: "1" })).toBe(true);
    expect(isTerminalOn(false, { FORCE_COLOR: "" })).toBe(true);
    expect(isTerminalOn(true, { FORCE_COLOR: "0" })).toBe(false);
    expect(isTerminalOn(true, { FORCE_COLOR: "false" })).toBe(false);
    expect(isTerminalOn(true, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
  });

  test("has no colours if NO_COLOR is set to anything", () => {
    expect(isTerminalOn(true, { NO_COLOR: "1" })).toBe(false);
    expect(isTerminalOn(true, { NO_COLOR: "" })).toBe(true);
  });

  test("has no colours on a dumb terminal", () => {
    expect(isTerminalOn(true, { TERM: "dumb" })).toBe(false);
  });
});
