import ts from "typescript";
import { camelCase, check, type Kind, noteChange, oneOf, pascal } from "./addition.ts";
import { Refused, type Tree } from "./tree.ts";

export const INVERSES = "src/platform/score/inverses.ts";
const EXAMPLES = "src/rest/openapi/examples.ts";

interface Subject {
  /** The file of the score, and the object of its happenings. */
  readonly file: string;
  readonly list: string;
  /** What a happening about it carries, as the score's file declares it in `cast.ts`. */
  readonly carries: string;
  /** The fields of its data, as its schema declares them. */
  readonly data: string;
  /** The line that publishes it. */
  publish(type: string): string;
  /** The instant and the laws of its record. */
  readonly inverse: string;
  /** How a fact of its machine publishes it, if it can have one. */
  readonly fact?: { readonly machine: string; readonly type: string; readonly list: string };
}

/** The inverse of an event whose record has no instant of its own. */
const bareInverse = "instant: undefined,\n    laws: [],";

/** What events are about: the first word of their type. */
const subjects: Readonly<Record<string, Subject>> = {
  call: {
    file: "calls",
    list: "callHappenings",
    carries: "readonly callId: string; readonly party: Party",
    data: 'call, party: one(party, "The party that it is about.")',
    publish: (type) =>
      `publish("${type}", (p, { callId, party }) => ({ call: p.callRecords.get(callId), party }))`,
    inverse: `instant: changed("call.lastModified"),\n    laws: [...callLaws],`,
    fact: { machine: "machines/call.ts", type: "CallFact", list: "callLines" },
  },
  conversation: {
    file: "conversations",
    list: "conversationHappenings",
    carries: "readonly conversation: KeptConversation",
    data: "conversation",
    publish: (type) =>
      `publish("${type}", (_p, { conversation }) => ({ conversation: conversationRecord(conversation) }))`,
    inverse: bareInverse,
  },
  team: {
    file: "people",
    list: "peopleHappenings",
    carries: "readonly team: TeamRecord",
    data: 'team: one(team, "The team as it is from that instant on.")',
    publish: (type) => `publish("${type}", (_p, { team }) => ({ team }))`,
    inverse: bareInverse,
  },
};

/** An event: its schema, and the line of the score that publishes it, of a happening or of a fact of the machine. */
export const event: Kind = {
  usage: "<type> [fact]",
  about:
    "an event, such as `call.parked`, or `call.parked parked` if a new fact of the call's machine publishes it",
  add(tree, given, cause) {
    const type = check("event", given, /^[a-z]+(\.[a-z_]+)+$/, "call.parked");
    const [first = "", ...rest] = type.split(/[._]/);
    const subject = oneOf("subject of events", first, Object.keys(subjects));
    const about = subjects[subject] as Subject;
    const words = rest.join(" ").replaceAll("_", " ");
    tree.addToObject(
      "src/records/schemas/events.ts",
      "eventData",
      type,
      `  "${type}": data("A ${subject} is ${words}.", { ${about.data} })`,
    );
    const commands = commandsBehind(tree, type);
    const listed = commands.map((name) => `"${name}"`).join(", ");
    tree.addToObject(
      INVERSES,
      "inverses",
      type,
      `  "${type}": {\n    commands: [${listed}],\n    timers: [],\n    settings: [],\n    ${about.inverse}\n  }`,
    );
    const happening = `${first}${rest.map(pascal).join("")}`;
    const causedBy =
      cause === undefined
        ? addHappening(tree, about, type, happening, `A ${subject} is ${words}.`)
        : writeFact(
            tree,
            about,
            check("fact", cause, camelCase, "parked"),
            "; readonly party: string",
            `ofParty([${about.publish(type)}])`,
          );
    for (const name of commands) bringAbout(tree, name);
    return [
      "src/records/schemas/events.ts: when it happens, and what it carries",
      causedBy,
      `${INVERSES}: what can bring it about, its instant and its laws`,
      commands.length > 0
        ? `${EXAMPLES}, exampleEvents: what else must happen before it`
        : `${EXAMPLES}, exampleEvents: bring it about`,
      "src/import/*-steps.ts, of its subject: which step explains it in a capture; a lesson with it is imported by a test",
      "a lesson whose full golden file shows it",
      noteChange(tree, `The event \`${type}\``, "hear"),
    ];
  },
};

/** A fact that publishes nothing by itself. */
export const fact: Kind = {
  usage: "<name>",
  about: "a fact of the call's machine that publishes no event, such as `parkedTooLong`",
  add(tree, given) {
    const name = check("fact", given, camelCase, "parkedTooLong");
    const emitted = writeFact(tree, subjects.call as Subject, name, "", "");
    return [emitted, `${scoreOf(subjects.call as Subject)}: what follows from ${name}`];
  },
};

/** The commands on calls that an event is named after: `park`, given `call.parked`. */
function commandsBehind(tree: Tree, type: string): string[] {
  const declared = tree.read("src/platform/calls/commands.ts").matchAll(/^ {2}(\w+): (?:byAnyone|on\w+)\(/gm);
  const names = Array.from(declared, ([, name = ""]) => name);
  return names.filter((name) => eventsNamedAfter(name).includes(type));
}

/** Lets Alice give a command on a call of its own, for the example of the event that is named after it. */
export function bringAbout(tree: Tree, command: string): void {
  const example = tree.find("src/node/control-examples.ts", `the example of ${command}`, (node) =>
    ts.isPropertyAssignment(node) && node.name.getText() === command ? node.initializer : undefined,
  );
  const before = [...example.getText().matchAll(/\.get\(call\)\.(\w+)\("alice"\)/g)].map(([, name]) => name);
  const call = `callTo${pascal(command)}`;
  const given = ["answer", ...before, command].map((name) => `  ${call}.${name}("alice");`);
  tree.addBefore(
    EXAMPLES,
    "events",
    [`const ${call} = sim.calls.inbound({ from: "+6421555009", to: "+6495550100" });`, ...given].join("\n"),
  );
}

/** The events on calls that may be named after a command: `call.parked`, given `park`. */
export function eventsNamedAfter(command: string): string[] {
  return [`call.${command}d`, `call.${command}ed`];
}

/** @returns what is left to say of it */
function addHappening(tree: Tree, about: Subject, type: string, name: string, comment: string): string {
  tree.addToInterface(
    "src/platform/cast.ts",
    "Happenings",
    name,
    `  /** ${comment} */\n  ${name}: { ${about.carries} };`,
  );
  tree.addToObject(scoreOf(about), about.list, name, `  ${name}: [${about.publish(type)}]`);
  return `the command or the task that brings it about: world.happened("${name}", …)`;
}

/**
 * @param carries its fields besides its type
 * @param line of the score
 * @returns what is left to say of it
 */
function writeFact(tree: Tree, about: Subject, name: string, carries: string, line: string): string {
  if (about.fact === undefined)
    throw new Refused(`"${name}": only a call's event can be published by a fact; leave it out`);
  const { machine, type: facts, list } = about.fact;
  tree.addToUnion(machine, facts, name, `{ readonly type: "${name}"${carries} }`);
  tree.addToObject(scoreOf(about), list, name, `  ${name}: [${line}]`);
  tree.addToObject("src/story/tellings.ts", "call", name, `    ${name}: shown`);
  return `${machine}: the transition that emits ${name}`;
}

function scoreOf({ file }: Subject): string {
  return `src/platform/score/${file}.ts`;
}
