/** The test runners for which the site shows each program. */
export const runners = ["vitest", "jest", "node:test"] as const;
export type Runner = (typeof runners)[number];

/**
 * A program or a command for each runner, or undefined if it is the same for all of them: it uses no runner, or it uses
 * what only one has.
 */
export function forRunners(language: string, text: string): Readonly<Record<Runner, string>> | undefined {
  if (["ts", "js"].includes(language)) return programs(text);
  if (language !== "sh" || !/npx vitest run|install --save-dev ringback vitest/.test(text)) return undefined;
  return commands(text, "mjs");
}

/** A command in a sentence for each runner, or undefined if it is the same for all of them. */
export function commandForRunners(
  text: string,
  ending: "mjs" | "ts",
): Readonly<Record<Runner, string>> | undefined {
  const isForOne = /^(npx vitest run( [\w-]+)?|npm install --save-dev ringback vitest( [\w-]+)*)$/.test(text);
  return isForOne ? commands(text, ending) : undefined;
}

/** @param ending of the test files that are run. Node 20 needs tsx to run TypeScript */
function commands(text: string, ending: "mjs" | "ts"): Readonly<Record<Runner, string>> {
  const [command, packages] = ending === "ts" ? ["npx tsx --test", "expect tsx"] : ["node --test", "expect"];
  return {
    vitest: text,
    jest: text
      .replaceAll("ringback vitest", "ringback jest")
      .replaceAll("npx vitest run", "NODE_OPTIONS=--experimental-vm-modules npx jest"),
    "node:test": text
      .replaceAll("ringback vitest", `ringback ${packages}`)
      .replaceAll(
        /npx vitest run ?(\S*)/g,
        (_, name: string) => `${command}${name && ` ${name}.test.${ending}`}`,
      ),
  };
}

function programs(text: string): Readonly<Record<Runner, string>> | undefined {
  const [, names = ""] = /^import \{ ([^}]+) \} from "vitest";$/m.exec(text) ?? [];
  const used = names.split(", ");
  const isPortable = used.every((name) =>
    ["test", "describe", "expect", "beforeEach", "afterEach"].includes(name),
  );
  // `test.each` and fake timers are not in every runner
  if (names === "" || !isPortable || /\btest\.each|shareTime|toMatchSnapshot/.test(text)) return undefined;
  const fromNode = used.filter((name) => name !== "expect");
  const hasMatchers = text.includes('import "ringback/vitest";');
  const node = text
    .replace(
      'import "ringback/vitest";\n',
      // the first has the matchers of the package expect, the second writes the page of a test that fails
      'import { matchers } from "ringback/jest";\nimport "ringback/node-test";\n',
    )
    .replace(
      /^import \{ [^}]+ \} from "vitest";$/m,
      [
        ...(used.includes("expect") ? ['import { expect } from "expect";'] : []),
        ...(fromNode.length > 0 ? [`import { ${fromNode.join(", ")} } from "node:test";`] : []),
      ].join("\n"),
    );
  return {
    vitest: text,
    // in Jest they are global
    jest: text
      .replace(/^import \{ [^}]+ \} from "vitest";\n/m, "")
      .replace('"ringback/vitest"', '"ringback/jest"'),
    "node:test": hasMatchers ? afterImports(node, "expect.extend(matchers);") : node,
  };
}

/** Puts a line after a program's imports. */
function afterImports(text: string, line: string): string {
  const last = [...text.matchAll(/^import [^;]+;\n/gm)].at(-1);
  const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
  return `${text.slice(0, end)}\n${line}\n${text.slice(end)}`;
}
