import { timers } from "../../../src/core/platform/base/timers.ts";
import { dialReasons } from "../../../src/core/platform/calls/record.ts";
import { commands } from "../../../src/core/platform/catalogue/commands.ts";
import { eventTypes } from "../../../src/core/platform/declare/events.ts";

/** What brought events and dials about in runs, as `src/core/generated/causes.ts` has it. */

/** Timers that do what a command does: they are listed last. */
const givesCommand = ["traffic: next call", "flow: takes the call back"];
const purposes = [...Object.keys(timers).filter((each) => !givesCommand.includes(each)), ...givesCommand];

/** Commands and timers by what they brought about. */
export class MeasuredCauses {
  private readonly found = new Map<string, Set<string>>();

  /** Notes a cause. People who act by themselves and the answers of data actions are none: settings stand for them. */
  note(what: string, cause: string): void {
    if (!(cause in commands) && !purposes.includes(cause)) return;
    this.found.set(what, (this.found.get(what) ?? new Set()).add(cause));
  }

  /** How many pairs of a cause and what it brought about were noted. */
  count(): number {
    return [...this.found.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** What brought something about, in the order of the lists of commands and timers. */
  private sort(what: string) {
    const found = this.found.get(what) ?? new Set();
    return {
      commands: Object.keys(commands).filter((each) => found.has(each)),
      timers: purposes.filter((each) => found.has(each)),
    };
  }

  /** A line for each difference from a table, such as `call.started: add "answer", remove "inbound"`. */
  compare(
    table: Readonly<Record<string, { commands: readonly string[]; timers: readonly string[] }>>,
  ): string[] {
    return [...new Set([...this.found.keys(), ...Object.keys(table)])].flatMap((what) => {
      const { commands = [], timers = [] } = table[what] ?? {};
      const written = [...commands, ...timers];
      const found = [...(this.found.get(what) ?? [])];
      const changes = [
        ...found.filter((each) => !written.includes(each)).map((each) => `add ${JSON.stringify(each)}`),
        ...written.filter((each) => !found.includes(each)).map((each) => `remove ${JSON.stringify(each)}`),
      ];
      return changes.length === 0 ? [] : [`${what}: ${changes.join(", ")}`];
    });
  }

  /** The entries of the file. */
  entries(all: readonly string[]): string[] {
    return all.flatMap((what) => {
      const { commands, timers } = this.sort(what);
      return [
        `    ${JSON.stringify(what)}: {`,
        `      commands: ${JSON.stringify(commands)},`,
        `      timers: ${JSON.stringify(timers)},`,
        "    },",
      ];
    });
  }
}

/** The text of `src/core/generated/causes.ts`. */
export function writeCauses(ofEvents: MeasuredCauses, ofDials: MeasuredCauses): string {
  return [
    "/* Made from runs by `npm run accept -- causes`. Do not edit. */",
    "",
    "/** The commands and timers that brought each event, and each reason of a dial, about in runs. */",
    "export const measuredCauses = {",
    "  events: {",
    ...ofEvents.entries(eventTypes),
    "  },",
    "  dials: {",
    ...ofDials.entries(Object.keys(dialReasons)),
    "  },",
    "} as const;",
    "",
  ].join("\n");
}
