import type {
  ContactRecord,
  ConversationRecord,
  MessageRecord,
  PublicCallRecord,
  TeamRecord,
  UserRecord,
} from "../../core/generated/records.ts";

/** A record with any field missing or null, as captured bodies may be. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> | null | undefined }
    : T;

/** A participant of a conversation, a member of a team, or a reference to either. */
export interface PartialPerson {
  readonly type?: string | null;
  readonly id?: string | null;
  readonly displayName?: string | null;
  readonly email?: string | null;
  readonly phoneNumber?: string | null;
  readonly extension?: string | null;
  readonly unreadCount?: number | null;
  readonly location?: PartialUser["location"];
}

export type PartialCall = DeepPartial<PublicCallRecord>;
export type PartialParty = NonNullable<PartialCall["parties"]>[number];
export type PartialUser = DeepPartial<UserRecord>;
export type PartialContact = DeepPartial<ContactRecord>;
export type PartialMessage = Omit<DeepPartial<MessageRecord>, "author"> & {
  readonly author?: PartialPerson | null;
};
export type PartialConversation = Omit<
  DeepPartial<ConversationRecord>,
  "participants" | "messages" | "initiatedBy" | "companyNumberOwner"
> & {
  readonly participants?: readonly PartialPerson[] | null;
  readonly messages?: readonly PartialMessage[] | null;
  readonly initiatedBy?: PartialPerson | null;
  readonly companyNumberOwner?: PartialPerson | null;
};
/** A user or a device in a team. */
export type PartialMember = PartialUser & {
  readonly priority?: number | null;
  readonly sipAddress?: string | null;
};
export type PartialTeam = Omit<DeepPartial<TeamRecord>, "teamMembers"> & {
  readonly teamMembers?: readonly PartialMember[] | null;
};

/** The data of an event. */
export interface PartialEventData {
  readonly call?: PartialCall | null;
  readonly party?: PartialParty | null;
  readonly user?: PartialUser | null;
  readonly team?: PartialTeam | null;
  readonly conversation?: PartialConversation | null;
  readonly message?: PartialMessage | null;
  readonly contact?: PartialContact | null;
  readonly participants?: readonly PartialPerson[] | null;
}

/** The items of a list that may be missing. */
export function listOrEmpty<T>(list: readonly T[] | null | undefined): readonly T[] {
  return list ?? [];
}

/** Whether a value is neither null nor undefined. */
export function isThere<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
