import type { RequestOutcome } from "../../network/outcome.ts";
import type { RequestRecord } from "../../records/request.ts";
import type { DataActionName, Said } from "../data-actions/answers.ts";
import {
  type DomainEventReactions,
  type FactReactions,
  onlyIf,
  type Reactions,
  runReactions,
  triggers,
} from "./reaction.ts";

/** What follows from the machines of a webhook. */
export const webhookFactReactions: Pick<FactReactions, "webhook" | "delivery"> = {
  webhook: {
    counted: [(p, { recordId }, { failures }) => p.webhooks.counted(recordId, failures)],
    enabled: [(p, { recordId }) => p.webhooks.enabled(recordId)],
    disabled: [
      (p, { recordId }) => p.webhooks.disabled(recordId),
      triggers(["delivery.attempt", "delivery.dropped"], (p, { recordId }) =>
        p.deliveries.drop(recordId, "disabled"),
      ),
      onlyIf(
        (_p, _of, { by }) => by === "failures",
        (p, { recordId }) => p.notifications.webhookDisabled(p.webhooks.get(recordId)),
      ),
    ],
    removed: [
      (p, { recordId }) => p.webhooks.removed(recordId),
      triggers(["delivery.attempt", "delivery.dropped"], (p, { recordId }) =>
        p.deliveries.drop(recordId, "deleted"),
      ),
    ],
  },
  delivery: {
    attempt: [(p, { recordId }, { number }) => p.deliveries.attemptAgain(recordId, number)],
    delivered: [triggers(["delivered"], (p, { recordId }) => p.deliveries.delivered(recordId))],
    dropped: [(p, { recordId }) => p.deliveries.dropped(recordId)],
    givenUp: [
      // the webhook counts the failure
      triggers(["webhook.counted", "webhook.disabled"], (p, { recordId }, { reason }) =>
        p.webhooks.givenUp(p.deliveries.givenUp(recordId, reason)),
      ),
    ],
  },
};

interface OfRequest {
  readonly request: RequestRecord;
  readonly outcome: RequestOutcome;
}

/** What follows from each answer of a data action; undefined if there is no valid answer. */
const answerReactions: { readonly [A in DataActionName]: Reactions<RequestRecord, Said<A> | undefined> } = {
  outboundCall: [
    triggers(["callerJoined", "offerReady", "call.closed"], (p, { recordId }, said) =>
      p.calls.dataActionAnswered(recordId, said),
    ),
  ],
  teamCall: [
    triggers(["offerReady"], (p, { recordId, context }, said) =>
      p.offering.dataActionAnswered(recordId, context as string, said),
    ),
  ],
  inboundConversations: [
    triggers(["conversation.joined", "messageAdded"], (p, { context }, said) =>
      p.conversations.dataActionAnswered(context as string, said),
    ),
  ],
  callInsights: [
    triggers(["cardsCame"], (p, request, said) => {
      if (said !== undefined) p.dataActions.keepInsights(request, said);
    }),
  ],
};

/** Runs the reactions to the answer of a data action. */
function reactToAnswer<A extends DataActionName>(action: A): Reactions<OfRequest> {
  return [
    (p, { request, outcome }) =>
      runReactions<RequestRecord, Said<A> | undefined>(
        answerReactions[action],
        p,
        request,
        p.dataActions.said(action, request, outcome),
      ),
  ];
}

/** What follows when a request is over, by its purpose. */
const reactionsByPurpose: { readonly [Why in RequestRecord["why"]]: Reactions<OfRequest> } = {
  webhook: [
    triggers(
      ["delivery.attempt", "delivery.delivered", "delivery.givenUp", "delivered"],
      (p, { request, outcome }) => p.deliveries.attempted(request, outcome),
    ),
  ],
  return: [(p, { request }) => p.redirect.posted(request)],
  outboundCall: reactToAnswer("outboundCall"),
  teamCall: reactToAnswer("teamCall"),
  inboundConversations: reactToAnswer("inboundConversations"),
  callInsights: reactToAnswer("callInsights"),
};

/** What follows from events and from requests to endpoints outside. */
export const requestReactions = {
  eventPublished: [
    triggers(["eventLeftOut"], (p, { event }) =>
      p.deliveries.begin(p.webhooks.receiversOf(event.type), event),
    ),
    onlyIf(
      (p) => p.settings.assume.unspecified === "unknownEvent",
      triggers(["eventLeftOut"], (p, { event }) =>
        p.deliveries.beginUnknown(p.webhooks.receiversOf(event.type), event),
      ),
    ),
  ],
  // only tracers use it
  eventLeftOut: [],
  // only tracers use it
  cardsCame: [],
  delivered: [triggers(["webhook.counted"], (p, { webhookId }) => p.webhooks.delivered(webhookId))],
  requestOver: [(p, of) => runReactions(reactionsByPurpose[of.request.why], p, of, undefined)],
} satisfies Partial<DomainEventReactions>;
