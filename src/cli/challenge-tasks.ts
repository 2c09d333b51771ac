import type { DeviationKind } from "../explore/search/options.ts";

/** What an app shows, as the ready-made properties read it, and how a module and a server name that. */
export interface ChallengeState {
  /** The ready-made property that judges it. */
  readonly check: "callLog" | "callBacks" | "wallboard";
  /** The function of a module's app; a server answers a `POST` to the same name as a path. */
  readonly name: "log" | "numbers" | "board";
  /** What people call it: `your log`. */
  readonly called: string;
  /** What it returns, in words. */
  readonly words: string;
  /** What it returns, for example. */
  readonly example: string;
}

/** An app to write. */
export interface Challenge {
  /** From 1 on. */
  readonly number: number;
  /** The name of its page. */
  readonly slug: string;
  readonly title: string;
  /** What to write, in a sentence or two. */
  readonly task: string;
  /** What the network does meanwhile, in a few words. */
  readonly network: string;
  /** What must hold in the end. */
  readonly rule: string;
  /** A question that leads on, for those who ask. */
  readonly hint: string;
  /** About how long it takes, minutes. */
  readonly minutes: number;
  readonly shows: ChallengeState;
  /** What happens in each world: a scenario as YAML. Its webhook is `https://app.test/hooks`. */
  readonly scenario: string;
  /** What may go wrong, and how often in one world. */
  readonly kinds: readonly DeviationKind[];
  readonly atMost: number;
  /** What else the app may use or must do. */
  readonly more: readonly string[];
  /** Whether the rule must hold whenever a request was handled, and not only in the end. */
  readonly isJudgedMeanwhile?: true;
  /** Whether worlds restart the app. */
  readonly isRestarted?: true;
  /** Whether worlds send it forged requests. */
  readonly isForged?: true;
}

/** The webhook's URL in each scenario. A server gets the requests at the same path. */
export const HOOKS = "https://app.test/hooks";
/** The signing secret of the webhook where requests may be forged. */
export const SECRET = "s3cret";

const log: ChallengeState = {
  check: "callLog",
  name: "log",
  called: "your log",
  words: "the calls that are logged",
  example: '[{ "callId": "call-1" }]',
};

const board = (about: string, example: string): ChallengeState => ({
  ...{ check: "wallboard", name: "board", called: "your board", words: about, example },
});

/** A call of a customer that Carol answers, and one to Dave that nobody does. */
const twoCalls = `
  - { at: PT0S, inbound: { as: first, from: "+6421555001", to: "+6495550103" } }
  - { at: PT5S, answer: { call: first, by: carol } }
  - { at: PT60S, hangup: { call: first, by: caller } }
  - { at: PT2M, inbound: { as: second, from: "+6421555002", to: "+6495550104" } }`;

/** Nobody answers, and the caller leaves a message: the call is over only after that. */
const voicemail = `
  - { at: PT10M, inbound: { as: message, from: "+6421555005", to: "+6495550100" } }
  - { at: PT10M31S, leaveVoicemail: { call: message, duration: PT10S } }`;

const webhook = (events: string, more = "") =>
  `  - { at: PT0S, createWebhook: { as: app, url: "${HOOKS}", events: [${events}]${more} } }`;

/**
 * A call that goes out, one of the same customer that nobody takes, and a message.
 * @param more what else the webhook has
 */
const threeCallsEnd = (more = "") => `scenario: Three calls end
steps:
${webhook("call.not_answered, call.ended", more)}
  - { at: PT0S, outbound: { as: out, from: carol, to: "+6421555001" } }
  - { at: PT8S, answer: { call: out, by: "+6421555001" } }
  - { at: PT60S, hangup: { call: out, by: carol } }
  - { at: PT2M, inbound: { as: missed, from: "+6421555001", to: "+6495550104" } }${voicemail}
`;

/** What may happen to one request. */
const twice: readonly DeviationKind[] = ["lost", "unanswered", "duplicated", "refused", "rejected"];

/** The challenges, in their order. */
export const challenges: readonly Challenge[] = [
  {
    number: 1,
    slug: "log-each-finished-call",
    title: "Log each finished call",
    task: "Write one line into your log for each call that is over: answered, missed, given up, passed on, or ended by a message.",
    network: "as good as can be",
    rule: "Once everything is quiet, the log has each call that is over, once.",
    hint: "Which is the last event of a call that somebody answered? And of one that nobody answered?",
    minutes: 20,
    shows: log,
    scenario: `scenario: Six calls end, and one goes on
steps:
${webhook("call.started, call.answered, call.not_answered, call.hungup, call.ended")}${twoCalls}
  - { at: PT4M, inbound: { as: givenUp, from: "+6421555003", to: "+6495550103" } }
  - { at: PT4M5S, hangup: { call: givenUp, by: caller } }
  - { at: PT6M, inbound: { as: passedOn, from: "+6421555004", to: "+6495550103" } }
  - { at: PT6M5S, answer: { call: passedOn, by: carol } }
  - { at: PT7M, transfer: { call: passedOn, by: carol, target: dave } }
  - { at: PT7M5S, answer: { call: passedOn, by: dave } }
  - { at: PT8M, hangup: { call: passedOn, by: caller } }${voicemail}
  - { at: PT12M, outbound: { as: out, from: alice, to: "+6421555001" } }
  - { at: PT12M8S, answer: { call: out, by: "+6421555001" } }
  - { at: PT13M, hangup: { call: out, by: alice } }
  - { at: PT14M, inbound: { as: live, from: "+6421555006", to: "+6495550103" } }
  - { at: PT14M5S, answer: { call: live, by: carol } }
`,
    kinds: ["timers"],
    atMost: 1,
    more: [],
  },
  {
    number: 2,
    slug: "once",
    title: "Once",
    task: "Your log has one line for each finished call, though an event may come twice. The network may double it, or lose your answer, so that the platform tries again.",
    network: "requests are lost, refused or doubled, and answers are lost",
    rule: "Once everything is quiet, the log has each call that is over, once.",
    hint: "What is the same in both requests, and in no other?",
    minutes: 15,
    shows: log,
    scenario: threeCallsEnd(),
    kinds: twice,
    atMost: 2,
    more: [],
  },
  {
    number: 3,
    slug: "in-whatever-order",
    title: "In whatever order",
    task: "Show the calls that are live, though events overtake each other: the start of a call may arrive after its end.",
    network: "requests are late, overlap, or are lost and come minutes later",
    rule: "Once everything is quiet, the board shows the calls that are not over.",
    hint: "The end of a call arrives first. What must you remember, so that its start changes nothing?",
    minutes: 30,
    shows: board("the ids of the calls that are live", '{ "live": ["call-2"] }'),
    scenario: `scenario: Three calls are over, and two go on
steps:
${webhook("call.started, call.not_answered, call.ended")}
  - { at: PT0S, inbound: { as: short, from: "+6421555001", to: "+6495550103" } }
  - { at: PT5S, answer: { call: short, by: carol } }
  - { at: PT60S, hangup: { call: short, by: caller } }
  - { at: PT2M, inbound: { as: long, from: "+6421555002", to: "+6495550104" } }
  - { at: PT2M5S, answer: { call: long, by: dave } }
  - { at: PT4M, inbound: { as: missed, from: "+6421555003", to: "+6495550103" } }
  - { at: PT6M, outbound: { as: out, from: carol, to: "+6421555002" } }
  - { at: PT6M8S, answer: { call: out, by: "+6421555002" } }
  - { at: PT29M, inbound: { as: message, from: "+6421555004", to: "+6495550100" } }
  - { at: PT29M31S, leaveVoicemail: { call: message, duration: PT2M } }
`,
    kinds: [...twice, "late", "overlapping"],
    atMost: 1,
    more: [],
  },
  {
    number: 4,
    slug: "who-must-be-called-back",
    title: "Who must be called back?",
    task: "List the numbers to call back: those whose last call came in and was not answered. Whoever has spoken to us since is off the list.",
    network: "requests are lost, late or doubled",
    rule: "Once everything is quiet, each number whose last call was missed is on the list, once.",
    hint: "Each event says in createdTimestamp when it happened. Which one was the last for this number?",
    minutes: 40,
    shows: {
      check: "callBacks",
      name: "numbers",
      called: "your list",
      words: "the numbers to call back",
      example: '["+6421555001"]',
    },
    scenario: `scenario: Whom nobody took, who has spoken to us since, and whom we did not reach
steps:
${webhook("call.not_answered, call.answered")}
  - { at: PT0S, inbound: { as: first, from: "+6421555001", to: "+6495550103" } }
  - { at: PT1M, inbound: { as: again, from: "+6421555001", to: "+6495550103" } }
  - { at: PT1M5S, answer: { call: again, by: carol } }
  - { at: PT2M, hangup: { call: again, by: caller } }
  - { at: PT3M, inbound: { as: givenUp, from: "+6421555002", to: "+6495550104" } }
  - { at: PT3M5S, hangup: { call: givenUp, by: caller } }
  - { at: PT4M, inbound: { as: givenUpAgain, from: "+6421555002", to: "+6495550104" } }
  - { at: PT4M5S, hangup: { call: givenUpAgain, by: caller } }
  - { at: PT5M, outbound: { as: tried, from: carol, to: "+6421555002" } }
  - { at: PT6M, outbound: { as: out, from: carol, to: "+6421555003" } }
  - { at: PT7M, inbound: { as: spoken, from: "+6421555004", to: "+6495550103" } }
  - { at: PT7M5S, answer: { call: spoken, by: carol } }
  - { at: PT7M30S, hangup: { call: spoken, by: caller } }
  - { at: PT8M, inbound: { as: message, from: "+6421555004", to: "+6495550100" } }
  - { at: PT8M31S, leaveVoicemail: { call: message, duration: PT10S } }
  - { at: PT10M, inbound: { as: missed, from: "+6421555005", to: "+6495550104" } }
  - { at: PT12M, outbound: { as: back, from: dave, to: "+6421555005" } }
  - { at: PT12M8S, answer: { call: back, by: "+6421555005" } }
  - { at: PT13M, hangup: { call: back, by: dave } }
`,
    kinds: [...twice, "late"],
    atMost: 1,
    more: [],
  },
  {
    number: 5,
    slug: "a-wallboard-after-a-night-down",
    title: "A wallboard after a night down",
    task: "Show who is available and who is busy. Nothing reached you for hours, and what you missed may be attempted again only at noon: people look at the board in the morning.",
    network: "everything is refused for hours",
    rule: "Whenever a request has reached you, the board shows each person as GET /users does.",
    hint: "The first event of the morning tells of one person. Whom could you ask about the others?",
    minutes: 45,
    shows: board("the availability of each user, by id", '{ "people": { "alice": "busy" } }'),
    scenario: `scenario: Two people are busy in the night, one of them is available again, and a third is busy in the morning
steps:
${webhook("user.availability.updated")}
  - { at: PT1H, setAvailability: { user: alice, status: busy } }
  - { at: PT3H, setAvailability: { user: carol, status: busy } }
  - { at: PT5H, setAvailability: { user: alice, status: available } }
  - { at: PT10H, setAvailability: { user: dave, status: busy } }
`,
    kinds: ["outage"],
    atMost: 1,
    isJudgedMeanwhile: true,
    more: ["It may ask the REST API, such as GET /users, while it handles a request."],
  },
  {
    number: 6,
    slug: "back-after-a-restart",
    title: "Back after a restart",
    task: "The log of challenge 2, in an app that is restarted: while it handles a request, or once it has answered. All that it has in memory is lost.",
    network: "your app restarts",
    rule: "Once everything is quiet, the log has each call that is over, once.",
    hint: "What must be stored before you answer 204, and where does it outlive you?",
    minutes: 30,
    shows: log,
    scenario: threeCallsEnd(),
    kinds: ["restarted", "restartedAfter"],
    atMost: 1,
    more: [
      "A module's `durable` makes what outlives a restart, anew for each world; `app(sim, durable)` gets it.",
      "A server needs --restart COMMAND, which ends it and starts it again. It keeps what it stored until the next /reset.",
    ],
    isRestarted: true,
  },
  {
    number: 7,
    slug: "believe-nobody",
    title: "Believe nobody",
    task: `Some requests do not come from the platform. Answer them 401, and log nothing of them. The webhook's signing secret is ${SECRET}.`,
    network: "requests that are not signed, signed with another secret, changed, or too old",
    rule: "Each forged request gets a 4xx and changes nothing; the log has each call that is over, once.",
    hint: "Which bytes does the signature cover, and when was it made?",
    minutes: 40,
    shows: log,
    scenario: threeCallsEnd(`, signingSecret: ${SECRET}`),
    kinds: [],
    atMost: 0,
    more: [
      "x-service-signature is `sha256=` and the HMAC-SHA256 in hex of `<x-service-timestamp>.<body>`, with the body as it came.",
      "A signature older than five minutes is refused. The time is `sim.now` in a module; a server is told it as `now` in /reset.",
    ],
    isForged: true,
  },
];

/** The routes of an app, and what each does. */
export function routesOf({
  shows,
  isForged,
}: Challenge): readonly (readonly [route: string, what: string])[] {
  const orNot = isForged === true ? ", or 401 to what is forged" : "";
  return [
    ["POST /hooks", `takes the platform's events, and answers 2xx within 5 seconds${orNot}`],
    [`POST /${shows.name}`, `answers 200 and ${shows.words}, as JSON: ${shows.example}`],
    ["POST /reset", "forgets everything: each world begins so"],
  ];
}

/** How a server is started for a challenge, and the command that judges it. @param start starts it once */
export function writeServerCommands(
  { number, isRestarted }: Challenge,
  start: string,
): readonly [start: string, judge: string] {
  const judge = `npx ringback challenge ${number} --server http://127.0.0.1:8000`;
  if (isRestarted !== true) return [start, judge];
  return [`while sleep 0.1; do ${start}; done`, `${judge} --restart 'kill $(cat receiver.pid); sleep 0.3'`];
}
