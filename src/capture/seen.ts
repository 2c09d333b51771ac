import type {
  ContactRecord,
  ConversationRecord,
  MessageRecord,
  PublicCallRecord,
  TeamRecord,
  UserRecord,
} from "../core/generated/records.ts";

/** A record of which any field may be missing, as bodies of captures are. */
export type Seen<T> = T extends readonly (infer Item)[]
  ? readonly Seen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Seen<T[Key]> | null | undefined }
    : T;

/** Someone in a conversation, in a team, or behind a reference. */
export interface SeenPerson {
  readonly type?: string | null;
  readonly id?: string | null;
  readonly displayName?: string | null;
  readonly email?: string | null;
  readonly phoneNumber?: string | null;
  readonly extension?: string | null;
  readonly unreadCount?: number | null;
  readonly location?: SeenUser["location"];
}

export type SeenCall = Seen<PublicCallRecord>;
export type SeenParty = NonNullable<SeenCall["parties"]>[number];
export type SeenUser = Seen<UserRecord>;
export type SeenContact = Seen<ContactRecord>;
export type SeenMessage = Omit<Seen<MessageRecord>, "author"> & { readonly author?: SeenPerson | null };
export type SeenConversation = Omit<
  Seen<ConversationRecord>,
  "participants" | "messages" | "initiatedBy" | "companyNumberOwner"
> & {
  readonly participants?: readonly SeenPerson[] | null;
  readonly messages?: readonly SeenMessage[] | null;
  readonly initiatedBy?: SeenPerson | null;
  readonly companyNumberOwner?: SeenPerson | null;
};
/** A user or a device in a team. */
export type SeenMember = SeenUser & {
  readonly priority?: number | null;
  readonly sipAddress?: string | null;
};
export type SeenTeam = Omit<Seen<TeamRecord>, "teamMembers"> & {
  readonly teamMembers?: readonly SeenMember[] | null;
};

/** What the data of an event may have. */
export interface SeenData {
  readonly call?: SeenCall | null;
  readonly party?: SeenParty | null;
  readonly user?: SeenUser | null;
  readonly team?: SeenTeam | null;
  readonly conversation?: SeenConversation | null;
  readonly message?: SeenMessage | null;
  readonly contact?: SeenContact | null;
  readonly participants?: readonly SeenPerson[] | null;
}

/** The items of a list that may be missing. */
export function listOf<T>(list: readonly T[] | null | undefined): readonly T[] {
  return list ?? [];
}

/** Whether a value is there. */
export function isThere<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
