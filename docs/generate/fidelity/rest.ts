import type { Area } from "./row.ts";

export const rest: Area = {
  title: "REST",
  sections: [
    {
      title: "Endpoints",
      text: "The specification lists the endpoints. All take and answer JSON, need an access token, and are asked by https.",
      rows: [
        {
          rule: "Endpoints, their query parameters, page sizes, 6 MB, https",
          whose: "specified",
          proof: [
            "core/rest/contract: of the list of endpoints exists",
            "core/rest/paging: has 100 calls per page by default, and at most 1000",
          ],
        },
        {
          rule: "Every answer of an operation has a JSON body. `DELETE` answers 200 with `{}`",
          whose: "specified that there is a body, which one ours",
          proof: ["core/rest/contract: answers its example according to its schema: %s"],
        },
        {
          rule: "`{id}` and `{userId}` in a path are ids, and nothing else that methods of the simulator take. `/phonebooks/{id}` also takes a user's e-mail address. A member in `/teams/{teamId}/users/{userId}` is a user, never a device",
          whose: "specified for phonebooks and users, the rest ours",
          proof: [
            "core/rest/wire: refuses anything but an id: %s",
            "core/rest/wire: names a personal phonebook by its user's e-mail address",
            "core/rest/wire: of a membership names a user, although a team has devices too",
          ],
        },
        {
          rule: "Names of lists, statuses, item paths, the body of errors",
          whose: "ours",
          proof: ["core/rest/contract: answers its example according to its schema: %s"],
        },
        {
          rule: "Unknown query parameters are ignored, and listed in `ignored` of `sim.rest.requests`. A known one that is given twice is refused",
          whose: "ours",
          proof: [
            "core/rest/errors: for %s is JSON, and changes nothing",
            "core/rest/observed: lists the query parameters that the operation does not know, each once",
          ],
        },
        {
          rule: "`nextContact`, which `next` has replaced, is refused with a 400 that names `next`",
          whose: "specified that it was replaced, the refusal ours",
          proof: ["core/rest/paging: is refused with a 400 that names `next`: %s"],
        },
        {
          rule: "What each query parameter, path parameter, field of a body and field of a data action's answer takes and refuses stands in one table, which is a test",
          whose: "ours where the specification is silent",
          proof: ["core/rest/wire: takes and refuses, as its row says: %s"],
        },
        {
          rule: "Analyses of a call are those that the service made of it, and those of its recordings",
          whose: "ours",
          proof: ["core/rest/resources: of a call are read and deleted"],
        },
        {
          rule: "Refused in this order: plain http, token, malformed URL, path, method, a feature that is off, query, size, content type, JSON, body",
          whose: "ours",
          proof: ["core/rest/errors: for %s is JSON, and changes nothing"],
        },
      ],
    },
    {
      title: "Access tokens",
      text: "A client gets a token from `POST /oauth/token` with its id and secret (OAuth 2.0, client credentials) and sends it as `Authorization: Bearer`. There is no refresh: it asks for another.",
      rows: [
        {
          rule: "A token is valid for 3600 s (`timing.accessTokenLifetime`): after exactly that time it is expired",
          whose: "specified, the boundary ours",
          proof: [
            "core/rest/authentication: expires on virtual time, an hour after its issue",
            "core/rest/authentication: is refused as 401 when it is %s",
          ],
        },
        {
          rule: "A client may also authenticate by HTTP Basic, but not in both ways at once. An access token beside the form is ignored. A second token does not end the first",
          whose: "ours",
          proof: [
            "core/rest/authentication: accepts the client's credentials by HTTP Basic",
            "core/rest/authentication: accepts a form together with %s in the header",
          ],
        },
        {
          rule: "The id and secret of HTTP Basic are taken form-encoded, as RFC 6749 says, or as they are; another secret is 401 and told both forms",
          whose: "specified that they are form-encoded, the rest ours",
          proof: [
            "core/rest/mistaken-requests: is taken as well as one that encodes: secret %j",
            "core/rest/mistaken-requests: is refused as 401 with the expected form, if it matches no client: %j",
          ],
        },
        {
          rule: "A compressed body is refused as 415 with its `content-encoding`, by the token endpoint too",
          whose: "ours",
          proof: [
            "core/rest/mistaken-requests: is refused as 415 with its content-encoding %s, and changes nothing",
            "core/rest/mistaken-requests: is refused by the token endpoint too",
          ],
        },
        {
          rule: "Anything wrong with a body at the token endpoint, also its size, is `invalid_request` with 400",
          whose: "ours",
          proof: ["core/rest/authentication: rejects a body of %s: %.20s"],
        },
        {
          rule: "All clients of the organisation see the same; the option `clients`",
          whose: "ours",
          proof: [
            "core/rest/authentication: accepts every client of the options and issues each its own tokens",
          ],
        },
        {
          rule: 'A client with `scopes: ["read"]` gets 403 on every request but `GET` and `HEAD`; without `scopes` it may do everything',
          whose: "ours",
          proof: [
            "core/rest/authentication: gets 403 on what changes something, which changes nothing, and reads as all do",
          ],
        },
      ],
    },
    {
      title: "Paging",
      text: "A paged list takes `limit` (100 unless given, at most 1000) and answers `meta.next`, which the next request passes as `next`. It is empty on the last page.",
      rows: [
        {
          rule: "Calls come oldest first, or with `sortOrder=desc` newest first; `since`, `before` look at the start",
          whose: "ours",
          proof: [
            "core/rest/paging: is sorted oldest first, in pages of the given limit",
            "core/rest/paging: is filtered by start, with the earlier bound included and the later excluded",
          ],
        },
        {
          rule: "`GET /calls` lists calls that have ended, whatever is asked",
          whose: "specified",
          proof: ["core/rest/paging: omits live calls, whatever is asked"],
        },
        {
          rule: "`contactNumber` of `GET /calls` takes what the field can hold: E.164, a short code, an extension of any length",
          whose: "ours",
          proof: [
            "core/rest/paging: is filtered by the outside number",
            "core/rest/wire: takes and refuses, as its row says: %s",
          ],
        },
        {
          rule: "`GET /calls/{id}` also reads a call that has not ended",
          whose: "ours",
          proof: ["core/rest/paging: omits a live call that can be read by its id"],
        },
        {
          rule: "`limit=0` of `/phonebooks` lists them all without `contacts`; of other lists it is an empty page that leads to the first",
          whose: "specified for phonebooks, the rest ours",
          proof: [
            "core/rest/resources: are all listed with limit 0, without their contacts",
            "core/rest/paging: with limit 0 is empty and links to the first page",
          ],
        },
        {
          rule: "Phonebooks are listed with all their contacts, `limit` counts phonebooks; personal ones are listed too",
          whose: "ours",
          proof: ["core/rest/resources: are all listed with limit 0, without their contacts"],
        },
        {
          rule: "Phonebooks, contacts, calls, trunks, their entries and webhooks are paged",
          whose: "specified",
          proof: [
            "properties/paging: Paging through $path shows each remaining item once, and repeats only items that were added again",
          ],
        },
        {
          rule: "All other lists come whole; `limit` and `next` are ignored there like any unknown parameter",
          seen: "differs: the content analyses of a call come by 5, at most 10",
          whose: "ours, since the specification does not name them as paged",
          proof: ["core/rest/paging: comes whole, whatever limit is given: %s"],
        },
        {
          rule: "A cursor carries its filters and its order, which a parameter beside it must repeat; `limit` may change beside it",
          whose: "ours",
          proof: [
            "core/rest/paging: may be combined with equal parameters: %s",
            "core/rest/paging: continues with another limit, without repeating or leaving out an item",
            "core/rest/paging: is refused with a different parameter: %s",
          ],
        },
        {
          rule: "`limit=0` is not carried by a cursor: the next page has the default limit",
          whose: "ours",
          proof: ["core/rest/paging: continues with another limit, without repeating or leaving out an item"],
        },
      ],
    },
    {
      title: "Bodies of requests",
      text: "A body has at most 6 MB. Wrong passthrough parameters are never an error.",
      rows: [
        {
          rule: "6 MB are 6 × 1024 × 1024 bytes of the body",
          whose: "ours",
          proof: ["core/rest/errors: for a body over 6 MB is a 413"],
        },
        {
          rule: "A body has at most 100,000 objects and 400,000 values, and is refused with 400 otherwise: more contacts than people have in 6 MB, and few enough to be read in seconds",
          whose: "ours",
          proof: [
            "core/rest/errors: for a body of too many %s is a 400 at once, which says in one line how many there may be",
            "core/rest/errors: has a bounded length, however many problems the largest body has",
          ],
        },
        {
          rule: 'Unknown fields of bodies are refused, or left out with `rest: { unknownKeys: "ignore" }`; the OpenAPI document is the same either way',
          whose: "ours, configurable",
          proof: [
            "core/rest/errors: is rejected by %s %s, or ignored if the option is set",
            "core/rest/contract: The document is equal for all simulators with the same dialect",
          ],
        },
        {
          rule: "`PUT /phonebooks` takes a phonebook, or several as `{ phonebooks }`; contacts are put as one, a list, or `{ contacts }`",
          seen: "differs: one without `id`, and a contact as `{ contact, countryIso }`",
          whose: "ours",
          proof: [
            "core/rest/resources: are uploaded together, all or none",
            "core/rest/resources: accept contacts as %s",
          ],
        },
        {
          rule: "`PUT` of one phonebook or contact that is new is 201; of several, of a membership or a user's location always 200",
          whose: "ours",
          proof: ["core/rest/resources: are created by PUT with 201, and replaced with 200"],
        },
        {
          rule: "`assignUsers`, `sendAsUser` and the `from` of `/messages` take e-mail addresses (`from` also a number), no ids. `/conversationMessages` sends by SMS and has no `channel`",
          whose: "specified",
          proof: [
            "core/rest/wire: takes and refuses, as its row says: %s",
            "core/rest/wire: of %s has no key %s",
            "core/rest/wire: go on taking ids or e-mail addresses, the channel, and text that is a query",
          ],
        },
        {
          rule: "`PUT` takes back what `GET` gave: the fields of a webhook, a phonebook, a contact or a trunk entry that cannot be changed are ignored, other unknown fields refused",
          whose: "ours",
          proof: [
            "core/rest/wire: is taken by PUT, and stays as it was: %s",
            "core/rest/wire: is taken in a list of phonebooks and of contacts",
          ],
        },
        {
          rule: "`PUT` of webhooks and trunk entries changes what is given",
          whose: "ours",
          proof: ["core/rest/resources: let trunk entries be added, changed and removed"],
        },
        {
          rule: "`PUT /teams/{teamId}/users/{userId}` takes `{ priority }`, which may be left out: 1",
          whose: "ours",
          proof: ["core/rest/resources: let users be added to a team with a priority, and removed"],
        },
        {
          rule: "If a body refers to something unknown (a recording, a service user), the answer is 404; in messages 400, with everything else that is wrong",
          whose: "ours",
          proof: [
            "core/rest/errors: for %s is JSON, and changes nothing",
            "core/rest/errors: for a message lists problems of its shape and of its meaning together",
          ],
        },
        {
          rule: "A content analysis that aggregates scorecards has `content: { agent, contentAnalysis: [{ id }] }`",
          whose: "specified in kind, the shape ours",
          proof: ["core/rest/resources: are analysed as submitted, and scorecards of an agent aggregated"],
        },
        {
          rule: "Webhooks that are created by the API cannot choose their `signingSecret`",
          whose: "ours",
          proof: ["core/rest/authentication: Only the answer that creates a webhook contains a secret"],
        },
      ],
    },
    {
      title: "The redirect handler",
      text: "Another voice application posts a call to `/telephony/redirect` with [the redirect parameters](#redirect-parameters). The answer joins the call to a conference.",
      rows: [
        {
          rule: "A redirect request without a body has the call's parts in its query. Where they are missing too: the caller withholds the number, and the number called is the entry's first, else the organisation's first",
          whose: "ours",
          proof: [
            "core/rest/redirect: accepts a request without a body at a plain vendorRedirectUrl",
            "core/rest/redirect: accepts a request without a body, with the call in the query: %s",
          ],
        },
        {
          rule: "The redirect handler answers `<Response><Dial><Conference>` with the call's id; it also takes `ParentCallSid` or `CallSid`, `From`, `To`",
          whose: "ours",
          proof: [
            "core/rest/redirect: rings the entry and returns the conference that the vendor's call joins",
            "core/rest/redirect: accepts the vendor's names of form parameters: %s",
          ],
        },
        {
          rule: "A parameter of a redirect that is given twice is refused with 400. An empty `x-` value is kept; other empty parameters count as absent",
          whose: "ours",
          proof: [
            "core/rest/redirect: rejects %s and changes nothing",
            "core/rest/redirect: rejects a form's parameter given twice",
            "core/rest/redirect: keeps an empty passthrough parameter, and takes other empty parameters for absent",
          ],
        },
        {
          rule: "Unknown query parameters of a redirect are ignored and listed like those of the API, but count in the alphabetical order",
          whose: "ours",
          proof: [
            "core/rest/redirect: ignores a parameter that it does not know, in its place in the alphabet",
          ],
        },
        {
          rule: "The alphabetical order of query parameters is that of code units: `x-B` comes before `x-a`",
          whose: "ours",
          proof: ["core/platform/silent-rules: sorts its parameters by code unit, capitals first: %s"],
        },
      ],
    },
    {
      title: "Deprecated paths",
      rows: [
        {
          rule: "Deprecated paths add `deprecation: @1782864000` (RFC 9745), the date of the API's version",
          whose: "ours",
          proof: [
            "core/rest/resources: answer at the deprecated singular paths like at the plural ones",
            "core/rest/resources: are sent by the deprecated paths, which are marked as deprecated",
          ],
        },
      ],
    },
    {
      title: "Faults of the REST API",
      rows: [
        {
          rule: "A fault of `sim.rest.fault` comes before the token is looked at; without a path it spares the token endpoint and the redirect handler",
          whose: "ours",
          proof: [
            "core/rest/observed: applies to a path with its subpaths, and to a method",
            "core/rest/observed: does not affect the token endpoint unless it is named",
          ],
        },
        {
          rule: "In a world that is explored a request may be answered 503, or 429 with `retry-after: 30`, or find every token expired just before it; that counts no fault",
          whose: "ours",
          proof: ["explore/rest: may get 503 or 429, a slow or very slow answer, or an expired token"],
        },
        {
          rule: "Bodies of the answers to faulted requests: `{ code, message }` with `too_many_requests`, `service_unavailable` and so on; at the token endpoint `temporarily_unavailable`",
          whose: "ours",
          proof: ["core/rest/observed: answers the next requests with a status and Retry-After"],
        },
      ],
    },
  ],
};

export const overHttp: Area = {
  title: "Over HTTP",
  rows: [
    {
      rule: "One origin has the REST API, the token endpoint, the redirect handler and the control plane; plain http is taken there",
      whose: "ours",
      proof: [
        "server/serve: answers a client that asks for a token and then for the directory",
        "server/serve: accepts calls at the redirect handler",
      ],
    },
    {
      rule: "The URL that a redirected call is signed for is the one that was asked, by the `host` header",
      whose: "ours",
      proof: ["server/serve: accepts requests that the vendor signed for the requested name: %s"],
    },
    {
      rule: "Requests that a REST write causes at its instant are sent after its answer; those that a command of the control plane causes, before it",
      whose: "ours",
      proof: ["server/serve: delivers the events of a write to the REST API"],
    },
    {
      rule: "Redirects of webhooks and data actions are not followed: a 3xx is a failure",
      whose: "ours",
      proof: ["server/serve: does not follow redirects"],
    },
    {
      rule: "A real endpoint has `timing.endpointTimeout` of real time. Its answer takes no virtual time where someone lets time pass; where time goes on by itself, it comes at the instant that it then is, at the request's limit at the latest",
      whose: "ours; `pace`",
      proof: [
        "server/slow-endpoints: a slow endpoint does not block, and its answer counts at the current instant",
        "server/slow-endpoints: an endpoint that never answers times out at its limit",
        "server/slow-endpoints: time waits at that limit for the real endpoint, at any pace",
      ],
    },
    {
      rule: "That real time counts only while the server's process runs: a pause of the machine takes nothing of it",
      whose: "ours",
      proof: ["server/slow-endpoints: a pause of the process takes nothing of an endpoint's time"],
    },
    {
      rule: "The server closes no idle connection; clients do. One that the server closed at the moment at which a client used it again would be a failed request",
      whose: "ours",
      proof: [
        "server/serve: leaves it to clients to close idle connections, which they may use again at any moment",
      ],
    },
    {
      rule: "If several answers come between two steps of the run, they are taken in the order in which they were asked for. Up to 100 real endpoints are asked at the same time",
      whose: "ours",
      proof: [
        "server/slow-endpoints: requests of several instants run concurrently, and a replay sends none",
        "server/slow-endpoints: answers that arrive between two steps are processed in the order of the requests",
      ],
    },
    {
      rule: "The control plane lets at most 10 years pass in one request, and needs no token while only its own machine can reach it",
      whose: "ours",
      proof: ["server/control-plane: rejects POST %s with %j: %i %s"],
    },
  ],
};

export const storedWithoutEffect: Area = {
  title: "Stored without effect",
  text: `The specification names these, but shows no value or no effect of them. ringback takes them, gives them back, and plays nothing out.

| what | given back in | unknown |
|---|---|---|
| \`claimRule\` of a conversation | the conversation, its events | its values, and how users claim a conversation by it |
| \`analyzer\` of an analysis | the analysis, its events | which analyzers there are; a result is a stand-in |
| \`transcriptionModel\` of an analysis | its recordings | which models there are; a transcript says who joined and left |
| \`licenses\` of a user | the user | what a user may not do without a license |`,
};

export const limits: Area = {
  title: "Limits",
  text: `Each comes from the specification. What exceeds it is refused or cut, as the section says.

| limit | value | where |
|---|---|---|
| Page size \`limit\` | 100 unless given, at most 1000 | [Paging](#paging) |
| Body of a request | 6 MB of JSON | [Bodies](#bodies-of-requests) |
| Access token | 3600 s | [Access tokens](#access-tokens) |
| Passthrough parameters | 1000 bytes of names plus values | [Passthrough parameters](#passthrough-parameters) |
| \`closeTimer\` | \`PT600S\` to \`P180D\` | [Conversations](#inactive-and-closed) |
| \`conversationName\` | 100 characters | [Conversations](#who-takes-part) |
| Text of \`POST /messages\` | 1,600 characters | [Messages](#messages) |
| Participants of a conversation | 10 | [Conversations](#who-takes-part) |
| \`timeout\` of a redirect | user or device 10 to 70 s, team 10 to 300 s | [Redirect](#redirect-parameters) |
| \`nextOfferTimeout\` of a redirect | 5 to 60 s | [Redirect](#redirect-parameters) |
| \`priority\` of a redirect | 1 to 9, else 5 | [Redirect](#redirect-parameters) |
| Answer of a webhook's endpoint | 5 s | [Delivery attempts](#delivery-attempts) |
| Attempts of a delivery | 10 in 24 hours | [Delivery attempts](#delivery-attempts) |
| Failures that disable a webhook | more than 1000 events in a row | [Disabled webhooks](#disabled-webhooks) |
| Age of a webhook's timestamp | 300,000 ms | [Signatures](#webhook-signatures) |`,
};

export const versioning: Area = {
  title: "Versioning",
  text: `The API's version is \`2026-07-01\`. A change of the API only adds, unless it says otherwise. These still work and will be removed: \`POST /messages\` and
\`POST /teamMessages\` (use \`POST /conversationMessages\`), the singular path \`/phonebook\`, the fields \`initiator\` and \`recipient\` of a
call, the events \`call.contact_assigned_with_add\` and \`_with_update\` (use \`contact.shared\`), JSON at the token endpoint, \`directoryTarget\` in
the Team Call data action, and the bare array that answers Call Insights.`,
};
