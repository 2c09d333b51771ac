import { expect, test } from "vitest";
import { createSimulator } from "../../../src/index.ts";

test.each(["https://preview.example", "http://localhost:3000"])(
  "sim.fetch answers below the paths of its addresses, and nowhere else: %s",
  async (host) => {
    const sim = createSimulator({
      urls: { api: `${host}/sim/api`, auth: `${host}/sim/auth`, redirect: `${host}/sim/redirect` },
    });
    const headers = { authorization: `Bearer ${sim.token()}` };
    const statusOf = async (path: string) => (await sim.fetch(host + path, { headers })).status;
    expect(await statusOf("/sim/api/users")).toBe(200);
    for (const path of ["/users", "/sim/users", "/sim/apiusers", "/sim/auth/users", "/"])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    const answer = await sim.fetch(`${host}/users`, { headers });
    expect(await answer.text()).toContain(`nothing is served at ${new URL(host).host}/users; known: `);
  },
);
