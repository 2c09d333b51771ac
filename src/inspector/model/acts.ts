import * as v from "valibot";
import { oneLine } from "../../core/narration/words.ts";
import { commands } from "../../core/platform/catalogue/commands.ts";
import { possibleCommands } from "../../core/platform/catalogue/possible-commands.ts";
import type { Description } from "../../core/platform/declare/description.ts";
import type { CommandName, Simulator } from "../../index.ts";
import type { Recording } from "./recording.ts";
import { mentionText } from "./row-text.ts";
import type { PageRowKind } from "./types.ts";

/** Something that can be done at an instant instead of what was done. */
export interface OfferedAct {
  readonly label: string;
  /** Where it happens, or by which command. */
  readonly hint: string;
  readonly kind: PageRowKind;
  readonly command: CommandName;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ActGroup {
  readonly title: string;
  readonly acts: readonly OfferedAct[];
}

/** What can be done right after a row. A fork begins with one of these. */
export function offeredActsAt(recording: Recording, index: number): ActGroup[] {
  const { simulator } = recording.at(recording.rows[index]?.step ?? 0);
  const ringing = ringingActs(simulator, recording);
  const others = commandActs(simulator, recording).filter(({ args }) => !("endpoint" in args));
  const groups = [
    { title: "Who rings now", acts: ringing },
    { title: "On a call", acts: others },
    { title: "The network", acts: networkActs(simulator) },
  ];
  return groups.filter(({ acts }) => acts.length > 0);
}

/** What everyone who rings can do, on each of their endpoints. */
export function ringingActs(simulator: Simulator, recording: Recording): OfferedAct[] {
  const acts = commandActs(simulator, recording).filter(({ args }) => "endpoint" in args);
  const placeOf = ({ args: { call, by, endpoint } }: OfferedAct) => `${call} ${by} ${endpoint}`;
  const places = [...new Set(acts.map(placeOf))];
  return places.flatMap((place) => acts.filter((act) => placeOf(act) === place));
}

/** What the commands allow now. */
function commandActs(simulator: Simulator, recording: Recording): OfferedAct[] {
  const { lanes } = recording.recorder;
  return possibleCommands(simulator.services).map(({ name, args }) => {
    const { call, by = "caller", endpoint } = args;
    const who = by === "caller" ? "The caller" : lanes.name(String(by));
    const label = recording.recorder.records.find(({ id }) => id === call)?.label ?? "";
    return {
      label: oneLine(`${who} ${writeWords(recording, name, args)}`),
      hint: endpoint === undefined ? label : `${endpoint}, ${label}`,
      kind: name === "answer" ? "answer" : "command",
      command: name,
      args,
    };
  });
}

/** What a command does, in words. The hint names the endpoint. */
function writeWords(
  { recorder }: Recording,
  name: CommandName,
  { endpoint: _, ...args }: OfferedAct["args"],
): string {
  const { describe, schema }: { describe(args: unknown): Description; schema: v.GenericSchema } =
    commands[name];
  // as it is run: durations in ms
  const { verb, mention, detail } = recorder.lanes.nameSentence(describe(v.parse(schema, args)));
  const whom = mention && mentionText(mention, recorder.lanes);
  return [verb, whom, detail].filter(Boolean).join(" ");
}

function networkActs(simulator: Simulator): OfferedAct[] {
  const hosts = new Set(simulator.webhooks.list().map(({ url }) => new URL(url).origin));
  return [...hosts].flatMap((origin): OfferedAct[] => {
    const name = new URL(origin).host.split(".")[0];
    const url = `${origin}/`;
    return [
      {
        label: `${name} answers 500, next 3`,
        hint: "fault",
        kind: "failed",
        command: "fault",
        args: { url, status: 500, times: 3 },
      },
      {
        label: `${name} cannot be reached for 1 h`,
        hint: "fault",
        kind: "lost",
        command: "fault",
        args: { url, status: "timeout", for: "PT1H" },
      },
      {
        label: `${name} works again`,
        hint: "fault",
        kind: "event",
        command: "fault",
        args: { url, status: 503, times: 0 },
      },
    ];
  });
}
