import ipaddr from "ipaddr.js";
import type { Problem } from "../../engine/errors.ts";
import { show } from "../../engine/instants.ts";
import type { Platform } from "../platform.ts";

/** What is wrong with a webhook's URL beside its shape. */
export function webhookProblems(
  { settings }: Platform,
  { url }: { readonly url?: string | undefined },
): Problem[] {
  const problem = url && webhookUrlProblem(url, settings.allowLocalWebhooks);
  return problem ? [{ keys: ["url"], message: problem }] : [];
}

/**
 * What is wrong with the URL of a webhook, or undefined: it must be https, at a host that the public internet leads to.
 * @param allowsLocal local and private hosts too, those by http as well
 */
export function webhookUrlProblem(url: string, allowsLocal: boolean): string | undefined {
  const noHttps = `expected an https URL, got ${show(url)}`;
  if (!URL.canParse(url)) return noHttps;
  const { protocol, hostname } = new URL(url);
  const isPublic = isPublicHost(hostname);
  if (!isPublic && !allowsLocal)
    return `expected a public host: ${hostname} is private, loopback or link-local (the option allowLocalWebhooks allows it), got ${show(url)}`;
  if (protocol === "https:" || (protocol === "http:" && !isPublic)) return undefined;
  return noHttps;
}

/** Names that lead to this machine or stay in this network, and addresses that are not unicast addresses of the internet. */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === "unicast";
  return host.includes(".") && !/\.(localhost|local|internal)$/.test(host);
}
