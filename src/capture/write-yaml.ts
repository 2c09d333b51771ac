import { Document, Scalar, visit } from "yaml";
import { iso } from "../core/foundation/instants.ts";
import { printable, printableLines } from "../core/foundation/printable.ts";
import { layOut, WIDTH } from "../core/scenario/lay-out.ts";
import type { Inference } from "./infer.ts";
import { TAIL_MS } from "./play.ts";
import { durationOf } from "./scenario-draft.ts";

/** A scenario's text with comments that say what is assumed. */
export interface WrittenScenario {
  readonly title: string;
  /** As a scenario has them. */
  readonly deviations: readonly Readonly<Record<string, unknown>>[];
  /** The assumptions of the platform that differ from the defaults. */
  readonly assume: Readonly<Record<string, unknown>>;
  /** How webhooks are attempted, if not as usual. */
  readonly webhooks: Readonly<Record<string, unknown>> | undefined;
}

/** Writes an inference as a scenario file. */
export function writeYaml(
  inference: Inference,
  { title, deviations, assume, webhooks }: WrittenScenario,
): string {
  const { organisation, timing, startMs, endMs, steps, assumed } = inference;
  const head = layOutYaml({
    scenario: title,
    organisation,
    seed: 1,
    start: iso(startMs),
    ...(Object.keys(timing).length > 0 ? { timing } : {}),
    ...(Object.keys(assume).length > 0 ? { assume } : {}),
    ...(webhooks === undefined ? {} : { webhooks }),
    until: durationOf(endMs - startMs + TAIL_MS),
  });
  const entries = steps.map(
    ({ atMs, command, args, assumed: here }) =>
      assumedComments(here, "  ") + listItem({ at: durationOf(atMs - startMs), [command]: args }),
  );
  const rest = deviations.length > 0 ? `deviations:\n${deviations.map(listItem).join("")}` : "";
  const list = entries.length > 0 ? `steps:\n${entries.join("")}` : "steps: []\n";
  const text = assumedComments(assumed, "") + (assumed.length > 0 ? "\n" : "") + head + list + rest;
  return printableLines(text);
}

function layOutYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      // codes of characters mean something only between double quotation marks
      if (typeof node.value === "string" && printable(node.value) !== node.value)
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  layOut(document);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/**
 * An entry of a list, in one line if it is short. A day has tens of thousands of them, which the library would take
 * seconds to write.
 */
function listItem(value: Readonly<Record<string, unknown>>): string {
  const line = `  - ${inOneLine(value)}\n`;
  return line.length <= WIDTH ? line : layOutYaml({ steps: [value] }).replace("steps:\n", "");
}

/** Texts that need no quotation marks, unless they are words of YAML. */
const plainText = /^[a-z](?:[\w.@/-]|:(?=[\w/]))*(?: [\w.@/-]+)*$/i;
const yamlWords = /^(?:true|false|null|y|n|yes|no|on|off)$/i;

/** A value as YAML in one line. */
export function inOneLine(value: unknown): string {
  if (typeof value === "string")
    return plainText.test(value) && !yamlWords.test(value) ? value : JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(inOneLine).join(", ")} ]`;
  const entries = Object.entries(value).map(([key, each]) => `${inOneLine(key)}: ${inOneLine(each)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function assumedComments(assumed: readonly string[], indent: string): string {
  return assumed.map((each) => `${indent}# assumed: ${each.replaceAll(/\s+/g, " ")}\n`).join("");
}
