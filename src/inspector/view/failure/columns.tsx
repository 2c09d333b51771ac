import type { DiffLine } from "../../model/line-diff.ts";
import { stateLines } from "../../model/state-lines.ts";
import type { PageRow } from "../../model/types.ts";
import { clock } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import { useActions } from "../state/context.ts";
import { deviationTargets } from "../state/deviation-targets.ts";
import type { LoadedRun } from "../state/loading.ts";
import type { InstantSteps, Item, RequestItem } from "./items.ts";
import { WhatIf } from "./what-if.tsx";

/** The steps of two worlds: what they share, then both side by side. */

interface TryProps {
  /** The run whose requests offer deviations to try. */
  readonly tryIn?: LoadedRun | undefined;
}

interface StepsProps extends TryProps {
  readonly groups: readonly InstantSteps[];
}

/** What both worlds share. */
export function SharedSteps({
  groups,
  title,
  about = "",
  tryIn,
}: StepsProps & { title: string; about?: string }) {
  return (
    <section class="shared-steps" aria-label={title}>
      <header>
        <b>{title}</b> <span class="muted">{about}</span>
      </header>
      {groups.map((group) => (
        <div class="instant" key={group.atMs}>
          <span class="at num">{clock(group.atMs)}</span>
          <Steps group={group} tryIn={tryIn} />
          <StateChange group={group} />
        </div>
      ))}
    </section>
  );
}

export interface ColumnProps extends TryProps {
  readonly tone: "passes" | "fails" | "tried";
  readonly title: string;
  readonly note: string;
  /** The property that holds or fails in this world. */
  readonly verdict?: string;
}

interface ColumnSteps extends StepsProps {
  readonly instants: readonly number[];
  /** The other world: what differs from it is marked. */
  readonly others?: readonly InstantSteps[];
}

/** One of two worlds. An instant at which nothing happens in it is empty. */
export function WorldColumn(props: ColumnProps & ColumnSteps) {
  const { tone, title, note, groups, others = [], instants, verdict, tryIn } = props;
  const marks = { passes: "delivered", fails: "failed", tried: "info" } as const;
  return (
    <section class={`branch ${tone}`} aria-label={title}>
      <header>
        <Mark name={marks[tone]} />
        <b>{title}</b> <span class="muted">{note}</span>
      </header>
      {instants.map((atMs) => {
        const group = groups.find((each) => each.atMs === atMs);
        return (
          <div class="instant" key={atMs}>
            <span class="at num">{clock(atMs)}</span>
            {group === undefined ? (
              <p class="muted nothing">Nothing happens here.</p>
            ) : (
              <>
                <Steps group={group} tryIn={tryIn} />
                <StateChange
                  group={group}
                  isBad={tone === "fails" && others.find((each) => each.atMs === atMs)?.state !== group.state}
                />
              </>
            )}
          </div>
        );
      })}
      {verdict !== undefined && (
        <footer>
          {tone === "passes" ? "✓" : "✗"} {verdict}
        </footer>
      )}
    </section>
  );
}

/** Events without a subscribed webhook share a line. */
function Steps({ group: { items }, tryIn }: { group: InstantSteps } & TryProps) {
  const unasked = items.filter((item) => item.is === "line" && item.isUnsubscribed);
  return (
    <ul class="steps">
      {items
        .filter((item) => !unasked.includes(item))
        .map((item, index) => (
          <li key={index}>
            {item.is === "line" ? <Line item={item} tryIn={tryIn} /> : <Request item={item} tryIn={tryIn} />}
          </li>
        ))}
      {unasked.length > 0 && (
        <li class="unasked muted">no webhook asks for {unasked.map(({ row }) => row.subject).join(", ")}</li>
      )}
    </ul>
  );
}

function Line({ item: { row }, tryIn }: { item: Item } & TryProps) {
  const { kind, subject, verb, detail, outcome } = row;
  return (
    <>
      <p class="step-line">
        <Mark name={kind} />
        <span>
          <b>{subject}</b> {verb} <span class="muted">{detail}</span>
        </span>
        {outcome !== undefined && <span class={`chip ${outcome.kind}`}>{outcome.text}</span>}
      </p>
      {kind === "rest" && <WhatIfs row={row} tryIn={tryIn} />}
    </>
  );
}

/** The deviations to try for a row's request, or for one of its deliveries. */
function WhatIfs({ row, delivery, tryIn }: { row: PageRow; delivery?: string | undefined } & TryProps) {
  const actions = useActions();
  if (tryIn === undefined) return null;
  return (
    <>
      {deviationTargets(row)
        .filter(({ request }) => !("delivery" in request) || request.delivery === delivery)
        .map((of) => (
          <WhatIf
            key={of.what}
            target={of}
            run={tryIn}
            pick={(is) => void actions.worlds.try(of, is, tryIn)}
          />
        ))}
    </>
  );
}

/** Whether a row is a request to the REST API, or its answer, and not what it did. */
const isRestRequest = ({ command }: PageRow) =>
  command?.name === "restServed" || command?.name === "restAsked";
/** Whether a row is what a request of the handler did. */
const isEffect = (row: PageRow) => !isRestRequest(row) && row.called === undefined;

/** A request, the REST requests of its handler, and its outcome. */
function Request({ item, tryIn }: { item: RequestItem } & TryProps) {
  const { what, attempt, isDuplicate, lane, outcome, innerRows } = item;
  const again = [attempt > 1 && `attempt ${attempt}`, isDuplicate && "a second time"]
    .filter(Boolean)
    .join(", ");
  const isLost = outcome.kind === "lost" || outcome.text === "answer lost";
  return (
    <div class={`request ${isLost ? "lost" : outcome.kind}`}>
      <p>
        <span aria-hidden="true">→</span>
        <span>
          <b>{what}</b> to {lane} <span class="muted">{again}</span>
        </span>
      </p>
      {innerRows.length > 0 && (
        <ul class="inside" aria-label="Inside your handler">
          {innerRows.map((row) => (
            <li key={row.index} class={isEffect(row) ? "effect" : ""}>
              <Mark name={row.kind} />
              <span>
                {!isRestRequest(row) && `${row.subject} ${row.verb} `}
                {row.detail}
              </span>
              {row.outcome !== undefined && (
                <span class={`chip ${row.outcome.kind}`}>{row.outcome.text}</span>
              )}
              <WhatIfs row={row} tryIn={tryIn} />
            </li>
          ))}
        </ul>
      )}
      <p>
        <span aria-hidden="true">←</span>
        <span class="grow">
          {outcome.kind === "delivered"
            ? "your answer"
            : outcome.kind === "lost"
              ? "no answer"
              : "the answer"}
        </span>
        <span class={`chip ${isLost ? "lost" : outcome.kind}`}>{outcome.text}</span>
      </p>
      {!isDuplicate && <WhatIfs row={item.row} delivery={item.delivery} tryIn={tryIn} />}
    </div>
  );
}

/** How many lines around a change are shown. */
const AROUND = 1;

/** How the app's state changed at an instant. */
export function StateChange({
  group: { state, changes },
  isBad = false,
}: {
  group: Pick<InstantSteps, "state" | "changes">;
  isBad?: boolean;
}) {
  if (state === undefined) return <div class="state" />;
  if (changes.length === 0) return <div class="state muted">your app: no change</div>;
  return (
    <div class={`state ${isBad ? "bad" : ""}`}>
      <span class="muted">your app, after it</span>
      <pre tabindex={0}>
        {linesAroundChanges(changes).map(({ sign, text }, index) => (
          <span key={index} class={sign === "+" ? "added" : sign === "-" ? "gone" : ""}>
            <span aria-hidden="true">{sign} </span>
            {sign !== " " && <span class="sr">{sign === "+" ? "added: " : "gone: "}</span>}
            {text}
            {"\n"}
          </span>
        ))}
      </pre>
      <details>
        <summary class="muted">whole state</summary>
        <pre tabindex={0}>{stateLines(state).join("\n")}</pre>
      </details>
    </div>
  );
}

/** The changed lines, and those around them. */
function linesAroundChanges(lines: readonly DiffLine[]): DiffLine[] {
  return lines.filter((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ sign }) => sign !== " "),
  );
}
