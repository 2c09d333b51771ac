import { connectedUserWho } from "../guards/call-guards.ts";

/** A connected user who may transfer a call. They may add to it too. */
export const canTransfer = connectedUserWho("TRANSFER");
