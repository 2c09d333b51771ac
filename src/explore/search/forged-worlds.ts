import type { Deviation } from "../../core/engine/deviations.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { endSentence } from "../../findings/explain.ts";
import { appDefects, isDefect, type PropertyFailure, type RunsAs } from "../../findings/property-failure.ts";
import { stateDifference } from "../../findings/state-difference.ts";
import { upperFirst } from "../../findings/wording.ts";
import { type MinimizedWorld, shrink } from "../minimize/shrink.ts";
import { WorldCache } from "../minimize/world-cache.ts";
import type { ForgedRequests } from "../run/forged-report.ts";
import {
  BEYOND_ROUNDING_MS,
  type ForgedKind,
  type ForgedWorld,
  type Forgery,
  forgedKinds,
  forgeryAdvice,
  forgeryClause,
  strangeKinds,
} from "../run/forgery.ts";
import { withCause } from "../run/outcome.ts";
import type { Prepared } from "../run/prepare.ts";
import type { WebhookReads } from "../run/signature-reads.ts";
import type { ExecutionRequest, WorldRun } from "../run/world-run.ts";

/** What forging needs of the exploration. */
interface Parts {
  readonly prepared: Prepared;
  /** A run of the scenario that has `webhookReads`; undefined if there was none. */
  readonly plain: WorldRun | undefined;
  /** Whether to forge requests also where the app does not look at signatures. */
  readonly isAlways: boolean;
  /** A server has the signature over HTTP. */
  readonly runsAs: RunsAs;
  /** The starts of URLs whose requests may be forged; undefined for all. */
  readonly on: readonly string[] | undefined;
  runWorld(
    prepared: Prepared,
    deviations: readonly Deviation[],
    request: ExecutionRequest,
  ): Promise<WorldRun>;
  /** Why no further world may be run; undefined if one may. */
  whyToStop(): string | undefined;
}

/** A forged request with which the app fails. */
export interface ForgedFailure {
  readonly failure: PropertyFailure;
  /** The first is that of the failure. */
  readonly forgeries: readonly Forgery[];
}

/** What a world with a forged request is compared with. */
interface Reference {
  readonly run: WorldRun;
  /** Its second run, if states differ from run to run: what differs there differs by itself. */
  readonly again: Pick<WorldRun, "wholeState" | "forged"> | undefined;
}

/** What was tried so far. */
interface Tried {
  readonly failures: Map<string, { failure: PropertyFailure; forgeries: Forgery[] }>;
  readonly answered: Forgery[];
  readonly unclear: Forgery[];
  showFailure?: string | undefined;
  worlds: number;
  requests: number;
}

/** A world with a forged request, and what came of it. */
interface Trial {
  readonly run: WorldRun;
  readonly failure: PropertyFailure | undefined;
  /** Whether the app answered 2xx. */
  readonly isTaken: boolean;
}

/**
 * Sends forged requests, those of other events together and each that is believed in a world of its own, and compares the app's state in the end with that of the same world
 * without the forged request. Where the state is not shown whole, the properties tell too.
 */
export class ForgedWorlds {
  /** The world without deviations. */
  private plain: Reference | undefined;
  /** Whether its state differs from run to run. */
  private isUnsteady = false;
  /** Whether its state ends as it began: what the app keeps may be elsewhere, so properties tell too. */
  private isConstant = false;
  /** The worlds of the scenario in which a true request never comes, and nothing in its place: by that request, and how long they last. */
  private readonly withoutTrue = new Map<string, Promise<Reference>>();

  constructor(private readonly parts: Parts) {}

  /** Tries each kind for each type of event at each URL. */
  async run(): Promise<{ readonly result: ForgedRequests; readonly failures: readonly ForgedFailure[] }> {
    const nothing = (isLookedAt: boolean, leftOut?: string) => ({
      result: { worlds: 0, requests: 0, believed: [], answered: [], unclear: [], isLookedAt, leftOut },
      failures: [],
    });
    const { prepared, on, isAlways, runsAs, plain, runWorld, whyToStop } = this.parts;
    const isServer = runsAs !== "code";
    const leftOut = whyToStop();
    if (leftOut !== undefined) return nothing(true, leftOut);
    const run = plain ?? (await runWorld(prepared, [], { webhookReads: true }));
    const isDefective = run.failures.some(({ property }) => isDefect(property));
    const ofUrls = (reads: readonly WebhookReads[]) =>
      reads.filter(({ url }) => on === undefined || on.some((prefix) => url.startsWith(prefix)));
    let all = ofUrls(run.webhookReads);
    const mayHaveAsked =
      all.every(({ isAsked }) => !isAsked) && all.some(({ areHeadersTaken }) => areHeadersTaken);
    if (!isAlways && !isServer && !isDefective && mayHaveAsked) all = ofUrls(await this.readsInAnyCase());
    const targets = all.filter(({ isAsked }) => isAlways || isServer || isAsked);
    if (targets.length === 0) return nothing(all.length === 0);
    if (isDefective) return nothing(true, "the world without deviations fails");
    await this.runPlainWorlds(run);
    const { result, failures } = await this.tryAll(targets);
    const others = all.filter((each) => !targets.includes(each));
    return { result: { ...result, leftOut: result.leftOut ?? notLookedAt(others) }, failures };
  }

  /** What the app reads if headers are also found in another case than theirs: a world of its own, which is not judged. */
  private async readsInAnyCase(): Promise<readonly WebhookReads[]> {
    const { prepared, runWorld } = this.parts;
    return (await runWorld(prepared, [], { webhookReads: "in any case", unjudged: true })).webhookReads;
  }

  /** Runs the world without deviations again if its state can be shown, to know what differs by itself. @param run the first */
  private async runPlainWorlds(run: WorldRun): Promise<void> {
    const { prepared, runWorld } = this.parts;
    const first = run.wholeState === undefined ? await runWorld(prepared, [], { wholeState: true }) : run;
    this.plain = { run: first, again: undefined };
    if (first.wholeState === undefined) return;
    const again = await runWorld(prepared, [], { wholeState: true, behaviour: true, unjudged: true });
    this.plain = { run: first, again };
    this.isConstant = endsAsItBegan(again);
    this.isUnsteady =
      again.wholeState !== undefined &&
      stateDifference(again.wholeState, first.wholeState, undefined) !== undefined;
  }

  private async tryAll(targets: readonly WebhookReads[]) {
    const tried: Tried = { failures: new Map(), answered: [], unclear: [], worlds: 0, requests: 0 };
    let leftOut: string | undefined;
    for (const target of targets) {
      leftOut ??= await this.tryKinds(target, tried);
      if (leftOut !== undefined) break;
    }
    const { failures, answered, unclear, showFailure, worlds, requests } = tried;
    const believed = failures.get(appDefects.believes)?.forgeries ?? [];
    const result: ForgedRequests = {
      worlds,
      requests,
      believed,
      answered,
      unclear,
      ...(showFailure !== undefined && { showFailure }),
      isLookedAt: true,
      leftOut,
    };
    return { result, failures: [...failures.values()] };
  }

  /** Tries each kind for one type of event. @returns why not all were tried; undefined if they were */
  private async tryKinds({ url, type }: WebhookReads, tried: Tried): Promise<string | undefined> {
    const { prepared, whyToStop } = this.parts;
    const { answered, unclear, failures } = tried;
    let left = forgedKinds;
    /** What it answered 2xx, and whether neither a state nor a property tells if it believed that. */
    const taken = new Map<ForgedKind, boolean>();
    const leftOut = whyToStop();
    if (leftOut !== undefined) return leftOut;
    const together = await this.tryTogether({ to: url, type });
    if (together !== undefined) {
      tried.requests += together.run.forged.sent;
      left = left.filter((each) => !strangeKinds.includes(each));
      for (const is of together.run.forged.taken) taken.set(is, !together.run.isStateWhole);
    }
    tried.worlds++;
    let why: string | undefined;
    for (const is of left) {
      why = whyToStop();
      if (why !== undefined) break;
      const forgery: Forgery = { to: url, type, is };
      const { failure, isTaken, run } = await this.try(prepared, forgery, {});
      tried.showFailure ??= run.showFailure;
      // a dialect without a time has no stale requests
      if (run.forged.sent === 0) continue;
      tried.worlds++;
      tried.requests++;
      if (failure === undefined && isTaken) taken.set(is, !run.isStateWhole);
      if (failure === undefined) continue;
      const known = failures.get(failure.property);
      if (known === undefined) failures.set(failure.property, { failure, forgeries: [forgery] });
      else known.forgeries.push(forgery);
    }
    for (const is of forgedKinds) {
      const isUnclear = taken.get(is);
      if (isUnclear !== undefined) answered.push({ to: url, type, is });
      if (isUnclear === true) unclear.push({ to: url, type, is });
    }
    return why;
  }

  /**
   * Tries all kinds of another event, one after the other in a world.
   * @returns undefined if the app believes one, or refuses the true one behind them, as one does that bans who sent a bad one: most
   * apps refuse all of these, or heed none of this type
   */
  private async tryTogether(target: Pick<Forgery, "to" | "type">): Promise<Trial | undefined> {
    const [first, ...more] = strangeKinds;
    if (first === undefined) throw new Error("there are forged requests of other events");
    const trial = await this.tryTwice(this.parts.prepared, { ...target, is: first, more }, {});
    return trial.failure === undefined && !trial.run.forged.isTrueRefused ? trial : undefined;
  }

  /**
   * Plays a world with a forged request, and judges it. If the app answers 2xx and its state tells nothing, it does so again
   * without the true request, behind which an app that knows things again may hide what it believes.
   * @param wanted what else its run returns
   */
  private async try(
    prepared: Prepared,
    forgery: Forgery & Pick<ForgedWorld, "ageMs">,
    wanted: ExecutionRequest,
  ): Promise<Trial> {
    const trial = await this.tryTwice(prepared, { ...forgery, more: [] }, wanted);
    if (trial.failure !== undefined || !trial.run.forged.isTrueRefused) return trial;
    // who bans who sent a bad one refuses the last, whatever it is
    const last = await this.tryTwice(prepared, { ...forgery, more: [], isLast: true }, wanted);
    return last.failure === undefined ? trial : last;
  }

  private async tryTwice(
    prepared: Prepared,
    forgery: Omit<ForgedWorld, "sends" | "isServer" | "isAlone">,
    wanted: ExecutionRequest,
  ): Promise<Trial> {
    const trial = await this.tryOnce(prepared, { ...forgery, isAlone: false }, wanted);
    if (!trial.isTaken || trial.failure !== undefined) return trial;
    const alone = await this.tryOnce(prepared, { ...forgery, isAlone: true }, wanted);
    return alone.failure === undefined ? trial : alone;
  }

  private async tryOnce(
    prepared: Prepared,
    forgery: Omit<ForgedWorld, "sends" | "isServer">,
    wanted: ExecutionRequest,
  ): Promise<Trial> {
    const { runsAs, runWorld } = this.parts;
    const isServer = runsAs !== "code";
    const play = (sends: ForgedWorld["sends"], more: ExecutionRequest = {}) =>
      runWorld(prepared, [], { wholeState: true, ...more, forgery: { ...forgery, sends, isServer } });
    const played = await play("forged", wanted);
    const run = { ...played, isStateWhole: played.isStateWhole && !this.isConstant };
    const isTaken = run.forged.taken.length > 0;
    const ended = (failure?: PropertyFailure): Trial => ({ run, failure, isTaken });
    if (run.forged.sent === 0) return ended();
    const reference = await this.withoutForged(prepared, forgery, () => play("nothing"));
    const defect = run.failures.find(({ property }) => isDefect(property));
    if (defect !== undefined)
      return { ...ended(isNew(defect, reference.run) ? defect : undefined), isTaken: false };
    const difference = findDifference(run, reference);
    if (difference === undefined) return ended();
    if (!isTaken && (await this.isOnlyCounted(forgery, run, play))) return ended();
    return ended({ property: appDefects.believes, message: difference });
  }

  /** Whether the app does the same with nonsense: who refuses may count or note what it refuses. */
  private async isOnlyCounted(
    { is }: Forgery,
    run: WorldRun,
    play: (sends: ForgedWorld["sends"]) => Promise<WorldRun>,
  ): Promise<boolean> {
    // behind the true request, who asks first whether it knows the id does not even refuse
    const tries: ForgedWorld["sends"][] = is === "changedBody" ? ["nonsense", "otherNonsense"] : ["nonsense"];
    for (const sends of tries)
      if (findDifference(run, await this.reference(() => play(sends))) === undefined) return true;
    return false;
  }

  /** The same world without the forged request. A true one that the forged one replaces never comes there either. */
  private async withoutForged(
    prepared: Prepared,
    { is, isAlone, to, type, ageMs }: Omit<ForgedWorld, "sends" | "isServer">,
    play: () => Promise<WorldRun>,
  ): Promise<Reference> {
    const isOwn = prepared === this.parts.prepared;
    if (is === "stale" || isAlone) {
      const key = JSON.stringify([to, type, is === "stale" ? (ageMs ?? "stale") : "alone"]);
      const known = isOwn ? this.withoutTrue.get(key) : undefined;
      const made = known ?? this.reference(play);
      if (isOwn) this.withoutTrue.set(key, made);
      return made;
    }
    if (isOwn && this.plain !== undefined) return this.plain;
    return this.reference(() => this.parts.runWorld(prepared, [], { wholeState: true }));
  }

  /** A world to compare others with. It is run twice if the app's state differs from run to run. */
  private async reference(play: () => Promise<WorldRun>): Promise<Reference> {
    const run = await play();
    return { run, again: this.isUnsteady ? await play() : undefined };
  }

  /** Whether the app believes a stale request also where it is older than rounding explains, or no world may tell. */
  private async takesOlder(forgery: Forgery): Promise<boolean> {
    if (forgery.is !== "stale") return false;
    if (this.parts.whyToStop() !== undefined) return true;
    const trial = await this.try(this.parts.prepared, { ...forgery, ageMs: BEYOND_ROUNDING_MS }, {});
    return trial.failure !== undefined;
  }

  /** Finds the smallest scenario in which a forged request does the same. */
  async shrink({ failure, forgeries: [forgery] }: ForgedFailure, forMs: number): Promise<MinimizedWorld> {
    if (forgery === undefined) throw new Error("a failure by a forged request needs the request");
    const runIn = async (prepared: Prepared, _: readonly Deviation[], request: ExecutionRequest) => {
      const { run, failure: found } = await this.try(prepared, forgery, request);
      return { ...run, failures: found === undefined ? [] : [found], points: [] };
    };
    const smallest = await shrink({
      ...{ prepared: this.parts.prepared, failure: withCause(failure, []), forMs },
      ...{ cache: new WorldCache(runIn), runIn, runsAs: this.parts.runsAs },
      title: writeTitle(failure, forgery),
    });
    const { property, message } = smallest.failure;
    const line = message.split("\n")[property === appDefects.believes ? 1 : 0];
    const sentence = endSentence(`When ${forgeryClause(forgery)}, ${property}: ${line?.trim()}`);
    const advice = forgeryAdvice(forgery, await this.takesOlder(forgery));
    return { ...smallest, story: advice === undefined ? sentence : `${sentence} ${advice}` };
  }
}

/**
 * In what a world differs from another: in its state at the end or once the request had settled, or, if not all of that is
 * shown, in a property that does not hold. In two lines.
 */
function findDifference(run: WorldRun, { run: reference, again }: Reference): string | undefined {
  if (run.wholeState !== undefined && reference.wholeState !== undefined) {
    const difference = stateDifference(run.wholeState, reference.wholeState, again?.wholeState);
    if (difference !== undefined) {
      const { fails, holds } = difference;
      return `its state is another than without that request\nthe app ends with ${fails}, not ${holds}`;
    }
    const settled = settledDifference(run, reference, again);
    if (settled !== undefined) {
      const { fails, holds } = settled;
      return `its state is another than without that request\nonce that has settled, the app has ${fails}, not ${holds}`;
    }
    if (run.isStateWhole && reference.isStateWhole) return undefined;
  }
  const broken = run.failures.find((each) => isNew(each, reference));
  const [line = ""] = broken?.message.split("\n") ?? [];
  if (broken !== undefined)
    return `a property fails that holds without that request\n"${broken.property}" does not hold: ${line.trim()}`;
  const mended = reference.failures.find((each) => isNew(each, run));
  return (
    mended &&
    `a property holds that fails without that request\n"${mended.property}" holds, which fails without it`
  );
}

/** Whether an app's state in the end is that with which it began, in a run that has its behaviour. */
function endsAsItBegan({ behaviour }: WorldRun): boolean {
  const { firstState, state } = behaviour ?? {};
  if (firstState === undefined || state === undefined) return false;
  return stateDifference(state, firstState, undefined) === undefined;
}

/** In what the app's state differs once the forged request has settled, where both worlds know that. */
function settledDifference(
  { forged: { settled } }: WorldRun,
  { forged }: WorldRun,
  again: Pick<WorldRun, "forged"> | undefined,
) {
  if (settled === undefined || forged.settled === undefined) return undefined;
  return stateDifference(settled, forged.settled, again?.forged.settled);
}

/** The most types of event that are named one by one. */
const MOST_TYPES = 3;

/** Why not all were tried, if the app did not look at some signatures. */
function notLookedAt(webhooks: readonly WebhookReads[]): string | undefined {
  if (webhooks.length === 0) return undefined;
  const names = [...new Set(webhooks.map(({ url }) => url))].map((url) => {
    const types = webhooks.filter(({ url: to }) => to === url).map(({ type }) => type);
    return `${types.length > MOST_TYPES ? counted(types.length, "type of event", "types of event") : types.join(" and ")} at ${url}`;
  });
  return `signatures were not looked at for ${names.join(", ")}; \`forged: true\` (\`--forged\`) tries these too`;
}

/** Whether a property fails that holds in another world. */
function isNew({ property }: PropertyFailure, { failures }: WorldRun): boolean {
  return failures.every((each) => each.property !== property);
}

function writeTitle({ property }: PropertyFailure, forgery: Forgery): string {
  return `${upperFirst(property)} when ${forgeryClause(forgery)}`;
}
