import fc from "fast-check";
import type { CommandInput, OrganisationInput, Simulator } from "../../../src/index.ts";
import { passthroughs } from "./beginnings.ts";
import { Move, pickFrom } from "./move.ts";
import { Wait } from "./time.ts";

/** Writing, reading and closing conversations. The model is the simulator itself. */
export type ConversationMove = Move<Simulator>;

const contacts = ["+6421555001", "+6421555002", "+6421555003"] as const;
const [ownNumber, teamNumber] = ["+6495550100", "+6495550200"] as const;
const users = Array.from({ length: 12 }, (_, index) => ({
  id: `user-${index}`,
  email: `user-${index}@example.test`,
  displayName: `User ${index}`,
  extension: String(100 + index),
}));
const emails = [...users.map(({ email }) => email), "nobody@example.test"];

/** More people than a conversation may have. */
export const organisation: OrganisationInput = {
  id: "org",
  users,
  teams: [
    {
      id: "team",
      displayName: "Team",
      extension: "200",
      members: users.slice(2).map(({ id }) => ({ user: id })),
    },
  ],
  numbers: [
    { number: ownNumber, owner: "user-0", sms: true },
    { number: teamNumber, owner: "team", sms: true },
  ],
};

const someContacts = fc.uniqueArray(fc.constantFrom(...contacts), { minLength: 1, maxLength: 3 });
const number = fc.constantFrom(ownNumber, teamNumber);
const channel = fc.constantFrom(undefined, "sms" as const, "whatsApp" as const);
/** The optional arguments of every message to contacts. */
const options = {
  passthroughParameters: passthroughs as fc.Arbitrary<CommandInput<"sendMessage">["passthroughParameters"]>,
  closeTimer: fc.option(fc.constantFrom("PT600S", "PT601S", "P1D", "P180D", "PT599S"), { nil: undefined }),
};

class Send extends Move<Simulator, CommandInput<"sendConversationMessage">> {
  static readonly drawn = fc
    .record({
      companyAddress: number,
      contactAddresses: someContacts,
      messageContent: fc.record({ text: fc.constantFrom("Hello", "Hi") }),
      channel,
      routingAction: fc.constantFrom(
        ...([undefined, "assign_users", "assign_owner", "assign_owner", "do_not_route"] as const),
      ),
      assignUsers: fc.option(fc.array(fc.constantFrom(...emails), { maxLength: 4 }), { nil: undefined }),
      notificationMode: fc.constantFrom(undefined, "silent_unread" as const, "silent_read" as const),
      ...options,
    })
    .map((each) => new Send(each));

  run(_: Simulator, { conversations }: Simulator): void {
    conversations.send(this.given);
  }
}

class SendMessage extends Move<Simulator, CommandInput<"sendMessage">> {
  static readonly drawn = fc
    .record({
      from: fc.constantFrom(ownNumber, "user-0", "user-1"),
      to: fc.constantFrom(...contacts),
      body: fc.constant("Hello"),
      ...options,
    })
    .map((each) => new SendMessage(each));

  run(_: Simulator, { conversations }: Simulator): void {
    conversations.sendMessage(this.given);
  }
}

class SendForTeam extends Move<Simulator, CommandInput<"sendTeamMessage">> {
  static readonly drawn = fc
    .record({
      companyAddress: number,
      contactAddresses: someContacts,
      channel: fc.constant("sms" as const),
      messageContent: fc.constant({ text: "Hello" }),
      ...options,
    })
    .map((each) => new SendForTeam(each));

  run(_: Simulator, { conversations }: Simulator): void {
    conversations.sendTeamMessage(this.given);
  }
}

class Receive extends Move<
  Simulator,
  { to: string; from: readonly string[]; channel: "sms" | "whatsApp" | undefined }
> {
  static readonly drawn = fc
    .record({ to: number, from: someContacts, channel })
    .map((each) => new Receive(each));

  run(_: Simulator, { conversations }: Simulator): void {
    const { to, channel } = this.given;
    const [from = "", ...others] = this.given.from;
    conversations.receive({ from, others, to, text: "Hi", channel });
  }
}

/** A move on one of the existing conversations. */
abstract class OnOne extends Move<Simulator, { pick: number }> {
  protected pickedFrom({ conversations }: Simulator): string {
    return pickFrom(conversations.list(), this.given.pick)?.id ?? "conversation-1";
  }
}

const pick = fc.record({ pick: fc.nat({ max: 100 }) });

class Close extends OnOne {
  static readonly drawn = pick.map((each) => new Close(each));

  run(_: Simulator, sim: Simulator): void {
    sim.conversations.close(this.pickedFrom(sim));
  }
}

class Read extends OnOne {
  static readonly drawn = pick.map((each) => new Read(each));

  run(_: Simulator, sim: Simulator): void {
    sim.conversations.read(this.pickedFrom(sim), "user-0");
  }
}

class AssignSomebody extends OnOne {
  static readonly drawn = pick.map((each) => new AssignSomebody(each));

  run(_: Simulator, sim: Simulator): void {
    const contact = { name: "Somebody", phoneNumbers: [contacts[0]] };
    sim.conversations.assignContact(this.pickedFrom(sim), contact);
  }
}

class OneStep extends Move<Simulator> {
  run(_: Simulator, sim: Simulator): void {
    sim.step();
  }
}

const sending = [Send.drawn, SendMessage.drawn, SendForTeam.drawn];
const acting = fc.oneof(Close.drawn, AssignSomebody.drawn, Read.drawn);
const waiting = fc.oneof(
  Wait.drawn(0, 1, 500, 1_000, 599_999, 600_000, 600_001, 86_400_000),
  fc.constant(new OneStep({})),
);

export const moves: fc.Arbitrary<ConversationMove[]> = fc.array(
  fc.oneof<fc.Arbitrary<ConversationMove>[]>(...sending, Receive.drawn, Receive.drawn, acting, waiting),
  { maxLength: 40, size: "max" },
);
