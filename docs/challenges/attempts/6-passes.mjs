// stands for a table of a database, whose key is the call's id
export const durable = () => new Set();

export function app(sim, stored) {
  sim.network.route("https://app.test/hooks", ({ body }) => {
    stored.add(JSON.parse(body).data.call.id);
    return 204; // only once it is stored
  });
  return { log: () => [...stored].map((callId) => ({ callId })) };
}
