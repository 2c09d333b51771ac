import type { Scenario } from "../core/scenario/scenario.ts";
import type { People } from "./people-options.ts";
import { StoryTeller } from "./story-teller.ts";
import { storyText } from "./story-text.ts";

/** A story that is to be played with the app. Plain data, since threads get it. */
export interface ToldStory {
  /** The scenario that plays it. */
  readonly text: string;
  readonly acts: number;
  /** Its place among all stories. */
  readonly place: number;
}

/** Some of the stories, which one thread plays. */
export interface StoriesPart {
  readonly stories: readonly ToldStory[];
  /** How many deviations of the network each may have besides. */
  readonly storyDeviations: number;
}

/** The stories of an exploration, for its report. */
export interface ToldPeople {
  /** How many acts a story has at most. */
  readonly acts: number;
  /** How many deviations of the network a story may have besides. */
  readonly deviations: number;
  /** Who acts besides outside callers: ids of users. */
  readonly who: readonly string[];
  /** How many stories there are, those of other shards included. */
  readonly stories: number;
  /** How many more would look the same to the app. */
  readonly alike: number;
}

/** How many stories are one part. */
const STORIES_PER_PART = 16;

/**
 * Tells the stories of a scenario, those with the fewest acts first, without the scenario itself.
 * @param text the scenario's text, whose steps the stories have
 * @param shard the parts of this shard are every so many
 */
export function tellStories(
  scenario: Scenario,
  text: string,
  people: People,
  shard: { readonly index: number; readonly count: number },
): { readonly parts: StoriesPart[]; readonly told: ToldPeople } {
  const teller = new StoryTeller(scenario, people);
  const { acts, deviations = 0 } = people;
  const parts: ToldStory[][] = [];
  let stories = 0;
  for (const story of teller.stories()) {
    if (story.acts === 0) continue;
    const part = Math.floor(stories / STORIES_PER_PART);
    if (part % shard.count === shard.index - 1) {
      parts[part] ??= [];
      parts[part].push({ text: storyText(text, story), acts: story.acts, place: stories });
    }
    stories++;
  }
  return {
    parts: parts.filter(Boolean).map((each) => ({ stories: each, storyDeviations: deviations })),
    told: { acts, deviations, who: teller.actors.users, stories, alike: teller.alike },
  };
}
