import type { CallRecord, Party } from "../../records/call.ts";
import type { DomainEvents } from "../base/machine-types.ts";
import type { Services } from "../catalogue/services.ts";
import type { LiveCall } from "../live/live-calls.ts";
import { partyById } from "../live/parties.ts";
import {
  byAssumption,
  type Condition,
  type DomainEventReactions,
  type FactReactions,
  ifElse,
  onlyIf,
  publish,
  type Reaction,
  type Reactions,
  runReactions,
  triggers,
} from "./reaction.ts";

interface OfCall {
  readonly recordId: string;
}

/** A party of a call. `entryId` is its user or device, empty for an outside party. */
interface OfParty {
  readonly callId: string;
  readonly party: Party;
  readonly entryId: string;
}

const findCall = (p: Services, { recordId }: OfCall): CallRecord => p.callRecords.get(recordId);
const mustFindLive = (p: Services, { recordId }: OfCall): LiveCall => p.live.mustGet(recordId);
const callPayload = (p: Services, of: OfCall) => ({ call: findCall(p, of) });

/** Runs reactions for the party that the fact names. */
function forParty(reactions: Reactions<OfParty>): Reaction<OfCall, { readonly party: string }> {
  return (p, { recordId }, { party: partyId }) => runForParty(reactions, p, recordId, partyId);
}

function runForParty(reactions: Reactions<OfParty>, p: Services, callId: string, partyId: string): void {
  const party = partyById(p.callRecords.get(callId), partyId);
  runReactions(reactions, p, { callId, party, entryId: party.entryId ?? "" }, undefined);
}

/** The call with its target and its team, for platforms that name them from the start. */
const callPayloadWithTarget = (p: Services, { recordId }: OfCall) => ({
  call: p.callRecords.withTarget(recordId),
});

/** The call with its target if that is a person or a device. */
const callPayloadForPeople = (p: Services, of: OfCall) => {
  const named = callPayloadWithTarget(p, of);
  return named.call.directoryTarget?.type === "team" ? callPayload(p, of) : named;
};

const isInside: Condition<OfParty> = (_p, { entryId }) => entryId !== "";
const isUser: Condition<OfParty> = (_p, { party }) => party.type === "user";
const hasWayBack: Condition<OfCall> = (p, of) => mustFindLive(p, of).rules.returnTo !== null;

/** A user or a device joins a call and becomes busy. A device has no availability, but is free or not. */
const markBusy: Reaction<OfParty> = onlyIf(
  isInside,
  (p, { callId, entryId }) => p.live.occupy(entryId, callId),
  ifElse(
    isUser,
    [
      triggers(["availability.settled"], (p, { callId, entryId }) =>
        p.availability.joinCall(entryId, callId),
      ),
    ],
    [
      triggers(["teamTotalsChanged"], (p, { entryId }) => p.teams.updateAvailability(entryId, false)),
      triggers(["ring.stopped"], (p, { entryId }) => p.ringing.withdrawFrom(entryId)),
    ],
  ),
);

/** A user or a device leaves a call. */
const markFree: Reaction<OfParty> = onlyIf(
  isInside,
  (p, { entryId }) => p.live.release(entryId),
  ifElse(
    isUser,
    [
      triggers(["availability.settled"], (p, { entryId }) =>
        p.availability.leaveCall(entryId, p.people.drawWrapUpMs(entryId)),
      ),
    ],
    [
      triggers(["teamTotalsChanged"], (p, { entryId }) => p.teams.updateAvailability(entryId, true)),
      (p, { entryId }) => p.teamOffers.memberFreed(entryId),
    ],
  ),
);

/** A party joins the bridge. */
const joinBridge: Reaction<OfCall, { readonly party: string }> = forParty([
  markBusy,
  (p, { callId, party }) => p.people.scheduleHangup(callId, party),
]);

/** A party hangs up. It stays busy. */
const hangUp: Reactions<OfParty> = [
  (p, { callId, party }) => p.callRecords.recordLeave(callId, party.id),
  publish("call.hungup", (p, { callId, party }) => ({ call: p.callRecords.get(callId), party })),
  (p, { party }) => p.people.cancelHangup(party),
];

/** A party hangs up and is free again. */
const leaveCall: Reactions<OfParty> = [...hangUp, markFree];

/** Runs reactions for each party that leaves as the call closes. Whoever hung up is the first of `leaving`. */
function forEachLeaving(
  reactions: Reactions<OfParty>,
): Reaction<OfCall, { readonly leaving: readonly string[] }> {
  return (p, { recordId }, { leaving }) => {
    for (const partyId of leaving) runForParty(reactions, p, recordId, partyId);
  };
}

/** Nobody answered and no voicemail took the call. */
const isMissed: Condition<OfCall> = (p, of) => {
  const { assignedUser, answeredAt, status } = findCall(p, of);
  return (
    assignedUser === null &&
    answeredAt === null &&
    status !== "blocked" &&
    mustFindLive(p, of).voicemail === null
  );
};
/** The call was sent to a voicemail that does not exist and did not return: it closes silently. */
const isSilent: Condition<OfCall> = (p, of) => {
  const { sendToVoicemail, returnTo } = mustFindLive(p, of).rules;
  return sendToVoicemail && returnTo === null;
};
const isReturned: Condition<OfCall> = (p, of) =>
  isMissed(p, of, undefined) && findCall(p, of).status === "missed";
const hasMessage: Condition<OfCall> = (p, of) =>
  findCall(p, of).voicemail !== null && mustFindLive(p, of).voicemail !== null;

function mustFindSession(p: Services, of: OfCall): NonNullable<LiveCall["voicemail"]> {
  const { voicemail } = mustFindLive(p, of);
  if (voicemail === null) throw new Error(`call ${of.recordId} is in nobody's voicemail`);
  return voicemail;
}

/**
 * Notifies the users who were offered the call and did not take it. It comes when nobody can take the call any more: as
 * voicemail takes it, or as it closes.
 */
const missedNotices: Reaction<OfCall> = byAssumption("notAnswered", {
  once: [(p, of) => p.notifications.missedCall(findCall(p, of), mustFindLive(p, of).sentTo, ["open"])],
  perTeam: [
    (p, of) => p.notifications.missedCall(findCall(p, of), mustFindLive(p, of).sentTo, ["open", "passedOn"]),
  ],
});

const ownerOfVoicemail = (p: Services, of: OfCall) => mustFindSession(p, of).owner;

/** Publishes the end of a call on whose bridge nobody ever was. */
const publishUnanswered: Reaction<OfCall, { readonly status: string }> = byAssumption("abandoned", {
  notAnswered: [publish("call.not_answered", callPayload)],
  ended: [
    ifElse(
      (_p, _of, { status }) => status === "abandoned",
      [publish("call.ended", callPayload)],
      [publish("call.not_answered", callPayload)],
    ),
  ],
});

/** Publishes that a call was answered. */
const publishAnswered: Reaction<OfCall> = byAssumption("answeredStatus", {
  accepted: [publish("call.answered", callPayload)],
  started: [publish("call.answered", (p, of) => ({ call: { ...findCall(p, of), status: "started" } }))],
});

const callMachineReactions: FactReactions["call"] = {
  offered: [(p, of) => p.dataActions.askCallInsights(findCall(p, of), "precall")],
  answered: [
    (p, { recordId }, fact) => p.callRecords.recordAnswer(recordId, fact),
    publishAnswered,
    joinBridge,
    (p, of) => p.people.scheduleCallerHangup(findCall(p, of)),
    onlyIf(hasWayBack, (p, { recordId }) => p.redirect.keep(recordId)),
  ],
  joined: [(p, { recordId }, fact) => p.callRecords.recordJoin(recordId, fact), joinBridge],
  notAnswered: [
    (p, { recordId }) => p.callRecords.recordNotAnswered(recordId),
    byAssumption("voicemailTaken", {
      notAnswered: [publish("call.not_answered", callPayload)],
      silent: [
        onlyIf((p, of) => mustFindLive(p, of).voicemail === null, publish("call.not_answered", callPayload)),
      ],
    }),
  ],
  sentToVoicemail: [
    (p, { recordId }, fact) => p.voicemail.join(recordId, fact.voicemail),
    missedNotices,
    (p, { recordId }) => p.voicemail.begin(recordId),
    (p, { recordId }) => p.people.scheduleVoicemail(recordId),
  ],
  left: [
    forParty([
      ...hangUp,
      // before their teams find them free
      (p, { callId, party }) => p.offering.handedOn(callId, party),
      markFree,
    ]),
    (p, { recordId }) => p.teamOffers.endIfDeclinedByAll(recordId),
  ],
  outsideLeft: [triggers(["ring.stopped"], (p, { recordId }) => p.offering.endAdditions(recordId))],
  closed: [
    byAssumption("freedAfter", { hangup: [forEachLeaving(leaveCall)], ended: [forEachLeaving(hangUp)] }),
    triggers(["ring.stopped"], (p, { recordId }) => p.offering.endAll(recordId)),
    (p, { recordId }, fact) => p.callRecords.recordClose(recordId, fact),
    (p, { recordId }) => p.people.cancelGivingUp(recordId),
    ifElse(
      (_p, _of, fact) => fact.with === "call.ended",
      [publish("call.ended", callPayload)],
      [publishUnanswered],
    ),
    byAssumption("freedAfter", { hangup: [], ended: [forEachLeaving([markFree])] }),
    (p, of) => p.dataActions.askCallInsights(findCall(p, of), "callhistory"),
    onlyIf(
      (p, of: OfCall) => mustFindLive(p, of).voicemail === null && !isSilent(p, of, undefined),
      missedNotices,
    ),
    onlyIf(
      hasWayBack,
      ifElse(
        isReturned,
        [
          triggers(["redirectReturn.returned", "redirectReturn.post"], (p, of) =>
            p.redirect.unanswered(of.recordId, findCall(p, of).outcome?.reason ?? ""),
          ),
        ],
        [(p, { recordId }) => p.redirect.keep(recordId)],
      ),
    ),
    (p, of) => p.afterCall.scheduleRecording(findCall(p, of)),
    onlyIf(
      hasMessage,
      (p, of) => p.afterCall.scheduleMessage(findCall(p, of), mustFindSession(p, of)),
      (p, of) => p.afterCall.notifyOwner(findCall(p, of), ownerOfVoicemail(p, of)),
    ),
    (p, of) => p.afterCall.scheduleTariff(findCall(p, of), mustFindLive(p, of).voicemail !== null),
    // the call is no longer live after this, and `retain.calls` may drop its record
    (p, { recordId }) => p.live.remove(recordId),
    (p, { recordId }) => p.retention.closeCall(recordId),
  ],
};

/** What follows from the machines of a call. */
export const callFactReactions: Pick<FactReactions, "call" | "voicemail" | "redirectReturn"> = {
  call: callMachineReactions,
  voicemail: {
    tone: [(p, { recordId }) => p.voicemail.recordFromNow(recordId)],
    over: [triggers(["call.closed"], (p, { recordId }) => p.voicemail.over(recordId))],
  },
  redirectReturn: {
    returned: [
      (p, of, { reason }) => p.flows.forget(p.redirect.giveBack(findCall(p, of), of.returnTo, reason)),
      (p, of) => p.flows.callReturned(findCall(p, of), of.returnTo),
    ],
    post: [(p, of, { reason }) => p.redirect.post(findCall(p, of), of.returnTo, reason)],
  },
};

const forCall = <Of extends { readonly callId: string }>(...reactions: Reactions<OfCall>): Reaction<Of> => {
  return (p, { callId }) => runReactions(reactions, p, { recordId: callId }, undefined);
};

type OfContact = DomainEvents["callContactAssigned"];

const publishContactShared: Reaction<OfContact> = publish(
  "contact.shared",
  (_p, { contact, participants }) => ({
    contact,
    participants,
    channel: "call",
  }),
);

/** Publishes the deprecated event. */
const publishContactAssigned: Reaction<OfContact> = ifElse(
  (_p, { wasKnown }) => wasKnown,
  [publish("call.contact_assigned_with_update", (_p, { call: of, contact }) => ({ call: of, contact }))],
  [publish("call.contact_assigned_with_add", (_p, { call: of, contact }) => ({ call: of, contact }))],
);

/** What follows from the domain events of a call. */
export const callReactions = {
  callBegan: [
    forCall(
      byAssumption("startedTarget", {
        absent: [publish("call.started", callPayload)],
        present: [publish("call.started", callPayloadWithTarget)],
        people: [publish("call.started", callPayloadForPeople)],
      }),
    ),
    (p, { callId }) => p.people.scheduleGivingUp(callId),
    (p, { callId }) => {
      const { returnTo } = p.live.mustGet(callId).rules;
      if (returnTo !== null) p.redirect.begin(callId, returnTo);
    },
  ],
  callerJoined: [(p, { callId, party }) => runForParty([markBusy], p, callId, party.id)],
  callerSpoke: [(p, { callId }) => p.people.cancelVoicemail(callId)],
  // the record and the timeline say so; what follows is the unanswered step
  targetUnreachable: [],
  callContactAssigned: [publishContactShared, publishContactAssigned],
} satisfies Partial<DomainEventReactions>;
