export function app(sim) {
  const seen = new Set();
  const log = [];
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { id, data } = JSON.parse(body);
    // each attempt of an event has the event's id; a call whose caller leaves a message goes on
    if (!seen.has(id) && data.call.endedAt !== null) log.push({ callId: data.call.id });
    seen.add(id);
    return 204;
  });
  return { log: () => log };
}
