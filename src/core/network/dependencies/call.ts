import { type HttpRequest, isSafeRequest, readHttpRequest, signalOf } from "./http-request.ts";
import { isReadingStatement, statementLabel, statementOf } from "./statement.ts";

/** How a dependency is called. */
export interface CallOptions {
  /** The names of methods that return no promise and are calls too, such as `run` of SQLite. */
  readonly calls?: readonly string[] | undefined;
  /** The names of methods that change nothing. */
  readonly reads?: readonly string[] | undefined;
}

/** A call that the app makes to a dependency. */
export interface Call {
  /** What it is named: `POST /activities`, `INSERT INTO calls`, or the name of its method. */
  readonly label: string;
  readonly http: HttpRequest | undefined;
  /** Whether it is made to a function like `fetch`. */
  readonly isFetch: boolean;
  readonly signal: AbortSignal | undefined;
  /** Whether it changes nothing. */
  readonly isRead: boolean;
  /** Whether it returns no promise. */
  readonly isSync: boolean;
  /** Whether it is known to return a promise. */
  readonly isAsync: boolean;
  /** The statement that it sends, or that what it is called on stands for. */
  readonly statement: string | undefined;
  run(): unknown;
}

/** What is called, and how. */
export interface Called {
  /** The names of the properties by which the method was reached: `chat.postMessage`; empty for a function. */
  readonly path: string;
  readonly given: readonly unknown[];
  readonly run: () => unknown;
  readonly isAsync: boolean;
  /** Whether a function is called that takes what `fetch` takes, if it is a request. */
  readonly isFetch?: boolean;
  /** The statement that the object stands for: a prepared one, or a query that runs when it is awaited. */
  readonly statement?: string | undefined;
}

/** Describes a call. */
export function makeCall(
  { path, given, run, isAsync, isFetch = false, statement: own }: Called,
  options: CallOptions,
): Call {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const isNamed = (names: readonly string[] | undefined) =>
    names !== undefined && (names.includes(name) || names.includes(path));
  const http = readHttpRequest(name, given);
  const isRequest = isFetch && http !== undefined;
  const statement = http === undefined ? (own ?? statementOf(given)) : undefined;
  return {
    label: writeLabel(path, http, statement),
    ...{ http, statement, run },
    isFetch: isRequest,
    signal: signalOf(given),
    isRead:
      isNamed(options.reads) ||
      (http !== undefined && isSafeRequest(http)) ||
      (statement !== undefined && isReadingStatement(statement)),
    isSync: isNamed(options.calls),
    isAsync: (isAsync || isRequest) && !isNamed(options.calls),
  };
}

function writeLabel(path: string, http: HttpRequest | undefined, statement: string | undefined): string {
  if (http !== undefined) return `${http.method} ${http.path}`;
  if (statement !== undefined) return statementLabel(statement);
  return path === "" ? "call" : path;
}
