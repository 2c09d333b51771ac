import { clock } from "../../core/foundation/clock.ts";
import type { MachineTypes } from "../../core/platform/base/machine-types.ts";
import { type WhyCause, whyNoRing } from "../../core/why/answer.ts";
import { findPerson } from "../../core/why/person-state.ts";
import type { Names } from "../../core/why/words.ts";
import type { Simulator } from "../../index.ts";
import type { OfferedAct } from "./acts.ts";
import { lastStep } from "./machine-log.ts";
import type { Recording } from "./recording.ts";
import { tryRemedies } from "./try-remedies.ts";
import type { PageRowKind, RunRecord } from "./types.ts";
import type { Cause, WhyAnswer } from "./why-answer.ts";

/** Who does not ring: somebody, or one of their phones. */
interface Asked {
  readonly user: string;
  readonly phone: string | undefined;
  /** For which call; undefined for any. */
  readonly call: RunRecord | undefined;
}

/** An instant of a run: the run then, and the last row before it. */
interface AskedInstant {
  readonly recording: Recording;
  readonly row: number;
  readonly then: Simulator;
}

/**
 * Why a person or one of their phones did not ring at an instant, and what would have made them ring.
 * @param id `<user>`, or `<user>/<phone>`
 * @param call for which call; undefined for any
 * @throws {Error} if nobody has the id
 */
export function whyNotRung(at: AskedInstant, id: string, call?: RunRecord): WhyAnswer {
  const { recording, row, then } = at;
  const [user = "", phone] = id.split("/");
  const person = findPerson(then.services, user);
  if (person === undefined) throw new Error(`the run has no user or device ${user}`);
  const { causes } = whyNoRing(then.services, person, call?.id, pageNames(recording));
  const asked = { user, phone, call };
  const acts = rings(then, asked) ? [] : actsFor(at, asked);
  const of = causes.map((cause): Cause => pageCause(cause, findRow(recording, row, user, call)));
  return {
    causes: [...phoneCauses(then, asked, row), ...of],
    ...tryRemedies(recording, acts, (fork) => rings(fork.at(then.timestamp), asked)),
  };
}

/** How answers name people, calls and instants, as the page does. */
export function pageNames({ recorder, summary }: Recording): Names {
  return {
    person: (id) => recorder.lanes.name(id),
    call: (id) => `call ${recorder.records.find((each) => each.id === id)?.label ?? id}`,
    time: (ms) => clock(ms - summary.startMs),
  };
}

const kinds: Readonly<Partial<Record<WhyCause["is"], PageRowKind>>> = {
  rings: "ring",
  rang: "ring",
  on: "answer",
  answered: "answer",
  voicemail: "voicemail",
  declined: "failed",
  isCaller: "command",
  notFor: "command",
  noMember: "command",
  transferred: "command",
};

/** Causes that are about time: whose turn it is, and what has not come yet or is over. */
const aboutTime = /^(noCall|notBegun|notOffered|over|turn|late|stopped|queue)$/;

/** The first sentence of a cause is its title. */
function pageCause({ is, text }: WhyCause, row: number): Cause {
  const [title = "", ...more] = text.replace(/\.$/, "").split(". ");
  const rest = more.join(". ");
  const kind = kinds[is] ?? (aboutTime.test(is) ? "timer" : "failed");
  return { kind, title, text: rest === "" ? "" : `${rest}.`, row };
}

/** The row that brought about what somebody does: the last change of their availability or of the call. */
function findRow({ recorder }: Recording, index: number, user: string, call: RunRecord | undefined): number {
  const records = [user, ...(call === undefined ? [] : [call.id])];
  const rows = records
    .flatMap((id) => recorder.machines.of(id))
    .flatMap((instance) => lastStep(instance, index)?.row ?? []);
  return Math.max(0, ...rows);
}

/** What kept this phone from ringing, beside the person's others. */
function phoneCauses(simulator: Simulator, { user, phone }: Asked, row: number): Cause[] {
  if (phone === undefined || isRegistered(simulator, user, phone)) return [];
  const text = "Only registered phones ring.";
  return [{ kind: "failed", title: `${phone} was not registered`, text, row }];
}

function isRegistered(simulator: Simulator, user: string, phone: string): boolean {
  const { endpoints } = simulator.users.get(user).record;
  return endpoints.some(({ id, registered }) => id === phone && registered);
}

/** What might make them ring, done before the calls of the instant began. */
function actsFor({ recording, row: index, then }: AskedInstant, { user, phone, call }: Asked) {
  const { lanes, records } = recording.recorder;
  const record = then.services.tables.users.get(user);
  const live = new Set(then.calls.live().map(({ id }) => id));
  const calls = call === undefined ? records.filter(({ id }) => live.has(id)) : [call];
  const row = Math.max(0, Math.min(index, ...calls.map(({ fromRow }) => fromRow - 1)));
  const name = lanes.name(user);
  const actAt = (label: string, command: OfferedAct["command"], args: OfferedAct["args"]) => {
    const act: OfferedAct = { label, hint: command, kind: "event", command, args };
    return { row, act };
  };
  const out = record?.endpoints.filter((each) => !each.registered && (phone ?? each.id) === each.id) ?? [];
  return [
    ...(record === undefined
      ? []
      : [actAt(`${name} is available`, "setAvailability", { user, status: "available" })]),
    ...out.map(({ id }) =>
      actAt(`${id} is registered`, "setEndpoint", { user, endpoint: id, registered: true }),
    ),
    ...[...new Set(calls.flatMap((each) => listTeams(recording, index, each)))].map((team) =>
      actAt(`${name} is in the first tier of ${lanes.name(team)}`, "setTeamMember", {
        ...{ team, user, priority: 1 },
      }),
    ),
  ];
}

/** Whether they ring in a run. */
function rings({ calls }: Simulator, { user, phone, call }: Asked): boolean {
  return calls
    .live()
    .filter(({ id }) => call === undefined || id === call.id)
    .flatMap((each) => each.ringing())
    .some((each) => {
      const who = "user" in each ? each.user : "device" in each ? each.device : "";
      return who === user && (phone ?? each.endpoint) === each.endpoint;
    });
}

/** The teams that a call had been offered to by a row. */
function listTeams({ recorder }: Recording, index: number, call: RunRecord): string[] {
  const offers = recorder.machines
    .of(call.id)
    .filter((instance) => instance.machine === "teamOffer" && lastStep(instance, index) !== undefined);
  return [...new Set(offers.map(({ about }) => (about as MachineTypes["teamOffer"]["about"]).teamId))];
}
