import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Agenda, type AgendaItem } from "../../src/core/engine/agenda.ts";
import { ForkableList, ForkableMap } from "../../src/core/foundation/collections.ts";
import { Table } from "../../src/core/records/table.ts";
import { pickFrom } from "./moves/move.ts";
import { must } from "./rules.ts";
import { always } from "./support.ts";

/** Picks one of the forks so far. */
const on = fc.nat({ max: 1_000 });
const fork = { weight: 2, arbitrary: fc.record({ on, do: fc.constant("fork" as const) }) };
/** Goes on with what was saved. */
const load = { weight: 1, arbitrary: fc.record({ on, do: fc.constant("load" as const) }) };

/**
 * Applies a list of steps to a collection, its model and their forks, and compares them all after each step.
 * @param act forks both, or does the same to both
 */
function followModel<Real, Model, Act extends { on: number }>(
  first: { real: Real; model: Model },
  acts: readonly Act[],
  act: (pair: { real: Real; model: Model }, act: Act) => { real: Real; model: Model } | undefined,
  compare: (real: Real, model: Model) => void,
): void {
  const pairs = [first];
  for (const each of acts) {
    const forked = act(pickFrom(pairs, each.on) as typeof first, each);
    if (forked !== undefined) pairs.push(forked);
    for (const { real, model } of pairs) compare(real, model);
  }
}

describe("A forkable map", () => {
  const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const acts = fc.array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          on,
          do: fc.constant("set" as const),
          key: fc.constantFrom(...keys),
          value: fc.nat(),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ on, do: fc.constant("delete" as const), key: fc.constantFrom(...keys) }),
      },
      fork,
      load,
    ),
    { maxLength: 60, size: "max" },
  );

  it("equals a plain map, whatever is done to its forks", () => {
    always(250, acts, (acts) => {
      followModel(
        { real: new ForkableMap<string, number>(), model: new Map<string, number>() },
        acts,
        ({ real, model }, act) => {
          if (act.do === "fork") return { real: real.fork(), model: new Map(model) };
          if (act.do === "load") return { real: real.load(real.save()), model: new Map(model) };
          for (const map of [real, model])
            act.do === "set" ? map.set(act.key, act.value) : map.delete(act.key);
          return undefined;
        },
        (real, model) => {
          for (const key of keys) {
            must(real.get(key) === model.get(key), () => `${key} is ${real.get(key)}, not ${model.get(key)}`);
            must(real.has(key) === model.has(key), () => `has("${key}") is ${real.has(key)}`);
          }
        },
      );
    });
  });
});

describe("A forkable list", () => {
  const acts = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ on, do: fc.constant("push" as const), value: fc.nat() }) },
      {
        weight: 2,
        arbitrary: fc.record({ on, do: fc.constant("dropFirst" as const), keep: fc.nat({ max: 12 }) }),
      },
      fork,
      load,
    ),
    { maxLength: 60, size: "max" },
  );

  it("equals a plain array, whatever is done to its forks", () => {
    always(250, acts, (acts) => {
      followModel(
        { real: new ForkableList<number>(), model: [] as number[] },
        acts,
        ({ real, model }, act) => {
          if (act.do === "fork") return { real: real.fork(), model: [...model] };
          if (act.do === "load") return { real: real.load(real.save()), model: [...model] };
          if (act.do === "push") {
            real.push(act.value);
            model.push(act.value);
          } else {
            real.dropFirst(act.keep);
            model.splice(0, Math.max(0, model.length - act.keep));
          }
          return undefined;
        },
        (real, model) => {
          must(real.length === model.length, () => `${real.length} items, not ${model.length}`);
          must([...real].join() === model.join(), () => `[${[...real]}], not [${model}]`);
          for (let index = 0; index <= model.length; index++)
            must(
              real.at(index) === model[index],
              () => `at(${index}) is ${real.at(index)}, not ${model[index]}`,
            );
        },
      );
    });
  });
});

describe("A table", () => {
  interface Row {
    readonly id: string;
    readonly value: number;
  }
  const acts = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.record({ on, do: fc.constant("insert" as const), value: fc.nat() }) },
      {
        weight: 3,
        arbitrary: fc.record({
          on,
          do: fc.constantFrom("update" as const, "patch" as const),
          pick: on,
          value: fc.nat(),
        }),
      },
      { weight: 5, arbitrary: fc.record({ on, do: fc.constant("remove" as const), pick: on }) },
      fork,
      load,
    ),
    { maxLength: 80, size: "max" },
  );

  /** The rows with their places, in insertion order, and the next place. */
  class Model {
    rows = new Map<string, { readonly place: number; readonly row: Row }>();
    end = 0;

    copy(): Model {
      return Object.assign(new Model(), { rows: new Map(this.rows), end: this.end });
    }
  }

  it("keeps frozen records in insertion order at their places, whatever is done to its forks", () => {
    always(150, acts, (acts) => {
      let count = 0;
      followModel(
        { real: new Table<Row>(), model: new Model() },
        acts,
        ({ real, model }, act) => {
          if (act.do === "fork") return { real: real.fork(), model: model.copy() };
          if (act.do === "load") return { real: real.load(real.save()), model: model.copy() };
          const { rows } = model;
          if (act.do === "insert") {
            // an id may come again once its row was removed
            const row = { id: `row-${count++ % 12}`, value: act.value };
            if (!rows.has(row.id)) rows.set(row.id, { place: model.end++, row: real.insert(row) });
            return undefined;
          }
          const id = pickFrom([...rows.keys()], act.pick);
          if (id === undefined) return undefined;
          if (act.do === "remove") {
            real.remove(id);
            rows.delete(id);
          } else {
            const { value } = act;
            if (act.do === "patch") real.patch(id, { value });
            else
              real.update(id, (draft) => {
                draft.value = value;
              });
            rows.set(id, { place: rows.get(id)?.place ?? -1, row: { id, value } });
          }
          return undefined;
        },
        (real, { rows, end }) => {
          const all = Array.from(rows.values(), ({ place, row }) => [place, row] as const);
          expect([...real]).toEqual(all.map(([, row]) => row));
          for (const record of real) expect(Object.isFrozen(record)).toBe(true);
          expect([...real.fromOrdinal(undefined, -1)]).toEqual(all.toReversed());
          const middle = Math.floor(end / 2);
          expect([...real.fromOrdinal(middle, 1)]).toEqual(all.filter(([place]) => place >= middle));
          expect([...real.fromOrdinal(middle, -1)]).toEqual(
            all.filter(([place]) => place <= middle).reverse(),
          );
        },
      );
    });
  });

  it.each(["the table", "its fork"])("lists what is added while it is read, where %s is read", (which) => {
    const table = new Table<Row>();
    for (const id of ["a", "b", "c"]) table.insert({ id, value: 0 });
    const forked = table.fork();
    const read = which === "the table" ? table : forked;
    const seen: string[] = [];
    for (const { id } of read) {
      seen.push(id);
      if (id === "a") read.remove("a");
      if (id === "b") read.insert({ id: "d", value: 0 });
      if (id === "c") read.fork();
      if (id === "d") read.insert({ id: "e", value: 0 });
    }
    expect(seen).toEqual(["a", "b", "c", "d", "e"]);
    expect(Array.from(which === "the table" ? forked : table, ({ id }) => id)).toEqual(["a", "b", "c"]);
  });
});

describe("The agenda", () => {
  const acts = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ on, do: fc.constant("add" as const), dueMs: fc.nat({ max: 9 }) }) },
      // more than the agenda leaves in its heap before it removes them
      {
        weight: 1,
        arbitrary: fc.record({ on, do: fc.constant("addMany" as const), dueMs: fc.nat({ max: 9 }) }),
      },
      { weight: 4, arbitrary: fc.record({ on, do: fc.constant("cancel" as const), pick: on }) },
      { weight: 1, arbitrary: fc.record({ on, do: fc.constant("cancelMost" as const), pick: on }) },
      { weight: 4, arbitrary: fc.record({ on, do: fc.constant("take" as const) }) },
      fork,
      load,
    ),
    { maxLength: 40, size: "max" },
  );
  const item = (dueMs: number) => ({
    dueMs,
    task: "t",
    recordId: "r",
    purpose: "p",
    data: null,
    isBackground: dueMs % 3 > 0,
    depth: 0,
  });
  const inOrder = (items: readonly AgendaItem[]) =>
    [...items].sort((a, b) => a.dueMs - b.dueMs || a.serial - b.serial);

  function add(agenda: Agenda, model: AgendaItem[], dueMs: number): void {
    const serial = agenda.add(item(dueMs));
    model.push({ ...item(dueMs), serial });
  }

  function cancel(agenda: Agenda, model: AgendaItem[], pick: number): void {
    const chosen = pickFrom(model, pick);
    if (chosen === undefined) return;
    agenda.cancel(chosen.serial);
    model.splice(model.indexOf(chosen), 1);
  }

  it("runs uncancelled items by instant, ties first in, first out, whatever is done to its forks", () => {
    always(200, acts, (acts) => {
      followModel(
        { real: new Agenda(), model: [] as AgendaItem[] },
        acts,
        ({ real, model }, act) => {
          switch (act.do) {
            case "fork":
              return { real: real.fork(), model: [...model] };
            case "load":
              return { real: real.load(real.save()), model: [...model] };
            case "add":
              add(real, model, act.dueMs);
              break;
            case "addMany":
              for (let count = 0; count < 80; count++) add(real, model, (act.dueMs + count * 7) % 10);
              break;
            case "cancel":
              cancel(real, model, act.pick);
              break;
            case "cancelMost":
              for (let left = model.length * 0.8; left > 0; left--) cancel(real, model, act.pick + left * 3);
              break;
            case "take": {
              const next = inOrder(model)[0];
              expect(real.take()).toEqual(next);
              if (next !== undefined)
                model.splice(
                  model.findIndex(({ serial }) => serial === next.serial),
                  1,
                );
            }
          }
          return undefined;
        },
        (real, model) => {
          expect(real.size).toBe(model.length);
          expect(real.isIdle).toBe(model.every(({ isBackground }) => isBackground));
          expect(real.peek()).toEqual(inOrder(model)[0]);
        },
      );
    });
  });

  it("lists items in the order in which they run", () => {
    always(200, acts, (acts) => {
      const agenda = new Agenda();
      const model: AgendaItem[] = [];
      for (const act of acts) {
        if (act.do === "add" || act.do === "addMany") add(agenda, model, act.dueMs);
        else if (act.do === "cancel" || act.do === "cancelMost") cancel(agenda, model, act.pick);
      }
      const listed = agenda.list();
      const serials = new Set<number>();
      for (let next = agenda.take(); next !== undefined; next = agenda.take()) {
        expect(next).toEqual(listed[serials.size]);
        serials.add(next.serial);
      }
      expect(serials.size).toBe(listed.length);
      expect(listed).toEqual(inOrder(model));
    });
  });
});
