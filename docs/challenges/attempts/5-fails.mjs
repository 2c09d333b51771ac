export function app(sim) {
  const people = {};
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { user } = JSON.parse(body).data;
    people[user.id] = user.availability.status;
    return 204;
  });
  return { board: () => ({ people }) };
}
