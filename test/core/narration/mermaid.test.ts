import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSimulator, parseScenario, runScenario, type Simulator } from "../../../src/index.ts";
import { sixthOf } from "../../counts.ts";

const folder = new URL("../../../scenarios/", import.meta.url);
const lessons = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

function lesson(start: string): Simulator {
  const name = lessons.find((each) => each.startsWith(start)) ?? start;
  return runScenario(parseScenario(readFileSync(new URL(name, folder), "utf8"))).simulator;
}

const statements = {
  declaration: /^ {2}(?:actor|participant) (?<id>\w+) as (?<text>.+)$/,
  note: /^ {2}Note over (?<id>\w+)(?:,(?<other>\w+))?: (?<text>.+)$/,
  arrow: /^ {2}(?<id>\w+)(?:->>|-->>|-\))(?<other>\w+): (?<text>.+)$/,
};

/** The parts of our statements that Mermaid misreads in a sequence diagram. */
function problemsOf(diagram: string): string[] {
  const [head, ...lines] = diagram.trimEnd().split("\n");
  const declared = new Set<string>();
  const problems = head === "sequenceDiagram" ? [] : [`begins with ${head}`];
  for (const line of lines) {
    const kind = Object.entries(statements).find(([, pattern]) => pattern.test(line));
    const { id = "", other, text = "" } = kind?.[1].exec(line)?.groups ?? {};
    if (kind === undefined) problems.push(`no statement: ${line}`);
    else if (kind[0] === "declaration") declared.add(id);
    else
      for (const each of [id, other]) if (each && !declared.has(each)) problems.push(`not declared: ${line}`);
    // entities and line breaks are intended; everything else that looks like syntax is a mistake
    const rest = text.replaceAll(/#\d+;/g, "").replace("<br/>", "");
    if (/[#;<>&%$\p{Cc}\u2028\u2029]/u.test(rest)) problems.push(`not escaped: ${line}`);
    if (kind?.[0] === "declaration" && rest.includes(":")) problems.push(`not escaped: ${line}`);
  }
  return problems;
}

/** The text of a diagram that a reader sees. */
function seen(diagram: string): string {
  return diagram.replaceAll(/#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

describe("toMermaid", () => {
  test("draws the first lesson: callers, the platform, users, the events", () => {
    expect(lesson("01").events.toMermaid()).toMatchInlineSnapshot(`
      "sequenceDiagram
        actor P1 as Jane Smith (+6421555001)
        participant P2 as Acme
        actor P3 as Alice Ng
        participant E as events
        P1->>P2: calls +6495550100 (Alice Ng, 101)
        P2-)E: call.started<br/>inbound from Jane Smith (+6421555001)
        P2-->>P3: rings on mobile, desktop
        Note over P1,E: 6s later
        P3->>P2: answers on desktop
        P2-->>P3: mobile stops (answered elsewhere)
        P2-)E: call.answered<br/>by Alice Ng, waited 6s
        P2-)E: user.availability.updated<br/>Alice Ng busy - busyOnACall
        Note over P1,E: 1m later
        P1->>P2: hangs up
        P2-)E: call.hungup<br/>Jane Smith
        P2-)E: call.hungup<br/>Alice Ng
        P2-)E: user.availability.updated<br/>Alice Ng available
        P2-)E: call.ended<br/>answered, 1m 6s
      "
    `);
  });

  test("draws voicemail", () => {
    expect(lesson("04").events.toMermaid()).toMatchInlineSnapshot(`
      "sequenceDiagram
        actor P1 as Jane Smith (+6421555001)
        participant P2 as Acme
        actor P3 as Alice Ng
        participant E as events
        P1->>P2: calls +6495550100 (Alice Ng, 101)
        P2-)E: call.started<br/>inbound from Jane Smith (+6421555001)
        P2-->>P3: rings on mobile, desktop
        Note over P1,E: 30s later
        Note over P2: nobody answered in time
        P2-->>P3: mobile, desktop stop (timeout)
        P2-)E: call.not_answered<br/>missed
        P2-->>P1: hears the greeting of Alice Ng's voicemail
        Note over P1,E: 1s later
        P1->>P2: has a message of 12s
        Note over P1,E: 4s later
        Note over P2: the greeting is over
        P2-->>P1: hears the tone
        Note over P1,E: 12s later
        Note over P2: the caller has said it all
        P2-)E: call.hungup<br/>Jane Smith
        P2-)E: call.ended<br/>missed - voicemail, 47s
        Note over P1,E: 5s later
        Note over P2: the recording is ready
        P2-)E: call.recording.available<br/>48000 bytes of audio/mpeg
        Note over P1,E: 25s later
        Note over P2: the transcript is ready
        P2-)E: call.transcript.created<br/>"Please call me back."
        P2-)E: transcript.created<br/>"Please call me back."
        P2-)E: call.transcription_completed<br/>1 transcript
      "
    `);
  });

  test("names the call of each arrow if two are active", () => {
    expect(lesson("12").events.toMermaid()).toMatchInlineSnapshot(`
      "sequenceDiagram
        actor P1 as Jane Smith (+6421555001)
        actor P2 as Kiwi Freight (+6421555002)
        participant P3 as Acme
        actor P4 as Alice Ng
        participant E as events
        P1->>P3: calls +6495550100 (Alice Ng, 101)
        P3-)E: call.started<br/>inbound from Jane Smith (+6421555001)
        P3-->>P4: rings on mobile, desktop
        Note over P1,E: 3s later
        P2->>P3: calls +6495550101 (Alice Ng, 101)
        P3-)E: call.started<br/>inbound from Kiwi Freight (+6421555002)
        P3-->>P4: rings on mobile, desktop
        Note over P1,E: 5s later
        P4->>P3: answers on mobile (call of Kiwi Freight)
        P3-->>P4: desktop stops (answered elsewhere)
        P3-)E: call.answered<br/>by Alice Ng, waited 5s, call of Kiwi Freight
        P3-)E: user.availability.updated<br/>Alice Ng busy - busyOnACall
        P3-->>P4: mobile, desktop stop (withdrawn), call of Jane Smith
        P3-)E: call.not_answered<br/>missed, call of Jane Smith
        P3-->>P1: hears the greeting of Alice Ng's voicemail
        Note over P1,E: 2s later
        P1->>P3: hangs up
        P3-)E: call.hungup<br/>Jane Smith
        P3-)E: call.ended<br/>missed - unavailable, 10s, call of Jane Smith
        Note over P1,E: 30s later
        P2->>P3: hangs up
        P3-)E: call.hungup<br/>Kiwi Freight
        P3-)E: call.hungup<br/>Alice Ng, call of Kiwi Freight
        P3-)E: user.availability.updated<br/>Alice Ng available
        P3-)E: call.ended<br/>answered, 37s, call of Kiwi Freight
      "
    `);
  });

  test.each(sixthOf(lessons, 1))("of %s is well-formed and has every event, in order", (name) => {
    const { events } = lesson(name);
    const diagram = events.toMermaid();
    expect(problemsOf(diagram)).toEqual([]);
    const drawn = [...diagram.matchAll(/-\)E: (\S+)<br\/>/g)].map(([, type]) => type);
    expect(drawn).toEqual(events.map(({ type }) => type));
  });

  test("of an empty run has only the platform and the events", () => {
    expect(createSimulator().events.toMermaid()).toBe(
      "sequenceDiagram\n  participant P1 as Acme\n  participant E as events\n",
    );
  });

  test("shows passing time to the millisecond", () => {
    const sim = createSimulator();
    for (const ms of [250, 61_001]) {
      sim.advance(ms);
      sim.users.get("alice").setAvailability(ms === 250 ? "busy" : "available");
    }
    expect(sim.events.toMermaid().match(/Note over .*/g)).toEqual([
      "Note over P1,E: 250ms later",
      "Note over P1,E: 1m 1s 1ms later",
    ]);
  });

  test("draws a user whose id is a name of the platform", () => {
    const users = [{ id: "platform", email: "p@acme.test", displayName: "Pat", extension: "1" }];
    const sim = createSimulator({ organisation: { id: "acme", name: "Acme", users } });
    sim.users.get("platform").setAvailability("busy");
    expect(sim.events.toMermaid()).toContain(
      "  participant P1 as Acme\n  actor P2 as Pat\n  participant E as events\n  P2->>P1: sets availability to busy\n",
    );
  });
});

describe("names in a diagram", () => {
  /** A run in which everything with a name or a text has this one. */
  function namedThroughout(name: string): Simulator {
    const user = { email: "ann@acme.test", displayName: name, extension: "1", voicemail: true };
    const sim = createSimulator({
      organisation: {
        id: "acme",
        name,
        numbers: [{ number: "+6495550100", owner: "ann" }],
        users: [{ ...user, id: "ann", endpoints: [{ id: name, type: "sip" }] }],
        features: { transcription: true },
        phonebooks: [{ id: "all", contacts: [{ id: "caller", name, phoneNumbers: ["+6421555001"] }] }],
      },
    });
    sim.users.get("ann").setAvailability("busy", { reason: name });
    sim.users.get("ann").setAvailability("available");
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT31S");
    call.leaveVoicemail({ duration: "PT5S", transcript: name });
    sim.runUntilIdle();
    return sim;
  }

  test.each([
    "end",
    "Ann; Bob",
    "Ann # 1",
    "#59;",
    "<b>Ann</b>",
    "<br/>",
    "&lt;Ann&gt;",
    "\"Ann\" 'Bob' `Cy`",
    "wrap: Ann",
    "loop Ann",
    "Note over P1",
    "P1->>P2: x",
    "Ann as Bob",
    "%% Ann",
    "%%{init: {'theme': 'dark'}}%%",
    "$$x^2$$",
    "A@{ x }",
    "---",
    "Zoë 💡",
  ])("%j is drawn unchanged", (name) => {
    const diagram = namedThroughout(name).events.toMermaid();
    expect(problemsOf(diagram)).toEqual([]);
    expect(seen(diagram)).toContain(`  participant P2 as ${name}\n`);
    expect(seen(diagram)).toContain(`  P2-->>P3: rings on ${name}\n`);
    expect(seen(diagram)).toContain(`  P2-)E: call.hungup<br/>${name}\n`);
  });

  test.each(["Ann\nBob", "Ann\r\n\tBob", "Ann\u2028Bob", "Ann\u0000Bob", "Ann\u001bBob"])(
    "such as %j stay on one line, in diagrams and timelines",
    (name) => {
      const { events } = namedThroughout(name);
      expect(problemsOf(events.toMermaid())).toEqual([]);
      expect(events.toMermaid()).toContain("  P2-)E: call.hungup<br/>Ann Bob\n");
      expect(events.toTimeline()).toContain("* call.hungup                    Ann Bob\n");
      expect(events.toTimeline()).toMatch(/^Ann Bob {3}2026/);
      expect(events.toTimeline().replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u2028]/u);
    },
  );

  test("are distinguished from syntax by the check above", () => {
    const withText = (text: string) => `sequenceDiagram\n  actor P1 as ${text}\n`;
    for (const text of ["a; b", "a # b", "<b>", "a\nb", "%%{x}%%", "wrap: a"])
      expect(problemsOf(withText(text)), text).not.toEqual([]);
    expect(problemsOf("sequenceDiagram\n  P1->>P2: calls\n")).toHaveLength(2);
    expect(problemsOf("flowchart\n")).toEqual(["begins with flowchart"]);
  });
});
