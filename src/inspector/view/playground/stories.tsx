import { shownActs } from "../../../stories/acts-words.ts";
import type { StoryBranch } from "../../../stories/story-tree.ts";
import { counted, shortClock } from "../common/format.ts";
import { useActions, useSelect } from "../state/context.ts";
import { isInTree } from "../state/playground.ts";

/** The tree of what else can become of the scenario, instead of the editor. Each end shows its run. */
export function Stories() {
  const { playground } = useActions();
  const text = useSelect((state) => state.text);
  const stories = useSelect((state) => state.stories);
  const told = stories?.told;
  const isEnd = isInTree(text, told?.tree?.branches);
  return (
    <div class="stories" role="region" aria-label="What else can become of it" tabindex={0}>
      {told === undefined && <p role="status">Telling what people can do</p>}
      {told?.why !== undefined && <p role="status">{told.why}</p>}
      {told?.tree !== undefined && (
        <>
          <p>
            One person does something more, or leaves a step out:{" "}
            {counted(told.tree.told, "story", "stories")}
            {told.tree.isCut && ", the first ones"}. Those below differ in what happens.
          </p>
          {stories?.text !== text && (
            <p>
              <button type="button" class="mini" onClick={() => void playground.tellStories()}>
                {isEnd ? "Go on from this run" : "Tell those of the present text"}
              </button>
            </p>
          )}
          <Branches branches={told.tree.branches} />
        </>
      )}
    </div>
  );
}

function Branches({ branches }: { branches: readonly StoryBranch[] }) {
  const { playground } = useActions();
  const text = useSelect((state) => state.text);
  return (
    <ul>
      {branches.map((branch) => {
        const { end, next, isOwn } = branch;
        return (
          <li key={JSON.stringify(branch.acts)} class={isOwn ? "own" : undefined}>
            {end === undefined ? (
              <p>
                <Acts {...branch} />
              </p>
            ) : (
              <button
                type="button"
                aria-current={end.text === text ? "true" : undefined}
                onClick={() => void playground.replaceText(end.text)}
              >
                <Acts {...branch} />
                <small>
                  {[isOwn && "As the scenario says", end.outcome, counted(end.events, "event")]
                    .filter(Boolean)
                    .join(" · ")}
                </small>
              </button>
            )}
            {next.length > 0 && <Branches branches={next} />}
          </li>
        );
      })}
    </ul>
  );
}

function Acts({ acts }: Pick<StoryBranch, "acts">) {
  const [first, next] = shownActs(acts).map((each) =>
    typeof each === "string" ? (
      each
    ) : (
      <>
        <i>{shortClock(each.atMs)}</i> <b>{each.who}</b> {each.what}
      </>
    ),
  );
  return (
    <>
      {first}
      {next !== undefined && <span>{next}</span>}
    </>
  );
}
