import { describe, expectTypeOf, test } from "vitest";
import {
  type CallHandle,
  type Client,
  createSimulator,
  type FlowDecision,
  type FlowRedirect,
  type FlowsApi,
  type ReturnedCall,
  type Scope,
  type SimulatorOptions,
} from "../../src/index.ts";

describe("flows", () => {
  const sim = createSimulator();

  test("are decided by data or by a function of the call", () => {
    expectTypeOf(sim.flows).toEqualTypeOf<FlowsApi>();
    sim.flows.route("night", { redirect: { extension: "201" } });
    sim.flows.route("night", (call) => {
      expectTypeOf(call).toEqualTypeOf<ReturnedCall>();
      expectTypeOf(call.redirect).returns.toEqualTypeOf<CallHandle>();
      expectTypeOf(call.redirect).parameter(0).toEqualTypeOf<FlowRedirect>();
    });
    expectTypeOf<FlowDecision["hangup"]>().toEqualTypeOf<true | undefined>();
  });
});

describe("clients", () => {
  test("have an id, a secret and scopes", () => {
    expectTypeOf<SimulatorOptions["clients"]>().toEqualTypeOf<readonly Client[] | undefined>();
    expectTypeOf<Client["scopes"]>().toEqualTypeOf<readonly Scope[] | undefined>();
  });
});
