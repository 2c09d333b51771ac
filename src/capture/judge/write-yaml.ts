import { Document, Scalar, visit } from "yaml";
import { iso, isoDuration } from "../../core/foundation/instants.ts";
import { printable, printableLines } from "../../core/foundation/printable.ts";
import { layOut, WIDTH } from "../../core/scenario/lay-out.ts";
import type { Inference } from "../infer/infer.ts";
import { TAIL_MS } from "./play.ts";

/** What a scenario file has beside the inference. */
export interface WrittenScenario {
  readonly title: string;
  /** As in a scenario. */
  readonly deviations: readonly Readonly<Record<string, unknown>>[];
  /** The assumptions that differ from the defaults. */
  readonly assume: Readonly<Record<string, unknown>>;
  /** The schedule of attempts, if it is not the default. */
  readonly webhooks: Readonly<Record<string, unknown>> | undefined;
}

/** Writes an inference as a scenario file, with a comment for each assumption. */
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
    until: isoDuration(endMs - startMs + TAIL_MS),
  });
  const entries = steps.map(
    ({ atMs, command, args, assumed: here }) =>
      assumedComments(here, "  ") + listItem({ at: isoDuration(atMs - startMs), [command]: args }),
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
      // YAML reads escapes only in double quotes
      if (typeof node.value === "string" && printable(node.value) !== node.value)
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  layOut(document);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/**
 * An item of a list, on one line if it fits. Written by hand, since the library takes seconds for the tens of thousands of
 * steps of a day.
 */
function listItem(value: Readonly<Record<string, unknown>>): string {
  const line = `  - ${inOneLine(value)}\n`;
  return line.length <= WIDTH ? line : layOutYaml({ steps: [value] }).replace("steps:\n", "");
}

/** Texts that need no quotes unless they are YAML keywords. */
const plainText = /^[a-z](?:[\w.@/-]|:(?=[\w/]))*(?: [\w.@/-]+)*$/i;
const yamlWords = /^(?:true|false|null|y|n|yes|no|on|off)$/i;

/** A value as YAML on one line. */
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
