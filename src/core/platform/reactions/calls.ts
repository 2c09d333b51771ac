import type { CallRecord, Party } from "../../records/call.ts";
import type { World } from "../catalogue/modules.ts";
import type { LiveCall } from "../live/live-calls.ts";
import { partyById } from "../live/parties.ts";
import type { Happenings } from "../services/machine-types.ts";
import {
  assuming,
  type FactLines,
  type HappeningLines,
  type Judge,
  type Line,
  type Lines,
  leadsTo,
  play,
  publish,
  when,
  whether,
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

/** The call with its target and its team, for platforms that name them from the start. */
const callWithTarget = (p: World, { recordId }: OfCall) => ({ call: p.callRecords.withTarget(recordId) });

const isInside: Judge<OfParty> = (_p, { entryId }) => entryId !== "";
const isUser: Judge<OfParty> = (_p, { party }) => party.type === "user";
const hasWayBack: Judge<OfCall> = (p, of) => liveOf(p, of).rules.returnTo !== null;

/** A user or a device joins a call and becomes busy. A device has no availability, but is free or not. */
const becomesBusy: Line<OfParty> = when(
  isInside,
  (p, { callId, entryId }) => p.live.occupy(entryId, callId),
  whether(
    isUser,
    [leadsTo(["availability.settled"], (p, { callId, entryId }) => p.availability.joinCall(entryId, callId))],
    [
      leadsTo(["teamTotalsChanged"], (p, { entryId }) => p.teams.memberChanged(entryId, false)),
      leadsTo(["ring.stopped"], (p, { entryId }) => p.ringing.withdrawFrom(entryId)),
    ],
  ),
);

/** A user or a device leaves a call. */
const becomesFree: Line<OfParty> = when(
  isInside,
  (p, { entryId }) => p.live.release(entryId),
  whether(
    isUser,
    [
      leadsTo(["availability.settled"], (p, { entryId }) =>
        p.availability.leaveCall(entryId, p.people.wrapUpMs(entryId)),
      ),
    ],
    [
      leadsTo(["teamTotalsChanged"], (p, { entryId }) => p.teams.memberChanged(entryId, true)),
      (p, { entryId }) => p.teamOffers.memberFreed(entryId),
    ],
  ),
);

/** A party joins the bridge. */
const joins: Line<OfCall, { readonly party: string }> = ofParty([
  becomesBusy,
  (p, { callId, party }) => p.people.joined(callId, party),
]);

/** A party hangs up, and is busy still. */
const hangsUp: Lines<OfParty> = [
  (p, { callId, party }) => p.callRecords.left(callId, party.id),
  publish("call.hungup", (p, { callId, party }) => ({ call: p.callRecords.get(callId), party })),
  (p, { party }) => p.people.left(party),
];

/** A party hangs up. */
const leaves: Lines<OfParty> = [...hangsUp, becomesFree];

/** Plays lines about each party that leaves as the call closes. Whoever hung up is the first of `leaving`. */
function eachLeaving(lines: Lines<OfParty>): Line<OfCall, { readonly leaving: readonly string[] }> {
  return (p, { recordId }, { leaving }) => {
    for (const partyId of leaving) playParty(lines, p, recordId, partyId);
  };
}

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

function sessionOf(p: World, of: OfCall): NonNullable<LiveCall["voicemail"]> {
  const { voicemail } = liveOf(p, of);
  if (voicemail === null) throw new Error(`call ${of.recordId} is in nobody's voicemail`);
  return voicemail;
}

const ownerOfVoicemail = (p: World, of: OfCall) => sessionOf(p, of).owner;

/** Tells that a call is over that nobody was ever on the bridge of. */
const closedUnanswered: Line<OfCall, { readonly status: string }> = assuming("abandoned", {
  notAnswered: [publish("call.not_answered", call)],
  ended: [
    whether(
      (_p, _of, { status }) => status === "abandoned",
      [publish("call.ended", call)],
      [publish("call.not_answered", call)],
    ),
  ],
});

/** Tells that a call was answered. */
const callAnswered: Line<OfCall> = assuming("answeredStatus", {
  accepted: [publish("call.answered", call)],
  started: [publish("call.answered", (p, of) => ({ call: { ...callOf(p, of), status: "started" } }))],
});

const callLines: FactLines["call"] = {
  offered: [(p, of) => p.dataActions.askCallInsights(callOf(p, of), "precall")],
  answered: [
    (p, { recordId }, fact) => p.callRecords.answered(recordId, fact),
    callAnswered,
    joins,
    (p, of) => p.people.answered(callOf(p, of)),
    when(hasWayBack, (p, { recordId }) => p.redirect.keep(recordId)),
  ],
  joined: [(p, { recordId }, fact) => p.callRecords.joined(recordId, fact), joins],
  notAnswered: [
    (p, { recordId }) => p.callRecords.notAnswered(recordId),
    assuming("voicemailTaken", {
      notAnswered: [publish("call.not_answered", call)],
      silent: [when((p, of) => liveOf(p, of).voicemail === null, publish("call.not_answered", call))],
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
    assuming("freedAfter", { hangup: [eachLeaving(leaves)], ended: [eachLeaving(hangsUp)] }),
    leadsTo(["ring.stopped"], (p, { recordId }) => p.offering.endAll(recordId)),
    (p, { recordId }, fact) => p.callRecords.closed(recordId, fact),
    (p, { recordId }) => p.people.closed(recordId),
    whether((_p, _of, fact) => fact.with === "call.ended", [publish("call.ended", call)], [closedUnanswered]),
    assuming("freedAfter", { hangup: [], ended: [eachLeaving([becomesFree])] }),
    (p, of) => p.dataActions.askCallInsights(callOf(p, of), "callhistory"),
    when(
      (p, of: OfCall) => isMissed(p, of, undefined) && !isSilent(p, of, undefined),
      (p, of) => p.notifications.missedCall(liveOf(p, of).target, callOf(p, of)),
    ),
    when(
      hasWayBack,
      whether(
        isReturned,
        [
          leadsTo(["redirectReturn.returned", "redirectReturn.post"], (p, of) =>
            p.redirect.unanswered(of.recordId, callOf(p, of).outcome?.reason ?? ""),
          ),
        ],
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

/** What follows from the machines of a call. */
export const callFacts: Pick<FactLines, "call" | "voicemail" | "redirectReturn"> = {
  call: callLines,
  voicemail: {
    tone: [(p, { recordId }) => p.voicemail.recordFromNow(recordId)],
    over: [leadsTo(["call.closed"], (p, { recordId }) => p.voicemail.over(recordId))],
  },
  redirectReturn: {
    returned: [
      (p, of, { reason }) => p.flows.forget(p.redirect.giveBack(callOf(p, of), of.returnTo, reason)),
      (p, of) => p.flows.callReturned(callOf(p, of), of.returnTo),
    ],
    post: [(p, of, { reason }) => p.redirect.post(callOf(p, of), of.returnTo, reason)],
  },
};

const ofCall = <Of extends { readonly callId: string }>(...lines: Lines<OfCall>): Line<Of> => {
  return (p, { callId }) => play(lines, p, { recordId: callId }, undefined);
};

type OfContact = Happenings["callContactAssigned"];

const contactShared: Line<OfContact> = publish("contact.shared", (_p, { contact, participants }) => ({
  contact,
  participants,
  channel: "call",
}));

/** The deprecated event. */
const contactAssigned: Line<OfContact> = whether(
  (_p, { wasKnown }) => wasKnown,
  [publish("call.contact_assigned_with_update", (_p, { call: of, contact }) => ({ call: of, contact }))],
  [publish("call.contact_assigned_with_add", (_p, { call: of, contact }) => ({ call: of, contact }))],
);

/** What follows from what happens to a call and no machine tells. */
export const callHappenings = {
  callBegan: [
    ofCall(
      assuming("startedTarget", {
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
} satisfies Partial<HappeningLines>;
