import * as v from "valibot";
import type { DependencyCaller } from "../../engine/dependency-caller.ts";
import type { Deviation, PossibleDeviation, UnnumberedDeviationPoint } from "../../engine/deviations.ts";
import type { Engine } from "../../engine/engine.ts";
import { InputError } from "../../foundation/errors.ts";
import { callback, list, object, readInput, text } from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";
import { isPromise, never } from "../../foundation/values.ts";
import { refusingAnswer, whenAwaited } from "./answers.ts";
import type { Call, CallOptions } from "./call.ts";
import { DEPENDENCY_ENTRY, type DependencyCalled, recordCalled, thrownWords, writeAnswer } from "./called.ts";
import { DependencyClient } from "./client.ts";
import { connectionFailure, type DependencyErrors, noteInjected } from "./errors.ts";
import { OUTAGE_MS, optionsAfterwards, optionsAt, VERY_SLOW_MS } from "./kinds.ts";

/** How a dependency is called, and how its client fails. */
export interface DependencyOptions extends CallOptions {
  /** Make what its client throws. Default: what Node throws where a connection is refused or breaks. */
  readonly errors?: DependencyErrors | undefined;
}

const make = () => v.optional(callback());

const optionsSchema = object({
  errors: v.optional(object({ refused: make(), unanswered: make(), 503: make(), 429: make() })),
  calls: v.optional(list(text())),
  reads: v.optional(list(text())),
});

/** @throws {InputError} for a name that is not one word, a client that cannot be called, or unknown options */
export function readDependency(name: unknown, client: unknown, options: unknown): void {
  if (typeof name !== "string" || !/^\S+$/.test(name))
    throw new InputError(["dependency"], `expected a name of one word, such as "crm", got ${show(name)}`);
  if (client === null || (typeof client !== "object" && typeof client !== "function"))
    throw new InputError(
      ["dependency", name],
      `expected a function or an object with methods, got ${show(client)}`,
    );
  readInput(optionsSchema, options, ["dependency", name]);
}

type Parts = Pick<
  Engine<never, never>,
  | "deviations"
  | "isDisposed"
  | "isRecorded"
  | "loop"
  | "now"
  | "options"
  | "probes"
  | "record"
  | "recordOpen"
  | "tracer"
>;

/** A call that is being made. */
interface MadeCall extends Call {
  /** Notes in the journal what the app got; undefined for a call that is none of the app's work. */
  readonly note: ((got: Pick<DependencyCalled, "answer" | "deviation" | "after">) => void) | undefined;
  /** Has the call in the journal as one without an answer, until what it returns ends that. */
  readonly opens: (() => () => void) | undefined;
}

/** What a run knows of one dependency. */
interface Known {
  readonly name: string;
  /** Until when all connections to it are refused, virtual ms. */
  downUntilMs: number;
  /** A refused call, and until when an outage would have looked the same, if nothing is asked. */
  refusal: { readonly deviation: Deviation; readonly untilMs: number } | undefined;
  /** The labels of calls that were seen to return promises. */
  readonly asynchronous: Set<string>;
}

/** What the app needs besides the platform. Where a scenario is played for an app, each call to one is a deviation point. */
export class Dependencies {
  private readonly known = new Map<string, Known>();

  /** @param handling the id of the platform's request whose handler calls, if one does */
  constructor(
    private readonly engine: Parts,
    private readonly handling: () => string | undefined,
  ) {}

  /** The client, whose calls may deviate where a scenario is played for an app; elsewhere the client itself. */
  makeClient<T extends object>(name: string, client: T, options: DependencyOptions): T {
    const { engine, known } = this;
    if (engine.probes.current?.dependencyCalled === undefined) return client;
    let dependency = known.get(name);
    if (dependency === undefined) {
      dependency = { name, downUntilMs: -1, refusal: undefined, asynchronous: new Set() };
      known.set(name, dependency);
    }
    return new CallPoints(engine, dependency, options, this.handling).client.wrap(client) as T;
  }
}

/** The calls of one client: makes each, or does to it what is planned. */
class CallPoints {
  readonly client: DependencyClient;

  constructor(
    private readonly engine: Parts,
    private readonly dependency: Known,
    private readonly options: DependencyOptions,
    private readonly handling: () => string | undefined,
  ) {
    this.client = new DependencyClient(options, (call) => this.call(call));
  }

  private call(made: Call): unknown {
    const { engine, dependency } = this;
    const caller = engine.probes.current?.dependencyCalled?.();
    if (caller === undefined) return this.client.pass(made.run(), made);
    const call = this.begin(made, caller);
    if (!this.isTaken(call)) return this.afterRun(call, caller);
    if (caller.isGone()) return this.gone(call);
    if (!caller.mayDeviate) return this.received(call, call.run(), caller);
    this.noteRefusal();
    if (engine.now < dependency.downUntilMs) return this.failed(call, "refused", "outage");
    return engine.deviations.isActive ? this.atPoint(call, caller) : this.received(call, call.run(), caller);
  }

  private begin(made: Call, caller: DependencyCaller): MadeCall {
    const { engine, dependency } = this;
    const isNoted = engine.isRecorded && caller.mayDeviate;
    const during = isNoted ? this.handling() : undefined;
    const said = (got: Parameters<NonNullable<MadeCall["note"]>>[0]) => ({
      ...{ dependency: dependency.name, call: made.label, ...got },
      ...(during === undefined ? {} : { during }),
    });
    const note: MadeCall["note"] = (got) => {
      if (!engine.isDisposed) recordCalled(engine, said(got)); // else the journal is closed
    };
    const opens = () => engine.recordOpen(DEPENDENCY_ENTRY, said({ answer: "" }));
    const run = () => caller.make(made.run);
    if (!isNoted) return { ...made, run, note: undefined, opens: undefined };
    return { ...made, run: made.isSync ? () => notingThrown(run, note) : run, note, opens };
  }

  private atPoint(call: MadeCall, caller: DependencyCaller): unknown {
    const { deviations } = this.engine;
    const place = this.placeOf(call);
    const options = this.optionsAt(call, caller);
    if (this.isKnown(call)) {
      const deviation = deviations.deviationAt(deviations.numberPoint(place), options);
      if (deviation !== undefined) return this.deviate(call, caller, deviation);
      return this.received(call, call.run(), caller);
    }
    const planned = deviations.plannedAt(deviations.nextPoint(place), options);
    const isEarly = planned !== undefined && optionsAfterwards([planned]).length === 0;
    if (isEarly) {
      deviations.deviationAt(deviations.numberPoint(place), options);
      return this.deviate(call, caller, planned);
    }
    return this.afterRun(call, caller, options);
  }

  /** Whether a call is known to be one, and not a step of building a query. */
  private isKnown(call: Call): boolean {
    return call.isSync || call.isAsync || this.dependency.asynchronous.has(call.label);
  }

  /** Whether something else may happen in place of a call: where `calls` names the calls, others prepare statements and the like. */
  private isTaken(call: Call): boolean {
    return this.options.calls === undefined || this.isKnown(call);
  }

  /** Makes a call of which only the result tells whether it is one. @param all what may happen to it */
  private afterRun(call: MadeCall, caller: DependencyCaller, all?: readonly PossibleDeviation[]): unknown {
    const returned = call.run();
    const { deviations } = this.engine;
    const isCall = isNativePromise(returned) && caller.mayDeviate && !caller.isGone();
    // it may have prepared a statement, or begun a query that runs when it is awaited
    if (!isCall || !deviations.isActive) return this.received(call, returned, caller);
    this.dependency.asynchronous.add(call.label);
    const late = optionsAfterwards(this.optionsAt(call, caller));
    const point = deviations.numberPoint(this.placeOf(call));
    const deviation = deviations.deviationAt(point, all ?? late, late);
    if (deviation === undefined) return this.received(call, returned, caller);
    return this.deviateLate(call, caller, deviation, returned);
  }

  private placeOf({ label }: Call): UnnumberedDeviationPoint {
    const { engine, dependency } = this;
    const of = `${dependency.name} ${label}`;
    return { what: "dependency", at: engine.now - engine.options.startMs, of, to: of };
  }

  private optionsAt(call: Call, { mayRestart }: DependencyCaller): readonly PossibleDeviation[] {
    const { deviations, loop } = this.engine;
    const { errors = {} } = this.options;
    // if nobody moves time, an explored app would wait for ever
    const mayBeSlow = !loop.timeWaits.standsStill && (loop.isMoving || !deviations.isExplored);
    const statuses = (["503", "429"] as const).filter((is) => call.isFetch || errors[is] !== undefined);
    return optionsAt(call, { mayBeSlow, mayRestart, statuses });
  }

  private deviate(call: MadeCall, caller: DependencyCaller, deviation: Deviation): unknown {
    const { engine, dependency } = this;
    const { is } = deviation;
    if (is === "outage") dependency.downUntilMs = engine.now + (deviation.after ?? OUTAGE_MS);
    if (is === "refused") dependency.refusal = { deviation, untilMs: engine.now + OUTAGE_MS };
    if (is === "outage" || is === "refused") return this.failed(call, "refused", is);
    if (is === "503" || is === "429") return this.answered(call, deviation, is);
    if (is !== "restarted" || caller.restart === undefined)
      return this.deviateLate(call, caller, deviation, call.run());
    call.note?.({ answer: "", deviation: is });
    caller.restart(call.isSync);
    return this.gone(call);
  }

  /** What happens once the call was made. */
  private deviateLate(
    call: MadeCall,
    caller: DependencyCaller,
    deviation: Deviation,
    returned: unknown,
  ): unknown {
    const { is } = deviation;
    const { restart } = caller;
    if (is === "restartedAfter" && restart !== undefined) return this.restartAfter(call, restart, returned);
    if (!isPromise(returned) || (is !== "unanswered" && is !== "slow"))
      return this.received(call, returned, caller);
    const done = Promise.resolve(returned);
    const close = call.opens?.();
    if (is === "unanswered")
      return done.then(
        () => {
          close?.();
          return this.failed(call, is, is);
        },
        (error: unknown) => {
          close?.();
          throw error;
        },
      );
    const after = deviation.after ?? VERY_SLOW_MS;
    const later = (answer: string) => {
      close?.();
      call.note?.({ answer, deviation: is, after });
      return this.later(call, caller, after);
    };
    const slowly = done.then(
      (value) => later(writeAnswer(value, call)).then(() => value),
      (error: unknown) => later(thrownWords(error)).then(() => Promise.reject(error)),
    );
    return this.received({ ...call, note: undefined, opens: undefined }, slowly, caller);
  }

  private restartAfter(call: MadeCall, restart: (isNow: boolean) => void, returned: unknown): unknown {
    const over = (isNow: boolean) => {
      call.note?.({ answer: "", deviation: "restartedAfter" });
      restart(isNow);
    };
    if (!isPromise(returned)) over(true);
    else
      Promise.resolve(returned).then(
        () => over(false),
        () => over(false),
      );
    return this.gone(call);
  }

  /** Resolves later in virtual time, unless the app gives up or is gone. */
  private later({ signal }: Call, caller: DependencyCaller, afterMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.engine.loop.callBack(afterMs, () => {
        signal?.removeEventListener("abort", giveUp);
        if (!caller.isGone()) resolve();
      });
      signal?.addEventListener("abort", giveUp);
      if (signal?.aborted === true) giveUp();
    });
  }

  private answered(call: MadeCall, deviation: Deviation, status: "503" | "429"): unknown {
    call.note?.({ answer: status, deviation: status });
    const noticed = () => this.engine.deviations.distinguish(deviation);
    const make = this.options.errors?.[status];
    if (make === undefined) return Promise.resolve(refusingAnswer(status, noticed));
    noticed();
    return this.throws(call, make());
  }

  private failed(call: MadeCall, is: "refused" | "unanswered", deviation: string): unknown {
    call.note?.({ answer: "", deviation });
    const make = this.options.errors?.[is];
    return this.throws(call, make === undefined ? connectionFailure(is, call) : make());
  }

  private throws(call: MadeCall, error: unknown): unknown {
    noteInjected(error);
    if (call.isSync) throw error;
    return this.promised(call, () => Promise.reject(error));
  }

  /** A promise; if the call may begin a query, what can still be built. */
  private promised(call: Call, make: () => Promise<never>): unknown {
    return this.isKnown(call) ? make() : whenAwaited(make);
  }

  /** Passes to the app what a call returned, as long as the app is there. */
  private received(call: MadeCall, returned: unknown, caller: DependencyCaller): unknown {
    const { client } = this;
    if (!isNativePromise(returned)) {
      if (call.isSync) call.note?.({ answer: "done" });
      return client.pass(returned, call);
    }
    const close = call.opens?.();
    return new Promise((resolve, reject) => {
      returned.then(
        (value) => {
          close?.();
          call.note?.({ answer: writeAnswer(value, call) });
          if (!caller.isGone()) resolve(client.pass(value));
        },
        (error: unknown) => {
          close?.();
          call.note?.({ answer: thrownWords(error) });
          if (!caller.isGone()) reject(error);
        },
      );
    });
  }

  /** For code of an app that was restarted: nothing comes back. */
  private gone(call: Call): unknown {
    if (!call.isSync) return this.promised(call, never);
    const error = new Error("the app was restarted here");
    noteInjected(error);
    throw error;
  }

  /** An outage would not have looked like the refused call before, since something is asked meanwhile. */
  private noteRefusal(): void {
    const { refusal } = this.dependency;
    if (refusal !== undefined && this.engine.now < refusal.untilMs)
      this.engine.deviations.distinguish(refusal.deviation);
  }
}

/** Whether a value is a promise, and not a query that runs when it is awaited. Jest has a class of its own. */
function isNativePromise(value: unknown): value is Promise<unknown> {
  return Object.prototype.toString.call(value) === "[object Promise]" && isPromise(value);
}

/** Runs a call that returns no promise, and notes what it throws. */
function notingThrown(run: () => unknown, note: NonNullable<MadeCall["note"]>): unknown {
  try {
    return run();
  } catch (thrown) {
    note({ answer: thrownWords(thrown) });
    throw thrown;
  }
}
