import type { RingFact } from "../../../machines/index.ts";
import type { DomainEvents, MachineName, MachineTypes } from "../platform/base/machine-types.ts";
import type { Services } from "../platform/catalogue/services.ts";
import { cardsText } from "../platform/data-actions/cards.ts";
import { type ActorReference, type Sentence, thePlatform } from "../platform/declare/description.ts";
import { counted } from "../platform/declare/words.ts";
import type { Ring } from "../platform/live/live-calls.ts";
import { ringingEndpoints } from "../platform/live/parties.ts";
import type { RowKind } from "./rows.ts";

/** What a fact of a machine says to whoever follows a run. Like all narration it must not throw. */
export interface FactDescription {
  readonly who: ActorReference;
  /** The call that it is about. */
  readonly call?: string;
  readonly kind: Extract<RowKind, "caller" | "voicemail" | "timer" | "command" | "failed" | "cards">;
  readonly sentence: Sentence;
}

type Tell<About, Fact> = { tell(p: Services, about: About, fact: Fact): FactDescription | undefined }["tell"];
/** Each fact is told, or declared to show in what follows from it. One without either does not compile. */
export type FactDescriptions = {
  readonly [R in MachineName]: {
    readonly [T in MachineTypes[R]["fact"]["type"]]:
      | Tell<MachineTypes[R]["about"], Extract<MachineTypes[R]["fact"], { readonly type: T }>>
      | "shows otherwise";
  };
};
const shown = "shows otherwise";

const caller = (call: string): Pick<FactDescription, "who" | "call"> => ({
  who: { is: "party", call, by: "caller" },
  call,
});

/** Where an unanswered call returns to, in words. */
const returnTexts = {
  flow: "the flow",
  taskQueue: "the task queue",
  application: "the application",
} as const;

const tellings: FactDescriptions = {
  call: {
    offered: shown,
    answered: shown,
    joined: shown,
    left: shown,
    notAnswered: shown,
    closed: shown,
    sentToVoicemail: (p, { recordId }) => {
      const owner = p.live.get(recordId)?.voicemail?.owner.id ?? "";
      const sentence = { verb: "hears the greeting of", mention: { voicemailOf: owner } };
      return { ...caller(recordId), kind: "voicemail", sentence };
    },
  },
  // the phones say it: see `phonesOf`
  ring: { began: shown, silenced: shown, answered: shown, stopped: shown },
  teamOffer: {
    choose: shown,
    tierOver: shown,
    over: shown,
    waits: (p, { recordId }) => {
      const team = p.live.get(recordId)?.group ?? null;
      if (team === null) return undefined;
      const verb = `waits in the queue of ${team.displayName}`;
      return {
        ...caller(recordId),
        kind: "timer",
        sentence: { verb, aside: "nobody of the team can be rung" },
      };
    },
  },
  availability: { settled: shown },
  voicemail: {
    tone: (_p, { recordId }) => ({
      ...caller(recordId),
      kind: "caller",
      sentence: { verb: "hears the tone" },
    }),
    // a hang-up of the caller's own shows that they left
    over: (_p, { recordId }, { by }) =>
      by === "limit" || by === "silence"
        ? { ...caller(recordId), kind: "caller", sentence: { verb: "is hung up on" } }
        : undefined,
  },
  redirectReturn: {
    // the request to the endpoint has a row of its own
    post: shown,
    returned: (_p, { recordId, returnTo: { to, id } }) =>
      to === "postEndpoint"
        ? undefined
        : {
            ...caller(recordId),
            kind: "command",
            sentence: { verb: `goes back to ${returnTexts[to]} ${id}` },
          },
  },
  conversation: { inactive: shown, closed: shown },
  analysis: { completed: shown },
  webhook: {
    counted: shown,
    enabled: shown,
    removed: shown,
    disabled: (p, { recordId: id }, { by }) => {
      if (by === "hand") return undefined;
      const failures = p.webhooks.find(id)?.consecutiveFailures ?? 0;
      const verb = `is disabled after ${counted(failures, "failure")} in a row`;
      return { who: { is: "webhook", id }, kind: "failed", sentence: { verb } };
    },
  },
  delivery: {
    attempt: shown,
    delivered: shown,
    dropped: (p, { recordId }) => failed(p, recordId, "is dropped", undefined, "its webhook is off"),
    givenUp: (p, { recordId }, { reason }) =>
      failed(
        p,
        recordId,
        "is given up",
        reason,
        reason === "rejected" ? "the answer says not to try again" : "no attempt is left",
      ),
  },
};

function failed(
  p: Services,
  id: string,
  verb: string,
  given: string | undefined,
  aside: string,
): FactDescription | undefined {
  const delivery = p.deliveries.find(id);
  if (delivery === undefined) return undefined;
  const { event, reason, webhookId } = delivery;
  const sentence = { subject: event.type, verb, why: given ?? reason ?? undefined, aside };
  return { who: { is: "webhook", id: webhookId }, kind: "failed", sentence };
}

/** What a fact says; undefined if it shows in what follows from it. */
export function factDescription<R extends MachineName>(
  p: Services,
  role: R,
  about: MachineTypes[R]["about"],
  fact: MachineTypes[R]["fact"],
): FactDescription | undefined {
  const byType: Readonly<
    Record<string, Tell<MachineTypes[R]["about"], MachineTypes[R]["fact"]> | typeof shown>
  > = tellings[role];
  const tell = byType[fact.type];
  return typeof tell === "function" ? tell(p, about, fact) : undefined;
}

/** Tells that cards about a call come to a user. */
export function cardsDescription({ insights, userId }: DomainEvents["cardsCame"]): FactDescription {
  const { callId: call, cards, problems } = insights;
  const told = { detail: cardsText(cards), why: problems.join("; ") || undefined };
  if (userId === null)
    return {
      who: thePlatform(),
      call,
      kind: "cards",
      sentence: { verb: "keeps", ...told, aside: "nobody is rung" },
    };
  return { who: { is: "person", name: userId }, call, kind: "cards", sentence: { verb: "sees", ...told } };
}

/** What each phone of a ring does with a fact of it. Asked before the fact is acted on. */
export function phonesOf(
  p: Services,
  { callId, partyId }: Ring,
  fact: RingFact,
): { readonly endpoint: string; readonly does: string }[] {
  const party = p.tables.calls.get(callId)?.parties.find(({ id }) => id === partyId);
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
