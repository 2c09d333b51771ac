import { like } from "../../core/foundation/clock-doors.ts";
import type { AnyFunction } from "../../core/foundation/timer-functions.ts";
import { never } from "../../core/foundation/values.ts";
import { askNow, ofNobody } from "./asking.ts";
import { runAsQuestion } from "./world-context.ts";
import { worldFunctions } from "./world-functions.ts";

/** Stands in front of the global `fetch`: an app that ends before it asks sends nothing. For code of no world, it does what it did. */
export const { replace: followFetches, putBack: stopFollowingFetches } = worldFunctions(() => [
  { place: globalThis, names: ["fetch"], door },
]);

function door(before: AnyFunction): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    const question = askNow("fetch");
    if (question === undefined) return never();
    const run = () => Reflect.apply(before, this, given);
    return question === ofNobody ? run() : runAsQuestion(question, run);
  });
}
