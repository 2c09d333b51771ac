export function app(sim) {
  const started = new Set();
  const over = new Set();
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { call } = JSON.parse(body).data;
    // what is over stays over, whatever arrives afterwards
    (call.endedAt === null ? started : over).add(call.id);
    return 204;
  });
  return { board: () => ({ live: [...started].filter((id) => !over.has(id)) }) };
}
