import { createSimulator, exponential, type OrganisationInput, type Simulator } from "../../src/index.ts";

const number = "+6495550200";
const meanTalkMs = 180_000;
const members = 50;

/**
 * A team of 50 with three endpoints each, nine tenths busy: calls from outside that begin, wait and end by themselves.
 */
export class BusyTeam {
  private readonly sim: Simulator;
  private ended = 0;

  constructor() {
    this.sim = createSimulator({ organisation, retain: { events: 0, calls: 0, journal: false } });
    this.sim.on("call.ended", () => {
      this.ended++;
    });
    const every = exponential(Math.round(meanTalkMs / (0.9 * members)));
    this.sim.traffic({
      to: number,
      every,
      for: "P1000D",
      behaviour: { talk: exponential(meanTalkMs) },
    });
  }

  /** Runs until this many more calls have ended. */
  play(calls: number): void {
    const enough = this.ended + calls;
    while (this.ended < enough) this.sim.advance("PT1M");
  }
}

const users = Array.from({ length: members }, (_, index) => ({
  id: `member-${index}`,
  email: `member-${index}@example.test`,
  displayName: `Member ${index}`,
  extension: String(100 + index),
  endpoints: ["mobile" as const, "desktop" as const, "sip" as const],
  behaviour: { answer: { after: exponential("PT3S") } },
}));

const organisation: OrganisationInput = {
  id: "office",
  users,
  teams: [
    {
      id: "desk",
      displayName: "Desk",
      extension: "500",
      members: users.map(({ id }) => ({ user: id })),
      timeout: "P1D",
    },
  ],
  numbers: [{ number, owner: "desk" }],
};
