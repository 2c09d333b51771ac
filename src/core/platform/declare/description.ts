/**
 * Who does something and what they do, for timelines and pages. Both are plain data, made from a command's arguments
 * alone, so that describing a command cannot fail, and each page and timeline names people in its own way.
 */

/** Who does something. */
export type ActorReference =
  | { readonly is: "platform" }
  /** Someone outside by their number, or a user or a device by any of their names. */
  | { readonly is: "person"; readonly name: string }
  /** An outside number that calls or writes to a number of the organisation, whose owner may have it in a phonebook. */
  | { readonly is: "outsider"; readonly number: string; readonly ownNumber: string }
  /** The owner of a number of the organisation; if nobody owns it, the person of that name. */
  | { readonly is: "owner"; readonly number: string }
  /** A party of a call, as commands name them: `caller`, `callee`, a number or a user's id. */
  | { readonly is: "party"; readonly call: string; readonly party: string }
  | { readonly is: "host"; readonly url: string; readonly isWebhook: boolean }
  | { readonly is: "webhook"; readonly id: string }
  /** A client of the REST API. */
  | { readonly is: "client"; readonly id: string };

/** Whom or what a sentence mentions. Pages and timelines choose the name. */
export type Mention =
  /** One of the organisation's numbers, and whose it is. */
  | { readonly number: string }
  /** Whom someone calls: an outside number, or an extension and whose it is. */
  | { readonly called: string }
  /** A user, a team, a device or a trunk's entry, by id, e-mail address, extension or number; or an outside number. */
  | { readonly entry: string; readonly trunk?: string | undefined }
  | { readonly location: string }
  | { readonly trunk: string }
  /** A phonebook, by its id or its user's e-mail address. `name` is that of one that may be new. */
  | { readonly phonebook: string; readonly name?: string | undefined }
  /** A contact, by its id: of a phonebook, or as a user or the users of a conversation see it. */
  | {
      readonly contact: string;
      readonly holder:
        | { readonly phonebook: string }
        | { readonly user: string }
        | { readonly conversation: string };
    }
  /** What remains of a call, by its id. */
  | { readonly recording: string }
  | { readonly transcript: string }
  | { readonly analysis: string }
  /** A message that is sent from a number of the organisation. */
  | { readonly messageFrom: string }
  /** Outside numbers. */
  | { readonly people: readonly string[] }
  /** A conversation, by its id or the vendor's: whom it is with. */
  | { readonly conversation: string }
  /** The first endpoint on which someone rings. */
  | { readonly ringing: { readonly call: string; readonly party: string } }
  /** The voicemail of a user or a team, by id. */
  | { readonly voicemailOf: string };

/** The kind of a sentence that is more than a command. */
export type SentenceKind = "answer" | "voicemail" | "message" | "rest";

/**
 * What someone does, in parts. A line of text has them in this order, all but the aside: `calls +6495550100 (Alice Ng,
 * 101)`, `writes to Jane by whatsapp: "Hello" and 1 attachment`, `asks GET /calls: 429 (fault)`.
 */
export interface Sentence {
  /** Default: a command like any other. */
  readonly kind?: SentenceKind;
  /** The grammatical subject, if it is not the actor: `the recording`. */
  readonly subject?: string | Mention;
  readonly verb: string;
  readonly mention?: Mention;
  readonly detail?: string;
  /** What they say. It is drawn in quotes. */
  readonly said?: string | undefined;
  /** How many attachments a message has. */
  readonly attachments?: number;
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** Why it is that status. */
  readonly why?: string | undefined;
  /** How much later the answer comes, ms. */
  readonly laterMs?: number | undefined;
  /** What only a page has room for. */
  readonly aside?: string | undefined;
}

/** What someone does: all of it as text, or a sentence in parts. */
export type Description = string | Sentence;

export const thePlatform = (): ActorReference => ({ is: "platform" });
export const theUser = ({ user }: { readonly user: string }): ActorReference => ({
  is: "person",
  name: user,
});
export const whoeverBy = ({ by }: { readonly by: string }): ActorReference => ({ is: "person", name: by });
export const whoeverFrom = ({ from }: { readonly from: string }): ActorReference => ({
  is: "person",
  name: from,
});
export const theOwnerFrom = ({ from }: { readonly from: string }): ActorReference => ({
  is: "owner",
  number: from,
});
export const theOutsider = ({
  from,
  to,
}: {
  readonly from: string;
  readonly to: string;
}): ActorReference => ({
  is: "outsider",
  number: from,
  ownNumber: to,
});
/** Whoever gives a command on a call; the caller if it names nobody. */
export const theParty = ({
  call,
  by = "caller",
}: {
  readonly call: string;
  readonly by?: string;
}): ActorReference => ({
  is: "party",
  call,
  party: by,
});
export const theHost = ({ url }: { readonly url: string }): ActorReference => ({
  is: "host",
  url,
  isWebhook: false,
});
export const theNewWebhook = ({ url }: { readonly url: string }): ActorReference => ({
  is: "host",
  url,
  isWebhook: true,
});
export const theWebhook = ({ webhook }: { readonly webhook: string }): ActorReference => ({
  is: "webhook",
  id: webhook,
});
export const theClient = ({ client }: { readonly client: string }): ActorReference => ({
  is: "client",
  id: client,
});
export const theClientBy = ({
  by = "an unknown client",
}: {
  readonly by?: string | undefined;
}): ActorReference => ({
  is: "client",
  id: by,
});
