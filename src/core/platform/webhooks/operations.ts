import { object } from "../../foundation/input-schemas.ts";
import type { CoreServices } from "../base/core-services.ts";
import { created, done, type Operation, ok, okPage, operationsWith, type Tag } from "../declare/operation.ts";
import { listPage, pagingQuery } from "../declare/paging.ts";
import { defineBody, defineList, nothing, takingBack } from "../declare/wire-schemas.ts";
import { changedWebhookEntries, newWebhookEntries } from "../organisation/webhook.ts";
import { webhookProblems } from "../organisation/webhook-problems.ts";
import { createdWebhook, webhook } from "./record.ts";
import type { Webhooks } from "./webhooks.ts";

export interface Needs extends CoreServices {
  readonly webhooks: Webhooks;
}

const operation = operationsWith<Needs>();

const tag: Tag = { name: "Webhooks", description: "Who is told of which events" };
const params: Operation<Needs>["params"] = {
  id: {
    description: "The webhook's id.",
    example: "webhook-1",
    candidates: ({ webhooks }) => webhooks.table,
  },
};

export const webhookOperations = [
  operation({
    method: "get",
    path: "/webhooks",
    id: "listWebhooks",
    tag,
    summary: "List webhooks, oldest first",
    description:
      "Each with its URL, its types of events and whether it is enabled. The signing secret is not shown again.",
    query: pagingQuery,
    answers: { 200: defineList("webhooks", webhook) },
    handle: (request) => okPage("webhooks", listPage(request, request.platform.webhooks.table)),
  }),
  operation({
    method: "post",
    path: "/webhooks",
    id: "createWebhook",
    tag,
    summary: "Create a webhook",
    description:
      "Only this answer has `signingSecret`, which deliveries are signed with. The URL must be https, at a public host; `*` stands for all events.",
    body: defineBody("NewWebhook", object(newWebhookEntries)),
    check: ({ webhooks }, body) => webhookProblems(webhooks, body),
    commands: ["createWebhook"],
    answers: { 201: createdWebhook },
    example: { body: { url: "https://crm.acme.test/hooks", events: ["call.started", "call.ended"] } },
    handle({ platform, body }) {
      const id = platform.runValidated("createWebhook", body);
      const { webhooks } = platform;
      return created({ ...webhooks.get(id), signingSecret: webhooks.secretOf(id) });
    },
  }),
  operation({
    method: "get",
    path: "/webhooks/{id}",
    id: "getWebhook",
    tag,
    summary: "Read a webhook",
    description:
      "Its URL, its types of events and whether it is enabled. The signing secret is not shown again.",
    params,
    answers: { 200: webhook },
    handle: ({ platform, params: { id = "" } }) => ok(platform.webhooks.get(id)),
  }),
  operation({
    method: "put",
    path: "/webhooks/{id}",
    id: "updateWebhook",
    tag,
    summary: "Change a webhook",
    description:
      "What is left out stays as it is. Disabling drops what is pending; enabling begins the count of failures anew.",
    params,
    body: defineBody("WebhookChanges", takingBack(changedWebhookEntries, webhook)),
    check: ({ webhooks }, body) => webhookProblems(webhooks, body),
    commands: ["updateWebhook"],
    answers: { 200: webhook },
    example: { body: { events: ["*"], description: "Everything" } },
    handle({ platform, params: { id = "" }, body }) {
      platform.runValidated("updateWebhook", { ...body, webhook: id });
      return ok(platform.webhooks.get(id));
    },
  }),
  operation({
    method: "delete",
    path: "/webhooks/{id}",
    id: "deleteWebhook",
    tag,
    summary: "Delete a webhook; what is pending is dropped",
    description: "No further event goes to it, and deliveries that wait for another attempt are not made.",
    params,
    commands: ["removeWebhook"],
    answers: { 200: nothing },
    handle({ platform, params: { id = "" } }) {
      platform.command("removeWebhook", { webhook: id });
      return done;
    },
  }),
];
