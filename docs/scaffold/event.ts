import { check, type Kind, oneOf, pascal } from "./addition.ts";

interface Subject {
  /** The file of the score, and the object of its happenings. */
  readonly file: string;
  readonly list: string;
  /** What a happening about it carries, as the score's file declares it in `cast.ts`. */
  readonly carries: string;
  /** The lines that publish it. */
  publish(type: string): string;
  /** How it is told, if what it carries has no words. */
  readonly words?: string;
}

/** What events are about: the first word of their type. */
const subjects: Readonly<Record<string, Subject>> = {
  call: {
    file: "calls",
    list: "callHappenings",
    carries: "readonly callId: string",
    publish: (type) => `ofCall(publish("${type}", call))`,
    words: "({ call }) => call.status",
  },
  conversation: {
    file: "conversations",
    list: "conversationHappenings",
    carries: "readonly conversation: KeptConversation",
    publish: (type) =>
      `publish("${type}", (_p, { conversation }) => ({ conversation: conversationRecord(conversation) }))`,
  },
  team: {
    file: "people",
    list: "peopleHappenings",
    carries: "readonly team: TeamRecord",
    publish: (type) => `publish("${type}", (_p, { team }) => ({ team }))`,
  },
};

/** An event: its schema, and a happening whose line of the score publishes it. */
export const event: Kind = {
  usage: "<type>",
  about: "an event, such as `call.parked`",
  add(tree, given) {
    const type = check("event", given, /^[a-z]+(\.[a-z_]+)+$/, "call.parked");
    const [first = "", ...rest] = type.split(/[._]/);
    const subject = oneOf("subject of events", first, Object.keys(subjects));
    const { file, list, carries, publish, words: told } = subjects[subject] as Subject;
    const happening = `${first}${rest.map(pascal).join("")}`;
    const path = `src/platform/score/${file}.ts`;
    const words = rest.join(" ").replaceAll("_", " ");
    tree.addToObject(
      "src/records/schemas/events.ts",
      "eventData",
      type,
      `  "${type}": data("A ${subject} is ${words}.", { ${subject} })`,
    );
    tree.addToInterface(
      "src/platform/cast.ts",
      "Happenings",
      happening,
      `  /** A ${subject} is ${words}. */\n  ${happening}: { ${carries} };`,
    );
    tree.addToObject(path, list, happening, `  ${happening}: [${publish(type)}]`);
    if (told !== undefined) tree.addToObject("src/story/words.ts", "notes", type, `  "${type}": ${told}`);
    return [
      "src/records/schemas/events.ts: when it happens, and what it carries",
      `the command or the task that brings it about: world.happened("${happening}", …). If a machine tells it, move the line of ${path} to the machine's fact, and remove ${happening}`,
      "src/rest/openapi/examples.ts, exampleEvents: bring it about",
      ...(told === undefined ? [] : ["src/story/words.ts: what a timeline says of it"]),
      "a lesson whose full golden file shows it",
      "CHANGELOG.md: what a consumer can hear now",
    ];
  },
};
