import { defaultTiming } from "../parts/parts.ts";
import { type Assumptions, usualAssumptions } from "./assumptions.ts";
import { type Dialect, defaultDialect, type TimingMs } from "./settings.ts";

/**
 * A profile is a name for defaults: what the platform does where its documentation is silent, and the shape of what it
 * sends and reads. What a simulator's options say explicitly wins over its profile.
 */

export const profileNames = ["observed"] as const;

/** The names that the option `profile` takes. */
export type ProfileName = (typeof profileNames)[number];

/** The defaults of the options that a profile sets. */
interface Profile {
  readonly assume: Assumptions;
  readonly timing: TimingMs;
  readonly dialect: Dialect;
}

const usualProfile: Profile = { assume: usualAssumptions, timing: defaultTiming, dialect: defaultDialect };

/** What public bodies and clients of such a platform show: docs/observed.md. */
const observed: Profile = {
  assume: {
    ...usualAssumptions,
    notAnswered: "perTeam",
    startedTarget: "people",
    answeredStatus: "started",
    // 1 to 2 s were seen; whether events overtake each other was not
    eventDelay: 1_500,
    partyIds: "entry",
    bodyText: "compact",
  },
  // the URL of a voicemail lives 6 hours
  timing: { ...defaultTiming, recordingUrlLifetime: 6 * 3_600_000 },
  dialect: {
    ...defaultDialect,
    events: [
      "call.voicemail.available",
      "call.note.created",
      "call.highlight.created",
      "call.highlight.recording_available",
      "call.contact_assigned",
      "call.form.started",
      "call.form.submitted",
    ],
  },
};

const profiles: Readonly<Record<ProfileName, Profile>> = { observed };

/** The defaults of a profile; of none, the usual ones. */
export function profileOf(name: ProfileName | undefined): Profile {
  return name === undefined ? usualProfile : profiles[name];
}
