/** The most contacts and users that a conversation has. Rules: docs/fidelity/conversations.md#who-takes-part. */
export const MAX_PARTICIPANTS = 10;
