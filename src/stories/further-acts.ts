import { possibleCommands } from "../core/platform/catalogue/possible-commands.ts";
import type { Act, ActCommand, Scene } from "./acts.ts";

/**
 * What else may happen, which no story of an exploration has: one of several phones declines, a message is cut off, an
 * administrator suspends a user, a user wraps up, a flow takes a call back, somebody outside writes, a conversation is
 * closed.
 */
export function furtherActs({ simulator, actors: { users, outsider } }: Scene): Act[] {
  const { directory } = simulator.services;
  const sms = directory.numbers.find((number) => directory.isMessagingNumber(number));
  const live = simulator.conversations.list().filter(({ closedAt }) => closedAt === null);
  return [
    ...possibleCommands(simulator.services, ["decline"]).map(({ name, args }) =>
      act(String(args.by), name, args),
    ),
    ...possibleCommands(simulator.services, ["leaveVoicemail"]).map(({ name, args }) =>
      act("caller", name, { ...args, duration: "PT4M" }),
    ),
    ...users.flatMap((user) => {
      const { status } = simulator.users.get(user).record;
      return [
        act(user, "setUserStatus", { user, status: status === "active" ? "suspended" : "active" }),
        act(user, "wrapUp", { user, for: "PT30S" }),
      ];
    }),
    ...simulator.calls
      .list()
      .map(({ id }) => act("caller", "takeBackCall", { call: id, redirect: { extension: "102" } })),
    ...(sms === undefined
      ? []
      : [act(outsider, "receiveMessage", { from: outsider, to: sms, text: "Hello" })]),
    ...live.map(({ id }) => act("platform", "closeConversation", { conversation: id })),
  ];
}

function act(who: string, name: ActCommand["name"], args: ActCommand["args"]): Act {
  return { who, commands: [{ name, args }] };
}
