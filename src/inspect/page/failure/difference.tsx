import type { Difference as Both } from "../../data.ts";
import { lineDiff } from "../../model/line-diff.ts";

/** What an assertion expected and what it received, line by line. */
export function Difference({ difference: { expected, received } }: { difference: Both }) {
  return (
    <div class="difference" role="region" aria-label="Expected and received" tabindex={0}>
      <p class="legend">
        <span class="line minus">expected</span>
        <span class="line plus">received</span>
      </p>
      <Lines lines={lineDiff(expected.split("\n"), received.split("\n"))} />
    </div>
  );
}

const signs = { " ": ["", ""], "-": ["minus", "only expected: "], "+": ["plus", "only received: "] } as const;

function Lines({ lines }: { lines: ReturnType<typeof lineDiff> }) {
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
