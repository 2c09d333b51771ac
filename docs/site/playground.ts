import type { BuiltPage } from "../../src/inspector/build/page.ts";
import { fillTemplate } from "../../src/inspector/fill.ts";

/** The playground as a page of the site, to which each lesson links. */
export const PLAYGROUND = "playground.html";
const data = { version: 1, mode: "play", title: "Playground", runs: [], site: "" } as const;

/** The inspector's page as a playground. It has its fonts with it. */
export function playgroundPage({ template, ...parts }: BuiltPage): string {
  return fillTemplate(template, data, parts);
}
