import { onHttp } from "../../core/engine/http-channels.ts";
import { isFollowed, isOfDependency, isOfProperty, worldOfCaller } from "../sandbox/world-context.ts";
import type { Attachment, World } from "./world.ts";

/** A request of the global `fetch`, as Node has it. */
interface Fetched {
  readonly origin?: unknown;
}

/** A request of `node:http` or `node:https`, as Node has it. */
interface Sent {
  readonly host?: unknown;
  readonly socket?: { readonly _handle?: unknown } | null;
}

/** Addresses of this computer. */
const LOCAL = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1?\]?)$/i;

/**
 * Notices the hosts that an app asks for real, by `fetch` or `node:http`: what its requests come to depends on the network, and
 * no world can let them fail. A server in another process asks unseen. What `sim.dependency` wraps may ask for real.
 */
export function realRequests({ setup, simulator, wanted }: World): Attachment | undefined {
  if (setup.hasRestartCommand !== undefined || wanted.unjudged === true) return undefined;
  const hosts = new Set<string>();
  const isOwn = (host: string) => Object.values(simulator.urls).some((url) => readHostname(url) === host);
  const note = (host: string) => {
    const isOfApp = isFollowed() && worldOfCaller()?.isOver !== true && !isOfProperty() && !isOfDependency();
    if (isOfApp && host !== "" && !LOCAL.test(host) && !isOwn(host)) hosts.add(host);
  };

  const ends = [
    onHttp("fetched", ({ origin }: Fetched) => note(readHostname(String(origin)))),
    onHttp("sent", ({ host, socket }: Sent) => {
      // without a handle it is no connection: something answers in its place, such as MSW
      if (typeof host === "string" && socket?._handle != null) note(host);
    }),
  ];
  return {
    end() {
      for (const end of ends) end();
    },
    result: () => ({
      notes: [...hosts]
        .sort()
        .map(
          (host) =>
            `the app asked ${host} for real; wrap it with \`sim.dependency\`, or \`dependency\` of ringback/msw`,
        ),
    }),
  };
}

function readHostname(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : "";
}
