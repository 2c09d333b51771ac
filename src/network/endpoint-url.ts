import ipaddr from "ipaddr.js";
import { show } from "../engine/instants.ts";

/**
 * What is wrong with the URL of an endpoint outside (a webhook, a data action, a return), or undefined. It must be https,
 * at a host that the public internet leads to.
 * @param allowsLocal local and private hosts too, those by http as well
 */
export function endpointUrlProblem(url: string, allowsLocal: boolean): string | undefined {
  const noHttps = `expected an https URL, got ${show(url)}`;
  if (!URL.canParse(url)) return noHttps;
  // `URL` drops tabs and line breaks, and cuts spaces off: what is asked would not be what stands here
  if (hasSpaceOrControl(url)) return `expected a URL without spaces and control characters, got ${show(url)}`;
  const { protocol, hostname, username, password } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return noHttps;
  if (username !== "" || password !== "")
    return `expected a URL without a user name and password, got one at ${hostname}`;
  const isPublic = isPublicHost(hostname);
  if (!isPublic && !allowsLocal)
    return `expected a public host: ${hostname} is private, loopback or link-local (the option allowLocal allows it), got ${show(url)}`;
  return protocol === "https:" || !isPublic ? undefined : noHttps;
}

function hasSpaceOrControl(url: string): boolean {
  return [...url].some((character) => /\s/.test(character) || isControl(character.charCodeAt(0)));
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

/** Whether an IP address is one of the public internet: unicast, and not of a private, loopback or link-local network. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/** Names that lead to this machine or stay in this network, and addresses that are not of the public internet. */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  return host.includes(".") && !/\.(localhost|local|internal)$/.test(host);
}
