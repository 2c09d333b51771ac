export function app(sim) {
  const missed = new Map();
  const spoken = new Map();
  sim.network.route("https://app.test/hooks", ({ body }) => {
    const { type, data, createdTimestamp } = JSON.parse(body);
    const { contactNumber: number, direction } = data.call;
    // whom we did not reach need not be called back for that
    if (type === "call.not_answered" && direction !== "inbound") return 204;
    const times = type === "call.not_answered" ? missed : spoken;
    // what counts is when it happened, not when it arrives
    times.set(number, Math.max(createdTimestamp, times.get(number) ?? 0));
    return 204;
  });
  const isDue = (number) => missed.get(number) > (spoken.get(number) ?? 0);
  return { numbers: () => [...missed.keys()].filter(isDue) };
}
