import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { completeLists, writeLists } from "../../docs/generate/lists.ts";
import { root } from "../../docs/generate/root.ts";
import { TreeCopy } from "../tree-copy.ts";
import { addParcels } from "./throw-away.ts";

test("Every list has what folders declare", () => {
  // if not: npm run generate
  expect([...completeLists(root).keys()]).toEqual([]);
});

const services = "src/core/platform/catalogue/services.ts";
const alsoType = `import type { Calls } from "../calls/calls.ts";`;

/** A copy of the lists and of what they list, with a new part; `services.ts` has two imports of one file. */
function copyWithParcels(): string {
  const copy = mkdtempSync(join(tmpdir(), "ringback-lists-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const path of [
    "machines",
    "src/core/platform",
    "src/core/simulator/simulator.ts",
    "biome.json",
    ".gitignore",
  ])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
  const text = readFileSync(join(copy, services), "utf8");
  const once = `import { calls } from "../calls/calls.ts";`;
  expect(text).toContain(once);
  writeFileSync(
    join(copy, services),
    `${text.replace(once, `${alsoType}\n${once}`)}\nexport type AllCalls = Calls;\n`,
  );
  addParcels(copy);
  return copy;
}

test("A list gets what a new folder declares", () => {
  const copy = copyWithParcels();
  const lists = [...completeLists(copy).keys()];
  const before = lists.map((path) => readFileSync(join(copy, path), "utf8").split("\n"));
  expect(writeLists(copy)).toEqual(lists);
  const added = lists.map((path, index) => {
    const lines = readFileSync(join(copy, path), "utf8").split("\n");
    // nothing else changes, not even an empty line
    expect(lines.filter((line) => before[index]?.includes(line))).toEqual(before[index]);
    return [path, lines.filter((line) => !before[index]?.includes(line))];
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
        "import { parcelEvents, parcelOperations } from "../parcels/resource.ts";",
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

test("A list that Biome refuses is left as it was, and Biome's reason is said", () => {
  const copy = copyWithParcels();
  appendFileSync(join(copy, services), "const x = ;\n");
  const lists = [...completeLists(copy).keys()].map((path) => join(copy, path));
  const before = lists.map((path) => readFileSync(path, "utf8"));
  expect(() => writeLists(copy)).toThrow(/services\.ts[\s\S]*Expected an expression/);
  expect(lists.map((path) => readFileSync(path, "utf8"))).toEqual(before);
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

test.skipIf(process.env.RUNS === undefined)(
  "`npm run accept` raises the layout for a part that no list has yet",
  { timeout: 300_000 },
  async () => {
    const copy = new TreeCopy();
    onTestFinished(() => copy.remove());
    addParcels(copy.root);
    const layout = () => readFileSync(join(copy.root, "test/core/simulator/snapshot-layout.txt"), "utf8");
    expect(layout()).not.toContain("parcels");
    expect((await copy.run("test/accept.ts", "layout", "code")).code).toBe(0);
    expect(layout()).toContain("parcels");
  },
);
