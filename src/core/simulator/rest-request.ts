import type { AppWork } from "../engine/app-work.ts";
import { mustHaveFetch } from "../foundation/runtime-globals.ts";

/**
 * The request that `sim.fetch` is asked to make.
 * @param input a `Request` or a URL; a path alone is one of the REST API
 * @param api the URL of the REST API
 */
export function restRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  api: string,
): Request {
  mustHaveFetch("sim.fetch");
  // a request of a request costs more than its answer; one without a body can be read as it is
  if (input instanceof Request && init === undefined && input.body === null) return input;
  const isPath = typeof input === "string" && !/^https?:\/\//i.test(input);
  return new Request(isPath ? new URL(input, `${api}/`) : input, init);
}

/** The answer. Time does not pass before the app has it, unless it is held back. */
export async function untilAnswer(
  work: Pick<AppWork, "beginRequest">,
  answer: Promise<Response>,
): Promise<Response> {
  const end = work.beginRequest();
  try {
    return await answer;
  } finally {
    end();
  }
}
