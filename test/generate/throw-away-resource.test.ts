import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { completeLists } from "../../docs/generate/lists.ts";
import { root } from "../../docs/generate/root.ts";
import { TreeCopy } from "../tree-copy.ts";
import { addParcels } from "./throw-away.ts";

test("Every list has what folders declare", () => {
  // if not: npm run generate
  expect([...completeLists(root).keys()]).toEqual([]);
});

test("A list gets what a new folder declares", () => {
  const copy = mkdtempSync(join(tmpdir(), "ringback-lists-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const path of ["machines", "src/core/platform", "src/core/simulator/simulator.ts"])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  addParcels(copy);
  const added = [...completeLists(copy)].map(([path, text]) => {
    const before = new Set(readFileSync(join(root, path), "utf8").split("\n"));
    return [path, text.split("\n").filter((line) => !before.has(line))];
  });
  expect(Object.fromEntries(added)).toMatchInlineSnapshot(`
    {
      "machines/index.ts": [
        "import { parcelMachine } from "./parcel.ts";",
        "  parcelMachine,",
        "  parcelMachine,",
      ],
      "src/core/platform/catalogue/commands.ts": [
        "import { receiveParcel } from "../parcels/commands/receive-parcel.ts";",
        "  receiveParcel,",
      ],
      "src/core/platform/catalogue/resources.ts": [
        "import { parcelOperations } from "../parcels/resource.ts";",
        "import { parcelEvents } from "../parcels/resource.ts";",
        "  parcels: { events: parcelEvents, operations: parcelOperations },",
      ],
      "src/core/platform/catalogue/services.ts": [
        "import { parcels } from "../parcels/parcels.ts";",
        "  parcels,",
      ],
      "src/core/platform/parts/parts.ts": [
        "import { parcelsPart } from "./parcels.ts";",
        "  parcelsPart,",
      ],
      "src/core/simulator/simulator.ts": [
        "import { type ParcelsApi, parcelsApi } from "../platform/parcels/parcels.ts";",
        "  /** What is at the front desk. */",
        "  readonly parcels: ParcelsApi = parcelsApi(this.services);",
      ],
    }
  `);
});

test.skipIf(process.env.RUNS === undefined)(
  "A part that is added by the table of the architecture compiles, and documents list it",
  { timeout: 900_000 },
  async () => {
    const copy = new TreeCopy();
    onTestFinished(() => copy.remove());
    addParcels(copy.root);
    const generated = await copy.run("docs/generate/main.ts");
    expect(generated.err).toBe("");
    expect(generated.out).toContain("reference/rest-parcels.md");
    const read = (path: string) => readFileSync(join(copy.root, path), "utf8");
    expect(read("docs/api/simulator.md")).toContain("ParcelsApi.list");
    expect(read("docs/scenarios.md")).toContain("receiveParcel");
    const types = await copy.run("node_modules/typescript-native/bin/tsc", "--noEmit", "-p", ".");
    expect(types.out + types.err).toBe("");
  },
);
