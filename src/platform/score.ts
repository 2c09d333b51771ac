import type { CallFact } from "../../machines/index.ts";
import { eventOf } from "../engine/event-log.ts";
import type { RequestOutcome } from "../network/network.ts";
import type { CallRecord, Party } from "../records/call.ts";
import { conversationRecord } from "../records/conversation.ts";
import type { UserRecord } from "../records/directory.ts";
import type { RequestRecord } from "../records/request.ts";
import { isFree } from "./availability/availability.ts";
import type { World } from "./capabilities.ts";
import type { Cast, RoleName, Told } from "./cast.ts";
import type { Action, Said } from "./data-actions/data-actions.ts";
import type { EventData, EventType } from "./events.ts";
import type { LiveCall, Ring } from "./live/live-calls.ts";
import { partyById } from "./live/parties.ts";

/**
 * What the platform does, and in which order. For each fact of a machine, each thing told and each answer of a data
 * action there is a list of lines, which are played from top to bottom. When a line tells a machine or the world
 * something, everything that follows from it is played before the next line, and may change what that line finds. A
 * condition is judged once, before its lines.
 * So the order of the event stream is the order of the `publish` lines here.
 */

/** One thing that follows. Declared as a method, so that a line that needs less fits a list that gives more. */
type Line<Of, Fact = unknown> = { play(p: World, of: Of, fact: Fact): void }["play"];
type Lines<Of, Fact = unknown> = readonly Line<Of, Fact>[];
type Judge<Of, Fact = unknown> = { judge(p: World, of: Of, fact: Fact): boolean }["judge"];

type Score = {
  readonly [R in RoleName]: {
    readonly [T in Cast[R]["fact"]["type"]]: Lines<
      Cast[R]["about"],
      Extract<Cast[R]["fact"], { readonly type: T }>
    >;
  };
};

/** Plays lines if a condition holds. */
function when<Of, Fact>(is: Judge<Of, Fact>, ...lines: Lines<NoInfer<Of>, NoInfer<Fact>>): Line<Of, Fact> {
  return (p, of, fact) => {
    if (is(p, of, fact)) play(lines, p, of, fact);
  };
}

/** Plays one list of lines if a condition holds, otherwise another. */
function whether<Of, Fact>(
  is: Judge<Of, Fact>,
  these: Lines<NoInfer<Of>, NoInfer<Fact>>,
  those: Lines<NoInfer<Of>, NoInfer<Fact>>,
): Line<Of, Fact> {
  return (p, of, fact) => play(is(p, of, fact) ? these : those, p, of, fact);
}

/** Emits an event: appends it to the log and starts its deliveries. */
function publish<Type extends EventType, Of, Fact>(
  type: Type,
  data: (p: World, of: Of, fact: Fact) => EventData[Type],
): Line<Of, Fact> {
  return (p, of, fact) => p.engine.publish(type, data(p, of, fact));
}

/** Emits an event whose payload is made when it is first read, from the present version of its record. */
function publishLater<Type extends EventType, Of>(
  type: Type,
  note: (p: World, of: Of) => () => EventData[Type],
): Line<Of> {
  return (p, of) => p.engine.publish(type, note(p, of));
}

function play<Of, Fact>(lines: Lines<Of, Fact>, p: World, of: Of, fact: Fact): void {
  for (const line of lines) line(p, of, fact);
}

// --- calls ---

interface OfCall {
  readonly recordId: string;
}

/** A party of a call. `entryId` is its user or device, empty for an outside party. */
interface OfParty {
  readonly callId: string;
  readonly party: Party;
  readonly entryId: string;
}

const callOf = (p: World, { recordId }: OfCall): CallRecord => p.callRecords.get(recordId);
const liveOf = (p: World, { recordId }: OfCall): LiveCall => p.live.mustGet(recordId);
const call = (p: World, of: OfCall) => ({ call: callOf(p, of) });

/** Plays lines about a party of the call. */
function ofParty(lines: Lines<OfParty>): Line<OfCall, { readonly party: string }> {
  return (p, { recordId }, { party: partyId }) => playParty(lines, p, recordId, partyId);
}

function playParty(lines: Lines<OfParty>, p: World, callId: string, partyId: string): void {
  const party = partyById(p.callRecords.get(callId), partyId);
  play(lines, p, { callId, party, entryId: party.entryId ?? "" }, undefined);
}

const isInside: Judge<OfParty> = (_p, { entryId }) => entryId !== "";
const isUser: Judge<OfParty> = (_p, { party }) => party.type === "user";
const hasWayBack: Judge<OfCall> = (p, of) => liveOf(p, of).rules.returnTo !== null;

/** A user or a device joins a call and becomes busy. A device has no availability, but is free or not. */
const becomesBusy: Line<OfParty> = when(
  isInside,
  (p, { callId, entryId }) => p.live.occupy(entryId, callId),
  whether(
    isUser,
    [(p, { callId, entryId }) => p.availability.joinCall(entryId, callId)], // continues at availability.settled
    [
      (p, { entryId }) => p.teams.memberChanged(entryId, false),
      (p, { entryId }) => p.ringing.withdrawFrom(entryId),
    ],
  ),
);

/** A user or a device leaves a call. */
const becomesFree: Line<OfParty> = when(
  isInside,
  (p, { entryId }) => p.live.release(entryId),
  whether(
    isUser,
    [(p, { entryId }) => p.availability.leaveCall(entryId, p.people.wrapUpMs(entryId))], // continues at availability.settled
    [
      (p, { entryId }) => p.teams.memberChanged(entryId, true),
      (p, { entryId }) => p.teamOffers.memberFreed(entryId),
    ],
  ),
);

/** A party hangs up. */
const leaves: Lines<OfParty> = [
  (p, { callId, party }) => p.callRecords.left(callId, party.id),
  publish("call.hungup", (p, { callId, party }) => ({ call: p.callRecords.get(callId), party })),
  (p, { party }) => p.people.left(party),
  becomesFree,
];

/** Nobody answered and no voicemail took the call. A voicemail's owner was notified before. */
const isMissed: Judge<OfCall> = (p, of) => {
  const { assignedUser, answeredAt, status } = callOf(p, of);
  return (
    assignedUser === null && answeredAt === null && status !== "blocked" && liveOf(p, of).voicemail === null
  );
};
/** The call was sent to a voicemail that does not exist and did not return: it closes silently. */
const isSilent: Judge<OfCall> = (p, of) => {
  const { sendToVoicemail, returnTo } = liveOf(p, of).rules;
  return sendToVoicemail && returnTo === null;
};
const isReturned: Judge<OfCall> = (p, of) => isMissed(p, of, undefined) && callOf(p, of).status === "missed";
const hasMessage: Judge<OfCall> = (p, of) =>
  callOf(p, of).voicemail !== null && liveOf(p, of).voicemail !== null;

const callScore: Score["call"] = {
  offered: [(p, of) => p.dataActions.askCallInsights(callOf(p, of), "precall")],
  answered: [
    (p, { recordId }, fact) => p.callRecords.answered(recordId, fact),
    publish("call.answered", call),
    ofParty([becomesBusy, (p, { callId, party }) => p.people.joined(callId, party)]),
    (p, of) => p.people.answered(callOf(p, of)),
    when(hasWayBack, (p, { recordId }) => p.redirect.keep(recordId)),
  ],
  joined: [
    (p, { recordId }, fact) => p.callRecords.joined(recordId, fact),
    ofParty([becomesBusy, (p, { callId, party }) => p.people.joined(callId, party)]),
  ],
  notAnswered: [(p, { recordId }) => p.callRecords.notAnswered(recordId), publish("call.not_answered", call)],
  sentToVoicemail: [
    (p, { recordId }, fact) => p.voicemail.join(recordId, fact.voicemail),
    (p, of) => p.notifications.missedCall(ownerOfVoicemail(p, of), callOf(p, of)),
    (p, { recordId }) => p.voicemail.begin(recordId),
    (p, { recordId }) => p.people.inVoicemail(recordId),
  ],
  left: [ofParty(leaves)],
  closed: [
    (p, { recordId }, { leaving }) => {
      for (const partyId of leaving) playParty(leaves, p, recordId, partyId);
    },
    (p, { recordId }) => p.offering.endAll(recordId),
    (p, { recordId }, fact) => p.callRecords.closed(recordId, fact),
    (p, { recordId }) => p.people.closed(recordId),
    (p, of, fact: Extract<CallFact, { type: "closed" }>) => p.engine.publish(fact.with, call(p, of)),
    (p, of) => p.dataActions.askCallInsights(callOf(p, of), "callhistory"),
    when(
      (p, of: OfCall) => isMissed(p, of, undefined) && !isSilent(p, of, undefined),
      (p, of) => p.notifications.missedCall(liveOf(p, of).target, callOf(p, of)),
    ),
    when(
      hasWayBack,
      whether(
        isReturned,
        [(p, of) => p.redirect.unanswered(of.recordId, callOf(p, of).outcome?.reason ?? "")],
        [(p, { recordId }) => p.redirect.keep(recordId)],
      ),
    ),
    (p, of) => p.afterCall.followRecording(callOf(p, of)),
    when(
      hasMessage,
      (p, of) => p.afterCall.followMessage(callOf(p, of), sessionOf(p, of)),
      (p, of) => p.afterCall.tellOwner(callOf(p, of), ownerOfVoicemail(p, of)),
    ),
    (p, of) => p.afterCall.followTariff(callOf(p, of), liveOf(p, of).voicemail !== null),
    // after this the call is forgotten, and so may its record be
    (p, { recordId }) => p.live.remove(recordId),
    (p, { recordId }) => p.retention.closed(recordId),
  ],
};

function sessionOf(p: World, of: OfCall): NonNullable<LiveCall["voicemail"]> {
  const { voicemail } = liveOf(p, of);
  if (voicemail === null) throw new Error(`call ${of.recordId} is in nobody's voicemail`);
  return voicemail;
}

const ownerOfVoicemail = (p: World, of: OfCall) => sessionOf(p, of).owner;

// --- ringing, and offers to teams ---

interface OfRing {
  readonly ring: Ring;
}

const isOfTeam: Judge<OfRing> = (p, { ring }) =>
  p.live.offer(ring.callId, ring.offerId)?.destination.kind === "team";

/** A ring is over: nobody answers it by themselves any more. */
const ringOver: Lines<OfRing> = [
  (p, { ring }) => p.live.removeRing(ring),
  (p, { ring }) => p.people.ringOver(ring),
];

const ringScore: Score["ring"] = {
  began: [(p, { ring }) => p.people.rings(ring)],
  silenced: [
    (p, { ring }, { endpoint, outcome }) =>
      p.ringing.endDials(ring, (each) => (each === endpoint ? outcome : undefined)),
  ],
  answered: [
    ...ringOver,
    (p, { ring }) => p.offering.answered(ring),
    (p, { ring: { callId, partyId: party } }, { endpoint }) =>
      p.machines.send("call", callId, { type: "ANSWER", party, endpoint }), // continues at call.answered or call.joined
  ],
  stopped: [
    ...ringOver,
    (p, { ring }, { outcome }) => p.ringing.endDials(ring, () => outcome),
    (p, { ring }) => p.teamOffers.memberFreed(ring.entryId),
    whether(
      isOfTeam,
      [(p, { ring }, { outcome }) => p.teamOffers.ringStopped(ring, outcome)],
      [(p, { ring }, { outcome }) => p.offering.ringStopped(ring, outcome)],
    ),
  ],
};

type OfTeamOffer = Cast["teamOffer"]["about"];

/** Plays a line about an offer, if the offer still exists: its call may be over. */
function whileOffered<Fact>(
  line: (p: World, offer: NonNullable<ReturnType<World["live"]["offer"]>>, fact: Fact) => void,
): Line<OfTeamOffer, Fact> {
  return (p, { recordId, offerId }, fact) => {
    const offer = p.live.offer(recordId, offerId);
    if (offer !== undefined) line(p, offer, fact);
  };
}

const teamOfferScore: Score["teamOffer"] = {
  choose: [whileOffered((p, offer, { after }) => p.teamOffers.choose(offer, after))],
  waits: [],
  tierOver: [whileOffered((p, offer) => p.ringing.stop(offer, "timeout"))],
  over: [
    whileOffered((p, offer, { reason }) => {
      p.teamOffers.leaveQueue(offer);
      p.offering.unanswered(offer, reason);
    }),
  ],
};

// --- people ---

interface OfUser {
  readonly user: UserRecord;
}

/** Whether a user can be rung has changed: teams count it, and calls are offered to them or stop ringing. */
const reachability: Line<OfUser> = whether(
  (_p, { user }) => isFree(user),
  [(p, { user }) => p.teams.memberChanged(user.id, true), (p, { user }) => p.teamOffers.memberFreed(user.id)],
  [(p, { user }) => p.teams.memberChanged(user.id, false), (p, { user }) => p.ringing.withdrawFrom(user.id)],
);

const availabilityScore: Score["availability"] = {
  settled: [
    when(
      (p, { recordId }, fact) => p.availability.isNews(recordId, fact),
      (p, { recordId }, fact) => p.availability.settled(recordId, fact),
      publish("user.availability.updated", (p, { recordId }) => ({
        user: p.tables.users.mustGet(recordId),
      })),
      (p, { recordId }) => reachability(p, { user: p.tables.users.mustGet(recordId) }, undefined),
    ),
  ],
};

// --- the rest of the machines ---

const conversation = (p: World, { recordId }: { readonly recordId: string }) => {
  const kept = p.tables.conversations.mustGet(recordId);
  return () => ({ conversation: conversationRecord(kept) });
};

/** What follows from each fact of each machine. */
const score: Score = {
  call: callScore,
  ring: ringScore,
  teamOffer: teamOfferScore,
  availability: availabilityScore,
  voicemail: {
    tone: [(p, { recordId }) => p.voicemail.recordFromNow(recordId)],
    over: [(p, { recordId }) => p.voicemail.over(recordId)], // tells the call, and continues at call.closed
  },
  redirectReturn: {
    returned: [(p, of, { reason }) => p.redirect.giveBack(callOf(p, of), of.returnTo, reason)],
    post: [(p, of, { reason }) => p.redirect.post(callOf(p, of), of.returnTo, reason)],
  },
  conversation: {
    inactive: [
      (p, { recordId }) => p.conversations.inactive(recordId),
      publishLater("conversation.inactive", conversation),
    ],
    closed: [
      (p, { recordId }) => p.conversations.closed(recordId),
      publishLater("conversation.closed", conversation),
      (p, { recordId }) => p.conversations.finish(recordId),
    ],
  },
  analysis: {
    completed: [
      (p, { recordId }) => p.analysis.completed(recordId),
      publish("content_analysis.completed", (p, { recordId }) => ({
        contentAnalysis: p.tables.analysis.mustGet(recordId),
      })),
      (p, { recordId }) => p.analysis.finish(recordId),
    ],
  },
  webhook: {
    counted: [(p, { recordId }, { failures }) => p.webhooks.counted(recordId, failures)],
    enabled: [(p, { recordId }) => p.webhooks.enabled(recordId)],
    disabled: [
      (p, { recordId }) => p.webhooks.disabled(recordId),
      (p, { recordId }) => p.deliveries.drop(recordId, "disabled"),
      when(
        (_p, _of, { by }) => by === "failures",
        (p, { recordId }) => p.notifications.webhookDisabled(p.webhooks.get(recordId)),
      ),
    ],
    removed: [
      (p, { recordId }) => p.webhooks.removed(recordId),
      (p, { recordId }) => p.deliveries.drop(recordId, "deleted"),
    ],
  },
  delivery: {
    attempt: [(p, { recordId }, { number }) => p.deliveries.attemptAgain(recordId, number)],
    delivered: [(p, { recordId }) => p.deliveries.delivered(recordId)],
    dropped: [(p, { recordId }) => p.deliveries.dropped(recordId)],
    // the webhook counts it; continues at webhook.counted and webhook.disabled
    givenUp: [(p, { recordId }, { reason }) => p.webhooks.givenUp(p.deliveries.givenUp(recordId, reason))],
  },
};

// --- what no machine tells ---

const ofCall =
  <Of extends { readonly callId: string }>(line: Line<OfCall>): Line<Of> =>
  (p, { callId }) =>
    line(p, { recordId: callId }, undefined);

const told: { readonly [What in keyof Told]: Lines<Told[What]> } = {
  callBegan: [
    ofCall(publish("call.started", call)),
    (p, { callId }) => p.people.began(callId),
    (p, { callId }) => {
      const { returnTo } = p.live.mustGet(callId).rules;
      if (returnTo !== null) p.redirect.begin(callId, returnTo);
    },
  ],
  callerJoined: [
    (p, { callId, party }) => becomesBusy(p, { callId, party, entryId: party.entryId ?? "" }, undefined),
  ],
  callerSpoke: [(p, { callId }) => p.people.spoke(callId)],
  entryChanged: [(p, { entryId }) => p.teams.recordChanged(entryId)],
  endpointLost: [(p, { userId, endpointId }) => p.ringing.loseEndpoint(userId, endpointId)],
  memberSet: [(p, { memberId }) => p.teamOffers.memberFreed(memberId)],
  memberRemoved: [(p, { teamId, memberId }) => p.teamOffers.memberRemoved(teamId, memberId)],
  recordingAvailable: [
    when(
      (p) => p.settings.features.analysis,
      (p, { call: of, recording }) => p.analysis.createFor(of, recording),
    ),
  ],
  eventPublished: [
    (p, { event }) => {
      for (const id of p.webhooks.receiversOf(event.type)) p.deliveries.begin(id, eventOf(event));
    },
  ],
  delivered: [(p, { webhookId }) => p.webhooks.delivered(webhookId)],
  requestOver: [(p, { request, outcome }) => outcomes[request.why](p, request, outcome)],
  stepOver: [(p) => p.teamOffers.settle()],
};

/** What follows when a request is over, by its purpose. */
const outcomes: {
  readonly [Why in RequestRecord["why"]]: (p: World, request: RequestRecord, outcome: RequestOutcome) => void;
} = {
  webhook: (p, request, outcome) => p.deliveries.attempted(request, outcome),
  return: (p, request) => p.redirect.posted(request),
  outboundCall: (p, request, outcome) => answered(p, "outboundCall", request, outcome),
  teamCall: (p, request, outcome) => answered(p, "teamCall", request, outcome),
  inboundConversations: (p, request, outcome) => answered(p, "inboundConversations", request, outcome),
  callInsights: (p, request, outcome) => answered(p, "callInsights", request, outcome),
};

/** What follows from each answer of a data action; undefined if there is no valid answer. */
const answers: {
  readonly [A in Action]: (p: World, request: RequestRecord, said: Said<A> | undefined) => void;
} = {
  outboundCall: (p, { recordId }, said) => p.calls.dataActionAnswered(recordId, said),
  teamCall: (p, { recordId, context }, said) =>
    p.offering.dataActionAnswered(recordId, context as string, said),
  inboundConversations: (p, { context }, said) => p.conversations.dataActionAnswered(context as string, said),
  callInsights: (p, request, said) => {
    if (said !== undefined) p.dataActions.keepInsights(request, said);
  },
};

function answered<A extends Action>(
  p: World,
  action: A,
  request: RequestRecord,
  outcome: RequestOutcome,
): void {
  answers[action](p, request, p.dataActions.said(action, request, outcome));
}

/** Plays what follows from a fact of a machine. */
export function playFact<R extends RoleName>(
  p: World,
  role: R,
  about: Cast[R]["about"],
  fact: Cast[R]["fact"],
): void {
  const byType: Readonly<Record<string, Lines<Cast[R]["about"], Cast[R]["fact"]>>> = score[role];
  const lines = byType[fact.type];
  if (lines === undefined) throw new Error(`the score has no lines for ${fact.type} of the ${role} machine`);
  play(lines, p, about, fact);
}

/** Plays what follows from something that no machine tells. */
export function playTold<What extends keyof Told>(p: World, what: What, of: Told[What]): void {
  play(told[what], p, of, undefined);
}
