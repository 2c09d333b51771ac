import { Document, isMap, isSeq, type Node } from "yaml";
import { iso } from "../engine/instants.ts";
import { layOut } from "../scenario/lay-out.ts";
import { durationOf } from "./draft.ts";
import type { Inference } from "./infer.ts";
import { AFTER_MS } from "./play.ts";

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
export function yamlOf(
  inference: Inference,
  { title, deviations, assume, webhooks }: WrittenScenario,
): string {
  const { organisation, timing, startMs, endMs, steps, assumed } = inference;
  const document = new Document(
    {
      scenario: title,
      organisation,
      seed: 1,
      start: iso(startMs),
      ...(Object.keys(timing).length > 0 ? { timing } : {}),
      ...(Object.keys(assume).length > 0 ? { assume } : {}),
      ...(webhooks === undefined ? {} : { webhooks }),
      until: durationOf(endMs - startMs + AFTER_MS),
      steps: steps.map(({ atMs, command, args }) => ({ at: durationOf(atMs - startMs), [command]: args })),
      ...(deviations.length > 0 ? { deviations } : {}),
    },
    { aliasDuplicateObjects: false },
  );
  layOut(document);
  const list = document.get("steps");
  if (isSeq(list))
    for (const [index, { assumed: here }] of steps.entries()) comment(list.items[index] as Node, here);
  if (isMap(document.contents) && assumed.length > 0) document.commentBefore = lines(assumed);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function comment(node: Node, assumed: readonly string[]): void {
  if (assumed.length > 0) node.commentBefore = lines(assumed);
}

function lines(assumed: readonly string[]): string {
  return assumed.map((each) => ` assumed: ${each.replaceAll(/\s+/g, " ")}`).join("\n");
}
