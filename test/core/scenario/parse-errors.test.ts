import { describe, expect, test } from "vitest";
import { commands } from "../../../src/core/platform/catalogue/commands.ts";
import { withStepMoved } from "../../../src/core/scenario/misplaced-step.ts";
import { demoOrganisation, parseScenario } from "../../../src/index.ts";
import { expecting, expectProblem, janeCalls, problemsIn, withSteps } from "./support.ts";

type Case = readonly [rule: string, marked: string, problem: string | RegExp];

const everyKey =
  "scenario, description, rules, organisation, seed, start, ids, profile, timing, assume, network, dialect, webhooks, urls, until, steps, deviations, expect, questions";
const everyStep = Object.keys(commands)
  .filter((name) => !/^rest(Asked|Served)$/.test(name))
  .join(", ");
const users = "alice, bob, carol, dave, erin";
const emails = users.replaceAll(/\w+/g, "$&@acme.test");
const busy = "setAvailability: { user: alice, status: busy }";

const janeWrites =
  '{ at: PT0S, receiveMessage: { as: m1, from: "+6421555001", to: "+6495550100", text: Hi } }';

const crmHook = '{ at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test", events: ["*"] } }';

/** The mark ^ is where the error must point to. */
describe("parseScenario refuses, at its place,", () => {
  const texts: Case[] = [
    [
      "a list that is not closed",
      "scenario: [a\n^steps: []\n",
      /^not well-formed YAML: wrong indentation, or the \[ before this must be closed: .*end with a \]/,
    ],
    ["JSON that is not closed", '{"scenario": "T", "steps": [^}', /^not well-formed YAML: /],
    ["a key that is given twice", "scenario: T\n^scenario: U\nsteps: []\n", /not well-formed YAML: .*unique/],
    ["a second document", "scenario: T\nsteps: []\n^---\n", /not well-formed YAML: expected one document/],
    ["an alias without its anchor", "scenario: ^*x\nsteps: []\n", /not well-formed YAML: Unresolved alias/],
    ["an empty text", "^", "the file is empty, expected { scenario, steps, ... }"],
    ["a text that is no object", "^hello\n", 'expected an object { scenario, steps, ... }, got "hello"'],
    ["a list", "^- 1\n", "expected { scenario, steps, ... }, got [1]"],
  ];
  test.each(texts)("%s", (_, marked, problem) => expectProblem(marked, problem));

  test("aliases that expand without limit", () => {
    const layers = ["b", "c", "d", "e"].map(
      (name, at) => `${name}: &${name} [${`*${"abcd"[at]},`.repeat(10)}]\n`,
    );
    expectProblem(`^a: &a [x]\n${layers.join("")}`, /not well-formed YAML: Excessive alias count/);
  });

  const heads: Case[] = [
    [
      "an unknown key",
      "scenario: T\nsteps: []\n^colour: red\n",
      `colour: unknown key, expected one of: ${everyKey}`,
    ],
    ["a misspelt key, not the key that is then missing", "scenario: T\n^setps: []\n", "setps: unknown key"],
    ["a key that is a number", "scenario: T\n^1: 2\nsteps: []\n", "1: unknown key"],
    ["no title", "# a comment\n^seed: 1\nsteps: []\n", "scenario: missing"],
    ["no steps", "^scenario: T\n", "steps: missing"],
    [
      "a title of another type",
      "scenario: ^5\nsteps: []\n",
      'scenario: expected text, got 5; put it in quotes: "5"',
    ],
    ["an empty title", "scenario: ^''\nsteps: []\n", "scenario: expected text that is not empty"],
    ["steps that are no list", "scenario: T\nsteps: ^{}\n", "steps: expected a list, got {}"],
    [
      "an expected stream that is no list",
      "scenario: T\nsteps: []\nexpect: ^5\n",
      "expect: expected a list, got 5",
    ],
    [
      "a seed that is neither text nor number",
      "scenario: T\nseed: ^[1]\nsteps: []\n",
      "seed: expected text or a number",
    ],
    ["a seed without end", "scenario: T\nseed: ^.inf\nsteps: []\n", "seed: expected a finite number"],
    [
      "a start that is no instant",
      "scenario: T\nstart: ^yesterday\nsteps: []\n",
      "start: expected an instant",
    ],
    [
      "unknown ids",
      "scenario: T\nids: ^random\nsteps: []\n",
      'ids: expected one of nanoid, counter, uuid, got "random"',
    ],
    [
      "a timing that is no duration",
      "scenario: T\ntiming: { ringTimeout: ^soon }\nsteps: []\n",
      /^timing\.ringTimeout: expected a duration .*, got "soon"$/,
    ],
    [
      "an unknown timing",
      "scenario: T\ntiming: { ^ringTime: PT5S }\nsteps: []\n",
      'timing.ringTime: unknown key; did you mean "ringTimeout"?',
    ],
    [
      "a schedule that goes back",
      "scenario: T\nwebhooks: { schedule: ^[PT0S, PT9S, PT5S] }\nsteps: []\n",
      "webhooks.schedule: expected offsets that begin with 0 and never decrease",
    ],
    [
      "an unknown option of webhooks",
      "scenario: T\nwebhooks: { ^limit: 5 }\nsteps: []\n",
      "webhooks.limit: unknown key, expected one of: schedule, failureLimit",
    ],
    [
      "an address that is none",
      "scenario: T\nurls: { redirect: ^ftp://acme.test }\nsteps: []\n",
      'urls.redirect: expected an http or https URL without a query, such as "https://phones.acme.test", got "ftp://acme.test"',
    ],
    [
      "an unknown order of the network",
      "scenario: T\nnetwork: { order: ^lifo }\nsteps: []\n",
      'network.order: got "lifo"; did you mean "fifo"? Expected one of fifo, shuffled',
    ],
    [
      "an end that is no duration",
      "scenario: T\nuntil: ^later\nsteps: []\n",
      /^until: expected a duration .*, got "later"$/,
    ],
  ];
  test.each(heads)("%s", (_, marked, problem) => expectProblem(marked, problem));

  const steps: Case[] = [
    [
      "an unknown step",
      withSteps(["{ at: PT0S, ^ring: {} }"]),
      `steps[0].ring: unknown step "ring", expected a command: ${everyStep}`,
    ],
    [
      "two commands in a step",
      withSteps([`^{ at: PT0S, ${busy}, hangup: {} }`]),
      "steps[0]: expected one command in a step, got 2: setAvailability, hangup",
    ],
    [
      "a step without a command",
      withSteps(["^{ at: PT0S }"]),
      "steps[0]: expected a command, such as inbound, answer or hangup, and what it takes",
    ],
    ["a step that is no object", withSteps(["^PT0S"]), /^steps\[0\]: .*, got "PT0S"$/],
    ["a step without a time", withSteps([`^{ ${busy} }`]), "steps[0].at: missing"],
    [
      "a time that is no duration",
      withSteps([`{ at: ^5 minutes, ${busy} }`]),
      /^steps\[0\]\.at: expected a duration .*, got "5 minutes"$/,
    ],
    [
      "a time before the start",
      withSteps([`{ at: ^-PT5S, ${busy} }`]),
      /^steps\[0\]\.at: expected a duration .*0 or more/,
    ],
    [
      "time that goes backwards",
      withSteps([`{ at: PT5.5S, ${busy} }`, `{ at: ^PT4S, ${busy} }`]),
      "steps[1].at: time goes backwards: the step before is at PT5.5S",
    ],
    [
      "a step without arguments",
      withSteps(["{ at: PT0S, inbound: ^}"]),
      "steps[0].inbound: expected an object { from, to, ... }, got null",
    ],
    [
      "an argument that is missing",
      withSteps(['{ at: PT0S, inbound: ^{ from: "+6421555001" } }']),
      "steps[0].inbound.to: missing",
    ],
    [
      "an unknown argument",
      withSteps([janeCalls, "{ at: PT1S, answer: { call: c1, ^who: alice, by: alice } }"]),
      "steps[1].answer.who: unknown key, expected one of: call, by, endpoint",
    ],
    [
      "a number that YAML reads as one",
      withSteps(['{ at: PT0S, inbound: { from: ^+6421555001, to: "+6495550100" } }']),
      /^steps\[0\]\.inbound\.from: expected a phone number .*, got 6421555001; put it in quotes: "\+6421555001"$/,
    ],
    [
      "an unknown call",
      withSteps([janeCalls, "{ at: PT1S, hangup: { call: ^c2, by: caller } }"]),
      'steps[1].hangup.call: unknown call "c2"; named by `as` before: c1',
    ],
    [
      "a call that is named only later",
      withSteps(["{ at: PT0S, hangup: { call: ^c1, by: caller } }", janeCalls]),
      'steps[0].hangup.call: unknown call "c1"; named by `as` before: none',
    ],
    [
      "an unknown conversation",
      withSteps([janeCalls, "{ at: PT1S, closeConversation: { conversation: ^c1 } }"]),
      'steps[1].closeConversation.conversation: unknown conversation "c1"; named by `as` before: none',
    ],
    [
      "a call that is a conversation",
      withSteps([janeWrites, "{ at: PT1S, hangup: { call: ^m1, by: caller } }"]),
      'steps[1].hangup.call: unknown call "m1"; named by `as` before: none',
    ],
    [
      "an unknown webhook",
      withSteps([crmHook, "{ at: PT1S, removeWebhook: { webhook: ^erp } }"]),
      'steps[1].removeWebhook.webhook: unknown webhook "erp"; named by `as` before: crm',
    ],
    [
      "a webhook that is a call",
      withSteps([janeCalls, "{ at: PT1S, updateWebhook: { webhook: ^c1, enabled: true } }"]),
      'steps[1].updateWebhook.webhook: unknown webhook "c1"; named by `as` before: none',
    ],
    [
      "a name that a webhook has",
      withSteps([crmHook, janeCalls.replace("as: c1", "as: ^crm")]),
      'steps[1].inbound.as: another webhook is named "crm" already',
    ],
    [
      "a name that a conversation has",
      withSteps([janeWrites, janeCalls.replace("as: c1", "as: ^m1")]),
      'steps[1].inbound.as: another conversation is named "m1" already',
    ],
    [
      "a name that another call has",
      withSteps([janeCalls, janeCalls.replace("c1", "^c1")]),
      'steps[1].inbound.as: another call is named "c1" already',
    ],
    [
      "a name for the call of another command",
      withSteps([janeCalls, "{ at: PT1S, hangup: { ^as: c2, call: c1, by: caller } }"]),
      "steps[1].hangup.as: unknown key",
    ],
    [
      "an unknown party",
      withSteps([janeCalls, "{ at: PT1S, answer: { call: c1, by: ^zoe } }"]),
      `steps[1].answer.by: unknown party "zoe"; known: caller, callee, ${users}, lobby, ${emails}`,
    ],
    [
      "a team for a party",
      withSteps([janeCalls, "{ at: PT1S, answer: { call: c1, by: ^sales } }"]),
      'steps[1].answer.by: unknown party "sales"',
    ],
    [
      "an unknown user",
      withSteps(["{ at: PT0S, setAvailability: { user: ^zoe, status: busy } }"]),
      `steps[0].setAvailability.user: unknown user "zoe"; known: ${users}, ${emails}`,
    ],
    [
      "a number for a user",
      withSteps(['{ at: PT0S, setEndpoint: { user: ^"+6495550100", endpoint: mobile, registered: true } }']),
      'steps[0].setEndpoint.user: unknown user "+6495550100"',
    ],
    [
      "what is wrong behind an alias, where it is written",
      withSteps([
        janeCalls,
        "{ at: PT1S, answer: &who { call: c1, by: alice, ^end: mobile } }",
        "{ at: PT2S, decline: *who }",
      ]),
      "steps[1].answer.end: unknown key",
    ],
  ];
  test.each(steps)("%s", (_, marked, problem) => expectProblem(marked, problem));

  const lines: Case[] = [
    [
      "an expected line without an offset",
      expecting("^call.started"),
      'expect[0]: expected an offset from the start and an event type, such as "PT6S call.answered", got "call.started"',
    ],
    [
      "an expected line without a type",
      expecting("^PT5S"),
      "expect[0]: expected an offset from the start and an event type",
    ],
    [
      "an expected line that goes on",
      expecting("^PT5S call.ended now"),
      "expect[0]: expected an offset from the start and an event type",
    ],
    [
      "an offset before the start",
      expecting("^-PT5S call.ended"),
      "expect[0]: expected an offset from the start",
    ],
    [
      "an unknown type of event",
      expecting("^PT0S call.begun"),
      /^expect\[0\]: expected one of the event types call\.started, .*, got "PT0S call\.begun"$/,
    ],
    [
      "an unknown type of event beside a match",
      expecting("{ event: ^PT0S call.begun, match: {} }"),
      /^expect\[0\]\.event: expected one of the event types /,
    ],
    [
      "an expected line of another type",
      expecting("^5"),
      /^expect\[0\]: expected .*, \{ event, match \} or \{ attempt, ... \}, got 5$/,
    ],
    [
      "an unknown key of an expected line",
      expecting("{ event: PT0S call.started, ^macth: {} }"),
      'expect[0].macth: unknown key; did you mean "match"?',
    ],
    [
      "an attempt without an offset",
      expecting("{ attempt: ^call.ended }"),
      "expect[0].attempt: expected an offset from the start and an event type",
    ],
    [
      "an attempt of an unknown webhook",
      expecting("{ attempt: PT0S call.ended, webhook: ^crm }"),
      'expect[0].webhook: unknown webhook "crm"; named by `as`: none',
    ],
    [
      "an unknown state of a delivery",
      expecting("{ attempt: PT0S call.ended, state: ^failed }"),
      "expect[0].state: expected one of pending, delivered, givenUp, dropped",
    ],
    [
      "an unknown key of an attempt",
      expecting("{ attempt: PT0S call.ended, ^match: {} }"),
      "expect[0].match: unknown key, expected one of: attempt, webhook, number, status, failure, ended",
    ],
    ["a match without an event", expecting("^{ match: {} }"), "expect[0].event: missing"],
    [
      "a match that is no object",
      expecting("{ event: PT0S call.started, match: ^4 }"),
      "expect[0].match: expected a part of the data, got 4",
    ],
  ];
  test.each(lines)("%s", (_, marked, problem) => expectProblem(marked, problem));
});

describe("parseScenario refuses an organisation", () => {
  const broken = "id: office\nusers:\n  - { id: zoe, email: nobody, displayName: Zoe, extension: '1' }\n";
  const inline = (lines: string) => `scenario: T\norganisation:\n${lines}steps: []\n`;

  test("that is unknown, at the name, with the known names", () => {
    expectProblem(
      "scenario: T\norganisation: ^acne\nsteps: []\n",
      'organisation: no organisation is named "acne"; did you mean "acme"?',
      { organisations: { office: broken } },
    );
  });

  test("whose name is a property of JavaScript objects", () => {
    expectProblem(
      "scenario: T\norganisation: ^constructor\nsteps: []\n",
      /^organisation: no organisation is named/,
    );
  });

  test("that is empty", () => {
    expectProblem(
      "scenario: T\norganisation:^\nsteps: []\n",
      "organisation: expected an object { id, ... }, got null",
    );
  });

  test("with a wrong field, at the field and with its path", () => {
    expectProblem(
      inline("  id: office\n  users:\n    - { id: zoe, email: ^nobody, displayName: Zoe, extension: '1' }\n"),
      'organisation.users[0].email: expected an e-mail address, got "nobody"',
    );
  });

  test("with an unknown key, at the key", () => {
    expectProblem(
      inline("  id: office\n  ^usres: []\n"),
      'organisation.usres: unknown key; did you mean "users"?',
    );
  });

  test("with a dangling reference, at the reference", () => {
    expectProblem(
      inline('  id: office\n  numbers:\n    - number: "+641"\n      owner: ^zoe\n'),
      'organisation.numbers[0].owner: no user, team or device has the id "zoe"; known: none',
    );
  });

  test("from a file with a wrong field, at the name, with the file's position and the path", () => {
    expectProblem(
      "scenario: T\norganisation: ^office\nsteps: []\n",
      'organisation: in "office", line 3, column 23: users[0].email: expected an e-mail address, got "nobody"',
      { organisations: { office: broken } },
    );
  });

  test("from a malformed file, at the name, with the file's position", () => {
    expectProblem(
      "scenario: T\norganisation: ^office\nsteps: []\n",
      /^organisation: in "office", line 2, column 1: not well-formed YAML/,
      { organisations: { office: "id: [office\nusers: []\n" } },
    );
  });

  test("from a file only where it is named", () => {
    const scenario = parseScenario("scenario: T\nsteps: []\n", { organisations: { office: broken } });
    expect(scenario.options.organisation?.id).toBe(demoOrganisation.id);
  });
});

describe("A step behind the last list of a scenario", () => {
  const steps = "scenario: T\nsteps:\n  - { at: PT0S, hangup: { call: c1, by: caller } }\n";
  const step = "{ at: PT9S, answer: { call: c1, by: alice } }";

  test.each([
    ["expect", "expect:\n  - PT0S call.started"],
    ["deviations", "deviations:\n  - { attempt: PT0S call.started, is: lost }"],
  ])("is refused as a step, and can be moved above `%s`", (list, lines) => {
    const text = `${steps}${lines}\n  - ${step}\n`;
    const problem = problemsIn(text).find(({ message }) => message.startsWith("this is a step"));
    expect(problem).toMatchObject({
      path: `${list}[1]`,
      line: 6,
      message: `this is a step: it belongs to \`steps\`, above \`${list}\``,
    });
    expect(withStepMoved(text, `${list}[1]`)).toBe(`${steps}  - ${step}\n${lines}\n`);
  });

  test("is not moved out of a list in one line", () => {
    expect(withStepMoved(`${steps}expect: [${step}]\n`, "expect[0]")).toBeUndefined();
  });
});
