import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { isWhole } from "../counts.ts";
import { folderWith, ringbackEnds } from "./support.ts";

/** A folder whose files are committed. */
function committed(files: Readonly<Record<string, string>>): string {
  const folder = folderWith(files);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], { cwd: folder });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "fixtures");
  return folder;
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");

/** What somebody wrote who needed only this of a call. */
const short = `{
    "type": "call.ended",
    "data": {
        "call": {
            "companyNumber": "+6498887777",
            "contactNumber": "+6421000111",
            "direction": "inbound",
            "status": "ended",
            "duration": 90000,
            "startedAt": "2025-03-04T05:06:07.000Z",
            "assignedUser": { "displayName": "Mere Kahu" }
        }
    }
}
`;

describe("ringback fixtures --write", () => {
  test("puts a whole possible body in place that keeps what the test wrote, its order and its indentation", async () => {
    const folder = committed({ "short.json": short });
    const file = join(folder, "short.json");
    const { out, code } = await ringbackEnds("fixtures", file, "--write");
    expect(out.split("\\n")[0]).toContain(`wrote       ${file}  call.ended, a whole body`);
    expect(code).toBe(0);
    const text = read(folder, "short.json");
    const body = JSON.parse(text);
    expect(body).toMatchObject(JSON.parse(short));
    expect(text.startsWith(short.slice(0, short.indexOf('"assignedUser"')).replace(/,?\\s*$/, ""))).toBe(
      true,
    );
    expect(text).toBe(`${JSON.stringify(body, null, 4)}\n`);
    expect(Object.keys(body.data.call).slice(0, 7)).toEqual(Object.keys(JSON.parse(short).data.call));
    // what belongs together says the same
    const { call } = body.data;
    expect(call).toMatchObject({
      durationText: "1m 30s",
      endedAt: "2025-03-04T05:07:37.000Z",
      initiator: "+6421000111",
    });
    expect(call.parties.map(({ displayName }: { displayName: string }) => displayName)).toContain(
      "Mere Kahu",
    );
    expect(await ringbackEnds("fixtures", file)).toMatchObject({
      code: 0,
      out: expect.stringContaining("possible    "),
    });
  });

  test("replaces what no possible body says, and names it", async () => {
    const fixture = {
      type: "call.ended",
      data: { call: { id: "c7", duration: "65", outcome: { status: "missed", reason: "callerHungUp" } } },
    };
    const folder = committed({ "a.json": JSON.stringify(fixture) });
    const { out, code } = await ringbackEnds("fixtures", join(folder, "a.json"), "--write");
    expect(out).toContain(
      "replaced data.call.duration, data.call.outcome.reason, which no possible body has",
    );
    expect(code).toBe(0);
    const text = read(folder, "a.json");
    // one line stays one line
    expect(text).not.toContain("\n");
    expect(JSON.parse(text).data.call).toMatchObject({
      id: "c7",
      outcome: { status: "missed" },
      duration: expect.any(Number),
    });
  });

  test("changes only the fixtures of a file, in lists, under names and in texts of requests", async () => {
    const request = JSON.stringify({ type: "call.started", data: { call: { id: "c1" } } });
    const file = `[\n  { "note":   "kept as it is" },\n  {"type": "call.answered", "data": {}},\n  { "request": { "body": ${JSON.stringify(request)} } }\n]\n`;
    const folder = committed({ "all.json": file });
    await ringbackEnds("fixtures", folder, "--write");
    const text = read(folder, "all.json");
    expect(
      text.startsWith(
        '[\n  { "note":   "kept as it is" },\n  {\n    "type": "call.answered",\n    "data": {\n      "call": {',
      ),
    ).toBe(true);
    const [, answered, { request: written }] = JSON.parse(text);
    expect(answered.data.call.status).toBe("accepted");
    expect(JSON.parse(written.body).data.call.id).toBe("c1");
    expect(await ringbackEnds("fixtures", folder)).toMatchObject({
      out: expect.stringContaining("2 possible, 0 part"),
    });
  });

  test("refuses a file with changes that are not committed, and one that git does not have, unless --force", async () => {
    const folder = committed({ "a.json": short, "b.json": short });
    writeFileSync(join(folder, "a.json"), `${short}\n`);
    writeFileSync(join(folder, "c.json"), short);
    const { code, err, out } = await ringbackEnds("fixtures", folder, "--write");
    expect(code).toBe(2);
    for (const name of ["a", "c"])
      expect(err).toContain(
        `${folder}/${name}.json: is not written: it has changes that are not committed; --force writes it\n`,
      );
    expect(out).toContain(`wrote       ${folder}/b.json`);
    expect(read(folder, "a.json")).toBe(`${short}\n`);
    expect(await ringbackEnds("fixtures", join(folder, "a.json"), "--write", "--force")).toMatchObject({
      code: 0,
    });
    const outside = folderWith({ "d.json": short });
    const beside = await ringbackEnds("fixtures", outside, "--write");
    expect(beside).toMatchObject({
      code: 2,
      err: expect.stringContaining("it is in no git repository; --force writes it"),
    });
  });

  test("prints the body for a module, which stays as it is", async () => {
    const module = `export const event = { type: "call.started", data: { call: { contactNumber: "+6421000111" } } };\n`;
    const folder = folderWith({ "event.mjs": module });
    const { out, code } = await ringbackEnds("fixtures", folder, "--write");
    const [line = "", ...rest] = out.split("\n");
    expect(line).toBe(`whole       ${folder}/event.mjs#event  call.started, a whole body`);
    const body = JSON.parse(rest.slice(0, rest.indexOf("}") + 1).join("\n"));
    expect(body.data.call.contactNumber).toBe("+6421000111");
    expect(read(folder, "event.mjs")).toBe(module);
    expect(code).toBe(0);
  });

  const nineDevices = {
    type: "call.ended",
    data: { call: { parties: Array.from({ length: 9 }, () => ({ type: "device" })) } },
  };
  const alone: readonly (readonly [what: string, fixture: object])[] = [
    ["a record without a type", { direction: "inbound", parties: [] }],
    // it looks for a run for two seconds
    ...(isWhole ? [["nine devices on a call", nineDevices] as const] : []),
  ];
  test.each(alone)("leaves a fixture alone if no run says the same, and says so: %s", async (_, fixture) => {
    const folder = committed({ "a.json": JSON.stringify(fixture) });
    const { out } = await ringbackEnds("fixtures", folder, "--write");
    expect(out).toContain("not written, since no run was found whose body says the same");
    expect(read(folder, "a.json")).toBe(JSON.stringify(fixture));
  });

  test("writes with the dialect's names, and who there is by saved answers", async () => {
    const sim = createSimulator();
    const users = sim.users
      .list()
      .map(({ record }) => ({ ...record, id: `u-${record.id}`, displayName: `The ${record.displayName}` }));
    const rest = folderWith({ "users.json": JSON.stringify({ users }) });
    const dialect = join(folderWith({ "d.yaml": "fieldNames: { contactNumber: customer }\n" }), "d.yaml");
    const fixture = { type: "call.ended", data: { call: { status: "ended", customer: "+6421000111" } } };
    const folder = committed({ "a.json": JSON.stringify(fixture) });
    const given = ["fixtures", folder, "--dialect", dialect, "--rest", rest] as const;
    expect(await ringbackEnds(...given, "--write")).toMatchObject({ code: 0, err: "" });
    const { call } = JSON.parse(read(folder, "a.json")).data;
    expect(call.customer).toBe("+6421000111");
    expect(call.assignedUser.id).toBe("u-alice");
    expect((await ringbackEnds(...given)).out).toContain("possible    ");
  });

  test.each([
    ["--profile observed --write", "--write: writes bodies as they are documented: leave out --profile"],
    ["--force", "--force: needs --write"],
  ])("refuses %s", async (flags, message) => {
    const folder = folderWith({ "a.json": short });
    const { code, err } = await ringbackEnds("fixtures", folder, ...flags.split(" "));
    expect({ code, err }).toEqual({ code: 2, err: `ringback: ${message}\n` });
  });
});
