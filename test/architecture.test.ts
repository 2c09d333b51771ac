import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { parsedFiles } from "../docs/generate/source.ts";
import { ifElse, onlyIf, runReactions, triggers } from "../src/core/platform/reactions/reaction.ts";
import { createSimulator } from "../src/index.ts";
import { expectNone } from "./lists.ts";

/** What docs/architecture.md says and no other test checks. */

const root = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const page = read("docs/architecture.md");

/** The files of some folders, as paths from the root. */
function filesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" }).map(
      (path) => `${folder}/${path}`,
    ),
  );
}

describe("the map of the sources", () => {
  test("has every folder of src", () => {
    const [, map = ""] = /```\n(machines\/[\s\S]*?)```/.exec(page) ?? [];
    const folders = readdirSync(new URL("src/", root), { withFileTypes: true }).filter((each) =>
      each.isDirectory(),
    );
    expectNone(folders.map(({ name }) => `${name}/`).filter((name) => !map.includes(` ${name}`)));
  });

  test("names only files that exist", () => {
    const files = filesIn("src", "machines", "test", "docs");
    const named = Array.from(page.matchAll(/`([\w./-]+\.(?:ts|md|tsx))`/g), ([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(30);
    expectNone(named.filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`))));
  });
});

/** How many lines and fields a class of `src/explore` may have. */
const MOST = { lines: 250, fields: 15 };

test("A class of src/explore has at most 250 lines and 15 fields, so it does one thing", () => {
  const classes = parsedFiles("src/explore").flatMap((file) => {
    const found: { readonly name: string; readonly lines: number; readonly fields: number }[] = [];
    const line = (at: number) => file.getLineAndCharacterOfPosition(at).line;
    const visit = (node: ts.Node): void => {
      if (ts.isClassLike(node)) {
        const parameters = node.members.find(ts.isConstructorDeclaration)?.parameters ?? [];
        const given = parameters.filter((each) => ts.isParameterPropertyDeclaration(each, each.parent));
        const fields = node.members.filter(ts.isPropertyDeclaration).length + given.length;
        const lines = line(node.end) - line(node.getStart(file)) + 1;
        found.push({ name: node.name?.text ?? file.fileName, lines, fields });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
  expect(classes.length).toBeGreaterThan(40);
  expectNone(
    classes
      .filter(({ lines, fields }) => lines > MOST.lines || fields > MOST.fields)
      .map(
        ({ name, lines, fields }) => `${name}: divide it by what it does (${lines} lines, ${fields} fields)`,
      ),
  );
});

describe("a reaction", () => {
  const p = createSimulator().services;

  test("runs if its condition held before the first reaction under that condition", () => {
    const played: string[] = [];
    let holds = true;
    const end = () => {
      holds = false;
      played.push("first");
    };
    const second = () => void played.push("second");
    const other = () => void played.push("other");
    runReactions(
      [onlyIf(() => holds, end, second), ifElse(() => holds, [second], [other])],
      p,
      {},
      undefined,
    );
    expect(played).toEqual(["first", "second", "other"]);
  });

  test("with `triggers` runs like any other", () => {
    const played: string[] = [];
    runReactions(
      [triggers(["call.closed"], () => void played.push("leads")), () => void played.push("next")],
      p,
      {},
      undefined,
    );
    expect(played).toEqual(["leads", "next"]);
  });
});

describe("a delivery that succeeds at once", () => {
  const url = "https://crm.acme.test/hooks";

  test("starts no machine, nor does its webhook", () => {
    const running = (status: number, duration: string) => {
      const sim = createSimulator();
      sim.webhooks.create({ url, events: ["call.started"] });
      sim.network.route(url, { status });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
      sim.advance(duration);
      return sim.services.engine.host
        .states()
        .map(({ machine }) => machine)
        .filter((each) => /delivery|webhook/.test(each));
    };
    expect(running(204, "PT1S")).toEqual([]);
    expect(running(503, "PT1S")).toEqual(["delivery"]);
    expect(running(503, "P2D")).toEqual(["webhook"]);
  });

  test("has one body for all its webhooks, and another after that of another event", () => {
    const written: string[] = [];
    const write = ({ id, ...event }: { readonly id: string }) => {
      written.push(id);
      return { id, ...event };
    };
    const sim = createSimulator({ ids: "counter", dialect: { write } });
    for (const path of ["a", "b"]) sim.webhooks.create({ url: `${url}/${path}`, events: ["call.started"] });
    sim.network.fault(`${url}/a`, { status: 503, times: 1 });
    let read = 0;
    sim.network.route(url, ({ body }) => {
      if (body.includes("call.started")) read++;
      return 204;
    });
    const calls = () => sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    calls();
    sim.advance("PT10M");
    expect({ written: written.length, sent: sim.network.requests.length, read }).toEqual({
      written: 1,
      sent: 3,
      read: 2,
    });
    sim.network.fault(`${url}/a`, { status: 503, times: 1 });
    calls();
    sim.advance("PT1S");
    calls();
    sim.advance("PT10M");
    const [, second, third] = sim.events.ofType("call.started").map(({ id }) => id);
    expect(written.slice(1)).toEqual([second, third, second]);
  });
});

test("What people do by themselves is in no journal", () => {
  const sim = createSimulator();
  sim.users.get("alice").behave({ answer: { after: "PT3S" }, talk: "PT10S" });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.runUntilIdle();
  expect(call.record.outcome?.status).toBe("answered");
  expect(sim.journal().entries.map(({ command }) => command)).toEqual(["behave", "inbound"]);
});
