import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assumptionWords } from "../../src/core/platform/declare/assumption-words.ts";
import type { AssumptionsInput, Simulator, SimulatorOptions } from "../../src/index.ts";
import { options } from "./arbitraries.ts";
import { run } from "./moves/index.ts";
import { played } from "./play.ts";
import { always } from "./support.ts";

/** Every assumption with its default, given by name. */
const usual = Object.fromEntries(assumptionWords.map((each) => [each.name, each.usual])) as AssumptionsInput;

const stream = ({ events }: Simulator) => events.map(({ type, createdAt }) => `${createdAt} ${type}`);

describe("The profile observed", () => {
  it("changes no event's type or instant where no assumption differs", () => {
    always(50, fc.tuple(options, run), ([given, moves]) => {
      const plain = played({ ...given, assume: usual }, moves).sim;
      const observed: SimulatorOptions = { ...given, assume: usual, profile: "observed" };
      expect(stream(played(observed, moves).sim)).toEqual(stream(plain));
    });
  });
});
