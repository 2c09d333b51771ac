import type { Engine } from "../../core/engine/engine.ts";

/** An app that knows when it has nothing to do, such as by the `onIdle()` of its queue. */
interface WithIdle {
  idle(): unknown;
}

/** An app that waits for virtual time is given so many turns to become idle before time goes on. */
const TURNS = 5;

function hasIdle(app: unknown): app is WithIdle {
  const isObject = (typeof app === "object" && app !== null) || typeof app === "function";
  if (!isObject) return false;
  try {
    return typeof (app as Partial<WithIdle>).idle === "function";
  } catch {
    return false; // a proxy may throw
  }
}

/**
 * Waits in a run also for what only the app knows, if it does.
 * @param instance the app, and how often it was built
 * @returns whether it is being waited for
 */
export function awaitIdle(
  instance: { readonly app: unknown; readonly lives: number },
  engine: Pick<Engine, "loop" | "work" | "probes">,
  giveUp: (activity: number) => boolean,
): () => boolean {
  let open = 0;
  if (!hasIdle(instance.app)) return () => false;
  const untilDone = async () => {
    const { app, lives } = instance;
    if (!hasIdle(app)) return;
    open++;
    try {
      await untilIdle(app, engine, giveUp, () => instance.lives !== lives);
    } finally {
      open--;
    }
  };
  engine.probes.attach({ untilDone });
  return () => open > 0;
}

/**
 * Resolves when an app says that it is idle, waits for virtual time, or is gone. Connections are not waited for once it is idle.
 * @throws what its `idle` throws
 */
async function untilIdle(
  app: WithIdle,
  { loop, work }: Pick<Engine, "loop" | "work">,
  giveUp: (activity: number) => boolean,
  isGone: () => boolean,
): Promise<void> {
  let isIdle = false;
  const idle = (async () => {
    await app.idle();
    isIdle = true;
  })();
  idle.catch(() => {}); // awaited below
  const isOver = () => isIdle || isGone();
  const startActivity = work.activity;
  for (let turns = 0; !isOver(); turns++) {
    await Promise.race([idle, work.untilStill(isOver)]);
    if (isOver() || giveUp(work.activity - startActivity)) return;
    if (turns >= TURNS && loop.timeWaits.isAwaited) return;
    await Promise.race([idle, work.turn()]);
  }
}
