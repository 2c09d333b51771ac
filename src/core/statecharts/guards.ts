import { type AnyEventObject, and, not, or } from "xstate";
import { isObject } from "../foundation/values.ts";
import { expectFields, fieldOf, isFunction, Unknown } from "./shape.ts";

/** A compiled guard. */
export type Test = (context: object, event: AnyEventObject) => boolean;
type TestWith = (context: object, event: AnyEventObject, params: unknown) => boolean;

/** XState's own guards by the function that checks each kind. */
const kinds = new Map<unknown, "and" | "or" | "not">([
  [fieldOf(and([]), "check"), "and"],
  [fieldOf(or([]), "check"), "or"],
  [
    fieldOf(
      not(() => true),
      "check",
    ),
    "not",
  ],
]);

/** Compiles guards: functions, names, names with parameters, and `and`, `or` or `not` of these. */
export class Guards {
  private readonly named = new Map<string, TestWith>();
  private readonly naming = new Set<string>();

  /** @param implementations the machine's guards, by name */
  constructor(private readonly implementations: object) {}

  testOf(guard: unknown, where: string): Test {
    if (typeof guard === "string") {
      const test = this.byName(guard, where);
      return (context, event) => test(context, event, undefined);
    }
    if (isFunction(guard)) {
      const test = this.testWith(guard, where);
      return (context, event) => test(context, event, undefined);
    }
    if (isObject(guard)) return this.withParams(guard, where);
    throw new Unknown(`${where}: a guard that is ${String(guard)}`);
  }

  private withParams(guard: object, where: string): Test {
    expectFields(`${where}: a guard`, guard, ["type"], ["params"]);
    const name = fieldOf(guard, "type");
    if (typeof name !== "string") throw new Unknown(`${where}: a guard whose type is ${String(name)}`);
    const test = this.byName(name, where);
    const params = fieldOf(guard, "params");
    if (isFunction(params))
      return (context, event) => test(context, event, params({ context, event }, undefined));
    return (context, event) => test(context, event, params);
  }

  private byName(name: string, where: string): TestWith {
    const known = this.named.get(name);
    if (known !== undefined) return known;
    if (this.naming.has(name)) throw new Unknown(`${where}: the guard "${name}" asks itself`);
    const implementation = fieldOf(this.implementations, name);
    if (!isFunction(implementation)) throw new Unknown(`${where}: no function is the guard "${name}"`);
    this.naming.add(name);
    const test = this.testWith(implementation, `the guard "${name}"`);
    this.naming.delete(name);
    this.named.set(name, test);
    return test;
  }

  private testWith(guard: (args: object, params: unknown) => unknown, where: string): TestWith {
    if (!("check" in guard)) return (context, event, params) => Boolean(guard({ context, event }, params));
    expectFields(where, guard, ["check", "guards"]);
    const kind = kinds.get(guard.check);
    const of = fieldOf(guard, "guards");
    if (kind === undefined || !Array.isArray(of)) throw new Unknown(`${where}: a guard of an unknown kind`);
    const tests = of.map((each) => this.testOf(each, where));
    if (kind === "and") return (context, event) => tests.every((test) => test(context, event));
    if (kind === "or") return (context, event) => tests.some((test) => test(context, event));
    const [negated] = tests;
    if (negated === undefined || tests.length > 1) throw new Unknown(`${where}: not() of several guards`);
    return (context, event) => !negated(context, event);
  }
}
