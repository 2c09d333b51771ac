export function subject(sim) {
  const started = new Set();
  const over = new Set();
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { type, data } = JSON.parse(body);
    // what is over stays over, whatever arrives afterwards
    (type === "call.started" ? started : over).add(data.call.id);
    return 204;
  });
  return { board: () => ({ live: [...started].filter((id) => !over.has(id)) }) };
}
