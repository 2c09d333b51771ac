import { describe, expect, test } from "vitest";
import { type Drift, importCapture } from "../../src/capture/index.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { edited, jsonl, type Line, lesson, received, withReceiver } from "./support.ts";

/**
 * Captures in the shape of real bodies. The content is made up: lessons played by a platform that decides otherwise where
 * its documentation is silent.
 */
const realAssumptions = {
  answeredStatus: "started",
  startedTarget: "present",
  eventDelay: "PT1.74S",
  dialLatency: "PT1.085S",
} as const;

/** What an app gets in a lesson from such a platform. The app's clock is 484 ms ahead. */
function receivedFromReal(name: string, assume: Readonly<Record<string, string>> = realAssumptions): Line[] {
  const { options, ...scenario } = withReceiver(lesson(name));
  const lines = received(runScenario({ ...scenario, options: { ...options, assume } }).simulator);
  return edited(lines, shaped).map((line) => ({ ...line, receivedAt: line.receivedAt + 484 }));
}

/** Undocumented event types. */
const undocumented = [
  "call.contact_assigned",
  "call.form.started",
  "call.form.submitted",
  "call.highlight.created",
  "call.highlight.recording_available",
  "call.note.created",
  "call.voicemail.available",
];

// biome-ignore lint/suspicious/noExplicitAny: the body gets another shape
type Body = any;

function shaped(body: Body): void {
  const { createdAt, createdTimestamp, data } = body;
  delete body.createdAt;
  delete body.createdTimestamp;
  Object.assign(body, { created: createdAt, timestamp: createdTimestamp, version: 1 });
  const { call, party } = data;
  if (call !== undefined && call !== null) {
    const { connections } = call;
    delete call.connections;
    for (const each of call.parties) shapeParty(each, connections);
    Object.assign(call, { assignedContact: null, user: null, highlights: [], forms: [] });
  }
  if (party !== undefined) shapeParty(party, call.connections ?? []);
}

function shapeParty(party: Body, connections: readonly Body[]): void {
  const { id, entryId, phoneNumber, displayName } = party;
  delete party.displayName;
  Object.assign(party, {
    displayValue: displayName ?? phoneNumber ?? "",
    id: entryId ?? phoneNumber ?? id,
    type: party.type === "external" ? "phone" : party.type,
    connections: connections
      .filter(({ partyId }) => partyId === id)
      .map(({ partyId: _, ...connection }) => connection),
    dials: party.dials.map(({ startedAt, reason, vendorCallIds }: Body) => ({
      dialAt: startedAt,
      reason: reason === "direct" ? "directDial" : reason,
      vendorCallIds,
    })),
  });
}

/** Drift as lines: the count, the path, and what was found there. */
function counted(drift: Drift): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(drift).map(([kind, items]: [string, Drift["fields"]]) => [
      kind,
      items.map(({ path, got, count }) => `${count} ${path}${got === undefined ? "" : ` = ${got}`}`),
    ]),
  );
}

/** The fields that are missing in dials with only `dialAt` and a reason. */
const dialFields = [
  ...["endedAt", "endedTimestamp", "endpoint", "outcome"],
  ...["startedAt", "startedTimestamp"],
];

describe("importCapture", () => {
  test("explains bodies of the real shape and lists exactly how they differ", async () => {
    const lines = receivedFromReal("01");
    const { verdict, problems, explained, assumed, drift } = await importCapture(jsonl(lines));
    expect({ verdict, problems, explained, assumed }).toEqual({
      ...{ verdict: "possible", problems: [], assumed: [] },
      explained: lines.length,
    });
    expect(counted(drift)).toEqual({
      fields: [
        "7 created",
        "5 data.call.assignedContact",
        "5 data.call.forms",
        "5 data.call.highlights",
        "5 data.call.parties[].connections",
        "4 data.call.parties[].dials[].dialAt",
        "5 data.call.parties[].displayValue",
        "5 data.call.user",
        "2 data.party.connections",
        "1 data.party.dials[].dialAt",
        "2 data.party.displayValue",
        "7 timestamp",
        "7 version",
      ],
      types: [],
      enums: [
        "4 data.call.parties[].dials[].reason = directDial",
        "5 data.call.parties[].type = phone",
        "1 data.party.dials[].reason = directDial",
        "1 data.party.type = phone",
      ],
      lacking: [
        "7 createdAt",
        "7 createdTimestamp",
        "5 data.call.connections",
        ...dialFields.map((name) => `4 data.call.parties[].dials[].${name}`),
        "5 data.call.parties[].displayName",
        ...dialFields.map((name) => `1 data.party.dials[].${name}`),
        "2 data.party.displayName",
      ],
      events: [],
    });
  });

  test.each(["03", "10", "17", "20", "29"])("explains lesson %s in the real shape", async (name) => {
    const lines = receivedFromReal(name);
    const { verdict, explained, yaml } = await importCapture(jsonl(lines), { redact: false });
    expect({ verdict, explained }).toEqual({ verdict: "possible", explained: lines.length });
    expect(yaml).toMatch(/^assume: .*eventDelay: PT1.74S, .*startedTarget: present/m);
    const { simulator } = runScenario(parseScenario(yaml));
    expect(simulator.events.length).toBeGreaterThanOrEqual(new Set(lines.map(({ body }) => body)).size);
  });

  test("explains a call.not_answered for each team, even if it arrives late", async () => {
    const assume = { notAnswered: "perTeam", ringingAvailability: "announced" };
    const lines = receivedFromReal("20", assume);
    const missed = lines.findIndex(({ body }) => JSON.parse(body).type === "call.not_answered");
    const late = lines.map((line, index) =>
      index === missed ? { ...line, receivedAt: line.receivedAt + 30_000 } : line,
    );
    for (const capture of [lines, late]) {
      const { verdict, explained, yaml } = await importCapture(jsonl(capture));
      expect({ verdict, explained }).toEqual({ verdict: "possible", explained: lines.length });
      expect(yaml).toMatch(/^assume: .*notAnswered: perTeam, .*ringingAvailability: announced/m);
    }
  });

  test("counts seven undocumented types as drift if a dialect declares them", async () => {
    const lines = receivedFromReal("01");
    const [last] = lines.slice(-1);
    const more = undocumented.flatMap((type) =>
      edited(last === undefined ? [] : [last], (body) => Object.assign(body, { id: type, type })),
    );
    const capture = jsonl([...lines, ...more]);
    const plain = await importCapture(capture);
    expect(plain.drift.events.map(({ path }) => path)).toEqual(undocumented);
    expect(plain).toMatchObject({ verdict: "undecided", explained: lines.length });
    const declared = await importCapture(capture, { dialect: { events: undocumented } });
    expect(declared.drift.events.map(({ path }) => path)).toEqual(undocumented);
    expect(declared).toMatchObject({ verdict: "possible", unexplained: [] });
  });
});
