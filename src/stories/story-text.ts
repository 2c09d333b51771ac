import { isMap, isSeq, parseDocument } from "yaml";
import { isoDuration } from "../core/foundation/instants.ts";
import { listWhenKeys } from "../core/scenario/schema.ts";
import type { Story, StoryStep } from "./story-teller.ts";

/** A step of a scenario as its file has it. */
type WrittenStep = Readonly<Record<string, unknown>>;

/**
 * Writes a story as the text of a scenario: the scenario's own steps with the acts among them. It can be played alone.
 * @param scenario the text of the scenario whose steps the story has
 * @param title the story's title, in place of the scenario's and of its description
 */
export function storyText(scenario: string, story: Story, title?: string): string {
  const document = parseDocument(scenario);
  const { steps = [] } = document.toJS() as { readonly steps?: readonly WrittenStep[] };
  const names = new Names(steps);
  const written = story.steps.map((step) => {
    const own = step.own === undefined ? undefined : steps[step.own];
    const as = names.nameOfMade(step, own);
    return own === undefined ? actItem(step, as, names) : ownItem(step, own, as);
  });
  document.delete("expect");
  document.delete("questions");
  if (title !== undefined) {
    document.set("scenario", title);
    document.delete("description");
  }
  document.set("steps", document.createNode(written));
  const list = document.get("steps");
  if (isSeq(list)) for (const item of list.items) if (isMap(item)) item.flow = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** The names that steps give to what they make. */
class Names {
  private readonly byId = new Map<string, string>();
  private readonly taken: Set<string>;

  constructor(steps: readonly WrittenStep[]) {
    this.taken = new Set(
      steps.flatMap((step) => Object.keys(step).flatMap((key) => readArguments(step, key).as ?? [])),
    );
  }

  /** The name of what a step makes, if another step may need one. */
  nameOfMade({ made, name: command }: StoryStep, own: WrittenStep | undefined): string | undefined {
    if (made === undefined) return undefined;
    const name = (own && readArguments(own, command).as) ?? this.newName();
    this.byId.set(made, name);
    return name;
  }

  inArguments(args: Readonly<Record<string, unknown>>) {
    const named = Object.entries(args).map(([key, value]) => [key, this.byId.get(String(value)) ?? value]);
    return Object.fromEntries(named) as Readonly<Record<string, unknown>>;
  }

  private newName(): string {
    let count = 1;
    while (this.taken.has(`c${count}`)) count++;
    this.taken.add(`c${count}`);
    return `c${count}`;
  }
}

function at({ atMs }: StoryStep): string {
  return isoDuration(atMs);
}

function actItem(step: StoryStep, as: string | undefined, names: Names): WrittenStep {
  const { name, args } = step;
  return { at: at(step), [name]: { ...(as === undefined ? {} : { as }), ...names.inArguments(args) } };
}

/** A step of the scenario. One that waited for an event has the time at which it is played. */
function ownItem(step: StoryStep, own: WrittenStep, as: string | undefined): WrittenStep {
  const name = writtenCommand(own, step.name);
  const args = readArguments(own, step.name);
  return {
    at: own.at ?? at(step),
    [name]: as === undefined || args.as !== undefined ? args : { as, ...args },
  };
}

function readArguments(step: WrittenStep, command: string): { readonly as?: string } {
  return (step[writtenCommand(step, command)] ?? {}) as { readonly as?: string };
}

/** The name by which a step has its command: some commands have a shorter one there, such as `send`. */
function writtenCommand(step: WrittenStep, command: string): string {
  if (command in step) return command;
  const whenKeys = listWhenKeys(step);
  return Object.keys(step).find((key) => !whenKeys.includes(key)) ?? command;
}
