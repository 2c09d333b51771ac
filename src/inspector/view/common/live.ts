import type { JournalDocument } from "../../../index.ts";
import { thrownText } from "./format.ts";

/** The page's connection to its server. */
export interface LiveState {
  readonly is: "connecting" | "connected" | "lost" | "locked";
  /** What is wrong, in words; otherwise empty. */
  readonly problem: string;
  /** The server's virtual time, ms; undefined until it is known. */
  readonly timestamp: number | undefined;
  /** The control plane's token, if it needs one. */
  readonly token?: string | undefined;
  /** Whether the page holds the run while something else is looked at. */
  readonly isHeld: boolean;
}

export interface ServerState {
  /** The connection to the page's server; undefined for a page from a file. */
  readonly live: LiveState | undefined;
}

/** Receives updates from the server. */
export interface LiveListener {
  state(change: Partial<LiveState>): void;
  /** Shows the run as it is now. Resolves when it is shown. */
  journal(journal: JournalDocument): Promise<void>;
  /** Whether updates must wait. */
  mustWait(): boolean;
}

/** The parts of `/_sim/state` that are used. */
interface SimState {
  readonly timestamp: number;
  readonly pace: unknown;
  readonly counts: Readonly<Record<string, number>>;
}

/** The interval of polling for changes without an event, such as attempts and time, ms. */
const POLL_MS = 2_000;
/** The least pause between two journals, ms, and as a multiple of how long the last one took. */
const [LEAST_PAUSE_MS, PAUSE_FACTOR] = [250, 4];
/** How long to wait after the server did not answer, ms. */
const RETRY_MS = 1_500;

/** Follows the run of the page's server. */
export class Live {
  private token: string | undefined;
  private shown = "";
  private isLoading = false;
  private isWanted = false;
  private stream: AbortController | undefined;

  constructor(private readonly listener: LiveListener) {}

  /** @param token the control plane's token, if it needs one */
  start(token?: string): void {
    this.token = token;
    this.shown = "";
    this.stream?.abort();
    this.listener.state({ is: "connecting", problem: "", token });
    void this.poll();
  }

  /** Shows an update that was held back. */
  release(): void {
    if (this.isWanted) void this.load();
  }

  /** Moves time on the server. */
  async advance(duration: string): Promise<void> {
    await this.post("advance", { duration });
  }

  /** Gives a command on the server. */
  async command(name: string, args: object): Promise<void> {
    await this.post(`commands/${name}`, args);
  }

  private async post(path: string, body: object): Promise<void> {
    const answer = await this.ask(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await readProblem(answer));
    await answer.body?.cancel();
    await this.load();
  }

  /** Polls the server for as long as the page exists. */
  private async poll(): Promise<void> {
    const token = this.token;
    let pause = POLL_MS;
    try {
      const answer = await this.ask("state");
      if (answer.status === 401) {
        const problem = token === undefined ? "" : "The server does not know this token.";
        this.listener.state({ is: "locked", problem });
        return;
      }
      if (!answer.ok) throw new Error(await readProblem(answer));
      const state = (await answer.json()) as SimState;
      this.listener.state({ is: "connected", problem: "", timestamp: state.timestamp });
      // in real time, a later instant alone is no change
      const now = JSON.stringify([state.counts, state.pace === "virtual" ? state.timestamp : 0]);
      if (now !== this.shown) {
        this.shown = now;
        await this.load();
      }
      if (this.stream === undefined) void this.listen(state.counts.events ?? 0);
    } catch (error) {
      this.listener.state({ is: "lost", problem: thrownText(error) });
      pause = RETRY_MS;
    }
    window.setTimeout(() => {
      if (this.token === token) void this.poll();
    }, pause);
  }

  /** Reads server-sent events. Each triggers a reload. */
  private async listen(since: number): Promise<void> {
    const stream = new AbortController();
    this.stream = stream;
    try {
      const { body, ok } = await this.ask(`events/stream?since=${since}`, { signal: stream.signal });
      const reader = body?.getReader();
      if (!ok || reader === undefined) return;
      // the first only says that events follow
      for (
        let read = await reader.read(), first = true;
        !read.done;
        read = await reader.read(), first = false
      )
        if (!first) void this.load();
    } catch {
      // the connection is gone or was replaced: `poll` reports it and reconnects
    } finally {
      if (this.stream === stream) this.stream = undefined;
    }
  }

  /** Loads one journal at a time. Changes during a load are picked up by the next one. */
  private async load(): Promise<void> {
    this.isWanted = true;
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      while (this.isWanted) {
        if (this.listener.mustWait()) {
          this.listener.state({ isHeld: true });
          return;
        }
        this.isWanted = false;
        const startedAt = performance.now();
        const answer = await this.ask("journal");
        if (!answer.ok) throw new Error(await readProblem(answer));
        await this.listener.journal((await answer.json()) as JournalDocument);
        this.listener.state({ isHeld: false });
        const took = performance.now() - startedAt;
        await waitFor(Math.max(LEAST_PAUSE_MS, PAUSE_FACTOR * took));
      }
    } catch (error) {
      this.listener.state({ is: "lost", problem: thrownText(error) });
      // forces the next poll to load it again
      this.shown = "";
    } finally {
      this.isLoading = false;
    }
  }

  private ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.token !== undefined) headers.set("authorization", `Bearer ${this.token}`);
    return fetch(`_sim/${path}`, { ...init, headers });
  }
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    window.setTimeout(resolve, ms);
  });
}

/** The message of an error answer. */
async function readProblem(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return String((JSON.parse(text) as { message?: unknown }).message ?? text);
  } catch {
    // not JSON, so unchanged
    return text || `the server answered ${answer.status}`;
  }
}
