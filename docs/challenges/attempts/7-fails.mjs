export function app(sim) {
  const logged = new Set();
  sim.network.route("https://app.test/hooks", ({ headers, body }) => {
    // a signature is there, but is it the platform's?
    if (headers["x-service-signature"] === undefined) return 401;
    logged.add(JSON.parse(body).data.call.id);
    return 204;
  });
  return { log: () => [...logged].map((callId) => ({ callId })) };
}
