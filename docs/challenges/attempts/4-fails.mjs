export function subject(sim) {
  const numbers = new Set();
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { type, data } = JSON.parse(body);
    if (type === "call.not_answered") numbers.add(data.call.contactNumber);
    else numbers.delete(data.call.contactNumber);
    return 204;
  });
  return { numbers: () => [...numbers] };
}
