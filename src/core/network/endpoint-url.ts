import ipaddr from "ipaddr.js";
import { show } from "../foundation/show.ts";

/** The host and port of a URL; a text that is no URL as it is. */
export function readHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/**
 * Returns the problem of the URL of an endpoint (a webhook, a data action, a return), or undefined. It must be https,
 * at a public host. Rules: docs/fidelity/network.md#webhook-urls.
 * @param allowsLocal also accepts local and private hosts, by http too
 */
export function endpointUrlProblem(url: string, allowsLocal: boolean): string | undefined {
  const noHttps = `expected an https URL, got ${show(url)}`;
  if (!URL.canParse(url)) return noHttps;
  // `URL` drops tabs, line breaks and outer spaces, so the request would go to another URL
  if (hasSpaceOrControl(url)) return `expected a URL without spaces and control characters, got ${show(url)}`;
  const { protocol, hostname, username, password } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return noHttps;
  if (username !== "" || password !== "")
    return `expected a URL without a user name and password, got one at ${hostname}`;
  const isPublic = isPublicHost(hostname);
  if (!isPublic && !allowsLocal)
    return `expected a public host: ${hostname} is private, loopback or link-local (the option allowLocal, or --allow-local of the command, allows it), got ${show(url)}`;
  return protocol === "https:" || !isPublic ? undefined : noHttps;
}

function hasSpaceOrControl(url: string): boolean {
  return [...url].some((character) => /\s/.test(character) || isControl(character.charCodeAt(0)));
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

/** Whether an IP address is public: unicast, and not private, loopback or link-local. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // systems still take [::127.0.0.1] for 127.0.0.1
  const holdsIPv4 = parsed instanceof ipaddr.IPv6 && parsed.match(ipaddr.IPv6.parse("::"), 96);
  return !holdsIPv4 && parsed.range() === "unicast";
}

/** Whether a host is public: no local name, and no private address. */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  return host.includes(".") && !/\.(localhost|local|internal)$/.test(host);
}
