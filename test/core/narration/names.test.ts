import { describe, expect, it, test } from "vitest";
import { createSimulator, type OrganisationInput, type Simulator } from "../../../src/index.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";

/** Two Alexes, and two people called Sam Lee. */
const organisation: OrganisationInput = {
  id: "clinic",
  users: [
    { id: "a", email: "a@clinic.test", displayName: "Alex Smith", extension: "101" },
    { id: "b", email: "b@clinic.test", displayName: "Alex Jones", extension: "102" },
    { id: "s1", email: "s1@clinic.test", displayName: "Sam Lee", extension: "103" },
    { id: "s2", email: "s2@clinic.test", displayName: "Sam Lee", extension: "104" },
    { id: "m", email: "m@clinic.test", displayName: "Mia Kaur", extension: "105" },
  ],
  devices: [
    { id: "d1", displayName: "Door front", extension: "301" },
    { id: "d2", displayName: "Door back", extension: "302" },
  ],
  teams: [
    {
      id: "t",
      displayName: "Front desk",
      extension: "200",
      members: [
        { user: "a" },
        { user: "b" },
        { user: "s1" },
        { user: "s2" },
        { device: "d1" },
        { device: "d2" },
      ],
    },
  ],
  numbers: [
    { number: "+4930555001", owner: "t" },
    { number: "+4930555002", owner: "m" },
  ],
  phonebooks: [
    {
      id: "patients",
      name: "Patients",
      contacts: [
        { id: "j1", name: "Jane Roe", phoneNumbers: ["+49170111001"] },
        { id: "j2", name: "Jane Roe", phoneNumbers: ["+49170222002"] },
      ],
    },
  ],
};
const clinic = () => createSimulator({ organisation });
const lastCause = (sim: Simulator) =>
  sim.events
    .toTimeline()
    .split("\n")
    .findLast((line) => /^ {2,}\d/.test(line))
    ?.slice(12);

describe("A timeline", () => {
  it.each(["a", "A@clinic.test", "101"])("names the target of an addition that is given as %s", (target) => {
    const sim = clinic();
    const call = sim.calls.inbound({ from: "+49170111111", to: "+4930555001" });
    call.answer("b");
    sim.advance(1_000);
    call.add(target, { by: "b" });
    expect(lastCause(sim)).toBe("Alex Jones adds Alex Smith to the call");
  });

  it("names an outside target, and the owner of a number", () => {
    const sim = clinic();
    const call = sim.calls.inbound({ from: "+49170111111", to: "+4930555001" });
    call.answer("b");
    sim.advance(1_000);
    call.add("+49170111001", { by: "b" });
    expect(lastCause(sim)).toBe("Alex Jones adds Jane Roe (+49170111001) to the call");
    sim.advance(1_000);
    call.transfer("+4930555002", { by: "b", warm: true });
    expect(lastCause(sim)).toBe("Alex Jones transfers the call to Mia Kaur and stays");
  });

  it("adds the extension to a name that two people have, in commands, rings and events", () => {
    const sim = clinic();
    const call = sim.calls.inbound({ from: "+49170111111", to: "+4930555001" });
    call.answer("s2");
    sim.calls.internal({ from: "m", to: "103" });
    const timeline = sim.events.toTimeline();
    expect(timeline).toContain("Sam Lee, ext. 104 answers on mobile");
    expect(timeline).toContain("Sam Lee, ext. 103: rings on mobile");
    expect(timeline).toMatch(/call\.answered +by Sam Lee, ext\. 104, waited/);
    expect(timeline).toMatch(/user\.availability\.updated +Sam Lee, ext\. 104 busy/);
    expect(timeline).toContain("Mia Kaur calls Sam Lee (103)");
    expect(timeline).toMatch(/call\.started +internal, Mia Kaur to Sam Lee, ext\. 103/);
    expect(timeline).not.toMatch(/Alex Smith, ext|Sam Lee(?!, ext| \(103\))/);
  });

  it("names the calls of two callers of one name by their numbers", () => {
    const sim = clinic();
    sim.calls.inbound({ from: "+49170111001", to: "+4930555001" }).answer("a");
    sim.calls.inbound({ from: "+49170222002", to: "+4930555001" }).answer("b");
    expect(sim.events.toTimeline()).toContain(
      "Alex Jones answers on mobile (call of Jane Roe (+49170222002))",
    );
  });
});

const headsOf = (sim: Simulator) =>
  Object.fromEntries(
    Recording.from(sim.journal()).summary.lanes.map(({ id, short, secondLine }) => [
      id,
      secondLine === undefined ? short : `${short} / ${secondLine}`,
    ]),
  );

describe("The lanes of a page", () => {
  const sim = clinic();
  sim.calls.inbound({ from: "+49170111001", to: "+4930555001" });
  sim.calls.inbound({ from: "+49170222002", to: "+4930555001" });
  sim.calls.inbound({ from: "+49170993333", to: "+4930555001" });
  sim.calls.inbound({ from: "+49170883333", to: "+4930555001" });
  sim.calls.internal({ from: "m", to: "101" });

  it("tell people apart by the surname, and by the extension where the whole name is the same", () => {
    expect(headsOf(sim)).toMatchObject({
      a: "Alex / Smith",
      b: "Alex / Jones",
      s1: "Sam / 103",
      s2: "Sam / 104",
      m: "Mia",
      d1: "Door / front",
      d2: "Door / back",
    });
  });

  it("tell callers apart by the end of the number, as long as it must be", () => {
    expect(headsOf(sim)).toMatchObject({
      "+49170111001": "Jane / …1001",
      "+49170222002": "Jane / …2002",
      "+49170993333": "…93333",
      "+49170883333": "…83333",
    });
  });

  it("stand beside rows and lists with whole names that differ", () => {
    const { rows, summary } = Recording.from(sim.journal());
    const rings = rows.filter(({ kind }) => kind === "ring").map(({ subject }) => subject);
    expect(rings[0]).toBe(
      "Alex Smith; Alex Jones; Sam Lee, ext. 103; Sam Lee, ext. 104; Door front; Door back",
    );
    expect(summary.records.map(({ title }) => title)).toEqual([
      "Jane Roe, …1001 → Front desk",
      "Jane Roe, …2002 → Front desk",
      "+49 17 099 3333 → Front desk",
      "+49 17 088 3333 → Front desk",
      "Mia Kaur → Alex Smith",
    ]);
    expect(rows[0]).toMatchObject({ subject: "Jane Roe, …1001", verb: "calls Front desk" });
  });

  it("stand beside rows that say in words why somebody is busy or a call was missed", () => {
    const sim = clinic();
    const call = sim.calls.inbound({ from: "+49170993333", to: "+4930555001" });
    call.answer("a");
    sim.calls.inbound({ from: "+49170883333", to: "+4930555001" }).hangup("caller");
    const { rows } = Recording.from(sim.journal());
    const notes = rows.filter(({ kind }) => kind === "event").map(({ detail }) => detail);
    expect(notes).toContain("Alex Smith busy, on a call");
    expect(notes).toContain("abandoned, caller hung up, 0s");
  });

  it("stand beside rows and lists with phone numbers in groups, while data and timelines have them as they are", () => {
    const sim = clinic();
    sim.calls.outbound({ from: "m", to: "+49170993333" }).answer("callee");
    const call = sim.calls.inbound({ from: "+49170883333", to: "+4930555001" });
    sim.advance(1_000);
    call.answer("a");
    call.hangup("caller");
    const { rows, summary } = Recording.from(sim.journal());
    expect(summary.records.map(({ title }) => title)).toEqual([
      "Mia Kaur → +49 17 099 3333",
      "+49 17 088 3333 → Front desk",
    ]);
    const texts = rows.map(({ subject, verb, detail }) =>
      [subject, verb, detail].filter(Boolean).join(" | "),
    );
    expect(texts).toContain("+49 17 088 3333 | calls Front desk | +49 3 055 5001, ext. 200");
    expect(texts).toContain("call.hungup | +49 17 088 3333");
    expect(texts.join()).not.toMatch(/\+\d{5}/);
    expect(rows.map(({ source }) => source)).toContain("+49170883333");
    expect(sim.events.toTimeline()).toContain("+49170883333 calls +4930555001 (Front desk, 200)");
  });
});

test("The page of an import with stand-ins adds extensions and the ends of numbers to all names", () => {
  const sim = createSimulator({ organisation: { ...organisation, phonebooks: [] } });
  sim.calls.inbound({ from: "+49170111001", to: "+4930555002" }).answer("m");
  const capture = {
    verdict: "possible",
    hasStandIns: true,
    requests: 1,
    explained: 1,
    assumed: [],
    unexplained: [],
    problems: [],
    differences: 0,
  } as const;
  const { rows, summary } = Recording.from(sim.journal(), { capture });
  expect(rows.find(({ kind }) => kind === "answer")?.subject).toBe("Mia Kaur, ext. 105");
  expect(summary.records[0]?.title).toBe("+49 17 011 1001 → Mia Kaur, ext. 105");
});
