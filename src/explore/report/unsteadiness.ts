import { counted } from "../../core/platform/declare/words.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import { failureSentence, firstLine, type Received } from "../../findings/explain.ts";
import {
  appDefects,
  type PropertyFailure,
  type RunsAs,
  unsteadyFailure,
} from "../../findings/property-failure.ts";
import type { CausedFailure, WorldOutcome } from "../run/outcome.ts";
import type { Prepared } from "../run/prepare.ts";
import { exploreFailure } from "./explore-failure.ts";
import type { ExploreFailure } from "./report.ts";
import { writeScenarioText } from "./scenario-text.ts";

/** Failing worlds that are not certain, since other runs of one world differed. */
interface Uncertain {
  readonly failure: CausedFailure;
  readonly first: Pick<WorldOutcome, "order">;
  readonly worlds: number;
}

/** A run of the world without deviations, for the report. */
interface Played {
  readonly journal: JournalDocument;
  readonly received: readonly Received[];
}

/** What showed it of apps that were explored before, which the next exploration in this process begins with. */
const before = { ofFunctions: new WeakMap<object, string>(), ofModules: new Map<string, string>() };

/** Collects what shows that an app did something else in another run of one world. */
export class Unsteadiness {
  /** Between runs of the world without deviations, in any thread. */
  private ofPlain: string | undefined;
  /** Between other runs. */
  private readonly ofOthers: string[] = [];
  /** Between runs of an earlier exploration. */
  private readonly ofEarlier: string | undefined;

  /**
   * @param app the function or the server that is explored, or its module's file
   * @param runsAs what it runs as
   */
  constructor(
    private readonly prepared: Prepared,
    private readonly app: object | string,
    private readonly runsAs: RunsAs,
  ) {
    this.ofEarlier = typeof app === "string" ? before.ofModules.get(app) : before.ofFunctions.get(app);
  }

  /** Whether anything showed it. */
  get isFound(): boolean {
    return (this.ofPlain ?? this.ofEarlier) !== undefined || this.ofOthers.length > 0;
  }

  /** @param difference what differs between runs of the world without deviations, as a sentence */
  notePlain(difference: string): void {
    this.ofPlain ??= difference;
    const { app } = this;
    if (typeof app === "string") before.ofModules.set(app, difference);
    else before.ofFunctions.set(app, difference);
  }

  /** @param difference what differs between other runs, as a sentence */
  note(difference: string): void {
    this.ofOthers.push(difference);
  }

  /** Whether a failure shows that, rather than a property that is broken. */
  static isShownBy({ property }: Pick<CausedFailure, "property">): boolean {
    return property === appDefects.unsteady;
  }

  /** Whether a group of failing worlds is certain although runs differ: its first world ran before all others. */
  private isCertain({ first: { order } }: Uncertain): boolean {
    return this.ofEarlier === undefined && order.length === 1 && order[0] === 0;
  }

  /**
   * The failure that takes the place of those that are not certain, and those that are, as they were found: a smaller world
   * may fail or not for another reason. None if nothing differed.
   * @param play runs the world without deviations
   */
  async failures(groups: readonly Uncertain[], play: () => Promise<Played>): Promise<ExploreFailure[]> {
    if (!this.isFound) return [];
    const played = await play();
    const found = [await this.failure(groups, played)];
    for (const { failure, worlds } of groups.filter((each) => this.isCertain(each)))
      found.push(await this.asFound(failure, { group: failure.group, worlds }, played));
    return found;
  }

  private get earlierTexts(): string[] {
    const { ofEarlier } = this;
    if (ofEarlier === undefined) return [];
    return [
      `${ofEarlier}: in an earlier exploration of this process, and this one may begin with what that left`,
    ];
  }

  private failure(groups: readonly Uncertain[], played: Played): Promise<ExploreFailure> {
    const plain = this.ofPlain === undefined ? this.earlierTexts : [this.ofPlain];
    // of those that are alike, one is enough
    const found = unsteadyFailure([...plain, ...this.ofOthers.slice(0, 1).map(firstLine)], this.runsAs);
    const uncertain = new Map<string, number>();
    for (const group of groups)
      if (!this.isCertain(group)) {
        const { property } = group.failure;
        uncertain.set(property, (uncertain.get(property) ?? 0) + group.worlds);
      }
    const others = [...uncertain].map(([property, worlds]) => `"${property}" in ${counted(worlds, "world")}`);
    const notes =
      others.length === 0 ? [] : [`so these failures are not certain, and not shown: ${others.join(", ")}`];
    const failure = { ...found, message: [found.message, ...notes].join("\n") };
    return this.asFound(
      failure,
      { group: found.property, worlds: plain.length + this.ofOthers.length },
      played,
    );
  }

  /** A failure of the world without deviations. */
  private async asFound(
    failure: PropertyFailure,
    { group, worlds }: { readonly group: string; readonly worlds: number },
    played: Played,
  ): Promise<ExploreFailure> {
    const { property, message } = failure;
    return exploreFailure(
      { group, order: [0], worlds },
      {
        ...{ failure, text: await writeScenarioText(this.prepared, property, message, []) },
        ...{ deviations: [], isMinimal: false, runs: 0, ...played },
        ...{ story: failureSentence(failure, [], [], undefined, undefined), found: undefined },
        ...{ nearest: undefined },
      },
    );
  }
}
