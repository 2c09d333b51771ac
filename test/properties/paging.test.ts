import fc from "fast-check";
import { expect, test } from "vitest";
import { createSimulator, demoOrganisation, type Simulator } from "../../src/index.ts";
import { alwaysAsync } from "./support.ts";

/** Lists are paged through while what they list is added, removed, put back and changed. */

interface Kind {
  readonly path: string;
  readonly name: string;
  add(sim: Simulator, id: string): void;
  remove(sim: Simulator, id: string): void;
  change(sim: Simulator, id: string): void;
}

const ids = ["1", "2", "3", "4", "5", "6", "7", "8"];

const kinds: readonly Kind[] = [
  {
    path: "/trunks/pbx/trunkDevices",
    name: "trunkDevices",
    add: (sim, id) => sim.trunks.get("pbx").devices.add({ id, displayName: id, extension: `70${id}` }),
    remove: (sim, id) => sim.trunks.get("pbx").devices.remove(id),
    change: (sim, id) => sim.trunks.get("pbx").devices.update(id, { displayName: "changed" }),
  },
  {
    path: "/phonebooks/book/contacts",
    name: "contacts",
    add: (sim, id) => sim.phonebooks.putContacts("book", { id }),
    remove: (sim, id) => sim.phonebooks.removeContact("book", id),
    change: (sim, id) => sim.phonebooks.putContacts("book", { id, name: "changed" }),
  },
];

const acts = fc.array(fc.constantFrom(...ids), { maxLength: 6 });

test.each(kinds)(
  "Paging through $path shows each remaining item once, and repeats only items that were added again",
  async (kind) => {
    const organisation = {
      ...demoOrganisation,
      features: { pbx: true },
      trunks: [{ id: "pbx", name: "PBX" }],
    };
    await alwaysAsync(
      300,
      fc.record({
        first: fc.shuffledSubarray(ids),
        limit: fc.integer({ min: 1, max: 3 }),
        between: fc.array(acts),
      }),
      async ({ first, limit, between }) => {
        const sim = createSimulator({ organisation });
        sim.phonebooks.put("book");
        const there = new Set<string>();
        const cameBack = new Set<string>();
        const stayed = new Set(first);
        for (const id of first) {
          kind.add(sim, id);
          there.add(id);
        }
        const seen: string[] = [];
        let next = "";
        let page = 0;
        do {
          const url = `${kind.path}?limit=${limit}&next=${next}`;
          const answer = await sim.fetch(url, { headers: { authorization: `Bearer ${sim.token()}` } });
          const body = (await answer.json()) as Record<string, { id: string }[]> & { meta: { next: string } };
          seen.push(...(body[kind.name] ?? []).map(({ id }) => id));
          next = body.meta.next;
          for (const [index, id] of (between[page++] ?? []).entries()) {
            if (there.has(id) && index % 3 === 0) kind.change(sim, id);
            else if (there.delete(id)) {
              kind.remove(sim, id);
              stayed.delete(id);
            } else {
              kind.add(sim, id);
              there.add(id);
              cameBack.add(id);
            }
          }
        } while (next !== "");
        for (const id of stayed) expect(seen.filter((each) => each === id)).toEqual([id]);
        const again = seen.filter((id, index) => seen.indexOf(id) < index);
        expect(again.filter((id) => !cameBack.has(id))).toEqual([]);
      },
    );
  },
);
