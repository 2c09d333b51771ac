export function app(sim) {
  const numbers = new Set();
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { type, data } = JSON.parse(body);
    const { contactNumber, direction } = data.call;
    if (type === "call.answered") numbers.delete(contactNumber);
    else if (direction === "inbound") numbers.add(contactNumber);
    return 204;
  });
  return { numbers: () => [...numbers] };
}
