import { Mark } from "../common/marks.tsx";
import { Printed } from "../common/printed.tsx";
import { useActions, useSelect } from "../state/context.ts";
import { Difference } from "./difference.tsx";

/** Why a test failed, above the run that it failed with. */
export function FailureBanner() {
  const failure = useSelect((state) => state.source?.failure);
  const title = useSelect((state) => state.source?.name);
  if (failure === undefined) return null;
  const { message, difference, replay } = failure;
  // the first paragraph is the assertion; the timeline that follows is what this page shows
  const [first = "", ...rest] = message.split("\n\n");
  const [headline = "", ...lines] = first.split("\n");
  return (
    <section class="failure" aria-label="Failure">
      <div class="failure-head">
        <Mark name="failed" />
        <h2>{headline}</h2>
        <AllFailures />
      </div>
      <p class="muted">{title}</p>
      {lines.length > 0 && <Printed>{lines.join("\n")}</Printed>}
      {difference !== undefined && <Difference difference={difference} />}
      {rest.length > 0 && (
        <details>
          <summary>The whole message</summary>
          <Printed>{message}</Printed>
        </details>
      )}
      {replay !== undefined && <Command label="Run it again" command={replay} />}
    </section>
  );
}

/** A link to the list of all failures, if this page is one of several. */
export function AllFailures() {
  const index = useSelect((state) => state.data.index);
  if (index === undefined) return null;
  return (
    <a class="button" href={index}>
      All failures
    </a>
  );
}

/** A command that can be copied. */
export function Command({ label, command }: { label: string; command: string }) {
  const actions = useActions();
  return (
    <p class="command">
      <span class="muted">{label}</span>
      <code tabindex={0}>{command}</code>
      <button type="button" class="mini" onClick={() => void actions.links.copy(command, "the command")}>
        Copy
      </button>
    </p>
  );
}
