import ts from "typescript";
import { commandErrors } from "../../src/core/foundation/command-errors.ts";
import { commands } from "../../src/core/platform/catalogue/commands.ts";
import type { AnyCommand, AnyCommands } from "../../src/core/platform/declare/any-command.ts";
import { isOnCall, namesActor } from "../../src/core/platform/guards/refusals.ts";
import {
  type CallHandle,
  CommandError,
  type CommandErrorCode,
  type CommandInput,
  type CommandName,
  createSimulator,
  type Simulator,
} from "../../src/index.ts";
import { banner } from "./banner.ts";
import { sourceFiles } from "./source.ts";

/** Messages that are composed from a call's state, where the example of a command on calls does not meet them. */
const played: Readonly<Partial<Record<CommandErrorCode, (call: CallHandle, sim: Simulator) => unknown>>> = {
  call_closed: (call) => {
    call.hangup("caller");
    call.hangup("caller");
  },
  not_connected: (call) => call.hangup("alice"),
  not_ringing: (call, sim) => {
    sim.advance("PT30S");
    call.answer("alice");
  },
};

/** What meets a code on a call that rings: the first command on calls whose guard has it. */
function guardedBy(code: CommandErrorCode): ((call: CallHandle, sim: Simulator) => unknown) | undefined {
  const name = (Object.keys(commands) as CommandName[]).find((each) => {
    const command: AnyCommand = commands[each];
    return isOnCall(command) && command.guard.code === code;
  });
  if (name === undefined) return undefined;
  return ({ id }, sim) => {
    const args: object = commands[name].example(sim.fork());
    return sim.command(name, { ...args, call: id } as CommandInput<CommandName>);
  };
}

/** A case of `played` as a row. @throws if its message has changed */
function playedRows(code: CommandErrorCode): Thrown[] {
  const play = played[code] ?? guardedBy(code);
  if (play === undefined) return [];
  const sim = createSimulator({ ids: "counter" });
  try {
    play(sim.calls.inbound({ from: "+6421555001", to: "+6495550100" }), sim);
  } catch (error) {
    if (error instanceof CommandError && error.code === code)
      return [{ name: error.name, code, message: `for example: ${error.message}` }];
  }
  throw new Error(`the example of ${code} is of something else`);
}

/** Errors whose messages are composed: one example of each. */
const examples: Readonly<Record<string, (sim: Simulator) => unknown>> = {
  LimitError: (sim) => sim.runUntil("call.ended"),
};

function exampleRows(name: string): Thrown[] {
  const play = examples[name];
  if (play === undefined) return [];
  try {
    play(createSimulator());
  } catch (error) {
    if (error instanceof Error && error.name === name)
      return [{ name, code: "", message: `for example: ${error.message}` }];
  }
  throw new Error(`the example of ${name} is of something else`);
}

/** The other errors that a user may meet. */
const others: readonly (readonly [name: string, about: string, next: string])[] = [
  [
    "InputError",
    "Options, an organisation, a journal or an argument does not have the right form. `path` says where. A command says the same in an `invalid_argument`.",
    "Correct what `path` names. `problems` lists everything else that is wrong. A message that ends in *did you mean* names the nearest word.",
  ],
  [
    "AnswerError",
    "An endpoint gave an answer that no HTTP server can give, such as the status 99999. In an exploration that is a failing world.",
    "Correct what the handler returns: a status, `{ status, headers, body, after }`, `{ failure }` or a `Response`.",
  ],
  [
    "ScenarioError",
    "A scenario cannot be read, or a step is not allowed in the current state. `line` and `column` say where, `problems` lists everything that is wrong.",
    "Open the file at that line. `ringback check` prints the place so that editors link to it.",
  ],
  [
    "LimitError",
    "`runUntil` or `runUntilIdle` reached its limit.",
    "The message says what happened instead, or what is still scheduled. Raise `within`, or wait for another event.",
  ],
  [
    "RunawayError",
    "A loop that would never end was stopped.",
    "The message names the machine or command and your line. The usual reason is a handler that causes the event it listens to.",
  ],
  [
    "CaptureError",
    "No request of a capture can be read. `problems` says why, line by line.",
    "Look at the line that the message names. Name the `format` if it was not recognised, and check the secret if no signature verifies.",
  ],
  [
    "CounterexampleError",
    "`explore` found a run in which a property does not hold, or no run in which a property of `sometimes` holds.",
    "The message shows the smallest scenario that fails. Save it as a file: `ringback run FILE --with MODULE` plays it with your app.",
  ],
  [
    "IncompleteError",
    "`explore` found nothing, but the time of the test was over before all worlds were run.",
    "Give the test more time, or fewer worlds: fewer events, kinds or deviations. If fewer worlds are enough, set `worlds` or `for`.",
  ],
  [
    "AssertionError",
    "A matcher of `ringback/vitest`, `ringback/jest` or `ringback/node-test` fails. The first line says what was expected. Below it are the near misses.",
    "The timeline around the difference, the seed and the command that runs it again follow. `ringback-results/` has a page of the run.",
  ],
  [
    "RestError",
    "The REST API answers with a status of 400 or above. The first word is `code` in the body.",
    "The body's `message` says what was expected, `details` which fields.",
  ],
  [
    "OAuthError",
    "The token endpoint answers with a status of 400 or above, in the terms of OAuth 2.0.",
    "`error_description` says what was expected. `sim.credentials` holds the client id and secret.",
  ],
  [
    "InterruptedError",
    "A run of a server stopped between two steps: because of `POST /_sim/interrupt`, a reset, or because the server closed.",
    "Everything up to that step has happened. Go on with another advance.",
  ],
  [
    "ControlError",
    "The control plane of a server (`/_sim/`) answers with a status of 400 or above. The first word is `code` in the body.",
    "The body's `message` says what was expected, `details` which fields.",
  ],
  [
    "RangeError",
    "The pace given to a server is not valid.",
    'Give `"virtual"`, `"realtime"` or a factor: 10 is ten times as fast as real time.',
  ],
  [
    "InvalidArgumentError",
    "An option of the `ringback` command has an invalid value. Exit code 2.",
    "`ringback <command> --help` says what each option takes.",
  ],
  [
    "AggregateError",
    "Several handlers of one step threw an error.",
    "`errors` lists them all. Look at the first one first.",
  ],
  [
    "UsageError",
    "The `ringback` command cannot read a file or an argument. Exit code 2.",
    "The message begins with the file, and where possible the line and the column.",
  ],
  [
    "ringback",
    "What the `ringback` command prints besides: a run that is not as expected ends with exit code 1, a command line that cannot be read with 2; a warning does not end it.",
    "The text names the file or the option. A golden file that should change is written again with `--update`.",
  ],
  [
    "TypeError",
    "The code passed or changed something of the wrong kind.",
    "The message says what to pass, or what to copy first.",
  ],
];

/** Messages that are not thrown where they are written: their error, their files, and which texts of those files. */
const said: readonly { readonly name: string; readonly files: RegExp; readonly texts: RegExp }[] = [
  {
    name: "CounterexampleError",
    files: /\/explore\/report\/report\.ts$/,
    texts: /held in no|had no route|no request/,
  },
  {
    name: "AssertionError",
    files: /\/testing\/matchers\.ts$/,
    texts: /^(expected|its|no|none|the|under|delivered,) |… ?to have been/,
  },
  { name: "ringback", files: /\/cli\/golden\.ts$/, texts: /differ|no digest/ },
  { name: "ringback", files: /\/cli\/(inspect|output)\.ts$/, texts: /cannot open|diagram has/ },
  {
    name: "ringback",
    files: /\/cli\/disk\.ts$/,
    texts:
      /^(another program|something with|no such file or|the disk|permission|the file is|this is a folder, e|too many open|a part of|this is a pipe)/,
  },
  { name: "ringback", files: /\/cli\/serve\.ts$/, texts: /^other machines|^URLs in answers/ },
];

/** The messages of Commander, which reads the command line. */
const ofCommander: readonly Thrown[] = [
  "error: missing required argument '…'",
  "error: too many arguments for '…'. Expected … arguments but got ….",
  "error: unknown command '…' (Did you mean …?)",
  "error: unknown option '…' (Did you mean …?)",
].map((message) => ({ name: "ringback", code: "", message }));

interface Thrown {
  readonly name: string;
  /** The first argument, if it is a code. */
  readonly code: string;
  readonly message: string;
}

let thrown: readonly Thrown[] | undefined;

/** What the sources throw. Read once. */
function allThrown(): readonly Thrown[] {
  thrown ??= sourceFiles().flatMap(thrownIn);
  return thrown;
}

/** The error classes of the code. A plain `Error` is thrown only for defects of ours. */
export function errorNames(): string[] {
  const names = new Set(allThrown().map(({ name }) => name));
  return [...names].filter((name) => name !== "Error").sort();
}

/** `docs/errors.md`: every error that the code throws, with its messages. */
export function errorsPage(): string {
  const all = [...allThrown(), ...ofCommander, ...refusedRows()];
  const codes = Object.entries(commandErrors).map(([code, { means: about, next }]) =>
    section(`\`${code}\``, `${capital(about)}.`, `${capital(next)}.`, [
      ...all.filter((each) => each.name === "CommandError" && each.code === code),
      ...playedRows(code as CommandErrorCode),
    ]),
  );
  const rest = others.map(([name, about, next]) =>
    section(`\`${name}\``, about, next, [...all.filter((each) => each.name === name), ...exampleRows(name)]),
  );
  return [
    banner("the sources"),
    "# Errors",
    "Every error that you can meet, with its error codes: what it means, what to do next, and its texts. `…` stands for what depends on the case.",
    "## CommandError",
    "The current state does not allow the command, or an argument is wrong. **Nothing has changed.** Programs look at `code`:",
    [
      "| code | situation | what to do next |",
      "|---|---|---|",
      ...Object.entries(commandErrors).map(
        ([code, { means: about, next }]) => `| \`${code}\` | ${about} | ${next} |`,
      ),
    ].join("\n"),
    ...codes.map((each) => each.replace(/^## /, "### ")),
    ...rest,
    "",
  ].join("\n\n");
}

function section(title: string, about: string, next: string, thrown: readonly Thrown[]): string {
  const rows = [...new Set(thrown.map(row))].filter((each) => each !== "").sort();
  return [
    `## ${title}`,
    about,
    `*What to do next:* ${next}`,
    ...(rows.length === 0 ? [] : [rows.join("\n")]),
  ].join("\n\n");
}

function row({ name, code, message }: Thrown): string {
  const text = message.replaceAll(/\s+/g, " ").trim();
  // a text that is composed elsewhere says nothing here, and a name is not a message
  const isName = !text.includes(" ") && text !== "missing";
  if (!/[a-z]{3}/.test(text) || isName || ["…, got …", "expected …"].includes(text)) return "";
  const isStatus = /^[a-z_]+$/.test(code) && name !== "CommandError";
  return `- ${isStatus ? `\`${code}\`: ` : ""}${text.replaceAll("|", "\\|").replaceAll("<", "&lt;")}`;
}

function capital(text: string): string {
  return text.startsWith("`") ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function thrownIn(file: ts.SourceFile): Thrown[] {
  const found: Thrown[] = [];
  const name = fieldErrorIn(file);
  const problemsOf = isOfScenarios(file) ? problemIn : expectationIn;
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && isError.test(node.expression.getText(file)))
      found.push(madeBy(node, file));
    found.push(...saidIn(node, file));
    const refused = refusalIn(node, file);
    if (refused !== undefined) found.push(refused);
    const problem = problemsOf(node, file);
    const problems = problem === undefined ? messagesIn(node, file) : [problem];
    found.push(...problems.map((each) => ({ name, code: "", message: wordsOf(each) })));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `WorldError` reaches users as a `CounterexampleError`. */
const isError = /Error$/;

function saidIn(node: ts.Node, file: ts.SourceFile): Thrown[] {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return [];
  const message = wordsOf(node).trim();
  return said
    .filter(({ files, texts }) => files.test(file.fileName) && texts.test(message))
    .map(({ name }) => ({ name, code: "", message }));
}

function madeBy(node: ts.NewExpression, file: ts.SourceFile): Thrown {
  const texts = (node.arguments ?? []).map((argument) => wordsOf(argument));
  const name = nameIn(file, node.expression.getText(file));
  // its place is printed before it
  if (name === "UsageError" && texts.length > 1)
    return { name, code: "", message: `${texts[1] || "…"}: ${texts[0]}` };
  // the first argument may be a status
  const [first = "", ...more] = texts.filter((text) => text !== "");
  const isCode = /^[a-z_]+$/.test(first) && more.length > 0;
  const message = isCode
    ? (more[0] ?? "")
    : ([...texts].reverse().find((text) => /[a-z]{3}/.test(text)) ?? "");
  return { name, code: isCode ? first : "", message };
}

/** The message for others who may not issue a command on a call. */
function refusedRows(): Thrown[] {
  const all: AnyCommands = commands;
  return Object.entries(all).flatMap(([name, command]) => {
    if (!isOnCall(command)) return [];
    const { guard, infinitive = name } = command;
    const by = namesActor(command) ? "…" : "the caller";
    const thrown = (code: string, problem: string) => ({
      name: "CommandError",
      code,
      message: `${by} ${problem}: call … is …; allowed: …`,
    });
    const late = guard.timing === undefined ? [] : [thrown("not_allowed", guard.timing.refusal(infinitive))];
    return [thrown(guard.code, `cannot ${infinitive}`), ...late];
  });
}

/** `refusals.refusal(code, problem, call)`: the problem, the call's state, and what it allows. */
function refusalIn(node: ts.Node, file: ts.SourceFile): Thrown | undefined {
  if (!ts.isCallExpression(node) || !/\brefusals\.refusal$/.test(node.expression.getText(file)))
    return undefined;
  const [code, problem] = node.arguments;
  if (code === undefined || problem === undefined) return undefined;
  return {
    name: "CommandError",
    code: wordsOf(code),
    message: `${wordsOf(problem)}: call … is …; allowed: …`,
  };
}

/** The error that a wrong field of a file leads to. */
function fieldErrorIn(file: ts.SourceFile): string {
  if (isOfScenarios(file)) return "ScenarioError";
  return file.fileName.includes("/src/core/platform/declare/paging") ? "RestError" : "InputError";
}

/**
 * A text that is passed as a parameter `message`, to a schema's check or to a function that makes or reports an
 * error.
 */
function messagesIn(node: ts.Node, file: ts.SourceFile): ts.Expression[] {
  if (
    !ts.isCallExpression(node) ||
    !isOfInput(file) ||
    /^(super|console)\b/.test(node.expression.getText(file))
  )
    return [];
  const texts = node.arguments.map((argument) => {
    const text = ts.isArrowFunction(argument) && !ts.isBlock(argument.body) ? argument.body : argument;
    return ts.isStringLiteralLike(text) || ts.isTemplateExpression(text) ? text : undefined;
  });
  const { expression } = node;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  const places = placesOfMessages().get(name.getText(file));
  // each text that Valibot's schemas and checks are given is a message
  const isChecked = /^v\.(?!description|title|literal|variant)/.test(expression.getText(file));
  return texts.flatMap((text, index) =>
    text !== undefined && (isChecked || places?.has(index)) ? [text] : [],
  );
}

let messagePlaces: Map<string, Set<number>> | undefined;

/** Each function by its name, and where its parameter `message` stands. To ask the compiler what is called takes it 10 s. */
function placesOfMessages(): Map<string, Set<number>> {
  if (messagePlaces !== undefined) return messagePlaces;
  const places = new Map<string, Set<number>>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const { name } =
        ts.isArrowFunction(node) || ts.isFunctionTypeNode(node) ? { name: nameOver(node) } : node;
      node.parameters.forEach((each, index) => {
        const isText = /^string\b/.test(each.type?.getText() ?? "");
        if (each.name.getText() !== "message" || !isText || name === undefined) return;
        places.set(name.getText(), (places.get(name.getText()) ?? new Set()).add(index));
      });
    }
    ts.forEachChild(node, visit);
  };
  for (const file of sourceFiles()) visit(file);
  messagePlaces = places;
  return places;
}
const nameOver = ({ parent }: ts.Node) => (parent as ts.NamedDeclaration).name;

/** The files that judge bodies of fixtures: their texts are findings, which a command prints. */
export const FIXTURE_FILES =
  /\bcapture\/judge\/(?:body-laws|complete|judge-fixture|known-entries|observed-body|schema-flaws)\b/;

/** Whether a file's texts are about input, and not what a command prints or a page shows. */
function isOfInput({ fileName }: ts.SourceFile): boolean {
  return !/\/src\/(cli|testing|inspector|look|capture\/judge\/(?:body-laws|complete|judge-fixture|known-entries|observed-body|schema-flaws)|core\/rest\/oauth)/.test(
    fileName,
  );
}

const isOfScenarios = (file: ts.SourceFile) => file.fileName.includes("/src/core/scenario/");

/** All problems of a scenario become one kind of error. */
function nameIn(file: ts.SourceFile, name: string): string {
  if (name === "WorldError") return "CounterexampleError";
  return isOfScenarios(file) && name === "InputError" ? "ScenarioError" : name;
}

/** The text of a problem: `{ message: … }`, or `problems.add(keys, …)`. */
function problemIn(node: ts.Node, file: ts.SourceFile): ts.Expression | undefined {
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node))
    return node.name.getText(file) === "message" ? node.initializer : undefined;
  return ts.isCallExpression(node) && node.expression.getText(file) === "problems.add"
    ? node.arguments[1]
    : undefined;
}

/** What a schema or a check says about a value: `{ message: … }`, or text that begins with *expected*. */
function expectationIn(node: ts.Node, file: ts.SourceFile): ts.Expression | undefined {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  if (!(isText || ts.isPropertyAssignment(node)) || !isOfInput(file)) return undefined;
  if (/\/src\/(server|explore)\//.test(file.fileName) && ts.isPropertyAssignment(node)) return undefined;
  if (ts.isPropertyAssignment(node) && node.name.getText(file) === "message") return node.initializer;
  return isText && /^expected [^:]/.test(wordsOf(node)) && !isOfError(node, file) ? node : undefined;
}

/** Whether an error is made with a text. Those are collected by class. */
function isOfError(node: ts.Node, file: ts.SourceFile): boolean {
  for (let { parent } = node; parent !== undefined && !ts.isStatement(parent); { parent } = parent)
    if (ts.isNewExpression(parent) && isError.test(parent.expression.getText(file))) return true;
  return false;
}

/** A text as it is written, with `…` for inserted values. */
function wordsOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join("");
  if (ts.isBinaryExpression(node)) return wordsOf(node.left) + wordsOf(node.right);
  if (ts.isConditionalExpression(node)) return wordsOf(node.whenTrue) || wordsOf(node.whenFalse);
  if (ts.isParenthesizedExpression(node)) return wordsOf(node.expression);
  if (ts.isIdentifier(node)) return wordsOfConstant(node);
  if (ts.isCallExpression(node) && node.expression.getText() === "withSuggestion")
    return node.arguments.map(wordsOf)[0] ?? "";
  return "";
}

/** The value of a constant that is declared before its use in a surrounding block. */
function wordsOfConstant(use: ts.Identifier): string {
  for (let around: ts.Node = use; around !== undefined; around = around.parent) {
    if (!ts.isBlock(around) && !ts.isSourceFile(around)) continue;
    const declared = around.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find(({ name }) => name.getText() === use.text);
    if (declared?.initializer !== undefined) return wordsOf(declared.initializer);
  }
  return "";
}
