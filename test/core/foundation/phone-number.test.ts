import { describe, expect, test } from "vitest";
import { groupedNumber, withoutGroups } from "../../../src/core/foundation/phone-number.ts";

describe("groupedNumber", () => {
  test.each([
    ["+6495550100", "+64 9 555 0100"],
    ["+491701111111", "+49 170 111 1111"],
    ["+12125550100", "+1 212 555 0100"],
    ["+35315550100", "+353 1 555 0100"],
    ["+64111", "+64 111"],
  ])("writes %s as %s, and back", (number, grouped) => {
    expect(groupedNumber(number)).toBe(grouped);
    expect(withoutGroups(`call ${grouped}, ext. 101`)).toBe(
      grouped === "+64 111" ? "call +64 111, ext. 101" : `call ${number}, ext. 101`,
    );
  });

  test.each(["Jane Smith", "101", "anonymous", "+64 9 555 0100", "sip:+6495550100@acme.test"])(
    "leaves %s as it is",
    (text) => expect(groupedNumber(text)).toBe(text),
  );
});
