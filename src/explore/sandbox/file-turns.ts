import { like } from "../../core/foundation/clock-doors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import type { AnyFunction } from "../../core/foundation/timer-functions.ts";
import { never } from "../../core/foundation/values.ts";
import { askFile } from "./asking.ts";
import { callNode, isCallingNode, streamsAndOthers } from "./file-streams.ts";
import { reportUnhandledError } from "./unhandled-errors.ts";
import { bindToContext, perWorld } from "./world-context.ts";
import { worldFunctions } from "./world-functions.ts";

/**
 * What code of a world does with whole files and with streams of files. Threads read and write at the same time, so the machine
 * decides whose write is the last. In a world, each begins when the one before has ended, in the order in which the app asked for
 * them; of a stream, each part.
 */

/** The asynchronous functions of `node:fs` that take a path, and call no others of these later. */
const names = [
  ...["access", "appendFile", "copyFile", "link", "lstat", "mkdir", "readFile", "readdir", "rename"],
  ...["rmdir", "stat", "symlink", "truncate", "unlink", "writeFile"],
];
const ofTwoPaths = new Set(["copyFile", "link", "rename", "symlink"]);
const ofData = new Set(["appendFile", "writeFile"]);

const files = nodeModule<{ statSync: (...given: unknown[]) => Stats | undefined }>("node:fs");
const promises = nodeModule<object>("node:fs/promises");
/** What a path leads to. */
interface Stats {
  isFile(): boolean;
  isDirectory(): boolean;
}
/** Kept, as an app's test may replace it. */
const statSync = files?.statSync;
/** Node's own functions. One that has replaced them may wait for others of them, or never call back: it gets no turn. */
const ownFunctions = new Set(
  [files, promises].flatMap((place) => names.map((name): unknown => place && Reflect.get(place, name))),
);

/** Whether the work of a call waits for nobody: not for what a stream gives, nor for the other end of a pipe. */
function isOfWholeFiles(name: string, [path, second]: readonly unknown[]): boolean {
  if (ofData.has(name) && typeof second !== "string" && !ArrayBuffer.isView(second)) return false;
  return isOfFile(path) && (!ofTwoPaths.has(name) || isOfFile(second));
}

/** Whether a path leads to a file, a folder or nothing yet. */
function isOfFile(path: unknown): boolean {
  try {
    const found = statSync?.(path, { throwIfNoEntry: false });
    return found === undefined || found.isFile() || found.isDirectory();
  } catch {
    // no path, such as a descriptor, or one that the function itself refuses
    return false;
  }
}

/** The file functions that one world has asked for. */
class FileTurns {
  private readonly waiting: (() => void)[] = [];
  private isBusy = false;

  /**
   * Calls a function when its turn has come: now, if nothing is under way.
   * @param begin begins the work; it is given what ends the turn
   */
  take(begin: (end: () => void) => void): void {
    const run = () => begin(() => this.end());
    if (!this.isBusy) {
      this.isBusy = true;
      run();
      return;
    }
    const inContext = bindToContext(run);
    this.waiting.push(() => void inContext(undefined, []));
  }

  private end(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.isBusy = false;
    else next();
  }
}

const turnsOfWorld = perWorld(() => new FileTurns());

const turnsOfCaller = () => (isCallingNode() ? undefined : turnsOfWorld());

const ownNamesOf = (place: object | undefined) =>
  place === undefined ? [] : names.filter((name) => ownFunctions.has(Reflect.get(place, name)));

/** By which a stream uses its file. */
const ofStreams = ["open", "read", "write", "writev", "fsync", "close"];
const ownOfStreams: Readonly<Record<string, AnyFunction>> = Object.fromEntries(
  ofStreams.map((name) => [name, files && Reflect.get(files, name)]),
);

/** What a stream of a file uses in place of `node:fs`: each function in its turn. Undefined for other paths, and for code of no world. */
function streamFunctions(path: unknown): Readonly<Record<string, AnyFunction>> | undefined {
  const turns = turnsOfCaller();
  if (turns === undefined || !isOfFile(path)) return undefined;
  const inTurn =
    (own: AnyFunction) =>
    (...given: unknown[]) =>
      turns.take((end) => {
        const callback = given.at(-1) as AnyFunction;
        const ended = (...results: unknown[]) => {
          end();
          callback(...results);
        };
        callNode(() => own(...given.slice(0, -1), ended));
      });
  return Object.fromEntries(Object.entries(ownOfStreams).map(([name, own]) => [name, inTurn(own)]));
}

/** Stands in front of the functions of `node:fs`. For code of no world, they do what they did. */
export const { replace: orderFiles, putBack: stopOrderingFiles } = worldFunctions(() => [
  { place: files, names: ownNamesOf(files), door: callbackDoor },
  { place: promises, names: ownNamesOf(promises), door: promiseDoor },
  ...streamsAndOthers(files, promises, streamFunctions),
]);

function callbackDoor(before: AnyFunction, name: string): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    const turns = turnsOfCaller();
    const callback = given.find((each) => typeof each === "function");
    // of two functions, which one Node calls depends on the name
    const isLast = callback !== undefined && callback === given.at(-1);
    if (turns === undefined || !isLast || !isOfWholeFiles(name, given))
      return Reflect.apply(before, this, given);
    if (askFile(name) === undefined) return undefined;
    let isAsked = true;
    turns.take((end) => {
      const ended = function (this: unknown, ...results: unknown[]) {
        end();
        return Reflect.apply(callback as AnyFunction, this, results);
      };
      try {
        callNode(() => Reflect.apply(before, this, [...given.slice(0, -1), ended]));
      } catch (thrown) {
        // what is refused at once is no work
        end();
        if (isAsked) throw thrown;
        reportUnhandledError(thrown);
      }
    });
    isAsked = false;
    return undefined;
  });
}

function promiseDoor(before: AnyFunction, name: string): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    const turns = turnsOfCaller();
    if (turns === undefined || !isOfWholeFiles(name, given)) return Reflect.apply(before, this, given);
    if (askFile(name) === undefined) return never();
    return new Promise((resolve, reject) => {
      turns.take((end) => {
        const result = new Promise((answer) => {
          answer(callNode(() => Reflect.apply(before, this, given)));
        });
        result.finally(end).then(resolve, reject);
      });
    });
  });
}
