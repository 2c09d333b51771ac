import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { measuredCauses } from "../../../src/core/generated/causes.ts";
import { assumptionWords } from "../../../src/core/platform/declare/assumption-words.ts";
import { eventTypes } from "../../../src/core/platform/declare/events.ts";
import type { Ring } from "../../../src/core/platform/parts/calls.ts";
import {
  afterCallReactions,
  analysisFactReactions,
} from "../../../src/core/platform/reactions/after-call.ts";
import { callFactReactions, callReactions } from "../../../src/core/platform/reactions/calls.ts";
import {
  conversationFactReactions,
  conversationReactions,
} from "../../../src/core/platform/reactions/conversations.ts";
import { peopleFactReactions, peopleReactions } from "../../../src/core/platform/reactions/people.ts";
import { triggersOf } from "../../../src/core/platform/reactions/reaction.ts";
import { requestReactions, webhookFactReactions } from "../../../src/core/platform/reactions/requests.ts";
import { runOn } from "../../../src/core/scenario/run.ts";
import { createSimulator, parseScenario, type Simulator } from "../../../src/index.ts";
import { runsOf } from "../../counts.ts";
import { groups, play, RUNS_PER_GROUP } from "../../digest/runs.ts";
import { expectNone } from "../../lists.ts";
import { MeasuredCauses, writeCauses } from "./measured-causes.ts";
import { playRareRuns } from "./rare-runs.ts";

/** Plays the lessons and runs of the digest, and notes what each reaction brings about. */

const facts: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>> = {
  ...callFactReactions,
  ...peopleFactReactions,
  ...conversationFactReactions,
  ...analysisFactReactions,
  ...webhookFactReactions,
};
const domainEvents: Readonly<Record<string, readonly object[]>> = {
  ...callReactions,
  ...peopleReactions,
  ...conversationReactions,
  ...afterCallReactions,
  ...requestReactions,
};

/** The lists that each reaction ran, such as `call.closed`. */
const triggered = new Map<object, Set<string>>();
/** The first fact or domain event to which each reaction ran. */
const firstTrigger = new Map<object, string>();
const published = new Set<string>();
const publishedOutside: string[] = [];
const ofEvents = new MeasuredCauses();
/** The causes of each reason for which an endpoint rings. */
const ofDials = new MeasuredCauses();

function watch(sim: Simulator): void {
  /** The reactions that are running, the innermost last. */
  const running: object[] = [];
  let trigger = "";
  let cause = "";
  const noteTrigger = (what: string) => {
    const reaction = running.at(-1);
    if (reaction !== undefined) triggered.set(reaction, (triggered.get(reaction) ?? new Set()).add(what));
    trigger = what;
  };
  sim.services.engine.tracer = {
    command: (name) => {
      cause = name;
    },
    item: ({ purpose }) => {
      cause = purpose;
    },
    requestOver() {},
    requestDeviates() {},
    fact: (machine, about, fact) => {
      noteTrigger(`${machine}.${fact.type}`);
      if (fact.type !== "began" || !("ring" in about)) return;
      const { callId, offerId } = about.ring as Ring;
      const reason = sim.services.live.offer(callId, offerId)?.reason;
      if (reason !== undefined) ofDials.note(reason, cause);
    },
    domainEvent: noteTrigger,
    event: ({ type }) => {
      published.add(type);
      ofEvents.note(type, cause);
      if (running.length === 0) publishedOutside.push(type);
    },
    reaction: (reaction, run) => {
      if (!firstTrigger.has(reaction)) firstTrigger.set(reaction, trigger);
      const outer = trigger;
      running.push(reaction);
      try {
        run();
      } finally {
        running.pop();
        trigger = outer;
      }
    },
  };
}

/** Every choice of another platform, except the order of an instant: it would publish events outside of reactions. */
const others = Object.fromEntries(
  assumptionWords
    .filter(({ name, usual }) => usual !== "none" && name !== "sameInstant")
    .map(({ name, others: [other] }) => [name, other]),
);

/** The file that lists the reactions to a fact or a domain event: `src/core/platform/reactions/calls.ts`, given `call.left`. */
function fileOf(trigger: string): string {
  const folder = "src/core/platform/reactions";
  const name = trigger.split(".").at(-1);
  const isIn = (file: string) =>
    new RegExp(`^ +${name}: \\[`, "m").test(
      readFileSync(new URL(`../../../${folder}/${file}`, import.meta.url), "utf8"),
    );
  const files = readdirSync(new URL(`../../../${folder}/`, import.meta.url)).filter(isIn);
  return files.length === 0 ? folder : files.map((file) => `${folder}/${file}`).join(" or ");
}

const whereToPlay =
  "play it in a lesson, in a scenario of test/transitions/ or in test/core/platform/rare-runs.ts";

const allRuns = groups.length * RUNS_PER_GROUP;
const generated = new URL("../../../src/core/generated/causes.ts", import.meta.url);
/** The numbers of the runs of the digest that show what no lesson and no run before them shows. */
const runsFile = new URL("showing-runs.txt", import.meta.url);
/** `npm run accept -- causes` plays all runs of the digest, and writes both files. */
const isAccepting = process.env.UPDATE !== undefined;
const showing = isAccepting ? [] : readFileSync(runsFile, "utf8").trim().split("\n").map(Number);

/** Other runs, which must show nothing more. */
function spreadRuns(): number[] {
  const count = Math.min(runsOf(allRuns), allRuns);
  return Array.from({ length: count }, (_, index) => Math.floor((index * allRuns) / count));
}

/** How much the runs have shown until now. */
function countShown(): number {
  const others = [published, firstTrigger, ...triggered.values()];
  return others.reduce((sum, { size }) => sum + size, ofEvents.count() + ofDials.count());
}

describe("The lists of reactions", () => {
  beforeAll(() => {
    const files = ["../../../scenarios/", "../../transitions/"].flatMap((path) => {
      const folder = new URL(path, import.meta.url);
      return readdirSync(folder).flatMap((name) => (name.endsWith(".yaml") ? [new URL(name, folder)] : []));
    });
    for (const file of files) {
      const { options, ...scenario } = parseScenario(readFileSync(file, "utf8"));
      for (const assume of [{}, others, { sameInstant: "seeded" } as const]) {
        const sim = createSimulator({ ...options, assume });
        watch(sim);
        runOn(sim, { ...scenario, options: sim.options });
      }
    }
    const sim = createSimulator({
      assume: { unspecified: "unknownEvent", startedTarget: "people" },
      dialect: { write: ({ type, id }) => (/hungup|unspecified/.test(type) ? undefined : { id }) },
    });
    sim.webhooks.create({ url: "https://app.test/hooks", events: ["call.hungup", "call.ended"] });
    watch(sim);
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    call.answer("carol");
    call.hangup("caller");
    playRareRuns(watch);
    for (const run of isAccepting ? Array(allRuns).keys() : new Set([...showing, ...spreadRuns()])) {
      const before = countShown();
      play(run, watch);
      if (isAccepting && countShown() > before) showing.push(run);
    }
  });

  it("publish every type of event, and nothing else publishes any", () => {
    expectNone([
      ...eventTypes
        .filter((type) => !published.has(type))
        .map((type) => `src/core/platform/reactions: no run publishes ${type}; ${whereToPlay}`),
      ...publishedOutside.map((type) => `${type} is published outside of src/core/platform/reactions`),
    ]);
  });

  it("agree with src/core/generated/causes.ts on every command and timer that brings an event or a ring about", () => {
    const text = writeCauses(ofEvents, ofDials);
    if (isAccepting) {
      writeFileSync(generated, text);
      writeFileSync(runsFile, `${showing.join("\n")}\n`);
      return;
    }
    const differences = [
      ...ofEvents.compare(measuredCauses.events),
      ...ofDials.compare(measuredCauses.dials),
    ];
    const how = `src/core/generated/causes.ts is not what runs show; if you want the change, run npm run accept -- causes: ${differences.join("; ")}`;
    expect(differences, how).toEqual([]);
    expect(readFileSync(generated, "utf8"), how).toBe(text);
  });

  it("have no reaction that no run reaches", () => {
    const lists = [
      ...Object.entries(domainEvents),
      ...Object.entries(facts).flatMap(([machine, lists]) =>
        Object.entries(lists).map(([fact, list]) => [`${machine}.${fact}`, list] as const),
      ),
    ];
    expectNone(
      lists.flatMap(([trigger, list]) =>
        list
          .filter((reaction) => !firstTrigger.has(reaction))
          .map(
            (reaction) => `${fileOf(trigger)}, ${trigger}: no run plays ${String(reaction)}; ${whereToPlay}`,
          ),
      ),
    );
  });

  it("declare with `triggers` exactly the lists that their reactions run", () => {
    const problems = [...firstTrigger].flatMap(([reaction, trigger]) => {
      const declared = triggersOf(reaction);
      const found = triggered.get(reaction) ?? new Set();
      const list = (words: readonly string[]) => words.map((word) => JSON.stringify(word)).join(", ");
      const missing = [...found].filter((each) => !declared.some((one) => one === each));
      const wrong = declared.filter((each) => !found.has(each));
      const where = `${fileOf(trigger)}, ${trigger}: ${String(reaction)}`;
      return [
        ...(missing.length > 0 ? [`${where}\n  runs more: write triggers([${list(missing)}], …)`] : []),
        ...(wrong.length > 0 ? [`${where}\n  never runs ${list(wrong)}: take it out of triggers`] : []),
      ];
    });
    expect(problems, problems.join("\n\n")).toEqual([]);
  });
});
