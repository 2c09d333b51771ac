import { assumptionRows, lawRows, orderRows } from "./judged.ts";
import type { Area } from "./row.ts";

export const events: Area = {
  title: "Events",
  rows: [
    {
      judged: "rule types of events",
      whose: "specified",
      proof: ["core/platform/events: of type %s carries %j"],
    },
    {
      rule: "`call.*` events carry the call with its passthrough parameters",
      whose: "specified",
      proof: [
        "core/platform/passthrough: are on every event of the call, the recording's included, and in its record",
      ],
    },
    {
      judged: "rule wrapper",
      whose: "ours",
      proof: [
        "core/platform/events: is wrapped in id, type, createdAt, createdTimestamp, organisationId and data",
      ],
    },
    {
      rule: "An event holds the record as it was at that instant, frozen",
      whose: "ours",
      proof: [
        "core/platform/events: never changes once it is emitted",
        "core/platform/events: is deeply frozen, whatever its type",
      ],
    },
    {
      rule: "The order of an answered call: started, answered, availability, hang-ups, availability, ended",
      whose: "specified as an example; here it is exact",
      proof: ["core/platform/calls: who answers, and whose caller hangs up first"],
    },
    {
      rule: "A call closes exactly once: with `call.ended` if anyone was ever on the bridge or it was blocked, otherwise with `call.not_answered`",
      whose: "ours",
      proof: [
        "properties/machines: closes exactly once, with call.ended if anyone was connected, and emits nothing afterwards",
      ],
    },
    {
      rule: "When someone leaves and fewer than two remain, those hang up at the same instant, in the order in which they joined",
      whose: "ours",
      proof: [
        "core/platform/transfer: emits call.hungup for one who leaves and continues; the last two close together",
      ],
    },
    {
      judged: "rule organisation of calls",
      whose: "specified",
      proof: [
        "core/platform/events: carries the organisation's id in its call, unlike the call's own record",
      ],
    },
  ],
  sections: [
    {
      title: "Assumptions",
      rows: [
        {
          rule: "Where a reasonable platform could behave differently, the decision is an [assumption](assumptions.md) with alternatives (`assume`)",
          whose: "ours",
          proof: [
            "core/platform/assumptions: has words for each assumption, with its default and the other values",
            "core/platform/assumptions: has a test above for each",
          ],
        },
        {
          rule: "With `eventDelay` an event is created and delivered that long after the change that it reports; it carries the record as it was",
          whose: "ours",
          proof: [
            "core/platform/assumptions: an event comes after a delay, with the record as it was before",
          ],
        },
        {
          rule: "With `dialLatency` a call is offered at once, but rings, or waits for its team, that long after. Someone who cannot be rung by then is `unavailable`",
          whose: "ours",
          proof: [
            "core/platform/assumptions: users who are offered a call ring after a delay",
            "core/platform/assumptions: nobody rings for a caller who gives up before the delay is over",
          ],
        },
        {
          rule: "With `sameInstant: reversed` the last of the events of one step comes first, then the last of the others, and so on; each record's own events keep their order, except that hang-ups of one call come in reverse",
          whose: "ours",
          proof: [
            "core/platform/assumptions: events of one instant come in reverse, each record's own in their order",
            "core/platform/assumptions: events that are delayed come in reverse too",
          ],
        },
        {
          rule: "With `sameInstant: seeded` the events of one step are put in an order that is drawn; each record's own events keep theirs",
          whose: "ours",
          proof: [
            "core/platform/assumptions: events of one instant come in an order that is drawn from the seed",
          ],
        },
        {
          rule: "With `ringingAvailability: announced` only events say that a user rings. The user's record stays as it is, so they may be rung for another call",
          whose: "ours",
          proof: [
            "core/platform/assumptions: a user who rings is busy in events",
            "core/platform/assumptions: a user who rings for two calls has an event of being free once neither rings",
          ],
        },
        {
          rule: "With `notAnswered: perTeam` the call keeps its status, and `assignedCallGroup` names the team that missed it",
          whose: "ours",
          proof: ["core/platform/assumptions: call.not_answered comes for each team that missed the call"],
        },
        ...assumptionRows,
        ...orderRows,
      ],
    },
    {
      title: "Laws",
      text: "What every record keeps. A capture that breaks one of them is impossible.",
      rows: lawRows,
    },
  ],
};

export const ringing: Area = {
  title: "Ringing",
  sections: [
    {
      title: "Who is rung",
      text: "A call to a user rings all of their registered endpoints at once. The first answer takes the call.",
      rows: [
        {
          rule: "All registered endpoints of a user ring at once; the first answer wins, the others stop",
          whose: "specified",
          proof: [
            "core/platform/calls: rings every registered endpoint at once, and no other",
            "core/platform/calls: ends at the first answer; the other dials end answeredElsewhere at the same instant",
          ],
        },
        {
          rule: "An outside number that is dialled has the name of a contact of the one who dials; their personal phonebook comes first",
          whose: "ours",
          proof: ["core/platform/named-rules: uses contacts of the dialling user's personal phonebook"],
        },
        {
          rule: "A contact without a name is called by its number",
          whose: "ours",
          proof: [
            "core/platform/phonebooks: without one is the number that they call from, not always the contact's first",
          ],
        },
        {
          rule: "A user is not rung if they are not active, on a call, or not available by a rule. The unanswered step runs at once, with the reason `unavailable`",
          whose: "ours",
          proof: ["core/platform/calls: if the user is %s"],
        },
        {
          rule: "A device in use is not rung either. Devices have no unanswered step",
          whose: "ours",
          proof: [
            "core/platform/calls-together: close at once while the device is on another call",
            "core/platform/calls-together: close after 30 s without an answer: a device has no unanswered step",
          ],
        },
        {
          rule: "A user whose endpoints are not listed has one, `mobile`; a device has one, `sip`",
          whose: "ours",
          proof: ["core/platform/teams: a device can be a member like a user"],
        },
        {
          rule: "Semi-attended transfer (RFC 5589, 7.6): who transfers warm, or adds, may hang up while the target rings. The others stay, and the target rings on for the rest of its time. If one party is left on the bridge, the target's unanswered step runs as after a blind transfer, and who left is not rung for it; if two or more are left, an unanswered ring just ends. A blind transfer to a target that rings already is the same as hanging up",
          whose: "ours",
          proof: [
            "core/platform/semi-attended: leaves alone: the caller waits, and the target rings on and may answer",
            "core/platform/semi-attended: does not lengthen the ring: it ends 30 s after it began, and the call ends",
            "core/platform/semi-attended: the target's voicemail takes the call as after a blind transfer",
            "core/platform/semi-attended: is not rung for it when they are free again, while it waits",
            "core/platform/semi-attended: leaves the others talking: an unanswered ring just ends",
            "core/platform/semi-attended: leaves one waiting for the target if another leaves too",
          ],
        },
        {
          rule: "If the last outside party of a call hangs up, whoever rings to join it stops ringing (`withdrawn`)",
          whose: "ours",
          proof: [
            "core/platform/semi-attended: withdraws the ring if the caller gives up",
            "core/platform/semi-attended: nobody is rung any more, while two inside talk on",
            "core/platform/semi-attended: the target rings on while another outside party is on the call",
          ],
        },
        {
          rule: 'A transfer or an addition to someone who cannot be rung leaves a party with a dial of outcome `failed`, and the command\'s result says why (`unreachable: "Carol Diaz is busy"`). Teams can always be offered a call',
          whose: "ours",
          proof: [
            "core/platform/unreachable: says that they are %s, and leaves a party with a failed dial",
            "core/platform/unreachable: says nothing of %s, who can",
            "core/platform/unreachable: says nothing of a team in whose queue the call waits",
            "server/control-plane: answers that the target of a transfer cannot be rung",
          ],
        },
        {
          rule: "`summary.outcome` says in words how a call ended, and why whom it was for could not be rung: `Missed: the target was busy`. `summary.header` names a colleague, a team or a device that is called by extension",
          whose: "specified as narrative strings; the words are ours",
          proof: [
            "core/platform/missed-calls: says %j",
            "core/platform/missed-calls: says that an outside number was busy, or declined",
            "core/platform/missed-calls: names whom the extension %s belongs to",
          ],
        },
        {
          rule: "The command refuses a call to a number that nobody has",
          whose: "ours",
          proof: [
            "core/platform/ringing-and-routing: that is not in use is refused by the command, and no call is simulated",
          ],
        },
        {
          rule: 'A caller may withhold the number (`from: "anonymous"`): `contactNumber`, `initiator` and the party\'s `phoneNumber` are null, the name is "Anonymous", data actions get no number, and the call cannot be given a contact. Commands name them `caller` or `anonymous`',
          seen: "differs: the number is `ANONYMOUS` or null",
          whose: "ours",
          proof: [
            "core/platform/callers-without-a-number: has no number and is named Anonymous, in the record, its summary and the notification",
            "core/platform/callers-without-a-number: talks, and is named in commands as the caller or as anonymous",
            "core/platform/callers-without-a-number: is not sent to a data action",
          ],
        },
        {
          rule: 'A caller may have a short code of three to eight digits. A short code may send messages too. A reply to one, and a call to one, is refused (400); "anonymous" can neither write nor be called or written to',
          whose: "ours",
          proof: [
            "core/platform/callers-without-a-number: of three to eight digits may call: %s",
            "core/platform/callers-without-a-number: may write, and a reply to it is refused with 400",
            "core/platform/callers-without-a-number: cannot be %s",
          ],
        },
      ],
    },
    {
      title: "When ringing stops",
      text: "A ring ends when someone answers, when its time is over, or when the user can no longer be rung.",
      rows: [
        {
          judged: "rule ring time",
          whose: "ours",
          proof: [
            "core/platform/calls: lasts 30 s, then all dials end with timeout",
            "core/platform/calls: lasts timing.ringTimeout",
          ],
        },
        {
          rule: "A ring stops when the user becomes unavailable: they answer another call, set do not disturb, or lose the last endpoint. The call goes on as `unavailable`",
          whose: "ours",
          proof: [
            "core/platform/calls-together: the call that she does not answer is withdrawn with the reason unavailable",
            "core/platform/availability: withdraws ringing calls after the event",
            "core/platform/calls: ends with the reason unavailable when the last endpoint is unregistered",
          ],
        },
        {
          rule: "An endpoint that is unregistered while it rings stops with the dial outcome `failed`. One that is registered meanwhile does not join",
          whose: "ours",
          proof: [
            "core/platform/calls: stops on an endpoint that is unregistered, and continues on the others",
            "core/platform/calls: does not start on an endpoint that is registered later",
          ],
        },
        {
          rule: "An endpoint cannot be unregistered while its user talks on it: the command is refused",
          whose: "ours",
          proof: [
            "core/platform/record-guards: an endpoint on which nobody talks is unregistered, and one in use is not",
          ],
        },
        {
          rule: "A command comes after the timers that are due at its instant: an answer at the instant of the timeout is too late",
          whose: "ours",
          proof: [
            "core/platform/calls-together: an answer is refused once the timeout of the same instant has fired",
            "core/platform/calls-together: an answer is accepted before the timeout of the same instant fires",
          ],
        },
      ],
    },
  ],
};

export const teams: Area = {
  title: "Teams",
  sections: [
    {
      title: "Tiers",
      text: "Members with the same offer priority form a tier and ring together. Each tier has its time, then the next tier rings.",
      rows: [
        {
          rule: "Members of equal offer priority ring together on all endpoints; after a time (`timing.nextOfferTimeout`) the next tier rings, again and again, until the call has been with the team for `timing.teamTimeout` (60 s)",
          whose: "specified in kind, the 60 s ours",
          proof: [
            "core/platform/teams: members of equal priority ring together, each on all of their endpoints",
            "core/platform/teams: after nextOfferTimeout the tier's dials end with timeout and the next tier rings",
            "core/platform/teams: after the last tier the first is offered again, until the team's timeout has elapsed",
          ],
        },
        {
          judged: "rule tier time",
          whose: "ours",
          proof: [
            "core/platform/teams: after nextOfferTimeout the tier's dials end with timeout and the next tier rings",
          ],
        },
        {
          rule: "A member who is already rung for the call, because they were added to it, is not rung a second time. An outside number that is already on the call is engaged: `unavailable`",
          whose: "ours",
          proof: ["core/platform/transfer: is not rung twice for it"],
        },
        {
          rule: "Each dial of a team's members has the reason `teamOffer`, also in a redirected or transferred call. So has the dial of the number in its unanswered step",
          whose: "ours",
          proof: [
            "core/platform/ringing-and-routing: a team's offer of a redirected call has dials with the reason teamOffer",
          ],
        },
        {
          rule: "`nextOfferTimeout` is above 0 (`timing` and organisation)",
          whose: "ours",
          proof: ["core/platform/organisation-values: %j is refused with its path"],
        },
      ],
    },
    {
      title: "The queue",
      text: "A call waits in the team's queue while no member is free.",
      rows: [
        {
          rule: "A member who becomes free while a tier of their team rings joins at the next offer",
          whose: "ours",
          proof: ["core/platform/team-queue: offers the call as soon as a member becomes available"],
        },
        {
          rule: "A member is offered the best waiting call of all their teams: by priority, then by when it joined its queue",
          whose: "specified in kind, exact here",
          proof: [
            "core/platform/team-queue: offers a free member the first call of all their teams' queues",
            "properties/call-flows: offers a member the best call of all their teams, by priority, then age",
          ],
        },
        {
          rule: "A queued call has the status `offered`",
          whose: "ours",
          proof: ["core/platform/team-queue: holds the call if nobody in any tier can be rung"],
        },
        {
          rule: "Members who became free in a step are offered waiting calls at the end of that step",
          whose: "ours",
          proof: ["core/platform/team-queue: offers the call to a member whose direct call is over"],
        },
      ],
    },
    {
      title: "Members who decline or leave",
      rows: [
        {
          rule: "A team does not ring a member again for a call that they declined, also when a chain of teams or a transfer comes back to it. If every member has declined, the team's unanswered step runs at once",
          whose: "ours",
          proof: [
            "core/platform/teams: a member who declined is not rung again",
            "core/platform/teams: does not ring a member who declined when a chain returns to their team",
            "core/platform/teams: when all tiers have declined the unanswered step runs, with the reason declined",
          ],
        },
        {
          rule: "Joining or leaving a team takes effect at the next offer. A removed member stops ringing for the team at once",
          whose: "ours",
          proof: [
            "core/platform/teams: leaves nothing ringing if they %s",
            "properties/call-flows: for a team and leaves their teams stops ringing and leaves nothing behind",
          ],
        },
        {
          rule: "A waiting call that every remaining member has declined is over at once, as `declined`. A team without members has its time like any other",
          whose: "ours",
          proof: [
            "core/platform/team-queue: loses a call once the last member who has not declined it leaves the team",
            "core/platform/teams: with %s waits its timeout, with the reason noAvailableMembers",
          ],
        },
      ],
    },
    {
      title: "What follows when nobody answers",
      rows: [
        {
          rule: "A call that passed through several teams has the reason of the last one",
          whose: "ours",
          proof: ["core/platform/ringing-and-routing: of a chain has the reason of its last team"],
        },
        {
          rule: "Every team has a voicemail for calls with `sendToVoicemail`. Unanswered calls reach it if the team's unanswered step says so. A message notifies each user of the team",
          whose: "specified; who is notified is ours",
          proof: [
            "core/platform/redirect: sends a team's call to the team's voicemail without ringing its members or the next team",
            "core/platform/named-rules: takes the unanswered call of %s (%s): %s",
          ],
        },
      ],
    },
  ],
};

export const outbound: Area = {
  title: "Outbound, internal, transfers",
  rows: [
    {
      rule: "An outbound or internal call that nobody took has the status and the outcome `unanswered`: timeout, busy, rejected or cancelled. `missed` is for inbound calls",
      whose: "ours",
      proof: [
        "core/platform/outbound: that nobody answers",
        "core/platform/outbound: to a busy line",
        "core/platform/outbound: that is rejected",
      ],
    },
    {
      rule: "An internal call is `outbound` with `isInternal`, until someone outside joins it: from then on `contactNumber` is that number. It follows the callee's unanswered step",
      whose: "ours",
      proof: [
        "core/platform/internal: has extensions as numbers, and only parties of the organisation",
        "core/platform/internal: has isInternal false once the outside person answers",
      ],
    },
    {
      rule: "An internal call that voicemail took is `unanswered` with the reason `voicemail`, or without a message the original one (`timeout`, `declined`, `unavailable`, `noAvailableMembers`)",
      whose: "ours",
      proof: [
        "core/platform/internal: whose voicemail takes a message has the colleague's name on it",
        "core/platform/internal: to voicemail in which no message is left is unanswered, with the original reason %s",
      ],
    },
    {
      rule: "`isConference` says that three or more parties were on the bridge at the same time. A voicemail does not count, and a blind transfer alone makes no conference",
      whose: "ours",
      proof: [
        "core/platform/conference: three on the bridge at the same time are a conference, and stay one after one has left",
        "core/platform/conference: a voicemail does not count among the three",
      ],
    },
    {
      rule: "When a blind transfer leaves several people with a voicemail, each may hang up, and the message ends with the last of them",
      whose: "ours",
      proof: ["core/platform/transfer: continues when one hangs up, and ends with the last"],
    },
    {
      rule: "An internal callee who cannot be rung is `busy`",
      whose: "ours",
      proof: [
        "core/platform/internal: to a colleague who is on a call and has no voicemail closes at once",
        "core/platform/internal: a suspended colleague without voicemail is not rung",
      ],
    },
    {
      rule: "Caller id: the one asked for, else the caller's first number, else the organisation's first",
      whose: "ours",
      proof: [
        "core/platform/outbound: is the requested number",
        "core/platform/outbound: is the user's first number by default",
        "core/platform/outbound: is the organisation's first number for a user who has none",
      ],
    },
    {
      rule: "The organisation's own numbers cannot be dialled as outside numbers: the command is refused. A transfer or an addition to such a number goes to its owner",
      whose: "ours",
      proof: [
        "core/platform/outbound: is refused to the organisation's own numbers",
        "core/platform/transfer: to the number of %s (%s) reaches its owner",
      ],
    },
    {
      rule: "A device may dial unless it has `outboundAllowed: false`. Then the command is refused, unless an Outbound Call data action is asked",
      whose: "specified in kind",
      proof: [
        "core/platform/outbound: is possible for a device, which emits no availability",
        "core/platform/outbound: is refused for a device that may not dial",
        "core/platform/data-actions: can allow a device that may not dial",
      ],
    },
    {
      rule: "Whoever blind-transfers a call is not rung for it, not even as a member of the team that it goes to. A team of which they are the only member has its time",
      whose: "ours",
      proof: [
        "core/platform/blind-transfers: is not rung for it: the others are",
        "core/platform/blind-transfers: is not rung as the only member: the call waits for the team's time, as with nobody there",
      ],
    },
    {
      rule: "In a blind transfer the user leaves, then the target is rung. If nobody answers and there is no voicemail, the call ends for whoever is left alone",
      whose: "specified in kind",
      proof: [
        "core/platform/ringing-and-routing: lets the user leave when the target starts ringing",
        "core/platform/transfer: to someone who does not answer and has no voicemail ends the call",
      ],
    },
    {
      rule: "A call that was answered before stays `answered`, also if it ends in a voicemail after a blind transfer",
      whose: "ours",
      proof: ["core/platform/transfer: to someone who does not answer goes to their voicemail"],
    },
    {
      rule: "Emergency numbers are not simulated: `111` or `911` is a short code, which nobody can call",
      whose: "ours",
      proof: ["core/platform/silent-rules: to the emergency number %s is refused, like any short code"],
    },
  ],
};

export const redirect: Area = {
  title: "Redirect",
  sections: [
    {
      title: "Redirect parameters",
      text: "The redirect handler takes `extension` and `organisationId`, and optionally `nextOfferTimeout` (5 to 60 s), `priority` (1 to 9), `returnTo`, `returnToId`, `sendToVoicemail`, `timeout` (user or device 10 to 70 s, team 10 to 300 s) and passthrough parameters. All of them stand in alphabetical order.",
      rows: [
        {
          rule: "Timeouts out of range go to the nearest bound, a priority out of range is 5, what is not a number is ignored",
          whose: "specified",
          proof: [
            "core/platform/redirect: of %s (%s) for %s is %d s",
            "core/platform/redirect: %j is 5",
            "core/platform/redirect: of %s (%s) ignores %j, which is no number: it is %d s",
          ],
        },
        {
          rule: "`timeout` and `nextOfferTimeout` hold for the redirect's own target, not for the team or number that its unanswered step goes to, nor for a transfer. `priority`, the return and passthrough parameters stay with the call",
          whose: "ours",
          proof: [
            "core/platform/redirect: timeouts apply to the redirect's target, not to a team the call is transferred to",
            "core/platform/parent-calls: hold for its own target, not for the team that the call is passed on to",
            "core/platform/parent-calls: hold for its own target, not for the number of its unanswered step",
            "core/platform/parent-calls: leave priority and passthrough parameters with the call that is passed on",
            "core/platform/redirect: replaces the team's unanswered step",
          ],
        },
        {
          rule: "A call of the carrier is in one place. When it comes again, by a redirect, as an inbound call with its `vendorCallId`, by the application or from a flow, the caller leaves the first call, which closes as if they had hung up; then the second begins",
          whose: "ours",
          proof: [
            "core/platform/parent-calls: %s leaves the first, which closes as if the caller had hung up",
            "core/platform/parent-calls: hangs up on who answered the first, who may be rung by the second",
            "core/platform/parent-calls: leaves a voicemail, whose message so far is kept",
            "core/platform/parent-calls: leaves a call of three, in which the others talk on",
          ],
        },
        {
          rule: "A dial link may be a URL of any scheme and host, whose query has `contactNumber`, `callerId` and `x-` parameters, decoded once. With more than 1000 bytes of parameters the dial pad opens",
          whose: "specified in kind",
          proof: [
            "core/platform/dial-link-urls: dials, whatever its scheme and host: %s",
            "core/platform/dial-link-urls: is decoded once",
            "core/platform/dial-link-urls: with parameters of %d bytes makes a call: %j; otherwise the dial pad opens",
            "core/platform/dial-link-urls: %s is refused",
          ],
        },
        {
          rule: "The same redirect of a call of the carrier, repeated with the same parameters while it rings, changes nothing and gets the same answer",
          whose: "ours",
          proof: [
            "core/platform/parent-calls: while it rings changes nothing and returns the same call",
            "core/platform/parent-calls: with %s begins another call",
            "core/platform/parent-calls: once the first is %s begins another call",
            "core/rest/redirect: answers a repeated redirect as before, while it rings",
          ],
        },
        {
          rule: "Callers who withhold the number (`anonymous`, or the codes that carriers send for it, such as `+266696687`) and short codes may come by every way in",
          whose: "ours",
          proof: [
            "core/platform/parent-calls: may come by every way in: %s",
            "core/rest/redirect: accepts a caller who withholds the number: %s",
          ],
        },
        {
          rule: "Connecting to the application names the source account (`accountId`). If the organisation has an `accountId`, another is refused with `not_found` (404); if it has none, any is taken",
          whose: "specified in kind",
          proof: ["core/platform/redirect: is refused from another account, if the organisation has one"],
        },
      ],
    },
    {
      title: "Returns",
      text: "An unanswered call goes back to the application that handed it over, if the redirect says where.",
      rows: [
        {
          rule: "A return needs a known kind and an id, for `postEndpoint` an https URL at a public host (`allowLocal` lifts that); otherwise it is ignored and the usual unanswered step runs",
          whose: "specified for URLs, the rest ours",
          proof: ["core/platform/redirect: with %s is ignored, and the usual rules apply"],
        },
        {
          rule: "A `postEndpoint` that arrives URL-encoded is decoded",
          whose: "ours",
          proof: ["core/platform/redirect: to a postEndpoint may be URL-encoded, as in the query"],
        },
        {
          rule: "A call with a return does not go to voicemail",
          whose: "specified",
          proof: [
            "core/platform/redirect: replaces the user's voicemail, and the user still sees a missed call",
          ],
        },
        {
          rule: "An unanswered call with a `postEndpoint` is posted there by the vendor: form fields `parentCallId`, `from`, `to`, `returnReason`; signed in `x-<vendor>-signature` with `dialect.vendorSecret`, else with a secret that follows from the seed (`sim.credentials.vendorSecret`)",
          whose: "specified in kind, the names ours",
          proof: [
            "core/platform/redirect: to a postEndpoint is posted by the vendor, signed with its secret",
            "core/platform/named-rules: is posted in a request that is signed with %s",
          ],
        },
        {
          rule: "If the endpoint does not accept a return, it is not tried again",
          whose: "ours",
          proof: [
            "core/platform/redirect: to a postEndpoint that refuses it leaves the call unchanged, and the request gives the reason",
          ],
        },
        {
          rule: "What takes back a call that returns to a flow, a task queue or an application is yours to say: `sim.flows.route`, or the commands `takeBack` and `takeBackCall`. It acts at the instant of the return, once all else of that step is done: it redirects the call, hangs up, or says nothing",
          whose: "ours",
          proof: [
            "core/platform/flows: redirects it to the next extension, whose voicemail takes it: one journey",
            "core/platform/flows: may hang up: there is no further call",
          ],
        },
        {
          rule: "A call that is taken back goes on as a new call of the same caller, with the same vendor's id and passthrough parameters. `sim.calls.returns` tells what became of the return",
          whose: "ours",
          proof: [
            "core/platform/flows: redirects it to the next extension, whose voicemail takes it: one journey",
          ],
        },
        {
          rule: "A flow that redirects one call of the carrier more than ten times hangs up",
          whose: "ours",
          proof: ["core/platform/flows: that always redirects back to nobody gives up after ten returns"],
        },
        {
          rule: "The request to a `postEndpoint` has no passthrough parameters; the call keeps them",
          whose: "ours",
          proof: [
            "core/platform/silent-rules: that goes back to a postEndpoint does not send its passthrough parameters, which the call keeps",
          ],
        },
      ],
    },
  ],
};

export const callRecord: Area = {
  title: "The call record",
  rows: [
    {
      rule: "`duration`, `waitTime` and their texts are null until known",
      seen: "differs: a live call lacks what it does not have yet",
      whose: "ours",
      proof: ["core/platform/call-record: while it rings: offered, with a dial for each endpoint"],
    },
    { judged: "rule texts of times", whose: "ours", proof: ["core/platform/call-record: of %i ms are %s"] },
    {
      rule: "`directoryTarget` and `assignedCallGroup` are absent until the call is answered or missed",
      whose: "specified, and ours for `call.not_answered`",
      proof: [
        "core/platform/call-record: in call.started: only the caller, and no target yet",
        "core/platform/call-record: names its target after call.not_answered, with a wait as long as the call",
      ],
    },
    {
      rule: "A call belongs to a team as soon as it is about to be offered to the team: before the Team Call data action has answered, and with `sendToVoicemail` too. `assignedCallGroup` names the team once the call is next answered, missed or over",
      whose: "ours",
      proof: [
        "core/platform/redirect: of a team's call names the team as target and group",
        "core/platform/teams: passes the call to another team, which becomes the assigned call group while the first stays the target",
      ],
    },
    {
      judged: "rule user of a device",
      whose: "ours",
      proof: [
        "core/platform/trunks: rings it when a colleague dials its extension, and when a call is transferred to it",
      ],
    },
    {
      rule: "Parties carry `entryId`, the id of the user or device",
      whose: "ours",
      proof: [
        "core/platform/trunks: rings it when a colleague dials its extension, and when a call is transferred to it",
      ],
    },
    {
      rule: "A record shows its people as they are at the instant of its event: one user has one location in all of it",
      whose: "ours",
      proof: [
        "core/platform/locations: change everywhere in a call's record when a user moves while the call rings",
      ],
    },
    {
      rule: "Contact names come from the called user's personal phonebook first, then from the shared ones in order",
      whose: "ours",
      proof: [
        "core/platform/phonebooks: is the personal contact's if both kinds match",
        "core/platform/phonebooks: is from the first of two shared phonebooks",
        "core/platform/named-rules: uses contacts of the dialling user's personal phonebook",
      ],
    },
    {
      rule: "The vendor's name is `vendor` (`dialect.vendor`), in lower case",
      whose: "specified in lower case for messages, the rest ours",
      proof: [
        "core/platform/conversations: writes the vendor's name in lower case",
        "core/platform/organisation-values: dialect renames the vendor and the directory's types",
      ],
    },
    {
      rule: "`dialect.serviceName` and `dialect.vendor` are letters, digits and what else a header's name may have",
      whose: "ours",
      proof: ["core/platform/organisation-values: %j is refused with its path"],
    },
  ],
};

export const passthroughParameters: Area = {
  title: "Passthrough parameters",
  rows: [
    {
      rule: "Names start with `x-` and values are strings; other entries are ignored",
      whose: "specified",
      proof: [
        "core/platform/passthrough: are those with a name that starts with x-, prefix included",
        "core/platform/passthrough: exclude the value %j, which is not a string",
      ],
    },
    {
      rule: "Names plus values come to at most 1000 bytes, or none is stored; for merges the limit is on the merged set",
      whose: "specified",
      proof: [
        "core/platform/passthrough: discards all parameters at 1001, and the call proceeds",
        "core/platform/passthrough: leaves the stored parameters unchanged at 1001 merged bytes",
      ],
    },
    {
      rule: "Bytes are those of UTF-8",
      whose: "ours",
      proof: ["core/platform/passthrough: counts names and values in UTF-8"],
    },
    {
      rule: 'Entries with control characters or broken text are ignored ("validated for safety")',
      whose: "ours",
      proof: [
        "core/platform/passthrough: exclude the control character %j in name or value",
        "core/platform/passthrough: exclude half of a surrogate pair",
      ],
    },
    {
      rule: "In a JSON body and in the answer of a data action they are an object. Anything else there is ignored, text too: text is read as a query only where it arrives in a query string",
      whose: "specified; that other values are ignored is ours",
      proof: [
        "core/rest/wire: takes and refuses, as its row says: %s",
        "core/platform/data-actions: takes passthrough parameters only as an object, not as %j",
        "core/rest/client: A client with generated types sends passthrough parameters of its own with every message",
      ],
    },
    {
      rule: "`inbound` takes an object, or a query string, which is URL-decoded (a plus is a space; of two values the last counts)",
      whose: "ours",
      proof: [
        "core/platform/passthrough: is URL-decoded, names and values",
        "core/platform/passthrough: is decoded once, and the values of an object are not decoded at all",
      ],
    },
  ],
};
