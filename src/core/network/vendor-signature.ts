import { makeHmac, toBase64 } from "./hmac.ts";

/**
 * Signs a request as the vendor does: base64 of HMAC-SHA1 over the full URL, followed by the name and value of each
 * form parameter, sorted by name.
 */
export function vendorSignature(secret: string, url: string, form: Readonly<Record<string, string>>): string {
  const sorted = Object.keys(form).sort();
  const message = url + sorted.map((name) => name + form[name]).join("");
  return toBase64(makeHmac("sha1", secret, message));
}
