import { jsonPieces } from "../engine/pieces.ts";
import type { JournalDocument } from "../options.ts";

/** One run that a page can show: by its journal, by a scenario to play, or both. */
export interface RunSource {
  readonly name: string;
  readonly journal?: JournalDocument | undefined;
  /** The scenario's text, for the editor. */
  readonly scenario?: string | undefined;
  /** What to notice, or what a failure says. */
  readonly description?: string | undefined;
  /** What was not as expected. */
  readonly problems?: readonly string[] | undefined;
}

/** Another run, or the events of one, to compare the first with. */
export interface CompareSource {
  /** The name of the other run. */
  readonly name: string;
  /** The journal of the other run; undefined if only its events are known. */
  readonly journal?: JournalDocument | undefined;
  /** The expected events of a golden stream, one JSON object each. */
  readonly events?: readonly { readonly type: string; readonly createdTimestamp: number }[] | undefined;
}

/** Of a page that a server sends: it shows the run of that server, and follows it. */
export interface LiveSource {
  /** The server's control plane needs a token. */
  readonly isGuarded: boolean;
  /** Time passes only when the server is told to. */
  readonly isVirtual: boolean;
  /** What there is to know about the server, without secrets: names and values. */
  readonly about: readonly (readonly [string, string])[];
}

/** What `inspectHtml` puts into the page. */
export interface PageData {
  /** Of this shape; a page reads its own only. */
  readonly version: 1;
  readonly mode: "inspect" | "play";
  readonly title: string;
  /** At least one, but for an empty playground and a page that a server sends. */
  readonly runs: readonly RunSource[];
  readonly compare?: CompareSource | undefined;
  readonly live?: LiveSource | undefined;
  /** Texts of organisations that scenarios name, by name. */
  readonly organisations?: Readonly<Record<string, string>> | undefined;
}

/** Deep enough that each entry of a journal is a text of its own. */
const ENTRY_DEPTH = 5;

/** The data as it stands in the page: no text in it can end its element. */
export function toScriptText(data: PageData): string {
  return [...scriptPieces(data)].join("");
}

/** The same piece by piece: the journal of a long run is long. */
export function* scriptPieces(data: PageData): Generator<string> {
  for (const piece of jsonPieces(data, ENTRY_DEPTH))
    yield piece.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
