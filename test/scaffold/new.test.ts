import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { addTo } from "../../docs/scaffold/kinds.ts";
import { isWhole } from "../counts.ts";
import { TreeCopy } from "../tree-copy.ts";

/**
 * `npm run new` writes the places that an addition needs. All tests use one copy, one after the other.
 * What they add is nothing that anyone will add: otherwise they would fail as soon as it exists.
 */

const copy = new TreeCopy();
afterAll(() => copy.remove());

const read = (path: string) => readFileSync(join(copy.root, path), "utf8");

/** All that a refused addition could have changed. */
function everyText(): string {
  const folders = ["src", "machines", "scenarios", "test/platform", "test/rest", "docs"];
  const files = folders.flatMap((folder) =>
    readdirSync(join(copy.root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return [...files, join(copy.root, "CHANGELOG.md")]
    .map((file) => `${file}\n${readFileSync(file, "utf8")}`)
    .join("\n");
}

describe("npm run new", () => {
  const before = everyText();

  test.each([
    ["nothing", [], /^expected what to add:\n\n {2}npm run new command <name> <capability> /],
    ["an unknown kind", ["commands", "whirl"], /^expected what to add/],
    ["a command without a name", ["command"], /^command is missing, such as park$/],
    [
      "a command with a bad name",
      ["command", "whirl-it", "calls"],
      /^"whirl-it" is no command: expected a form/,
    ],
    ["a command that exists", ["command", "answer", "calls"], /^there is a command answer already/],
    [
      "a command after one that is unknown",
      ["command", "whirl", "calls", "jugle"],
      /^"jugle" is no command on calls; expected one of: inbound, /,
    ],
    [
      "a command nowhere",
      ["command", "whirl", "nowhere"],
      /^"nowhere" is no capability; expected one of: live, /,
    ],
    [
      "a state that exists",
      ["state", "ended", "call", "over"],
      /^machines\/call\.ts: states has ended already/,
    ],
    ["a state of no machine", ["state", "whirled", "phone"], /^"phone" is no machine; expected one of: /],
    [
      "a state without a look",
      ["state", "whirled", "call"],
      /^look of call is missing; expected one of: wait, ring, /,
    ],
    [
      "a timer that exists",
      ["timer", "ringTimeout", "ring"],
      /^machines\/ring\.ts: delays has ringTimeout already/,
    ],
    ["an event that exists", ["event", "call.ended"], /: eventData has call\.ended already/],
    ["an event of another form", ["event", "callWhirled"], /^"callWhirled" is no event/],
    ["an event of a fact that exists", ["event", "call.gone", "left"], /: CallFact has left already/],
    ["an event of a fact of no call", ["event", "team.whirled", "whirled"], /only a call's event/],
    ["a fact that exists", ["fact", "left"], /: CallFact has left already/],
    ["an event about nothing known", ["event", "trunk.whirled"], /^"trunk" is no subject of events/],
    [
      "an operation that exists",
      ["endpoint", "getCall", "get", "/whirled"],
      /has the operation getCall already/,
    ],
    [
      "an endpoint that exists",
      ["endpoint", "oneCall", "get", "/calls/{id}"],
      /^there is GET \/calls\/\{id\}/,
    ],
    [
      "an endpoint by another method",
      ["endpoint", "whirlCall", "patch", "/whirled"],
      /^"patch" is no method/,
    ],
    [
      "an endpoint with a bad path",
      ["endpoint", "whirlCall", "post", "/whirled-calls"],
      /^"\/whirled-calls" is no path: expected a form such as .* in camel case$/,
    ],
    ["a lesson that exists", ["lesson", "declining"], /^there is a lesson declining already/],
    ["a capability that exists", ["capability", "teams"], /^src\/platform\/teams\/teams\.ts exists already/],
    [
      "too much",
      ["lesson", "a-whirled-call", "now"],
      /^too many arguments: expected npm run new lesson <name>$/,
    ],
  ] as const)("refuses %s", (_, args, message) => {
    expect(() => addTo(copy.root, args)).toThrow(message);
  });

  test("writes nothing for what it refuses", () => {
    expect(everyText()).toBe(before);
  });

  test("says what is written and what is left to say, in formatted code", async () => {
    const { code, out, err } = await copy.run("docs/scaffold/main.ts", "command", "whirl", "calls");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Written:\n  src/platform/calls/commands.ts\n");
    expect(out).toMatch(/Left to say:\n {2}src\/platform\/calls\/commands\.ts: what whirlSchema takes/);
    expect(read("src/platform/calls/commands.ts")).toContain(
      '  whirl: onCall(connectedUser, whirlSchema, () => "whirls the call", "whirl"),\n',
    );
  });

  test("exits with 1 and the reason for what it refuses", async () => {
    expect(await copy.run("docs/scaffold/main.ts", "command", "answer", "calls")).toEqual({
      code: 1,
      out: "",
      err: "there is a command answer already; choose another name\n",
    });
  });

  test.each([
    [["capability", "whirling"], "src/platform/whirling/whirling.ts"],
    [["command", "spinBack", "whirling"], "src/platform/whirling/commands.ts"],
    [["command", "whirlLocation", "locations"], "src/platform/locations/locations.ts"],
    [["state", "whirled", "call", "talk"], "machines/call.ts"],
    [["state", "whirled", "ring"], "src/inspect/model/state-words.ts"],
    [["state", "noted", "analysis"], "machines/analysis.ts"],
    [["timer", "whirlLimit", "call"], "src/platform/timers.ts"],
    [["timer", "noteLimit", "analysis"], "machines/analysis.ts"],
    [["command", "juggle", "calls"], "src/platform/calls/commands.ts"],
    [["command", "snatch", "calls", "juggle"], "src/node/control-examples.ts"],
    [["event", "call.juggled", "juggled"], "src/platform/score/inverses.ts"],
    [["event", "call.whirled"], "src/platform/score/calls.ts"],
    [["fact", "whirledTooLong"], "src/story/tellings.ts"],
    [["event", "call.spun_back", "spunBack"], "machines/call.ts"],
    [["event", "conversation.whirled"], "src/platform/score/conversations.ts"],
    [["endpoint", "whirlCall", "post", "/calls/{id}/whirl"], "src/rest/resources/calls.ts"],
    [["endpoint", "listWhirled", "get", "/whirledCalls"], "src/rest/resources/whirled-calls.ts"],
    [["endpoint", "juggleCall", "post", "/calls/{id}/juggle"], "CHANGELOG.md"],
    [["event", "call.waved", "waved"], "src/platform/score/inverses.ts"],
    [["command", "wave", "calls"], "src/platform/score/inverses.ts"],
    [["event", "call.snatched", "snatched"], "src/rest/openapi/examples.ts"],
    [["lesson", "a-whirled-call"], "docs/generate/lesson-texts.ts"],
  ] as const)("writes %j", (args, path) => {
    const { written, left } = addTo(copy.root, args);
    expect(written).toContain(path);
    expect(left.length).toBeGreaterThan(0);
  });

  test("begins a command's examples with the commands that it needs", () => {
    const [, example = ""] =
      /Lets a user snatch the call\.([\s\S]*?)\*\//.exec(read("src/platform/calls/call-handle.ts")) ?? [];
    expect(example).toMatch(
      /call\.answer\("alice"\);\s+\* call\.juggle\("alice"\);\s+\* call\.snatch\("alice"\);/,
    );
    expect(read("src/node/control-examples.ts")).toContain('sim.calls.get(call).juggle("alice");');
  });

  test("lets an endpoint that is named after a command on a call give it", () => {
    const operation = read("src/rest/resources/calls.ts").split('id: "juggleCall"')[1] ?? "";
    expect(operation).toContain('platform.command("juggle", { call: id, by });');
  });

  test("notes each command, event and endpoint among the changes of the next version", () => {
    const [, next = ""] = read("CHANGELOG.md").split(/^## /m);
    expect(next).toContain("- The command `juggle`: TO SAY: what a consumer can do now.\n");
    expect(next).toContain("- The event `call.juggled`: TO SAY: what a consumer can hear now.\n");
    expect(next).toContain("- `POST /calls/{id}/juggle`: TO SAY: what a consumer can ask now.\n");
  });

  test("leaves words of an endpoint and of a lesson to say, which the test of the documentation refuses", () => {
    const left = (path: string) => [...read(path).matchAll(/TO SAY: [^".]+/g)].map(([words]) => words);
    expect(left("src/rest/resources/whirled-calls.ts")).toEqual([
      "TO SAY: what they are",
      "TO SAY: what listWhirled does",
      "TO SAY: how it does that",
    ]);
    expect(left("docs/generate/lesson-texts.ts")).toEqual(["TO SAY: what a whirled call answers"]);
    expect(left("scenarios/exercises.json")).toEqual(["TO SAY: what a change of the steps answers"]);
  });

  test("says that a command brings about the event named after it, whichever is added first", () => {
    const inverses = read("src/platform/score/inverses.ts").replaceAll(/\s+/g, " ");
    expect(inverses).toContain('"call.juggled": { commands: ["juggle"],');
    expect(inverses).toMatch(/"call\.waved": \{ commands: \["wave",?\s?\],/);
  });

  test("brings about the event that a command is named after, with what that needs", () => {
    const examples = read("src/rest/openapi/examples.ts").replaceAll(/\s+/g, " ");
    for (const name of ["juggle", "wave"])
      expect(examples).toMatch(
        new RegExp(
          `callTo(\\w+) = sim\\.calls\\.inbound\\([^;]*; callTo\\1\\.answer\\("alice"\\); callTo\\1\\.${name}\\("alice"\\);`,
        ),
      );
    expect(examples).toContain('callToSnatch.juggle("alice"); callToSnatch.snatch("alice");');
  });

  test("gives a call's event the party of its fact, which has words", () => {
    expect(read("machines/call.ts")).toContain('{ readonly type: "juggled"; readonly party: string }');
    expect(read("src/records/schemas/events.ts").replaceAll(/\s+/g, " ")).toMatch(
      /"call\.juggled": data\("A call is juggled\.", \{ call, party: one\(party/,
    );
    expect(read("src/story/words.ts")).not.toContain("juggled");
  });

  const heavy = { timeout: 900_000, retry: 0 };
  test.runIf(isWhole)(
    "writes what compiles once its types are generated, and a lesson that plays",
    heavy,
    async () => {
      expect(await copy.run("docs/generate/main.ts", "src/generated")).toMatchObject({ code: 0, err: "" });
      expect(await typeErrors()).toEqual("");
      const lesson = readdirSync(join(copy.root, "scenarios")).find((name) =>
        name.endsWith("-a-whirled-call.yaml"),
      );
      const played = await copy.run("src/cli/main.ts", "check", `scenarios/${lesson}`);
      expect(played).toMatchObject({ code: 0, err: "" });
    },
  );
});

/** What the compiler says of the sources, and of the tests that are written in. */
function typeErrors(): Promise<string> {
  const tests = ["test/platform/every-command.test.ts", "test/rest/contract.test.ts"];
  const include = ["src", "machines", "docs/generate", "docs/scaffold", ...tests];
  writeFileSync(
    join(copy.root, "tsconfig.new.json"),
    JSON.stringify({ extends: "./tsconfig.json", include }),
  );
  const tsc = join(copy.root, "node_modules/typescript-native/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "--noEmit", "-p", "tsconfig.new.json"], { cwd: copy.root }, (_, out) =>
      resolve(out),
    );
  });
}
