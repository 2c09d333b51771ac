import { toScriptText } from "../../data.ts";
import { escapeHtml } from "../../markup.ts";
import { ladderSvg } from "../ladder/ladder-svg.ts";
import type { PageActions } from "../state/actions.ts";

type SaveActions = Readonly<Record<string, (actions: PageActions) => Promise<void>>>;

/** The files that a run can be saved as. A page with a shared viewer cannot be saved by itself. */
export function downloads(): SaveActions {
  const isWhole = document.head.querySelector("style") !== null;
  return Object.fromEntries(Object.entries(all).filter(([name]) => isWhole || name !== PAGE));
}

const PAGE = "Page (HTML)";
const all: SaveActions = {
  "Scenario (YAML)": async (actions) => save(actions, "yaml", actions.state.text, "text/yaml"),
  [PAGE]: async (actions) => save(actions, "html", await pageText(actions), "text/html"),
  "Ladder (SVG)": async (actions) => {
    const { run } = actions.state;
    if (run !== undefined) save(actions, "svg", ladderSvg(run), "image/svg+xml");
  },
  "Sequence diagram (Mermaid)": (actions) => saveText(actions, "mermaid", "mmd"),
  "Timeline (text)": (actions) => saveText(actions, "timeline", "txt"),
  "Event stream (JSON lines)": (actions) => saveText(actions, "jsonl", "jsonl"),
  "Journal (JSON)": (actions) => saveText(actions, "journal", "json"),
};

async function saveText(
  actions: PageActions,
  as: "mermaid" | "timeline" | "jsonl" | "journal",
  ending: string,
): Promise<void> {
  const { run } = actions.state;
  if (run === undefined) return;
  save(actions, ending, await actions.loading.ask("text", { run: run.number, as }), "text/plain");
}

/** This page with another run in it. Its script, style and worker are taken from here. */
async function pageText({ state, loading }: PageActions): Promise<string> {
  const { run, text } = state;
  if (run === undefined) throw new Error("There is no run to put into a page.");
  const journal = JSON.parse(await loading.ask("text", { run: run.number, as: "journal" }));
  const { title } = run.summary;
  const data = toScriptText({
    version: 1,
    mode: "inspect",
    title,
    runs: [{ name: title, journal, scenario: text }],
  });
  // element by element: a copy of the document would include the editor's own styles, which the page's policy refuses
  const head = [...document.head.querySelectorAll("meta, title, style")]
    .filter((each) => each.textContent !== "" || each.matches("meta"))
    .map((each) =>
      each.matches("title") ? `<title>${escapeHtml(`${title} · ringback`)}</title>` : each.outerHTML,
    );
  const scripts = [...document.body.querySelectorAll(":scope > script")].map((each) =>
    each.id === "ringback-data"
      ? `<script type="application/json" id="ringback-data">${data}</script>`
      : each.outerHTML,
  );
  const body = `<div id="app"></div>\n${scripts.join("\n")}`;
  return `<!doctype html>\n<html lang="en"><head>${head.join("\n")}</head>\n<body>${body}\n</body></html>\n`;
}

function save({ state }: PageActions, ending: string, text: string, type: string): void {
  download(`${fileNameOf(state)}.${ending}`, text, type);
}

/** The title of the run as the beginning of a file's name. */
function fileNameOf(state: PageActions["state"]): string {
  const name = (state.run?.summary.title ?? "scenario")
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  return name || "run";
}

/** Saves a text as a file. */
export function download(name: string, text: string, type = "text/csv"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
