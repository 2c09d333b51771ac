/** Taken before fake timers can replace them. */
const { MessageChannel: Channel, setTimeout: startTimer } = globalThis;

/** Resolves when all that is ready to run has run: promises, but no timers. */
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

/** For so many turns of the event loop, of so many real ms at least, what is not virtual may still happen. */
const TURNS = 25;
const TURN_MS = 2;

/** Resolves when whoever does not wait for virtual time had some time to go on: counted in turns, so that a busy machine has more. */
export async function untilStill(): Promise<void> {
  const areReal = !("clock" in startTimer);
  for (let turn = 0; turn < TURNS; turn++)
    await (areReal ? new Promise((resolve) => void startTimer(resolve, TURN_MS)) : untilQuiet());
}
