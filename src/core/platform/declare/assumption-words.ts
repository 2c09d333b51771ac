import { type AssumptionName, type Assumptions, usualAssumptions } from "./assumptions.ts";

/** A value of an assumption: the word of a choice, or a time as text. */
type ValueOf<Name extends AssumptionName> = Assumptions[Name] extends string
  ? Assumptions[Name]
  : "none" | "PT2S";

/**
 * What each value means, as a sentence. The first is the default. A time has one alternative, the one
 * that explorations try.
 */
const meanings: {
  readonly [Name in AssumptionName]: { readonly [Value in ValueOf<Name>]: string };
} = {
  notAnswered: {
    once: "`call.not_answered` comes once, when no further offer will be made",
    perTeam: "`call.not_answered` comes for each team that missed the call, also if the call goes on",
  },
  startedTarget: {
    absent: "`call.started` does not say whom the call is for",
    present: "`call.started` of an inbound call has `directoryTarget`",
    people:
      "`call.started` of an inbound call has `directoryTarget` if it is for a person or a device, not for a team",
  },
  answeredStatus: {
    accepted: "the call's status in `call.answered` is `accepted`",
    started: "the call's status in `call.answered` is still `started`",
  },
  ringingAvailability: {
    silent: "ringing does not change a user's availability",
    announced: "a user who rings is busy in events, by the rule `ringing`",
  },
  eventDelay: {
    none: "an event comes at the instant of the change that it reports",
    PT2S: "an event comes some time after the change that it reports",
  },
  dialLatency: {
    none: "users who are offered a call ring at once",
    PT2S: "users who are offered a call ring after a delay",
  },
  sameInstant: {
    score: "events of one instant come in a fixed order",
    reversed: "events of one instant come in reverse, except that each record's own keep their order",
    seeded: "events of one instant come in an order that is drawn from the seed",
  },
  freedAfter: {
    hangup: "a user is available again before `call.ended`",
    ended: "a user is available again after `call.ended`",
  },
  abandoned: {
    notAnswered: "a call whose caller gives up closes with `call.not_answered`",
    ended: "a call whose caller gives up closes with `call.ended`",
  },
  voicemailTaken: {
    notAnswered: "`call.not_answered` comes when voicemail takes a call",
    silent: "no event comes when voicemail takes a call",
  },
  teamNews: {
    totals: "a team has an event only if its totals change",
    members: "a team has an event with any change of a member's availability",
  },
  queueOrder: {
    queue: "a call that a team passes on queues behind the calls that wait for the next team",
    call: "a call that a team passes on keeps the place of when it first joined a queue",
  },
  restConsistency: {
    immediate: "the REST API answers with a record as it is",
    behind:
      "the REST API first answers a handler with a record as it was before this instant, or with 404 if there was none",
  },
  partyIds: {
    own: "parties in the bodies of webhooks have ids of their own",
    entry: "parties in the bodies of webhooks have the ids of their users, or their numbers",
  },
  signedAt: {
    attempt: "the timestamp header has the instant of the attempt",
    event: "the timestamp header has the instant of the event",
  },
  bodyText: {
    spaced: "the bodies of webhooks have a space after the first brace, which no JSON serialiser writes",
    compact: "the bodies of webhooks have no space after the first brace",
  },
  unspecified: {
    nothing: "requests to webhooks have what the documentation names, and nothing else",
    unknownField: "objects in the bodies of webhooks have a field that the documentation does not name",
    unknownEvent: "webhooks get events of types that the documentation does not name",
    unknownValue: "reasons in the bodies of webhooks have a value that the documentation does not name",
    null: "fields that may be absent from the bodies of webhooks are null instead",
    absent: "fields that may be null in the bodies of webhooks are absent instead",
    keyOrder: "objects in the bodies of webhooks have their keys in another order",
    ids: "ids have another form",
    seconds: "instants in the bodies of webhooks are whole seconds",
  },
};

/** An assumption in words. */
export interface AssumptionWords {
  readonly name: AssumptionName;
  /** The default value. */
  readonly usual: string;
  /** Other values, as the option `assume` takes them. */
  readonly others: readonly string[];
  /** What each value means, as a sentence without its full stop. */
  readonly means: Readonly<Record<string, string>>;
}

/** Puts an assumption into words. */
export function wordsOfAssumption(name: AssumptionName): AssumptionWords {
  const [usual = "", ...others] = Object.keys(meanings[name]);
  return { name, usual, others, means: meanings[name] };
}

/** Every assumption in words, in the order of the option. */
export const assumptionWords: readonly AssumptionWords[] = (
  Object.keys(usualAssumptions) as AssumptionName[]
).map(wordsOfAssumption);
