import type { PlayedInApp } from "../../data.ts";
import type { ForkableRequest, RequestFate, RestFate } from "../../model/fates.ts";
import { messageOf } from "../format.ts";
import type { LoadedRun, Loading, RunState } from "./loading.ts";
import type { Store } from "./store.ts";

/** A run in which something else became of a request. */
export interface TriedRun {
  readonly run: number;
  /** What the app did in it; undefined if it did not run, and its answers are those of the record. */
  readonly played: PlayedInApp | undefined;
}

/** Has something else become of a request: for the app, if the page's server has it, else against the recorded answers. */
export async function tryRequest(
  { state }: Store<RunState>,
  loading: Loading,
  run: LoadedRun,
  request: ForkableRequest,
  is: RequestFate | RestFate,
): Promise<TriedRun> {
  const { data, source } = state;
  if (data.app === undefined || source === undefined)
    return {
      run: await loading.ask("deviate", { run: run.number, request, is: is as RequestFate }),
      played: undefined,
    };
  const place = await loading.ask("place", { run: run.number, request });
  const question = { run: data.runs.indexOf(source), deviations: [{ ...place, is }] };
  const played = await askServer(question);
  const { journal, received, failures } = played;
  const problems = failures.map(({ property, message }) => `${property}: ${message}`);
  const title = run.shape.title;
  return { run: await loading.ask("open", { journal, title, problems, states: received }), played };
}

/** @throws what is wrong with the app, or that the server is gone */
async function askServer(question: {
  readonly run: number;
  readonly deviations: readonly object[];
}): Promise<PlayedInApp> {
  let answer: Response;
  try {
    const headers = { "content-type": "application/json" };
    answer = await fetch("_app", { method: "POST", headers, body: JSON.stringify(question) });
  } catch (error) {
    throw new Error(`the server of this page does not answer (${messageOf(error)}): start it again`);
  }
  const said = (await answer.json()) as PlayedInApp & { readonly message?: string };
  if (!answer.ok) throw new Error(said.message ?? `the server answered ${answer.status}`);
  return said;
}

/** What an app came to in a world that was played for it. */
export function verdictOf({ failures }: PlayedInApp): string {
  if (failures.length === 0) return "Your app ran, and every property holds.";
  return `Your app ran. ${failures.map(({ property, message }) => `${property} fails: ${message.split("\n")[0]}`).join("; ")}.`;
}

/** The words for what becomes of a request. */
export const words: Readonly<Record<RequestFate | RestFate, string>> = {
  lost: "lost",
  unanswered: "answer lost",
  duplicated: "twice",
  503: "answered 503",
  429: "answered 429",
  slow: "answered 10 s late",
  tokenExpired: "token expired",
};
