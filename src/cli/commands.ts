import { askCommand } from "./ask.ts";
import { challengeCommand } from "./challenge.ts";
import { checkCommand } from "./check.ts";
import type { CommandRow } from "./command-row.ts";
import { exploreCommand, mergeCommand } from "./explore.ts";
import { fixturesCommand } from "./fixtures.ts";
import { importCommand } from "./import.ts";
import { initCommand } from "./init.ts";
import { inspectCommand, playCommand } from "./inspect.ts";
import { journalCheckCommand, journalSalvageCommand } from "./journal.ts";
import { keepCommand } from "./keep.ts";
import { listCommand } from "./list.ts";
import { openApiCommand } from "./openapi.ts";
import { probeCommand } from "./probe.ts";
import { recordCommand } from "./record.ts";
import { replayCommand } from "./replay.ts";
import { runScenariosCommand } from "./run-options.ts";
import { serveCommand } from "./serve.ts";
import { storiesCommand } from "./stories.ts";
import { triggerCommand } from "./trigger.ts";
import { unseenCommand } from "./unseen.ts";
import { verifyCommand } from "./verify.ts";

/** All commands, in the order of the help. A new command is a row of its own file, and a line here. */
export const commandRows: readonly CommandRow[] = [
  runScenariosCommand,
  checkCommand,
  listCommand,
  verifyCommand,
  replayCommand,
  exploreCommand,
  mergeCommand,
  probeCommand,
  triggerCommand,
  storiesCommand,
  fixturesCommand,
  unseenCommand,
  keepCommand,
  initCommand,
  serveCommand,
  openApiCommand,
  recordCommand,
  importCommand,
  journalCheckCommand,
  journalSalvageCommand,
  inspectCommand,
  askCommand,
  playCommand,
  challengeCommand,
];

/** What a command is for that has others as its parts. */
export const commandFamilies: Readonly<Record<string, string>> = {
  journal: "check a journal file, or recover its undamaged part",
};
