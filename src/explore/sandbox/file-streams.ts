import { like } from "../../core/foundation/clock-doors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import type { AnyFunction } from "../../core/foundation/timer-functions.ts";
import { never } from "../../core/foundation/values.ts";
import { askFile, askNow, ofNobody } from "./asking.ts";
import { isFromNode } from "./call-sites.ts";
import { bindToContext, isFollowed, runAsQuestion } from "./world-context.ts";
import type { WorldFunctions } from "./world-functions.ts";

/** What code of a world does with files but to read and write them whole: an app that ends before it asks for that asks nothing more. */

const streams = ["createReadStream", "createWriteStream"];
const ownFiles = nodeModule<object>("node:fs");
const ownStreams = streams.map((name): unknown => ownFiles && Reflect.get(ownFiles, name));
/** Functions that take a path: before these an app ends in no world. */
const others = [
  ...["chmod", "chown", "cp", "lchown", "lutimes", "mkdtemp", "open", "opendir", "readlink", "realpath"],
  ...["rm", "utimes"],
];

/** How many functions of Node begin: one may call another, as `appendFile` calls `writeFile`. */
let begun = 0;

export function isCallingNode(): boolean {
  return begun > 0;
}

/** Runs what begins a function of Node. */
export function callNode<T>(begin: () => T): T {
  begun++;
  try {
    return begin();
  } finally {
    begun--;
  }
}

/**
 * What stands in front of the functions of `node:fs` and its promises.
 * @param functionsOf what a stream of a path uses in place of `node:fs`; undefined if it uses that
 */
export function streamsAndOthers(
  files: object | undefined,
  promises: object | undefined,
  functionsOf: (path: unknown) => object | undefined,
): readonly WorldFunctions[] {
  // what a test has put in their place may take no such functions
  const functionsFor = (before: AnyFunction, path: unknown) =>
    ownStreams.includes(before) ? functionsOf(path) : undefined;
  const namesOf = (place: object | undefined) =>
    others.filter((name) => place !== undefined && typeof Reflect.get(place, name) === "function");
  return [
    { place: files, names: streams, door: (before, name) => streamDoor(before, name, functionsFor) },
    { place: files, names: namesOf(files), door: otherDoor },
    { place: promises, names: namesOf(promises), door: otherDoor },
  ];
}

/** What a stream asks in place of files: nothing answers. */
const silent = Object.fromEntries(
  ["open", "close", "fsync", "read", "write", "writev"].map((name) => [name, () => {}]),
);

interface Written {
  write(...given: unknown[]): unknown;
  end(...given: unknown[]): unknown;
}

function streamDoor(
  before: AnyFunction,
  name: string,
  functionsFor: (before: AnyFunction, path: unknown) => object | undefined,
): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    if (!isFollowed() || isFromNode()) return Reflect.apply(before, this, given);
    const [path, options] = given;
    const more = (typeof options === "string" ? { encoding: options } : options) as StreamOptions | undefined;
    const question = askFile(name);
    if (question === undefined)
      return Reflect.apply(before, this, [path, { ...more, fd: undefined, fs: silent }]);
    const hasOther = more != null && (more.fd != null || more.fs != null);
    const functions = hasOther ? undefined : functionsFor(before, path);
    const all = functions === undefined ? given : [path, { ...more, fs: functions }];
    const stream = Reflect.apply(before, this, all);
    if (name === "createWriteStream" && question !== ofNobody) followWrites(stream as Written);
    return stream;
  });
}

interface StreamOptions {
  readonly fd?: unknown;
  readonly fs?: unknown;
}

/** Notes each time that an app writes to a stream but the first: it ends only before the whole. */
function followWrites(stream: Written): void {
  const { write, end } = stream;
  let isFirst = true;
  const note = () => {
    if (!isFirst) askNow("a stream's `write`", "other");
    isFirst = false;
  };
  stream.write = function (...given) {
    note();
    return Reflect.apply(write, this, given);
  };
  stream.end = function (...given) {
    const [chunk] = given;
    if (chunk != null && typeof chunk !== "function") note();
    return Reflect.apply(end, this, given);
  };
}

function otherDoor(before: AnyFunction, name: string): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    if (isCallingNode() || !isFollowed() || isFromNode()) return Reflect.apply(before, this, given);
    const question = askFile(name, "other");
    if (question === ofNobody) return Reflect.apply(before, this, given);
    const callback = given.at(-1);
    const isCalledBack = typeof callback === "function";
    if (question === undefined) return isCalledBack ? undefined : never();
    if (!isCalledBack) return runAsQuestion(question, () => Reflect.apply(before, this, given));
    const back = bindToContext(callback as (...of: unknown[]) => unknown);
    const called = function (this: unknown, ...results: unknown[]) {
      return back(this, results);
    };
    return runAsQuestion(question, () => Reflect.apply(before, this, [...given.slice(0, -1), called]));
  });
}
