import { journalStart } from "../src/core/simulator/options.ts";
import { resume } from "../src/core/simulator/replay.ts";
import { type JournalDocument, replay, type Simulator } from "../src/index.ts";

/** A simulator that goes on from a snapshot of this one, through the text of a journal file. */
export function fromSnapshot(sim: Simulator): Simulator {
  const compacted = sim.fork().compact();
  return replay(JSON.stringify(compacted));
}

/** A journal that was compacted after some of its steps, as text. A step is a command or an item of the agenda. */
export function compactedAfter(steps: number, journal: JournalDocument): string {
  const sim = replay({ ...journal, entries: [], end: journalStart(journal) });
  let nextEntry = 0;
  const resuming = resume(sim.services, journal);
  for (let step = 0; step < steps; step++) {
    const next = resuming.next();
    if (next.done === true) break;
    nextEntry = next.value;
  }
  const { end } = journal;
  return JSON.stringify({ ...sim.compact(), entries: journal.entries.slice(nextEntry), end });
}
