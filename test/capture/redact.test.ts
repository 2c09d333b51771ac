import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { InputError } from "../../src/index.ts";
import { isWhole } from "../counts.ts";
import { captured, edited, jsonl, type Line, lessons } from "./support.ts";

/** Looks for texts of captures in everything that an import returns. */

/** What a text may look like. The number makes each marker another. */
const shapes: Readonly<Record<string, (index: number) => string>> = {
  name: (index) => `Zebulon Quagga ${index}`,
  "lower-case name": (index) => `zebulonquagga${index}`,
  "international number": (index) => `+64 27 ${String(7_700_000 + index)}`,
  "national number": (index) => `0800 ${String(7_700_000 + index)}`,
  "number as a link": (index) => `tel:+4479${String(7_700_000 + index)}`,
  "number with 00": (index) => `004479${String(7_700_000 + index)}`,
  "e-mail address": (index) => `zebulon.${index}@quagga.test`,
  id: (index) => `7f3a-${String(7_700_000 + index)}-zq`,
};

type Place = readonly (string | number)[];

/** The paths of all texts in a body, apart from those that say what kind of event it is. */
function textsIn(value: unknown, path: Place = []): Place[] {
  if (typeof value === "string") return path[0] === "type" || path[0] === "id" ? [] : [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => textsIn(below, [...path, key]));
}

function replaceAt(body: unknown, path: Place, text: string): void {
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], body);
  (holder as Record<string, unknown>)[path.at(-1) ?? ""] = text;
}

/** The lines, with another text of each body replaced by a marker; empty if no body has so many texts. */
function marked(
  lines: readonly Line[],
  turn: number,
  marker: (index: number) => string,
): { lines: Line[]; markers: string[] } {
  const markers: string[] = [];
  const changed = edited(lines, (body) => {
    const place = textsIn(body)[turn];
    if (place === undefined) return;
    markers.push(marker(markers.length));
    replaceAt(body, place, markers.at(-1) ?? "");
  });
  return { lines: changed, markers };
}

/** All that an import writes, as text. A value of an enumeration that looks like a name of an interface is listed. */
async function everythingOf(lines: readonly Line[]): Promise<string> {
  // a changed organisation makes two
  const result = await importCapture(jsonl(lines), { search: 1 }).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    return importCapture(jsonl(lines), { search: 1, organisation: 1 });
  });
  const { scenario: _, drift, ...texts } = result;
  const enums = drift.enums.filter(({ got = "" }) => !/^[a-z]\w*$/.test(got));
  return `${JSON.stringify({ ...texts, drift: { ...drift, enums } })}\n${result.yaml}`;
}

const withEvents = lessons.filter((name) => captured(name).length > 0);
/** Every how many texts one is replaced. All of them take minutes. */
const stride = isWhole ? 1 : 23;
const all = Object.entries(shapes);
/** The lessons in which a shape is tried, with their places: other ones for each shape, so that all are tried, or all for each. */
const lessonsFor = (shape: number) =>
  [...withEvents.entries()].filter(([index]) => isWhole || index % all.length === shape);

describe("importCapture", () => {
  test.each(all.map(([name, marker], shape) => [name, marker, shape] as const))(
    "returns no text of a capture that looks like this: %s",
    async (_, marker, shape) => {
      const leaks: string[] = [];
      let count = 0;
      for (const [index, name] of lessonsFor(shape)) {
        for (let turn = index % stride; ; turn += stride) {
          const { lines, markers } = marked(captured(name), turn, marker);
          if (markers.length === 0) break;
          count += markers.length;
          const text = await everythingOf(lines);
          const leaked = markers.filter(
            (each) => text.includes(each) || text.includes(each.replaceAll(" ", "")),
          );
          if (leaked.length > 0) leaks.push(`${name}, text ${turn}: ${leaked.join(", ")}`);
        }
      }
      expect(leaks).toEqual([]);
      expect(count).toBeGreaterThan(100);
    },
  );

  test("gives one thing one stand-in, in whatever spelling and under whatever key", async () => {
    const spelt = edited(captured("01"), ({ data: { call } }, index) => {
      if (call === undefined) return;
      const spelling = ["+64 21 555 001", "tel:+6421555001", "006421555001", "+64-21-555-001"][index % 4];
      call.contactNumber = spelling;
    });
    const { yaml } = await importCapture(jsonl(spelt));
    expect(new Set(yaml.match(/"\+64\d+1"/g))).toEqual(new Set(['"+6400000001"']));
  });
});
