import { describe, expectTypeOf, test } from "vitest";
import {
  createSimulator,
  type ParseOptions,
  type PhoneNumberReader,
  type ReplayOptions,
  replay,
  type SimulatorOptions,
} from "../../src/index.ts";
import { type PhoneNumberReader as Reader, readPhoneNumber } from "../../src/phone-numbers/index.ts";

describe("a reader of phone numbers", () => {
  test("takes a number and a country, and returns E.164 or undefined", () => {
    expectTypeOf(readPhoneNumber).toEqualTypeOf<PhoneNumberReader>();
    expectTypeOf<Reader>().toEqualTypeOf<PhoneNumberReader>();
    expectTypeOf<PhoneNumberReader>().parameters.toEqualTypeOf<[string, string | undefined]>();
    expectTypeOf<PhoneNumberReader>().returns.toEqualTypeOf<string | undefined>();
    // @ts-expect-error a reader answers at once
    createSimulator({ phoneNumbers: async () => undefined });
  });

  test("is an option of simulators, scenarios and replays", () => {
    expectTypeOf<SimulatorOptions["phoneNumbers"]>().toEqualTypeOf<PhoneNumberReader | undefined>();
    expectTypeOf<ParseOptions["phoneNumbers"]>().toEqualTypeOf<PhoneNumberReader | undefined>();
    expectTypeOf(replay).parameter(1).toEqualTypeOf<ReplayOptions | undefined>();
    expectTypeOf<ReplayOptions["phoneNumbers"]>().toEqualTypeOf<PhoneNumberReader | undefined>();
  });

  test("is not needed for contacts whose numbers give both forms", () => {
    const { phonebooks } = createSimulator();
    phonebooks.putContacts("customers", { phoneNumbers: ["021 1", { written: "021 1", e164: "+64211" }] });
    // @ts-expect-error
    phonebooks.putContacts("customers", { phoneNumbers: [{ e164: "+64211" }] });
  });
});
