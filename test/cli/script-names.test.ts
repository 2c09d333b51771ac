import { expect, test } from "vitest";
import { exploreCallIn, freeNamesIn, tokensText } from "../../src/cli/explore-call.ts";

/** What `ringback keep` reads in a file: the options of a call of `explore`, and the names that they need. */

/** The options of a call, and the names that each needs. A name that is exported otherwise has that behind it. */
function readIn(text: string): Record<string, string> | "not whole" {
  const call = exploreCallIn(text, 0);
  if (call?.isWhole === false) return "not whole";
  if (call === undefined || "start" in call.options) throw new Error("no call with options");
  const rows = call.options.map((each) => {
    const names = freeNamesIn(call, each).map(({ name, binding: { imported, exported } }) =>
      imported !== undefined ? name : `${name} = ${exported}`,
    );
    return [tokensText(call.script, each), names.join(", ")];
  });
  return Object.fromEntries(rows);
}

const esm = 'import { explore } from "ringback/explore";\nimport { a, b, of } from "./names.js";\n';
const commonJs = 'const { explore } = require("ringback/explore");\n';
const last = "b: b";

/** Code of an option, and the names that it needs. Another option follows on its line: a misread `/` would take it in. */
test.each([
  ["a division behind x!", '() => a.length! / 2 > 1 && "/".length', "a"],
  ["a division behind x!, without a blank", '() => a.length!/2 > 1 && "/".length', "a"],
  ["a division behind f()! and x[0]!", '() => a()! / 2 + a[0]! / 2 + "/".length', "a"],
  ["a division behind ++ and --", '(n) => [n++ / 2, n-- / 2, "/"]', ""],
  ["a regular expression behind !", '(n) => !/[")]/.test(n) && n &&!/"/.test(n)', ""],
  ["a regular expression behind !, in a new line", '(n) => { n\n!/"/.test(n) }', ""],
  ["a regular expression behind return !", '(n) => { return !/"/.test(n); }', ""],
  ["elements of JSX", '() => <><p>{a}</p> <i c="/" /></>', "a"],
  ["a word that is bound", "() => of(1)", "of"],
  ["a word that is a key, or of a type", "{ of: 1, get: (n: object) => n as any, set() {} }", ""],
])("keep reads %s", (_, code, names) => {
  expect(readIn(`${esm}explore({ app: ${code}, ${last} });\n`)).toEqual({
    [`app: ${code}`]: names,
    [last]: "b",
  });
});

test.each([
  ["a value", "export const from = 1;\n", "from", "from = from"],
  ["a function", "export function get() {}\n", "get", "get = get"],
  ["what lacks an export", "const type = 1;\n", "type", "type = undefined"],
])("keep knows %s by a name that is a word elsewhere", (_, declared, code, names) => {
  expect(readIn(`${esm}${declared}explore({ app: ${code} });\n`)).toEqual({ [`app: ${code}`]: names });
});

test.each([
  ["behind a call", "module.exports = { app: makeApp(1, 2), helper };", "undefined", "helper"],
  ["under another name", 'module.exports = { "first": makeApp, other: helper };', "first", "other"],
  [
    "behind a method",
    "module.exports = { app() { return [1, 2]; }, ...rest, helper };",
    "undefined",
    "helper",
  ],
  ["one by one", "exports.app = makeApp(1);\nexports.helper = helper", "undefined", "helper"],
])("keep knows what CommonJS exports %s", (_, exports, makeApp, helper) => {
  const declared = "function makeApp() {}\nfunction helper() {}\n";
  expect(readIn(`${commonJs}${declared}explore({ app: makeApp(helper) });\n${exports}\n`)).toEqual({
    "app: makeApp(helper)": `makeApp = ${makeApp}, helper = ${helper}`,
  });
});

test.each([
  ["is not closed", "explore({ app: a("],
  ["closes nothing", "explore({ app: a] });"],
])("keep knows that a bracket %s", (_, call) => {
  expect(readIn(`${esm}${call}\n`)).toBe("not whole");
});
