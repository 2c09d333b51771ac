import { createHmac, timingSafeEqual } from "node:crypto";

const SECRET = "s3cret";
const FIVE_MINUTES = 300_000;

export function app(sim) {
  const logged = new Set();
  sim.network.route("https://app.test/hooks", ({ headers, body }) => {
    if (!isGenuine(headers, body, sim.timestamp)) return 401;
    logged.add(JSON.parse(body).data.call.id);
    return 204;
  });
  return { log: () => [...logged].map((callId) => ({ callId })) };
}

// the body as it came, byte for byte
function isGenuine(headers, body, now) {
  const timestamp = headers["x-service-timestamp"] ?? "0";
  const own = `sha256=${createHmac("sha256", SECRET).update(`${timestamp}.${body}`).digest("hex")}`;
  const given = headers["x-service-signature"] ?? "";
  const isSigned = own.length === given.length && timingSafeEqual(Buffer.from(own), Buffer.from(given));
  return isSigned && now - Number(timestamp) <= FIVE_MINUTES;
}
