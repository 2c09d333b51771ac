import { describe, expect, test } from "vitest";
import { Agenda } from "../../../src/core/engine/agenda.ts";

const item = (dueMs: number) => ({
  ...{ dueMs, task: "t", recordId: "r", purpose: "p", data: null, isBackground: false, depth: 0 },
});
const serials = (items: readonly { serial: number }[]) => items.map(({ serial }) => serial);

/** Four items of one instant, 0 to 3, and one before and one after it, 4 and 5. */
function agendaOf(): Agenda {
  const agenda = new Agenda();
  for (const dueMs of [5, 5, 5, 5, 1, 9]) agenda.add(item(dueMs));
  agenda.take();
  return agenda;
}

describe("An item that is moved ahead", () => {
  test("runs before the others of its instant, after those moved before", () => {
    const agenda = agendaOf();
    agenda.moveAhead(2);
    agenda.moveAhead(1);
    expect(serials(agenda.list())).toEqual([2, 1, 0, 3, 5]);
    expect(serials(agenda.ties())).toEqual([2, 1, 0, 3]);
    expect(serials(agenda.dueAt(5))).toEqual([2, 1, 0, 3]);
    expect([agenda.take(), agenda.take(), agenda.take()].map((each) => each?.serial)).toEqual([2, 1, 0]);
  });

  test("can be cancelled, and no other is", () => {
    const agenda = agendaOf();
    agenda.moveAhead(2);
    agenda.moveAhead(1);
    agenda.cancel(2);
    expect(serials(agenda.list())).toEqual([1, 0, 3, 5]);
    expect({ size: agenda.size, next: agenda.peek()?.serial }).toEqual({ size: 4, next: 1 });
  });

  test("is ahead in a fork too", () => {
    const agenda = agendaOf();
    agenda.moveAhead(3);
    expect(serials(agenda.fork().list())).toEqual([3, 0, 1, 2, 5]);
  });
});

describe("The items of an instant", () => {
  test("leave out those that are cancelled, and those of other instants", () => {
    const agenda = agendaOf();
    agenda.cancel(1);
    expect(serials(agenda.dueAt(5))).toEqual([0, 2, 3]);
    expect(serials(agenda.dueAt(9))).toEqual([5]);
    expect(serials(agenda.dueAt(6))).toEqual([]);
  });

  test("are found from a serial on", () => {
    const agenda = agendaOf();
    expect(serials(agenda.dueSince(5, 1))).toEqual([2, 3]);
    expect(serials(agenda.dueSince(9, 1))).toEqual([5]);
  });

  test("that tie with the first are only the first if the next is due later", () => {
    const agenda = new Agenda();
    for (const dueMs of [1, 2, 3]) agenda.add(item(dueMs));
    expect(serials(agenda.ties())).toEqual([0]);
    expect(new Agenda().ties()).toEqual([]);
  });
});
