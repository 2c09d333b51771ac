import { InputError, type Keys } from "../foundation/errors.ts";
import { object, readInput } from "../foundation/input-schemas.ts";
import type { Organisation } from "../platform/organisation/schema.ts";
import { type ClaimName, namesIn, readClaim } from "./claim-schema.ts";
import type { Problems } from "./problems.ts";
import { choiceEntries, questionEntries } from "./question-schema.ts";
import type { QuestionChoice, ScenarioQuestion, Step, TextRange } from "./scenario.ts";

/** The questions of a scenario file: `questions`. */

/** What questions may name. */
export interface NamedInScenario {
  readonly steps: readonly Step[];
  readonly organisation: Organisation | undefined;
  readonly problems: Problems;
  readonly rangeOf: (keys: Keys) => TextRange;
}

/** Reads the questions of a scenario, and adds everything that is wrong with them to the problems. */
export function readQuestions(items: readonly unknown[], context: NamedInScenario): ScenarioQuestion[] {
  return items.flatMap(
    (item, index) => context.problems.attempt(() => readQuestion(item, ["questions", index], context)) ?? [],
  );
}

function readQuestion(item: unknown, keys: Keys, context: NamedInScenario): ScenarioQuestion | undefined {
  const {
    ask,
    at = 0,
    right,
    because,
    choices,
  } = readInput(object(questionEntries), item, keys, ({ right: number = 1, choices: all = [] }) => [
    ...(all.length < 2 || all.length > 6
      ? [{ keys: ["choices"], message: `expected two to six choices, got ${all.length}` }]
      : []),
    ...(number > all.length
      ? [{ keys: ["right"], message: `expected the number of a choice, 1 to ${all.length}, got ${number}` }]
      : []),
  ]);
  const read = choices.map((choice, index) => {
    const place: Keys = [...keys, "choices", index];
    return context.problems.attempt(() => readChoice(choice, place, index === right - 1, context));
  });
  if (read.includes(undefined)) return undefined;
  const all = read as QuestionChoice[];
  const twin = all.findIndex((one, index) => all.findIndex((each) => each.text === one.text) < index);
  if (twin >= 0) throw new InputError([...keys, "choices", twin, "text"], "another choice has the same text");
  return { ask, atMs: at, choices: all, right: right - 1, because, position: context.rangeOf(keys) };
}

function readChoice(item: unknown, keys: Keys, isRight: boolean, context: NamedInScenario): QuestionChoice {
  const {
    text: words,
    when,
    instead,
  } = readInput(object(choiceEntries), item, keys, (given) => {
    if (isRight && given.when === undefined)
      return [{ keys: [], message: "expected `when`: what this choice, which is right, claims of the run" }];
    if (isRight && given.instead !== undefined)
      return [
        { keys: ["instead"], message: "this choice is right: only a wrong one would be right instead" },
      ];
    return given.instead !== undefined && given.when === undefined
      ? [{ keys: [], message: "expected `when` beside `instead`: what would then be so" }]
      : [];
  });
  const claims = when === undefined ? [] : Array.isArray(when) ? when : [when];
  for (const [index, each] of claims.entries()) {
    const place: Keys = [...keys, "when", ...(Array.isArray(when) ? [index] : [])];
    const claim = context.problems.attempt(() => readClaim(each, place));
    if (claim !== undefined) addUnknownNames(namesIn(claim, place), context);
  }
  const changed = instead as QuestionChoice["instead"];
  return { text: words, when: claims, instead: changed, position: context.rangeOf(keys) };
}

/** Adds a problem for each name that the scenario does not know. */
function addUnknownNames(names: readonly ClaimName[], context: NamedInScenario): void {
  for (const { keys, is, name } of names) {
    const { known, others } = knownNames(is, context);
    if (known.includes(name) || others?.test(name) === true) continue;
    const message = `unknown ${is === "subject" ? "name" : is} "${name}"; known: ${known.join(", ") || "none"}`;
    context.problems.add(keys, message, known);
  }
}

/** The names of a kind, and the form of other names that may stand there. */
function knownNames(
  is: ClaimName["is"],
  { steps, organisation }: NamedInScenario,
): { readonly known: readonly string[]; readonly others?: RegExp } {
  const { users = [], devices = [], teams = [], trunks = [] } = organisation ?? { id: "" };
  const named = (isWebhook: boolean) =>
    steps.flatMap(({ as, on, command }) =>
      [(command === "createWebhook") === isWebhook ? as : undefined, isWebhook ? undefined : on?.as].filter(
        (name) => name !== undefined,
      ),
    );
  const entries = trunks.flatMap((trunk) =>
    [trunk.devices, trunk.queues, trunk.users].flatMap((each) => (each ?? []).map(({ id }) => id)),
  );
  const added = steps.flatMap(({ command, args }) => (command === "addTrunkEntry" ? [String(args.id)] : []));
  const people = [...[...users, ...devices].map(({ id }) => id), ...entries, ...added];
  switch (is) {
    case "person":
      // any outside number, a short code, or the caller of the call that the claim names
      return { known: [...people, "caller"], others: /^(\+?\d+|anonymous)$/ };
    case "call":
      return { known: named(false) };
    case "webhook":
      return { known: named(true) };
    case "endpoint":
      // or a host, as of a data action
      return { known: named(true), others: /\./ };
    case "team":
      return { known: teams.map(({ id }) => id) };
    case "subject":
      return { known: [...named(false), ...[...users, ...teams].map(({ id }) => id)] };
  }
}
