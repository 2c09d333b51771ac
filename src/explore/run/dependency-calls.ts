import type { DependencyCaller } from "../../core/engine/dependency-caller.ts";
import { isPromise } from "../../core/foundation/values.ts";
import { isInjected } from "../../core/network/dependencies/errors.ts";
import { runAsDependency } from "../sandbox/world-context.ts";
import { isRestartable } from "./explored-app.ts";
import type { AppLives } from "./lives.ts";
import type { World } from "./world.ts";

/** What must be known of a world when its app calls a dependency. */
interface Parts {
  readonly world: World;
  readonly lives: AppLives | undefined;
  /** Whether the app is built, and neither judged, shown nor over. */
  readonly isAtWork: boolean;
}

/** Who calls a dependency. */
export function dependencyCaller({ world, lives, isAtWork }: Parts): DependencyCaller {
  const { setup } = world;
  const { isGone, restart } = lives?.caller ?? { isGone: () => false, restart: undefined };
  // of what a server asks, nothing tells which of its requests it works for
  const mayRestart = isRestartable(setup) && setup.hasRestartCommand !== true;
  return { mayDeviate: isAtWork, mayRestart, isGone, restart, make: runAsDependency };
}

/** Whether a deviation may make something throw that the app calls. */
export function canThrowInjected({ setup, planned, wanted }: World): boolean {
  return (
    wanted.chooser !== undefined ||
    [...setup.recordedRun.own, ...planned].some(({ what }) => what === "dependency" || what === "rest")
  );
}

/**
 * Answers 500 for a handler that lets out what a dependency or the REST API threw because of a deviation, as Express, Hono and Fastify do. Without this,
 * each handler that leaves errors to its framework would have a defect.
 */
export function answerInjected(_request: object, ask: () => unknown): unknown {
  const answer = (error: unknown): number => {
    if (isInjected(error)) return 500;
    throw error;
  };
  try {
    const returned = ask();
    return isPromise(returned) ? returned.then(undefined, answer) : returned;
  } catch (error) {
    return answer(error);
  }
}
