import { useMemo } from "preact/hooks";
import type { WorldSource } from "../../data.ts";
import { clock, counted, exactClock } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import { Printed } from "../common/printed.tsx";
import { useActions, useSelect } from "../state/context.ts";
import type { LoadedRun } from "../state/loading.ts";
import { tryVerdict } from "../state/try-request.ts";
import type { TriedWorld } from "../state/worlds.ts";
import { AllFailures, Command } from "./banner.tsx";
import { type ColumnProps, SharedSteps, StateChange, WorldColumn } from "./columns.tsx";
import { Difference } from "./difference.tsx";
import { differenceText } from "./difference-text.ts";
import { type InstantSteps, type SplitRuns, splitRuns, stepsByInstant } from "./items.ts";
import { adviceFor, type FailureSentence, messageLine, writeSentence } from "./sentence.ts";

/** The page of a failure that an exploration found: its sentence, what was expected, and the two worlds. */
export function WorldPage() {
  const world = useSelect((state) => state.source?.world);
  const run = useSelect((state) => state.run);
  if (world === undefined || run === undefined) return null;
  return <LoadedWorld world={world} run={run} />;
}

function LoadedWorld({ world, run }: { world: WorldSource; run: LoadedRun }) {
  const groups = useMemo(() => stepsByInstant(run, world.received), [run, world]);
  const sentence = useMemo(() => writeSentence(world, groups, run.summary.records), [world, groups, run]);
  return (
    <div class="world" tabindex={-1}>
      <p class="kicker">
        <b>{world.property}: fails</b>
        {world.worlds !== undefined && <span>in {counted(world.worlds, "world")}</span>}
        <span>
          {world.clauses.length === 0 ? "without any deviation" : counted(world.clauses.length, "deviation")}
        </span>
        <span class="grow" />
        <AllFailures />
      </p>
      <Headline sentence={sentence} advice={adviceFor(world, groups)} />
      <div class="world-cards">
        <Failed world={world} groups={groups} saysMessage={sentence.saysMessage} />
        <Replays world={world} />
      </div>
      <Worlds world={world} run={run} groups={groups} />
    </div>
  );
}

function Headline({
  sentence: { parts },
  advice,
}: {
  sentence: FailureSentence;
  advice: string | undefined;
}) {
  const actions = useActions();
  return (
    <>
      <h2 class="sentence">
        {parts.map(({ text, row, tone }, index) => (
          <>
            {index > 0 && "; "}
            {row === undefined ? (
              <span class={tone}>{text}</span>
            ) : (
              // a button would not wrap with the rest of the sentence
              <a
                class={tone}
                href={`#now=${row}`}
                onClick={(event) => {
                  event.preventDefault();
                  actions.showStep(row);
                }}
              >
                {text}
              </a>
            )}
          </>
        ))}
        {parts.at(-1)?.text.endsWith("…") ? "" : "."}
      </h2>
      {advice !== undefined && <p class="advice">{advice}</p>}
    </>
  );
}

/** What was expected and received, and the app's state at the end. It repeats nothing of the sentence. */
function Failed({
  world,
  groups,
  saysMessage,
}: {
  world: WorldSource;
  groups: readonly InstantSteps[];
  saysMessage: boolean;
}) {
  const { message, difference, thrown } = world;
  const last = groups.findLast(({ changes }) => changes.length > 0);
  const headline = messageLine(message);
  return (
    <section class="card" aria-label="What failed">
      <h2>What failed</h2>
      {!saysMessage && headline !== "" && <p class="message">{headline}</p>}
      {difference !== undefined && <Difference difference={difference} />}
      {thrown?.stack !== undefined && (
        <details>
          <summary>
            {thrown.name}
            {thrown.place !== undefined && ` at ${thrown.place}`}
          </summary>
          <Printed>{thrown.stack}</Printed>
        </details>
      )}
      {message.trim() !== headline && (
        <details>
          <summary>The whole message</summary>
          <Printed>{message}</Printed>
        </details>
      )}
      {last !== undefined && (
        <>
          <p class="muted">The state of your app changed last at {exactClock(last.atMs)}</p>
          <StateChange group={last} isBad />
        </>
      )}
    </section>
  );
}

function Replays({ world }: { world: WorldSource }) {
  const scenario = useSelect((state) => state.source?.scenario);
  const actions = useActions();
  return (
    <section class="card" aria-label="Run this world again">
      <h2>Run this world again</h2>
      {world.replays.map(([what, text]) => (
        <Command key={what} label={what} command={text} />
      ))}
      {scenario !== undefined && (
        <details>
          <summary>The smallest scenario</summary>
          <pre tabindex={0}>{scenario}</pre>
          <button
            type="button"
            class="button"
            onClick={() => void actions.links.copy(scenario, "the scenario")}
          >
            Copy the scenario
          </button>
        </details>
      )}
    </section>
  );
}

/** The shared steps and the two worlds side by side: failing and passing, or failing and tried. */
function Worlds({
  world,
  run,
  groups,
}: {
  world: WorldSource;
  run: LoadedRun;
  groups: readonly InstantSteps[];
}) {
  const passing = useSelect((state) => state.passing);
  const tried = useSelect((state) => state.tried);
  const other = useMemo(
    () => passing && stepsByInstant(passing, world.nearest?.received ?? []),
    [passing, world],
  );
  const fork = useMemo(() => {
    // recorded answers need no app, so its state is unknown
    if (tried?.played !== undefined)
      return splitRuns(groups, stepsByInstant(tried.run, tried.played.received));
    if (tried !== undefined) return splitRuns(groups.map(withoutState), stepsByInstant(tried.run, []));
    return other && splitRuns(other, groups);
  }, [other, tried, groups]);
  if (fork === undefined) {
    if (world.nearest !== undefined) return <p class="muted">Playing the nearest passing world</p>;
    return (
      <div class={groups.some(hasState) ? "" : "stateless"}>
        <SharedSteps groups={groups} title="This world" tryIn={run} />
      </div>
    );
  }
  const until = fork.shared.at(-1)?.atMs;
  const [left, right] = columnsFor(world, run, tried);
  return (
    <div class={[...fork.shared, ...fork.left, ...fork.right].some(hasState) ? "" : "stateless"}>
      {fork.shared.length > 0 && (
        <SharedSteps
          groups={fork.shared}
          title="The same in both worlds"
          about={until === undefined ? "" : `until ${exactClock(until)}`}
          tryIn={tried?.run ?? run}
        />
      )}
      <FirstDifference fork={fork} />
      {tried !== undefined && <TriedNote tried={tried} />}
      <div class="branches">
        <WorldColumn {...left} groups={fork.left} instants={fork.instants} />
        <WorldColumn {...right} groups={fork.right} others={fork.left} instants={fork.instants} />
      </div>
    </div>
  );
}

/** The two columns: the passing and the failing world, or the failing and the tried one. */
function columnsFor(
  { property, clauses, nearest }: WorldSource,
  run: LoadedRun,
  tried: TriedWorld | undefined,
): [ColumnProps, ColumnProps] {
  if (tried === undefined) {
    const without = clauses.length === 1 ? "the same world without it" : `without “${nearest?.without}”`;
    const about = clauses.length === 1 ? "with it" : `with all ${clauses.length} deviations`;
    return [
      { tone: "passes", title: "Passes", note: without },
      { tone: "fails", title: "Fails", note: about, tryIn: run },
    ];
  }
  const { title, played } = tried;
  const failed = played?.failures?.[0]?.property;
  const tone = played === undefined ? "tried" : failed === undefined ? "passes" : "fails";
  const verdict = played === undefined ? {} : { verdict: failed ?? property };
  return [
    { tone: "fails", title: "Fails", note: "as recorded", tryIn: run },
    { tone, title: "Tried", note: title, tryIn: tried.run, ...verdict },
  ];
}

/** The deviation that was tried, and how the app reacted. */
function TriedNote({ tried: { title, run, played } }: { tried: TriedWorld }) {
  const actions = useActions();
  const { skipped } = run.summary;
  return (
    <p class="tried-note">
      <b>You tried: {title}.</b>{" "}
      {played === undefined ? "Your app did not run: its recorded answers were used." : tryVerdict(played)}{" "}
      {skipped.length > 0 && `${counted(skipped.length, "request")} no longer applied. `}
      <button type="button" class="button" onClick={() => actions.worlds.back()}>
        Back to the failure
      </button>
    </p>
  );
}

const hasState = ({ state }: InstantSteps) => state !== undefined;
const withoutState = (group: InstantSteps): InstantSteps => ({ ...group, state: undefined, changes: [] });

function FirstDifference({ fork: { first, instants } }: { fork: SplitRuns }) {
  const [at] = instants;
  if (at === undefined) return <p class="first">The two worlds are the same.</p>;
  return (
    <p class="first">
      {first !== undefined && <Mark name="lost" />}
      First difference at {clock(at)}: {first === undefined ? "the state of your app" : differenceText(first)}
    </p>
  );
}
