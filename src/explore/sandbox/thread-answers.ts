import { like } from "../../core/foundation/clock-doors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import type { AnyFunction } from "../../core/foundation/timer-functions.ts";
import { isPromise } from "../../core/foundation/values.ts";
import { reportUnhandledError } from "./unhandled-errors.ts";
import { bindToContext, perWorld } from "./world-context.ts";
import { worldFunctions } from "./world-functions.ts";

/**
 * What code of a world lets other threads compute with `crypto`. Threads answer in an order that depends on the machine; the world
 * gets their answers in the order in which it asked, all at one time, once it asks for nothing more.
 */

/** An answer that is awaited; it has `give` once it is there. */
interface Asked {
  give?: () => void;
}

/** So many turns of the event loop the app may take to ask for more, before it gets the answers that are there. */
const TURNS = 4;
const { setImmediate } = nodeModule<{ setImmediate?(callback: () => void): object }>("node:timers") ?? {};

/** The answers of one world. */
class ThreadAnswers {
  private asked: Asked[] = [];
  private open = 0;
  private begun = 0;

  /** Notes a question. @returns a function that takes the answer, and gives it when its turn has come */
  ask(): (give: () => void) => void {
    const asked: Asked = {};
    this.asked.push(asked);
    this.open++;
    this.begun++;
    return (give) => {
      asked.give = give;
      if (--this.open === 0) this.giveAll(TURNS, this.begun);
    };
  }

  /** Gives all answers after some turns, unless another question is asked meanwhile: its answer gives them. */
  private giveAll(turns: number, begun: number): void {
    if (this.begun !== begun) return;
    if (turns > 0 && setImmediate !== undefined) {
      // an immediate of the app, so that it is seen to be busy
      setImmediate(() => this.giveAll(turns - 1, begun));
      return;
    }
    const all = this.asked;
    this.asked = [];
    for (const { give } of all) give?.();
  }
}

const answersOfCaller = perWorld(() => new ThreadAnswers());

const ofSubtle = [
  ...["encrypt", "decrypt", "sign", "verify", "digest", "generateKey", "deriveKey", "deriveBits"],
  ...["importKey", "exportKey", "wrapKey", "unwrapKey"],
  // of later versions of Node
  ...["encapsulateBits", "encapsulateKey", "decapsulateBits", "decapsulateKey", "getPublicKey"],
];
const withCallbacks = [
  ...[
    "pbkdf2",
    "scrypt",
    "hkdf",
    "generateKeyPair",
    "generateKey",
    "generatePrime",
    "checkPrime",
    "sign",
    "verify",
  ],
  ...["randomBytes", "randomFill"],
  // of later versions of Node
  ...["argon2", "diffieHellman", "encapsulate", "decapsulate"],
];

/** Stands in front of the functions of `crypto` that other threads compute. For code of no world, they do what they did. */
export const { replace: orderAnswers, putBack: stopOrderingAnswers } = worldFunctions(() => {
  const { subtle } = (globalThis.crypto as Partial<Crypto> | undefined) ?? {};
  return [
    { place: subtle && (Object.getPrototypeOf(subtle) as object), names: ofSubtle, door },
    { place: nodeModule<object>("node:crypto"), names: withCallbacks, door },
  ];
});

function door(before: AnyFunction): AnyFunction {
  return like(before, function (this: unknown, ...given: unknown[]) {
    const answers = answersOfCaller();
    const callback = given.at(-1);
    if (answers === undefined) return Reflect.apply(before, this, given);
    if (typeof callback !== "function") return inOrder(Reflect.apply(before, this, given), answers);
    // what it throws is reported in its own context, and the other answers are given all the same
    const call = bindToContext(function (this: unknown, ...results: unknown[]) {
      try {
        Reflect.apply(callback, this, results);
      } catch (thrown) {
        reportUnhandledError(thrown);
      }
    });
    let take: ((give: () => void) => void) | undefined;
    const answered = function (this: unknown, ...results: unknown[]) {
      if (take === undefined) return call(this, results);
      return take(() => void call(this, results));
    };
    const returned: unknown = Reflect.apply(before, this, [...given.slice(0, -1), answered]);
    // what is refused at once is no question
    take = answers.ask();
    return returned;
  });
}

/** A promise that is kept when its turn has come. Other values are there at once. */
function inOrder(result: unknown, answers: ThreadAnswers): unknown {
  if (!isPromise(result)) return result;
  const take = answers.ask();
  return new Promise((resolve, reject) => {
    result.then(
      (value) => take(() => resolve(value)),
      (error: unknown) => take(() => reject(error as Error)),
    );
  });
}
