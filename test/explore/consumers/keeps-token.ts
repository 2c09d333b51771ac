import { expect } from "vitest";
import type { Simulator } from "../../../src/index.ts";
import { hooks, onEvent, RestError } from "./hooks.ts";
import { proof } from "./proof.ts";

/** The e-mail addresses of users who missed a call. The faulty one asks for a token once, and never again. */
function missedBy(sim: Simulator, { renews }: { renews: boolean }) {
  const addresses = new Set<string>();
  let token: string | undefined;

  const newToken = async (): Promise<string> => {
    const { clientId, clientSecret } = sim.credentials;
    const form = { client_id: clientId, client_secret: clientSecret, grant_type: "client_credentials" };
    const answer = await sim.fetch(`${sim.urls.auth}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    if (!answer.ok) throw new RestError(answer.status);
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  const user = async (id: string): Promise<{ email: string }> => {
    token ??= await newToken();
    const answer = await sim.fetch(`/users/${id}`, { headers: { authorization: `Bearer ${token}` } });
    if (answer.status === 401 && renews) token = undefined;
    if (!answer.ok) throw new RestError(answer.status);
    return answer.json();
  };

  onEvent(sim, async ({ type, data }) => {
    if (type !== "call.not_answered" || data.call.directoryTarget === undefined) return;
    addresses.add((await user(data.call.directoryTarget.id)).email);
  });
  return { addresses };
}

export const keepsToken = proof({
  name: "keeps-token",
  scenario: `
scenario: Two calls are missed
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${hooks}", events: [call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT60S, inbound: { as: c2, from: "+6421555002", to: "+6495550104" } }
`,
  faulty: (sim) => missedBy(sim, { renews: false }),
  corrected: (sim) => missedBy(sim, { renews: true }),
  eventually: {
    "nothing that we are told of is given up": (sim) => {
      for (const { id } of sim.webhooks.list())
        for (const { state } of sim.webhooks.deliveries(id)) expect(state).toBe("delivered");
    },
  },
  sometimes: {
    "both are known": (_, { addresses }) => addresses.size === 2,
  },
});
