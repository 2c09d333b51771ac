import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import { type LawName, laws } from "../../src/core/platform/base/laws.ts";
import { createSimulator } from "../../src/index.ts";
import { captured, edited, jsonl, type Line } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a body is changed in ways that its type forbids
type Body = any;

/** One change to the capture of a lesson that makes it impossible. */
interface Alteration {
  readonly lesson: string;
  /** Selects the event to change, the first that matches. */
  readonly of: (body: Body) => boolean;
  /** Changes its body. */
  readonly change: (body: Body) => void;
  /** Selects the event that breaks the law, if it is not the changed one. */
  readonly shows?: (body: Body) => boolean;
  /** Whether the changed event is added a minute later, beside the original. */
  readonly isBesides?: true;
}

const ofType =
  (type: string) =>
  (body: Body): boolean =>
    body.type === type;

function shift(record: Body, name: string, ms: number): void {
  record[`${name}Timestamp`] += ms;
  record[`${name}At`] = new Date(record[`${name}Timestamp`]).toISOString();
}

const again = (lesson: string, type: string): Alteration => ({
  lesson,
  of: ofType(type),
  change: () => {},
  isBesides: true,
});

/** A change for each law. A law without one does not compile. */
const alterations: Readonly<Record<LawName, Alteration>> = {
  "starts once": again("03", "call.started"),
  "answered once": again("01", "call.answered"),
  "missed once": again("03", "call.not_answered"),
  "closes once": again("01", "call.hungup"),
  "ends after it starts": {
    lesson: "01",
    of: ofType("call.ended"),
    change: ({ data: { call } }) => {
      shift(call, "started", 600_000);
      shift(call, "answered", 600_000);
    },
  },
  "answered before it ends": {
    lesson: "01",
    of: ofType("call.ended"),
    change: ({ data: { call } }) => shift(call, "answered", 600_000),
  },
  duration: {
    lesson: "01",
    of: ofType("call.ended"),
    change: ({ data: { call } }) => {
      call.duration += 30_000;
    },
  },
  "wait time": {
    lesson: "01",
    of: ofType("call.ended"),
    change: ({ data: { call } }) => {
      call.waitTime += 30_000;
    },
  },
  "connections belong to parties": {
    lesson: "01",
    of: ofType("call.ended"),
    change: ({ data: { call } }) => {
      call.connections[0].partyId = "party-99";
    },
  },
  "leaves after joining": {
    lesson: "01",
    of: ofType("call.ended"),
    change: ({ data: { call } }) => shift(call.connections[0], "left", -600_000),
  },
  "dials end after they start": {
    lesson: "03",
    of: ofType("call.not_answered"),
    change: ({ data: { call } }) => {
      const dial = call.parties.flatMap((party: Body) => party.dials)[0];
      shift(dial, "ended", -600_000);
    },
  },
  "answer joins": {
    lesson: "01",
    of: ofType("call.ended"),
    change: ({ data: { call } }) => {
      const dials = call.parties.flatMap((party: Body) => party.dials);
      shift(
        dials.find((dial: Body) => dial.outcome === "answered"),
        "ended",
        30_000,
      );
    },
  },
  "one call at a time": {
    lesson: "08",
    of: ({ type, data }) =>
      type === "call.ended" &&
      data.call.connections.some(
        ({ partyId }: Body) =>
          data.call.parties.find((each: Body) => each.id === partyId).type === "voicemail",
      ),
    change: ({ data: { call } }) => {
      Object.assign(call.parties[1], { type: "user", entryId: "alice" });
      for (const each of call.connections) {
        each.partyId = call.parties[1].id;
        shift(each, "left", 20_000);
      }
    },
    // which of the two calls was Alice's shows when she leaves the other
    shows: ({ type, data }) =>
      type === "call.hungup" &&
      data.call.connections.some(({ leftAt }: Body) => leftAt !== null) &&
      data.call.answeredAt !== null,
  },
  "hangs up as a party": {
    lesson: "01",
    of: ofType("call.hungup"),
    change: ({ data }) => {
      data.party = { ...data.party, id: "party-99", displayName: "Somebody" };
    },
  },
  "after the end": {
    lesson: "29",
    of: ofType("call.recording.available"),
    change: (body) => {
      shift(body.data.call, "ended", 600_000);
      body.data.call.duration += 600_000;
    },
  },
  "recording of the call": {
    lesson: "29",
    of: ofType("call.recording.available"),
    change: ({ data }) => {
      data.recording.callId = "call-99";
    },
  },
  "transcript of the call": {
    lesson: "29",
    of: ofType("call.transcript.created"),
    change: ({ data }) => {
      data.transcript.callId = "call-99";
    },
  },
  "message of the conversation": {
    lesson: "46",
    of: ofType("conversation.message.created"),
    change: ({ data }) => {
      data.message.id = "message-99";
    },
  },
  "closed stays closed": {
    lesson: "47",
    of: ofType("conversation.message.created"),
    change: (body) => {
      shift(body, "created", 40 * 86_400_000);
      shift(body.data.conversation, "lastModified", 40 * 86_400_000);
    },
    isBesides: true,
  },
  "completed after it was made": {
    lesson: "29",
    of: ofType("content_analysis.completed"),
    change: ({ data: { contentAnalysis } }) => shift(contentAnalysis, "created", 600_000),
  },
  "busy on a call names it": {
    lesson: "01",
    of: ({ type, data }) => type === "user.availability.updated" && data.user.availability.status === "busy",
    change: ({ data: { user } }) => {
      user.availability.callId = null;
    },
  },
  "available is not busy": {
    lesson: "01",
    of: ({ type, data }) =>
      type === "user.availability.updated" && data.user.availability.status === "available",
    change: (body) => {
      shift(body, "created", -30_000);
      shift(body.data.user.availability, "status", -30_000);
    },
  },
  "team counts its members": {
    lesson: "17",
    of: ofType("team.availability.updated"),
    change: ({ data: { team } }) => {
      team.availability.totalMembers += 7;
    },
  },
};

/** The changed capture, and the line that breaks the law. */
function altered({ lesson, of, change, isBesides, shows }: Alteration): { lines: Line[]; line: number } {
  const lines = captured(lesson);
  const index = lines.findIndex(({ body }) => of(JSON.parse(body)));
  const found = lines[index];
  if (found === undefined) throw new Error(`the lesson ${lesson} has no such event`);
  const body = JSON.parse(found.body);
  if (isBesides === true) {
    body.id = "event-999";
    shift(body, "created", 60_000);
    if (body.data.call !== undefined) shift(body.data.call, "lastModified", 60_000);
  }
  change(body);
  const changed = { ...found, body: JSON.stringify(body) };
  if (isBesides === true) return { lines: [...lines, changed], line: lines.length + 1 };
  const broken = shows === undefined ? index : lines.findIndex(({ body: each }) => shows(JSON.parse(each)));
  return { lines: lines.with(index, changed), line: broken + 1 };
}

test("every law is broken by one of the altered captures", () => {
  expect(Object.keys(alterations).sort()).toEqual(Object.keys(laws).sort());
});

describe("importCapture", () => {
  test.each(Object.entries(alterations))(
    "names the one line that breaks the law %s",
    async (law, alteration) => {
      const { lines, line } = altered(alteration);
      const { verdict, unexplained } = await importCapture(jsonl(lines));
      expect(verdict).toBe("impossible");
      expect(unexplained.map((each) => ({ line: each.line, law: each.law }))).toEqual([{ line, law }]);
      const follow = unexplained.flatMap(({ follows }) => follows.map((each) => each.line));
      expect(follow).toEqual([...new Set(follow)]);
      expect(follow).not.toContain(line);
    },
  );

  test("lists under an impossible event the events that follow from it, each once with its reason", async () => {
    const { lines } = altered(alterations["answer joins"]);
    const { unexplained, requests, explained } = await importCapture(jsonl(lines));
    expect(unexplained[0]?.follows[0]).toEqual({
      line: 2,
      event: "call.answered",
      because: expect.stringMatching(/^answer at 09:00:36\.000 is not possible: user-1 cannot answer/),
    });
    expect(unexplained[0]?.follows).toHaveLength(requests - explained);
  });
});

/** A day of calls to the demo organisation's main number, each answered by the first to ring. */
function dayOf(calls: number): Line[] {
  const sim = createSimulator();
  for (let count = 0; count < calls; count++) {
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550101" });
    sim.advance(3_000);
    const [ring] = call.ringing();
    if (ring !== undefined && "user" in ring) call.answer(ring.user, { endpoint: ring.endpoint });
    sim.advance(20_000);
    call.hangup("caller");
    sim.advance(600_000);
  }
  return sim.events.map((event) => ({
    receivedAt: event.createdTimestamp,
    headers: {},
    body: JSON.stringify(event),
  }));
}

describe("importCapture given a day with one unexplained event", () => {
  const lines = dayOf(80);
  const isBusy = (body: Body) => body.data.user?.availability.notAvailableRule === "busyOnACall";
  const index = lines.findIndex(({ body }) => isBusy(JSON.parse(body)));
  const late = edited(lines, (body, at) => {
    if (at === index) shift(body, "created", 7_000);
  });

  test("explains all other events, though a user's availability follows from it", async () => {
    const { requests, explained, unexplained } = await importCapture(jsonl(late));
    expect(unexplained.map(({ line }) => line)).toEqual([index + 1]);
    expect(unexplained[0]?.because).toBe(
      "no cause for it was found, such as setAvailability or setEndpoint or setUserStatus",
    );
    expect(unexplained[0]?.nearest).toBe("user.availability.updated at 00:00:03.000");
    expect(explained).toBe(requests - 1);
  });

  test("searches only around the event, which costs little more than one run", async () => {
    expect(await importCapture(jsonl(late), { search: 2 })).toMatchObject({ isSpent: false });
  });
});
