import { Duration } from "luxon";
import type { Scenario } from "../../src/index.ts";
import { listedWithAnd } from "../../src/inspector/model/question-words.ts";
import { nameOf, rowOfStep, sentenceOf } from "./near-runs.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** What a step does, as a person would tell it. */

type Step = Scenario["steps"][number];
type Args = Readonly<Record<string, unknown>>;

/** A step as a sentence without its full stop: `Jane Smith calls Alice`. Users have their first names. */
export function actWords(step: Step, run: RecordedRun): string {
  const words = sentences[step.command]?.(step.args, step, run) ?? plainly(sentenceOf(run, step));
  return firstNames(words, run);
}

/** The words that a run has for a step, as a person says them: `asks for 30 seconds of wrap-up`, `on desktop and mobile`. */
function plainly(words: string): string {
  return words.replace(/\b(\d+)s of /, "$1 seconds of ").replace(/ on ([\w-]+), ([\w-]+)$/, " on $1 and $2");
}

/** A duration as people say it: `5 seconds`, `1 hour`. */
export function durationWords(ms: number): string {
  const units = [
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1000, "second"],
  ] as const;
  const [size, unit] = units.find(([each]) => ms % each === 0 && ms >= each) ?? [1000, "second"];
  return `${ms / size} ${unit}${ms === size ? "" : "s"}`;
}

/** The host of an address: `crm.acme.test`. */
export const hostOf = (url: unknown): string => new URL(String(url)).host;

/** Undefined where the words that a run has for the step are as good. */
const sentences: Readonly<Record<string, (args: Args, step: Step, run: RecordedRun) => string | undefined>> =
  {
    createWebhook: ({ url, events }) =>
      Array.isArray(events)
        ? `a webhook sends ${listedWithAnd(events.map(String))} to ${hostOf(url)}`
        : undefined,
    updateWebhook: ({ enabled }) => (enabled === true ? "the webhook is enabled again" : undefined),
    fault: faultWords,
    conditions: conditionWords,
    route: routeWords,
    inbound: inboundWords,
    leaveVoicemail({ duration, transcript }, step, run) {
      const said = transcript === undefined ? "" : `: ‘${transcript}’`;
      return `${rowOfStep(run, step)?.subject} speaks for ${durationWords(Number(duration))} after the tone${said}`;
    },
    setAvailability({ user, status, rule }, _, run) {
      const name = nameOf(run, String(user));
      if (status === "available") return `${name} is available again`;
      return rule === "doNotDisturb" ? `${name} sets do not disturb` : `${name} sets busy`;
    },
    behave: behaviourWords,
    traffic({ every, for: length, behaviour }, step, run) {
      const calls = sentenceOf(run, step).replace(/^Calls to /, "somebody calls ");
      const end =
        (behaviour as Args | undefined)?.voicemail === "hangUp" ? ", and hangs up if voicemail answers" : "";
      return `${calls} every ${durationWords(Number(every))}, for ${durationWords(Number(length))}${end}`;
    },
    setEndpoint({ user, endpoint, registered }, _, run) {
      const phone = `${nameOf(run, String(user))}'s ${endpoint}`;
      return registered === false ? `${phone} loses its connection` : `${phone} is connected`;
    },
    redirect({ timeout, returnTo, sendToVoicemail }, step, run) {
      const [who, target] = sentenceOf(run, step).split(" is redirected to ");
      if (target === undefined) return undefined;
      if (sendToVoicemail !== undefined)
        return `another app sends ${who} straight to the voicemail of ${target}`;
      const ringing =
        timeout === undefined ? "" : `, for ${durationWords(Number(timeout) * 1000)} of ringing`;
      return `another app hands ${who} over to ${target}${ringing}${returnTo === undefined ? "" : ", and wants the call back if nobody answers"}`;
    },
    receiveMessage({ media, channel }, step, run) {
      const words = sentenceOf(run, step);
      const [who, owner] = words.split(/ writes to | by /);
      if (!Array.isArray(media) || media.length === 0) return withColon(words);
      return `${who} sends ${owner} a picture${channel === "whatsApp" ? " by WhatsApp" : ""}`;
    },
    sendMessage: (_, step, run) => withColon(sentenceOf(run, step)),
    sendConversationMessage: appMessageWords,
    sendTeamMessage: appMessageWords,
  };

const withColon = (words: string): string => words.replace(/ ‘/, ": ‘");

function faultWords({ url, status, times }: Args, { atMs }: Step): string | undefined {
  if (url === undefined || typeof status !== "number") return undefined;
  const which = atMs === undefined || atMs === 0 ? "first" : "next";
  if (times === 0) return `${hostOf(url)} answers as before again`;
  if (times === undefined) return `${hostOf(url)} answers ${status} to each request`;
  return `${hostOf(url)} answers ${status} to the ${which} ${times === 1 ? "request" : `${times} requests`}`;
}

function conditionWords({ url, duplicate, reorder, loss }: Args): string | undefined {
  if (url === undefined) return undefined;
  if (duplicate === 1) return `each request to ${hostOf(url)} arrives twice`;
  if (typeof reorder === "number" && reorder > 0)
    return `a request to ${hostOf(url)} may be held back, so that others overtake it`;
  if (loss === 1) return `each request to ${hostOf(url)} gets lost`;
  return loss === 0 ? `requests reach ${hostOf(url)} again` : undefined;
}

function routeWords({ url, body, after }: Args): string {
  const entries = typeof body === "object" && body !== null ? Object.entries(body) : [];
  const isShort = entries.length > 0 && entries.every(([, value]) => typeof value !== "object");
  const what = isShort ? ` “${entries.map(([key, value]) => `${key}: ${value}`).join(", ")}”` : "";
  const when = after === 0 || after === undefined ? "" : ` after ${durationWords(Number(after))}`;
  return `${hostOf(url)} answers${what}${when}${what + when === "" ? " what it is asked" : ""}`;
}

function inboundWords({ behaviour, priority }: Args, step: Step, run: RecordedRun): string {
  const { patience, talk } = (behaviour ?? {}) as Args;
  const longest = typeof patience === "number" ? patience : (patience as Args | undefined)?.fixed;
  const parts = [
    sentenceOf(run, step),
    ...(typeof longest === "number" ? [`waits at most ${durationWords(longest)}`] : []),
    ...(typeof talk === "number" ? [`talks for ${durationWords(talk)}`] : []),
  ];
  return `${listedWithAnd(parts)}${priority === undefined ? "" : `, with priority ${priority}`}`;
}

function behaviourWords({ user, number, behaviour }: Args, _: Step, run: RecordedRun): string | undefined {
  const { answer, talk, wrapUp } = behaviour as Args;
  const { after, endpoint } = (answer ?? {}) as Args;
  if (typeof after !== "number") return undefined;
  const on = endpoint === undefined ? "" : ` on ${endpoint}`;
  const parts = [
    `${nameOf(run, String(user ?? number))} answers each call${on} after ${durationWords(after)} of ringing`,
    ...(typeof talk === "number" ? [`talks for ${durationWords(talk)}`] : []),
    ...(typeof wrapUp === "number" ? [`needs ${durationWords(wrapUp)} for notes`] : []),
  ];
  return listedWithAnd(parts);
}

function appMessageWords(
  { closeTimer, routingAction, notificationMode }: Args,
  step: Step,
  run: RecordedRun,
): string {
  const words = withColon(sentenceOf(run, step))
    .replace(/^a message/i, "an app sends a message")
    .replace(/ to ([^:]+): /, (_, people: string) => ` to ${listedWithAnd(people.split(", "))}: `);
  const more = [
    ...(closeTimer === undefined
      ? []
      : [`sets a close timer of ${durationWords(Duration.fromISO(String(closeTimer)).toMillis())}`]),
    ...(routings[String(routingAction)] ?? []),
    ...(notifications[String(notificationMode)] ?? []),
  ];
  if (more.length === 0) return words;
  return `${words}${/[.?!]’?$/.test(words) ? "" : "."} The app ${listedWithAnd(more)}`;
}

/** Whom an app gives a conversation to. */
const routings: Readonly<Record<string, readonly string[]>> = {
  assign_owner: ["gives the conversation to the owner of the number"],
  assign_team: ["gives the conversation to the team"],
  assign_users: ["says which users get the conversation"],
  do_not_route: ["gives the conversation to nobody"],
};

/** Whether people hear of an app's message. */
const notifications: Readonly<Record<string, readonly string[]>> = {
  silent_unread: ["lets nobody be notified"],
  silent_read: ["lets nobody be notified", "wants the message marked as read"],
};

/** Users by their first names, where no two have the same. */
function firstNames(words: string, { simulator }: RecordedRun): string {
  const users = simulator.users.list().map(({ record }) => record.displayName);
  const first = (name: string) => name.split(" ")[0] ?? name;
  const alone = users.filter((name) => users.filter((each) => first(each) === first(name)).length === 1);
  return alone.reduce((text, name) => text.replaceAll(name, first(name)), words);
}
