/** What an exploration and the process of an explored app say to each other: a line of JSON each, over a socket that only they know. */

/** The variable of the environment from which a process learns that it is explored. */
export const VARIABLE = "RINGBACK_WORLD";

/** The header of requests that the exploration sends. An app that passes its headers on does not see it. */
export const SENT = "x-ringback-sent";

/** What a process gets when it starts. */
export interface ProcessStart {
  /** The path of the socket. */
  readonly path: string;
  /** The virtual time, ms since the epoch. */
  readonly nowMs: number;
  /** For `Math.random`. */
  readonly seed: string | number;
  /** The addresses whose answers the world decides, such as `127.0.0.1:40001`. */
  readonly apart: readonly string[];
  /** The port at which it is asked; undefined for the first that it opens. */
  readonly port: number | undefined;
}

/** The exploration asks. Each question is answered. */
export interface ProcessQuestion {
  readonly id: number;
  /** The virtual time, ms since the epoch. */
  readonly nowMs: number;
  /** The number of a timer that is due. */
  readonly fire?: number;
  /** Whether it answers only when it can do nothing more by itself. */
  readonly isIdleAwaited?: true;
}

/** What a process did with its timers: it set one, called one off, or lets nothing wait for one. */
export type TimerChange =
  | { readonly set: number; readonly ms: number; readonly repeats: boolean; readonly isRef: boolean }
  | { readonly clear: number }
  | { readonly ref: number; readonly isRef: boolean };

/** The process answers. */
export interface ProcessReply {
  readonly id: number;
  /** How many requests of the exploration it has not answered. */
  readonly unanswered: number;
  /** How many answers of the world it waits for. */
  readonly waiting: number;
  /** What it did since its last reply. */
  readonly timers: readonly TimerChange[];
}

/** The process says where it listens. */
export interface Listens {
  readonly port: number;
  /** Such as `::1`; `::` or `0.0.0.0` for each address of the machine. */
  readonly address: string;
  /** Whether it takes HTTP/1.1 without TLS there. */
  readonly isPlain: boolean;
}

/** Splits what a socket brings into the messages that are complete. */
export function messageReader<M>(take: (message: M) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line) as M);
  };
}
