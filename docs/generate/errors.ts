import ts from "typescript";
import {
  type CallHandle,
  CommandError,
  type CommandErrorCode,
  createSimulator,
  type Simulator,
} from "../../src/index.ts";
import { sourceFiles } from "./source.ts";

/** What each code of a `CommandError` is about, and what to do next: all of them, or this does not compile. */
const commandErrors: Readonly<Record<CommandErrorCode, readonly [about: string, next: string]>> = {
  busy: ["who should act is on another call", "hang that call up first, or let someone else act"],
  call_closed: ["the call is over", "look at `call.record.outcome`; begin another call"],
  conflict: [
    "something with this id or name is there already",
    "choose another, or change the one that is there",
  ],
  conversation_closed: ["the conversation is over", "send to its contact again, which begins another"],
  disposed: [
    "`dispose()` has ended the simulator",
    "make another; a test that ends too early often lacks an `await`",
  ],
  invalid_argument: ["arguments are wrong", "`details` names every one, with what was expected"],
  not_allowed: [
    "the state or the organisation does not allow it",
    "the message says what would be; a feature is switched on in `organisation.features`",
  ],
  not_connected: [
    "who should act is not on the call",
    "answer first; `call.record.connections` says who is on it",
  ],
  not_found: [
    "nothing has this id, address or extension",
    "the message says what there is; ids come from the organisation or from `list()`",
  ],
  not_in_voicemail: [
    "the call is not at a voicemail's greeting or message",
    'let it ring out first, `sim.advance("PT30S")`, and have the callee have voicemail',
  ],
  not_ringing: [
    "who should answer or decline is not ringing",
    "`call.ringing()` says who is; a command at the instant of a timeout comes after it",
  ],
  unknown_number: [
    "nobody in the organisation has the number",
    "give it to someone in `organisation.numbers`",
  ],
};

/** Words that depend on a call's state, which are put together where they are thrown: each as one case has them. */
const played: Readonly<Partial<Record<CommandErrorCode, (call: CallHandle, sim: Simulator) => unknown>>> = {
  call_closed: (call) => {
    call.hangup("caller");
    call.hangup("caller");
  },
  not_connected: (call) => call.hangup("alice"),
  not_in_voicemail: (call) => call.leaveVoicemail({ duration: "PT5S" }),
  not_ringing: (call, sim) => {
    sim.advance("PT30S");
    call.answer("alice");
  },
};

/** What a case of `played` says, as a row. @throws when it says something else */
function playedRows(code: CommandErrorCode): Thrown[] {
  const play = played[code];
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

/** The other errors that a user can meet. */
const others: readonly (readonly [name: string, about: string, next: string])[] = [
  [
    "InputError",
    "Options, an organisation, a journal or an argument that is not of the form it should have. `path` says where.",
    "Mend what `path` names; `problems` has every other one too.",
  ],
  [
    "ScenarioError",
    "A scenario that cannot be read, or a step that the state does not allow. `line` and `column` say where, `problems` everything that is wrong.",
    "Open the file there: `ringback check` names the place so that editors link it.",
  ],
  [
    "LimitError",
    "`runUntil` or `runUntilIdle` reached its limit.",
    "The message says what did happen, or what keeps being scheduled; raise `within`, or wait for something that comes.",
  ],
  [
    "RunawayError",
    "A loop that would never end was stopped.",
    "The message names the machine or command and your line: a handler that causes the event it listens to is the usual reason.",
  ],
  [
    "CounterexampleError",
    "`explore` found a world in which a property does not hold, or one of `sometimes` held in none.",
    "The message has the smallest scenario: write it to a file and play it with `runScenario`, or with `ringback run`.",
  ],
  [
    "RestError",
    "An answer of the REST API with a status of 400 and above; the first word is `code` in its body.",
    "The body's `message` says what was expected, `details` which fields.",
  ],
  [
    "OAuthError",
    "An answer of the token endpoint with a status of 400 and above, in the words of OAuth 2.0.",
    "`error_description` says what was expected; `sim.credentials` has the client.",
  ],
  [
    "InterruptedError",
    "A run of a server was ended between two of its steps: by `POST /_sim/interrupt`, by a reset, or because the server closed.",
    "What was done is done; go on with another advance.",
  ],
  [
    "ControlError",
    "An answer of the control plane of a server (`/_sim/`) with a status of 400 and above; the first word is `code` in its body.",
    "The body's `message` says what was expected, `details` which fields.",
  ],
  [
    "RangeError",
    "A server was given a pace that is none.",
    'Give `"virtual"`, `"realtime"` or how many times as fast as real time.',
  ],
  [
    "InvalidArgumentError",
    "An option of the `ringback` command has a value that it cannot have. Exit code 2.",
    "`ringback <command> --help` says what each option takes.",
  ],
  [
    "AggregateError",
    "Several handlers of one step threw.",
    "`errors` has each; the first is usually the one to look at.",
  ],
  [
    "UsageError",
    "The `ringback` command was given something that it cannot read. Exit code 2.",
    "The message begins with the file, the line and the column.",
  ],
  [
    "TypeError",
    "Something of the wrong kind, by mistake in code.",
    "The message says what to pass or to copy first.",
  ],
];

interface Thrown {
  readonly name: string;
  /** The first argument, where it is a code. */
  readonly code: string;
  readonly message: string;
}

/** The errors that the code makes. `Error` itself is thrown where only a defect of ours leads. */
export function errorNames(): string[] {
  const names = new Set(sourceFiles().flatMap((file) => thrownIn(file).map(({ name }) => name)));
  return [...names].filter((name) => name !== "Error").sort();
}

/** `docs/errors.md`: every error that the code throws, with its words. */
export function errorsPage(): string {
  const all = sourceFiles().flatMap(thrownIn);
  const codes = Object.entries(commandErrors).map(([code, [about, next]]) =>
    section(`\`${code}\``, `${capital(about)}.`, `${capital(next)}.`, [
      ...all.filter((each) => each.name === "CommandError" && each.code === code),
      ...playedRows(code as CommandErrorCode),
    ]),
  );
  const rest = others.map(([name, about, next]) =>
    section(
      `\`${name}\``,
      about,
      next,
      all.filter((each) => each.name === name),
    ),
  );
  return [
    "<!-- Made from the sources by `npm run generate`. Do not edit. -->",
    "# Errors",
    "Every error that you can cause, with its words as they stand in the code (`…` is what depends on the case) and what to do next.",
    "## CommandError",
    "A command that the current state does not allow, or whose arguments are wrong. **Nothing was changed.** `code` is for programs:",
    [
      "| code | what it is about | what to do next |",
      "|---|---|---|",
      ...Object.entries(commandErrors).map(([code, [about, next]]) => `| \`${code}\` | ${about} | ${next} |`),
    ].join("\n"),
    ...codes.map((each) => each.replace(/^## /, "### ")),
    ...rest,
    "",
  ].join("\n\n");
}

function section(title: string, about: string, next: string, thrown: readonly Thrown[]): string {
  const rows = [...new Set(thrown.map(({ code, message }) => row(code, message)))]
    .filter((each) => each !== "")
    .sort();
  return [
    `## ${title}`,
    about,
    `*What to do next:* ${next}`,
    ...(rows.length === 0 ? [] : [rows.join("\n")]),
  ].join("\n\n");
}

function row(code: string, message: string): string {
  const text = message.replaceAll(/\s+/g, " ").trim();
  // words that are put together elsewhere say nothing here
  if (!/[a-z]{3}/.test(text)) return "";
  const isStatus = /^[a-z_]+$/.test(code) && !Object.hasOwn(commandErrors, code);
  return `- ${isStatus ? `\`${code}\`: ` : ""}${text.replaceAll("|", "\\|").replaceAll("<", "&lt;")}`;
}

function capital(text: string): string {
  return text.startsWith("`") ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function thrownIn(file: ts.SourceFile): Thrown[] {
  const found: Thrown[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText(file))) {
      const texts = (node.arguments ?? []).map((argument) => wordsOf(argument));
      const [first = "", ...more] = texts;
      const isCode = /^[a-z_]+$/.test(first) && more.length > 0;
      const message = isCode
        ? (more[0] ?? "")
        : ([...texts].reverse().find((text) => /[a-z]{3}/.test(text)) ?? "");
      found.push({ name: nameIn(file, node.expression.getText(file)), code: isCode ? first : "", message });
    }
    const problem = isOfScenarios(file) ? problemIn(node, file) : undefined;
    if (problem !== undefined) found.push({ name: "ScenarioError", code: "", message: wordsOf(problem) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const isOfScenarios = (file: ts.SourceFile) => file.fileName.includes("/src/scenario/");

/** What is wrong with a scenario comes out as one kind of error. */
function nameIn(file: ts.SourceFile, name: string): string {
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

/** The words of a text as it is written, `…` for what is put in. */
function wordsOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join("");
  if (ts.isBinaryExpression(node)) return wordsOf(node.left) + wordsOf(node.right);
  if (ts.isConditionalExpression(node)) return wordsOf(node.whenTrue) || wordsOf(node.whenFalse);
  return "";
}
