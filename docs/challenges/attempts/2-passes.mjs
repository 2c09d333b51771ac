export function subject(sim) {
  const seen = new Set();
  const log = [];
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { id, data } = JSON.parse(body);
    // each attempt of an event has the event's id
    if (!seen.has(id)) log.push({ callId: data.call.id });
    seen.add(id);
    return 204;
  });
  return { log: () => log };
}
