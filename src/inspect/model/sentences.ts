import { durationText, exactDurationText } from "../../engine/instants.ts";
import type { CommandName } from "../../index.ts";
import { commands } from "../../platform/commands.ts";
import type { Mention, Words } from "../../platform/sentence.ts";
import type { Mentioned } from "../../story/lifelines.ts";
import { oneLine, sentenceText } from "../../story/words.ts";
import { type Cast, PLATFORM } from "./cast.ts";
import type { Outcome, RowKind } from "./types.ts";

/** A row in words: who does what, and where its arrow begins and ends. */
export interface Sentence {
  readonly kind: RowKind;
  /** The lane of the actor. */
  readonly from: string;
  readonly to: readonly string[];
  /** The actor's name, if it differs from the lane's. */
  readonly subject?: string;
  readonly verb: string;
  readonly detail: string;
  /** For a request, its result. */
  readonly outcome?: Outcome;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Finds parties and contacts by what the run's calls and messages know. */
export interface Names {
  readonly cast: Cast;
  /** The lane of a party that a command names, such as `caller`. */
  partyOf(call: string, who: string): string;
  /** The outside contact of a conversation. */
  contactOf(conversation: string): string;
}

const text = (value: unknown) => (value === undefined ? "" : oneLine(String(value)));

/** The sentence of a command. */
export function commandSentence(name: CommandName, args: Arguments, names: Names): Sentence {
  const special = sentences[name];
  if (special !== undefined) return special(args, names);
  const { cast } = names;
  const by = args.by ?? args.user;
  if (typeof args.url === "string" && name !== "createWebhook") {
    const to = cast.host(args.url);
    return {
      kind: "command",
      from: PLATFORM,
      to: [to],
      subject: cast.name(to),
      verb: plain(name, args),
      detail: text(args.url),
    };
  }
  const from =
    typeof args.call === "string" && args.user === undefined
      ? names.partyOf(args.call, String(by ?? "caller"))
      : by === undefined
        ? PLATFORM
        : cast.who(String(by));
  return {
    kind: "command",
    from,
    to: from === PLATFORM ? [] : [PLATFORM],
    verb: plain(name, args),
    detail: "",
  };
}

function plain(name: CommandName, args: Arguments): string {
  const { words }: { words(args: Arguments): Words } = commands[name] as never;
  const sentence = words(args);
  if (typeof sentence === "string") return oneLine(sentence);
  const { subject, mention, ...rest } = sentence;
  const about = typeof subject === "object" ? asGiven(subject) : subject;
  return oneLine(sentenceText({ subject: about, mention: mention && asGiven(mention), ...rest }));
}

/** Commands that are told by their words name people and conversations as the command does. */
function asGiven(mention: Mention): Mentioned {
  return { is: "unknown", text: Object.values(mention).flat().join(", ") };
}

const toPlatform = { to: [PLATFORM] };

const sentences: Partial<Record<CommandName, (args: Arguments, names: Names) => Sentence>> = {
  inbound: ({ from, to }, { cast }) => {
    const owner = cast.ownerOf(String(to));
    const detail = owner === undefined ? text(to) : `${text(to)}, ext. ${owner.extension}`;
    return {
      kind: "command",
      from: cast.outside(String(from), undefined),
      ...toPlatform,
      verb: `calls ${owner === undefined ? "" : oneLine(shortOf(owner.displayName))}`,
      detail,
    };
  },
  outbound: ({ from, to }, { cast }) => calls(String(from), String(to), cast),
  internal: ({ from, to }, { cast }) => calls(String(from), String(to), cast),
  redirect: ({ from, extension }, { cast }) => redirected(from, extension, cast),
  connectApplication: ({ from, extension }, { cast }) => redirected(from, extension, cast),
  dialLink: ({ user, contactNumber }, { cast }) => ({
    kind: "command",
    from: cast.who(String(user)),
    ...toPlatform,
    verb: `dials ${text(contactNumber)}`,
    detail: "from a link",
  }),
  answer: ({ call, by, endpoint }, names) => ({
    kind: "answer",
    from: names.partyOf(String(call), String(by)),
    ...toPlatform,
    verb: "answers",
    detail: endpoint === undefined ? "" : `on ${text(endpoint)}`,
  }),
  decline: ({ call, by, endpoint, busy }, names) => ({
    kind: "command",
    from: names.partyOf(String(call), String(by)),
    ...toPlatform,
    verb: busy === true ? "is busy" : "declines",
    detail: endpoint === undefined ? "" : `on ${text(endpoint)}`,
  }),
  leaveVoicemail: ({ call, duration, transcript }, names) => ({
    kind: "voicemail",
    from: names.partyOf(String(call), "caller"),
    ...toPlatform,
    verb: "speaks",
    detail: `${exactDurationText(Number(duration))} after the tone${transcript === undefined ? "" : `: “${text(transcript)}”`}`,
  }),
  createWebhook: ({ url, events }, { cast }) => {
    const from = cast.host(String(url));
    return {
      kind: "command",
      from,
      ...toPlatform,
      verb: `asks for ${(events as string[]).join(", ").replace(/^\*$/, "all events")}`,
      detail: text(url),
    };
  },
  receiveMessage: ({ from, to, text: words }, { cast }) => ({
    kind: "message",
    from: cast.outside(String(from), undefined),
    ...toPlatform,
    verb: `writes to ${oneLine(shortOf(cast.ownerOf(String(to))?.displayName ?? String(to)))}`,
    detail: words === undefined ? "" : `“${text(words)}”`,
  }),
  sendMessage: ({ from, to, body }, { cast }) =>
    message(cast.who(ownerId(String(from), cast)), [String(to)], body, cast),
  sendConversationMessage: (args, { cast }) => sent(args, cast),
  sendTeamMessage: (args, { cast }) => sent(args, cast),
  closeConversation: ({ conversation }, names) => ({
    kind: "command",
    from: PLATFORM,
    to: [],
    verb: "closes the conversation",
    detail: `with ${text(names.contactOf(String(conversation)))}`,
  }),
  traffic: ({ to, for: forMs }, { cast }) => ({
    kind: "command",
    from: PLATFORM,
    to: [],
    verb: `lets calls to ${oneLine(cast.ownerOf(String(to))?.displayName ?? String(to))} begin`,
    detail: `for ${durationText(Number(forMs))}`,
  }),
  issueToken: ({ client }, { cast }) => ({
    kind: "rest",
    from: cast.rest(),
    ...toPlatform,
    verb: "is given an access token",
    detail: text(client),
  }),
  restServed: (args, { cast }) => served(args, cast),
};

/** The sentence of a REST request and its answer. */
function served({ method, path, status, by, fault, deviation, after }: Arguments, cast: Cast): Sentence {
  const who = by === undefined ? "without a token" : `by ${text(by)}`;
  const late =
    after === undefined || after === 0 ? "" : `, answered ${exactDurationText(Number(after))} later`;
  const trouble =
    fault === undefined ? (deviation === undefined ? "" : ", a deviation") : ", a fault answers";
  return {
    kind: "rest",
    from: cast.rest(),
    ...toPlatform,
    subject: `${text(method)} ${text(path)}`,
    verb: "",
    detail: `${who}${late}${trouble}`,
    outcome: { kind: Number(status) < 400 ? "delivered" : "failed", text: String(status) },
  };
}

function shortOf(name: string): string {
  return name.split(" ")[0] || name;
}

function ownerId(number: string, cast: Cast): string {
  return cast.ownerOf(number)?.id ?? number;
}

function calls(from: string, to: string, cast: Cast): Sentence {
  const called = to.startsWith("+") ? text(to) : (cast.byExtension(to)?.displayName ?? to);
  const detail = to.startsWith("+") ? "" : `ext. ${text(to)}`;
  return { kind: "command", from: cast.who(from), ...toPlatform, verb: `calls ${oneLine(called)}`, detail };
}

function redirected(from: unknown, extension: unknown, cast: Cast): Sentence {
  const target = cast.byExtension(String(extension))?.displayName ?? text(extension);
  return {
    kind: "command",
    from: cast.outside(String(from), undefined),
    ...toPlatform,
    verb: `is redirected to ${oneLine(target)}`,
    detail: `ext. ${text(extension)}`,
  };
}

function sent(args: Arguments, cast: Cast): Sentence {
  const { contactAddress, contactAddresses, companyAddress, messageContent } = args as {
    contactAddress?: string;
    contactAddresses?: readonly string[];
    companyAddress?: string;
    messageContent?: { text?: string; sendAsUser?: string };
  };
  const to = [...(contactAddress === undefined ? [] : [contactAddress]), ...(contactAddresses ?? [])];
  const as = messageContent?.sendAsUser;
  const from = as === undefined ? PLATFORM : cast.who(as);
  const owner = companyAddress === undefined ? undefined : cast.ownerOf(companyAddress)?.displayName;
  const said = message(from, to, messageContent?.text, cast);
  return as === undefined && owner !== undefined ? { ...said, subject: oneLine(owner) } : said;
}

function message(from: string, to: readonly string[], words: unknown, cast: Cast): Sentence {
  return {
    kind: "message",
    from,
    to: to.map((number) => cast.outside(number, undefined)),
    verb: `writes to ${to.map((number) => oneLine(cast.name(number))).join(", ")}`,
    detail: words === undefined ? "" : `“${text(words)}”`,
  };
}
