import { describe, expect, test } from "vitest";
import { createSimulator } from "../../../src/index.ts";
import { office, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });
const x = (bytes: number) => `x-a=${"1".repeat(bytes - 3)}`;

describe("a dial link as a URL", () => {
  test.each([
    "acme-phone://dial?contactNumber=%2B6421555002&callerId=%2B6495550102&x-name=J%C3%BCrgen",
    "acme-phone:dial?x-name=J%C3%BCrgen&contactNumber=+6421555002&callerId=+6495550102&colour=red",
    "https://links.acme.test/go?contactNumber=%2B6421555002&callerId=%2B6495550102&x-name=J%C3%BCrgen",
  ])("dials, whatever its scheme and host: %s", (link) => {
    const dialled = newSimulator().calls.dialLink({ user: "alice", link });
    const record = "call" in dialled ? dialled.call.record : undefined;
    expect(record).toMatchObject({
      contactNumber: "+6421555002",
      companyNumber: "+6495550102",
      passthroughParameters: { "x-name": "Jürgen" },
    });
  });

  test("is decoded once", () => {
    const link = "acme-phone://dial?contactNumber=%2B6421555002&x-a=50%2525";
    const dialled = newSimulator().calls.dialLink({ user: "alice", link });
    expect("call" in dialled && dialled.call.record.passthroughParameters).toEqual({ "x-a": "50%25" });
  });

  test.each([
    [1_000, true],
    [1_001, false],
  ])("with parameters of %d bytes makes a call: %j; otherwise the dial pad opens", (bytes, isCall) => {
    const link = `acme-phone://dial?contactNumber=%2B6421555002&${x(bytes)}`;
    const dialled = newSimulator().calls.dialLink({ user: "alice", link });
    expect("call" in dialled).toBe(isCall);
    if (!isCall) expect(dialled).toEqual({ dialPad: { contactNumber: "+6421555002", callerId: null } });
  });

  test.each([
    ["that is no URL", { link: "dial Jane" }],
    ["without a number", { link: "acme-phone://dial?x-a=1" }],
    ["with a number that is not E.164", { link: "acme-phone://dial?contactNumber=5551" }],
    ["beside a number", { link: "acme-phone://dial?contactNumber=%2B64215", contactNumber: "+6421555002" }],
    ["and a number, both missing", {}],
  ])("%s is refused", (_what, args) => {
    const sim = newSimulator();
    const error = thrownBy(() => sim.calls.dialLink({ user: "alice", ...args } as never));
    expect(error).toMatchObject({ code: "invalid_argument" });
    expect(sim.calls.list()).toEqual([]);
  });
});

describe("the vendor's account", () => {
  test.each([
    [undefined, true],
    ["own", true],
    ["service", false],
  ] as const)("%s: media of messages say where the vendor keeps them: %j", (vendorAccount, isThere) => {
    const numbers = [{ number: "+6495550101", owner: "alice", sms: true }];
    const organisation = { ...office, numbers, ...(vendorAccount && { vendorAccount }) };
    const sim = createSimulator({ organisation, ids: "counter" });
    const media = [{ url: "https://pictures.test/1.jpg" }];
    sim.conversations.receive({ from: "+6421555001", to: "+6495550101", text: "Look", media });
    const [message] = sim.conversations.list()[0]?.messages ?? [];
    expect("vendorResourceUrl" in (message?.media[0] ?? {})).toBe(isThere);
  });
});
