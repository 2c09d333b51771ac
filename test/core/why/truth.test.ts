import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type NoRingCause, noRingCauses } from "../../../src/core/why/no-ring.ts";
import {
  findPerson,
  type Person,
  type PersonState,
  personState,
} from "../../../src/core/why/person-state.ts";
import { parseScenario, runScenario, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { groups, play, RUNS_PER_GROUP } from "../../digest/runs.ts";
import { eachStep, MachineStates } from "./machine-states.ts";

/** Why somebody does not ring is compared with the machines of the run, after each step, for everybody and each call. */

const folders = ["scenarios", "test/transitions"];
const root = new URL("../../../", import.meta.url);

const files = folders.flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => `${folder}/${name}`),
);
const organisations = Object.fromEntries(
  readdirSync(new URL("scenarios/organisations", root)).map((name) => [
    `organisations/${name}`,
    readFileSync(new URL(`scenarios/organisations/${name}`, root), "utf8"),
  ]),
);

function checkEverybody(sim: Simulator): void {
  const machines = new MachineStates(sim);
  for (const { id } of sim.services.directory.usersAndDevices()) {
    const person = findPerson(sim.services, id);
    if (person === undefined) throw new Error(`nobody is ${id}`);
    const state = personState(sim.services, person);
    const calls = state.is === "on" ? [state.call] : state.is === "rings" ? state.calls : [];
    expect({ is: state.is, calls }, id).toEqual(machines.of(id));
    for (const { id: callId } of sim.calls.list()) {
      const causes = noRingCauses(sim.services, person, callId);
      expect(causes.length, "there is a cause").toBeGreaterThan(0);
      const rings = causes.some(({ is }) => is === "rings");
      expect(rings, `${id} rings for ${callId}`).toBe(machines.ringsOf(id).includes(callId));
      for (const cause of causes) checkCause(sim, machines, { person, state, callId }, cause);
      checkQueue(sim, person, causes);
    }
  }
}

interface Asked {
  readonly person: Person;
  readonly state: PersonState;
  readonly callId: string;
}

function checkCause(
  sim: Simulator,
  machines: MachineStates,
  { person, state, callId }: Asked,
  cause: NoRingCause,
): void {
  const { id } = person.record;
  const { parties, status } = sim.services.tables.calls.mustGet(callId);
  const call = machines.callState(callId);
  const priorityIn = (team: string) =>
    sim.services.tables.teams.mustGet(team).teamMembers.find((member) => member.id === id)?.priority;
  switch (cause.is) {
    case "over":
      expect([call, cause.status]).toEqual([undefined, status]);
      break;
    case "answered":
      expect([call, machines.isOffered(callId)]).toEqual(["accepted", false]);
      break;
    case "voicemail":
    case "unreachable":
      expect(call).toBe("voicemail");
      break;
    case "queue":
      expect(machines.offerTo(cause.team, callId)?.value).toBe("waiting");
      break;
    case "turn":
      expect(priorityIn(cause.team)).toBe(cause.priority);
      expect(cause.tier).not.toBe(cause.priority);
      expect(machines.offerTo(cause.team, callId)).toMatchObject({
        value: "ringing",
        context: { tier: cause.tier },
      });
      break;
    case "late":
    case "stopped":
      expect(machines.offerTo(cause.team, callId)).toMatchObject({
        value: "ringing",
        context: { tier: priorityIn(cause.team) },
      });
      break;
    case "noMember":
      expect([undefined, cause.team]).toContain(machines.offerTo(cause.team, callId)?.about.teamId);
      expect(priorityIn(cause.team)).toBeUndefined();
      break;
    case "declined":
      expect(machines.ringsOf(id)).not.toContain(callId);
      expect(
        parties.some(
          ({ entryId, dials }) => entryId === id && dials.some(({ outcome }) => outcome === "declined"),
        ),
      ).toBe(true);
      break;
    case "ringsElsewhere":
      expect(machines.ringsOf(id)).toContain(cause.call);
      expect(cause.call).not.toBe(callId);
      break;
    case "notFor":
    case "notOffered":
    case "transferred":
      expect(["started", "offered", "transferring", "accepted"]).toContain(call);
      break;
    case "isCaller":
      expect(call).toBe("started");
      break;
    case "rang":
      expect(cause.toMs).toBeLessThanOrEqual(sim.timestamp);
      break;
    case "rings":
      break;
    case "noCall":
    case "notBegun":
      expect.fail("the call has begun");
      break;
    default:
      expect(cause).toEqual(state);
      break;
  }
}

/** The states of people in which no call rings them. */
const isAway = ({ is }: NoRingCause) =>
  /^(on|busy|doNotDisturb|wrapUp|offline|outOfHours|loggedOut|invited|suspended|noPhone|ringsElsewhere)$/.test(
    is,
  );

/** A call waits in a queue because nobody who may take it is free: whoever becomes so by choice is rung. */
function checkQueue(sim: Simulator, { record }: Person, causes: readonly NoRingCause[]): void {
  if (!causes.some(({ is }) => is === "queue")) return;
  const away = causes.find(isAway);
  expect(away, show(causes)).toBeDefined();
  if (away?.is !== "busy" && away?.is !== "doNotDisturb" && away?.is !== "outOfHours") return;
  const fork = sim.fork();
  fork.users.get(record.id).setAvailability("available");
  const { live } = fork.services;
  expect(live.ringsOf(record.id).length, `${record.id} rings once available`).toBeGreaterThan(0);
}

const show = (causes: readonly NoRingCause[]) => JSON.stringify(causes);

test.each(isWhole ? files : files.filter((_, index) => index % 4 === 0))(
  "what people do, and why they do not ring, is what the machines say: %s",
  (file) => {
    const text = readFileSync(new URL(file, root), "utf8");
    const { simulator } = runScenario(parseScenario(text, { organisations }));
    eachStep(simulator.journal(), checkEverybody);
  },
);

test("what people do, and why they do not ring, is what the machines say, in random runs", () => {
  const every = isWhole ? 3 : 97;
  for (let run = 0; run < groups.length * RUNS_PER_GROUP; run += every)
    eachStep(play(run).sim.journal(), checkEverybody);
});
