import { existsSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { folderWith, ringbackEnds, serving, servingHere } from "./support.ts";

/** A lock as some other process left it or holds it. */
function lockOf(file: string, holder: object) {
  const own = { host: hostname(), boot: boot(), namespace: "", pid: 1, started: "", token: "another" };
  writeFileSync(`${file}.lock`, JSON.stringify({ ...own, ...holder }));
}

function boot(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

test("A second server on the same journal is refused with the name of the first", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const { child, control, closed } = await serving("--journal", file);
  await control.post("commands/inbound", { from: "+6421555001", to: "+6495550100" });
  const before = readFileSync(file, "utf8");
  const { code, err } = await ringbackEnds("serve", file, "--journal", file);
  expect(err).toContain(`run.jsonl is being written by process ${child.pid} on ${hostname()}. Stop it, or`);
  expect(err).toContain(`remove ${file}.lock`);
  expect(code).toBe(2);
  expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
  child.kill("SIGTERM");
  await closed;
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("A server that was killed frees its journal", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const { child, closed } = await serving("--journal", file);
  child.kill("SIGKILL");
  await closed;
  expect(existsSync(`${file}.lock`)).toBe(true);
  await serving(file, "--journal", file);
});

test.skipIf(process.platform !== "linux").each([
  ["before the machine started again", { boot: "another" }],
  ["whose pid another process has now", { pid: process.pid, started: "1" }],
  [
    "in a container that is gone, where it was process 1",
    { host: "web-1", namespace: "pid:[1]", started: "7" },
  ],
  ["in a container of the same name that is gone", { namespace: "pid:[1]", started: "7" }],
])("A journal is free again of a server %s", async (_name, holder) => {
  const file = `${folderWith()}/run.jsonl`;
  lockOf(file, { namespace: readlinkSync("/proc/self/ns/pid"), ...holder });
  const { control } = await servingHere("--journal", file);
  expect((await control.get("state")).status).toBe(200);
});

test("A server in another container keeps its journal for as long as it touches the lock", async () => {
  const file = `${folderWith()}/run.jsonl`;
  lockOf(file, { host: "web-1", namespace: "pid:[1]", started: "7" });
  let seconds = 1_000_000_000;
  const beats = setInterval(() => utimesSync(`${file}.lock`, seconds, seconds++), 300);
  const { code, err } = await ringbackEnds("serve", "--journal", file);
  clearInterval(beats);
  expect(err).toContain("is being written by process 1 on web-1");
  expect(code).toBe(2);
  expect(existsSync(file)).toBe(false);
});

test("A lock that is cut off is watched, and taken over if nobody touches it", async () => {
  const file = `${folderWith()}/run.jsonl`;
  writeFileSync(`${file}.lock`, '{"host":"we');
  await servingHere("--journal", file);
  expect(JSON.parse(readFileSync(`${file}.lock`, "utf8"))).toMatchObject({ host: hostname() });
});
