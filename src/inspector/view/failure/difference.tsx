import type { ValueDifference } from "../../../findings/property-failure.ts";
import { type DiffLine, lineDiff } from "../../model/line-diff.ts";
import { stateLines } from "../../model/state-lines.ts";

/** What an assertion expected and what it received, line by line. */
export function Difference({ difference: { expected, received } }: { difference: ValueDifference }) {
  return (
    <div class="difference" role="region" aria-label="Expected and received" tabindex={0}>
      <p class="legend">
        <span class="line minus">expected</span>
        <span class="line plus">received</span>
      </p>
      <Lines lines={lineDiff(linesOf(expected), linesOf(received))} />
    </div>
  );
}

/** Vitest lays values out in lines; explorations write them in one. */
function linesOf(text: string): readonly string[] {
  return text.includes("\n") ? text.split("\n") : stateLines(text);
}

const signs = { " ": ["", ""], "-": ["minus", "only expected: "], "+": ["plus", "only received: "] } as const;

function Lines({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <pre>
      {lines.map(({ sign, text }, index) => (
        <span key={index} class={`line ${signs[sign][0]}`}>
          {signs[sign][1] !== "" && <span class="sr">{signs[sign][1]}</span>}
          <span aria-hidden="true">{sign} </span>
          {text}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
