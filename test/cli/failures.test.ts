import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failing, folderWith, misspelt, ringback, ringbackEnds, root } from "./support.ts";

const page = join(root, "docs/scenarios.md");

const folder = () =>
  folderWith({
    "failing.yaml": failing,
    "misspelt.yaml": misspelt,
    "damaged.jsonl": '{"ringback":1,"opt\n{"atMs":1}\n',
    "empty.txt": "",
    "impossible.json": '{"type":"call.ended","data":{"call":{"status":"started"}}}',
    "unreadable.jsonl": '{"body":"{"}\nno JSON\n',
    "subject.mjs": `
      export const subject = () => ({});
      export const eventually = { holds() { throw new Error("it does not"); } };
    `,
  });

/** A failure of each command: the command, what is wrong, the exit code and the place. */
const cases: readonly (readonly [command: string, args: string, code: number, place: string | null])[] = [
  ["run", "@failing.yaml", 1, "@failing.yaml:6"],
  ["run", "@misspelt.yaml", 2, "@misspelt.yaml:2:1"],
  ["run", "nowhere.yaml", 2, "nowhere.yaml"],
  ["run", "@failing.yaml --with @subject.mjs --update", 2, "--update"],
  ["run", "01 --fromat jsonl", 2, null],
  ["check", "@misspelt.yaml", 2, "@misspelt.yaml:2:1"],
  ["list", "nowhere", 2, "nowhere"],
  ["replay", "nowhere.json", 2, "nowhere.json"],
  ["serve", "@misspelt.yaml", 2, "@misspelt.yaml:2:1"],
  ["serve", "--port 99999", 2, null],
  ["explore", "01", 2, null],
  ["explore", "@failing.yaml --with @subject.mjs --worlds 1", 1, "@failing.yaml"],
  ["merge", "@empty.txt", 2, null],
  ["keep", "nothing-of-this-name", 2, "nothing-of-this-name"],
  ["probe", "http://127.0.0.1:1/hooks", 2, "http://127.0.0.1:1/hooks"],
  ["probe", "nowhere", 2, null],
  ["ask", "nowhere.yaml calls", 2, "nowhere.yaml"],
  ["stories", "+6495559999", 2, "+6495559999"],
  ["fixtures", "nowhere/*.json", 2, "nowhere/*.json"],
  ["fixtures", "@impossible.json", 1, "@impossible.json"],
  ["unseen", "--partial", 2, null],
  ["trigger", "call.ended --set body.id=1", 2, "--set"],
  ["trigger", "call.ended --to http://127.0.0.1:1/hooks", 2, "http://127.0.0.1:1/hooks"],
  ["record", "--forward http://localhost:1 -o @subject.mjs", 2, "@subject.mjs"],
  ["record", "", 2, null],
  ["import", "@unreadable.jsonl", 2, "@unreadable.jsonl:1"],
  ["import", "nowhere", 2, "nowhere"],
  ["challenge", "99", 2, null],
  ["challenge", "1 --with nowhere.mjs", 2, "nowhere.mjs"],
  ["openapi", "--dialect nowhere.yaml", 2, "nowhere.yaml"],
  ["inspect", "@empty.txt", 2, "@empty.txt:1:1"],
  ["inspect", "01 -o -", 2, "--out"],
  ["play", "nowhere", 2, "nowhere"],
  ["journal check", "@damaged.jsonl", 1, "@damaged.jsonl"],
  ["journal salvage", "@damaged.jsonl -o @new.jsonl", 2, "@damaged.jsonl"],
  ["verify", "nowhere", 2, "nowhere"],
  ["init", "@empty.txt", 2, "@empty.txt"],
  ["", "", 2, null],
  ["rnu", "01", 2, null],
];

/** The arguments, in which `@` stands for a folder with files. */
const argsIn = (inside: string, text: string) =>
  text
    .replaceAll("@", `${inside}/`)
    .split(" ")
    .filter((each) => each !== "");

test.each(cases)(
  "ringback %s %s --json reports its failure in the form of all commands",
  async (...failure) => {
    const [command, args, expectedCode, place] = failure;
    const inside = folder();
    const { code, out, err } = await ringbackEnds(...argsIn(inside, `${command} ${args} --json`));
    expect({ code, err }).toEqual({ code: expectedCode, err: "" });
    const { ok, failures } = JSON.parse(out);
    expect(ok).toBe(false);
    expect(failures.length).toBeGreaterThan(0);
    for (const each of failures) {
      expect(Object.keys(each).slice(0, 4)).toEqual(["cause", "place", "replay", "next"]);
      expect(each).toMatchObject({
        cause: expect.stringMatching(/^\S.*\S/),
        replay: expect.stringMatching(/npx ringback /),
        next: expect.stringMatching(/^\S.*\S/),
      });
    }
    expect(failures[0].place).toBe(place?.replace("@", `${inside}/`) ?? null);
  },
);

test("Every command has a test of its failures", () => {
  const commands = [...ringback("--help").out.matchAll(/^ {2}(\w+) .*\S/gm)].map(([, name]) => name);
  const named = cases.map(([command]) => command.split(" ")[0]);
  expect(commands.filter((name) => name !== "help" && !named.includes(name ?? ""))).toEqual([]);
});

test("`ringback run --json` prints the JSON that docs/scenarios.md shows", () => {
  const inside = folderWith({ "scenarios/a.yaml": misspelt });
  const [, shown = ""] = /```json\n(\{\n {2}"ok"[\s\S]*?)```/.exec(readFileSync(page, "utf8")) ?? [];
  const { out } = ringback("run", `${inside}/scenarios/a.yaml`, "--json");
  expect(JSON.parse(out.replaceAll(`${inside}/`, ""))).toMatchObject(JSON.parse(shown));
});

test("The replay of a failure names secrets by variables, so that no log contains them", () => {
  const { out } = ringback("serve", "--token", "s3cret", "--secret=t0p", "--json");
  expect(JSON.parse(out).failures[0].replay).toBe(
    'npx ringback serve --token "$TOKEN" --secret="$SECRET" --json',
  );
});

test("The JSON of a command without failures is ok", () => {
  expect(JSON.parse(ringback("run", "01", "--json").out)).toMatchObject({ ok: true, failures: [] });
});
