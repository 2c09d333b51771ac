export function subject(sim) {
  const log = [];
  sim.network.route("https://app.test/hooks", ({ body }) => {
    log.push({ callId: JSON.parse(body).data.call.id });
    return 204;
  });
  return { log: () => log };
}
