import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { apiPages, membersWithoutExample } from "../docs/generate/api-pages.ts";
import { createSimulator, parseScenario, runScenario, type Simulator } from "../src/index.ts";
import { folderWith, ringback } from "./cli/support.ts";
import {
  allPages,
  apiExamples,
  apps,
  blocks,
  blocksIn,
  failing,
  passing,
  programs,
  read,
  root,
} from "./code-blocks.ts";
import { doubtful } from "./inspector/capture-picture.ts";
import { expectNone } from "./lists.ts";

// in the same file, so that the compiler reads the sources once for both
import "./generated-pages.ts";

/** Checks that the documentation is true: commands exist, links lead somewhere. `test/package` runs its programs. */

describe("a block of code", () => {
  test("is for Vitest, Jest or Node's own runner, or for `--with`", () => {
    const others = programs.filter((program) => !failing.includes(program) && !passing.includes(program));
    // in Jest `test` and `expect` are global; test/package runs them
    const known = /= require\("ringback"\)|from "node:test"|^export function app/m;
    expect(others.filter(([, text]) => !known.test(text))).toEqual([]);
    expect(others.length).toBeGreaterThan(2);
  });

  test.each(apps)(
    "for `--with` is a module whose properties hold before anything happens: %s",
    async (_, text) => {
      const path = join(folderWith({ "app.mjs": text }), "app.mjs");
      const { app: build, eventually } = await import(path);
      const sim = createSimulator();
      const app = build(sim);
      expect(sim.network.routes).not.toEqual([]);
      expect(Object.keys(eventually)).not.toEqual([]);
      for (const holds of Object.values(eventually) as ((sim: Simulator, app: unknown) => unknown)[])
        expect(await holds(sim, app)).not.toBe(false);
    },
  );

  test("is in a language that the tests check", () => {
    // `xml` is an answer, `json` what test/cli/failures.test.ts compares, `console` what test/cli/readme.test.ts does;
    // test/cli/languages.test.ts runs `go`, `java` and `python`; `sql` needs a PostgreSQL, and was run in one by hand
    const known = [
      "",
      "console",
      "go",
      "java",
      "js",
      "json",
      "mermaid",
      "python",
      "sh",
      "sql",
      "text",
      "ts",
      "xml",
      "yaml",
    ];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
    expect(programs.length).toBeGreaterThan(10);
  });
});

describe("a block of YAML", () => {
  test.each(blocksIn("yaml"))(
    "is well-formed and, if it is a scenario, produces its expected stream: %s",
    (_, text) => {
      const value = parse(text);
      if (value?.scenario === undefined) return;
      expect(runScenario(parseScenario(text)).report).toBe("");
    },
  );
});

/** The scenario that a guide lets teachers save as `own.yaml`. */
const ownLesson = () => /```yaml\n([\s\S]*?)```/.exec(read("docs/guides/prepare-a-lesson.md"))?.[1] ?? "";

describe("a command", () => {
  const lines = blocksIn("sh").flatMap(([place, text]) =>
    text
      .split(/\n|&&/)
      .map((line) => line.replace(/ #.*$/, "").trim())
      // test/package runs Vitest, on what `ringback init` wrote; test/cli/recipes.test.ts runs GNU parallel;
      // Docker is not there to run
      .filter(
        (line) =>
          line !== "" &&
          line !== "npx vitest run" &&
          !/^(parallel|docker|cp -r node_modules\/ringback\/docs\S*) /.test(line),
      )
      .map((line) => [`${place}: ${line}`, line] as const),
  );

  test.each(lines)("exists: %s", async (_, line) => {
    const [program, ...args] = line.split(/\s+/);
    if (program === "npx" && args[0] === "ringback") {
      const project = folderWith();
      ringback("init", project);
      writeFileSync(join(project, "monday.jsonl"), doubtful());
      writeFileSync(join(project, "own.yaml"), ownLesson());
      const isThere = (arg: string) => /^(lesson|learner)\.html$/.test(arg) || existsSync(join(project, arg));
      const given = args.slice(1).map((arg) => (isThere(arg) ? join(project, arg) : arg));
      // these need files, processes or apps of their own; their tests are elsewhere
      const elsewhere = [
        "explore",
        "import",
        "init",
        "merge",
        "probe",
        "record",
        "stories",
        "fixtures",
        "unseen",
        "ask",
        "verify",
        "serve",
      ];
      const isRun =
        !elsewhere.includes(args.includes("--with") ? "explore" : (args[1] ?? "")) &&
        !args.includes("stories/");
      const page = args.includes("monday.jsonl") ? ["-o", join(project, "monday.html")] : [];
      expect(await ringback(...given, ...(isRun ? page : ["--help"])).code).toBe(0);
      return;
    }
    // test/server/docs.test.ts and test/cli/containers.test.ts make these requests
    if (program === "curl" && line.includes("http://127.0.0.1:8080/")) return;
    const { scripts } = JSON.parse(read("package.json"));
    const [script] = args[0] === "run" ? args.slice(1) : args;
    const npms = ["ci", "cit", "install"];
    expect(program).toBe("npm");
    expect([...npms, ...Object.keys(scripts)]).toContain(script);
  });
});

describe("the @examples of the API", () => {
  test("are there for each function and value, and each method of the simulator and its objects", () => {
    expectNone(
      membersWithoutExample().map((name) => `${name}: write an @example above its declaration in src`),
    );
    expect(apiExamples.flatMap(([, shown]) => shown).length).toBeGreaterThan(100);
  });
});

describe("a guide", () => {
  const index = read("docs/guides/README.md");
  const guides = allPages.filter((path) => /^docs\/guides\/(?!README)/.test(path));

  test.each(guides)("says first what its reader has in the end, and how long that takes: %s", (path) => {
    const [, first = ""] = read(path).split("\n\n");
    expect(first).toMatch(/^\*\*In \d+ minutes\*\* you have \S/);
  });

  test.each(guides)("has at most 1,200 words: %s", (path) => {
    expect(read(path).split(/\s+/).length).toBeLessThanOrEqual(1_200);
  });

  test("is listed, and the first three test an app, find what breaks, and turn an incident into a test", () => {
    const listed = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
    expect(listed.slice(0, 3)).toEqual([
      "webhook-receiver.md",
      "find-what-breaks.md",
      "turn-an-incident-into-a-test.md",
    ]);
    expect(listed.toSorted()).toEqual(guides.map((path) => path.replace("docs/guides/", "")).toSorted());
  });
});

describe("the pages of the API", () => {
  let texts: ReadonlyMap<string, string>;
  const page = (name: string) => texts.get(`docs/api/${name}.md`) ?? "";

  beforeAll(async () => {
    const made = apiPages().map(async ({ path, content }) => [path, await content()] as const);
    texts = new Map(await Promise.all(made));
  });

  test("list the methods of their objects at the beginning, with links to their headings", () => {
    const [top = ""] = page("calls").split("\n## ");
    expect(top).toContain("Methods of `sim.calls`: [`inbound`](#simcallsinbound)");
    expect(top).toContain("[`transfer`](#calltransfer)");
  });

  test("link the types that a declaration names, and the keys of a command", () => {
    const [, inbound = ""] = page("calls").split("### sim.calls.inbound\n");
    expect(inbound.split("### ")[0]).toContain(
      "[the keys of `inbound`](../reference/steps.md#inbound), [`CommandInput`](simulator.md#commandinput), [`CallHandle`](#callhandle)",
    );
  });

  test("have no type over three lines within text, and link what is left out", () => {
    const members = [...texts.values()].flatMap((text) => [...text.matchAll(/^- `(.+?)`/gm)]);
    expect(members.length).toBeGreaterThan(300);
    expect(members.map(([, code = ""]) => code).filter((code) => code.length > 240)).toEqual([]);
    expect(page("simulator")).toContain("`users?: readonly { … }[] | undefined`: The people.");
    expect(page("simulator")).toContain("([its keys](../reference/organisation.md#users))");
  });
});

describe("the sections of a version in the changelog", () => {
  test.each(read("CHANGELOG.md").split(/^## /m).slice(1))("occur once, even after a rebase", (version) => {
    const items = [...version.matchAll(/^- .{30}/gm)].map(([item]) => item);
    expect(items.filter((item, index) => items.indexOf(item) !== index)).toEqual([]);
  });
});

describe("pages of the documentation", () => {
  test("are at most 60 KB long, so that a browser and a program can read them at once", () => {
    const sizes = allPages
      .filter((path) => path !== "CHANGELOG.md")
      .map((path) => `${path}: ${Math.ceil(Buffer.byteLength(read(path)) / 1_000)} KB`);
    expectNone(sizes.filter((line) => Number(/(\d+) KB$/.exec(line)?.[1]) > 60));
  });
});

describe("links", () => {
  test.each(allPages)("in %s lead to existing files and headings", (path) => {
    const text = read(path).replaceAll(/^```[\s\S]*?^```$/gm, "");
    const wrong = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^https?:/.test(target) && !isThere(path, target));
    expect(wrong).toEqual([]);
  });

  test("lead from the README to every page, directly or not", () => {
    const reached = new Set(["README.md"]);
    for (const path of reached)
      for (const [, target = ""] of read(path).matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g))
        if (!target.startsWith("http")) reached.add(join(dirname(path), target));
    expectNone(
      allPages.flatMap((path) => (reached.has(path) ? [] : [`${path}: link to it from another page`])),
    );
  });
});

describe("a comment in the code", () => {
  const code = ["src", "machines", "test", "docs", "scenarios"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter((path) => /\.(ts|tsx|yaml)$/.test(path)),
  );
  /** The pages and headings that a text links to, as paths from the root of the project. */
  const namedIn = (text: string) =>
    [...text.matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([target]) => target);
  /** A document that a reader of the repository does not have. */
  const isElsewhere = (text: string) => /\b(specification|decisions)[,:] (section )?["\d]/i.test(text);

  test("refers only to existing pages and headings", () => {
    const named = code.flatMap((path) => namedIn(read(path)).map((target) => ({ path, target })));
    expect(named.length).toBeGreaterThan(20);
    const wrong = named.filter(({ target }) => !isThere("README.md", target));
    expectNone(wrong.map(({ path, target }) => `${path}: there is no ${target}`));
  });

  test("refers to no document outside the repository", () => {
    const self = "test/documentation.test.ts";
    expectNone(code.filter((path) => path !== self && isElsewhere(read(path))));
    expect(isElsewhere('ignored. Specification, "Limits".')).toBe(true);
    expect(isElsewhere("decisions, section 2")).toBe(true);
  });
});

function isThere(path: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const at = file === "" ? path : join(dirname(path), file);
  if (!existsSync(join(root, at))) return false;
  if (anchor === undefined) return true;
  const page = read(at);
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return headings.includes(anchor) || page.includes(`id="${anchor}"`);
}
