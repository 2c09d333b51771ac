import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express, { type Request as ExpressRequest } from "express";
import { fromFetch, parseScenario, type Simulator } from "ringback";
import { production } from "./production.ts";

/** Express behind a port, which checks signatures. The faulty one signs the body that it parsed and wrote again. */

const secret = "s3cret";

/** Whether a request is signed, and not older than five minutes. */
function isGenuine({ headers }: ExpressRequest, body: string): boolean {
  const { "x-service-timestamp": timestamp, "x-service-signature": signature } = headers;
  const own = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const [expected, got] = [Buffer.from(`sha256=${own}`), Buffer.from(String(signature))];
  if (expected.length !== got.length || !timingSafeEqual(expected, got)) return false;
  return Math.abs(Date.now() - Number(timestamp)) <= 300_000;
}

function callBackList(signs: "what came" | "what it parsed") {
  return async (sim: Simulator) => {
    const numbers = new Map<string, string>();
    const app = express();
    app.post("/hooks", express.raw({ type: "*/*" }), (request, response) => {
      const came = String(request.body);
      const event = JSON.parse(came);
      if (!isGenuine(request, signs === "what came" ? came : JSON.stringify(event))) {
        response.status(401).send("wrong signature");
        return;
      }
      const { call } = event.data;
      numbers.set(call.id, call.contactNumber);
      response.sendStatus(204);
    });
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const receive = (request: Request) => fetch(new Request(`http://127.0.0.1:${port}/hooks`, request));
    sim.network.route("https://crm.acme.test/", fromFetch(receive));
    const close = async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    };
    return { numbers, [Symbol.asyncDispose]: close };
  };
}

export const behindExpress = production({
  scenario: parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { url: "https://crm.acme.test/hooks", signingSecret: ${secret}, events: [call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }
`),
  faulty: { subject: callBackList("what it parsed") },
  corrected: { subject: callBackList("what came") },
  show: ({ numbers }) => [...numbers.values()],
  eventually: {
    "whoever was missed is called back": (sim, { numbers }) =>
      sim.events.ofType("call.not_answered").every(({ data }) => numbers.has(data.call.id)),
  },
});
