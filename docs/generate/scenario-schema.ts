import { toJsonSchema } from "@valibot/to-json-schema";
import { scenarioSchema } from "../../src/scenario/schema.ts";

/** The JSON Schema by which editors complete and check scenario files. */
export function scenarioJsonSchema(): string {
  const schema = toJsonSchema(scenarioSchema, {
    typeMode: "input",
    // what only code can check is left to `ringback check`
    ignoreActions: ["check", "raw_check", "raw_transform", "transform"],
    // a duration or an instant is any value to valibot; its metadata, which is added, says what it is in a file
    overrideSchema: ({ valibotSchema }) => (valibotSchema.type === "custom" ? {} : undefined),
  });
  const titled = { title: "A ringback scenario", ...schema };
  return `${withShortLists(JSON.stringify(titled, null, 2))}\n`;
}

/** Lists of texts or numbers on one line where they fit, as the formatter wants them. */
function withShortLists(json: string): string {
  return json.replace(/^(.*)\[\s+(["\d][^[\]{}]*["\d])\s+\](,?)$/gm, (lines, before, items, comma) => {
    const line = `${before}[${items.replaceAll(/\n\s*/g, " ")}]${comma}`;
    return line.length <= 110 ? line : lines;
  });
}
