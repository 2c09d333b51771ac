import { isPromise } from "../../core/foundation/values.ts";
import { accepted, readAnswer } from "../../core/network/answer.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { Forger } from "./forger.ts";
import type { ForgedKind, ForgedWorld } from "./forgery.ts";
import { addressOf, typeOf } from "./webhook-requests.ts";

/** Told of what is forged in a world. */
export interface ForgeryListener {
  /** Called once for each forged request. @param isTaken whether the app answered 2xx */
  answered(is: ForgedKind, isTaken: boolean): void;
  /** Called for the true request that comes behind them. @param isTaken whether the app answered 2xx */
  trueAnswered(isTaken: boolean): void;
  /** Called when all are answered, or at the same instant of a world without them. */
  sent(): void;
}

/**
 * Forges a request in one run.
 * @returns a function that ends it
 */
export function forge(simulator: Simulator, world: ForgedWorld, listener: ForgeryListener): () => void {
  const { engine } = simulator.services;
  /** The delivery whose request is forged. */
  let delivery: string | undefined;
  const askEndpoint = (asked: object, ask: (other?: object) => unknown): unknown => {
    const request = asked as RequestRecord;
    if (typeOf(request) !== world.type || addressOf(request) !== world.to) return ask();
    const isFirst = delivery === undefined;
    delivery ??= request.recordId;
    const isWithheld = world.is === "stale" || world.isAlone;
    if (!isFirst && !(isWithheld && request.recordId === delivery)) return ask();
    const forger = new Forger(simulator, request);
    const send = () => {
      const contents = isFirst ? forger.contents(world) : [];
      const sending = contents.map(
        ({ is, content }) =>
          () =>
            sendOne(
              () => ask({ ...request, content }),
              (isTaken) => listener.answered(is, isTaken),
            ),
      );
      return inTurn([...sending, () => listener.sent()]);
    };
    if (world.is !== "stale" && world.isAlone) return inTurn([send, () => accepted]);
    if (world.is === "changedBody" && world.sends === "nonsense") return lastly(ask(), send);
    if (world.is !== "stale") return inTurn([send, () => heard(ask, listener)]);
    // the platform takes it as delivered, so no other attempt comes
    if (world.isServer) return inTurn([send, () => accepted]);
    // also where nothing is sent, as worlds that are compared must last as long
    if (isFirst) engine.loop.callBack(world.ageMs ?? forger.staleMs, send);
    return accepted;
  };
  return engine.probes.attach({ askEndpoint });
}

/** Calls functions one after the other. @returns what the last one returns; a promise if any of them does */
function inTurn(calls: readonly (() => unknown)[]): unknown {
  let last: unknown;
  for (const call of calls) last = isPromise(last) ? last.then(call) : call();
  return last;
}

/** Calls a function behind an answer, which it returns. */
function lastly(answer: unknown, call: () => unknown): unknown {
  if (isPromise(answer)) return answer.then((value) => inTurn([() => call(), () => value]));
  return inTurn([call, () => answer]);
}

/** Asks with the true request, and tells how it is answered. @returns its answer */
function heard(ask: () => unknown, listener: ForgeryListener): unknown {
  const tell = (answer: unknown) => {
    const status =
      typeof answer === "number" ? answer : (answer as { readonly status?: unknown } | undefined)?.status;
    listener.trueAnswered(typeof status === "number" && status >= 200 && status < 300);
    return answer;
  };
  const answer = ask();
  return isPromise(answer) ? answer.then(tell) : tell(answer);
}

/** Sends a forged request. An app that throws refuses it, as every server then answers 500. */
function sendOne(ask: () => unknown, answered: (isTaken: boolean) => void): unknown {
  const take = (answer: object) => {
    const { status = 0 } = answer as { readonly status?: number };
    answered(status >= 200 && status < 300);
  };
  const refuse = () => answered(false);
  const read = (answer: unknown) => {
    const reply = readAnswer(answer, "a forged request");
    return isPromise(reply) ? reply.then(take) : take(reply);
  };
  try {
    const answer = ask();
    const taken = isPromise(answer) ? answer.then(read) : read(answer);
    return isPromise(taken) ? taken.then(undefined, refuse) : taken;
  } catch {
    return refuse();
  }
}
