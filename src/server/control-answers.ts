import * as v from "valibot";
import { anyObject } from "../core/foundation/input-schemas.ts";
import {
  absentable,
  dateField,
  decimal,
  flagField,
  many,
  nullable,
  nullableText,
  nullableWhole,
  optionalDateField,
  textField,
  texts,
  whole,
} from "../core/records/fields.ts";
import type { controlOperations } from "./control-plane.ts";

/** What the control plane answers, as schemas: its OpenAPI document is made of them, and tests hold answers to them. */

/** The schemas that are components of the control plane's document, by name. Those of records are with the records. */
export const controlComponents = new Map<string, v.GenericSchema>();

/** An object with exactly these fields, as a component. */
function component<const E extends v.ObjectEntries>(name: string, description: string, fields: E) {
  return register(name, v.pipe(v.strictObject(fields), v.description(description)));
}

function register<const S extends v.GenericSchema>(name: string, schema: S): S {
  if (controlComponents.has(name)) throw new Error(`two schemas are named ${name}`);
  controlComponents.set(name, schema);
  return schema;
}

/** A field with the type of a component: a pipe would copy it. */
const reference = <const S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(
    v.lazy(() => schema),
    v.description(description),
  );

/** The name of the component that stands for an event of any type. The document puts all types in its place. */
export const ANY_EVENT = "Event";
const event = register(ANY_EVENT, v.pipe(anyObject(), v.description("An event, by its `type`.")));
const eventList = many(event, "The events, oldest first.");

const nowFields = {
  now: textField("Virtual time, ISO 8601 in UTC."),
  timestamp: whole("The same, ms since the Unix epoch."),
};
const next = whole("The `since` of what comes next.");
const total = whole("How many there are so far, dropped ones included.");
/** The place of a page in a list that only grows. */
const pageFields = { next, total };

const pendingItem = component("PendingItem", "Something that is scheduled.", {
  dueAt: textField("When it is due, ISO 8601 in UTC."),
  dueTimestamp: whole("The same, ms since the Unix epoch."),
  purpose: textField("What it is for, such as `ring: ringTimeout`."),
  recordId: textField("The id of the record that it concerns, such as a call."),
  isBackground: absentable(
    v.pipe(v.literal(true), v.description("Set if it repeats for ever, as working hours do.")),
  ),
});

const stateAnswer = component("State", "The state of the run and of the server.", {
  ...nowFields,
  pace: v.pipe(
    v.union([v.picklist(["virtual", "realtime"]), v.number()]),
    v.description("How time passes: `virtual`, `realtime`, or how many times as fast as real time."),
  ),
  seed: v.pipe(v.union([v.string(), v.number()]), v.description("The seed of all randomness.")),
  organisationId: textField("The organisation's id."),
  counts: v.pipe(
    v.strictObject({
      events: whole("How many events there were."),
      calls: whole("How many calls are kept."),
      liveCalls: whole("How many of them are not over."),
      conversations: whole("How many conversations are kept."),
      webhooks: whole("How many webhooks there are."),
      requests: whole("How many requests of the platform are kept."),
      restRequests: whole("How many requests to the REST API are kept."),
      notifications: whole("How many notifications are kept."),
      pending: whole("How many items are scheduled."),
    }),
    v.description("How much there is of everything."),
  ),
  next: many(pendingItem, "What is scheduled next, at most 20."),
  running: nullable(
    v.strictObject({
      from: textField("When it began, ISO 8601 in UTC."),
      to: nullableText("Where it ends; null if it runs until something happens."),
      done: nullable(v.number(), "How much of it is done, 0 to 1; null if it has no end."),
    }),
    "The advance that is running; null if there is none.",
  ),
  routes: texts("The starts of URLs that something answers. The empty text stands for real requests."),
  credentials: v.pipe(
    v.strictObject({
      clientId: textField("The client's id."),
      clientSecret: textField("The client's secret."),
      vendorSecret: textField("The secret with which the vendor signs its requests to the redirect handler."),
    }),
    v.description(
      "What a client needs for an access token of the REST API, and the vendor for its signatures.",
    ),
  ),
  publicUrls: v.pipe(
    v.strictObject({
      api: textField("Of the REST API."),
      auth: textField("Of the token endpoint."),
      redirect: textField("Of the redirect handler."),
    }),
    v.description("What URLs in answers begin with."),
  ),
  problem: nullableText("The last error that no request waited for; null if there is none."),
  memory: v.pipe(
    v.strictObject({
      rss: whole("The memory of the process, bytes."),
      heapUsed: whole("The memory of its objects, bytes."),
    }),
    v.description("The memory of the server."),
  ),
  streams: whole("How many streams of events are open."),
  loopDelay: v.pipe(
    v.strictObject({
      p99: decimal("The delay that 99 of 100 stay under, ms."),
      max: decimal("The longest, ms."),
    }),
    v.description("How late the server's event loop was since its start."),
  ),
  largestAnswer: whole("The largest answer so far, bytes."),
});

const advanceAnswer = component("Advanced", "What happened while time passed.", {
  ...nowFields,
  interrupted: absentable(v.pipe(v.literal(true), v.description("Set if it was stopped before its end."))),
  counts: v.pipe(
    v.strictObject({
      events: whole("How many events happened."),
      byType: v.pipe(v.record(v.string(), v.number()), v.description("How many of each type.")),
    }),
    v.description("How much happened."),
  ),
  events: absentable(many(event, "The events, if the body asks for them.")),
  ...pageFields,
  event: absentable(reference(event, "The event that `until` waited for.")),
});

const interruptAnswer = component("Interrupted", "Whether an advance was stopped.", {
  interrupted: flagField("Whether one was running."),
  ...nowFields,
});

const commandsAnswer = component("CommandNames", "The names of all commands.", {
  commands: texts("The names, as `/_sim/commands/{name}` takes them."),
});

const afterCommand = { ...nowFields, events: eventList, next };
const secret = textField("The secret that deliveries are signed with.");
const commandResult = (name: string, result: v.GenericSchema, more: v.ObjectEntries = {}) =>
  component(name, "What a command did.", { result, ...more, ...afterCommand });
/** What commands answer, by the type of what they return. */
const resultAnswers: Readonly<Record<string, v.GenericSchema>> = {
  void: commandResult("CommandDone", v.pipe(v.null(), v.description("Nothing."))),
  string: commandResult("CommandMade", textField("The id of what the command made.")),
  "string[]": commandResult("CommandMadeSeveral", texts("The ids of what the command made.")),
};
const webhookAnswer = commandResult("CommandMadeWebhook", textField("The webhook's id."), {
  signingSecret: secret,
});

/**
 * The schema of what a command answers.
 * @param result the type of what it returns, as written in TypeScript
 * @param records the schemas of types of records, by name
 */
export function commandAnswer(
  name: string,
  result: string,
  records: ReadonlyMap<string, v.GenericSchema>,
): v.GenericSchema {
  if (name === "createWebhook") return webhookAnswer;
  const [known, record] = [resultAnswers[result], records.get(result)];
  if (known !== undefined) return known;
  if (record === undefined)
    throw new Error(`${name} returns ${result}, which src/server/control-answers.ts has no answer for`);
  const answer = `CommandWith${result}`;
  return (
    controlComponents.get(answer) ??
    commandResult(answer, reference(register(result, record), "What came of it."))
  );
}

const eventsAnswer = component("Events", "A page of events.", { events: eventList, ...pageFields });

const httpAnswer = v.strictObject({
  status: whole("The status."),
  headers: v.pipe(v.record(v.string(), v.string()), v.description("The headers, with names in lower case.")),
  body: textField("The body."),
});
const sentRequest = component(
  "SentRequest",
  "A request that the platform sent, or one attempt of a delivery.",
  {
    id: textField("The request's id."),
    to: textField("The URL."),
    method: textField("The method, such as `POST`."),
    why: textField("Why it was sent: `webhook`, `return`, or a data action such as `callInsights`."),
    recordId: textField("The id of the record that it is about: a call, a conversation or a delivery."),
    headers: v.pipe(
      v.record(v.string(), v.string()),
      v.description("The headers, with names in lower case."),
    ),
    body: textField("The body; empty if there is none."),
    answer: nullable(httpAnswer, "The endpoint's answer; null if there is none."),
    failure: nullableText("Why it failed, such as `timeout` or `status 500`; null if it did not."),
    problems: many(
      v.strictObject({
        path: textField("The field."),
        message: textField("What was expected and what was there."),
      }),
      "The fields of a data action's answer that could not be taken; empty if all could.",
    ),
    failureReason: nullableText("Why a real endpoint could not be asked, in words; otherwise null."),
    isUnrouted: flagField("Whether nothing was there to answer it, so that the network accepted it."),
    duplicateOf: nullableText("The id of the request that this one repeats; otherwise null."),
    arrival: nullableWhole("Which of all requests that arrived it is, from 1; null if it did not arrive."),
    ...dateField("started", "When it was sent"),
    ...optionalDateField("arrived", "When it reached its endpoint"),
    ...optionalDateField("ended", "When it was over"),
  },
);
const requestsAnswer = component("SentRequests", "A page of requests that the platform sent.", {
  requests: many(sentRequest, "The requests, oldest first."),
  ...pageFields,
});

const restRequest = component("RestRequest", "A request to the REST API, and its answer.", {
  method: textField("The method, such as `GET`."),
  path: textField("The path with its query."),
  body: textField("The first 16,384 characters of the body, and its length if it was longer."),
  status: whole("The status of the answer."),
  answer: textField("The body of the answer, shortened in the same way."),
  at: textField("When it was answered, ISO 8601 in UTC."),
  timestamp: whole("The same, ms since the Unix epoch."),
  by: nullableText("The client that sent it; null if that is not known."),
  isFault: flagField("Whether a fault replaced or delayed the answer."),
  ignored: texts("The names of the query parameters that the operation does not know."),
  during: nullableText("The id of the platform's request whose handler sent it; otherwise null."),
});
const restRequestsAnswer = component("RestRequests", "A page of requests to the REST API.", {
  requests: many(restRequest, "The requests, oldest first."),
  ...pageFields,
});

const notification = component("Notification", "Something that a person would have been shown.", {
  id: textField("The notification's id."),
  to: v.pipe(
    v.strictObject({ userId: textField("The user's id."), email: textField("The user's e-mail address.") }),
    v.description("Who gets it."),
  ),
  title: textField("The heading."),
  body: textField("The text."),
  kind: v.pipe(
    v.picklist(["missedCall", "voicemail", "voicemailEmail", "message", "webhookDisabled"]),
    v.description("What it is about, and how it is shown."),
  ),
  callId: absentable(textField("The call, if it is about one.")),
  conversationId: absentable(textField("The conversation, if it is about one.")),
  webhookId: absentable(textField("The webhook, if it is about one.")),
  ...dateField("created", "When it was shown"),
});
const notificationsAnswer = component("Notifications", "A page of notifications.", {
  notifications: many(notification, "The notifications, oldest first."),
  ...pageFields,
});

const pendingAnswer = component("Pending", "Everything that is scheduled.", {
  pending: many(pendingItem, "What is scheduled, by when it is due."),
});

const journalAnswer = component("Journal", "A run, for `ringback run` and `replay`.", {
  ringback: v.pipe(v.literal(1), v.description("The version of the format.")),
  rules: whole("The version of the rules by which it was played."),
  options: v.pipe(anyObject(), v.description("The options of the run.")),
  entries: many(
    v.strictObject({
      atMs: whole("When it was given, ms since the Unix epoch."),
      step: whole("How much that was scheduled had run before it."),
      command: textField("The command's name, or that of an endpoint's answer."),
      args: v.pipe(v.unknown(), v.description("The arguments; times in ms.")),
    }),
    "Commands and answers of endpoints, in order.",
  ),
  end: v.pipe(
    v.strictObject({
      atMs: whole("Virtual time, ms since the Unix epoch."),
      step: whole("How much that was scheduled had run."),
    }),
    v.description("Where the run stands."),
  ),
});

const deskButton = component("DeskButton", "Something that somebody can do now.", {
  label: textField("What it does, such as `Answer (desktop)`."),
  command: textField("The command's name, as `/_sim/commands/{name}` takes it."),
  args: v.pipe(anyObject(), v.description("The command's arguments.")),
});
const deskTarget = component("DeskTarget", "Someone who can be dialled.", {
  target: textField("A number or an extension."),
  name: textField("Whose it is."),
});
const deskPhone = component("DeskPhone", "A phone, and what can be done with it now.", {
  id: textField("The id of the user or device; `outside` for everybody outside."),
  name: textField("Whose it is."),
  about: textField("Extension and numbers."),
  state: textField("What the person is doing, such as `Available`; empty for a device."),
  calls: many(
    v.strictObject({
      id: textField("The call's id."),
      text: textField("What they do there, such as `rings: Jane Smith`."),
      buttons: many(deskButton, "What they can do with the call."),
      canHandOver: flagField("Whether they may transfer it, or add somebody."),
    }),
    "The calls that it rings for, or that it is in.",
  ),
  buttons: many(deskButton, "What they can do besides."),
});
const deskAnswer = component("Desk", "All phones of a run, with what each can do now.", {
  title: textField("The organisation's name."),
  ...nowFields,
  timezone: textField("The organisation's time zone."),
  phones: many(deskPhone, "The phones; that of everybody outside first."),
  numbers: many(deskTarget, "Whom people outside can call."),
  extensions: many(deskTarget, "Whom people inside can call."),
});

const worldUrl = textField("The base of its URLs, such as `http://127.0.0.1:8080/w/1`.");
const worldAnswer = component("World", "A new world.", {
  id: textField("The world's id."),
  url: worldUrl,
  token: textField("Its token: an access token of its REST API, which also opens its control plane."),
});
const worldsAnswer = component("Worlds", "The worlds that there are.", {
  worlds: many(
    v.strictObject({ id: textField("The world's id."), url: worldUrl, now: nowFields.now }),
    "The worlds, oldest first.",
  ),
  limit: whole("How many there may be at once."),
});
const deletedAnswer = component("WorldDeleted", "The end of a world.", {
  deleted: textField("The world's id."),
});

export const controlError = component("ControlError", "Why a request was refused. Nothing was changed.", {
  code: textField("The kind of error, for programs."),
  message: textField("What is wrong and what was expected, for people."),
  details: absentable(
    many(
      v.strictObject({
        path: textField("The field, such as `organisation.users[0].id`."),
        message: textField("What is wrong with it."),
      }),
      "What is wrong with which field, each once.",
    ),
  ),
});

/** What each operation answers, by its id: a schema, or a media type of text. Commands have answers of their own. */
export const controlAnswers = {
  getState: stateAnswer,
  advance: advanceAnswer,
  interrupt: interruptAnswer,
  listCommands: commandsAnswer,
  listEvents: eventsAnswer,
  streamEvents: "text/event-stream",
  getTimeline: "text/plain",
  getJournal: journalAnswer,
  listPending: pendingAnswer,
  listRequests: requestsAnswer,
  listRestRequests: restRequestsAnswer,
  listNotifications: notificationsAnswer,
  getScenario: "text/plain",
  getDesk: deskAnswer,
  createWorld: worldAnswer,
  listWorlds: worldsAnswer,
  deleteWorld: deletedAnswer,
  reset: stateAnswer,
} as const satisfies Readonly<Record<AnsweringId, v.GenericSchema | string>>;

type AnsweringId = Exclude<(typeof controlOperations)[number]["id"], "runCommand">;
