import crypto from "node:crypto";
import { Server, Socket } from "node:net";
import { BroadcastChannel, MessagePort, Worker } from "node:worker_threads";
import { Gzip } from "node:zlib";
import { expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { missedLater as scenario, url } from "../missed-call.ts";

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

/** The properties of promises and of `crypto` as they are, with what makes them. */
const descriptors = () =>
  [Promise.prototype, crypto, crypto.subtle, crypto.webcrypto].map((each) =>
    Object.getOwnPropertyDescriptors(each),
  );

test("Once an app has been restarted, promises and `crypto` are as they were, and meanwhile whoever looks sees the same", async () => {
  const { prototype } = Promise;
  const own = [prototype.then, prototype.constructor];
  const before = descriptors();
  const seen: unknown[] = [];
  let isPatched = false;
  let lives = 0;
  const { failures } = await exploreReport({
    scenario,
    durable: () => new Map(),
    app(sim, durable) {
      lives++;
      isPatched ||= "get" in (Object.getOwnPropertyDescriptor(prototype, "then") ?? {});
      seen.push(prototype.then, prototype.constructor);
      sim.network.route(url, async () => {
        await crypto.subtle.digest("SHA-256", new Uint8Array(1));
        return 204;
      });
      return durable;
    },
    show: () => undefined,
    deviations: { kinds: ["restarted", "restartedAfter"] },
  });
  expect(failures.map(({ story }) => story)).toEqual([]);
  expect(new Set(seen)).toEqual(new Set(own));
  expect(isPatched).toBe(true);
  expect(lives).toBeGreaterThan(3);
  // the same objects, and not only equal ones
  for (const [at, each] of descriptors().entries())
    for (const [name, { value, get, enumerable }] of Object.entries(each)) {
      const was = (before[at] as Record<string, PropertyDescriptor>)[name];
      expect([name, value === was?.value, get === was?.get, enumerable]).toEqual([
        name,
        true,
        true,
        was?.enumerable,
      ]);
    }
});
