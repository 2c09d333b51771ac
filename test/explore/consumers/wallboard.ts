import { expect } from "vitest";
import type { PlatformEvent, Simulator } from "../../../src/index.ts";
import { hooks, onEvent, RestError, restClient } from "./hooks.ts";
import { proof } from "./proof.ts";

type Call = Extract<PlatformEvent, { type: "call.started" }>["data"]["call"];
type Agent = Extract<PlatformEvent, { type: "user.availability.updated" }>["data"]["user"];

/** Which team each of our numbers belongs to. */
const teamOf: Readonly<Record<string, string>> = { "+6495550200": "sales", "+6495550201": "support" };

/**
 * A wallboard: how calls ended, who waits for which team, and what agents do. Webhooks feed it, and every quarter of
 * an hour it copies the state from the REST API. The faulty one removes a call from the list of its last team,
 * although it is on the list of its first.
 */
class Wallboard {
  readonly totals = { answered: 0, missed: 0 };
  readonly waiting = new Map<string, Set<string>>(
    [...Object.values(teamOf)].map((team) => [team, new Set()]),
  );
  readonly agents = new Map<string, { status: string; at: number }>();
  /** Calls that are counted, and so no longer wait. */
  private readonly over = new Set<string>();
  private readonly rest;

  constructor(
    sim: Simulator,
    private readonly options: { readonly knowsWhereItPutThem: boolean },
  ) {
    this.rest = restClient(sim);
    onEvent(sim, (event) => this.take(event));
    sim.schedule("PT15M", () => this.reconcile());
  }

  private take({ type, data }: PlatformEvent): void {
    if (type === "call.started") this.waits(data.call);
    else if (type === "call.answered" || type === "call.not_answered") this.count(data.call);
    else if (type === "user.availability.updated") this.show(data.user);
  }

  private waits({ id, companyNumber }: Call): void {
    if (!this.over.has(id)) this.waiting.get(teamOf[companyNumber ?? ""] ?? "")?.add(id);
  }

  private count(call: Call): void {
    const { id, companyNumber, answeredAt, assignedCallGroup } = call;
    const team = this.options.knowsWhereItPutThem ? teamOf[companyNumber ?? ""] : assignedCallGroup?.id;
    this.waiting.get(team ?? "")?.delete(id);
    if (this.over.has(id)) return;
    this.over.add(id);
    if (answeredAt === null) this.totals.missed++;
    else this.totals.answered++;
  }

  private show({ id, availability: { status, statusTimestamp } }: Agent): void {
    if ((this.agents.get(id)?.at ?? 0) <= statusTimestamp)
      this.agents.set(id, { status, at: statusTimestamp });
  }

  /** The platform's answer wins. Without an answer, the next update will correct it. */
  private async reconcile(): Promise<void> {
    try {
      const { users } = (await this.rest("GET", "/users")) as { users: Agent[] };
      for (const user of users) this.show(user);
      const { calls } = (await this.rest("GET", "/calls")) as { calls: Call[] };
      for (const call of calls) this.count(call);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
    }
  }
}

export const wallboard = proof({
  name: "wallboard",
  scenario: `
scenario: A caller gives up when sales has had its time
organisation:
  id: acme
  numbers: [{ number: "+6495550200", owner: sales }, { number: "+6495550201", owner: support }]
  users:
    - { id: bob, email: bob@acme.test, displayName: Bob Tane, extension: "102", endpoints: [desktop] }
    - { id: dave, email: dave@acme.test, displayName: Dave Okafor, extension: "104", endpoints: [desktop] }
  teams:
    - id: sales
      displayName: Sales
      extension: "200"
      members: [{ user: bob, priority: 1 }]
      timeout: PT30S
      unanswered: { team: support }
    - { id: support, displayName: Support, extension: "201", members: [{ user: dave, priority: 1 }] }
steps:
  - { at: PT0S, createWebhook: { as: board, url: "${hooks}", events: [call.started, call.answered, call.not_answered, user.availability.updated] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550201" } }
  - { at: PT5S, answer: { call: c1, by: dave } }
  - { at: PT20S, hangup: { call: c1, by: caller } }
  - { at: PT30S, inbound: { as: c2, from: "+6421555002", to: "+6495550200", behaviour: { patience: PT30S } } }
`,
  faulty: (sim) => new Wallboard(sim, { knowsWhereItPutThem: false }),
  corrected: (sim) => new Wallboard(sim, { knowsWhereItPutThem: true }),
  eventually: {
    "nobody waits whose call is over": (_, { waiting }) =>
      expect([...waiting.values()].flatMap((calls) => [...calls])).toEqual([]),
    "every call is counted once": (sim, { totals }) =>
      expect(totals.answered + totals.missed).toBe(sim.calls.list().length),
    "agents are shown as they are": (sim, { agents }) => {
      for (const [id, { status }] of agents)
        expect(sim.users.get(id).record.availability.status).toBe(status);
    },
  },
});
