import type { JsonSchema } from "@valibot/to-json-schema";
import type { Assumptions } from "../../platform/declare/assumptions.ts";
import type { PlatformEvent } from "../../platform/declare/events.ts";
import { writeEvent } from "../../platform/observed/event.ts";
import { bodyShape } from "../../platform/webhooks/assumed-bodies.ts";

/** The shapes of the profile `observed` in the OpenAPI document: what differs from the documented components. */

type Properties = Record<string, unknown>;

/** How the schema of an object differs: `null` removes a property. Required, unless named in `optional`. */
interface Change {
  readonly properties: Readonly<Record<string, JsonSchema | null>>;
  /** Properties that may be absent. */
  readonly optional?: readonly string[];
}

const text = (description: string): JsonSchema => ({ type: "string", description });
const orNull = (schema: JsonSchema, description: string): JsonSchema => ({
  anyOf: [schema, { type: "null" }],
  description,
});
const nullableText = (description: string) => orNull({ type: "string" }, description);
const makeList = (items: JsonSchema, description: string): JsonSchema => ({
  type: "array",
  items,
  description,
});
const numberOrText = (description: string): JsonSchema =>
  ({ type: ["integer", "string"], description }) as JsonSchema;
const whole = (description: string): JsonSchema => ({ type: "integer", description });
const instant = (description: string): JsonSchema => ({ type: "string", format: "date-time", description });

/** An object with exactly these fields. */
const object = (properties: Record<string, JsonSchema>, description: string): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  description,
});

const extension = numberOrText("The extension: a number, of some entries a text.");
const ivrKeyCode = numberOrText("The key that callers press for this entry in a menu; absent without one.");
const location = nullableText("Where the user works; null if unknown.");
const numbers = makeList(
  object(
    {
      numberE164: text("The number, E.164."),
      numberLocal: text("The number as it is called in its country."),
      numberDisplay: text("The number as it is shown."),
    },
    "A phone number.",
  ),
  "The entry's own phone numbers.",
);
const contactNumbers = makeList(
  object(
    {
      label: nullableText("What the number is called, such as `mobile`; null if unknown."),
      numberRaw: text("The number as it was given."),
      numberE164: nullableText("The number in E.164; null if it could not be read."),
      numberDisplay: text("The number as it is shown."),
    },
    "A phone number of a contact.",
  ),
  "The phone numbers.",
);

const user: Change = {
  properties: {
    extension,
    ivrKey: null,
    ivrKeyCode,
    location,
    phoneNumbers: numbers,
    mobile: nullableText("The mobile number, E.164; null where there is none."),
    teams: makeList({ type: "string" }, "The names of the teams that the user is in."),
  },
  optional: ["ivrKeyCode", "availability"],
};

const trunkEntry: Change = { properties: { ivrKeyCode }, optional: ["ivrKeyCode"] };
const phonebook: Change = {
  properties: { description: nullableText("What the phonebook is for; null if unknown.") },
};
const webhook: Change = {
  properties: {
    mode: { enum: ["production", "test"], type: "string", description: "What the webhook is for." },
  },
};

/** Whether a property of a live call may be absent: it may be null once the call is over. */
const isLater = (schema: unknown): boolean =>
  ((schema as JsonSchema).anyOf ?? []).some((each) => (each as JsonSchema).type === "null");

const changes: Readonly<Record<string, Change>> = {
  EntryReference: { properties: { extension } },
  Availability: {
    properties: {
      timezone: text("The IANA time zone of the user."),
      endAt: orNull(instant("When it ends."), "When this ends, ISO 8601 in UTC; null if unknown."),
      endTimestamp: orNull(
        whole("When it ends."),
        "When this ends, ms since the Unix epoch; null if unknown.",
      ),
    },
  },
  User: user,
  TeamUser: {
    properties: { ...user.properties, priority: null, endpoints: null, hasVoicemail: null },
    optional: user.optional ?? [],
  },
  TeamDevice: {
    properties: { ivrKey: null, ivrKeyCode, priority: null },
    optional: ["ivrKeyCode"],
  },
  Team: { properties: { ivrKey: null, ivrKeyCode, phoneNumbers: numbers }, optional: ["ivrKeyCode"] },
  Device: { properties: { ivrKey: null, ivrKeyCode }, optional: ["ivrKeyCode"] },
  TrunkDevice: trunkEntry,
  TrunkQueue: trunkEntry,
  TrunkUser: trunkEntry,
  Dial: {
    properties: {
      startedAt: null,
      startedTimestamp: null,
      endedAt: null,
      endedTimestamp: null,
      outcome: null,
      dialAt: instant("When it began to ring, ISO 8601 in UTC."),
      dialTimestamp: whole("When it began to ring, ms since the Unix epoch."),
      reason: text("Why the endpoint was rung: `directDial`, `teamOffer` and others."),
    },
  },
  Contact: {
    properties: {
      emailAddresses: null,
      emails: makeList({ type: "string" }, "The e-mail addresses."),
      companyName: nullableText("The company that the contact works for; null if unknown."),
      phonebookId: nullableText("The phonebook that the contact is in; null if it is in none."),
      phoneNumbers: contactNumbers,
    },
  },
  Phonebook: phonebook,
  ListedPhonebook: phonebook,
  Webhook: webhook,
  CreatedWebhook: webhook,
};

interface ObjectSchema {
  properties: Properties;
  required: string[];
}

function change(schema: ObjectSchema, { properties, optional = [] }: Change): void {
  const own = schema.properties;
  for (const [name, replaced] of Object.entries(properties)) {
    if (replaced === null) delete own[name];
    else own[name] = structuredClone(replaced);
  }
  const removed = (name: string) => !Object.hasOwn(own, name) || optional.includes(name);
  const required = [...schema.required, ...Object.keys(properties)];
  schema.required = [...new Set(required)].filter((name) => !removed(name));
}

function changeParty(schema: ObjectSchema, connection: ObjectSchema): void {
  const { type, displayName: _, tariff, ...rest } = schema.properties;
  const connections = structuredClone(connection);
  change(connections, {
    properties: { partyId: null, vendorCallId: text("The vendor's id of the call leg.") },
    optional: ["leftAt", "leftTimestamp"],
  });
  schema.properties = {
    ...rest,
    tariff,
    type: { ...(type as object), enum: ["phone", "user", "device", "voicemail"] },
  };
  change(schema, {
    properties: {
      displayValue: text("The name, as people see it; the number of someone unknown."),
      extension: orNull(numberOrText("The extension."), "The extension; null for someone without one."),
      location,
      connections: makeList(connections as JsonSchema, "When the party was on the bridge."),
    },
    optional: ["location", "tariff"],
  });
}

function changeCall(schema: ObjectSchema): void {
  const own = schema.properties;
  const [assigned] = (own.assignedUser as { anyOf: ObjectSchema[] }).anyOf as [ObjectSchema];
  change(assigned, {
    properties: {
      id: null,
      displayName: null,
      userId: text("The user's id."),
      extension,
      location,
    },
  });
  const [voicemail] = (own.voicemail as { anyOf: ObjectSchema[] }).anyOf as [ObjectSchema];
  change(voicemail, {
    properties: {
      transcriptionConfidence: orNull(
        { type: "number" },
        "How sure the transcription is, up to 1; null without one.",
      ),
    },
  });
  change(schema, {
    properties: {
      connections: null,
      contactNumber: text("The outside party's number; `ANONYMOUS` if it was withheld."),
      initiator: text("The number that called, or the id of the user who dialled; `ANONYMOUS` if withheld."),
      user: structuredClone(own.assignedUser) as JsonSchema,
      assignedContact: orNull(
        object(
          { name: text("The name of the outside party."), phoneNumbers: contactNumbers },
          "The contact who the outside party is.",
        ),
        "The contact who the outside party is; null if unknown.",
      ),
      highlights: makeList({}, "Highlights of the call."),
      forms: makeList({}, "Forms that were filled in about the call."),
    },
  });
  schema.required = schema.required.filter((name) => !isLater(schema.properties[name]));
}

/** The body of an event's example. Nobody in the examples has working hours. */
export function writeExample(event: PlatformEvent, assume: Assumptions): unknown {
  return bodyShape(assume)(writeEvent(event, { availability: { hours: new Map() } }));
}

interface Document {
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
}

/** Gives the schemas of a document the shapes of the profile `observed`. */
export function shapeDocument({ components, webhooks }: Document): void {
  const schemas = components.schemas as Record<string, ObjectSchema>;
  const { EventCall, Call, Party, Recording, ConversationParticipant } = schemas;
  if (EventCall && Call && Party && Recording && ConversationParticipant) {
    const { items } = EventCall.properties.connections as { items: ObjectSchema };
    changeParty(Party, items);
    for (const call of [EventCall, Call]) changeCall(call);
    change(Recording, {
      properties: { recordingUrl: text("Where the recording is, in lists of calls and in single calls.") },
      optional: ["recordingUrl"],
    });
    // a union, which has no properties of its own
    const [participant] = (ConversationParticipant as unknown as { anyOf: ObjectSchema[] }).anyOf;
    if (participant) change(participant, { properties: { location } });
  }
  for (const [name, each] of Object.entries(changes)) {
    const schema = schemas[name];
    if (schema !== undefined) change(schema, each);
  }
  for (const described of Object.values(webhooks)) {
    const { post } = described as {
      post: { requestBody: { content: Record<string, { schema: ObjectSchema }> } };
    };
    for (const { schema } of Object.values(post.requestBody.content))
      change(schema, {
        properties: {
          createdAt: null,
          createdTimestamp: null,
          created: instant("When the event was made, ISO 8601 in UTC."),
          timestamp: whole("When the event was made, ms since the Unix epoch."),
          version: whole("The version of the body."),
        },
      });
  }
}
