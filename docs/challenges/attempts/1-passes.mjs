export function app(sim) {
  const log = [];
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { type, data } = JSON.parse(body);
    // a call that nobody answers has no call.ended, unless the caller leaves a message
    const isLast = type === "call.ended" || (type === "call.not_answered" && data.call.endedAt !== null);
    if (isLast) log.push({ callId: data.call.id });
    return 204;
  });
  return { log: () => log };
}
