import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** An app that asks for missed calls and prints each. */
const { RINGBACK_URL, RECEIVER_URL, PORT } = process.env;

const server = createServer(async (request, response) => {
  const event = await json(request);
  process.stdout.write(`missed: ${event.data.call.contactNumber}\n`);
  response.writeHead(204).end();
}).listen(Number(PORT), async () => {
  const asked = await fetch(`${RINGBACK_URL}/_sim/commands/createWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer simulator" },
    body: JSON.stringify({ url: RECEIVER_URL, events: ["call.not_answered"] }),
  });
  process.stdout.write(`asked for missed calls: ${asked.status}\n`);
});
process.on("SIGTERM", () => server.close());
