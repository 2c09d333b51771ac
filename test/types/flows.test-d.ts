import { describe, expectTypeOf, test } from "vitest";
import {
  type CallHandle,
  createSimulator,
  type FlowDecision,
  type ReturnedCall,
  type SimulatorOptions,
} from "../../src/index.ts";

// parts without a name of their own
type Client = NonNullable<SimulatorOptions["clients"]>[number];
type FlowRedirect = NonNullable<FlowDecision["redirect"]>;
type Scope = NonNullable<Client["scopes"]>[number];

describe("flows", () => {
  const sim = createSimulator();

  test("are decided by data or by a function of the call", () => {
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
