import { customRandom, urlAlphabet } from "nanoid";
import { expect, test } from "vitest";
import { Ids } from "../../../src/core/foundation/ids.ts";
import { Randomness } from "../../../src/core/foundation/random.ts";

test("nanoid ids equal those of the nanoid package for the same bytes", () => {
  const ids = new Ids("nanoid", new Randomness("seed"));
  const randomness = new Randomness("seed");
  const nanoid = customRandom(urlAlphabet, 21, (count) => randomness.bytes("id:call", count));
  for (let count = 0; count < 100; count++) expect(ids.next("call")).toBe(nanoid());
});
