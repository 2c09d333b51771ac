import type { Simulator } from "../core/simulator/simulator.ts";
import { escapeHtml } from "../inspector/markup.ts";
import { fontRules } from "../inspector/template.ts";
import { iconAddress, logo } from "../look/logo.ts";
import { lookTokens } from "../look/tokens.ts";
import type { Pace } from "./clock.ts";

/** The path at which the server's own page has the run played again. */
export const TRIAL_PATH = "/_sim/try";

/** What the page at `/` shows. */
export interface PageContent {
  /** The server's URL for everyone. */
  readonly url: string;
  /** The simulator that is served. */
  readonly simulator: Simulator;
  /** How virtual time passes. */
  readonly pace: Pace;
  /** Whether the control plane needs a token. */
  readonly isGuarded: boolean;
  /** Whether the run can be played again for the apps behind the webhooks. */
  readonly hasReceivers: boolean;
  /** Whether there is a page with a phone for each person, at `/desk`. */
  readonly hasDesk: boolean;
}

/** Makes the page at `/`. */
export type Page = (content: PageContent) => string | Promise<string>;

/** Facts that stay the same while the server runs, by name. They contain no secret, since anyone may see the page. */
export function factsOf({ url, simulator, pace }: PageContent): readonly (readonly [string, string])[] {
  const { organisation } = simulator.options;
  return [
    ["organisation", `${organisation.name ?? organisation.id} (${organisation.id})`],
    ["time passes", paceText(pace)],
    ["seed", String(simulator.seed)],
    ["REST API", url],
    ["client id", simulator.credentials.clientId],
  ];
}

const style = `body{font:var(--f16)/26px var(--sans);margin:32px auto;max-width:640px;padding:0 16px;background:var(--panel);color:var(--text)}
h1{font-size:var(--f22);display:flex;gap:8px;align-items:center}
h1 svg{width:24px;color:var(--accent)}
a{color:var(--accent)}
th{text-align:left;padding-right:32px;color:var(--text2);font-weight:400}`;

/** A plain page that shows what is running. */
export const plainPage: Page = (content) => {
  const { simulator, isGuarded } = content;
  const { organisation } = simulator.options;
  const rows = [
    ...factsOf(content),
    ["virtual time", simulator.now.toISO() ?? ""],
    ["events so far", String(simulator.events.mark())],
    ["live calls", String(simulator.calls.live().length)],
  ] as const;
  const links: readonly (readonly [string, string])[] = [
    ["openapi.json", "the OpenAPI document"],
    ...(isGuarded
      ? []
      : ([
          ["_sim/state", "where the run stands"],
          ["_sim/events", "its events"],
          ["_sim/timeline", "its timeline"],
          ["_sim/journal", "its journal"],
        ] as const)),
  ];
  const table = rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}<td>${escapeHtml(value)}`,
  );
  const list = links.map(([path, what]) => `<li><a href="${path}">${escapeHtml(what)}</a>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>ringback: ${escapeHtml(organisation.name ?? organisation.id)}</title>
<link rel="icon" href="${iconAddress}">
<style>${fontRules()}${lookTokens}
${style}</style>
<main>
<h1>${logo} ringback is running</h1>
<table>
${table.join("\n")}
</table>
<ul>
${list.join("\n")}
</ul>
${isGuarded ? "<p>The control plane needs the token that the server printed.</p>\n" : ""}</main>
</html>
`;
};

function paceText(pace: Pace): string {
  if (pace === "virtual") return "only when it is told to";
  return pace === "realtime" ? "as real time does" : `${pace} times as fast as real time`;
}
