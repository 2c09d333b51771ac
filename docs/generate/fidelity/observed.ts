import type { Area } from "./row.ts";

export const observedProfile: Area = {
  title: "The profile observed",
  text: 'The option `profile: "observed"` plays what public bodies and clients show: [the profile](observed.md). Where they are silent too, we decided:',
  rows: [
    {
      rule: "What is given explicitly wins over a profile, name by name: assumptions, durations, names of a dialect. A dialect's `write` alone writes the bodies of events",
      whose: "ours",
      proof: [
        "core/simulator/profile: yields to what is given explicitly, name by name",
        "core/platform/observed-bodies: has the names of a dialect that is given",
      ],
    },
    {
      rule: "The profile changes no event's type or instant where no assumption differs",
      whose: "ours",
      proof: ["properties/profile: changes no event's type or instant where no assumption differs"],
    },
    {
      rule: "An event for which a dialect's `write` returns nothing happens and is delivered to no webhook. The journal says so, so a replay without the function sends no more",
      whose: "ours",
      proof: [
        "core/platform/left-out: happens, and is delivered to no webhook",
        "core/platform/left-out: is in the journal, so a replay without the dialect's function sends no more",
      ],
    },
    {
      rule: "Extensions of users are numbers, unless one begins with 0; those of others are texts. Numbers are grouped by the last four digits, and threes before them",
      whose: "ours",
      proof: [
        "core/platform/observed-bodies: has numbers in three forms (fact 3), extensions as numbers and texts (fact 4), other users (fact 5)",
      ],
    },
    {
      rule: "`endAt` is when working hours begin again, null for every other reason. All members of a team's event have the instant of the latest change",
      whose: "ours",
      proof: [
        "core/platform/observed-bodies: says when somebody out of hours is back, and of who was invited nothing (fact 6)",
        "core/platform/observed-bodies: has an availability with a time zone and an end, all of one instant in a team (fact 6)",
      ],
    },
    {
      rule: "A search of phonebooks looks at names, companies and numbers of contacts, in whatever case, and lists only contacts that fit, with their phonebooks",
      whose: "ours",
      proof: ["core/rest/observed-shapes: is found by three letters of a contact (fact 13)"],
    },
    {
      rule: "`artifact` lists only content analyses with an artifact of that type, with that alone",
      whose: "ours",
      proof: [
        "core/rest/observed-shapes: have content analyses page by page, five unless asked otherwise, at most ten (fact 13)",
      ],
    },
    {
      rule: "A phonebook that is put without an id gets the first free one of `phonebook-1`, `phonebook-2`. Contacts are taken with a wrapper and without",
      whose: "ours",
      proof: [
        "core/rest/observed-shapes: has a description, and is put without an id (fact 2)",
        "core/rest/observed-shapes: is taken back as it was answered, and by several in one body",
      ],
    },
    {
      rule: "`mode` of a webhook changes nothing, and is `production` by default",
      whose: "ours",
      proof: [
        "core/rest/observed-shapes: reach webhooks that have a mode, by tokens that name an audience (fact 16)",
      ],
    },
  ],
};
