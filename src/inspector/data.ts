import { jsonChunks } from "../core/foundation/chunks.ts";
import type { JournalDocument } from "../core/simulator/options.ts";
import type { PropertyFailure, ValueDifference } from "../findings/property-failure.ts";

/** A request that the app received, and the app's state after it. */
export interface ReceivedState {
  /** When, ms from the start. */
  readonly at: number;
  /** What it is about, such as an event's type. */
  readonly of: string;
  /** For a webhook's request: its attempt, 1 for the first. */
  readonly attempt?: number | undefined;
  /** The state as text; undefined if it cannot be shown. */
  readonly state?: string | undefined;
}

/** The app's state at an instant. */
export type StateAt = Pick<ReceivedState, "at" | "state">;

/** The smallest world that breaks a property, and the nearest one in which it holds. */
export interface WorldSource extends Omit<PropertyFailure, "error"> {
  /** How many worlds fail like this. */
  readonly worlds?: number | undefined;
  /** One clause for each deviation: `the answer to call.ended is lost`. */
  readonly clauses: readonly Clause[];
  readonly received: readonly ReceivedState[];
  readonly nearest?:
    | {
        readonly journal: JournalDocument;
        readonly received: readonly ReceivedState[];
        /** What does not happen in it. */
        readonly without: string;
      }
    | undefined;
  /** The commands and lines of code that run it again, each with its purpose. */
  readonly replays: readonly (readonly [string, string])[];
}

/** A deviation in words, and where it happens. */
export interface Clause {
  readonly text: string;
  readonly is: string;
  /** When, ms from the start. */
  readonly at: number;
  readonly of: string;
  readonly attempt: number;
}

/** The failure that a run led to. */
export interface RunFailure {
  readonly message: string;
  readonly difference?: ValueDifference | undefined;
  /** The index of the event that failed, among all events of the run. */
  readonly place?: number | undefined;
  /** The command that runs it again. */
  readonly replay?: string | undefined;
}

/** A failure in the list of all. */
export interface ListedFailure {
  /** The test's name, or what was explored and its property. */
  readonly title: string;
  /** The path of the test's file. */
  readonly file?: string | undefined;
  readonly problem: string;
  /** The page's file, beside the list. */
  readonly page: string;
  /** The command that runs it again. */
  readonly replay: string;
  /** Failures of one run of the tests have the same number. */
  readonly run: number;
  /** When it failed, ms since the epoch. */
  readonly atMs: number;
}

/** A step of a run: the command with this name that is given then, counted from 1 among those of its instant. */
export interface StepReference {
  /** When, ms from the start. */
  readonly at: number;
  readonly command: string;
  readonly nth: number;
}

/** What a run says of the capture that it was imported from. */
export interface CaptureSource {
  readonly verdict: "possible" | "differs" | "impossible" | "undecided";
  /** Whether stand-ins replace names, numbers and words. */
  readonly hasStandIns: boolean;
  /** How many requests the capture has. */
  readonly requests: number;
  /** How many of them the run explains. */
  readonly explained: number;
  /** What the capture does not say and the run has; without a step, it is about the whole run. */
  readonly assumed: readonly { readonly what: string; readonly step?: StepReference | undefined }[];
  /** The requests that no run explains. */
  readonly unexplained: readonly UnexplainedRequest[];
  /** What could not be read. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
  /** The number of differences between its bodies and the documented ones. */
  readonly differences: number;
}

/** A request of a capture that no run explains, with what follows from it. */
export interface UnexplainedRequest {
  /** When it happened, ms from the start of the run. */
  readonly at: number;
  /** The step that begins its call. */
  readonly step?: StepReference | undefined;
  readonly line: number;
  /** The type of its event. */
  readonly event: string;
  readonly because: string;
  readonly nearest?: string | undefined;
  readonly follows: readonly { readonly line: number; readonly event: string; readonly because: string }[];
}

/** A run that a page can show: its journal, a scenario to play, or both. */
export interface RunSource {
  readonly name: string;
  readonly journal?: JournalDocument | undefined;
  /** The scenario's text, for the editor. */
  readonly scenario?: string | undefined;
  /** What to notice, or the message of a failure. */
  readonly description?: string | undefined;
  /** Deviations from the expected outcome. */
  readonly problems?: readonly string[] | undefined;
  /** Why the page was made, if a test failed. */
  readonly failure?: RunFailure | undefined;
  /** Why the page was made, if an exploration found it. */
  readonly world?: WorldSource | undefined;
  /** What it was imported from. */
  readonly capture?: CaptureSource | undefined;
  /** The states of the app, if the simulator can show them. */
  readonly states?: readonly StateAt[] | undefined;
}

/** A world that the server of a page played for its app. */
export interface AppRun {
  readonly journal: JournalDocument;
  readonly received: readonly ReceivedState[];
  /** The properties that do not hold; undefined if the server knows none. */
  readonly failures?: readonly { readonly property: string; readonly message: string }[] | undefined;
  /** Anything else the reader should know. */
  readonly note?: string | undefined;
}

/** Another run, or its events, to compare with. */
export interface CompareSource {
  /** The name of the other run. */
  readonly name: string;
  /** The journal of the other run; undefined if only its events are known. */
  readonly journal?: JournalDocument | undefined;
  /** The expected events of a golden stream, one JSON object each. */
  readonly events?: readonly { readonly type: string; readonly createdTimestamp: number }[] | undefined;
}

/** The server of a page that shows and follows a server's run. */
export interface LiveSource {
  /** Whether the server's control plane needs a token. */
  readonly isGuarded: boolean;
  /** Whether time passes only when the server is told to. */
  readonly isVirtual: boolean;
  /** Whether it sends events to apps at local and private hosts. */
  readonly allowsLocal: boolean;
  /** Facts about the server, without secrets: names and values. */
  readonly about: readonly (readonly [string, string])[];
  /** Numbers that the page offers to call, with whose they are. */
  readonly numbers: readonly (readonly [string, string])[];
  /** Whether the server has a page with everybody's phones, at `/desk`. */
  readonly hasDesk: boolean;
}

/** The data that `inspectHtml` puts into the page. */
export interface PageData {
  /** The version of this format. A page reads only its own. */
  readonly version: 1;
  readonly mode: "inspect" | "play" | "failures";
  readonly title: string;
  /** The runs. Empty only in an empty playground and in a page from a server. */
  readonly runs: readonly RunSource[];
  readonly compare?: CompareSource | undefined;
  readonly live?: LiveSource | undefined;
  /** The app against which the page's server plays runs again, and the path of that endpoint. */
  readonly app?: { readonly name: string; readonly at: string } | undefined;
  /** For `failures`: all failures of a folder, the newest first. */
  readonly failures?: readonly ListedFailure[] | undefined;
  /** For a page of the site: the path from it to the root of the site. */
  readonly site?: string | undefined;
  /** The page that lists all failures, if this is one of them. */
  readonly index?: string | undefined;
  /** For `play`: whether the page asks the questions of its scenario at once, and shows no answer before. */
  readonly teach?: boolean | undefined;
  /** The texts of organisations that scenarios name, by name. */
  readonly organisations?: Readonly<Record<string, string>> | undefined;
}

/** The depth of a journal's entries: each entry becomes one chunk. */
const ENTRY_DEPTH = 5;

/** Serialises plain data for a script element of a page; `<` is escaped, so no text can close the element. */
export function toScriptText(data: unknown): string {
  return [...scriptChunks(data)].join("");
}

/** The same in chunks, since a long run's journal is long. */
export function* scriptChunks(data: unknown): Generator<string> {
  for (const chunk of jsonChunks(data, ENTRY_DEPTH))
    yield chunk.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
