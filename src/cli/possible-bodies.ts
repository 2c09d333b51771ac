import { stringify } from "yaml";
import { readRestAnswers } from "../capture/read/rest-answers.ts";
import type { EventDeclaration } from "../core/platform/base/define-events.ts";
import { eventKeys } from "../core/platform/catalogue/event-keys.ts";
import { events } from "../core/platform/catalogue/events.ts";
import type { PlatformEvent } from "../core/platform/declare/events.ts";
import { demoOrganisation } from "../core/platform/organisation/demo.ts";
import type { OrganisationInput } from "../core/platform/organisation/schema.ts";
import { parseScenario } from "../core/scenario/parse.ts";
import { runScenario } from "../core/scenario/run.ts";
import { scenarioText } from "../server/played-events.ts";
import { StoryTeller } from "../stories/story-teller.ts";

/** The demo organisation with everything that follows on a call. */
const organisation = {
  ...demoOrganisation,
  features: { recording: true, transcription: true, analysis: true, tariff: true },
  tariff: { currency: "NZD", routes: [{ prefix: "+64", perMinute: 0.05 }] },
} satisfies OrganisationInput;

const caller = "+6421555001";
/** How many things people do in the stories at most: first in few, and in more where these do not serve. */
export const ROUNDS = [1, 2] as const;

/** How the stories begin: a call to a person and one to a team, one out and one inside. */
function beginnings({ users = [], teams = [], numbers = [] }: OrganisationInput) {
  const [first, second] = users;
  const toUser = numbers.find(({ owner }) => owner === first?.id);
  const toTeam = numbers.find(({ owner }) => teams.some(({ id }) => id === owner));
  return [
    ...[toUser, toTeam].flatMap((to) =>
      to === undefined ? [] : [{ inbound: { from: caller, to: to.number } }],
    ),
    ...(first === undefined ? [] : [{ outbound: { from: first.id, to: caller } }]),
    ...(first === undefined || second === undefined
      ? []
      : [{ internal: { from: first.id, to: second.extension } }]),
  ];
}

type Bodies = ReadonlyMap<string, readonly PlatformEvent[]>;

/** The bodies of the demo organisation, by how many things people do. */
const ofDemo = new Map<number, Bodies>();

/**
 * Bodies that runs send, one for each event with other keys, by type.
 * @param acts how many things people do in the stories at most
 * @param answers saved answers of the REST API, whose users and teams are in the bodies; default: the demo organisation's
 */
export function possibleBodies(acts: number, answers?: readonly unknown[]): Bodies {
  if (answers !== undefined) return bodiesIn(readOrganisationFrom(answers), acts, []);
  const known = ofDemo.get(acts) ?? bodiesIn(organisation, acts, Object.values(events));
  ofDemo.set(acts, known);
  return known;
}

function bodiesIn(own: OrganisationInput, acts: number, declared: readonly EventDeclaration[]): Bodies {
  const byType = new Map<string, PlatformEvent[]>();
  const known = new Set<string>();
  const add = (event: PlatformEvent) => {
    const key = eventKeys(event).join();
    if (known.has(key)) return;
    known.add(key);
    byType.set(event.type, [...(byType.get(event.type) ?? []), event]);
  };
  for (const { shortest } of declared)
    for (const event of runScenario(parseScenario(scenarioText(shortest))).events) add(event);
  for (const begins of beginnings(own)) {
    const text = stringify({ scenario: "A call", organisation: own, steps: [{ at: "PT0S", ...begins }] });
    const teller = new StoryTeller(parseScenario(text), { acts, merge: "state" });
    for (const { simulator } of teller.stories()) for (const event of simulator.events) add(event);
  }
  return byType;
}

/** An organisation of the people whom saved answers name, with numbers that are made up. */
function readOrganisationFrom(answers: readonly unknown[]): OrganisationInput {
  const { users, teams } = readRestAnswers(answers);
  const people = users.flatMap(({ id, email, displayName, extension }) =>
    id && email && displayName && extension ? [{ id, email, displayName, extension }] : [],
  );
  const ids = new Set(people.map(({ id }) => id));
  const groups = teams.flatMap(({ id, displayName, extension, teamMembers }) => {
    const members = (teamMembers ?? []).flatMap((member) =>
      member.id && ids.has(member.id) ? [{ user: member.id }] : [],
    );
    return id && displayName && extension && members.length > 0
      ? [{ id, displayName, extension, members }]
      : [];
  });
  const owners = [...people.slice(0, 1), ...groups.slice(0, 1)];
  const numbers = owners.map(({ id }, index) => ({ number: `+649555010${index}`, owner: id }));
  const { features, tariff } = organisation;
  return {
    id: "organisation",
    name: "Organisation",
    features,
    tariff,
    users: people,
    teams: groups,
    numbers,
  };
}
