import * as v from "valibot";
import {
  country,
  duration,
  e164,
  either,
  email,
  extension,
  flag,
  list,
  object,
  oneOf,
  positiveDuration,
  text,
  timezone,
  wholeNumber,
} from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";
import type { Organisation, OrganisationInput } from "../../generated/inputs.ts";
import { userBehaviourSchema } from "./behaviour.ts";

import { contactEntries } from "./contact.ts";
import { createWebhookSchema } from "./webhook.ts";

/**
 * The schema of an organisation: plain data, the same in TypeScript, YAML and JSON. `references.ts` checks the
 * references between its parts.
 */

const optional = v.optional;
const nullable = v.nullable;

const endpointTypes = ["mobile", "desktop", "sip"] as const;

/** `mobile` alone means `{ id: mobile, type: mobile, registered: true }`. */
const endpoint = either(
  [
    oneOf(endpointTypes),
    object({
      /** The endpoint's id, unique for its user. */
      id: text(),
      /** Whether it is a mobile app, a desktop app or a SIP phone. */
      type: oneOf(endpointTypes),
      /** Whether it is signed in at the start. Only registered endpoints ring. @default true */
      registered: optional(flag()),
    }),
  ],
  "expected mobile, desktop, sip or { id, type, registered }",
);

const time = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;
/** The endpoints of a user without a list of endpoints. */
export const defaultEndpoints = ["mobile"] as const;

const timeOfDay = v.pipe(
  v.string("expected a time of day such as 09:00"),
  v.regex(time, "expected a time of day such as 09:00"),
);
/** When a user works on one day of the week. */
export const hoursOfDay = optional(
  list(
    v.pipe(
      object({
        /** When work begins, local time such as `09:00`. */
        from: timeOfDay,
        /** When work ends, local time, at most `24:00`. */
        to: timeOfDay,
      }),
      // times as text compare in the order of time; anything that is not a time was reported before
      v.forward(
        v.check(
          ({ from, to }) => from < to || !time.test(from) || !time.test(to),
          ({ input: { from, to } }) =>
            `expected a time after ${from}, at most 24:00, got ${show(to)}. Split a night shift at 24:00: { from: "${from}", to: "24:00" }, and on the next day { from: "00:00", to: "${to}" }`,
        ),
        ["to"],
      ),
    ),
  ),
);

/**
 * A weekly table in the user's time zone. A day that is left out is a day off. Without a table every day is a working
 * day.
 */
const workingHours = object({
  /** The hours of Mondays; left out: a day off. */
  monday: hoursOfDay,
  /** The hours of Tuesdays; left out: a day off. */
  tuesday: hoursOfDay,
  /** The hours of Wednesdays; left out: a day off. */
  wednesday: hoursOfDay,
  /** The hours of Thursdays; left out: a day off. */
  thursday: hoursOfDay,
  /** The hours of Fridays; left out: a day off. */
  friday: hoursOfDay,
  /** The hours of Saturdays; left out: a day off. */
  saturday: hoursOfDay,
  /** The hours of Sundays; left out: a day off. */
  sunday: hoursOfDay,
});

/** The key that callers press for an entry in a menu. `GET /directory?ivrKey=` finds the entry by it. */
const ivrKey = optional(text());

const user = object({
  /** The user's id, unique in the directory. */
  id: text(),
  /** The e-mail address, unique in the directory. */
  email: email(),
  /** The name, as people see it. */
  displayName: text(),
  /** The extension number, digits, unique in the directory. */
  extension: extension(),
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  ivrKey,
  /** The first name. */
  firstName: optional(text()),
  /** The last name. */
  lastName: optional(text()),
  /** Whether the user takes part. Only active users are rung. @default "active" */
  status: optional(oneOf(["invited", "active", "suspended"])),
  /** The IANA time zone of the working hours, such as `Pacific/Auckland`. @default the organisation's */
  timezone: optional(timezone()),
  /** The job title. */
  jobTitle: optional(text()),
  /** Whom the user reports to: another user's id. */
  manager: optional(text()),
  /** Where the user works: a location's id. */
  location: optional(text()),
  /** The mobile number, E.164. */
  mobile: optional(e164()),
  /** The names of the licenses that the user has. @default [] */
  licenses: optional(list(text())),
  /** The release channel that the desktop app is enrolled in. @default "stable" */
  desktopEnrolledReleaseChannel: optional(text()),
  /** Whether the user comes from the customer's own directory. @default false */
  isDirectorySynced: optional(flag()),
  /**
   * The apps and phones that ring for the user. `mobile` stands for `{ id: mobile, type: mobile }`.
   * @default ["mobile"]
   */
  endpoints: optional(list(endpoint)),
  /** Whether unanswered calls go to a voicemail. @default true */
  voicemail: optional(flag()),
  /** When the user works, by day of the week. @default always */
  workingHours: optional(workingHours),
  /** How the user acts by themselves. @default only by commands */
  behaviour: optional(userBehaviourSchema),
});

const member = either(
  [
    object({
      /** A user's id. */
      user: text(),
      /** The offer priority, 1 to 100; 1 is rung first. A team with two tiers has members of two priorities. @default 1 */
      priority: optional(wholeNumber(1, 100)),
    }),
    object({
      /** A device's id. */
      device: text(),
      /** The offer priority, 1 to 100; 1 is rung first. A team with two tiers has members of two priorities. @default 1 */
      priority: optional(wholeNumber(1, 100)),
    }),
  ],
  "expected { user, priority? } or { device, priority? }",
);

const unanswered = either(
  [
    object({
      /** Voicemail takes the call. */
      voicemail: v.literal(true, "expected true; leave out `unanswered` for no step"),
    }),
    object({
      /** Another team is offered the call, by its id. */
      team: text(),
    }),
    object({
      /** An outside number is rung, E.164. */
      external: e164(),
    }),
  ],
  "expected { voicemail: true }, { team } or { external }",
);

const team = object({
  /** The team's id, unique in the directory. */
  id: text(),
  /** The name, as people see it. */
  displayName: text(),
  /** The extension number, digits, unique in the directory. */
  extension: extension(),
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  ivrKey,
  /** The users and devices to which its calls are offered. @default [] */
  members: optional(list(member)),
  /** How long a call is offered to the team. @default `timing.teamTimeout` */
  timeout: optional(duration()),
  /** How long one tier rings before the next tier rings, above 0. @default `timing.nextOfferTimeout` */
  nextOfferTimeout: optional(positiveDuration()),
  /** What happens to a call that nobody answers. @default it closes */
  unanswered: optional(unanswered),
  /** Whether listings of the directory leave the team out unless asked for hidden teams. @default false */
  hidden: optional(flag()),
  /** Has no effect, since every team has voicemail. Accepted for older organisations. */
  voicemail: optional(flag()),
});

const device = object({
  /** The device's id, unique in the directory. */
  id: text(),
  /** The name, as people see it. */
  displayName: text(),
  /** The extension number, digits, unique in the directory. */
  extension: extension(),
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  ivrKey,
  /** The SIP address, such as `sip:lobby@acme.test`. */
  sipAddress: optional(text()),
  /** Whether it may dial outside numbers. @default true */
  outboundAllowed: optional(flag()),
});

/** The fields of a location without its id. */
export const locationEntries = {
  /** The location's name. */
  name: text(),
  /** The postal address. */
  address: optional(text()),
  /** The country, by ISO 3166-1 alpha-2, such as `NZ`. */
  countryIso: optional(text()),
  /** The IANA time zone, such as `Pacific/Auckland`. */
  timezone: optional(timezone()),
};
const location = object({
  /** The location's id. */
  id: text(),
  ...locationEntries,
});

const contact = object({
  /** The contact's id. */
  id: text(),
  ...contactEntries,
});

/**
 * The fields of a phonebook without its contacts. Its `id` is any text, or a user's e-mail address for that user's
 * personal phonebook.
 */
export const phonebookEntries = {
  /** The phonebook's id, or a user's e-mail address for their personal one. */
  id: text(),
  /** The phonebook's name. */
  name: optional(text()),
  /** The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
  countryIso: optional(nullable(country())),
};
/** What a phonebook also has in the profile `observed`. */
export const phonebookMore = {
  /** What the phonebook is for; null if unknown. The profile `observed` shows it. */
  description: optional(nullable(text())),
};
const phonebook = object({
  ...phonebookEntries,
  ...phonebookMore,
  /** The contacts in it. @default [] */
  contacts: optional(list(contact)),
});

const trunkItem = {
  /** The name, as people see it. */
  displayName: text(),
  /** The extension number, digits, unique in the directory. */
  extension: extension(),
  /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
  ivrKey,
  /** A description; null for none. */
  description: optional(nullable(text())),
};

/** The fields of each kind of trunk entry without its id. `user` is the service user of a trunk user. */
export const trunkEntryFields = {
  device: {
    ...trunkItem,
    /** The place, in words; null if unknown. */
    location: optional(nullable(text())),
    /** Its model; null if unknown. */
    model: optional(nullable(text())),
    /** Its product line; null if unknown. */
    product: optional(nullable(text())),
  },
  queue: trunkItem,
  user: {
    ...trunkItem,
    /** The department; null if unknown. */
    department: optional(nullable(text())),
    /** The job title; null if unknown. */
    jobTitle: optional(nullable(text())),
    /** The place, in words; null if unknown. */
    location: optional(nullable(text())),
    /** Whom they report to; null if unknown. */
    manager: optional(nullable(text())),
    /** The user of the service whom they are associated with, by id or e-mail address; null if none. */
    user: optional(nullable(text())),
    /** Their own phone numbers, E.164. @default [] */
    phoneNumbers: optional(list(e164())),
  },
};

/** The id of a trunk entry. */
const entryId = {
  /** The entry's id, unique in the directory. */
  id: text(),
};
const trunk = object({
  /** The trunk's id. */
  id: text(),
  /** The trunk's name. */
  name: text(),
  /** The devices behind the trunk. @default [] */
  devices: optional(list(object({ ...entryId, ...trunkEntryFields.device }))),
  /** The queues behind the trunk. @default [] */
  queues: optional(list(object({ ...entryId, ...trunkEntryFields.queue }))),
  /** The users behind the trunk. @default [] */
  users: optional(list(object({ ...entryId, ...trunkEntryFields.user }))),
});

export const organisationSchema = object({
  /** The organisation's id, used in events and redirect URLs. */
  id: text(),
  /** The organisation's name. */
  name: optional(text()),
  /**
   * The id of the account that its application is called from. A call that `connectApplication` brings from another
   * account is refused.
   * @default any account is taken
   */
  accountId: optional(text()),
  /**
   * Whose account with the carrier it uses: its `own`, whose media messages link to (`vendorResourceUrl`), or the
   * `service`'s.
   * @default "own"
   */
  vendorAccount: optional(oneOf(["own", "service"])),
  /** The country of its contacts' local numbers, by ISO 3166-1 alpha-2, such as `NZ`; a phonebook may have another. */
  countryIso: optional(country()),
  /** The default IANA time zone of users, such as `Pacific/Auckland`. @default "UTC" */
  timezone: optional(timezone()),
  /** What the account can do beyond calls. */
  features: optional(
    object({
      /** Records answered calls. @default false */
      recording: optional(flag()),
      /** Makes transcripts of recordings and voicemails. @default false */
      transcription: optional(flag()),
      /** Makes content analyses of recorded calls. @default false */
      analysis: optional(flag()),
      /** Calculates what calls cost. @default false */
      tariff: optional(flag()),
      /** Has trunks and their entries in the directory. @default false */
      pbx: optional(flag()),
      /** Leaves `mobile` out of users. @default false */
      excludeEmployeePhoneNumbers: optional(flag()),
    }),
  ),
  /** The organisation's phone numbers. @default [] */
  numbers: optional(
    list(
      object({
        /** The number, E.164. */
        number: e164(),
        /** The owner of the number: the id of a user, a team or a device. */
        owner: text(),
        /** Whether it can send and receive messages. @default false */
        sms: optional(flag()),
      }),
    ),
  ),
  /** The people. @default [] */
  users: optional(list(user)),
  /** The call groups. @default [] */
  teams: optional(list(team)),
  /** The phones that belong to no user. @default [] */
  devices: optional(list(device)),
  /** The places where people work. @default [] */
  locations: optional(list(location)),
  /** The phonebooks with outside contacts. @default [] */
  phonebooks: optional(list(phonebook)),
  /** SIP trunks to other phone systems, with `features.pbx`. @default [] */
  trunks: optional(list(trunk)),
  /**
   * Endpoints that the platform asks how to go on: https URLs at public hosts, unless the option `allowLocal` is set.
   */
  dataActions: optional(
    object({
      /** Asked whether an outbound call may be made. */
      outboundCall: optional(text()),
      /** Asked each time a call is about to be queued for a team. */
      teamCall: optional(text()),
      /** Asked for the cards that people see with a call. */
      callInsights: optional(text()),
      /** Asked when a message from outside begins a conversation. */
      inboundConversations: optional(text()),
    }),
  ),
  /** The webhooks that exist from the start. @default [] */
  webhooks: optional(list(createWebhookSchema)),
  /** What calls cost, with `features.tariff`. */
  tariff: optional(
    object({
      /** The currency of the prices, such as `NZD`. */
      currency: text(),
      /** The prices. The longest matching prefix of a number wins. */
      routes: list(
        object({
          /** The start of the numbers to which the price applies, such as `+64`. */
          prefix: v.pipe(v.string(), v.regex(/^\+\d*$/, 'expected the start of a number, such as "+64"')),
          /** The price of a minute, in the currency. */
          perMinute: v.pipe(v.number("expected a price"), v.minValue(0, "expected a price of 0 or more")),
        }),
      ),
    }),
  ),
});

export type { Organisation, OrganisationInput };
export type UserInput = NonNullable<Organisation["users"]>[number];
export type TeamInput = NonNullable<Organisation["teams"]>[number];
export type DeviceInput = NonNullable<Organisation["devices"]>[number];
export type TrunkInput = NonNullable<Organisation["trunks"]>[number];
