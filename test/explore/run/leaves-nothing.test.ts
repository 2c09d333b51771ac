import { Server, Socket } from "node:net";
import { BroadcastChannel, MessagePort, Worker } from "node:worker_threads";
import { Gzip } from "node:zlib";
import { expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";

/** What an exploration wraps to know of an app's work. A wrapper that stays keeps all of a test file of Jest in memory. */
function shared(): unknown[] {
  const methods = [Socket, Server, MessagePort, BroadcastChannel, Worker, Gzip].flatMap(({ prototype }) =>
    [
      prototype,
      Object.getPrototypeOf(prototype),
      Object.getPrototypeOf(Object.getPrototypeOf(prototype)),
    ].map((each) =>
      Object.entries(Object.getOwnPropertyDescriptors(each ?? {})).map(([, { value }]) => value),
    ),
  );
  return [...methods, WebAssembly.compile, WebAssembly.instantiate, process.listeners("worker")].flat(2);
}

test("Once an exploration is over, the process has its own functions again", async () => {
  // the first one loads what is loaded once
  const explored = () => exploreReport({ scenario: () => {}, subject: () => ({}), deviations: 0 });
  await explored();
  const before = shared();
  let during: unknown[] = [];
  await exploreReport({
    scenario: () => {},
    subject() {
      during = shared();
      return {};
    },
    deviations: 0,
  });
  expect(during.filter((each) => !before.includes(each)).length).toBeGreaterThan(5);
  const after = shared();
  expect(after.filter((each) => !before.includes(each))).toEqual([]);
});
