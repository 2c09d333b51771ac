import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A request that an app got. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A status, a status with a body, `hang` for no answer, or `reset` for a closed connection. */
type Answer =
  | number
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | "hang"
  | "reset";

/**
 * Starts an app at a free port of this machine, until the test is over.
 * @param answer is given each request
 */
export async function receiving(answer: (request: ReceivedRequest) => Answer) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (asked, response) => {
    const request = { headers: asked.headers, body: await text(asked) };
    requests.push(request);
    const given = answer(request);
    if (given === "hang") return;
    if (given === "reset") {
      asked.socket.destroy();
      return;
    }
    const { status, body = "", headers = {} } = typeof given === "number" ? { status: given } : given;
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, requests };
}

/** Starts an app whose certificate nobody knows, until the test is over. @returns its address */
export async function receivingSecurely(): Promise<string> {
  const server = createSecureServer({ key, cert }, (_, response) => response.writeHead(204).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}/hooks`;
}

/** A key for tests alone, and a certificate for `localhost` that it signed itself, until 2126. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcwAC40cYTAnCaUj+
ft5anmQi0jYElxQvNp1kW5CtUfehRANCAATIDQ7crcans9/BNr4SXoaXs/okX8RY
a17Q/hPgP/bjGDk3U9xumuFxkvcU786W5/iFdyU7H/vc/xy7/43ZaSpv
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUMnWTN53tkAj89ydVTF4EXejrtUIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjA3MTUyNFoYDzIxMjYxMTAy
MDcxNTI0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATIDQ7crcans9/BNr4SXoaXs/okX8RYa17Q/hPgP/bjGDk3U9xumuFx
kvcU786W5/iFdyU7H/vc/xy7/43ZaSpvo1MwUTAdBgNVHQ4EFgQUpDjNjtFBk1GM
M/de9UTwBcyc/OEwHwYDVR0jBBgwFoAUpDjNjtFBk1GMM/de9UTwBcyc/OEwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAiR9FR+Q/m4v67F0d6dnU
06ZDbTEPzvbOkpKg0CbDqYcCIQDauVCEEtZxvUM49jytJdzLPgFZv4TIhawkCCMd
xIsq3A==
-----END CERTIFICATE-----`;
