export function app(sim) {
  const live = new Set();
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { type, data } = JSON.parse(body);
    if (type === "call.started") live.add(data.call.id);
    else live.delete(data.call.id);
    return 204;
  });
  return { board: () => ({ live: [...live] }) };
}
