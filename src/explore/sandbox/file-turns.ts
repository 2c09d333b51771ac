import { like } from "../../core/foundation/clock-doors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { type AnyFunction, replaceFunction } from "../../core/foundation/timer-functions.ts";
import { isOpen } from "./random-values.ts";
import { reportUnhandledError } from "./unhandled-errors.ts";
import { bindToContext, endedWorld, type WorldContext, wholeWorld, worldOfCaller } from "./world-context.ts";

/**
 * What code of a world does with whole files. Threads read and write at the same time, so the machine decides whose write is the
 * last. In a world, each begins when the one before has ended, in the order in which the app asked for them.
 */

/** The asynchronous functions of `node:fs` that take a path, and neither call others of these later nor wait for a peer. */
const names = [
  ...["access", "appendFile", "copyFile", "link", "lstat", "mkdir", "readFile", "readdir", "rename"],
  ...["rmdir", "stat", "symlink", "truncate", "unlink", "writeFile"],
];

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

const ofWorlds = new WeakMap<WorldContext, FileTurns>();
/** Whether a function of Node begins: it may call another one, as `appendFile` calls `writeFile`. */
let isBeginning = false;

function turnsOfCaller(): FileTurns | undefined {
  const seen = worldOfCaller();
  if (isBeginning || seen === undefined || endedWorld() !== undefined) return undefined;
  const world = wholeWorld(seen);
  const turns = ofWorlds.get(world) ?? new FileTurns();
  ofWorlds.set(world, turns);
  return turns;
}

function beginning<T>(begin: () => T): T {
  isBeginning = true;
  try {
    return begin();
  } finally {
    isBeginning = false;
  }
}

let undo: (() => void)[] = [];
let users = 0;

/** Stands in front of the functions of `node:fs`. For code of no world, they do what they did. */
export function orderFiles(): void {
  if (users++ > 0) return;
  const places: [object | undefined, (before: AnyFunction) => AnyFunction][] = [
    [nodeModule<object>("node:fs"), callbackDoor],
    [nodeModule<object>("node:fs/promises"), promiseDoor],
  ];
  for (const [place, door] of places)
    for (const name of names)
      if (place !== undefined && isOpen(place, name)) undo.push(replaceFunction(place, name, door));
}

/** Undoes `orderFiles`. */
export function stopOrderingFiles(): void {
  if (--users > 0) return;
  for (const each of undo.reverse()) each();
  undo = [];
}

function callbackDoor(before: AnyFunction): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    const callback = given.at(-1);
    const turns = typeof callback === "function" ? turnsOfCaller() : undefined;
    if (turns === undefined) return Reflect.apply(before, this, given);
    let isAsked = true;
    turns.take((end) => {
      const ended = function (this: unknown, ...results: unknown[]) {
        end();
        return Reflect.apply(callback as AnyFunction, this, results);
      };
      try {
        beginning(() => Reflect.apply(before, this, [...given.slice(0, -1), ended]));
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

function promiseDoor(before: AnyFunction): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    const turns = turnsOfCaller();
    if (turns === undefined) return Reflect.apply(before, this, given);
    return new Promise((resolve, reject) => {
      turns.take((end) => {
        const result = beginning(() => Reflect.apply(before, this, given) as Promise<unknown>);
        result.finally(end).then(resolve, reject);
      });
    });
  });
}
