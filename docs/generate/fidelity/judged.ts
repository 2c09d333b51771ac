import { type LawName, laws } from "../../../src/core/platform/base/laws.ts";
import { type AssumptionName, usualAssumptions } from "../../../src/core/platform/declare/assumptions.ts";
import type { Proof, Row, Seen, Whose } from "./row.ts";

/** The test of `test/core/platform/assumptions.test.ts` that shows the other values of each assumption. */
const shownBy: Readonly<Record<AssumptionName, string>> = {
  notAnswered: "call.not_answered comes for each team that missed the call",
  startedTarget: "call.started names whom an inbound call is for",
  answeredStatus: "the status in call.answered is still started",
  ringingAvailability: "a user who rings is busy in events",
  eventDelay: "an event comes after a delay, with the record as it was before",
  dialLatency: "users who are offered a call ring after a delay",
  sameInstant: "events of one instant come in an order that is drawn from the seed",
  freedAfter: "a user is available again after call.ended",
  abandoned: "a call whose caller gives up closes with call.ended",
  voicemailTaken: "no event comes when voicemail takes a call",
  teamNews: "a team has an event with any change of a member's availability",
  queueOrder: "a call that a team passes on keeps its place in the queue",
  restConsistency: "a single record that a handler reads is as it was before the instant, the first time",
  partyIds: "parties in bodies have the ids of their users, or their numbers",
  signedAt: "the timestamp header has the instant of the event, also in a retry",
  bodyText: "bodies have a space after the first brace, or none",
  unspecified: "changes nothing by default",
};

const shownByCaptures: Proof =
  "capture/queue-order: contradicts it, and the scenario assumes that the call keeps its place";

/** What public bodies of such a platform show where an assumption has its default. */
const seen: Partial<Record<AssumptionName, Seen>> = {
  notAnswered: "differs: one for each team that missed the call",
  startedTarget: "differs: it names the target of a call to a person, and none for a call to a team",
  answeredStatus: "differs: `started`",
  eventDelay: "differs: 1 to 2 s later",
  dialLatency: "differs: 1,085 ms, in one body",
  partyIds: "differs: the id of the user, or the number",
};

/** A row for each assumption: what its default means. */
export const assumptionRows: readonly Row[] = (Object.keys(usualAssumptions) as AssumptionName[]).map(
  (assumption) => ({
    assumption,
    judged: `assumption ${assumption}`,
    whose: "ours",
    proof: [
      `core/platform/assumptions: ${shownBy[assumption]}`,
      ...(assumption === "queueOrder" ? [shownByCaptures] : []),
    ],
    ...(seen[assumption] !== undefined && { seen: seen[assumption] }),
  }),
);

/** A row for each order of one instant that `sameInstant` reverses, with the test that shows the reverse. */
export const orderRows: readonly Row[] = [
  {
    assumption: "sameInstant",
    rule: "When a call ends, whoever hung up comes first, then the others in the order in which they joined",
    whose: "ours",
    proof: ["core/platform/assumptions: the event of the party who hung up comes last"],
  },
  {
    assumption: "sameInstant",
    judged: "rule answer order",
    whose: "ours",
    proof: ["core/platform/assumptions: call.answered comes after the user is busy"],
  },
  {
    assumption: "sameInstant",
    judged: "rule availability order",
    whose: "ours",
    proof: ["core/platform/assumptions: a user's own event comes after those of their teams"],
  },
  {
    assumption: "sameInstant",
    judged: "rule contact order",
    whose: "ours",
    proof: ["core/platform/assumptions: contact.shared comes after the deprecated event"],
  },
  {
    assumption: "sameInstant",
    judged: "rule transcript order",
    whose: "ours",
    proof: ["core/platform/assumptions: transcript.created comes before call.transcript.created"],
  },
];

/** The laws that the documentation says itself. */
const specified: Partial<Record<LawName, Whose>> = {
  "wait time": "specified",
  "busy on a call names it": "specified",
};

/** A row for each law. */
export const lawRows: readonly Row[] = (Object.keys(laws) as LawName[]).map((law) => ({
  judged: `law ${law}`,
  whose: specified[law] ?? "ours",
  proof: [
    "core/platform/event-causes: hold in the lesson %s",
    "capture/impossible: names the one line that breaks the law %s",
  ],
}));
