import { counted } from "../../core/platform/declare/words.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { isSuccess } from "./platform-acts.ts";
import { addressOf, typeOf } from "./webhook-requests.ts";
import { type Attachment, isPlain, type World } from "./world.ts";

/** Webhooks that send the same events to the same URL. */
interface Doubled {
  readonly webhooks: readonly string[];
  readonly url: string;
  readonly types: Set<string>;
}

/** Notes of the world without deviations what may be a mistake about webhooks, and may be meant. */
export function webhookNotes(world: World): Attachment | undefined {
  const { simulator, wanted } = world;
  if (wanted.unjudged === true || !isPlain(world)) return undefined;
  return { result: () => ({ notes: [...doubledIn(simulator), ...deletedIn(simulator)] }) };
}

/** Several webhooks on one URL: it gets the same event from each. */
function doubledIn({ services }: Simulator): string[] {
  const senders = new Map<string, { url: string; type: string; webhooks: Set<string> }>();
  for (const request of services.network.requests()) {
    const type = typeOf(request);
    const delivery = type === undefined ? undefined : services.deliveries.find(request.recordId);
    if (type === undefined || delivery === undefined) continue;
    const key = `${delivery.event.id} ${request.to}`;
    const sender = senders.get(key) ?? { url: addressOf(request), type, webhooks: new Set() };
    senders.set(key, sender);
    sender.webhooks.add(delivery.webhookId);
  }
  const doubled = new Map<string, Doubled>();
  for (const { url, type, webhooks } of senders.values()) {
    if (webhooks.size < 2) continue;
    const ids = [...webhooks].sort();
    const key = `${url} ${ids.join(" ")}`;
    const same = doubled.get(key) ?? { url, webhooks: ids, types: new Set() };
    doubled.set(key, same);
    same.types.add(type);
  }
  return [...doubled.values()].map(doubledText);
}

function doubledText({ url, types, webhooks }: Doubled): string {
  const [first = "", ...more] = types;
  const others =
    more.length === 0 ? "" : ` and ${counted(more.length, "more type of event", "more types of event")}`;
  return `${webhooks.join(" and ")} ${webhooks.length === 2 ? "both" : "all"} send ${first}${others} to ${url}`;
}

/** Webhooks that requests to the REST API deleted, where nothing sends to their URL any more. */
function deletedIn({ services }: Simulator): string[] {
  const { deliveries, network, restTraffic, webhooks } = services;
  const deleted = restTraffic.requests().flatMap(({ method, path, status }) => {
    const id = /\/webhooks\/([^/?]+)$/.exec(path)?.[1];
    return method === "DELETE" && isSuccess(status) && id !== undefined ? [id] : [];
  });
  const urls = new Set(webhooks.list().map(({ url }) => url));
  return deleted.flatMap((id) => {
    for (const request of network.requests()) {
      if (typeOf(request) === undefined || deliveries.find(request.recordId)?.webhookId !== id) continue;
      if (urls.has(request.to)) return [];
      return [
        `${id} was deleted by a request to the REST API: nothing sends events to ${addressOf(request)} any more`,
      ];
    }
    return [];
  });
}
