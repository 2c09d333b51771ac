import { type DeliveryHistory, troubleNames, troubles } from "../../model/delivery-histories.ts";
import { searchText } from "../state/layout.ts";
import type { LoadedRun } from "../state/loading.ts";
import type { OverviewRecord } from "./calls.ts";

/** Something that calls can be filtered by, such as a person, an event's type or a status. */
export interface FilterOption {
  /** `status 503`, `to Bob`, `call 91`. */
  readonly text: string;
  /** The indexes of the matching calls. */
  readonly records: ReadonlySet<number>;
}

/** How many suggestions are shown at once. */
const SHOWN = 8;

/** All filter options of a run, troubles first. */
export function filterOptions(
  { summary }: LoadedRun,
  histories: readonly DeliveryHistory[],
  records: readonly OverviewRecord[],
): FilterOption[] {
  const found = new Map<string, Set<number>>();
  const add = (text: string, record: number) => {
    if (record < 0) return;
    const known = found.get(text);
    if (known === undefined) found.set(text, new Set([record]));
    else known.add(record);
  };
  const hosts = new Map(summary.lanes.map(({ id, short }) => [id, short]));
  for (const name of troubles)
    for (const { trouble, record } of histories) if (trouble === name) add(troubleNames[name], record);
  for (const { attempts, record } of histories)
    for (const { text, kind } of attempts)
      if (kind === "failed" || kind === "lost") add(`status ${text}`, record);
  for (const { outcome, index } of records) {
    if (outcome[0] !== "") add(`outcome ${outcome[0]}`, index);
    if (outcome[1] !== "") add(`outcome ${outcome.join(", ")}`, index);
  }
  for (const { what, lane, record } of histories) {
    add(what, record);
    if (lane !== "") add(`webhook ${hosts.get(lane) ?? lane}`, record);
  }
  for (const { to, index } of records) add(`to ${to}`, index);
  for (const { from, index } of records) add(`from ${from}`, index);
  for (const { record, index } of records) add(`${record.kind} ${record.label}`, index);
  return [...found].map(([text, of]) => ({ text, records: of }));
}

/** The options that contain all typed words, exact matches of the first word first. */
export function suggest(choices: readonly FilterOption[], typed: string): FilterOption[] {
  const words = searchText(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const fits = choices.filter(({ text }) => words.every((word) => searchText(text).includes(word)));
  const isExact = ({ text }: FilterOption) =>
    searchText(text)
      .split(" ")
      .includes(words[0] ?? "");
  return [...fits.filter(isExact), ...fits.filter((each) => !isExact(each))].slice(0, SHOWN);
}
