import { describe, expect, test } from "vitest";
import { readLessons } from "../../docs/learn/lessons.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import type { Question } from "../../src/inspector/model/question.ts";
import { makeQuestions } from "../../src/inspector/model/questions.ts";
import { Recording } from "../../src/inspector/model/recording.ts";
import type { PageRow } from "../../src/inspector/model/types.ts";
import { expectNone } from "../lists.ts";

/** Every sentence that *Teach* says of a run by itself is so in that run. */

/** What a sentence is judged by: the run's own records, not the rows that the sentence was made of. */
interface Asked {
  readonly recording: Recording;
  readonly row: PageRow;
  readonly question: Question;
}

const sim = ({ recording }: Asked) => recording.simulator;
const eventOf = ({ recording, row }: Asked) => recording.recorder.events[row.event ?? -1];
const dataOf = (asked: Asked) =>
  eventOf(asked)?.data as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
const callOf = (asked: Asked) =>
  sim(asked).calls.get(asked.recording.summary.records[asked.row.record]?.id ?? "").record;
const allCalls = (asked: Asked) =>
  sim(asked)
    .calls.list()
    .map(({ record }) => record);
const atOf = ({ recording, row }: Asked) => recording.summary.startMs + row.atMs;
const named = (asked: Asked, name: string) => {
  const lane = asked.recording.summary.lanes.find((each) => each.short === name || each.name === name);
  if (lane === undefined) throw new Error(`nobody is called ${name}`);
  return lane.id;
};
const people = (asked: Asked, list: string) => list.split(/, | and /).map((name) => named(asked, name));
const teamOf = (asked: Asked, name: string) =>
  sim(asked)
    .teams.list()
    .find(({ record }) => record.displayName === name)?.record;
const dialsBefore = (asked: Asked) =>
  callOf(asked).parties.flatMap((party) =>
    party.dials.map((dial) => ({ ...dial, id: party.entryId ?? party.phoneNumber })),
  );
const endedNow = (asked: Asked) =>
  dialsBefore(asked).filter(({ endedTimestamp }) => endedTimestamp === atOf(asked));
const eventsNow = (asked: Asked) => {
  const call = callOf(asked).id;
  return sim(asked).events.filter(
    ({ createdTimestamp, data }) =>
      createdTimestamp === atOf(asked) && "call" in data && data.call.id === call,
  );
};
const priorityOf = (asked: Asked, team: string, id: string) =>
  teamOf(asked, team)?.teamMembers.find((member) => member.id === id)?.priority;
const isChoice = (asked: Asked, list: string, ordinal: string, team: string) =>
  people(asked, list).every(
    (id) => priorityOf(asked, team, id) === ["first", "second", "third"].indexOf(ordinal) + 1,
  );
const isConversation = (asked: Asked, status: string) => dataOf(asked).conversation?.status === status;

type Rule = readonly [sentence: RegExp, holds: (asked: Asked, ...words: string[]) => boolean];

const rules: readonly Rule[] = [
  [/^A call has begun$/, (asked) => callOf(asked).startedTimestamp === atOf(asked)],
  [
    /^These phones ring at once: (.+)$/,
    (asked, phones = "") => {
      const begun = dialsBefore(asked).filter(({ startedTimestamp }) => startedTimestamp === atOf(asked));
      return phones.split(/, | and /).every((phone) => begun.some(({ endpoint }) => endpoint === phone));
    },
  ],
  [
    /^The call goes to (.+)$/,
    (asked, list = "") =>
      people(asked, list).every((id) =>
        dialsBefore(asked).some((dial) => dial.id === id && dial.startedTimestamp === atOf(asked)),
      ),
  ],
  [
    /^The call was taken by (.+)$/,
    (asked, name = "") =>
      dialsBefore(asked).some(
        (dial) =>
          dial.id === named(asked, name) &&
          dial.outcome === "answered" &&
          dial.endedTimestamp === atOf(asked),
      ),
  ],
  [
    /^The other phones stop$/,
    (asked) => endedNow(asked).some(({ outcome }) => outcome === "answeredElsewhere"),
  ],
  [
    /^(.+) leaves the call$/,
    (asked, name = "") => {
      const party = dataOf(asked).party as unknown as {
        readonly displayName: string | null;
        readonly phoneNumber: string | null;
      };
      return (
        [party.displayName, party.phoneNumber].includes(name) || named(asked, name) === party.phoneNumber
      );
    },
  ],
  [
    /^Each party has an event of its own$/,
    (asked) => eventsNow(asked).filter(({ type }) => type === "call.hungup").length > 1,
  ],
  [/^Nobody took the call, so it is missed$/, (asked) => callOf(asked).outcome?.status === "missed"],
  [
    /^Nobody took the call$/,
    (asked) =>
      dialsBefore(asked).every(
        ({ outcome, endedTimestamp }) => outcome !== "answered" || (endedTimestamp ?? 0) > atOf(asked),
      ),
  ],
  [
    /^Voicemail answers after this event$/,
    (asked) =>
      asked.recording.rows.some(
        ({ index, atMs, kind, record }) =>
          kind === "voicemail" &&
          index > asked.row.index &&
          atMs === asked.row.atMs &&
          record === asked.row.record,
      ),
  ],
  [
    /^The caller left before anybody answered: the call counts as abandoned, not as missed$/,
    (asked) =>
      callOf(asked).outcome?.status === "abandoned" && callOf(asked).outcome?.reason === "callerHungUp",
  ],
  [
    /^The call has gone to voicemail, which begins with its greeting$/,
    (asked) => {
      const { summary, row } = asked.recording && { summary: asked.recording.summary, row: asked.row };
      return (
        summary.records[row.record]?.spans.some(
          ({ kind, fromMs }) => kind === "voicemail" && fromMs === row.atMs,
        ) === true
      );
    },
  ],
  [
    /^(.+) is (available|busy|offline) now$/,
    (asked, _, state = "") =>
      (dataOf(asked).user as { readonly availability?: { readonly status: string } } | undefined)
        ?.availability?.status === state,
  ],
  [
    /^The user's event comes before the team's$/,
    (asked) => {
      const types = sim(asked)
        .events.filter(({ createdTimestamp }) => createdTimestamp === atOf(asked))
        .map(({ type }) => type);
      return types.indexOf("user.availability.updated") < types.indexOf("team.availability.updated");
    },
  ],
  [
    /^(.+) (?:is|are) the (\w+) choices? of (.+?)(?:, and ring together)?$/,
    (asked, list = "", ordinal = "", team = "") => isChoice(asked, list, ordinal, team),
  ],
  [
    /^(.+) had (.+) and stops? ringing$/,
    (asked, list = "", time = "") => {
      const seconds = Number(/^(\d+) seconds?$/.exec(time)?.[1]);
      return people(asked, list).every((id) =>
        endedNow(asked).some(
          (dial) =>
            dial.id === id &&
            dial.outcome !== "declined" &&
            (dial.endedTimestamp ?? 0) - dial.startedTimestamp === seconds * 1000,
        ),
      );
    },
  ],
  [
    /^(.+) ha(?:s|ve) declined$/,
    (asked, list = "") =>
      people(asked, list).every((id) =>
        dialsBefore(asked).some((dial) => dial.id === id && dial.outcome === "declined"),
      ),
  ],
  [/^No event tells your app so$/, (asked) => eventsNow(asked).length === 0],
  [
    /^No further choice of (.+) is left, so (.+) rings? again$/,
    (asked, team = "", list = "") => {
      const rang = new Set(
        dialsBefore(asked)
          .filter(({ startedTimestamp }) => startedTimestamp < atOf(asked))
          .map(({ id }) => id),
      );
      const members = teamOf(asked, team)?.teamMembers ?? [];
      return (
        people(asked, list).every((id) => rang.has(id)) &&
        members.every(({ id }) => rang.has(id) || !isFree(asked, id))
      );
    },
  ],
  [
    /^The call goes on from (.+) to (.+)$/,
    (asked, from = "", to = "") => {
      const holds = asked.recording.summary.holds.filter(({ record }) => record === asked.row.record);
      const at = (name: string) => holds.find(({ team }) => team === teamOf(asked, name)?.id);
      const instant = (row = -1) => asked.recording.rows[row]?.atMs;
      return instant(at(from)?.toRow) === asked.row.atMs && instant(at(to)?.fromRow) === asked.row.atMs;
    },
  ],
  [/^Nobody is on the call any more$/, (asked) => callOf(asked).endedTimestamp === atOf(asked)],
  [/^There is a recording now$/, (asked) => JSON.stringify(dataOf(asked)).includes("recording")],
  [/^There is a transcript now$/, (asked) => JSON.stringify(dataOf(asked)).includes("transcript")],
  [
    /^All transcripts of the call are there$/,
    (asked) =>
      sim(asked).events.every(
        ({ type, createdTimestamp, data }) =>
          type !== "call.transcript.created" ||
          !("call" in data) ||
          data.call.id !== callOf(asked).id ||
          createdTimestamp <= atOf(asked),
      ),
  ],
  [/^There is an analysis now$/, (asked) => eventOf(asked)?.type === "content_analysis.completed"],
  [
    /^The call is over, and its price is known$/,
    (asked) =>
      callOf(asked).endedTimestamp !== null &&
      (callOf(asked).endedTimestamp ?? 0) <= atOf(asked) &&
      JSON.stringify(dataOf(asked)).includes("amount"),
  ],
  [
    /^A contact is shared with those who take part$/,
    (asked) => Array.isArray(dataOf(asked).participants) && dataOf(asked).contact !== undefined,
  ],
  [/^A message was written$/, (asked) => dataOf(asked).message !== undefined],
  [
    /^Nobody has written for a while\. The conversation is not over$/,
    (asked) => isConversation(asked, "inactive"),
  ],
  [/^The conversation is over$/, (asked) => isConversation(asked, "closed")],
  [
    /^The conversation has a contact now$/,
    (asked) => (dataOf(asked).conversation?.contacts as unknown[] | undefined)?.length !== 0,
  ],
  [
    /^A delivery of it fails \((.+)\)$/,
    (asked, text = "") => {
      const { id } = eventOf(asked) as { readonly id: string };
      const first = deliveriesOf(asked, id).map(({ attempts }) => attempts[0]);
      return first.some(
        (attempt) =>
          (text === "no answer"
            ? attempt?.failure === "timeout"
            : [String(attempt?.status), attempt?.failure].includes(text)) && attempt?.failure !== null,
      );
    },
  ],
  [
    /^The platform sends it again later$/,
    (asked) => deliveriesOf(asked, eventOf(asked)?.id ?? "").some(({ attempts }) => attempts.length > 1),
  ],
];

function isFree(asked: Asked, id: string): boolean {
  const user = sim(asked)
    .at(atOf(asked))
    .users.list()
    .find((each) => each.id === id);
  return user?.record.availability.status === "available";
}

const deliveriesOf = (asked: Asked, event: string) =>
  sim(asked)
    .webhooks.list()
    .flatMap(({ id }) => sim(asked).webhooks.deliveries(id))
    .filter((each) => each.event.id === event);

/** The sentences of a text that no rule proves. */
function unproven(asked: Asked): string[] {
  const text = asked.question.because.replace("for a while. The", "for a while§ The");
  return text
    .split(/(?<=\.) /)
    .map((sentence) => sentence.replace("§", ".").replace(/\.$/, ""))
    .filter((sentence) => {
      const rule = rules.find(([form]) => form.test(sentence));
      return rule === undefined || !rule[1](asked, ...(rule[0].exec(sentence)?.slice(1) ?? []));
    });
}

const recorded = readLessons().map(({ number, scenario }) => {
  const recording = Recording.from(runScenario(scenario).simulator.journal());
  return { number, recording, questions: makeQuestions(recording).list };
});

describe("in the run of every lesson", () => {
  test("each sentence of a reason is so", () => {
    expect(recorded.flatMap(({ questions }) => questions).length).toBeGreaterThan(300);
    expectNone(
      recorded.flatMap(({ number, recording, questions }) =>
        questions.flatMap((question) => {
          const row = recording.rows[question.answerRow] as PageRow;
          return unproven({ recording, row, question }).map(
            (sentence) => `${number}: ${question.text} ${sentence}`,
          );
        }),
      ),
    );
  });

  test("who is said to have rung for a time has rung for exactly that time", () => {
    const said = recorded.flatMap(({ recording, questions, number }) =>
      questions.flatMap((question) => {
        const [, list, time] =
          /^(.+) answers(?: the call of .+)? after (\d+) seconds? of ringing\./.exec(question.text) ?? [];
        if (list === undefined) return [];
        const asked = { recording, question, row: recording.rows[question.answerRow] as PageRow };
        const [id] = people(asked, list);
        const dials = allCalls(asked).flatMap(({ parties }) =>
          parties
            .filter(({ entryId, phoneNumber }) => [entryId, phoneNumber].includes(id))
            .flatMap((each) => each.dials),
        );
        const dial = dials.find((each) => each.endedTimestamp === atOf(asked) && each.outcome === "answered");
        const ms = (dial?.endedTimestamp ?? 0) - (dial?.startedTimestamp ?? 0);
        return [{ text: `${number}: ${question.text}`, isSo: Math.round(ms / 1000) === Number(time) }];
      }),
    );
    expect(said.length).toBeGreaterThan(20);
    expectNone(said.filter(({ isSo }) => !isSo).map(({ text }) => text));
  });

  test("a time after the call began is the time since then", () => {
    const said = recorded.flatMap(({ recording, questions }) =>
      questions
        .filter(({ text }) => /hangs up \d+ seconds? after the call began/.test(text))
        .map((question) => {
          const asked = { recording, question, row: recording.rows[question.answerRow] as PageRow };
          const seconds = Number(/ (\d+) seconds? after/.exec(question.text)?.[1]);
          const left = sim(asked).events.filter(
            ({ type, createdTimestamp }) =>
              /hungup|not_answered/.test(type) && createdTimestamp === atOf(asked),
          );
          const calls = left.flatMap(({ data }) => ("call" in data ? [data.call] : []));
          return calls.some((call) => Math.round((atOf(asked) - call.startedTimestamp) / 1000) === seconds);
        }),
    );
    expect(said.length).toBeGreaterThan(10);
    expect(said.filter((isSo) => !isSo)).toEqual([]);
  });
});

describe("the questions of a file", () => {
  const text = `scenario: Who is on a call is not rung
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT2S, answer: { call: c1, by: alice } }
  - { at: PT20S, inbound: { as: c2, from: "+6421555002", to: "+6495550100" } }
  - { at: PT22S, hangup: { call: c2, by: caller } }
  - { at: PT60S, hangup: { call: c1, by: alice } }
questions:
  - ask: Who rings?
    choices: [{ text: Bob, when: { rings: bob } }, { text: Alice, when: { rings: alice } }]
    right: 2
    because: The number is hers.
  - ask: What happens to the second caller?
    at: PT20S
    choices:
      - text: Voicemail answers.
        when: { voicemail: caller, call: c2 }
      - text: Alice rings.
        when: { rings: alice, call: c2 }
        instead: { if: Alice does not answer, change: [{ op: remove, path: /steps/1 }, { op: remove, path: /steps/3 }] }
    right: 1
    because: She talks.
  - ask: How does it end?
    at: PT20S
    choices: [{ text: Missed, when: { outcome: c2, is: missed } }, { text: Answered, when: { outcome: c2, is: answered } }]
    right: 1
    because: Nobody took it.
`;
  const ask = (given: string) => {
    const scenario = parseScenario(given);
    const recording = Recording.from(runScenario(scenario).simulator.journal());
    return { recording, ...makeQuestions(recording, scenario) };
  };

  test("take the place of those made of the run", () => {
    const { list, left } = ask(text);
    expect(left).toBe(0);
    expect(list.map(({ text: words, choices, right }) => [words, choices[right]])).toEqual([
      ["Who rings?", "Alice"],
      ["What happens to the second caller?", "Voicemail answers."],
      ["How does it end?", "Missed"],
    ]);
    expect(list[1]?.instead).toEqual([undefined, "Alice does not answer"]);
  });

  test("hide what comes from their instant on, and show it once the last one there is answered", () => {
    const { list, recording } = ask(text);
    const shown = (row: number) => `${recording.rows[row]?.atMs} ${recording.rows[row]?.verb}`;
    expect(list.map(({ row }) => shown(row))).toEqual([
      "0 calls Alice Ng",
      "20000 calls Alice Ng",
      "20000 calls Alice Ng",
    ]);
    expect(list.map(({ answerRow }) => answerRow)).toEqual([
      list[1]?.row,
      list[1]?.row,
      recording.rows.length - 1,
    ]);
  });

  test("have lanes for all whom a choice names", () => {
    expect(ask(text).lanes.map(({ id }) => id)).toEqual(expect.arrayContaining(["alice", "bob"]));
  });

  test("are left out if they are not true", () => {
    const { list, left } = ask(text.replace("right: 2", "right: 1"));
    expect(list.map(({ text: words }) => words)).toEqual([
      "What happens to the second caller?",
      "How does it end?",
    ]);
    expect(left).toBe(1);
  });
});
