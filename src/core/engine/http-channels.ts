import { nodeModule } from "../foundation/node-module.ts";
import { ownProcess } from "../foundation/real-functions.ts";

/** The channels on which Node and undici tell of requests: that `fetch` or `http` sends one, and that a server has answered one. */
const channelNames = {
  fetched: "undici:request:create",
  written: "undici:client:sendHeaders",
  completed: "undici:request:trailers",
  failed: "undici:request:error",
  sent: "http.client.request.start",
  answered: "http.server.response.finish",
} as const;

interface Channels {
  channel(name: string): object;
  subscribe(name: string, listener: (message: unknown) => void): void;
  unsubscribe(name: string, listener: (message: unknown) => void): void;
}

/** Under this key, Node's process holds the channels. */
const held = (name: string) => Symbol.for(`ringback.channel ${name}`);

let areHeld = false;

/**
 * Keeps the channels from the garbage collector. Node 20 forgets one that nobody holds, and some time later by mistake also
 * the one that was made in its place: who publishes there and who listens would then have one each.
 */
function holdChannels(channels: Channels): void {
  if (areHeld) return;
  areHeld = true;
  const process = ownProcess<Record<symbol, object | undefined>>();
  if (process === undefined) return;
  // each alone: a list would be of this copy, of which Jest has one for each file
  for (const name of Object.values(channelNames)) process[held(name)] ??= channels.channel(name);
}

/**
 * Listens to the requests of this process over HTTP.
 * @param listener told of each request, as Node has it, and of the connection to which it is written
 * @returns a function that ends it
 */
export function onHttp<R>(
  what: keyof typeof channelNames,
  listener: (request: R, socket?: unknown) => void,
): () => void {
  const channels = nodeModule<Channels>("node:diagnostics_channel");
  if (channels === undefined) return () => {};
  holdChannels(channels);
  const name = channelNames[what];
  const read = (message: unknown) => {
    const { request, socket } = message as { readonly request: R; readonly socket?: unknown };
    listener(request, socket);
  };
  channels.subscribe(name, read);
  return () => channels.unsubscribe(name, read);
}

/**
 * Listens for the answer of a server of this process to a request that the platform sent it.
 * @param headers those of the request: who passes it on to a port keeps them
 * @returns a function that ends it
 */
export function onReply(headers: Readonly<Record<string, string>>, listener: () => void): () => void {
  const names = Object.keys(headers).filter((name) => name !== "content-type");
  if (names.length === 0) return () => {};
  return onHttp("answered", (request: { readonly headers: Readonly<Record<string, unknown>> }) => {
    if (names.every((name) => request.headers[name] === headers[name])) listener();
  });
}
