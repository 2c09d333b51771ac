import { type JournalDocument, replay } from "../index.ts";

/** An organisation with at most this many users is shown whole. */
const SMALL_USERS = 250;

type Organisation = JournalDocument["options"]["organisation"];

/**
 * Removes users and teams that take no part in a run from a large organisation, so that its page opens as fast as that
 * of a small one. Whoever a command or an event names stays, with their teams, the teams' members and their managers.
 * If the run differs without the others, nobody is removed.
 */
export function withoutUninvolved(journal: JournalDocument): JournalDocument {
  const { options, snapshot } = journal;
  // a snapshot holds the state of everyone
  if ((options.organisation.users ?? []).length <= SMALL_USERS || snapshot !== undefined) return journal;
  const { events } = replay(journal);
  const organisation = involvedPart(options.organisation, textsIn([journal.entries, events]));
  const smaller = { ...journal, options: { ...options, organisation } };
  return isSameRun(smaller, events) ? smaller : journal;
}

function isSameRun(journal: JournalDocument, events: readonly unknown[]): boolean {
  try {
    return JSON.stringify(replay(journal).events) === JSON.stringify(events);
  } catch {
    return false; // a command needs someone who was left out
  }
}

/** All texts in a value, those in JSON texts too. */
function textsIn(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof value === "string") {
    names.add(value);
    if (value.startsWith("{") || value.startsWith("[")) textsIn(parseOrNull(value), names);
  } else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) textsIn(each, names);
  return names;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a text that only looks like JSON
  }
}

function involvedPart(organisation: Organisation, names: ReadonlySet<string>): Organisation {
  const { users = [], teams = [], numbers = [], devices = [] } = organisation;
  const { phonebooks = [], webhooks = [], trunks = [] } = organisation;
  // users without a number of their own call from the first one
  const owners = new Set(
    numbers.filter(({ number }, at) => at === 0 || names.has(number)).map((n) => n.owner),
  );
  const isNamed = (each: { readonly id: string; readonly extension: string }) =>
    names.has(each.id) || names.has(each.extension) || owners.has(each.id);
  const namedTeams = new Set(teams.filter(isNamed).map(({ id }) => id));
  const kept = new Set<string>();
  const byId = new Map(users.map((user) => [user.id, user]));
  const keep = (id: string | null | undefined) => {
    for (let user = byId.get(id ?? ""); user !== undefined && !kept.has(user.id); ) {
      kept.add(user.id);
      user = byId.get(user.manager ?? "");
    }
  };
  for (const user of users) if (isNamed(user) || names.has(user.email)) keep(user.id);
  for (const { id, members = [] } of teams)
    if (namedTeams.has(id)) for (const member of members) if ("user" in member) keep(member.user);
  for (const { createdBy } of webhooks) keep(createdBy);
  for (const trunk of trunks) for (const { user } of trunk.users ?? []) keep(user);
  // unanswered calls may move from team to team
  const next = new Map(
    teams.map(({ id, unanswered }) => [id, unanswered && "team" in unanswered ? unanswered.team : undefined]),
  );
  const keptTeams = new Set<string>();
  for (const named of namedTeams)
    for (let id: string | undefined = named; id !== undefined && !keptTeams.has(id); id = next.get(id))
      keptTeams.add(id);
  const entries = new Set([...kept, ...keptTeams, ...devices.map(({ id }) => id)]);
  const emails = new Set(users.filter(({ id }) => kept.has(id)).map(({ email }) => email.toLowerCase()));
  return {
    ...organisation,
    users: users.filter(({ id }) => kept.has(id)),
    teams: teams
      .filter(({ id }) => keptTeams.has(id))
      .map((team) => ({
        ...team,
        members: (team.members ?? []).filter((member) => !("user" in member) || kept.has(member.user)),
      })),
    numbers: numbers.filter(({ owner }) => entries.has(owner)),
    phonebooks: phonebooks.filter(({ id }) => !id.includes("@") || emails.has(id.toLowerCase())),
  };
}
