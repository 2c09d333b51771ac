import type { AvailabilityContext } from "../../../machines/availability.ts";
import type { CallContext } from "../../../machines/call.ts";
import type { TeamOfferContext } from "../../../machines/team-offer.ts";
import type { MachineName, MachineTypes } from "../../../src/core/platform/base/machine-types.ts";
import { journalStart } from "../../../src/core/simulator/options.ts";
import { resume } from "../../../src/core/simulator/replay.ts";
import type { PersonState } from "../../../src/core/why/person-state.ts";
import { type JournalDocument, replay, type Simulator } from "../../../src/index.ts";

interface Running<Machine extends MachineName, Context> {
  readonly id: string;
  readonly about: MachineTypes[Machine]["about"];
  readonly value: unknown;
  readonly context: Context;
}

/** What a person does, as their machines say. */
interface MachineTruth {
  readonly is: PersonState["is"];
  readonly calls: readonly string[];
}

/** The machines that run at an instant. One that has ended is gone. */
export class MachineStates {
  readonly calls: readonly Running<"call", CallContext>[];
  readonly rings: readonly Running<"ring", unknown>[];
  readonly offers: readonly Running<"teamOffer", TeamOfferContext>[];
  private readonly availability: readonly Running<"availability", AvailabilityContext>[];

  constructor(private readonly sim: Simulator) {
    const all = sim.services.machines.save().map(({ machine, id, about, snapshot }) => ({
      ...{ machine, id, about },
      ...{ value: snapshot.value, context: snapshot.context },
    }));
    const of = <Machine extends MachineName, Context>(name: Machine) =>
      all.filter(({ machine }) => machine === name) as unknown as Running<Machine, Context>[];
    this.calls = of("call");
    this.rings = of("ring");
    this.offers = of("teamOffer");
    this.availability = of("availability");
  }

  callState(callId: string): unknown {
    return this.calls.find(({ id }) => id === callId)?.value;
  }

  /** The calls for which somebody rings. */
  ringsOf(who: string): string[] {
    return this.rings.filter(({ about }) => about.ring.entryId === who).map(({ about }) => about.recordId);
  }

  /** Whether anybody rings for a call, or a team has it. */
  isOffered(callId: string): boolean {
    return [...this.rings, ...this.offers].some(({ about }) => about.recordId === callId);
  }

  offerTo(team: string, callId: string): Running<"teamOffer", TeamOfferContext> | undefined {
    return this.offers.find(({ about }) => about.recordId === callId && about.teamId === team);
  }

  /** What a person does. */
  of(who: string): MachineTruth {
    const user = this.sim.services.tables.users.get(who);
    const machine = this.availability.find(({ id }) => id === who);
    const own = (is: PersonState["is"], calls: readonly string[] = []) => ({ is, calls });
    const on = user === undefined ? this.bridgeOf(who) : machine?.context.call;
    if (typeof on === "string") return own("on", [on]);
    const rings = [...new Set(this.ringsOf(who))];
    if (rings.length > 0) return own("rings", rings);
    if (user === undefined) return own("free");
    const { status, endpoints } = user;
    const hasPhone = endpoints.some(({ registered }) => registered);
    if (status !== "active") return own(status);
    // a machine starts when something happens to its user
    if (machine === undefined) return own(hasPhone ? "free" : "loggedOut");
    const { chosen, isLoggedIn } = machine.context;
    if (machine.value === "wrappingUp") return own("wrapUp");
    if (machine.value === "busy") return own(chosen.rule ?? "busy");
    if (machine.value === "available") return own(hasPhone ? "free" : "noPhone");
    if (!isLoggedIn) return own("loggedOut");
    return own(chosen.status === "offline" ? (chosen.rule ?? "offline") : "outOfHours");
  }

  /** The call whose bridge somebody is on. */
  private bridgeOf(who: string): string | undefined {
    return this.calls.find(({ id: callId, context }) => {
      const { parties } = this.sim.services.tables.calls.mustGet(callId);
      return parties.some(({ id, entryId }) => entryId === who && context.bridge.includes(id));
    })?.id;
  }
}

/** Plays a journal, and calls `look` after each of its steps. */
export function eachStep(journal: JournalDocument, look: (sim: Simulator) => void): void {
  const sim = replay({ ...journal, entries: [], end: journalStart(journal) });
  look(sim);
  for (const _ of resume(sim.services, journal)) look(sim);
}
