import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  equalsInConstantTime,
  makeHmac,
  nobleHmac,
  sha256HmacInHex,
  toBase64,
  toHex,
} from "../../../src/core/network/hmac.ts";
import { vendorSignature } from "../../../src/core/network/vendor-signature.ts";

test.each(["sha1", "sha256"] as const)("Node and noble compute the same HMAC with %s", (hash) => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.string({ unit: "grapheme" }),
      (key, message) => {
        const digest = createHmac(hash, key).update(message);
        const hex = digest.digest("hex");
        expect(toHex(nobleHmac(hash, key, message))).toBe(hex);
        expect(toHex(makeHmac(hash, key, message))).toBe(hex);
        if (hash === "sha256") expect(sha256HmacInHex(key, message)).toBe(hex);
        expect(toBase64(nobleHmac(hash, key, message))).toBe(Buffer.from(hex, "hex").toString("base64"));
      },
    ),
  );
});

test("A signature does not depend on what was signed before it", () => {
  const long = "é".repeat(20_000);
  for (const key of ["a", "b", "k".repeat(65), "a"])
    for (const message of ["", "one", long, "two"])
      expect(sha256HmacInHex(key, message)).toBe(createHmac("sha256", key).update(message).digest("hex"));
});

test("The vendor's signature does not depend on the order of the form's fields", () => {
  const url = "https://phones.acme.test/telephony/redirect";
  const message = `${url}CallSid1From+6421555001To+6495550101`;
  const expected = createHmac("sha1", "s3cret").update(message).digest("base64");
  for (const form of [
    { CallSid: "1", From: "+6421555001", To: "+6495550101" },
    { To: "+6495550101", CallSid: "1", From: "+6421555001" },
  ])
    expect(vendorSignature("s3cret", url, form)).toBe(expected);
});

test.each([
  ["abc", "abc", true],
  ["abc", "abd", false],
  ["abc", "ab", false],
  ["ab", "abc", false],
  ["", "", true],
])("equalsInConstantTime(%j, %j) is %s", (a, b, equal) => {
  expect(equalsInConstantTime(a, b)).toBe(equal);
});
