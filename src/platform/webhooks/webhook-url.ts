import ipaddr from "ipaddr.js";

/**
 * What is wrong with the URL of a webhook, or undefined: it must be https, at a host that the public internet leads to.
 * @param allowsLocal local and private hosts too, those by http as well
 */
export function webhookUrlProblem(url: string, allowsLocal: boolean): string | undefined {
  if (!URL.canParse(url)) return "expected an https URL";
  const { protocol, hostname } = new URL(url);
  const isPublic = isPublicHost(hostname);
  if (!isPublic && !allowsLocal)
    return `expected a public host: ${hostname} is private, loopback or link-local (the option allowLocalWebhooks allows it)`;
  if (protocol === "https:" || (protocol === "http:" && !isPublic)) return undefined;
  return "expected an https URL";
}

/** Names that lead to this machine or stay in this network, and addresses that are not unicast addresses of the internet. */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === "unicast";
  return host.includes(".") && !/\.(localhost|local|internal)$/.test(host);
}
