import {
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { folderWith, freePort, ringbackEnds, serving, servingHere } from "./support.ts";

/** A lock as some other process left it or holds it. */
function lockOf(file: string, holder: object) {
  const own = { host: hostname(), boot: boot(), namespace: "", pid: 1, started: "", token: "another" };
  writeFileSync(`${file}.lock`, JSON.stringify({ ...own, ...holder }));
}

function boot(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

/** What a server answers; undefined if there is none. */
async function answerAt(port: number): Promise<object | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}/_sim/state`).catch(() => undefined);
  return answer && { status: answer.status, body: await answer.json() };
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

test("A lock of a container that is gone, or one that is cut off, is watched, and taken over if nobody touches it", async () => {
  const folder = folderWith();
  const files = ["other", "same", "cut"].map((name) => `${folder}/${name}.jsonl`);
  const [other = "", same = "", cut = ""] = files;
  lockOf(other, { host: "web-1", namespace: "pid:[1]", started: "7" });
  lockOf(same, { namespace: "pid:[1]", started: "7" });
  writeFileSync(`${cut}.lock`, '{"host":"we');
  const before = performance.now();
  const port = await freePort();
  const servers = files.map((file) =>
    servingHere("--journal", file, ...(file === cut ? ["--port", `${port}`] : [])),
  );
  await expect
    .poll(() => answerAt(port), { timeout: 5_000 })
    .toMatchObject({ status: 503, body: { code: "starting" } });
  await Promise.all(servers);
  expect(performance.now() - before).toBeGreaterThan(9_000);
  for (const file of files)
    expect(JSON.parse(readFileSync(`${file}.lock`, "utf8"))).toMatchObject({
      host: hostname(),
      pid: process.pid,
    });
});

test("A server whose lock another has taken meanwhile, as while it was suspended, writes nothing more and stops", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const { child, control, closed, err } = await serving("--journal", file);
  const call = { from: "+6421555001", to: "+6495550100" };
  await control.post("commands/inbound", call);
  const before = readFileSync(file, "utf8");
  child.kill("SIGSTOP");
  lockOf(file, { host: "web-1", namespace: "pid:[1]", started: "7" });
  child.kill("SIGCONT");
  await control.post("commands/inbound", call).then(
    ({ status }) => expect(status).toBe(500),
    () => {}, // it has stopped already
  );
  expect(await closed).toEqual([2, null]);
  expect(await err).toContain(`run.jsonl cannot be written any more: process 1 on web-1 has taken it over`);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(readFileSync(`${file}.lock`, "utf8")).toContain("web-1");
});

test("A server whose lock was removed by hand writes it again", async () => {
  const file = `${folderWith()}/run.jsonl`;
  const { child, control } = await serving("--journal", file);
  rmSync(`${file}.lock`);
  await control.post("commands/inbound", { from: "+6421555001", to: "+6495550100" });
  const { code, err } = await ringbackEnds("serve", file, "--journal", file);
  expect(err).toContain(`is being written by process ${child.pid}`);
  expect(code).toBe(2);
});

test("A journal has one lock, whatever links lead to it, and a link stays one when the journal is compacted", async () => {
  const folder = folderWith();
  const [file, link, hard] = [`${folder}/run.jsonl`, `${folder}/link.jsonl`, `${folder}/hard.jsonl`];
  symlinkSync("run.jsonl", link);
  expect(await ringbackEnds("serve", "--journal", link)).toMatchObject({
    code: 2,
    err: `ringback: journal: ${link} is a link to a file that does not exist\n`,
  });
  const first = await serving("--journal", file);
  expect((await ringbackEnds("serve", link, "--journal", link)).err).toContain(
    `is being written by process ${first.child.pid}`,
  );
  linkSync(file, hard);
  expect((await ringbackEnds("serve", hard, "--journal", hard)).err).toContain(
    `${hard} has another name too (a hard link), by which another server could write it`,
  );
  rmSync(hard);
  first.child.kill("SIGTERM");
  await first.closed;
  const { control } = await servingHere(link, "--journal", link, "--compact", "3");
  for (const from of ["+6421555001", "+6421555002", "+6421555003"])
    await control.post("commands/inbound", { from, to: "+6495550100" });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, "utf8")).toContain('"snapshot":');
});
