import type { HttpApp } from "../http/http-app.ts";
import { callBacks } from "./call-backs.ts";
import { callLog } from "./call-log.ts";
import { mustBeWellSpelt } from "./columns.ts";
import { type ReadyProperties, SharedReading } from "./properties.ts";
import { wallboard } from "./wallboard.ts";

/** A ready-made property of a server, which answers a path with what it shows. */
export interface ServerCheck {
  /** The properties of a server that answers this path. */
  at(path: string): ReadyProperties<HttpApp>;
  /** The same as an expression in a test. */
  code(path: string): string;
}

/** What a server answers that has a wallboard. */
interface Board {
  readonly people?: Readonly<Record<string, string>>;
  readonly live?: readonly string[];
}

/** The ready-made properties by name. A server answers rows, numbers, or `{ people, live }`. */
export const serverChecks = {
  callLog: {
    at: (path) => callLog({ rows: (server) => server.read(path) }),
    code: (path) => `callLog({ rows: (server) => server.read(${JSON.stringify(path)}) })`,
  },
  callBacks: {
    at: (path) => callBacks({ numbers: (server) => server.read(path) }),
    code: (path) => `callBacks({ numbers: (server) => server.read(${JSON.stringify(path)}) })`,
  },
  wallboard: {
    at: boardAt,
    code(path) {
      const shown = (part: string) =>
        `${part}: async (server) => (await server.read(${JSON.stringify(path)})).${part}`;
      return `wallboard({ ${shown("people")}, ${shown("live")} })`;
    },
  },
} as const satisfies Readonly<Record<string, ServerCheck>>;

/** Whichever of people and live calls the server shows is judged, so one of both must change in some world. */
function boardAt(path: string): ReadyProperties<HttpApp> {
  const read = async (server: HttpApp): Promise<Board> => {
    const board = await server.read<Board | null>(path);
    if (typeof board === "object" && board !== null)
      mustBeWellSpelt(Object.keys(board), ["people", "live"], "");
    if (typeof board === "object" && (board?.people ?? board?.live) != null) return board as Board;
    throw new Error(`POST ${path} answered 200, expected people, live or both`);
  };
  const reading = new SharedReading<HttpApp, Board>(["live"]);
  const { eventually, sometimes } = wallboard<HttpApp>({
    people: async (server) => (await reading.first(server, () => read(server))).people,
    live: async (server) => (await reading.again(server, "live", () => read(server)))?.live,
  });
  const checks = Object.values(sometimes);
  return {
    eventually,
    sometimes: {
      "what the wallboard shows changes": (sim, server) => checks.some((holds) => holds(sim, server)),
    },
  };
}
