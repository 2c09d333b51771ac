import { shortName } from "../../core/narration/lifelines.ts";
import { oneLine } from "../../core/narration/words.ts";
import type { CommandName, Simulator } from "../../index.ts";
import type { Recording } from "./recording.ts";
import type { PageRowKind } from "./types.ts";

/** Something that can be done at an instant instead of what was done. */
export interface Act {
  readonly label: string;
  /** Where it happens, or by which command. */
  readonly hint: string;
  readonly kind: PageRowKind;
  readonly command: CommandName;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ActGroup {
  readonly title: string;
  readonly acts: readonly Act[];
}

/** What can be done right after a row. A fork begins with one of these. */
export function actsAt(recording: Recording, index: number): ActGroup[] {
  const { simulator } = recording.at(recording.rows[index]?.step ?? 0);
  const groups = [
    { title: "Who rings now", acts: ringingActs(simulator, recording) },
    { title: "On a call", acts: hangUps(simulator, recording) },
    { title: "The network", acts: networkActs(simulator) },
  ];
  return groups.filter(({ acts }) => acts.length > 0);
}

/** Answers and declines of everyone who rings. */
export function ringingActs(simulator: Simulator, recording: Recording): Act[] {
  return simulator.calls.live().flatMap((call) => {
    const label = recording.recorder.records.find(({ id }) => id === call.id)?.label ?? "";
    return call.ringing().flatMap((each): Act[] => {
      const by = "user" in each ? each.user : "device" in each ? each.device : each.number;
      const name = nameOf(simulator, by);
      const args = { call: call.id, by, endpoint: each.endpoint };
      const hint = `${each.endpoint}, ${label}`;
      return [
        { label: `${name} answers`, hint, kind: "answer", command: "answer", args },
        { label: `${name} declines`, hint, kind: "command", command: "decline", args },
      ];
    });
  });
}

function hangUps(simulator: Simulator, recording: Recording): Act[] {
  return simulator.calls.live().flatMap((call): Act[] => {
    const { record } = call;
    const label = recording.recorder.records.find(({ id }) => id === call.id)?.label ?? "";
    const connected = record.connections.filter(({ leftTimestamp }) => leftTimestamp === null);
    const here = connected.flatMap(({ partyId }): Act[] => {
      const party = record.parties.find(({ id }) => id === partyId);
      if (party?.entryId === undefined) return [];
      const args = { call: call.id, by: party.entryId };
      return [
        {
          label: `${shortName(party.displayName)} hangs up`,
          hint: label,
          kind: "command",
          command: "hangup",
          args,
        },
      ];
    });
    const args = { call: call.id, by: "caller" };
    return [{ label: "The caller hangs up", hint: label, kind: "command", command: "hangup", args }, ...here];
  });
}

function networkActs(simulator: Simulator): Act[] {
  const hosts = new Set(simulator.webhooks.list().map(({ url }) => new URL(url).origin));
  return [...hosts].flatMap((origin): Act[] => {
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

/** The name of a directory entry or a number. */
export function nameOf(simulator: Simulator, who: string): string {
  const entries = simulator.directory.list({ includeSuspendedUsers: true, includeHiddenCallGroups: true });
  const entry = entries.find(({ id }) => id === who);
  return oneLine(entry === undefined ? who : shortName(entry.displayName));
}
