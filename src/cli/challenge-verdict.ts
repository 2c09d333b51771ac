import { exactClock } from "../core/foundation/clock.ts";
import { counted } from "../core/platform/declare/words.ts";
import type { ExploreReport } from "../explore/report/report.ts";
import { type Blame, blameForForged, type Exchange, findBlame } from "./challenge-blame.ts";
import { type Challenge, challenges } from "./challenge-tasks.ts";
import type { CommandFailure } from "./failures.ts";

/** Whether an app passes a challenge, and what breaks it. */
interface Verdict {
  readonly isPassed: boolean;
  /** How many worlds were run, those with forged requests among them. */
  readonly worlds: number;
  /** In how many of them it fails. */
  readonly failing: number;
  /** The request and the answer that went wrong; undefined if it passes. */
  readonly blame: Blame | undefined;
  /** The page that shows the smallest world; undefined if none was written. */
  readonly page: string | undefined;
}

/** Reads a report. Where requests are forged, a server must refuse them, as its state is not known. */
export function challengeVerdict({ isForged, shows }: Challenge, report: ExploreReport): Verdict {
  const { failures, result } = report;
  const worlds = report.worlds + (result.forged?.worlds ?? 0);
  const [failure] = failures;
  const taken = isForged === true ? (result.forged?.unclear ?? []) : [];
  const [forgery] = taken;
  if (failure !== undefined) {
    const { files, worlds: failing } = failure;
    return { isPassed: false, worlds, failing, blame: findBlame(failure, shows), page: files?.page };
  }
  if (forgery === undefined)
    return { isPassed: report.passed, worlds, failing: 0, blame: undefined, page: undefined };
  const blame = blameForForged(forgery, "you answer 2xx");
  return { isPassed: false, worlds, failing: taken.length, blame, page: undefined };
}

/** The verdict as text. @param isHinted whether the hint is asked for */
export function verdictText({ number, title, hint }: Challenge, verdict: Verdict, isHinted: boolean): string {
  const { isPassed, worlds, failing, blame, page } = verdict;
  const head = `Challenge ${number}, ${title}: `;
  if (isPassed)
    return `${head}passes in ${worlds === 1 ? "its one world" : `all ${counted(worlds, "world")}`}\n${nextText(number)}\n`;
  const lines = [
    `${head}fails in ${worlds === 1 ? "its one world" : `${failing.toLocaleString("en")} of ${counted(worlds, "world")}`}`,
    "",
    ...(blame === undefined ? [] : [blame.sentence, ""]),
    ...exchangeLines(blame?.exchanges ?? []),
    isHinted ? `Hint: ${hint}` : `A hint: npx ringback challenge ${number} --hint`,
    ...(page === undefined ? [] : [`The whole world: ${page}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function nextText(number: number): string {
  const next = challenges.find((each) => each.number === number + 1);
  return next === undefined
    ? "That was the last one."
    : `Next: npx ringback challenge ${next.number}, ${next.title}`;
}

/** The requests in columns. */
function exchangeLines(exchanges: readonly Exchange[]): string[] {
  if (exchanges.length === 0) return [];
  const names = exchanges.map(({ type, attempt }) => (attempt === 1 ? type : `${type}, attempt ${attempt}`));
  const width = Math.max(...names.map(({ length }) => length));
  const lines = exchanges.map(
    ({ at, answer }, place) =>
      `${exactClock(at).padStart(12)}  ${(names[place] ?? "").padEnd(width)}  ${answer}`,
  );
  return [...lines, ""];
}

/** What goes wrong, for programs. */
export function verdictFailures({ isPassed, blame, page }: Verdict, place: string): CommandFailure[] {
  if (isPassed) return [];
  const next = page === undefined ? "mend the app" : `open ${page}, which shows the smallest world`;
  const more = { requests: blame?.exchanges ?? [] };
  return [{ cause: blame?.sentence ?? "the app was not tested", place, next, ...more }];
}
