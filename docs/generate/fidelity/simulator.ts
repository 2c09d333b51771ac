import type { Area } from "./row.ts";

export const simulator: Area = {
  title: "The simulator itself",
  sections: [
    {
      title: "Determinism",
      rows: [
        {
          rule: "Same seed and commands: the same bytes. Default seed 1, start 2026-07-01T00:00:00Z",
          whose: "ours",
          proof: [
            "core/platform/events: toJSONL is byte-identical for the same seed and commands",
            "core/foundation/ids: uses the seed 1 by default",
            "core/engine/time: are by default the start 2026-07-01 in UTC",
          ],
        },
        {
          rule: 'A number and a text are different seeds: `1` is not `"1"`',
          whose: "ours",
          proof: ["core/foundation/ids: treats the seeds %j and %j as different"],
        },
        {
          rule: "Each kind of id has a sequence of its own",
          whose: "ours",
          proof: [
            "core/foundation/ids: gives a call the same id, however many events preceded it",
            "core/foundation/ids: counter counts each kind of record from 1",
          ],
        },
      ],
    },
    {
      title: "Listeners and callbacks",
      rows: [
        {
          rule: "Listeners are called after the step that emitted, in log order. Their commands run at once, and the events of these follow",
          whose: "ours",
          proof: [
            "core/engine/listeners: handlers receive events in log order, after the step that emitted them",
            "core/engine/listeners: run at once, with their effect on the next line",
            "core/engine/listeners: append their events after the remaining events of the step",
          ],
        },
        {
          rule: "When a listener throws, the others are still called. The command or time method throws the error",
          whose: "ours",
          proof: [
            "core/engine/listeners: do not prevent other handlers from receiving that event and the next",
            "core/engine/listeners: make the command throw their error, but keep its effects",
          ],
        },
        {
          rule: "The `Async` time methods wait for what endpoints, listeners and callbacks return. They do not wait for one that itself waits for virtual time: by `sim.schedule`, for a delayed answer of the REST API, or for a fake timer that shares time and does not repeat. They notice that when it has done nothing else for 50 ms of real time; in an explored world at once",
          whose: "ours",
          proof: [
            "core/engine/handlers-that-wait: answers once the time has passed, while the run continues, and a replay is equal",
            "core/engine/time-async: advanceAsync awaits them, then ends exactly at now + duration",
            "core/engine/waiting: is reported on the console once, after two seconds, like an answer that needs time to pass",
          ],
        },
        {
          rule: "Such an endpoint answers at the virtual instant at which it is done; its request may time out before. In a fork it does not go on",
          whose: "ours",
          proof: [
            "core/engine/handlers-that-wait: answers once the time has passed, while the run continues, and a replay is equal",
            "core/engine/handlers-that-wait: times out if it waits longer than the platform, and is called again",
            "core/engine/handlers-that-wait: does not exist in a fork, where its request times out",
          ],
        },
        {
          rule: "A callback of `sim.schedule` is called after all else that is due at its instant, those of one instant as they were scheduled. A run is not idle while one is to come. Journals and forks have the commands it issued, not the callback",
          whose: "ours",
          proof: [
            "core/engine/schedule: calls back after everything else due at its instant, in order of scheduling",
            "core/engine/schedule: is listed by pending and keeps a run from being idle",
            "core/engine/schedule: records its commands in the journal, but not itself",
            "core/engine/schedule: is not copied to a fork",
          ],
        },
      ],
    },
    {
      title: "How far time goes",
      rows: [
        {
          rule: "More than 10,000 steps that cause each other at one instant are stopped as an endless loop",
          whose: "ours",
          proof: [
            "core/engine/runaway: is stopped by a RunawayError that names the command, its arguments and the instant",
            "core/engine/runaway: is stopped by a RunawayError that names the timer, the call and the caller's file",
            "core/engine/runaway: a burst of 11,000 calls that time out at one instant is not stopped",
          ],
        },
        {
          rule: "`runUntilIdle`, and a scenario without `until`, do not wait for working hours. Hours that begin or end before then do so",
          whose: "ours",
          proof: [
            "core/platform/working-hours: are pending once per user, and runUntilIdle does not wait for them",
            "core/platform/working-hours: run when runUntilIdle passes them",
          ],
        },
        {
          rule: "`runUntil` looks 7 days ahead, `runUntilIdle` 400, unless told otherwise",
          whose: "ours",
          proof: [
            "core/engine/time: waits at most 7 days by default",
            "core/engine/time: waits at most 400 days by default",
          ],
        },
        {
          rule: "A scenario's step that waits for an event (`on`) is played once, after all else that is due at its instant. `of` a call or a conversation, any event since its beginning counts; else those since the step with a time above it. An event that never comes is a mismatch",
          whose: "ours",
          proof: [
            "core/scenario/tied-steps: without plus is played at the event's instant, after everything else due then",
            "core/scenario/tied-steps: is played once, at the first event",
            "core/scenario/tied-steps: listens from the timed step above it, including that step's events, unless it is of a call",
          ],
        },
        {
          rule: "No duration is longer than 100,000 years, and time never passes the last instant that a JavaScript `Date` can hold",
          whose: "ours",
          proof: [
            "core/engine/schedule: is rejected if the resulting instant is too late",
            "core/engine/schedule: is rejected as an option and in a scenario's timing",
          ],
        },
      ],
    },
    {
      title: "Captures",
      rows: [
        {
          rule: "`drift` shows a field, an event type or a value of an enumeration that no schema knows, if it is one identifier of at most 40 letters, digits, `_` and `.` that begins with a small letter, such as `displayValue`, has no five digits in a row, and is no other text of the capture, however spelt. Others are `field 1`, `value 2`",
          whose: "ours",
          proof: [
            "capture/read: lists a field that no schema knows, but not if it is a person's name or a number",
          ],
        },
      ],
    },
  ],
};

export const exploring: Area = {
  title: "Exploring",
  rows: [
    {
      rule: "A late request arrives at the latest when its sender stops waiting for it: at its time limit",
      whose: "ours",
      proof: [
        "core/network/request-deviations: delivers a late request while its sender still waits if too few others come",
      ],
    },
    {
      rule: "A world with another assumption has it from its start. Each value that the scenario does not have is tried; of a time, `none` or two seconds. With ids of another form, nothing else deviates but further assumptions",
      whose: "ours",
      proof: ["findings/assumptions: are explored with each other value, one world for each"],
    },
    {
      rule: "In an outage all connections are refused. It lasts from one instant at which something is sent until a later one, which is not part of it",
      whose: "ours",
      proof: [
        "explore/search/named-kinds: lasts from each instant at which something is sent until each later one",
        "explore/search/named-kinds: refuses everything that is sent during it",
      ],
    },
    {
      rule: "If the app restarts while it handles a request (`restarted`), the request reaches it, and its connection is reset at once: it fails at that instant and is attempted again",
      whose: "ours",
      proof: [
        "core/network/request-deviations: resets the connection of a request whose app restarts while it handles it",
      ],
    },
    {
      rule: "An app that restarts loses its routes, listeners, callbacks and timers; what the scenario registered stays. With `restarted` it handles the request until it waits for the REST API or for virtual time, or is done; what it asked of the REST API has happened, and is not answered",
      whose: "ours",
      proof: [
        "explore/run/restarts: loses its routes, listeners and callbacks, but not those of the scenario",
        "explore/run/restarts: while an answer is slow never gets that answer, and the world ends",
        "explore/run/restarts: and %s is right in every world",
      ],
    },
    {
      rule: "An app with `durable` may restart at each of its requests to the REST API, whatever began the work: before it (`restarted`), or once it is done, where it changes something (`restartedAfter`). What the app does before it needs the answer happens first",
      whose: "ours",
      proof: [
        "explore/run/restarts-at-waits: is found out by a restart while it waits, which its scenario plays again",
        "explore/run/restarts-at-waits: has a right twin, which holds with two deviations",
      ],
    },
    {
      rule: "An app with `durable` may also restart while it waits for a timer that another timer has set, or that it has set after it had asked the REST API or a dependency. Of timers of one length two are interrupted until something is new",
      whose: "ours",
      proof: [
        "explore/search/restarted-worlds: A restart comes wherever a random job waits, whatever began it",
      ],
    },
    {
      rule: "An app with `durable` may also restart before it uses `fetch` or another client of HTTP/1, writes a whole file or a stream, or asks Postgres or a database in its process. It does not restart within a transaction. In what follows from one request, that is the second, the third and the last use; in what a timer does, also the first",
      whose: "ours",
      proof: [
        "explore/run/restarts-at-questions: restarts before its second time, which its scenario plays again",
        "explore/run/restarts-in-work: restarts %s",
        "explore/run/restarts-at-questions: Of many files that an app writes, it restarts before the second, the third and the last",
      ],
    },
    {
      rule: "What else an app with `durable` uses outside its process is named by the report: each use in a timer's work, and in what follows from one request all but the first",
      whose: "ours",
      proof: [
        "explore/run/untried-restarts: A timer whose work waits for %s: the report says whether a restart comes between",
        "explore/run/untried-restarts: An app that has answered and waits for %s: the report says whether a restart comes between",
        "explore/run/restarts-in-work: The report %s a database in the process of an app that uses it %s",
      ],
    },
    {
      rule: "Once an app with `durable` has waited for two HTTP services or connections to Postgres at once, it does not restart before what it asks until its next request or timer, and the report says so",
      whose: "ours",
      proof: [
        "explore/run/restarts-in-chains: An app that waits for two chains of requests, and %s, is judged the same whichever answers first",
        "explore/run/restarts-in-chains: A report names no chains of an app that sends one request after the other, and last some at once",
      ],
    },
    {
      rule: "What an app had taken out of a pool of a database's client when it restarted is closed, as by the end of its process",
      whose: "ours",
      proof: [
        "explore/run/restarts-in-work: A client that an app had taken out of a pool when it restarted does not stay out of it",
      ],
    },
    {
      rule: "A server that restarts has answered the request in each case: whether a process ends before a request arrives would be a race. With `restarted` the answer is thrown away",
      whose: "ours",
      proof: [
        "cli/explore-server: restarts a server that %s, and so finds that it loses or repeats tasks",
        "cli/explore-server: restarts a server whose memory is in its store (%s): nothing is lost",
      ],
    },
    {
      rule: "`behind` answers a `GET` of a single record that a handler sends: with the record as it was before this instant, or with 404 if there was none. The token is judged as it is now, and the next answer is fresh",
      whose: "ours",
      proof: ["explore/rest: may be answered from before the instant, if that is named"],
    },
    {
      rule: "A request may overlap a handler only if the handler's promise is still open once no microtask is left; in Node, after `process.nextTick` too (up to a hundred in a row). So nothing overlaps that a real single-threaded server would not overlap; timers, I/O, `setImmediate` and requests of the handler do",
      whose: "ours",
      proof: [
        "explore/run/overlap: %s counts right, in each world as on a real server",
        "explore/run/overlap: %s loses a count, in a world as on a real server",
      ],
    },
    {
      rule: "The app's REST requests are served when they are sent. The order of the answers varies, and a slow one comes 1 s or 10 s later, unless the request was sent while no time passes, as when the app is built",
      whose: "ours",
      proof: [
        "explore/rest: may get 503 or 429, a slow or very slow answer, or an expired token",
        "explore/rest: is not slow while the app is being built",
      ],
    },
    {
      rule: "The steps `createWebhook` at PT0S that a scenario begins with are played before the app is built",
      whose: "ours",
      proof: ["explore/properties: is built when the webhooks of a scenario's first steps are there"],
    },
    {
      rule: "Worlds are in the order of how many deviations they have, then of the first, then of the second",
      whose: "ours",
      proof: ["explore/search/worlds: are equal and in the same order each time"],
    },
    {
      rule: "A world is left out only where a run showed that the app would have seen the same requests in the same order at the same instants",
      whose: "ours",
      proof: [
        "explore/search/worlds: with at most %i deviations are %i, and %i for the app",
        "explore/search/worlds: with at most 2 deviations: %s",
      ],
    },
    {
      rule: "A world without deviations that ends early leaves open where later deviations have their place, so not all worlds were run; if it never comes to rest, no other runs. A world never comes to rest if it takes more than `steps`, or bodies of webhooks more than 6,400 characters for each of `steps` (at least 1,000)",
      whose: "ours",
      proof: [
        "explore/bounded-proof: the report does not say that all worlds were run, and says when it ends",
        "explore/rest: by which a bot answers its own messages is named by how long bodies become, in one world",
      ],
    },
    {
      rule: "Worlds are divided among shards by what their deviations begin with: the heaviest beginnings first, each to the shard that has least so far; of equals, a hash of the beginning decides. The corpus is for the first shard",
      whose: "ours",
      proof: [
        "explore/search/worlds: are shared among shards without gaps or repeats",
        "explore/search/sharding: are divided evenly among shards, without gaps or repeats",
      ],
    },
    {
      rule: "A failure is reported with the first world in which it happens, in the order of all worlds. So shards and threads give the same report",
      whose: "ours",
      proof: [
        "cli/explore: reports the same bytes for any number of workers, and stores the failures",
        "explore/search/worlds: are shared among shards without gaps or repeats",
      ],
    },
    {
      rule: "One of several shards does not fail because a `sometimes` property held in none of its worlds: merging decides",
      whose: "ours",
      proof: ["explore/results: equal those of the whole, whatever the order of the shards"],
    },
    {
      rule: "A property that `known` marks may fail, and fails the exploration once it holds in all worlds. A shard, an exploration that was cut short and a world that is played alone do not tell that it is gone",
      whose: "ours",
      proof: [
        "explore/known: A failure that `known` marks and that is gone fails the exploration until the mark is taken away",
        "explore/known: Only an exploration of all worlds says that a known failure is gone",
        "explore/known: Shards have their known failures together, and only all of them tell that one is gone",
      ],
    },
    {
      rule: "A scenario of the corpus whose deviations no longer come up is reported, and does not fail",
      whose: "ours",
      proof: ["explore/search/corpus: names scenarios that no longer reach their deviations"],
    },
    {
      rule: "Worlds are called long by their number of steps, not by wall-clock time, which would make reports differ",
      whose: "ours",
      proof: ["explore/search/worlds: that are the longest have the most steps, whatever time they took"],
    },
    {
      rule: "For each user, for traffic and for each kind of deviation a seed draws whether there is any, with a chance of one half. Deviations come at a rate of up to 0.3, at most 10 in a world",
      whose: "ours",
      proof: [
        "explore/search/seeds: are equal each time, and shards have each of them once",
        "explore/search/seeds: have the number and kinds of deviations given by deviations",
      ],
    },
    {
      rule: "Steps that are not possible in the world of a seed are left out, also from the scenario of a failure",
      whose: "ours",
      proof: [
        "explore/search/seeds: find failures whose smallest scenarios replay without randomness",
        "core/scenario/deviations: skip steps that the state does not allow, which the timeline shows",
      ],
    },
  ],
};
