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

const callOf = (p: Services, { recordId }: OfCall): CallRecord => p.callRecords.get(recordId);
const liveOf = (p: Services, { recordId }: OfCall): LiveCall => p.live.mustGet(recordId);
const call = (p: Services, of: OfCall) => ({ call: callOf(p, of) });

/** Plays lines about a party of the call. */
function ofParty(lines: Reactions<OfParty>): Reaction<OfCall, { readonly party: string }> {
  return (p, { recordId }, { party: partyId }) => playParty(lines, p, recordId, partyId);
}

function playParty(lines: Reactions<OfParty>, p: Services, callId: string, partyId: string): void {
  const party = partyById(p.callRecords.get(callId), partyId);
  runReactions(lines, p, { callId, party, entryId: party.entryId ?? "" }, undefined);
}

/** The call with its target and its team, for platforms that name them from the start. */
const callWithTarget = (p: Services, { recordId }: OfCall) => ({ call: p.callRecords.withTarget(recordId) });

const isInside: Condition<OfParty> = (_p, { entryId }) => entryId !== "";
const isUser: Condition<OfParty> = (_p, { party }) => party.type === "user";
const hasWayBack: Condition<OfCall> = (p, of) => liveOf(p, of).rules.returnTo !== null;

/** A user or a device joins a call and becomes busy. A device has no availability, but is free or not. */
const becomesBusy: Reaction<OfParty> = onlyIf(
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
      triggers(["teamTotalsChanged"], (p, { entryId }) => p.teams.memberChanged(entryId, false)),
      triggers(["ring.stopped"], (p, { entryId }) => p.ringing.withdrawFrom(entryId)),
    ],
  ),
);

/** A user or a device leaves a call. */
const becomesFree: Reaction<OfParty> = onlyIf(
  isInside,
  (p, { entryId }) => p.live.release(entryId),
  ifElse(
    isUser,
    [
      triggers(["availability.settled"], (p, { entryId }) =>
        p.availability.leaveCall(entryId, p.people.wrapUpMs(entryId)),
      ),
    ],
    [
      triggers(["teamTotalsChanged"], (p, { entryId }) => p.teams.memberChanged(entryId, true)),
      (p, { entryId }) => p.teamOffers.memberFreed(entryId),
    ],
  ),
);

/** A party joins the bridge. */
const joins: Reaction<OfCall, { readonly party: string }> = ofParty([
  becomesBusy,
  (p, { callId, party }) => p.people.joined(callId, party),
]);

/** A party hangs up, and is busy still. */
const hangsUp: Reactions<OfParty> = [
  (p, { callId, party }) => p.callRecords.left(callId, party.id),
  publish("call.hungup", (p, { callId, party }) => ({ call: p.callRecords.get(callId), party })),
  (p, { party }) => p.people.left(party),
];

/** A party hangs up. */
const leaves: Reactions<OfParty> = [...hangsUp, becomesFree];

/** Plays lines about each party that leaves as the call closes. Whoever hung up is the first of `leaving`. */
function eachLeaving(lines: Reactions<OfParty>): Reaction<OfCall, { readonly leaving: readonly string[] }> {
  return (p, { recordId }, { leaving }) => {
    for (const partyId of leaving) playParty(lines, p, recordId, partyId);
  };
}

/** Nobody answered and no voicemail took the call. A voicemail's owner was notified before. */
const isMissed: Condition<OfCall> = (p, of) => {
  const { assignedUser, answeredAt, status } = callOf(p, of);
  return (
    assignedUser === null && answeredAt === null && status !== "blocked" && liveOf(p, of).voicemail === null
  );
};
/** The call was sent to a voicemail that does not exist and did not return: it closes silently. */
const isSilent: Condition<OfCall> = (p, of) => {
  const { sendToVoicemail, returnTo } = liveOf(p, of).rules;
  return sendToVoicemail && returnTo === null;
};
const isReturned: Condition<OfCall> = (p, of) =>
  isMissed(p, of, undefined) && callOf(p, of).status === "missed";
const hasMessage: Condition<OfCall> = (p, of) =>
  callOf(p, of).voicemail !== null && liveOf(p, of).voicemail !== null;

function sessionOf(p: Services, of: OfCall): NonNullable<LiveCall["voicemail"]> {
  const { voicemail } = liveOf(p, of);
  if (voicemail === null) throw new Error(`call ${of.recordId} is in nobody's voicemail`);
  return voicemail;
}

const ownerOfVoicemail = (p: Services, of: OfCall) => sessionOf(p, of).owner;

/** Tells that a call is over that nobody was ever on the bridge of. */
const closedUnanswered: Reaction<OfCall, { readonly status: string }> = byAssumption("abandoned", {
  notAnswered: [publish("call.not_answered", call)],
  ended: [
    ifElse(
      (_p, _of, { status }) => status === "abandoned",
      [publish("call.ended", call)],
      [publish("call.not_answered", call)],
    ),
  ],
});

/** Tells that a call was answered. */
const callAnswered: Reaction<OfCall> = byAssumption("answeredStatus", {
  accepted: [publish("call.answered", call)],
  started: [publish("call.answered", (p, of) => ({ call: { ...callOf(p, of), status: "started" } }))],
});

const callLines: FactReactions["call"] = {
  offered: [(p, of) => p.dataActions.askCallInsights(callOf(p, of), "precall")],
  answered: [
    (p, { recordId }, fact) => p.callRecords.answered(recordId, fact),
    callAnswered,
    joins,
    (p, of) => p.people.answered(callOf(p, of)),
    onlyIf(hasWayBack, (p, { recordId }) => p.redirect.keep(recordId)),
  ],
  joined: [(p, { recordId }, fact) => p.callRecords.joined(recordId, fact), joins],
  notAnswered: [
    (p, { recordId }) => p.callRecords.notAnswered(recordId),
    byAssumption("voicemailTaken", {
      notAnswered: [publish("call.not_answered", call)],
      silent: [onlyIf((p, of) => liveOf(p, of).voicemail === null, publish("call.not_answered", call))],
    }),
  ],
  sentToVoicemail: [
    (p, { recordId }, fact) => p.voicemail.join(recordId, fact.voicemail),
    (p, of) => p.notifications.missedCall(ownerOfVoicemail(p, of), callOf(p, of)),
    (p, { recordId }) => p.voicemail.begin(recordId),
    (p, { recordId }) => p.people.inVoicemail(recordId),
  ],
  left: [ofParty(leaves)],
  closed: [
    byAssumption("freedAfter", { hangup: [eachLeaving(leaves)], ended: [eachLeaving(hangsUp)] }),
    triggers(["ring.stopped"], (p, { recordId }) => p.offering.endAll(recordId)),
    (p, { recordId }, fact) => p.callRecords.closed(recordId, fact),
    (p, { recordId }) => p.people.closed(recordId),
    ifElse((_p, _of, fact) => fact.with === "call.ended", [publish("call.ended", call)], [closedUnanswered]),
    byAssumption("freedAfter", { hangup: [], ended: [eachLeaving([becomesFree])] }),
    (p, of) => p.dataActions.askCallInsights(callOf(p, of), "callhistory"),
    onlyIf(
      (p, of: OfCall) => isMissed(p, of, undefined) && !isSilent(p, of, undefined),
      (p, of) => p.notifications.missedCall(liveOf(p, of).target, callOf(p, of)),
    ),
    onlyIf(
      hasWayBack,
      ifElse(
        isReturned,
        [
          triggers(["redirectReturn.returned", "redirectReturn.post"], (p, of) =>
            p.redirect.unanswered(of.recordId, callOf(p, of).outcome?.reason ?? ""),
          ),
        ],
        [(p, { recordId }) => p.redirect.keep(recordId)],
      ),
    ),
    (p, of) => p.afterCall.followRecording(callOf(p, of)),
    onlyIf(
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

/** What follows from the machines of a call. */
export const callFactReactions: Pick<FactReactions, "call" | "voicemail" | "redirectReturn"> = {
  call: callLines,
  voicemail: {
    tone: [(p, { recordId }) => p.voicemail.recordFromNow(recordId)],
    over: [triggers(["call.closed"], (p, { recordId }) => p.voicemail.over(recordId))],
  },
  redirectReturn: {
    returned: [
      (p, of, { reason }) => p.flows.forget(p.redirect.giveBack(callOf(p, of), of.returnTo, reason)),
      (p, of) => p.flows.callReturned(callOf(p, of), of.returnTo),
    ],
    post: [(p, of, { reason }) => p.redirect.post(callOf(p, of), of.returnTo, reason)],
  },
};

const ofCall = <Of extends { readonly callId: string }>(...lines: Reactions<OfCall>): Reaction<Of> => {
  return (p, { callId }) => runReactions(lines, p, { recordId: callId }, undefined);
};

type OfContact = DomainEvents["callContactAssigned"];

const contactShared: Reaction<OfContact> = publish("contact.shared", (_p, { contact, participants }) => ({
  contact,
  participants,
  channel: "call",
}));

/** The deprecated event. */
const contactAssigned: Reaction<OfContact> = ifElse(
  (_p, { wasKnown }) => wasKnown,
  [publish("call.contact_assigned_with_update", (_p, { call: of, contact }) => ({ call: of, contact }))],
  [publish("call.contact_assigned_with_add", (_p, { call: of, contact }) => ({ call: of, contact }))],
);

/** What follows from what happens to a call and no machine tells. */
export const callReactions = {
  callBegan: [
    ofCall(
      byAssumption("startedTarget", {
        absent: [publish("call.started", call)],
        present: [publish("call.started", callWithTarget)],
      }),
    ),
    (p, { callId }) => p.people.began(callId),
    (p, { callId }) => {
      const { returnTo } = p.live.mustGet(callId).rules;
      if (returnTo !== null) p.redirect.begin(callId, returnTo);
    },
  ],
  callerJoined: [(p, { callId, party }) => playParty([becomesBusy], p, callId, party.id)],
  callerSpoke: [(p, { callId }) => p.people.spoke(callId)],
  callContactAssigned: [contactShared, contactAssigned],
} satisfies Partial<DomainEventReactions>;
