import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failing, folderWith, localEndpoints, misspelt, passing, ringbackProcess } from "./support.ts";

describe("ringback run --twice", () => {
  test("reports that two processes give the same bytes, whatever a scenario expects, unlike run", async () => {
    const folder = folderWith({ "a.yaml": passing, "b.yaml": failing });
    const { code, out, err } = await ringbackProcess("run", "--twice", folder);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(
      /^same {3}\S+a\.yaml {2}2 events, byte for byte\nsame {3}\S+b\.yaml {2}2 events, .*\n$/,
    );
  });

  test("exits with 1 when the bytes differ, and names the event", async () => {
    // a seed that each process takes from its own id
    const chaos = `const { decode } = TextDecoder.prototype;
      TextDecoder.prototype.decode = function (...given) {
        const text = decode.apply(this, given);
        return text.startsWith("scenario: It rings") ? "seed: " + process.pid + "\\nids: nanoid\\n" + text : text;
      };`;
    const folder = folderWith({ "a.yaml": passing, "chaos.mjs": chaos });
    const { code, err } = await ringbackProcess("run", "--twice", join(folder, "a.yaml"), {
      NODE_OPTIONS: `--import ${join(folder, "chaos.mjs")}`,
    });
    expect(code).toBe(1);
    expect(err).toContain("a.yaml: two runs differ at event 1");
  });

  test("exits with 2 and the position for a scenario that cannot be played", async () => {
    const { code, err } = await ringbackProcess("run", "--twice", folderWith({ "a.yaml": misspelt }));
    expect(code).toBe(2);
    expect(err).toMatch(/^ringback: \S+a\.yaml:2:1: setps: unknown key/);
  });

  test("is what the old name verify plays, which says the new one, and allows local endpoints with --allow-local", async () => {
    const folder = folderWith({ "a.yaml": localEndpoints });
    const { code, out, err } = await ringbackProcess("verify", folder, "--allow-local");
    expect(code).toBe(0);
    expect(out).toMatch(/^same /);
    expect(err).toMatch(/^ringback: `ringback verify` is now `ringback run --twice.*\n$/);
  });

  test("--json prints the results", async () => {
    const folder = folderWith({ "a.yaml": passing, "b.yaml": misspelt });
    const { out, err } = await ringbackProcess("run", "--twice", folder, "--json");
    expect(err).toBe("");
    expect(JSON.parse(out)).toEqual({
      ok: false,
      failures: [
        {
          cause: 'setps: unknown key; did you mean "steps"?',
          place: `${folder}/b.yaml:2:1`,
          replay: `npx ringback check ${folder}/b.yaml`,
          next: "fix the scenario there",
        },
      ],
      scenarios: [
        { path: `${folder}/a.yaml`, same: true, events: 2 },
        { path: `${folder}/b.yaml`, same: false },
      ],
    });
  });
});
