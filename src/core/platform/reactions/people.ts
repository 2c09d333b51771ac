import type { UserRecord } from "../../records/directory.ts";
import { isFree } from "../availability/availability.ts";
import type { MachineTypes } from "../base/machine-types.ts";
import type { Services } from "../catalogue/services.ts";
import { isNone } from "../declare/assumptions.ts";
import { partyById } from "../live/parties.ts";
import type { Ring } from "../parts/calls.ts";
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

// --- ringing ---

interface OfRing {
  readonly ring: Ring;
}

const isOfTeam: Condition<OfRing> = (p, { ring }) =>
  p.live.offer(ring.callId, ring.offerId)?.destination.kind === "team";

const isOfUser: Condition<OfRing> = (p, { ring }) => p.tables.users.get(ring.entryId) !== undefined;

/** Publishes a user as busy while they ring. The record does not change: another call may ring them too. */
const publishRinging: Reaction<OfRing> = publish("user.availability.updated", (p, { ring }) => ({
  user: p.availability.ringingUser(ring.entryId, p.callRecords.get(ring.callId)),
}));

/** Publishes the availability of a user who no longer rings. One who answered becomes busy, which has its own event. */
const publishRingingOver: Reaction<OfRing> = onlyIf(
  (p, { ring }) => isFree(p.tables.users.mustGet(ring.entryId)) && p.live.ringsOf(ring.entryId).length === 0,
  publish("user.availability.updated", (p, { ring }) => ({ user: p.tables.users.mustGet(ring.entryId) })),
);

/** Drops a ring that is over, and the answer and the decline that a behaviour scheduled. */
const forgetRing: Reactions<OfRing> = [
  (p, { ring }) => p.live.removeRing(ring),
  (p, { ring }) => p.people.cancelAnswer(ring),
];

const ring: FactReactions["ring"] = {
  began: [
    (p, { ring: of }) => p.people.scheduleAnswer(of),
    triggers(["cardsCame"], (p, { ring: of }) => p.dataActions.rings(of)),
    byAssumption("ringingAvailability", { silent: [], announced: [onlyIf(isOfUser, publishRinging)] }),
  ],
  silenced: [
    (p, { ring: of }, { endpoint, outcome }) =>
      p.ringing.endDials(of, (each) => (each === endpoint ? outcome : undefined)),
  ],
  answered: [
    ...forgetRing,
    triggers(["ring.stopped"], (p, { ring: of }) => p.offering.answered(of)),
    triggers(["call.answered", "call.joined"], (p, { ring: { callId, partyId: party } }, { endpoint }) => {
      const isOutside = partyById(p.callRecords.get(callId), party).type === "external";
      p.machines.send("call", callId, { type: "ANSWER", party, endpoint, isOutside });
    }),
  ],
  stopped: [
    ...forgetRing,
    (p, { ring: of }, { outcome }) => p.ringing.endDials(of, () => outcome),
    byAssumption("ringingAvailability", { silent: [], announced: [onlyIf(isOfUser, publishRingingOver)] }),
    (p, { ring: of }) => p.teamOffers.memberFreed(of.entryId),
    ifElse(
      isOfTeam,
      [
        triggers(["teamOffer.choose"], (p, { ring: of }, { outcome }) =>
          p.teamOffers.ringStopped(of, outcome),
        ),
      ],
      [
        triggers(
          ["call.sentToVoicemail", "call.notAnswered", "call.closed"],
          (p, { ring: of }, { outcome }) => p.offering.ringStopped(of, outcome),
        ),
      ],
    ),
  ],
};

// --- offers to teams ---

type OfTeamOffer = MachineTypes["teamOffer"]["about"];
type Offer = NonNullable<ReturnType<Services["live"]["offer"]>>;

/** Runs reactions for an offer that still exists: its call may be over. */
function whileOffered<Fact>(...reactions: Reactions<Offer, Fact>): Reaction<OfTeamOffer, Fact> {
  return (p, { recordId, offerId }, fact) => {
    const offer = p.live.offer(recordId, offerId);
    if (offer !== undefined) runReactions(reactions, p, offer, fact);
  };
}

const teamOffer: FactReactions["teamOffer"] = {
  choose: [
    whileOffered(
      triggers(["ring.began", "teamOffer.waits", "teamOffer.over"], (p, offer, { after }) =>
        p.teamOffers.choose(offer, after),
      ),
    ),
  ],
  waits: [],
  tierOver: [whileOffered(triggers(["ring.stopped"], (p, offer) => p.ringing.stop(offer, "timeout")))],
  over: [
    whileOffered(
      (p, offer) => p.teamOffers.leaveQueue(offer),
      byAssumption("notAnswered", {
        once: [],
        perTeam: [
          onlyIf(
            (p, offer) => p.offering.goesOn(offer),
            publish("call.not_answered", (p, { callId }) => ({ call: p.callRecords.withTarget(callId) })),
          ),
        ],
      }),
      triggers(
        ["offerReady", "call.sentToVoicemail", "call.notAnswered", "call.closed"],
        (p, offer, { reason }) => p.offering.unanswered(offer, reason),
      ),
    ),
  ],
};

// --- availability ---

interface OfUser {
  readonly user: UserRecord;
}

/** After a change of a user's availability: updates team totals, and offers calls to the user or stops their rings. */
const updateReachability: Reaction<OfUser> = ifElse(
  (_p, { user }) => isFree(user),
  [
    triggers(["teamTotalsChanged"], (p, { user }) => p.teams.updateAvailability(user.id, true)),
    (p, { user }) => p.teamOffers.memberFreed(user.id),
  ],
  [
    triggers(["teamTotalsChanged", "teamMemberChanged"], (p, { user }) =>
      p.teams.updateAvailability(user.id, false),
    ),
    triggers(["ring.stopped"], (p, { user }) => p.ringing.withdrawFrom(user.id)),
  ],
);

const publishUser: Reaction<OfUser> = publish("user.availability.updated", (_p, of) => of);

/** Runs reactions for the user of the record. */
function forUser(...reactions: Reactions<OfUser>): Reaction<{ readonly recordId: string }> {
  return (p, { recordId }) =>
    runReactions(reactions, p, { user: p.tables.users.mustGet(recordId) }, undefined);
}

/** What follows from the machines by which people are reached. */
export const peopleFactReactions: Pick<FactReactions, "ring" | "teamOffer" | "availability"> = {
  ring,
  teamOffer,
  availability: {
    settled: [
      onlyIf(
        (p, { recordId }, fact) => p.availability.isChange(recordId, fact),
        (p, { recordId }, fact) => p.availability.writeRecord(recordId, fact),
        forUser(publishUser, updateReachability),
      ),
    ],
  },
};

/** What follows from changes of users, devices and teams. */
export const peopleReactions = {
  entryChanged: [
    (p, { entryId }) => p.teams.refreshMember(entryId),
    (p, { entryId }) => p.callRecords.refreshPerson(entryId),
    (p, { entryId }) => p.conversations.personChanged(entryId),
  ],
  endpointLost: [
    triggers(["ring.silenced", "ring.stopped"], (p, { userId, endpointId }) =>
      p.ringing.loseEndpoint(userId, endpointId),
    ),
  ],
  memberSet: [(p, { memberId }) => p.teamOffers.memberFreed(memberId)],
  memberRemoved: [
    triggers(["ring.stopped"], (p, { teamId, memberId }) => p.teamOffers.memberRemoved(teamId, memberId)),
  ],
  teamTotalsChanged: [publish("team.availability.updated", (_p, of) => of)],
  teamMemberChanged: [
    byAssumption("teamNews", {
      totals: [],
      members: [publish("team.availability.updated", (_p, of) => of)],
    }),
  ],
  offerReady: [
    ifElse(
      (p) => isNone(p.settings.assume.dialLatency),
      [
        triggers(
          [
            "ring.began",
            "ring.stopped",
            "call.offered",
            "teamOffer.choose",
            "targetUnreachable",
            "call.sentToVoicemail",
            "call.notAnswered",
            "call.closed",
          ],
          (p, { offer }) => p.offering.dial(offer),
        ),
      ],
      [(p, { offer }) => p.offering.dialLater(offer)],
    ),
  ],
  stepOver: [
    triggers(["ring.began"], (p) => p.teamOffers.settle()),
    triggers(["eventPublished"], (p) => p.publishing.flush()),
  ],
} satisfies Partial<DomainEventReactions>;
