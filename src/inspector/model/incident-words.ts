import { counted } from "../../core/platform/declare/words.ts";
import type { DeliveryHistory } from "./delivery-histories.ts";
import { isDelayed, isDoubled, isRetried, isUnheard, isWaiting, type Outage } from "./incident.ts";
import type { WhatIfUp } from "./what-if-up.ts";

/** What the page of a busy run says of an outage. */

/** How the page writes an instant, ms from the start of the run. */
export type TimeText = (atMs: number) => string;

/** What a host did in an outage: `answered 503`, `did not answer`. */
export function outageVerb({ answers }: Outage): string {
  const statuses = answers.filter((answer) => /^\d+$/.test(answer));
  if (statuses.length === answers.length) return `answered ${statuses.join(" or ")}`;
  const [only = "", ...others] = answers;
  return (others.length === 0 && verbs[only]) || "failed";
}

const verbs: Readonly<Record<string, string>> = {
  "no answer": "did not answer",
  refused: "refused connections",
  lost: "got no request",
};

/** When it did: `from 10:40:05 to 10:50:00`. */
export function outageTime({ fromMs, toMs, isOver }: Outage, timeText: TimeText): string {
  const [from, to] = [timeText(fromMs), timeText(toMs)];
  if (!isOver) return `from ${from} on`;
  return from === to ? `at ${from}` : `from ${from} to ${to}`;
}

/** What followed: `160 events of 30 calls came late, 2 were lost`. */
export function outageEffect({ late, lost, waiting }: Outage): string {
  const unheard = [...late, ...lost, ...waiting].filter(isUnheard);
  const heard = (histories: readonly DeliveryHistory[]) => histories.filter((each) => !isUnheard(each));
  const parts: readonly (readonly [readonly DeliveryHistory[], one: string, many: string])[] = [
    [heard(late), "came late", "came late"],
    [unheard.filter(isRetried), "was sent again", "were sent again"],
    [heard(lost), "was lost", "were lost"],
    [heard(waiting), "has not come yet", "have not come yet"],
    [unheard.filter((each) => !isRetried(each)), "got no answer", "got no answer"],
  ];
  return parts
    .filter(([histories]) => histories.length > 0)
    .map(([histories, one, many], index) => {
      const what = histories.length === 1 ? one : many;
      if (index > 0) return `${histories.length.toLocaleString("en")} ${what}`;
      const calls = new Set(histories.map(({ record }) => record).filter((record) => record >= 0)).size;
      const ofCalls = calls === 0 ? "" : ` of ${counted(calls, "call")}`;
      return `${counted(histories.length, "event")}${ofCalls} ${what}`;
    })
    .join(", ");
}

/** What came of the deliveries of a run, where no outage is the cause of most: `2 deliveries were given up, 1 came twice.` */
export function deliveriesText(histories: readonly DeliveryHistory[]): string {
  const count = (holds: (history: DeliveryHistory) => boolean) => histories.filter(holds).length;
  const unheard = histories.filter((each) => isUnheard(each) && each.givenUpMs === undefined);
  const parts: readonly (readonly [number, one: string, many: string])[] = [
    [count(({ givenUpMs }) => givenUpMs !== undefined), "was given up", "were given up"],
    [count((each) => isWaiting(each) && !isUnheard(each)), "has not come yet", "have not come yet"],
    [count((each) => isDelayed(each) && !isUnheard(each)), "came late", "came late"],
    [unheard.filter(isRetried).length, "was sent again", "were sent again"],
    [unheard.filter((each) => !isRetried(each)).length, "got no answer", "got no answer"],
    [count(isDoubled), "came twice", "came twice"],
  ];
  const said = parts
    .filter(([number]) => number > 0)
    .map(([number, one, many], index) => {
      const what = index === 0 ? counted(number, "delivery", "deliveries") : number.toLocaleString("en");
      return `${what} ${number === 1 ? one : many}`;
    });
  return said.length === 0 ? "Every delivery arrived once." : `${said.join(", ")}.`;
}

/** What another run says, in which the host is up. Both were played. */
export function whatIfUpText(name: string, { events, arrive, inverted, otherCalls }: WhatIfUp): string {
  const [was, is] = inverted;
  const all =
    arrive === events ? (events === 1 ? "the event arrives" : `all ${counted(events, "event")} arrive`) : "";
  const arrives = all || `${arrive.toLocaleString("en")} of ${counted(events, "event")} arrive`;
  return [
    `Played again with ${name} up: ${arrives} at once${was === 0 && is === 0 ? "." : ","}`,
    ...(was === 0 && is === 0
      ? []
      : [
          `and ${is > 1 ? `${counted(is, "call")} end before they began` : `${is === 0 ? "no" : 1} call ends before it began`}, where ${was.toLocaleString("en")} did.`,
        ]),
    otherCalls === 0 ? "The calls are the same." : `${counted(otherCalls, "call")} went otherwise.`,
  ].join(" ");
}
