import type { Area } from "./row.ts";

export const availability: Area = {
  title: "Availability",
  sections: [
    {
      title: "What decides it",
      rows: [
        {
          rule: "Busy with `busyOnACall` while on a call, with the call's and the vendor's ids",
          whose: "specified",
          proof: [
            "core/platform/availability: a user is busy by the rule busyOnACall; the user's record names the call and its vendor id",
          ],
        },
        {
          judged: "rule call of a busy user",
          whose: "specified for the user, ours for `availability`",
          proof: [
            "core/platform/availability: a user is busy by the rule busyOnACall; the user's record names the call and its vendor id",
          ],
        },
        {
          rule: "By hand, busy means `doNotDisturb` and offline `loggedOut` unless a rule is given",
          whose: "ours",
          proof: ["core/platform/availability: %s with %j updates the record and emits one event"],
        },
        {
          rule: "Without a registered endpoint a user is offline, `loggedOut`",
          whose: "ours",
          proof: [
            "core/platform/availability: a user without a registered endpoint is offline by the rule loggedOut",
            "core/platform/availability: a user %s is offline by the rule loggedOut",
          ],
        },
        {
          rule: "A team is `available` or `busy`, never `offline`: a team of nobody, or of people who are all logged out, is `busy`",
          whose: "ours",
          proof: [
            "core/platform/silent-rules: has a team as busy whose members are all logged out, though each of them is offline",
          ],
        },
      ],
    },
    {
      title: "Working hours",
      rows: [
        {
          rule: "A user with `workingHours` is offline by the rule `outOfHours` outside of them; without, they are always in hours",
          whose: "ours",
          proof: ["core/platform/working-hours: %s the record says so and no event is emitted"],
        },
        {
          rule: "Hours begin and end exactly at the local times, in the user's time zone, or else the organisation's. The first instant is in the hours, the last is not",
          whose: "ours",
          proof: [
            "core/platform/working-hours: the hours are those of the user's time zone, or of the organisation's",
            "core/platform/working-hours: take %s",
          ],
        },
        {
          rule: "A local time that the clock skips is taken at the skip, one that it shows twice at the first; spans that touch or overlap, also over midnight, are one",
          whose: "ours",
          proof: ["core/platform/working-hours: take %s", "core/platform/working-hours: %s: %s"],
        },
        {
          rule: "The first that applies decides: a call, being logged out, busy or offline by hand, the hours",
          whose: "ours",
          proof: [
            "core/platform/working-hours: logged out takes precedence over out of hours",
            "properties/machines: decides by call, then suspension, log-out, manual status and hours",
          ],
        },
        {
          rule: "Busy and offline, chosen by hand, last until the user chooses again. `available`, chosen out of hours, lasts until the hours end next",
          whose: "ours",
          proof: [
            "core/platform/working-hours: manual %s stays across the hours until it is withdrawn",
            "core/platform/working-hours: manual available out of hours lasts until the hours begin and end again",
          ],
        },
        {
          rule: "A ring in progress as the hours end stops, as by any loss of availability; a waiting call is offered as they begin",
          whose: "ours",
          proof: [
            "core/platform/working-hours: ringing calls are withdrawn when the hours end",
            "core/platform/working-hours: a call waiting in a team's queue is offered when the hours begin",
          ],
        },
      ],
    },
    {
      title: "Availability events",
      rows: [
        {
          rule: "There is an event only when something changed. Availability that is set by hand during a call applies when the call is over",
          whose: "ours",
          proof: [
            "core/platform/availability: emits nothing if the status is already set",
            "core/platform/availability: %s takes effect and emits its event when the call is over",
          ],
        },
        {
          rule: "Each change of a member is followed by `team.availability.updated` of each of their teams whose totals it changes, in the order of the organisation; a device's use changes them too",
          whose: "ours",
          proof: [
            "core/platform/team-availability: follows the event of a user, once for each of their teams, in the organisation's order",
            "core/platform/team-availability: is not emitted if no total changes",
            "core/platform/team-availability: count a device, but not while it is on a call",
          ],
        },
      ],
    },
  ],
};

export const behaviour: Area = {
  title: "People who act by themselves",
  text: "The simulator adds all of this; the platform has nothing like it. People without a behaviour do only what commands say.",
  rows: [
    {
      rule: "`answer.after` and `decline.after` count from when a user begins to ring. The earlier one happens; if both are at the same instant, the answer. `never` lets it ring",
      whose: "ours",
      proof: [
        "core/platform/behaviour: answers at the same instant with a delay of 0",
        "core/platform/behaviour: is too late at the instant when the ringing ends",
      ],
    },
    {
      rule: "A user answers on the named endpoint if it rings then, otherwise on the first of theirs that rings. They decline on all",
      whose: "ours",
      proof: [
        "core/platform/behaviour: answers on the first ringing endpoint if none is named",
        "core/platform/behaviour: answers on another endpoint if the named one no longer rings",
        "core/platform/behaviour: declines on all endpoints",
      ],
    },
    {
      rule: "At one instant, what was scheduled first happens first: an answer at the instant of the ring timeout is too late, patience that ends then is not",
      whose: "ours",
      proof: [
        "core/platform/behaviour: is too late at the instant when the ringing ends",
        "core/platform/behaviour: runs out before a timeout of the same instant",
      ],
    },
    {
      rule: "`talk` counts from joining a call; for the one who dialled, from the first answer. Each call that they join has a draw of its own",
      whose: "ours",
      proof: [
        "core/platform/behaviour: a user hangs up the given time after joining",
        "core/platform/behaviour: a user who dialled out starts talking at the answer",
      ],
    },
    {
      rule: "An outside number may have a behaviour for when it is dialled: `behave: { number, behaviour }`. It says nothing of calls from that number",
      whose: "ours",
      proof: [
        "core/platform/behaviour: answers when it is dialled, talks and hangs up",
        "core/platform/behaviour: declines with %j",
        "core/platform/behaviour: holds when it is dialled, and is none of a call from it",
      ],
    },
    {
      rule: "Callers of `inbound` and of traffic may have a behaviour. The caller of a call that another application hands over does only what commands say",
      whose: "ours",
      proof: ["core/platform/traffic: gives every caller the behaviour, drawn separately"],
    },
    {
      rule: "`patience` counts from the start of a call, through ringing, queues and rollovers, to the first answer or voicemail",
      whose: "ours",
      proof: [
        "core/platform/behaviour: ends while the call rings",
        "core/platform/behaviour: ends while the caller waits in a queue",
        "core/platform/behaviour: no longer counts once %s",
      ],
    },
    {
      rule: "In voicemail, `{ duration, transcript? }` speaks at the tone, unless a command had the caller speak before; `hangUp` leaves at the instant at which voicemail takes the call. With either, the caller's `talk` no longer counts",
      whose: "ours",
      proof: [
        "core/platform/behaviour: leaves a message at the tone",
        "core/platform/behaviour: leaves the message given by a command instead",
        "core/platform/behaviour: hangs up at once",
      ],
    },
    {
      rule: "`wrapUp`: after any call that they leave, a user stays busy with `notAvailableRule` null and the reason `wrapUp`, then becomes available. Team totals change only then",
      whose: "ours",
      proof: [
        "core/platform/behaviour: keeps a user busy after a call, then available",
        "core/platform/behaviour: emits a team's event only when a member is added to its count",
      ],
    },
    {
      rule: "Wrap-up ends early when the user sets an availability by hand, logs out or dials, or their working hours end. A user who would not be available after the call has no wrap-up",
      whose: "ours",
      proof: [
        "core/platform/behaviour: ends when the user sets %s by hand",
        "core/platform/behaviour: ends with the user's working hours",
        "core/platform/behaviour: ends when the user dials, and starts again after that call",
      ],
    },
    {
      rule: "`wrapUp`, the command, says how long a user stays busy after the present call, instead of what their behaviour draws; without a call it begins at once, and during a wrap-up it counts anew. A user who is offline or busy by choice cannot give it",
      whose: "ours",
      proof: [
        "core/platform/wrap-up: during a call keeps the user busy once it is over",
        "core/platform/wrap-up: without a call begins at once, and during a wrap-up counts anew",
        "core/platform/wrap-up: is refused for a user who is %s",
      ],
    },
    {
      rule: "`behave` replaces the whole behaviour from the next ring, answer or end of a call on, and cancels what the old one had scheduled. A wrap-up that has begun goes on. `behave({})` removes the behaviour",
      whose: "ours",
      proof: [
        "core/platform/behaviour: replaces the whole previous behaviour and cancels its scheduled acts",
        "core/platform/behaviour: is removed by an empty behaviour",
      ],
    },
    {
      rule: "An act that is no longer possible is cancelled. Acts are in no journal, because they follow from the state",
      whose: "ours",
      proof: [
        "core/platform/behaviour: leaves nothing scheduled if a command answers first",
        "core/platform/behaviour: is shown in the timeline, and its acts are shown like commands",
      ],
    },
    {
      rule: "`exponential(mean)`, `uniform(a, b)` (both ends included) and `fixed(d)` draw whole milliseconds; exponentials are rounded",
      whose: "ours",
      proof: [
        "core/platform/behaviour: that is fixed is always the same",
        "core/platform/behaviour: that is uniform covers every whole millisecond of its range, both ends included",
        "core/platform/behaviour: that is exponential has the given mean and spread, in whole milliseconds",
      ],
    },
    {
      rule: "Each user, outside number and traffic has a random stream of its own for each purpose. All draws of a caller are made when the call begins",
      whose: "ours",
      proof: [
        "core/platform/behaviour: of one person does not depend on other people",
        "core/platform/traffic: is drawn independently of other traffic",
      ],
    },
    {
      rule: "`traffic` begins its first call after one interval, the last no later than the end of the span. The interval must not be always 0",
      whose: "ours",
      proof: [
        "core/platform/traffic: starts its first call after one interval, and its last within its span",
        "core/platform/traffic: rejects %s and changes nothing",
      ],
    },
    {
      rule: "The numbers of traffic's callers count up from `from`. Without it they are `+999`, the traffic's serial number in four digits and the call's in eight: a code that the numbering plan keeps in reserve",
      whose: "ours",
      proof: ["core/platform/traffic: gives each call its own number, across all traffic"],
    },
  ],
};

export const directory: Area = {
  title: "Directory and users",
  rows: [
    {
      rule: "The directory is users, teams, devices and, with `features.pbx`, trunk entries, in that order, each in the organisation's",
      whose: "specified in kind, the order ours",
      proof: [
        "core/platform/directory: returns users, teams, devices and trunk entries, except suspended users and hidden teams",
      ],
    },
    {
      rule: "Suspended users and hidden teams are listed only when asked for; invited users always are",
      whose: "specified for the first two, ours for invited",
      proof: [
        "core/platform/directory: returns users, teams, devices and trunk entries, except suspended users and hidden teams",
      ],
    },
    {
      rule: "Filters are exact, and an entry must fit all that are given; `phoneNumber` looks at the numbers an entry has, not at `mobile`",
      whose: "ours",
      proof: ["core/platform/directory: with %j finds %j"],
    },
    {
      rule: "`ivrKey` is a field of users, teams, devices and trunk entries, given in the organisation and absent without one",
      seen: "differs: `ivrKeyCode`, a number",
      whose: "ours",
      proof: ["core/platform/directory: has an ivrKey only if one was set"],
    },
    {
      rule: "`mobile` is omitted with `features.excludeEmployeePhoneNumbers`",
      whose: "specified in kind",
      proof: ["core/platform/directory: has no mobile with features.excludeEmployeePhoneNumbers"],
    },
    {
      rule: "A user who is not active is `offline`, without a rule. A user who becomes invited or suspended stops ringing, as if unavailable. A call that they are on goes on, and keeps them busy until it is over",
      whose: "ours",
      proof: [
        "core/platform/user-status: to %s stops ringing with the reason unavailable",
        "core/platform/user-status: on a call lets the call continue; afterwards the user no longer counts",
      ],
    },
    {
      rule: "A changed status makes the availability events of the user and of their teams, since who is not `active` is `offline`",
      whose: "ours",
      proof: [
        "core/platform/user-status: to suspended takes the user offline, with an event",
        "core/platform/user-status: changes the totals of the user's teams, in the order of the organisation",
      ],
    },
    {
      rule: "`GET /teams` and `sim.teams` list hidden teams too: only the directory leaves them out",
      whose: "ours",
      proof: ["core/platform/silent-rules: lists hidden teams among the teams, and a team of nobody is busy"],
    },
  ],
};

export const locations: Area = {
  title: "Locations",
  rows: [
    {
      rule: "A user is at one location at most: being added to another takes them from the first",
      whose: "ours",
      proof: ["core/platform/locations: have their assigned users; a user has at most one location"],
    },
    {
      rule: "A location does not change. A user's move makes no event; later calls show it",
      whose: "ours",
      proof: [
        "core/platform/locations: appear at once in the calls of the user, and emit no event",
        "core/platform/locations: of a closed call change with its next event, not before",
      ],
    },
  ],
};

export const phonebooks: Area = {
  title: "Phonebooks",
  rows: [
    {
      rule: "A phonebook whose id is a user's e-mail address is that user's personal one. The first put makes it. An address that no user has is `not_found`",
      whose: "specified, the error ours",
      proof: [
        "core/platform/phonebook-commands: makes a personal phonebook that names only its user's callers",
        "core/platform/phonebooks: is found in a personal phonebook whatever the case of its e-mail address",
      ],
    },
    {
      rule: "A put replaces the whole phonebook: a name, country or contacts that it leaves out are as in a new phonebook",
      whose: "specified in kind",
      proof: [
        "core/platform/phonebook-commands: replaces the whole phonebook: omitted fields get their defaults",
      ],
    },
    {
      rule: "Contacts are added at the end, replaced in place by id, and get an id if they have none",
      whose: "ours",
      proof: [
        "core/platform/phonebook-commands: gives contacts without an id a unique one",
        "core/platform/phonebook-commands: appends new contacts and replaces existing ones in place",
      ],
    },
    {
      rule: "Several phonebooks or contacts are put all together or not at all. An id that comes twice is refused",
      whose: "ours",
      proof: [
        "core/platform/phonebook-commands: stores several and returns them in the given order",
        "core/platform/phonebook-commands: changes nothing for %s",
      ],
    },
    {
      rule: "A call keeps the name that its caller had when it began",
      whose: "ours",
      proof: ["core/platform/phonebook-commands: leaves past calls unchanged; later calls show the new name"],
    },
    {
      rule: "Phonebooks have `created` and `lastModified`",
      seen: "differs: also a `description`",
      whose: "ours",
      proof: ["core/platform/phonebook-commands: returns a handle with the current, deeply frozen record"],
    },
    {
      rule: "A contact's number that is not E.164 is read with the option `phoneNumbers`: by the phonebook's `countryIso`, else by the organisation's. With a plus it needs no country",
      whose: "ours",
      proof: [
        "core/platform/local-numbers: is read by %s",
        "core/platform/local-numbers: with a plus and spaces needs no country",
      ],
    },
    {
      rule: "A number that cannot be read, and any but E.164 without the option, is kept as text and matches nobody. Contacts are given back with their numbers as they were written",
      whose: "ours",
      proof: [
        "core/platform/local-numbers: matches nobody without a reader",
        "core/platform/local-numbers: is returned as it was written",
        "core/platform/local-numbers: that cannot be read, such as %s, is kept as text",
      ],
    },
    {
      rule: "`readPhoneNumber` of `ringback/phone-numbers` takes a number with as many digits as its country's numbers have, whether or not anyone has it",
      whose: "ours; the option may be your own function",
      proof: ["core/platform/local-numbers: reads %j in %s as %s"],
    },
    {
      rule: "Numbers of messages, redirects and the organisation are E.164",
      whose: "specified for messages, the rest ours",
      proof: ["core/platform/organisation-values: for the number %s, which is not E.164"],
    },
    {
      rule: "Journals hold what was read, so a replay needs no reader. The playground of the inspector has none",
      whose: "ours",
      proof: ["core/platform/local-numbers: is not needed to replay: the journal holds what was read"],
    },
    {
      rule: "`countryIso` takes any two letters. A reader that does not know the country leaves the number as text",
      whose: "ours",
      proof: [
        "core/platform/silent-rules: takes any two letters as a country, and a reader that does not know it leaves the number as text",
      ],
    },
  ],
};

export const trunks: Area = {
  title: "Trunks",
  rows: [
    {
      rule: "Trunks are made in the account portal only: here in the organisation",
      whose: "specified",
      proof: ["core/platform/trunks: has devices, queues and users with their fields"],
    },
    {
      rule: "Without `features.pbx` every command and look-up of trunks is refused as `not_allowed`, and the directory has no entries of theirs",
      whose: "specified in kind, the error ours",
      proof: [
        "core/platform/trunks: is refused without features.pbx: %s",
        "core/platform/directory: omits trunk entries without features.pbx",
      ],
    },
    {
      rule: "An extension or id that another entry of the directory already has is refused as `conflict`",
      whose: "specified for extensions, the error and ids ours",
      proof: ["core/platform/trunks: is refused when %s, and changes nothing"],
    },
    {
      rule: "An entry rings as a device does, on `sip`; in calls its type is `device`",
      whose: "specified in kind",
      proof: ["core/platform/trunks: rings it like a device when redirected to its extension"],
    },
    {
      rule: "A trunk user's own phone numbers can be called, and be the target of transfers, while the user is there",
      whose: "ours",
      proof: [
        "core/platform/trunks: can be called, and rings them like a device",
        "core/platform/trunks: is the target of a transfer to it",
        "core/platform/trunks: cannot be called once they are removed",
      ],
    },
    {
      rule: "It does not dial, own the organisation's numbers or join teams",
      whose: "ours",
      proof: ["core/platform/trunks: cannot be started by an entry, and an entry cannot join a team"],
    },
    {
      rule: "An update changes what is given and leaves the rest",
      whose: "ours",
      proof: ["core/platform/trunks: is updated in the given fields only"],
    },
    {
      rule: "An entry that is rung or on a call cannot be removed: `busy`",
      whose: "ours",
      proof: ["core/platform/trunks: prevents its removal while it rings and talks"],
    },
    {
      rule: "Entries have `trunkId`, `created` and `lastModified`; a trunk user's `user` is `{ id, displayName, email }`",
      whose: "ours",
      proof: ["core/platform/trunks: has devices, queues and users with their fields"],
    },
  ],
};
