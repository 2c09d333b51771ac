/** Taken before fake timers can replace them. */
const { MessageChannel: Channel, setTimeout: startTimer } = globalThis;

/** Resolves when everything that is ready has run. Promises count, timers do not. */
export function untilQuiet(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new Channel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/**
 * How many turns of the event loop, and how many real ms each, are given to code that does not wait for
 * virtual time.
 */
const TURNS = 25;
const TURN_MS = 2;

/**
 * Gives code that does not wait for virtual time some time to go on. Counted in turns, so that a busy machine
 * gets more.
 */
export async function untilStill(): Promise<void> {
  const areReal = !("clock" in startTimer);
  for (let turn = 0; turn < TURNS; turn++)
    await (areReal ? new Promise((resolve) => void startTimer(resolve, TURN_MS)) : untilQuiet());
}
