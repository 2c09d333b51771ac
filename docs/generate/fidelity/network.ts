import type { Area } from "./row.ts";

export const dataActions: Area = {
  title: "Data actions",
  sections: [
    {
      title: "When data actions are asked",
      text: "The platform asks an endpoint of the customer before it goes on with a call or a conversation, and waits at most 5 s.",
      rows: [
        {
          rule: "Outbound Call is a GET with caller id, number, vendor's call id, the device's id, address and extension, and the passthrough parameters flattened",
          whose: "specified",
          proof: [
            "core/platform/data-actions: is a GET with caller id, number, vendor's call id and flattened passthrough parameters",
            "core/platform/data-actions: says which device dials",
          ],
        },
        {
          rule: "Team Call is a POST, asked each time before a call is queued for a team; `directoryTarget` (deprecated) repeats `assignedCallGroup`",
          whose:
            "specified; the other fields (`callId`, `direction`, `contactNumber`, `companyNumber`, `vendor`, `vendorCallId`, `priority`) ours",
          proof: [
            "core/platform/data-actions: is asked before the call is queued, with its parameters in the body",
            "core/platform/data-actions: is asked for each team, also after a rollover, and the team's time starts when the call is queued",
          ],
        },
        {
          rule: "An endpoint has 5 s (`timing.endpointTimeout`); an answer at 5 s exactly counts",
          whose: "specified, the boundary ours",
          proof: ["core/platform/data-actions: may answer at exactly 5 s"],
        },
        {
          rule: "Inbound Conversations is a POST with the ids, channel, numbers, owner and first message, asked only when a message from outside begins a conversation; what comes meanwhile waits behind it",
          whose: "specified when; the form and the waiting ours",
          proof: [
            "core/platform/inbound-conversations: is asked with all known fields before an outside message begins a conversation",
            "core/platform/inbound-conversations: is not asked for a message to an existing conversation",
            "core/platform/inbound-conversations: queues messages that arrive before it answers, in order",
          ],
        },
        {
          rule: "Call Insights is asked when a call first rings (`<service>.precall`) and when it is over (`<service>.callhistory`), for all calls except those to extensions. Nothing waits for it",
          whose: "ours",
          proof: [
            "core/platform/data-actions: is asked when the call starts ringing and when it is over, without delaying it",
            "core/platform/data-actions: is in sim.calls.insights: cards and preferences, when the call starts ringing and when it is over",
          ],
        },
        {
          rule: "Its cards reach whoever is rung for the call: the users who ring when the answer comes, whoever begins to ring later, and the users who are on the call already. Devices show none. Nobody is shown the cards of the call history unless they ask",
          whose: "ours",
          proof: [
            "core/platform/data-actions: reach the users who ring when they come, then whoever begins to ring later, but no device",
            "core/platform/data-actions: reach who dialled, and nobody once the call is over",
          ],
        },
        {
          rule: "A card may be any JSON value. `preferences.cardOrder` names cards by their `id`, else by their `title`: these come first, in its order. Then come those whose `contextSource` is that of the preferences, then the others, as they came",
          whose: "specified in kind, the names ours",
          proof: [
            "core/platform/data-actions: is %s",
            "core/platform/data-actions: keeps cards of one name as they came",
          ],
        },
        {
          rule: "A preference that cannot be followed changes nothing, and is a problem that `sim.calls.insights`, timelines and the inspector show",
          whose: "ours",
          proof: [
            "core/platform/data-actions: follows what it can of preferences with %s, and names the problem",
          ],
        },
        {
          rule: "Outbound Call is not asked when a call is transferred to an outside number, only when someone dials",
          whose: "ours",
          proof: ["core/platform/silent-rules: that is transferred outside does not ask Outbound Call"],
        },
      ],
    },
    {
      title: "What an answer does",
      rows: [
        {
          rule: "If there is no answer, a status other than 2xx, no JSON, or JSON of which nothing can be taken, the flow goes on as if nothing was asked. `failure` of the request says why",
          whose: "ours",
          proof: [
            "core/platform/data-actions: counts %s as no answer, and the call continues",
            "core/platform/data-actions: fails, with every reason, if nothing of it can be taken",
          ],
        },
        {
          rule: "Fields of an answer are judged one by one: one that cannot be taken is ignored and stands in `problems` of the request, and the others count. `null` changes nothing",
          whose: "ours",
          proof: [
            "core/platform/data-actions: is judged field by field: what cannot be taken is ignored and listed, and the rest counts",
            "core/platform/data-actions: takes null as no change",
            "core/platform/inbound-conversations: is judged field by field",
            "core/rest/wire: takes and refuses, as its row says: %s",
          ],
        },
        {
          rule: "A `priority` that is not a whole number from 1 to 9 is 5, as in the redirect handler",
          whose: "specified for the redirect handler, ours for the data action",
          proof: ["core/platform/data-actions: takes the priority %d as %d"],
        },
        {
          rule: "An answer without `action` allows the call. It does not override a device's `outboundAllowed: false`: such a call is `blocked` without a reason",
          whose: "ours",
          proof: [
            "core/platform/data-actions: can allow a device that may not dial",
            "core/platform/data-actions: leaves such a device blocked when the action %s",
          ],
        },
        {
          rule: "Parameters of an answer are merged with those of the call. If that exceeds the limit, the call keeps what it had, and `problems` of the request says so",
          whose: "specified",
          proof: [
            "core/platform/data-actions: merges passthrough parameters: adds new keys and overrides existing ones",
            "core/platform/data-actions: adds passthrough parameters up to 1000 bytes in all",
            "core/platform/data-actions: leaves the stored passthrough parameters unchanged if the merged set exceeds 1000 bytes, and says so",
          ],
        },
        {
          rule: "A team's own time counts from the answer of Team Call; its `priority` holds for the call from then on, its `displayName` for that team and call",
          whose: "ours",
          proof: [
            "core/platform/data-actions: is asked for each team, also after a rollover, and the team's time starts when the call is queued",
            "core/platform/data-actions: gives the team another name, in directoryTarget and assignedCallGroup",
            "core/platform/data-actions: sets the call's priority in the queue",
          ],
        },
      ],
    },
    {
      title: "While an action is asked",
      rows: [
        {
          rule: "While Outbound Call is asked nobody is on the bridge, rings or becomes busy; a call given up meanwhile closes with `call.not_answered`, `unanswered` / `cancelled`",
          whose: "ours",
          proof: [
            "core/platform/data-actions: is asked after call.started and before the dialling user is busy",
            "core/platform/data-actions: has no effect on a call that was hung up meanwhile",
          ],
        },
        {
          rule: "If whoever dialled answers another call meanwhile, the first one is `cancelled`",
          whose: "ours",
          proof: ["core/platform/data-actions: ends the call if the caller took another one meanwhile"],
        },
      ],
    },
  ],
};

export const network: Area = {
  title: "The network",
  sections: [
    {
      title: "Routes",
      text: "A route answers all requests whose URL starts with the route's URL.",
      rows: [
        {
          rule: "Requests reach their endpoint at the instant of sending, when time next passes, in the order in which they were sent (`network.order`: `fifo` or `shuffled`)",
          whose: "ours",
          proof: [
            "core/network/arrival: is at once on a perfect network, and counted",
            "core/network/conditions: is the order of sending by default",
            "core/network/conditions: can be drawn from the seed, without time passing",
          ],
        },
        {
          rule: "If several routes match, the one with the longest URL counts; of equal ones the latest",
          whose: "ours",
          proof: [
            "core/network/network: uses the longest prefix, whatever the order of routes",
            "core/network/network: uses the latest of equal prefixes",
          ],
        },
        {
          rule: "Without a route: 200, recorded, and marked as such in timelines: `200 (no route: accepted)` (`network.unrouted`: `accept`, `refuse` or `error`). `toHaveDelivered` counts it where the run has no routes at all",
          whose: "ours",
          proof: [
            "core/network/network: answers 200 by default and records the request",
            "core/narration/render-deliveries: says that a 200 came from the network without a route",
          ],
        },
        {
          rule: "A handler that throws, or returns something that is no answer, answers 500. The time method throws the error",
          whose: "ours",
          proof: [
            "core/network/network: explains the error of a handler that returns %s, and answers 500",
            "core/platform/data-actions: whose code throws answers 500, and the time method rethrows the error",
          ],
        },
        {
          rule: 'A handler that returns `{ failure: "refused" }`, `Response.error()` or `{ failure: "timeout" }` stands for an endpoint that refuses the connection, or never answers',
          whose: "ours",
          proof: ["core/network/network: answers with %s"],
        },
        {
          rule: "A `Response` with a body is read with a promise; in a synchronous run a webhook takes its status and leaves the body unread, a data action throws",
          whose: "ours",
          proof: [
            "core/network/network: waits for a Response with a body only in an asynchronous run",
            "core/network/network: uses the status of a Response for a webhook without waiting for its body",
          ],
        },
        {
          rule: "What functions answer stands in the journal, so a replay calls none; a fork keeps the routes",
          whose: "ours",
          proof: [
            "core/platform/data-actions: is not called in a replay, which has the same stream and answers",
            "core/platform/data-actions: gives a fork the same answers",
          ],
        },
        {
          rule: "An endpoint's time limit counts from when the request was sent. A request that arrives later still reaches the endpoint, but its answer is ignored",
          whose: "ours",
          proof: [
            "core/network/conditions: delay requests, whose time limit counts from their sending",
            "core/network/conditions: time out a request that arrives after more than 5 s, which still arrives",
          ],
        },
      ],
    },
    {
      title: "Faults",
      rows: [
        {
          rule: "A lost request fails at its time limit, with the failure `lost`",
          whose: "ours",
          proof: [
            "core/network/conditions: lose about the given share of requests, which are retried like time-outs",
            "core/network/arrival: of a request that is %s",
          ],
        },
        {
          rule: "A request that arrives twice is recorded twice, and the endpoint is asked twice. The first answer counts",
          whose: "ours",
          proof: [
            "core/network/conditions: deliver about the given share of requests twice, in one delivery",
          ],
        },
        {
          rule: "A request that is held back (`reorder`) arrives up to 2 s later",
          whose: "ours",
          proof: ["core/network/conditions: delay some requests so that later ones overtake them"],
        },
        {
          rule: "Faults apply to URLs with the same beginning. The longest counts, of equal ones the latest. A fault by rule goes before a route",
          whose: "ours",
          proof: [
            "core/network/conditions: use the longest prefix, which overrides the network's defaults",
            "core/network/conditions: of the longest prefix applies while it lasts",
          ],
        },
        {
          rule: "A fault counts requests (`times`) when they arrive. One that does not say how it fails answers 503",
          whose: "ours",
          proof: [
            "core/network/conditions: answers with a status instead of the endpoint for the given number of requests",
            "core/network/conditions: answers 503 by default",
          ],
        },
      ],
    },
  ],
};

export const webhooks: Area = {
  title: "Webhooks",
  sections: [
    {
      title: "Delivery attempts",
      text: "An event is delivered by a POST. It succeeds with a 2xx within 5 s. Otherwise `5xx`, `429` and `408` are attempted again: 10 attempts in 24 hours.",
      rows: [
        {
          rule: "Each event is a JSON POST with the wrapper as its body; success is a 2xx within 5 s (`timing.endpointTimeout`)",
          whose: "specified; that an answer at 5 s exactly counts is ours",
          proof: [
            "core/platform/webhooks: receives each of its event types at the event's instant, with the whole event as body",
            "core/platform/webhooks: succeeds with an answer at exactly 5 s",
          ],
        },
        {
          rule: "10 attempts over 24 hours with exponential back-off",
          whose: "specified",
          proof: [
            "core/platform/webhooks: is attempted ten times in 24 hours with doubling gaps, then abandoned",
          ],
        },
        {
          judged: "rule schedule",
          whose: "ours",
          proof: [
            "core/platform/webhooks: is attempted ten times in 24 hours with doubling gaps, then abandoned",
            "core/platform/webhooks: follows a custom schedule",
          ],
        },
        {
          rule: "If an attempt is due while the one before is still open, it follows as soon as that is over",
          whose: "ours",
          proof: [
            "core/platform/webhooks: is retried at once if the schedule's gap is shorter than the attempt",
          ],
        },
        {
          judged: "rule repeated statuses",
          whose: "specified",
          proof: [
            "core/platform/webhooks: is retried after the status %i",
            "core/platform/webhooks: is never retried after the status %i",
          ],
        },
        {
          rule: "An attempt without an answer, with a refused connection or a lost request is repeated. Redirects are not followed: the event is given up",
          whose: "ours",
          proof: [
            "core/platform/webhooks: is retried after a refused connection",
            "server/serve: does not follow redirects",
          ],
        },
        {
          rule: "When a webhook is disabled or deleted, its pending deliveries are `dropped`. An attempt that is under way still arrives",
          whose: "ours",
          proof: [
            "core/platform/webhooks: loses its pending deliveries and gets no later events",
            "core/platform/webhooks: drops pending deliveries when it is disabled by command, without a notification",
            "core/platform/webhooks: drops pending deliveries when it is deleted",
          ],
        },
        {
          rule: "Webhooks of one event are attempted in the order of their creation",
          whose: "ours",
          proof: ["core/platform/webhooks: is sent an event after the webhooks that were created before it"],
        },
        {
          rule: "An answer of a real endpoint that is longer than 6 MB counts as refused",
          whose: "ours",
          proof: ["server/security: fails on an answer that is too long"],
        },
        {
          rule: "An app cannot put a retry off: its `retry-after` is ignored",
          whose: "ours",
          proof: ["core/platform/silent-rules: cannot put a retry off: retry-after is ignored"],
        },
      ],
    },
    {
      title: "Webhook signatures",
      text: "`x-<service>-timestamp` is the instant of the attempt in ms since the epoch. `x-<service>-signature` is `sha256=` and the HMAC-SHA256, in hex, of `<timestamp>.<body>` with the signing secret of the webhook. An app refuses a timestamp that is more than 300,000 ms old.",
      rows: [
        {
          rule: "`<timestamp>.<body>` signed with HMAC-SHA256, hex, in `x-<service>-signature` as `sha256=...`; good for 5 minutes",
          whose: "specified",
          proof: [
            "core/platform/webhooks: is signed so that an independent app can check it",
            "core/platform/webhooks: accepts a delivery that is 5 minutes old and rejects one that is a millisecond older",
          ],
        },
        {
          rule: "Names of headers are in lower case; the timestamp is that of the attempt, the body and event id are the same on all",
          whose: "ours",
          proof: [
            "core/platform/webhooks: has the service's name in its headers, in lower case",
            "core/platform/webhooks: has the same body and event id on every attempt, and fresh timestamp and signature headers",
          ],
        },
        {
          rule: "The signing secret is 32 bytes from the seed, in hex, shown when the webhook is created",
          whose: "specified in kind",
          proof: [
            "core/platform/webhooks: has a secret derived from the seed",
            "core/platform/webhooks: shows its signing secret only on creation",
          ],
        },
        {
          rule: "A timestamp in the future verifies, however far: the specification only limits how old it may be",
          whose: "ours",
          proof: [
            "core/platform/silent-rules: that is behind finds a timestamp in the future valid, however far",
          ],
        },
        {
          rule: "`verifySignature` throws if the app's time is about a thousandth of a signed timestamp: it is in seconds",
          whose: "ours",
          proof: [
            "core/network/webhook-signature: refuses an app's time in seconds, of which every delivery would be from the future",
          ],
        },
      ],
    },
    {
      title: "Disabled webhooks",
      rows: [
        {
          rule: "More than 1000 events in a row that are given up disable the webhook (`webhooks.failureLimit`), and its creator gets an e-mail",
          whose:
            "specified; events count when they are given up, any success resets the count, and the creator is the user of `createdBy`, else the organisation's first active user: ours",
          proof: [
            "core/platform/webhooks: is still enabled after 1000 in a row, and disabled after 1001",
            "core/platform/webhooks: resets its count with any success",
            "core/platform/named-rules: notifies a webhook's creator when it is disabled: createdBy %s, %s",
          ],
        },
        {
          rule: "Events from before a webhook was created, or while it is disabled, are never delivered to it",
          whose: "ours",
          proof: [
            "core/platform/webhooks: receives no events from before its creation",
            "core/platform/webhooks: can be enabled again with the count at 0, and does not get the events in between",
            "core/platform/webhooks: has its count at 0 if it is enabled while it is enabled, and keeps what is on its way",
          ],
        },
        {
          rule: "`enabled: true` sets the count to 0, also when it is enabled already",
          whose: "ours",
          proof: [
            "core/platform/webhooks: can be enabled again with the count at 0, and does not get the events in between",
          ],
        },
      ],
    },
    {
      title: "Webhook URLs",
      rows: [
        {
          rule: "A changed URL applies from the next attempt on, changed event types from the next event on",
          whose: "ours",
          proof: ["core/platform/webhooks: uses the new URL from the next attempt"],
        },
        {
          rule: "URLs are https at public hosts",
          whose:
            "specified; names without a dot and `.local`, `.localhost`, `.internal` count as private, and `allowLocal` lifts the rule; credentials, spaces and control characters are refused always: ours. The same holds for data actions",
          proof: [
            "core/platform/webhooks: rejects %s and changes nothing",
            "core/platform/webhooks: may be at a local host if that is allowed, by http too",
            "core/simulator/urls: is not needed for a public host whose name contains .local or .internal",
            "core/simulator/urls: never allows credentials, spaces or control characters in a URL: %j",
          ],
        },
      ],
    },
  ],
};
