/** Someone who takes part in a call or a conversation: a user, or someone outside. */
export type Participant =
  | { readonly type: "user"; readonly id: string; readonly displayName: string; readonly email: string }
  | { readonly type: "external"; readonly phoneNumber: string; readonly displayName: string };
