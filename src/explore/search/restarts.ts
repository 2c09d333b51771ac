import { InputError } from "../../core/foundation/errors.ts";
import { isRestart } from "../../core/network/request-deviations.ts";
import { type ExploredApp, isRestartable } from "../run/explored-app.ts";
import type { Prepared } from "../run/prepare.ts";
import type { Limits } from "./limits.ts";

/**
 * Lets worlds restart the app if it can.
 * @throws {InputError} if it cannot, and the options or the scenario say that it restarts
 */
export function withRestarts<T>(limits: Limits, { recordedRun }: Prepared, explored: ExploredApp<T>): Limits {
  const { bound } = limits;
  const restarts = isRestartable(explored);
  const named = [...(bound.kinds ?? [])].find(isRestart);
  if (named !== undefined && !restarts) throw new InputError(["deviations", "kinds"], cannotRestart(named));
  const own = recordedRun.own.find(({ is }) => isRestart(is));
  if (own !== undefined && !restarts) throw new InputError(["scenario", "deviations"], cannotRestart(own.is));
  return { ...limits, bound: { ...bound, restarts } };
}

function cannotRestart(kind: string): string {
  return `\`${kind}\` needs \`durable\`: a function that makes what outlives a restart, such as a database; \`app(simulator, durable)\` gets it. For a server, say how to restart it (\`--restart\`)`;
}
