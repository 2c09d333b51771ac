export function app(sim) {
  const log = [];
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { type, data } = JSON.parse(body);
    if (type === "call.ended") log.push({ callId: data.call.id });
    return 204;
  });
  return { log: () => log };
}
