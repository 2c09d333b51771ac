import * as v from "valibot";
import {
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
} from "../../engine/input.ts";
import { show } from "../../engine/instants.ts";
import type { Organisation, OrganisationInput } from "../../generated/inputs.ts";
import { userBehaviourSchema } from "../people/schema.ts";

import { contactEntries } from "../phonebooks/contact-schema.ts";
import { createWebhookSchema } from "../webhooks/commands.ts";

/**
 * The organisation as a consumer writes it: plain data, the same in TypeScript, YAML and JSON.
 * References between its parts are checked in `references.ts`.
 */

const optional = v.optional;
const nullable = v.nullable;

const endpointTypes = ["mobile", "desktop", "sip"] as const;

/** `mobile` alone stands for `{ id: mobile, type: mobile, registered: true }`. */
const endpoint = either(
  [oneOf(endpointTypes), object({ id: text(), type: oneOf(endpointTypes), registered: optional(flag()) })],
  "expected mobile, desktop, sip or { id, type, registered }",
);

const time = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;
/** A user without a list of endpoints has this one. */
export const defaultEndpoints = ["mobile"] as const;

const timeOfDay = v.pipe(
  v.string("expected a time of day such as 09:00"),
  v.regex(time, "expected a time of day such as 09:00"),
);
/** When a user works on one day of the week. */
export const hoursOfDay = optional(
  list(
    v.pipe(
      object({ from: timeOfDay, to: timeOfDay }),
      // as text, times compare as times; what is none was reported already
      v.forward(
        v.check(
          ({ from, to }) => from < to || !time.test(from) || !time.test(to),
          ({ input: { from, to } }) => `expected a time after ${from}, at most 24:00, got ${show(to)}`,
        ),
        ["to"],
      ),
    ),
  ),
);

/** A weekly table in the user's time zone; a day that is not named is a day off. Without a table there is no day off. */
const workingHours = object({
  monday: hoursOfDay,
  tuesday: hoursOfDay,
  wednesday: hoursOfDay,
  thursday: hoursOfDay,
  friday: hoursOfDay,
  saturday: hoursOfDay,
  sunday: hoursOfDay,
});

/** What `GET /directory?ivrKey=` finds an entry by: the key that callers press for it in a menu. */
const ivrKey = optional(text());

const user = object({
  id: text(),
  email: email(),
  displayName: text(),
  extension: extension(),
  ivrKey,
  firstName: optional(text()),
  lastName: optional(text()),
  status: optional(oneOf(["invited", "active", "suspended"])),
  timezone: optional(timezone()),
  jobTitle: optional(text()),
  manager: optional(text()),
  location: optional(text()),
  mobile: optional(e164()),
  licenses: optional(list(text())),
  /** The release channel that the desktop app is enrolled in; default `stable`. */
  desktopEnrolledReleaseChannel: optional(text()),
  /** Whether the user comes from the customer's own directory; default false. */
  isDirectorySynced: optional(flag()),
  endpoints: optional(list(endpoint)),
  /** Whether unanswered calls go to a voicemail; default true. */
  voicemail: optional(flag()),
  workingHours: optional(workingHours),
  behaviour: optional(userBehaviourSchema),
});

const member = either(
  [
    object({ user: text(), priority: optional(wholeNumber(1, 100)) }),
    object({ device: text(), priority: optional(wholeNumber(1, 100)) }),
  ],
  "expected { user, priority? } or { device, priority? }",
);

const unanswered = either(
  [
    object({ voicemail: v.literal(true, "expected true; leave `unanswered` out for none") }),
    object({ team: text() }),
    object({ external: e164() }),
  ],
  "expected { voicemail: true }, { team } or { external }",
);

const team = object({
  id: text(),
  displayName: text(),
  extension: extension(),
  ivrKey,
  members: optional(list(member)),
  timeout: optional(duration()),
  nextOfferTimeout: optional(positiveDuration()),
  unanswered: optional(unanswered),
  hidden: optional(flag()),
  /** Changes nothing: every team has a voicemail. Organisations may go on to say so. */
  voicemail: optional(flag()),
});

const device = object({
  id: text(),
  displayName: text(),
  extension: extension(),
  ivrKey,
  sipAddress: optional(text()),
  /** Whether it may dial outside numbers; default true. */
  outboundAllowed: optional(flag()),
});

/** What a location has beside its id. */
export const locationEntries = {
  name: text(),
  address: optional(text()),
  countryIso: optional(text()),
  timezone: optional(timezone()),
};
const location = object({ id: text(), ...locationEntries });

const contact = object({ id: text(), ...contactEntries });

/** What a phonebook has beside its contacts. `id` is free, or a user's e-mail address: that user's personal phonebook. */
export const phonebookEntries = {
  id: text(),
  name: optional(text()),
  countryIso: optional(nullable(text())),
};
const phonebook = object({ ...phonebookEntries, contacts: optional(list(contact)) });

const trunkItem = {
  displayName: text(),
  extension: extension(),
  ivrKey,
  description: optional(nullable(text())),
};

/** What each kind of trunk entry has beside its id. `user` is the service user that a trunk user is associated with. */
export const trunkEntries = {
  device: {
    ...trunkItem,
    location: optional(nullable(text())),
    model: optional(nullable(text())),
    product: optional(nullable(text())),
  },
  queue: trunkItem,
  user: {
    ...trunkItem,
    department: optional(nullable(text())),
    jobTitle: optional(nullable(text())),
    location: optional(nullable(text())),
    manager: optional(nullable(text())),
    user: optional(nullable(text())),
    phoneNumbers: optional(list(e164())),
  },
};

const trunk = object({
  id: text(),
  name: text(),
  devices: optional(list(object({ id: text(), ...trunkEntries.device }))),
  queues: optional(list(object({ id: text(), ...trunkEntries.queue }))),
  users: optional(list(object({ id: text(), ...trunkEntries.user }))),
});

export const organisationSchema = object({
  id: text(),
  name: optional(text()),
  timezone: optional(timezone()),
  features: optional(
    object({
      recording: optional(flag()),
      transcription: optional(flag()),
      analysis: optional(flag()),
      tariff: optional(flag()),
      pbx: optional(flag()),
      /** Leaves `mobile` out of users. */
      excludeEmployeePhoneNumbers: optional(flag()),
    }),
  ),
  numbers: optional(list(object({ number: e164(), owner: text(), sms: optional(flag()) }))),
  users: optional(list(user)),
  teams: optional(list(team)),
  devices: optional(list(device)),
  locations: optional(list(location)),
  phonebooks: optional(list(phonebook)),
  trunks: optional(list(trunk)),
  /** URLs; `readOrganisation` checks that they lead to endpoints that may be asked. */
  dataActions: optional(
    object({
      outboundCall: optional(text()),
      teamCall: optional(text()),
      callInsights: optional(text()),
      inboundConversations: optional(text()),
    }),
  ),
  webhooks: optional(list(createWebhookSchema)),
  tariff: optional(
    object({
      currency: text(),
      routes: list(
        object({
          prefix: v.pipe(v.string(), v.regex(/^\+\d*$/, 'expected the start of a number, such as "+64"')),
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
export type LocationInput = NonNullable<Organisation["locations"]>[number];
export type TrunkInput = NonNullable<Organisation["trunks"]>[number];
export type PhonebookInput = NonNullable<Organisation["phonebooks"]>[number];
export type ContactInput = NonNullable<PhonebookInput["contacts"]>[number];
