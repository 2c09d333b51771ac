export function app(sim) {
  const people = {};
  sim.network.route("https://app.test/hooks", async () => {
    // an event says that something has changed; the REST API says what is true
    const headers = { authorization: `Bearer ${sim.token()}` };
    const answer = await sim.fetch("/users", { headers });
    if (!answer.ok) return 503; // the platform tries again
    for (const { id, availability } of (await answer.json()).users) people[id] = availability.status;
    return 204;
  });
  return { board: () => ({ people }) };
}
