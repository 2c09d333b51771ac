import { nodeModule } from "../foundation/node-module.ts";
import { callBefore } from "./call-before.ts";
import { mayAsk } from "./whose-code.ts";

type Sent = (unseen?: string) => void;

let isWrapped = false;

/**
 * Follows what is sent over ports of messages and by UDP, and connections that close, of which no hook tells. Their methods stay
 * wrapped.
 * @param sent called when something is; told what that leads to, if it leaves this thread
 */
export function wrapChannels(sent: Sent): void {
  if (isWrapped) return;
  isWrapped = true;
  const threads =
    nodeModule<Record<"MessagePort" | "BroadcastChannel", { prototype: object }>>("node:worker_threads");
  const dgram = nodeModule<{ Socket: { prototype: object } }>("node:dgram");
  const net = nodeModule<Record<"Socket" | "Server", { prototype: object }>>("node:net");
  if (threads === undefined || dgram === undefined || net === undefined) return;
  const { MessagePort, BroadcastChannel } = threads;
  callBefore(MessagePort, "postMessage", (_, message, transfer) =>
    sent(hasPort(message, transfer, MessagePort) ? "a MessagePort that it gave away" : undefined),
  );
  callBefore(BroadcastChannel, "postMessage", () => sent("a BroadcastChannel"));
  callBefore(dgram.Socket, "send", () => {
    mayAsk("a UDP socket", "other");
    sent();
  });
  // what waits for `close` hears of it in a later turn
  for (const name of ["_final", "_destroy"]) callBefore(net.Socket, name, () => sent());
  callBefore(net.Server, "close", () => sent());
}

/** The ports that Node gives each thread, with the message by which it starts it. They are internal. */
interface ThreadStart {
  readonly publicPort?: unknown;
  readonly mainThreadPort?: unknown;
}

/** Whether a port of the app goes with a message: its other end is then in another thread, mostly. */
function hasPort(message: unknown, given: unknown, MessagePort: object): boolean {
  const transfer = (given as { readonly transfer?: unknown } | null | undefined)?.transfer ?? given;
  const { publicPort, mainThreadPort } = (message ?? {}) as ThreadStart;
  const isPort = (each: unknown) => each instanceof (MessagePort as new () => object);
  return (
    Array.isArray(transfer) &&
    transfer.some((each) => isPort(each) && each !== publicPort && each !== mainThreadPort)
  );
}
