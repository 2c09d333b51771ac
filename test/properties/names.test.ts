import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/core/platform/catalogue/commands.ts";
import { exampleOrganisation } from "../../src/core/platform/organisation/example.ts";
import { type CommandName, createSimulator, type Simulator } from "../../src/index.ts";
import { groups, play, RUNS_PER_GROUP } from "../digest/runs.ts";
import { always } from "./support.ts";

/** A timeline names people and things. An id stands there only where nothing has a name. */

/** The ids of everything that has a name, without those that are also words. */
function idsIn({
  services,
  users,
  teams,
  devices,
  locations,
  phonebooks,
  calls,
  webhooks,
  events,
}: Simulator) {
  const entries = [...users.list(), ...teams.list(), ...devices.list()];
  const { tables } = services;
  const trunkEntries = Object.values(tables.trunkEntries).flatMap((table) => [...table]);
  const contacts = phonebooks.list().flatMap(({ record }) => record.contacts);
  const made = [tables.recordings, tables.transcripts, tables.analysis, tables.conversations, tables.trunks];
  const records = made.flatMap((table): { readonly id: string }[] => [...table]);
  const others = [entries, locations.list(), phonebooks.list(), calls.list(), webhooks.list()].flat();
  const ids = [...others, ...trunkEntries, ...contacts, ...records, ...events].map(({ id }) => id);
  const emails = users.list().map(({ record }) => record.email);
  const parties = calls.list().flatMap(({ record }) => record.parties.map(({ id }) => id));
  return new Set([...ids, ...emails, ...parties].filter((id) => id !== "trunk" && id !== "shared"));
}

/** The words of a timeline's lines, without titles, instants and what people say. */
function wordsIn(timeline: string): string[] {
  const [, , ...lines] = timeline.split("\n");
  return lines.flatMap((line) => line.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/[\w@.-]*[\w]/g) ?? []);
}

/** The ids that a timeline shows although there are names. */
function idsShown(sim: Simulator, ids = idsIn(sim)): string[] {
  const names = new Set(wordsIn(namesOf(sim).join("\n\n\n")));
  return wordsIn(sim.events.toTimeline()).filter((word) => ids.has(word) && !names.has(word));
}

function namesOf({ users, teams, devices, phonebooks, locations, services }: Simulator): string[] {
  const entries = [...users.list(), ...teams.list(), ...devices.list()];
  const trunkEntries = Object.values(services.tables.trunkEntries).flatMap((table) => [...table]);
  return [
    "",
    "",
    ...[...entries.map(({ record }) => record), ...trunkEntries].map(({ displayName }) => displayName),
    ...[...phonebooks.list(), ...locations.list()].map(({ record }) => record.name),
    ...[...services.tables.trunks].map(({ name }) => name),
  ];
}

describe("The timeline of a run", () => {
  it("shows no id of anything that has a name, whatever happens", () => {
    const run = fc.integer({ min: 0, max: groups.length * RUNS_PER_GROUP - 1 });
    always(400, run, (number) => {
      expect(idsShown(play(number).sim)).toEqual([]);
    });
  });

  it("shows no id in what an example of each command does", () => {
    for (const [name, command] of Object.entries(commands)) {
      const sim = createSimulator({ ids: "counter", organisation: exampleOrganisation });
      const args = (command as { example(before: Simulator): object }).example(sim);
      // afterwards, what was removed has no id
      const ids = idsIn(sim);
      sim.command(name as CommandName, args as never);
      sim.advance("PT10M");
      expect({ name, ids: idsShown(sim, new Set([...ids, ...idsIn(sim)])) }).toEqual({ name, ids: [] });
    }
  });
});
