import { expect, test } from "vitest";
import { appThat, verdictOf, ways } from "./late-work/ways.ts";

test.each(Object.entries(ways))(
  "An app that %s passes if it retries, and fails if it does not",
  async (_, way) => {
    expect(await verdictOf(appThat(way, true))).toEqual({ worlds: 21, found: [] });
    expect(await verdictOf(appThat(way, false))).toEqual({
      worlds: 21,
      found: [["each missed call is stored once", ["503"]]],
    });
  },
);
