import {
  type Causes,
  dialCauses,
  type EventCauses,
  eventCauses,
  instantFieldText,
} from "../../src/core/platform/reactions/event-causes.ts";
import { banner } from "./banner.ts";

const intro = `${banner("src/core/generated/causes.ts, each events.ts of src/core/platform, and dialReasons of calls/record.ts")}

# What brings events about

[Importing a capture](guides/turn-an-incident-into-a-test.md) reads webhook requests backwards: from an event to the command, the timer or the setting behind
it. This is the table by which it does so, and by which it says why a request cannot be explained. Its commands and timers are those that did so in our runs;
others may exist.

## Events

The *instant* is the field of \`data\` that says when the event happened. Without one, it is the wrapper's. Where another event may have set the field, it counts
only if it is close to the wrapper's. [Fidelity](fidelity.md) says what each law is.

| event | commands | timers | settings | instant | laws |
|---|---|---|---|---|---|`;

const dials = `
## Dials

Each dial of a party has a \`reason\`. This is what explains it.

| reason | commands | timers | settings |
|---|---|---|---|`;

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const causesOf = ({ commands, timers, settings }: Causes): string =>
  [commands, timers, settings].map(list).join(" | ");

function instantOf({ instant }: EventCauses): string {
  if (instant === undefined) return "the wrapper's";
  return `\`${instantFieldText(instant)}\`${instant.isOwn ? "" : ", if close"}`;
}

/** `docs/causes.md`: what explains each type of event and each reason of a dial. */
export function causesPage(): string {
  const rows = Object.entries(eventCauses).map(
    ([type, causes]) =>
      `| \`${type}\` | ${causesOf(causes)} | ${instantOf(causes)} | ${causes.laws.join(", ")} |`,
  );
  const reasons = Object.entries(dialCauses).map(
    ([reason, causes]) => `| \`${reason}\` | ${causesOf(causes)} |`,
  );
  return `${[intro, ...rows, dials, ...reasons].join("\n")}\n`;
}
