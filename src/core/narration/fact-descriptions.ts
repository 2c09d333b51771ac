import type { RingFact } from "../../../machines/ring.ts";
import type { DomainEvents, MachineName, MachineTypes } from "../platform/base/machine-types.ts";
import type { Services } from "../platform/catalogue/services.ts";
import { cardsText } from "../platform/data-actions/cards.ts";
import { type ActorReference, type Sentence, thePlatform } from "../platform/declare/description.ts";
import { counted } from "../platform/declare/words.ts";
import { ringingEndpoints } from "../platform/live/parties.ts";
import type { Ring } from "../platform/parts/calls.ts";
import type { ToldMachine } from "../platform/parts/define-part.ts";
import type { ownMachines } from "../platform/parts/parts.ts";
import type { RowKind } from "./rows.ts";

/** A machine's fact as a row. Like all narration, code that makes it must not throw. */
export interface FactDescription {
  readonly who: ActorReference;
  /** The call that it is about. */
  readonly call?: string;
  readonly kind: Extract<RowKind, "caller" | "voicemail" | "timer" | "command" | "failed" | "cards">;
  readonly sentence: Sentence;
}

type DescribeFact<About, Fact> = {
  describe(services: Services, about: About, fact: Fact): FactDescription | undefined;
}["describe"];
type Descriptions<R extends MachineName> = {
  readonly [T in MachineTypes[R]["fact"]["type"]]:
    | DescribeFact<MachineTypes[R]["about"], Extract<MachineTypes[R]["fact"], { readonly type: T }>>
    | "shown elsewhere";
};
/**
 * Each fact has a description, or declares that its effects show it. One with neither does not compile, unless its machine's
 * part says so of all its facts.
 */
export type FactDescriptions = { readonly [R in Told]: Descriptions<R> } & {
  readonly [R in Exclude<MachineName, Told>]?: Partial<Descriptions<R>>;
};
type Told = ToldMachine<typeof ownMachines>;
const elsewhere = "shown elsewhere";

const byCaller = (call: string): Pick<FactDescription, "who" | "call"> => ({
  who: { is: "party", call, party: "caller" },
  call,
});

/** Where an unanswered call returns to, in words. */
const returnTexts = {
  flow: "the flow",
  taskQueue: "the task queue",
  application: "the application",
} as const;

const factDescriptions: FactDescriptions = {
  call: {
    sentToVoicemail: (services, { recordId }) => {
      const owner = services.live.get(recordId)?.voicemail?.owner.id ?? "";
      const sentence = { verb: "hears the greeting of", mention: { voicemailOf: owner } };
      return { ...byCaller(recordId), kind: "voicemail", sentence };
    },
  },
  teamOffer: {
    choose: elsewhere,
    tierOver: elsewhere,
    over: elsewhere,
    waits: (services, { recordId }) => {
      const team = services.live.get(recordId)?.group ?? null;
      if (team === null) return undefined;
      const verb = `waits in the queue of ${team.displayName}`;
      return {
        ...byCaller(recordId),
        kind: "timer",
        sentence: { verb, aside: "nobody of the team can be rung" },
      };
    },
  },
  voicemail: {
    tone: (_p, { recordId }) => ({
      ...byCaller(recordId),
      kind: "caller",
      sentence: { verb: "hears the tone" },
    }),
    // the caller's own hang-up has a row already
    over: (_p, { recordId }, { by }) =>
      by === "limit" || by === "silence"
        ? { ...byCaller(recordId), kind: "caller", sentence: { verb: "is hung up on" } }
        : undefined,
  },
  redirectReturn: {
    // the request to the endpoint has a row of its own
    post: elsewhere,
    returned: (_p, { recordId, returnTo: { to, id } }) =>
      to === "postEndpoint"
        ? undefined
        : {
            ...byCaller(recordId),
            kind: "command",
            sentence: { verb: `goes back to ${returnTexts[to]} ${id}` },
          },
  },
  webhook: {
    counted: elsewhere,
    enabled: elsewhere,
    removed: elsewhere,
    disabled: (services, { recordId: id }, { by }) => {
      if (by === "hand") return undefined;
      const failures = services.webhooks.find(id)?.consecutiveFailures ?? 0;
      const verb = `is disabled after ${counted(failures, "failure")} in a row`;
      return { who: { is: "webhook", id }, kind: "failed", sentence: { verb } };
    },
  },
  delivery: {
    attempt: elsewhere,
    delivered: elsewhere,
    dropped: (services, { recordId }) =>
      failureDescription(services, recordId, "is dropped", undefined, "its webhook is off"),
    givenUp: (services, { recordId }, { reason }) =>
      failureDescription(
        services,
        recordId,
        "is given up",
        reason,
        reason === "rejected" ? "the answer says not to try again" : "no attempt is left",
      ),
  },
};

function failureDescription(
  services: Services,
  id: string,
  verb: string,
  given: string | undefined,
  aside: string,
): FactDescription | undefined {
  const delivery = services.deliveries.find(id);
  if (delivery === undefined) return undefined;
  const { event, reason, webhookId } = delivery;
  const sentence = { subject: event.type, verb, why: given ?? reason ?? undefined, aside };
  return { who: { is: "webhook", id: webhookId }, kind: "failed", sentence };
}

/** The description of a fact; undefined if its effects show it. */
export function factDescription<R extends MachineName>(
  services: Services,
  machine: R,
  about: MachineTypes[R]["about"],
  fact: MachineTypes[R]["fact"],
): FactDescription | undefined {
  const byMachine: {
    readonly [Name in MachineName]?: Readonly<
      Record<string, DescribeFact<MachineTypes[Name]["about"], MachineTypes[Name]["fact"]> | typeof elsewhere>
    >;
  } = factDescriptions;
  const describe = byMachine[machine]?.[fact.type];
  return typeof describe === "function" ? describe(services, about, fact) : undefined;
}

/** Describes the cards about a call that come to a user. */
export function cardsDescription({ insights, userId }: DomainEvents["cardsCame"]): FactDescription {
  const { callId: call, cards, problems } = insights;
  const content = { detail: cardsText(cards), why: problems.join("; ") || undefined };
  if (userId === null)
    return {
      who: thePlatform(),
      call,
      kind: "cards",
      sentence: { verb: "keeps", ...content, aside: "nobody is rung" },
    };
  return { who: { is: "person", name: userId }, call, kind: "cards", sentence: { verb: "sees", ...content } };
}

/** Describes that the target of a transfer or an addition cannot be rung. */
export function unreachableDescription({
  targetId,
  why,
}: DomainEvents["targetUnreachable"]): FactDescription {
  const sentence = { verb: `is ${why}`, aside: "and so is not rung" };
  return { who: { is: "person", name: targetId }, kind: "failed", sentence };
}

/** Describes that the dialect leaves an event out. */
export function leftOutDescription({ event }: DomainEvents["eventLeftOut"]): FactDescription {
  const sentence = { verb: `sends no ${event.type}`, why: "the dialect leaves it out" };
  return { who: thePlatform(), kind: "timer", sentence };
}

/** What each phone of a ring does at one of its facts. Called before the platform reacts to the fact. */
export function readPhones(
  services: Services,
  { callId, partyId }: Ring,
  fact: RingFact,
): { readonly endpoint: string; readonly does: string }[] {
  const party = services.tables.calls.get(callId)?.parties.find(({ id }) => id === partyId);
  const ringing = party === undefined ? [] : ringingEndpoints(party);
  switch (fact.type) {
    case "began":
      return ringing.map((endpoint) => ({ endpoint, does: "rings" }));
    case "silenced":
      return [{ endpoint: fact.endpoint, does: fact.outcome }];
    case "stopped":
      return ringing.map((endpoint) => ({ endpoint, does: fact.outcome }));
    case "answered":
      return ringing.map((endpoint) => ({
        endpoint,
        does: endpoint === fact.endpoint ? "answered" : "answeredElsewhere",
      }));
  }
}
