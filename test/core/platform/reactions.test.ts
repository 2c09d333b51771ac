import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { timers } from "../../../src/core/platform/base/timers.ts";
import { commands as commandTable } from "../../../src/core/platform/catalogue/commands.ts";
import { assumptionWords } from "../../../src/core/platform/declare/assumption-words.ts";
import { type EventType, eventTypes } from "../../../src/core/platform/declare/events.ts";
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
import { dialCauses, eventCauses } from "../../../src/core/platform/reactions/event-causes.ts";
import { peopleFactReactions, peopleReactions } from "../../../src/core/platform/reactions/people.ts";
import { triggersOf } from "../../../src/core/platform/reactions/reaction.ts";
import { requestReactions, webhookFactReactions } from "../../../src/core/platform/reactions/requests.ts";
import type { DialReason } from "../../../src/core/records/call.ts";
import { runOn } from "../../../src/core/scenario/run.ts";
import { createSimulator, parseScenario, type Simulator } from "../../../src/index.ts";
import { groups, play, RUNS_PER_GROUP } from "../../digest/runs.ts";
import { expectNone } from "../../lists.ts";

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
/** The commands and timers that brought each type of event about. */
const causes = new Map<string, Set<string>>();
/** The same of each reason for which an endpoint rings. */
const causesOfRings = new Map<DialReason, Set<string>>();

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
      if (reason !== undefined)
        causesOfRings.set(reason, (causesOfRings.get(reason) ?? new Set()).add(cause));
    },
    domainEvent: noteTrigger,
    event: ({ type }) => {
      published.add(type);
      causes.set(type, (causes.get(type) ?? new Set()).add(cause));
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
    // all runs of the digest together lead to nothing more
    for (let run = 0; run < groups.length * RUNS_PER_GROUP; run += 9) play(run, watch);
  });

  it("publish every type of event, and nothing else publishes any", () => {
    expectNone([
      ...eventTypes
        .filter((type) => !published.has(type))
        .map((type) => `src/core/platform/reactions: no lesson and no run of the digest publishes ${type}`),
      ...publishedOutside.map((type) => `${type} is published outside of src/core/platform/reactions`),
    ]);
  });

  it("agree with event-causes.ts on every command and timer that brings an event or a ring about", () => {
    const ofEvents = [...causes].map(
      ([type, found]) => [type, eventCauses[type as EventType], found] as const,
    );
    const ofRings = [...causesOfRings].map(([reason, found]) => [reason, dialCauses[reason], found] as const);
    const problems = [...ofEvents, ...ofRings].flatMap(([type, { commands, timers: due }, found]) => {
      const known = new Set<string>([...commands, ...due]);
      const missing = [...found].filter(
        (each) => !known.has(each) && (each in commandTable || each in timers),
      );
      return missing.length === 0
        ? []
        : [
            `${type}: say in its declaration, or in \`events\` or \`dials\` of the command, that ${missing.map((each) => JSON.stringify(each)).join(", ")} can bring it about`,
          ];
    });
    const unseen = Object.keys(dialCauses).filter((reason) => !causesOfRings.has(reason as never));
    expectNone([
      ...unseen.map(
        (reason) =>
          `dialReasons of calls/record.ts: no lesson and no run of the digest has a dial of ${reason}`,
      ),
      ...problems,
    ]);
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
            (reaction) =>
              `${fileOf(trigger)}, ${trigger}: no lesson and no run of the digest runs ${String(reaction)}`,
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
