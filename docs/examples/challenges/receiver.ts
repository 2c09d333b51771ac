import type { Simulator } from "ringback";

/** An app as a module. Judge it: npx ringback challenge 1 --with ./receiver.ts */

/** Challenge 6: makes what outlives a restart, anew for each world. `app(sim, database)` gets it. */
export const durable = () => new Set<string>();

/** Builds the app, for each world and after each restart. */
export function app(sim: Simulator) {
  const log: { callId: string }[] = [];
  const numbers: string[] = [];
  const board: { live?: string[]; people?: Record<string, string> } = {};

  sim.network.route("https://app.test/hooks", async ({ body }) => {
    const event = JSON.parse(body);
    switch (event.type) {
      case "call.ended":
        break; // your code, such as: log.push({ callId: event.data.call.id });
    }
    return 204;
  });

  // each challenge reads one of these
  return { log: () => log, numbers: () => numbers, board: () => board };
}
