import { appDefects, WorldError } from "../../findings/property-failure.ts";
import type { World } from "./world.ts";

/**
 * How long the bodies of webhooks may be for each step that a world may take, in characters: several times as long as those of calls.
 * Where each is longer than the one before, as in a conversation, the steps alone would be a limit of minutes.
 */
const BODY_LENGTH_PER_STEP = 6_400;
/** … for so many steps, if it may take fewer. */
const FEW_STEPS = 1_000;
/** How often timers that only repeat may run for each step that a world may take. */
const REPETITIONS_PER_STEP = 10;

/** Ends a world that goes on without end. */
export class WorldLimits {
  /** How many steps the world has taken. */
  steps = 0;
  private repetitions = 0;

  constructor(
    private readonly world: {
      readonly setup: Pick<World["setup"], "steps" | "patience">;
      readonly simulator: World["simulator"];
    },
  ) {}

  /** Counts a run of a timer that only repeats. @throws {WorldError} if there are too many */
  countRepetition(): void {
    if (++this.repetitions > this.world.setup.steps * REPETITIONS_PER_STEP)
      throw new WorldError(
        appDefects.restless,
        `timers that only repeat ran more than ${(this.world.setup.steps * REPETITIONS_PER_STEP).toLocaleString("en")} times, the limit for ${this.most} \`steps\``,
      );
  }

  /** Counts a step. @throws {WorldError} if there are too many, or if they have grown too long */
  countStep(): void {
    if (++this.steps > this.world.setup.steps)
      throw new WorldError(
        appDefects.restless,
        `the world took more than ${this.most} steps, the limit of \`steps\``,
      );
    this.throwIfBodiesGrow();
  }

  /** Called while something of the app is under way. @throws {WorldError} if it goes on without end */
  throwIfRestless(activity: number): void {
    if (activity > this.world.setup.steps)
      throw new WorldError(
        appDefects.restless,
        `after its handler has returned, the app begins more than ${this.most} immediates, files and the like without letting time pass, the limit of \`steps\``,
      );
  }

  /**
   * Whether the app may have another answer of the REST API at one instant. Ends the world if not.
   * @param ends called before
   */
  mayBeAnswered(atOnce: number, ends: () => void): boolean {
    const { patience, steps } = this.world.setup;
    if (atOnce <= steps) return true;
    ends();
    const error = new WorldError(
      appDefects.restless,
      `the app asks the REST API more than ${this.most} times without letting time pass: more than the limit of \`steps\``,
    );
    patience.abort(error);
    return false;
  }

  /** @throws {WorldError} if the bodies of webhooks have become so long that the last steps would take minutes */
  private throwIfBodiesGrow(): void {
    const { setup, simulator } = this.world;
    const longest = Math.max(setup.steps, FEW_STEPS) * BODY_LENGTH_PER_STEP;
    if (simulator.services.deliveries.bodyLength <= longest) return;
    throw new WorldError(
      appDefects.restless,
      `in ${this.steps.toLocaleString("en")} steps the bodies of webhooks took more than ${longest / 1_000_000} MB, the limit for ${this.most} \`steps\`. Those of a conversation have all of its messages: does it answer its own?`,
    );
  }

  private get most(): string {
    return this.world.setup.steps.toLocaleString("en");
  }
}
