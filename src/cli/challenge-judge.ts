import { InputError } from "../core/foundation/errors.ts";
import { show } from "../core/foundation/show.ts";
import { parseScenario } from "../core/scenario/parse.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { exploreAs } from "../explore/explore.ts";
import { type HttpApp, httpApp } from "../explore/http/http-app.ts";
import { callBacks } from "../explore/ready-made/call-backs.ts";
import { type CallLogRow, callLog } from "../explore/ready-made/call-log.ts";
import type { ReadyProperties } from "../explore/ready-made/properties.ts";
import { serverChecks } from "../explore/ready-made/server-checks.ts";
import { wallboard } from "../explore/ready-made/wallboard.ts";
import type { ExploreReport } from "../explore/report/report.ts";
import { loadApp } from "../explore/run/explored-app.ts";
import type { ExploreOptions } from "../explore/search/options.ts";
import type { Challenge } from "./challenge-tasks.ts";

/** What a challenge judges: a module, or a running server. */
export type ChallengeApp =
  | { readonly with: string }
  | { readonly server: string; readonly restart?: string | undefined };

/** What a module's `app` returns. Each challenge reads one of these. */
interface ModuleApp {
  log(): readonly CallLogRow[] | Promise<readonly CallLogRow[]>;
  numbers(): readonly string[] | Promise<readonly string[]>;
  board(): Board | Promise<Board>;
}

interface Board {
  readonly live?: readonly string[];
  readonly people?: Readonly<Record<string, string>>;
}

/**
 * Runs an app in every world of a challenge.
 * @throws {InputError} if the module cannot be loaded or shows nothing, or the server does not answer
 */
export async function judgeChallenge(challenge: Challenge, app: ChallengeApp): Promise<ExploreReport> {
  const { scenario, kinds, atMost, isForged = false } = challenge;
  const bounds = {
    scenario: parseScenario(scenario),
    deviations: { kinds, atMost },
    forged: isForged,
  };
  if ("server" in app) return exploreAs({ ...bounds, ...serverAt(challenge, app) }, {});
  return exploreAs({ ...bounds, ...(await moduleAt(challenge, app.with)) }, {});
}

type Judged<T> = Omit<ExploreOptions<T>, "scenario">;

function serverAt(
  challenge: Challenge,
  { server, restart }: { readonly server: string; readonly restart?: string | undefined },
): Judged<HttpApp> {
  const app = httpApp({
    url: server,
    reset: "/reset",
    ...(restart === undefined ? {} : { restart }),
  });
  const { check, name } = challenge.shows;
  const path = `/${name}`;
  return {
    app,
    ...judgedWhen(challenge, serverChecks[check].at(path)),
    show: (server) => server.read(path),
  };
}

async function moduleAt(challenge: Challenge, module: string): Promise<Judged<ModuleApp>> {
  const { shows } = challenge;
  const { app: build, durable = () => undefined } = await loadApp(module);
  return {
    durable,
    async app(simulator: Simulator, made: unknown) {
      const app = (await build(simulator, made)) as Partial<ModuleApp> | null | undefined;
      const shown = app?.[shows.name];
      if (typeof shown === "function") return app as ModuleApp;
      throw new InputError(
        ["with"],
        `expected \`app\` in ${module} to return an object with the function \`${shows.name}\`, got ${show(shown)} there`,
      );
    },
    ...judgedWhen(challenge, readyProperties(shows)),
    show: (app) => app[shows.name](),
  };
}

/** The properties of a challenge, as those of the end or of every moment at which all is handled. */
function judgedWhen<T>(
  { isJudgedMeanwhile }: Challenge,
  { settled = {}, eventually, sometimes }: ReadyProperties<T>,
): Pick<Judged<T>, "settled" | "eventually" | "sometimes"> {
  return isJudgedMeanwhile === true ? { settled: eventually, sometimes } : { settled, eventually, sometimes };
}

function readyProperties({ check, example }: Challenge["shows"]): ReadyProperties<ModuleApp> {
  if (check === "callLog") return callLog({ rows: (app: ModuleApp) => app.log() });
  if (check === "callBacks") return callBacks({ numbers: (app: ModuleApp) => app.numbers() });
  return "live" in (JSON.parse(example) as Board)
    ? wallboard({ live: async (app: ModuleApp) => (await app.board()).live ?? [] })
    : wallboard({ people: async (app: ModuleApp) => (await app.board()).people ?? {} });
}
