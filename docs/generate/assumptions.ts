import { type AssumptionWords, assumptionWords } from "../../src/core/platform/declare/assumption-words.ts";
import { banner } from "./banner.ts";

const intro = `${banner("src/core/platform/declare/assumption-words.ts")}

# Assumptions

Where the platform's documentation is silent, [fidelity](fidelity.md) says what we decided. A reasonable platform could
make the decisions below differently. Each has a name and a default. The option \`assume\` chooses another value:

\`\`\`js
import { createSimulator } from "ringback";

const sim = createSimulator({ assume: { notAnswered: "perTeam", eventDelay: "PT1.7S" } });
sim.options.assume.notAnswered; // "perTeam"
\`\`\`

The profile [\`observed\`](observed.md) sets those that public bodies show otherwise.

So does \`assume: { notAnswered: perTeam }\` in the head of a scenario, and \`ringback serve --assume notAnswered=perTeam\`. A journal holds what
its run assumed, and a replay assumes the same. \`eventDelay\` and \`dialLatency\` take any duration, or a distribution such as
\`{ uniform: ["PT1S", "PT3S"] }\`.

Assumptions are read only by reactions, which run a list for each value, and by writers of webhook bodies. Nothing else in the
platform knows of them. \`test/core/platform/assumptions.test.ts\` shows the stream of each value.

| name | value | what it means |
|---|---|---|`;

const rowsOf = ({ name, usual, means }: AssumptionWords): string[] =>
  Object.entries(means).map(([value, text]) => {
    const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
    return value === usual
      ? `| \`${name}\` | \`${value}\` (default) | ${sentence} |`
      : `| | ${/^PT/.test(value) ? `a time, such as \`${value}\`` : `\`${value}\``} | ${sentence} |`;
  });

/** `docs/assumptions.md`: every assumption, its values and what they mean. */
export function assumptionsPage(): string {
  return `${[intro, ...assumptionWords.flatMap(rowsOf)].join("\n")}\n`;
}
