import type { RunNarration } from "../core/narration/rows.ts";
import { rowText } from "../core/narration/words.ts";
import type { Scenario } from "../core/scenario/scenario.ts";
import { Covering, listGoals } from "./covering.ts";
import { type Story, StoryTeller } from "./story-teller.ts";
import { storyText } from "./story-text.ts";
import { isOfPeople, peopleClause } from "./story-words.ts";

/**
 * What can become of a scenario, as a tree: what people do one after the other, and at each end a run. Of runs that reach
 * the same states and events one is kept. Plain data, since a page's worker sends it.
 */

/** What one person does at one instant. */
export interface ToldAct {
  /** When, ms from the start. */
  readonly atMs: number;
  /** Who does it: `Alice Ng`. */
  readonly who: string;
  /** What they do: `answers on mobile`. */
  readonly what: string;
}

/** What people do until something else can follow, and what can. */
export interface StoryBranch {
  /** In order. Empty if nobody does anything more. */
  readonly acts: readonly ToldAct[];
  /** Whether the scenario itself goes this way. */
  readonly isOwn: boolean;
  readonly next: readonly StoryBranch[];
  /** The run that ends here. */
  readonly end?: StoryEnd;
}

/** A run at an end of the tree. */
export interface StoryEnd {
  /** What became of each call, or how many there were: `Answered by Alice Ng`. Empty without a call. */
  readonly outcome: string;
  readonly events: number;
  /** Whether it is the scenario itself. */
  readonly isOwn: boolean;
  /** The scenario that plays it: of the scenario itself its whole text, with its questions. */
  readonly text: string;
}

export interface StoryTree {
  readonly branches: readonly StoryBranch[];
  /** How many stories were told, of which the tree has those that differ. */
  readonly told: number;
  /** Whether more stories would have followed. */
  readonly isCut: boolean;
}

interface ToldEnd extends StoryEnd {
  readonly acts: readonly ToldAct[];
}

/** How large an organisation and a script may be, so that their stories are told within seconds. */
const MOST_PEOPLE = 60;
const MOST_STEPS = 40;
const MOST_STORIES = 500;
/** Of how many calls an end says the outcome. */
const MOST_OUTCOMES = 3;

/** Why the tree of a scenario takes too long; undefined if it does not. */
export function tooLargeForTree({ options, steps }: Scenario): string | undefined {
  const { users = [], devices = [] } = options.organisation ?? {};
  const people = users.length + devices.length;
  if (people > MOST_PEOPLE)
    return `This organisation has ${people} people and devices, and stories are told here for up to ${MOST_PEOPLE}: \`ringback stories\` tells those of any.`;
  if (steps.length > MOST_STEPS)
    return `This scenario has ${steps.length} steps, and stories are told here for up to ${MOST_STEPS}: \`ringback stories\` tells those of any.`;
  return undefined;
}

/**
 * Tells the stories with one act more than the scenario, and one in which a step of it is left undone.
 * @param text the scenario's text
 * @param told called after each story
 */
export function storyTree(scenario: Scenario, text: string, told: () => void = () => {}): StoryTree {
  const teller = new StoryTeller(scenario, { acts: 1, merge: "state" });
  const covering = new Covering<() => ToldEnd>();
  let own: ToldEnd | undefined;
  let count = 0;
  let isCut = false;
  for (const story of teller.stories()) {
    if (count === MOST_STORIES) {
      isCut = true;
      break;
    }
    count++;
    told();
    if (story.acts === 0) own = tellEnd(story, text);
    else covering.add(listGoals(story), () => () => tellEnd(story, text));
  }
  const others = covering.fewest().map(({ story }) => story());
  const ends = own === undefined ? others : [own, ...others.filter(({ isOwn }) => !isOwn)];
  return { branches: makeTree(ends), told: count, isCut };
}

function tellEnd(story: Story, text: string): ToldEnd {
  const { simulator, acts } = story;
  const narration = simulator.narration();
  const clause = peopleClause(narration);
  const outcomes = simulator.calls.list().map(({ record }) => record.summary.outcome);
  return {
    outcome: outcomes.length > MOST_OUTCOMES ? `${outcomes.length} calls` : outcomes.join("; "),
    events: simulator.events.length,
    isOwn: acts === 0,
    text: acts === 0 ? text : storyText(text, story, clause === "" ? "Nobody does anything" : clause),
    acts: tellActs(narration),
  };
}

/** What people do, in order. What one person does at one instant is one act, such as logging out of all phones. */
function tellActs({ rows, startMs }: RunNarration): ToldAct[] {
  const acts: ToldAct[] = [];
  for (const row of rows) {
    if (row.command === undefined || !isOfPeople(row.command.name)) continue;
    const act = { atMs: row.atMs - startMs, who: row.actor.name, what: rowText(row) };
    const last = acts.at(-1);
    if (last?.atMs === act.atMs && last.who === act.who)
      acts[acts.length - 1] = { ...last, what: `${last.what}, ${act.what}` };
    else acts.push(act);
  }
  return acts;
}

/**
 * Joins stories as far as they begin alike. The branches of the scenario come first, then the others by their time.
 * @param depth how many acts the stories have in common
 */
function makeTree(ends: readonly ToldEnd[], depth = 0): StoryBranch[] {
  const groups = new Map<string, ToldEnd[]>();
  for (const end of ends) {
    const key = makeKey(end, depth);
    groups.set(key, [...(groups.get(key) ?? []), end]);
  }
  return [...groups.values()]
    .map((group) => makeBranch(group, depth))
    .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || startOf(a) - startOf(b));
}

/** The branch of stories whose next act is the same one, as far as they have all acts in common. */
function makeBranch(group: readonly ToldEnd[], depth: number): StoryBranch {
  const isOwn = group.some((each) => each.isOwn);
  let to = depth;
  const isCommon = () => new Set(group.map((each) => makeKey(each, to))).size === 1;
  const [first] = group;
  while (first !== undefined && to < first.acts.length && isCommon()) to++;
  const acts = first?.acts.slice(depth, to) ?? [];
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0) {
    const { acts: _, ...end } = only;
    return { acts, isOwn, next: [], end };
  }
  return { acts, isOwn, next: makeTree(group, to) };
}

const makeKey = ({ acts }: ToldEnd, place: number) => JSON.stringify(acts[place] ?? null);

const startOf = ({ acts }: StoryBranch) => acts[0]?.atMs ?? Number.POSITIVE_INFINITY;
