import { posix, win32 } from "node:path";
import { expect, test } from "vitest";
import { browserCommand } from "../../../src/cli/inspect.ts";
import { loadingOptions, relativePath, withVariables } from "../../../src/explore/report/reproduce.ts";
import { quoted } from "../../../src/findings/quoted.ts";

test.each<[string, string, typeof posix, string, string]>([
  ["beside", "C:\\app\\test\\it.test.mjs", win32, "C:\\app", "./test/it.test.mjs"],
  ["beside", "/app/test/it.test.mjs", posix, "/app", "./test/it.test.mjs"],
  ["named from here", "test\\it.test.mjs", win32, "C:\\app", "./test/it.test.mjs"],
  ["beside, in other letters", "c:/App/it.mjs", win32, "C:\\app", "./it.mjs"],
  ["above", "C:\\other\\it.mjs", win32, "C:\\app", "C:\\other\\it.mjs"],
  ["above", "/other/it.mjs", posix, "/app", "/other/it.mjs"],
  ["on another drive", "D:\\it.mjs", win32, "C:\\app", "D:\\it.mjs"],
  ["on another host", "\\\\host\\share\\it.mjs", win32, "C:\\app", "\\\\host\\share\\it.mjs"],
  ["with a backslash in its name", "/app/a\\b.mjs", posix, "/app", "./a\\b.mjs"],
])("a file %s, %s, is named from the folder of the program", (_, file, path, here, expected) => {
  expect(relativePath(file, path, here)).toBe(expected);
});

test.each([
  ["a\\b-1.yaml", "linux", "'a\\b-1.yaml'"],
  ["a\\b-1.yaml", "win32", "a\\b-1.yaml"],
  ["it's $HOME & more", "darwin", "'it'\\''s $HOME & more'"],
  ["it's here & there", "win32", '"it\'s here & there"'],
  ["a,b", "win32", '"a,b"'],
  ['say "hi"', "win32", '"say \\"hi\\""'],
  ["a=b@c,d%e", "linux", "a=b@c,d%e"],
])("%s is quoted for the shells of %s", (argument, system, expected) => {
  expect(quoted(argument, system)).toBe(expected);
});

test("the command that plays a world again is one of the system's shell", () => {
  const words = ["npx", "vitest", "run", "list.test.ts", "-t", "^a list$"];
  expect(withVariables({ RINGBACK_WORLD: "results\\a b.yaml" }, words, "win32")).toBe(
    'set "RINGBACK_WORLD=results\\a b.yaml" && npx vitest run list.test.ts -t "^a list$"',
  );
  expect(withVariables({ RINGBACK_WORLD: "results/a b.yaml" }, words, "linux")).toBe(
    "RINGBACK_WORLD='results/a b.yaml' npx vitest run list.test.ts -t '^a list$'",
  );
});

test.each<[string, string[], "jest" | "vitest" | undefined, string | undefined]>([
  ["", [], "jest", undefined],
  ["--max-old-space-size=4096", [], "jest", undefined],
  ["--experimental-vm-modules", [], "jest", "--experimental-vm-modules"],
  ["", ["--experimental-vm-modules"], "jest", "--experimental-vm-modules"],
  ["", ["--experimental-vm-modules", "--require", "of-vitest.cjs"], "vitest", undefined],
  ["--no-warnings --import tsx", [], undefined, "--no-warnings --import tsx"],
  ["-r ./setup.cjs", [], undefined, "-r ./setup.cjs"],
])("with NODE_OPTIONS=%j and the options %j, a command of %s needs %s", (given, execArgv, runner, needed) => {
  const { NODE_OPTIONS } = loadingOptions({ env: { NODE_OPTIONS: given }, execArgv }, runner);
  expect(NODE_OPTIONS).toBe(needed);
});

test("the options that a command needs stand in front of it", () => {
  const variables = { RINGBACK_WORLD: "a.yaml", NODE_OPTIONS: "--import tsx" };
  expect(withVariables(variables, ["npx", "jest"], "linux")).toBe(
    "RINGBACK_WORLD=a.yaml NODE_OPTIONS='--import tsx' npx jest",
  );
  expect(withVariables(variables, ["npx", "jest"], "win32")).toBe(
    'set "RINGBACK_WORLD=a.yaml" && set "NODE_OPTIONS=--import tsx" && npx jest',
  );
});

test("opens a page without a shell, which would end the command at & in its name", () => {
  const url = "file:///C:/me%20&%20you/run.html";
  expect(browserCommand(url, "win32")).toEqual(["rundll32", "url.dll,FileProtocolHandler", url]);
  expect(browserCommand(url, "darwin")).toEqual(["open", url]);
  expect(browserCommand(url, "linux")).toEqual(["xdg-open", url]);
});
