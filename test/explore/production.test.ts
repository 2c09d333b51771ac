import { describe, expect, test } from "vitest";
import { behindExpress } from "./production/behind-express.ts";
import { onSqlite } from "./production/on-sqlite.ts";
import type { AnyProduction } from "./production/production.ts";
import { withPQueue } from "./production/with-p-queue.ts";

/** What fails, by which deviations, and by which others too. */
const apps: readonly (readonly [name: string, app: AnyProduction, found: readonly unknown[]])[] = [
  [
    "behind Express checks signatures of what it parsed",
    behindExpress,
    [
      ["refuses", [], []],
      ["whoever was missed is called back", [], []],
    ],
  ],
  [
    "has a queue of p-queue in memory",
    withPQueue,
    [["the call log has one row for each call that is over", ["restartedAfter"], ["restarted"]]],
  ],
  [
    "notes an event in SQLite before it has asked for its call",
    onSqlite,
    [["each missed call is in the log", ["restarted"], ["503", "429", "tokenExpired", "refused"]]],
  ],
];

describe.each(apps)("An app that %s", (_, app, found) => {
  test("is found", async () => {
    const report = await app.explore("faulty");
    expect(
      report.failures.map(({ property, smallest, also }) => [
        property,
        smallest.deviations.map(({ is }) => is),
        also.flatMap((each) => each.map(({ is }) => is)),
      ]),
    ).toEqual(found);
  });

  test("passes once it is repaired", async () => {
    const report = await app.explore("corrected");
    expect(report.passed, report.toText()).toBe(true);
  });
});
