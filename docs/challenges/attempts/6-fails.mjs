export function app(sim) {
  const logged = new Set();
  sim.network.route("https://app.test/hooks", ({ body }) => {
    logged.add(JSON.parse(body).data.call.id);
    return 204;
  });
  return { log: () => [...logged].map((callId) => ({ callId })) };
}
