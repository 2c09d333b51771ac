import ts from "typescript";
import { eventTypes } from "../../src/core/generated/records.ts";
import { type AnyOperation, operations } from "../../src/core/platform/catalogue/operations.ts";
import { defaultDialect } from "../../src/core/platform/declare/settings.ts";
import { defaultUrls } from "../../src/core/platform/declare/urls.ts";
import { exampleEvents, exampleSimulator, playAsWritten } from "../../src/core/rest/openapi/examples.ts";
import { CommandError, createSimulator, InputError } from "../../src/index.ts";
import { linkTo, MendFirst } from "./failures.ts";
import { parsedFiles } from "./source.ts";

/** @throws {MendFirst} for an example of the OpenAPI document that the simulator of the examples refuses */
export async function checkExamples(): Promise<void> {
  const problems = await exampleProblems(operations);
  if (problems.length > 0) throw new MendFirst(problems.join("\n"));
}

/** What is wrong with the examples of operations and events: the place, what was asked, and the refusal. */
export async function exampleProblems(all: readonly AnyOperation[]): Promise<string[]> {
  const problems = [...eventProblems()];
  const sim = exampleSimulator(createSimulator, defaultDialect);
  for (const operation of all) {
    const problem = await refusalOf(operation, sim);
    if (problem !== undefined) problems.push(`${placeOf(operation)}: ${problem}`);
  }
  return problems;
}

async function refusalOf(
  operation: AnyOperation,
  sim: ReturnType<typeof createSimulator>,
): Promise<string | undefined> {
  const { id, method, path } = operation;
  const name = `the example of ${id} (${method.toUpperCase()} ${path})`;
  try {
    const world = { sim, isReal: false, showsSecrets: true };
    const { status, answer } = await playAsWritten(world, operation, defaultDialect);
    return status < 300 ? undefined : `${name} is answered with ${status}: ${JSON.stringify(answer)}`;
  } catch (error) {
    return `what comes before ${name} is refused: ${refusalIn(error)}`;
  }
}

/** An event that nothing brings about has no example, nor have those after a command that is refused. */
function eventProblems(): string[] {
  const file = "src/core/rest/openapi/examples.ts";
  const isFunction = (node: ts.Node) => ts.isFunctionDeclaration(node) && node.name?.text === "exampleEvents";
  const at = () => placeIn(file, (node) => (isFunction(node) ? node : undefined));
  const declared = (type: string) =>
    placeIn("src/core/platform/", (node) =>
      ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name) && node.name.text === type
        ? node
        : undefined,
    );
  try {
    const played = exampleEvents(createSimulator, defaultDialect, defaultUrls);
    return eventTypes
      .filter((type) => !played.has(type))
      .map(
        (type) =>
          `${declared(type)}: ${type} does not happen in the examples; bring it about in its \`example\``,
      );
  } catch (error) {
    return [`${at()}: exampleEvents: ${refusalIn(error)}`];
  }
}

/** The text of a refusal. Any other error is of the code, and not of the example. */
function refusalIn(error: unknown): string {
  if (error instanceof CommandError || error instanceof InputError) return error.message;
  throw error;
}

/** The line of an operation's example; without one, that of its id. */
function placeOf({ id }: AnyOperation): string {
  const named = (node: ts.ObjectLiteralExpression, name: string) =>
    node.properties.find(
      (each): each is ts.PropertyAssignment =>
        ts.isPropertyAssignment(each) && ts.isIdentifier(each.name) && each.name.text === name,
    );
  return placeIn("src/core/platform/", (node) => {
    if (!ts.isObjectLiteralExpression(node)) return undefined;
    const own = named(node, "id");
    if (own === undefined || !ts.isStringLiteral(own.initializer) || own.initializer.text !== id)
      return undefined;
    return named(node, "example") ?? own;
  });
}

/** The first node of a file, or of the files in a folder, that is looked for. */
function placeIn(path: string, find: (node: ts.Node) => ts.Node | undefined): string {
  const search = (node: ts.Node): ts.Node | undefined => find(node) ?? ts.forEachChild(node, search);
  for (const file of parsedFiles(path)) {
    const found = search(file);
    if (found !== undefined) return linkTo(file, found.getStart(file));
  }
  return path;
}
