import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { exampleProblems } from "../../docs/generate/examples.ts";
import { failureText, inScenario, MendFirst } from "../../docs/generate/failures.ts";
import { bodyBlock } from "../../docs/generate/reference/events.ts";
import { type AnyOperation, operations } from "../../src/core/platform/catalogue/operations.ts";
import type { OperationExample } from "../../src/core/platform/declare/operation.ts";
import { CommandError, parseScenario, runScenario } from "../../src/index.ts";

/** `npm run generate` says why it cannot make a page, and where to mend that. */

function withExample(id: string, example: OperationExample): AnyOperation {
  const declared: readonly AnyOperation[] = operations;
  const operation = declared.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return { ...operation, example };
}

describe("The example of an operation", () => {
  test("that is refused is shown with the answer and with the line of the example", async () => {
    const [problem, ...others] = await exampleProblems([
      withExample("deleteTeamMember", { params: { userId: "nobody" } }),
    ]);
    expect(others).toEqual([]);
    expect(problem).toMatch(/^src\/core\/platform\/teams\/operations\.ts:\d+: /);
    expect(problem).toContain(
      "deleteTeamMember (DELETE /teams/{teamId}/users/{userId}) is answered with 404",
    );
    expect(problem).toContain(String.raw`no user is known as \"nobody\"; known: alice, bob, carol`);
  });

  test("whose preparation is refused is shown with the refusal of the command", async () => {
    const prepare: OperationExample["prepare"] = (sim) =>
      void sim.command("answer", { call: "call-1", by: "alice" });
    const problems = await exampleProblems([
      withExample("putTeamMember", { prepare, body: { priority: 2 } }),
    ]);
    expect(problems).toEqual([
      expect.stringMatching(
        /^src\/core\/platform\/teams\/operations\.ts:\d+: what comes before the example of putTeamMember .* is refused: alice cannot answer: call call-1 is ended/,
      ),
    ]);
  });

  test("whose preparation fails by an error of the code passes that on", async () => {
    const prepare: OperationExample["prepare"] = () => {
      throw new TypeError("command.act is not a function");
    };
    await expect(exampleProblems([withExample("putTeamMember", { prepare })])).rejects.toThrow(TypeError);
  });
});

describe("A failure of a page", () => {
  const file = new URL("../../scenarios/99-parking.yaml", import.meta.url);

  test("by a refused step is the file, the line, the refusal and the lines around it", () => {
    const text = [
      "scenario: Refused",
      "steps:",
      '  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }',
      "  - { at: PT6S, answer: { call: c1, by: carol } }",
      "",
    ].join("\n");
    const play = () => inScenario(file, text, () => runScenario(parseScenario(text)));
    expect(play).toThrow(MendFirst);
    expect(textOf(play)).toContain("scenarios/99-parking.yaml:4:5: step 2 (answer) at PT6S");
    expect(textOf(play)).toContain("carol cannot answer: call c1 is offered; ringing: alice");
    expect(textOf(play)).toContain("> 4 |   - { at: PT6S, answer: { call: c1, by: carol } }");
    expect(textOf(play)).not.toContain("node_modules");
  });

  test("by an event that no example brings about names the event", () => {
    expect(textOf(() => bodyBlock("parcel.arrived", undefined))).toContain(
      "parcel.arrived does not happen in the examples; bring it about in its `example`",
    );
  });

  test("by a scenario that cannot be read lists all its problems", () => {
    const text = "scenario: Unread\nsteps:\n  - { at: PT0S, ring: {} }\n  - { at: soon, answer: {} }\n";
    const shown = textOf(() => inScenario(file, text, () => parseScenario(text)));
    expect(shown).toMatch(/99-parking\.yaml:3:\d+: .*unknown step "ring"/);
    expect(shown).toMatch(/99-parking\.yaml:4:\d+: /);
  });

  test("by anything else is passed on by `inScenario`", () => {
    const error = new CommandError("busy", "alice is busy");
    expect(() => inScenario(file, "", () => raise(error))).toThrow(error);
  });

  test("by an error of a generator is its message and the one line of this repository that threw it", () => {
    const compiles = () => programOf("export const park = {};\n");
    const shown = textOf(() => raise(new Error("there is no type of park")), compiles);
    expect(shown).toMatch(/^there is no type of park\n {2}at test\/generate\/failures\.test\.ts:\d+:\d+$/);
  });

  test("by code that cannot be parsed is the file, the line and what was expected there", () => {
    const error = new Error(
      'Transform failed with 1 error:\n/nowhere/src/a.ts:71:28: ERROR: Expected identifier but found "("',
    );
    expect(failureText(error)).toMatch(/nowhere\/src\/a\.ts:71:28: Expected identifier but found "\("$/);
  });

  test("by code that does not compile lists the first problems, and not what is merely unused", () => {
    const half = () => programOf("const unused = 1;\nexport const park: { words(): string } = {};\n");
    const [message, ...problems] = textOf(() => raise(new Error("there is no type of park")), half).split(
      "\n",
    );
    expect(message).toBe("there is no type of park");
    expect(problems[0]).toBe("The sources do not compile, which may be why (1 problems):");
    expect(problems[1]).toMatch(/sources\.ts:2: Property 'words' is missing/);
    expect(problems).toHaveLength(2);
  });
});

/** Sources of one file. To check all of ours takes ten seconds, which `npm run test:types` spends. */
function programOf(text: string): ts.Program {
  const file = join(mkdtempSync(join(tmpdir(), "ringback-types-")), "sources.ts");
  writeFileSync(file, text);
  const lib = ["lib.es5.d.ts"];
  return ts.createProgram([file], { strict: true, noUnusedLocals: true, skipLibCheck: true, lib, types: [] });
}

function raise(error: Error): never {
  throw error;
}

function textOf(play: () => unknown, sources?: () => ts.Program): string {
  try {
    play();
  } catch (error) {
    return failureText(error, sources);
  }
  return "";
}
