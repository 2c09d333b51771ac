import { createHash } from "node:crypto";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { Dice } from "./dice.ts";
import * as moves from "./moves.ts";
import { optionsOf } from "./organisations.ts";
import { World } from "./world.ts";

const { answers, calls, transfers, redirects, people, teams, traffic, followUps } = moves;
const { conversations, network, directory } = moves;

/** No random run gives these: other tests do. */
const notMoves = [
  "restAsked",
  "restServed",
  "takeBack",
  "takeBackCall",
  "restFault",
  "expireTokens",
  "deviate",
];

/** A theme of the commands for which `moves.ts` has no move, if there are any. */
function commandsWithoutMoves(): { readonly others?: readonly Record<string, (world: World) => void>[] } {
  const given = new Set([...Object.values(moves).flatMap((each) => Object.keys(each)), ...notMoves]);
  const names = createSimulator().commandNames.filter((name) => !given.has(name));
  if (names.length === 0) return {};
  const others = Object.fromEntries(names.map((name) => [name, moves.moveOf(name)]));
  return { others: [calls, answers, answers, others] };
}

/**
 * The themes of the groups of runs. Everything else happens too, but less often. New themes go to the end, so that
 * the other runs stay the same.
 */
const themes = {
  calls: [calls, answers, answers],
  people: [calls, answers, people],
  teams: [teams, teams, teams, answers, people],
  transfers: [calls, answers, answers, transfers, transfers],
  redirects: [calls, answers, answers, redirects, redirects],
  traffic: [traffic, people, answers],
  artefacts: [calls, answers, followUps],
  conversations: [conversations],
  network: [calls, answers, network],
  directory: [calls, directory],
  everything: [
    ...[calls, answers, answers, transfers, redirects, people, teams, traffic],
    ...[followUps, conversations, network, directory],
  ],
  wrapUps: [calls, answers, answers, people, moves.wrapUps, moves.wrapUps],
  ...commandsWithoutMoves(),
} as const;
const everyMove = themes.everything.flatMap((each) => Object.values(each));

export const RUNS_PER_GROUP = 45;
const MOVES = 24;

export const groups = Object.keys(themes).flatMap((theme) => [1, 2, 3].map((part) => `${theme} ${part}`));

/** Everything that a run produced, as text by aspect. */
export type Story = Record<(typeof aspects)[number], string>;
export const aspects = ["commands", "events", "timeline", "told", "requests", "records"] as const;

/** The results of a run, as text. @param begins as of `play` */
export function story(run: number, begins?: (simulator: Simulator) => void): Story {
  const { sim, told } = play(run, begins);
  return storyOf(sim, told, run % 3 === 0);
}

/**
 * Plays a run. Its result depends only on its number and on the code.
 * @param begins gets the run's simulator, and its fork if the run goes on with one
 */
export function play(run: number, begins: (simulator: Simulator) => void = () => {}): World {
  const dice = new Dice(run * 7_919 + 1);
  const world = new World(createSimulator(optionsOf(run, dice)), dice);
  begins(world.sim);
  const own = themesOf(run).flatMap((each) => Object.values(each));
  const time = Object.values(moves.time);
  if (dice.chance(0.5)) moves.network.route?.(world);
  if (dice.chance(0.25)) react(world, own);
  const forkAt = dice.chance(0.2) ? dice.below(MOVES) : -1;
  for (let index = 0; index < MOVES; index++) {
    if (index === forkAt) {
      world.sim = world.sim.fork();
      begins(world.sim);
    }
    const kind = dice.pick(["own", "own", "own", "own", "own", "own", "time", "time", "any"]);
    const move = dice.pick(kind === "own" ? own : kind === "time" ? time : everyMove);
    move?.(world);
  }
  world.sim.advance("P2D");
  return world;
}

function themesOf(run: number) {
  const theme = Object.values(themes)[Math.floor(run / RUNS_PER_GROUP / 3)];
  if (theme === undefined) throw new Error(`there is no run ${run}`);
  return theme;
}

/** A listener that answers some events with a command, so that the digest covers commands within a step. */
function react(world: World, own: readonly ((world: World) => void)[]): void {
  let left = 12;
  world.sim.on("*", () => {
    if (left > 0 && world.dice.chance(0.2)) {
      left--;
      world.dice.pick(own)?.(world);
    }
  });
}

/** @param isDrawn whether to draw the timeline and the diagram, which play the run again */
function storyOf(sim: Simulator, told: readonly string[], isDrawn: boolean): Story {
  const lines = (list: readonly unknown[]) => list.map((each) => `${JSON.stringify(each)}\n`).join("");
  const records = (list: readonly { readonly record: unknown }[]) => lines(list.map(({ record }) => record));
  const { calls, users, teams, devices, locations } = sim;
  return {
    commands: `${told.join("\n")}\n`,
    events: sim.events.toJSONL(),
    timeline: isDrawn ? `${sim.events.toTimeline()}\n${sim.events.toMermaid()}\n` : "",
    told: lines(sim.notifications) + lines(sim.calls.returns),
    requests: lines(sim.network.requests.map((request) => ({ ...request }))),
    records: [
      ...[calls, users, teams, devices, locations].map((each) => records(each.list())),
      ...[sim.conversations, sim.analysis, sim.transcripts, sim.webhooks].map((each) => lines(each.list())),
      lines(sim.webhooks.list().flatMap(({ id }) => sim.webhooks.deliveries(id))),
      lines(sim.pending()),
    ].join(""),
  };
}

/** Digests of each aspect of a run. */
export function digestsOf(told: Story): Story {
  return Object.fromEntries(Object.entries(told).map(([aspect, text]) => [aspect, digest(text)])) as Story;
}

/** A short digest of a text. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
