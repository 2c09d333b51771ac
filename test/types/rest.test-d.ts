import { expectTypeOf, test } from "vitest";
import { createSimulator, type RestRequest, type Simulator } from "../../src/index.ts";

// parts without a name of their own
type RestApi = Simulator["rest"];

const sim = createSimulator();

test("sim.rest has requests and faults", () => {
  expectTypeOf(sim.rest).toEqualTypeOf<RestApi>();
  expectTypeOf(sim.rest.requests).toEqualTypeOf<readonly RestRequest[]>();
  expectTypeOf<RestRequest["by"]>().toEqualTypeOf<string | null>();
  expectTypeOf<RestRequest["ignored"]>().toEqualTypeOf<readonly string[]>();
  sim.rest.fault({ path: "/calls", method: "POST", status: 429, retryAfter: "PT10S", times: 2 });
  sim.rest.fault({ for: { minutes: 1 }, after: 500 });
  // @ts-expect-error there is no such method
  sim.rest.fault({ method: "FETCH" });
  expectTypeOf(sim.rest.expireTokens).returns.toBeVoid();
});
