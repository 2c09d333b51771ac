import { spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { InputError } from "../engine/errors.ts";
import { mergeResults } from "../explore/results.ts";
import { inspectHtml, playgroundHtml } from "../inspect/index.ts";
import { readReport } from "../inspect/report.ts";
import { replay } from "../simulator.ts";
import { readText, UsageError, writeText } from "./disk.ts";
import { findScenarios, organisationsBeside, readScenario } from "./files.ts";
import type { Output } from "./output.ts";

/** `ringback inspect` and `ringback play`: a run, or the lessons, as a page that needs nothing else. */

interface PageFlags {
  /** Where to; `-` for the standard output. */
  readonly out?: string;
  readonly open?: boolean;
}

export function addInspect(program: Command, output: Output): void {
  program
    .command("inspect")
    .description("write a run as one page: to scrub, fork and explain it, offline")
    .argument(
      "<file>",
      "a journal, a scenario or a lesson by number, or what `ringback explore` wrote or printed as JSON",
    )
    .option("-o, --out <file>", "where to; default: beside you, named after the input; - prints it")
    .option("--open", "open the page in a browser")
    .action((file: string, flags: PageFlags) => {
      const { name, html } = pageOf(file);
      deliver(html, flags.out ?? `${name}.html`, flags.open === true, output);
    });
  program
    .command("play")
    .description("open the playground: the lessons, and an editor for scenarios of your own")
    .argument("[scenario]", "what the editor begins with: a file, or a lesson by number")
    .option("-o, --out <file>", "write the page there and do not open it; - prints it")
    .option("--open", "open the page also with -o")
    .action((file: string | undefined, flags: PageFlags) => {
      const [path] = file === undefined ? [] : findScenarios([file]);
      const options = path === undefined ? {} : { organisations: organisationsBeside(path) };
      const html = playgroundHtml(path === undefined ? undefined : readText(path), options);
      const isKept = flags.out !== undefined;
      const to = flags.out ?? join(mkdtempSync(join(tmpdir(), "ringback-")), "playground.html");
      deliver(html, to, !isKept || flags.open === true, output);
    });
}

/** @throws {UsageError} for a file that is none of these */
function pageOf(file: string): { name: string; html: string } {
  if ([".json", ".jsonl"].includes(extname(file))) return pageOfJson(file);
  const [path] = findScenarios([file]);
  if (path === undefined) throw new UsageError(`${file}: no such file`);
  const { scenario } = readScenario(path);
  const options = { scenario: readText(path), organisations: organisationsBeside(path) };
  return { name: basename(path, extname(path)), html: inspectHtml(scenario, options) };
}

function pageOfJson(file: string): { name: string; html: string } {
  if (!existsSync(file))
    throw new UsageError(`${file}: no such file; a test writes one with JSON.stringify(sim.journal())`);
  const text = readText(file);
  const name = basename(file, extname(file));
  try {
    if (/^\s*\{\s*"ringback"\s*:\s*"explore"/.test(text))
      return { name, html: inspectHtml(mergeResults([{ name: file, text }]), { title: name }) };
    const failures = failuresIn(text);
    if (failures !== undefined) return { name, html: inspectHtml(readReport({ failures }), { title: name }) };
    // played here too, so that what is wrong with it is said now and not in the page
    return { name, html: inspectHtml(replay(text), { title: name }) };
  } catch (error) {
    if (error instanceof InputError || error instanceof SyntaxError)
      throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

/** Those of a report of `ringback explore`; undefined for a journal, which may also be written line by line. */
function failuresIn(text: string): readonly unknown[] | undefined {
  if (!/^\s*\{[\s\S]*"failures"\s*:/.test(text) || /^\s*\{\s*"ringback"\s*:/.test(text)) return undefined;
  const { failures } = JSON.parse(text) as { readonly failures?: unknown };
  return Array.isArray(failures) ? failures : undefined;
}

function deliver(html: string, to: string, opens: boolean, output: Output): void {
  if (to === "-") {
    output.out(html);
    return;
  }
  writeText(to, [html]);
  output.out(`${to}\n`);
  if (opens) open(pathToFileURL(to).href, output);
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Lets the desktop open a page; where there is none, the path was printed. */
function open(url: string, output: Output): void {
  const [command = "xdg-open", ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => output.err(`ringback: no browser could be opened; the page is at ${url}\n`));
  child.unref();
}
