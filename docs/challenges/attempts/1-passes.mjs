export function subject(sim) {
  const log = [];
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { type, data } = JSON.parse(body);
    // a call that nobody answers has no call.ended
    if (type === "call.ended" || type === "call.not_answered") log.push({ callId: data.call.id });
    return 204;
  });
  return { log: () => log };
}
