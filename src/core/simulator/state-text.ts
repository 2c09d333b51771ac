import type { Engine } from "../engine/engine.ts";
import { iso } from "../foundation/instants.ts";
import { counted } from "../platform/declare/words.ts";
import type { CompleteOptions } from "./options.ts";
import type { PendingItem } from "./virtual-time.ts";

/**
 * The state of a run in one line, for `console.log`.
 * @param liveCalls how many calls are not over
 * @param pending what is scheduled, next first
 */
export function simulatorStateText(
  { now, log, isDisposed }: Pick<Engine, "now" | "log" | "isDisposed">,
  { organisation: { name, id }, seed }: CompleteOptions,
  liveCalls: number,
  pending: readonly PendingItem[],
): string {
  const scheduled = pending.filter(({ isBackground }) => isBackground !== true);
  const [next] = scheduled;
  return [
    `Simulator of ${name ?? id} at ${iso(now)}, seed ${JSON.stringify(seed)}`,
    `${counted(log.total, "event")}, ${counted(liveCalls, "live call")}, ${scheduled.length} scheduled`,
    ...(next === undefined ? [] : [`next at ${next.dueAt}: ${next.purpose} of ${next.recordId}`]),
    ...(isDisposed ? ["disposed"] : []),
  ].join("; ");
}
