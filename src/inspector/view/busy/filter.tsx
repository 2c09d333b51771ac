import { useRef, useState } from "preact/hooks";
import { timeOfDay } from "../common/format.ts";
import type { LoadedRun } from "../state/loading.ts";
import { type FilterOption, suggest } from "./suggest.ts";

/** A range of time, from the start of the run, ms. */
export interface ShownRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Typing suggests; only what is chosen filters. */
export function Filter({
  run,
  choices,
  chosen,
  range,
  choose,
  limit,
}: {
  run: LoadedRun;
  choices: readonly FilterOption[];
  chosen: readonly FilterOption[];
  range: ShownRange | undefined;
  choose(chosen: readonly FilterOption[]): void;
  limit(range: ShownRange | undefined): void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = suggest(choices, typed).filter((each) => !chosen.includes(each));
  const take = (choice: FilterOption) => {
    choose([...chosen, choice]);
    setTyped("");
    setAt(0);
    field.current?.focus();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setAt(Math.min(found.length - 1, at + 1)),
    ArrowUp: () => setAt(Math.max(0, at - 1)),
    Enter: () => found[at] !== undefined && take(found[at]),
    Escape: () => setTyped(""),
  };
  return (
    <div class="overview-filter">
      <label class="search">
        <span class="sr">Filter calls</span>
        <input
          ref={field}
          id="filter"
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls="suggestions"
          aria-activedescendant={found.length > 0 ? `suggestion-${at}` : undefined}
          autocomplete="off"
          value={typed}
          placeholder="Filter: a name, a number, 503"
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            const act = typed === "" ? undefined : keys[event.key];
            if (act === undefined) return;
            event.preventDefault();
            act();
          }}
        />
      </label>
      <div
        id="suggestions"
        class="popover suggestions"
        role="listbox"
        aria-label="Suggestions"
        hidden={typed.trim() === ""}
      >
        {found.map((choice, index) => (
          <div
            key={choice.text}
            id={`suggestion-${index}`}
            role="option"
            tabindex={-1}
            aria-selected={index === at}
            onClick={() => take(choice)}
          >
            {choice.text} <span class="muted num">{choice.records.size.toLocaleString("en")}</span>
          </div>
        ))}
        {found.length === 0 && (
          <div role="option" aria-disabled="true" aria-selected="false" tabindex={-1} class="muted">
            Nothing in this run matches.
          </div>
        )}
      </div>
      <div class="chosen" hidden={chosen.length === 0 && range === undefined}>
        {chosen.map((choice) => (
          <button
            type="button"
            class="pill on"
            key={choice.text}
            aria-label={`Remove the filter ${choice.text}`}
            onClick={() => choose(chosen.filter((each) => each !== choice))}
          >
            {choice.text} ×
          </button>
        ))}
        {range !== undefined && (
          <button
            type="button"
            class="pill on"
            aria-label="Remove the filter by time"
            onClick={() => limit(undefined)}
          >
            {timeOfDay(run.summary, range.fromMs)} to {timeOfDay(run.summary, range.toMs)} ×
          </button>
        )}
      </div>
    </div>
  );
}
