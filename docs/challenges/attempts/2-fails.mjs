export function app(sim) {
  const log = [];
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { call } = JSON.parse(body).data;
    if (call.endedAt !== null) log.push({ callId: call.id });
    return 204;
  });
  return { log: () => log };
}
