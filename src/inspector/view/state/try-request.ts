import type { AppRun } from "../../data.ts";
import type { AppDeviation, ForkableRequest, RequestDeviation } from "../../model/forkable-requests.ts";
import type { RunSummary } from "../../model/types.ts";
import type { WorkerOutput } from "../../worker/protocol.ts";
import { thrownText } from "../common/format.ts";
import type { ServerState } from "../common/live.ts";
import type { LoadedRun, Loading, PageRunState } from "./loading.ts";
import type { Store } from "./store.ts";

/** The result of trying a deviation. */
export interface TriedRun {
  readonly run: number;
  /** How the app reacted; undefined if it did not run and recorded answers were used. */
  readonly played: AppRun | undefined;
}

type TriedDeviation = WorkerOutput<"deviationPoint"> & { readonly is: AppDeviation };

/** The deviations of the runs that were played against the app. */
const deviationsOf = new WeakMap<RunSummary, readonly TriedDeviation[]>();
/** Forks that were played without the app: by an act, or with recorded answers. */
const runsWithoutApp = new WeakSet<RunSummary>();

/** Marks a run, and so its forks, as played without the app. */
export function markWithoutApp(run: LoadedRun | undefined): void {
  if (run !== undefined) runsWithoutApp.add(run.summary);
}

/** Whether the page's server can play deviations of a run against the app. */
export function hasApp({ data }: PageRunState, run: LoadedRun | undefined): boolean {
  return data.app !== undefined && run !== undefined && !runsWithoutApp.has(run.summary);
}

/**
 * Plays a run with another deviation of a request, in addition to those already tried in it: against the app, if the
 * page's server has it, else against the recorded answers.
 */
export async function tryRequest(
  { state }: Store<PageRunState & ServerState>,
  loading: Loading,
  run: LoadedRun,
  request: ForkableRequest,
  is: AppDeviation,
): Promise<TriedRun> {
  if (!hasApp(state, run)) {
    const number = await loading.ask("deviate", { run: run.number, request, is: is as RequestDeviation });
    markWithoutApp(loading.run(number));
    return { run: number, played: undefined };
  }
  const { data, source, live } = state;
  const point = await loading.ask("deviationPoint", { run: run.number, request });
  const before = (deviationsOf.get(run.summary) ?? []).filter((each) => !isReplaced(each, point));
  const deviations = [...before, { ...point, is }];
  const question = { run: source === undefined ? 0 : data.runs.indexOf(source), deviations };
  const played = await playInApp(data.app?.at ?? "", question, live?.token);
  const { journal, received, failures = [] } = played;
  const problems = failures.map(({ property, message }) => `${property}: ${message}`);
  const title = run.summary.title;
  const number = await loading.ask("open", { journal, title, problems, states: received });
  const tried = loading.run(number);
  if (tried !== undefined) deviationsOf.set(tried.summary, deviations);
  return { run: number, played };
}

/** Whether a new deviation replaces this one, as it has the same point. A lost REST request has no point any more. */
function isReplaced({ is, ...own }: TriedDeviation, point: WorkerOutput<"deviationPoint">): boolean {
  return !(own.what === "rest" && is === "lost") && JSON.stringify(own) === JSON.stringify(point);
}

/** @throws what is wrong with the app, or that the server is gone */
async function playInApp(
  path: string,
  question: { readonly run: number; readonly deviations: readonly object[] },
  token: string | undefined,
): Promise<AppRun> {
  let answer: Response;
  try {
    const headers = {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    answer = await fetch(path.slice(1), { method: "POST", headers, body: JSON.stringify(question) });
  } catch (error) {
    throw new Error(`the server of this page does not answer (${thrownText(error)}): start it again`);
  }
  const said = (await answer.json()) as AppRun & { readonly message?: string };
  if (!answer.ok) throw new Error(said.message ?? `the server answered ${answer.status}`);
  return said;
}

/** How the app fared in a world that was played against it. */
export function tryVerdict({ failures, note }: AppRun): string {
  if (failures === undefined) return note === undefined ? "Your app ran." : `Your app ran. ${note}`;
  if (failures.length === 0) return "Your app ran, and every property holds.";
  return `Your app ran. ${failures.map(({ property, message }) => `${property} fails: ${message.split("\n")[0]}`).join("; ")}.`;
}

/** The names of deviations on buttons and in titles. */
export const deviationNames: Readonly<Record<AppDeviation, string>> = {
  lost: "lost",
  unanswered: "answer lost",
  duplicated: "twice",
  503: "answered 503",
  429: "answered 429",
  slow: "answered 10 s late",
  tokenExpired: "token expired",
};
