import { InputError } from "../engine/errors.ts";
import { iso } from "../engine/instants.ts";
import { untilStill } from "../engine/quiet.ts";
import type { EndpointRequest } from "../network/endpoint-request.ts";
import type { Simulator } from "../simulator.ts";
import { RestAddress } from "./rest-address.ts";

/** The address of a running server, and how to talk to it. */
export interface HttpSubjectOptions {
  /** The server's base URL, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /**
   * The path that is posted to before each world, upon which the server forgets everything. The body is
   * `{ "now": …, "api": …, "clientId": …, "clientSecret": … }`: the virtual time in ISO 8601, for a server that checks how
   * old a request is; the base URL of the world's REST API; and the credentials for `/oauth/token` there.
   */
  readonly reset: string;
  /** Requests to URLs that start like one of these go to the server, with the same path and query. Default: all. */
  readonly on?: readonly string[];
  /** Headers of every request to the server. */
  readonly headers?: Readonly<Record<string, string>>;
}

const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");

/** The server, as the subject of one world. */
export class HttpSubject {
  private readonly ending = new AbortController();
  /** Resolves when the REST API may serve the next request. */
  private turn = Promise.resolve();

  constructor(
    private readonly options: HttpSubjectOptions,
    private readonly simulator: Simulator,
    private readonly rest: RestAddress,
  ) {
    // the server needs real time for everything
    simulator.inside.engine.timeWaits.grace = untilStill;
    for (const prefix of options.on ?? ["https://", "http://"])
      simulator.network.route(prefix, (request) => this.receive(request));
    // nothing of a world may reach the next
    const end = async () => {
      this.rest.end();
      this.ending.abort();
    };
    Object.defineProperty(this, asyncDispose, { value: end });
  }

  /**
   * Sends a request to the server, for use in properties.
   * @param path the path on the server
   * @param init as for the global `fetch`
   */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const { url, headers = {} } = this.options;
    const request = new Request(new URL(path, url), {
      ...init,
      signal: this.ending.signal,
      redirect: "manual",
    });
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    try {
      return await fetch(request);
    } catch (error) {
      throw new Error(
        `${request.method} ${path}: the server at ${url} cannot be reached: ${reasonOf(error)}`,
      );
    }
  }

  /**
   * Checks that a path answers 2xx, for use in properties.
   * @param path the path on the server
   * @throws with the actual answer
   */
  async mustAnswer(path: string): Promise<void> {
    const answer = await this.fetch(path);
    if (!answer.ok) throw new Error(await inWords(`GET ${path}`, answer));
  }

  /**
   * Lets the server forget everything.
   * @param now the virtual time, ISO 8601
   * @throws {InputError} if the server does not answer or refuses
   */
  async reset(now: string): Promise<void> {
    const { reset } = this.options;
    const { clientId, clientSecret } = this.simulator.credentials;
    const api = await this.rest.begin((request) => this.ask(request));
    const body = JSON.stringify({ now, api, clientId, clientSecret });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    let answer: Response;
    try {
      answer = await this.fetch(reset, init);
    } catch (error) {
      throw new InputError(["server"], error instanceof Error ? error.message : String(error));
    }
    if (!answer.ok) throw new InputError(["reset"], await inWords(`POST ${reset}`, answer));
    await answer.arrayBuffer();
  }

  /**
   * Passes a request of the server on to the REST API. Requests that are open at the same time may arrive in a different
   * order in each run, so they are answered one after the other, unless an answer is held back.
   */
  private async ask(request: Request): Promise<Response> {
    const before = this.turn;
    let next = () => {};
    this.turn = new Promise((resolve) => {
      next = resolve;
    });
    await before;
    void this.simulator.nextHeldAnswer().then(next);
    try {
      return await this.simulator.fetch(request);
    } finally {
      next();
    }
  }

  /** Passes a request of the platform on to the server. */
  private async receive({ url, method, headers, body }: EndpointRequest) {
    const { pathname, search } = new URL(url);
    // these headers belong to another connection
    const { host: _, "content-length": __, ...others } = headers;
    const init = { method, headers: others, ...(method === "GET" || method === "HEAD" ? {} : { body }) };
    const answer = await this.fetch(`${pathname}${search}`, init);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  }
}

/**
 * Makes a running server, in any language, the subject of an exploration. `reset` is posted to before each world.
 * Since a server can be in only one world at a time, one thread explores.
 * @param options where the server is, and how to reset it
 */
export function httpSubject(options: HttpSubjectOptions): (simulator: Simulator) => Promise<HttpSubject> {
  if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol))
    throw new InputError(
      ["url"],
      `expected the address of a server such as http://127.0.0.1:8000, got ${options.url}`,
    );
  const rest = new RestAddress();
  return async (simulator) => {
    const subject = new HttpSubject(options, simulator, rest);
    await subject.reset(iso(simulator.timestamp));
    return subject;
  };
}

/** How many characters of an answer a message shows. */
const LONGEST = 1_000;

async function inWords(request: string, answer: Response): Promise<string> {
  const text = (await answer.text()).trim().slice(0, LONGEST);
  return `${request} answered ${answer.status}, expected 2xx${text === "" ? "" : `: ${text}`}`;
}

/** `fetch` hides why it failed. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    readonly cause?: { readonly code?: string; readonly message?: string };
    readonly message: string;
  };
  return cause?.code ?? cause?.message ?? message;
}
