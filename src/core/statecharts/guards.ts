import { type AnyEventObject, and, not, or } from "xstate";
import { isObject } from "../foundation/values.ts";
import { expectFields, isFunction, readField, Unsupported } from "./xstate-private.ts";

/** A compiled guard. */
export type CompiledGuard = (context: object, event: AnyEventObject) => boolean;
type GuardWithParams = (context: object, event: AnyEventObject, params: unknown) => boolean;

/** XState's own guards by the function that checks each kind. */
const combinators = new Map<unknown, "and" | "or" | "not">([
  [readField(and([]), "check"), "and"],
  [readField(or([]), "check"), "or"],
  [
    readField(
      not(() => true),
      "check",
    ),
    "not",
  ],
]);

/** Compiles guards: functions, names, names with parameters, and `and`, `or` or `not` of these. */
export class Guards {
  private readonly compiled = new Map<string, GuardWithParams>();
  private readonly compiling = new Set<string>();

  /** @param implementations the machine's guards, by name */
  constructor(private readonly implementations: object) {}

  compile(guard: unknown, where: string): CompiledGuard {
    if (typeof guard === "string" || isFunction(guard)) {
      const test =
        typeof guard === "string" ? this.compileNamed(guard, where) : this.compileFunction(guard, where);
      return (context, event) => test(context, event, undefined);
    }
    if (isObject(guard)) return this.compileWithParams(guard, where);
    throw new Unsupported(`${where}: a guard that is ${String(guard)}`);
  }

  private compileWithParams(guard: object, where: string): CompiledGuard {
    expectFields(`${where}: a guard`, guard, ["type"], ["params"]);
    const name = readField(guard, "type");
    if (typeof name !== "string") throw new Unsupported(`${where}: a guard whose type is ${String(name)}`);
    const test = this.compileNamed(name, where);
    const params = readField(guard, "params");
    if (isFunction(params))
      return (context, event) => test(context, event, params({ context, event }, undefined));
    return (context, event) => test(context, event, params);
  }

  private compileNamed(name: string, where: string): GuardWithParams {
    const known = this.compiled.get(name);
    if (known !== undefined) return known;
    if (this.compiling.has(name)) throw new Unsupported(`${where}: the guard "${name}" asks itself`);
    const implementation = readField(this.implementations, name);
    if (!isFunction(implementation)) throw new Unsupported(`${where}: no function is the guard "${name}"`);
    this.compiling.add(name);
    const test = this.compileFunction(implementation, `the guard "${name}"`);
    this.compiling.delete(name);
    this.compiled.set(name, test);
    return test;
  }

  private compileFunction(guard: (args: object, params: unknown) => unknown, where: string): GuardWithParams {
    if (!("check" in guard)) return (context, event, params) => Boolean(guard({ context, event }, params));
    expectFields(where, guard, ["check", "guards"]);
    const kind = combinators.get(guard.check);
    const of = readField(guard, "guards");
    if (kind === undefined || !Array.isArray(of))
      throw new Unsupported(`${where}: a guard of an unknown kind`);
    const tests = of.map((each) => this.compile(each, where));
    if (kind === "and") return (context, event) => tests.every((test) => test(context, event));
    if (kind === "or") return (context, event) => tests.some((test) => test(context, event));
    const [negated] = tests;
    if (negated === undefined || tests.length > 1) throw new Unsupported(`${where}: not() of several guards`);
    return (context, event) => !negated(context, event);
  }
}
