import { useState } from "preact/hooks";
import type { CardsView, Detail } from "../../model/detail.ts";
import type { DiffNode } from "../../model/diff.ts";
import { stateChanges } from "../../model/state-lines.ts";
import { clock, lengthText } from "../common/format.ts";
import { Mark, outcomeMarks } from "../common/marks.tsx";
import { StateChange } from "../failure/columns.tsx";
import { useActions, useSelect } from "../state/context.ts";

/** The delivered event or the step, and the cards of the call. */
export function PayloadTab({ detail }: { detail: Detail }) {
  const { event, command } = detail;
  return (
    <>
      {event !== undefined ? (
        <EventPart detail={detail} event={event} />
      ) : command === undefined ? (
        <StepTab />
      ) : (
        <CommandPart command={command} />
      )}
      {detail.cards.map((cards) => (
        <CardsPart key={cards.origin} cards={cards} />
      ))}
    </>
  );
}

/** Cards in their order, and who sees them. */
function CardsPart({ cards: { origin, shownTo, cards, problems } }: { cards: CardsView }) {
  return (
    <section aria-label={`Cards of ${origin}`}>
      <h2 class="group">Cards</h2>
      <p class="muted">
        {shownTo.length === 0 ? "Shown to nobody yet" : `Shown to ${shownTo.join(", ")}`}, asked for as{" "}
        <span class="mono">{origin}</span>
      </p>
      {problems.map((problem) => (
        <p class="notice" key={problem}>
          {problem}
        </p>
      ))}
      <Tree node={{ children: cards }} onlyChanges={false} />
    </section>
  );
}

/** The event; changes come first. */
function EventPart({ detail, event }: { detail: Detail; event: NonNullable<Detail["event"]> }) {
  const actions = useActions();
  const [showsAll, setShowsAll] = useState(false);
  const isDiff = event.previous !== undefined && event.changes > 0;
  return (
    <>
      <DeliveryStrip detail={detail} />
      <div class="bar">
        {isDiff && (
          <div class="segments" role="group" aria-label="What is shown">
            <button type="button" aria-pressed={!showsAll} onClick={() => setShowsAll(false)}>
              Changes {event.changes}
            </button>
            <button type="button" aria-pressed={showsAll} onClick={() => setShowsAll(true)}>
              All
            </button>
          </div>
        )}
        <span class="grow" />
        <button
          type="button"
          class="button"
          onClick={() => void actions.links.copy(event.json, "the event as JSON")}
        >
          Copy JSON
        </button>
      </div>
      {event.previous !== undefined && (
        <p class="muted against">
          {isDiff ? "Against" : "Nothing changed since"}{" "}
          <button
            type="button"
            class="mini"
            onClick={() => actions.playback.select(event.previous?.row ?? 0)}
          >
            <span class="mono">{event.previous.type}</span> {clock(event.previous.atMs)}
          </button>
        </p>
      )}
      <Tree
        node={event.tree}
        onlyChanges={isDiff && !showsAll}
        key={`${detail.row} ${isDiff && !showsAll}`}
      />
    </>
  );
}

/** What an endpoint does in a row, in words. */
const endpointTexts: Readonly<Record<string, string>> = {
  rings: "begins to ring",
  answered: "is answered",
  answeredElsewhere: "stops, another phone was answered",
  timeout: "stops, nobody answered it in time",
  declined: "stops, declined",
  withdrawn: "stops, the call went elsewhere",
};

/** Any other row, such as a timer, a ring or voicemail. */
function StepTab() {
  const row = useSelect((state) => state.run?.rows[state.now]);
  const lanes = useSelect((state) => state.run?.summary.lanes);
  // the cards are shown below
  if (row === undefined || row.kind === "cards") return null;
  if (row.unexplained !== undefined)
    return <p class="muted">The capture has this request; the run has no event for it.</p>;
  if (row.state !== undefined) {
    const { previous, next } = row.state;
    return <StateChange group={{ state: next, changes: stateChanges(previous, next) }} />;
  }
  if (row.endpoints.length === 0)
    return (
      <p class="muted">
        {row.subject} {row.verb}
        {row.detail === "" ? "" : `, ${row.detail}`}. No event or request reports this.
      </p>
    );
  return (
    <dl>
      {row.endpoints.map(({ lane, endpoint, does }) => (
        <>
          <dt>
            {lanes?.find(({ id }) => id === lane)?.name ?? lane}, {endpoint}
          </dt>
          <dd>{endpointTexts[does] ?? does}</dd>
        </>
      ))}
    </dl>
  );
}

function CommandPart({ command }: { command: NonNullable<Detail["command"]> }) {
  const actions = useActions();
  const { yaml } = command;
  return (
    <>
      <div class="bar">
        {yaml !== undefined && (
          <button type="button" class="button" onClick={() => void actions.links.copy(yaml, "the step")}>
            Copy as step
          </button>
        )}
        <button
          type="button"
          class="button"
          onClick={() => void actions.links.copy(command.json, "the arguments as JSON")}
        >
          Copy JSON
        </button>
      </div>
      <Tree node={command.tree} onlyChanges={false} />
      {yaml !== undefined && (
        <>
          <h2 class="group">As a step of a scenario</h2>
          <pre tabindex={0}>{yaml}</pre>
        </>
      )}
    </>
  );
}

/** The attempts of a delivery on one line. */
function DeliveryStrip({ detail }: { detail: Detail }) {
  const actions = useActions();
  const lanes = useSelect((state) => state.run?.summary.lanes);
  const row = useSelect((state) => state.run?.rows[state.now]);
  return (
    <>
      {detail.deliveries
        .filter(({ attempts }) => attempts.length > 0)
        .map(({ id, attempts }) => {
          const lane = row?.deliveries.find((each) => each.id === id)?.lane;
          const [first, last] = [attempts[0], attempts.at(-1)];
          if (first === undefined || last === undefined) return null;
          return (
            <button type="button" class="strip" key={id} onClick={() => actions.view.tab("delivery")}>
              <span>{lanes?.find((each) => each.id === lane)?.short ?? lane}</span>
              <Mark name={outcomeMarks[first.outcome.kind]} />
              <b>{first.outcome.text}</b>
              {attempts.length > 1 && (
                <>
                  <i />
                  <span class="muted">
                    {attempts.length > 2 ? `${attempts.length} attempts, ` : ""}
                    {lengthText(last.atMs - first.atMs)} later
                  </span>
                  <i />
                  <Mark name={outcomeMarks[last.outcome.kind]} />
                  <b>{last.outcome.text}</b>
                </>
              )}
            </button>
          );
        })}
    </>
  );
}

/** A value as a tree that opens and closes. At first it is open where something changed, or at its top. */
function Tree({ node, onlyChanges }: { node: Pick<DiffNode, "children">; onlyChanges: boolean }) {
  return (
    <ul class="tree">
      {node.children.map((child, index) => (
        <Branch
          key={`${index} ${child.key}`}
          node={child}
          depth={0}
          onlyChanges={onlyChanges}
          isInNew={false}
        />
      ))}
    </ul>
  );
}

const signs: Readonly<Record<DiffNode["change"], string>> = {
  same: "",
  changed: "~",
  added: "+",
  removed: "−",
};

function Branch({
  node,
  depth,
  onlyChanges,
  isInNew,
}: {
  node: DiffNode;
  depth: number;
  onlyChanges: boolean;
  isInNew: boolean;
}) {
  const startsOpen =
    !isInNew && node.change === "same" && (onlyChanges ? node.isTouched : depth < 1 || node.isTouched);
  const [isOpen, setOpen] = useState(startsOpen);
  if (onlyChanges && !isInNew && !node.isTouched) return null;
  const change = isInNew ? "" : node.change;
  const sign = isInNew ? "" : signs[node.change];
  const indent = { paddingLeft: `${16 + depth * 14}px` };
  if (node.children.length === 0)
    return (
      <li class={`row ${change}`} style={indent}>
        {sign !== "" && <span class="sign">{sign}</span>}
        <span class="key">{node.key}</span>:{" "}
        {node.old !== undefined && (
          <>
            <s>{node.old}</s>{" "}
          </>
        )}
        <span class={node.kind}>{node.text}</span>
      </li>
    );
  return (
    <li>
      <button
        type="button"
        class={`row ${change}`}
        style={indent}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {sign !== "" && <span class="sign">{sign}</span>}
        <span class="chevron">{isOpen ? "▼" : "▶"}</span> <span class="key">{node.key}</span>{" "}
        <span class="other">{node.text}</span>
      </button>
      {isOpen && (
        <ul>
          {node.children.map((child) => (
            <Branch
              key={child.key}
              node={child}
              depth={depth + 1}
              onlyChanges={onlyChanges}
              isInNew={isInNew || node.change === "added" || node.change === "removed"}
            />
          ))}
        </ul>
      )}
    </li>
  );
}
