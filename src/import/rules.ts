import type { LawName } from "../platform/score/laws.ts";
import { laws } from "../platform/score/laws.ts";
import type { Evidence } from "./evidence.ts";
import { isDefault } from "./evidence.ts";

/** A rule that a capture says something about. */
export interface RuleRow {
  /** A law by its name, or an assumption by its name and its default value. */
  readonly rule: string;
  /** The rule in words. */
  readonly text: string;
  /** How many events keep it. */
  readonly confirmed: number;
  /** How many events do not. */
  readonly contradicted: number;
  /** What was seen instead; undefined if nothing was. */
  readonly instead?: string;
  /** The line that contradicts it first; undefined if none does. */
  readonly line?: number;
}

/** How many events keep a law, and the lines of those that break it. */
export interface LawCount {
  kept: number;
  readonly broken: number[];
}

/** What a capture says of the laws and of the assumptions. */
export function ruleRows(counts: ReadonlyMap<LawName, LawCount>, evidence: readonly Evidence[]): RuleRow[] {
  const ofLaws = [...counts].map(([law, { kept, broken }]): RuleRow => {
    const [line] = broken;
    return {
      rule: `law ${law}`,
      text: laws[law].text,
      confirmed: kept,
      contradicted: broken.length,
      ...(line === undefined ? {} : { line }),
    };
  });
  const names = [...new Set(evidence.map(({ assumption }) => assumption))];
  const ofAssumptions = names.map((name): RuleRow => {
    const seen = evidence.filter(({ assumption }) => assumption === name);
    const others = seen.filter((each) => !isDefault(each));
    const confirmed = seen.filter(isDefault).reduce((sum, { count }) => sum + count, 0);
    const instead = others.map(({ value }) => value).join(", ");
    return {
      rule: `assumption ${name}`,
      text: `The default of \`assume.${name}\` holds.`,
      confirmed,
      contradicted: others.reduce((sum, { count }) => sum + count, 0),
      ...(others.length === 0 ? {} : { instead, line: Math.min(...others.map(({ line }) => line)) }),
    };
  });
  return [...ofAssumptions, ...ofLaws.sort((a, b) => (a.rule < b.rule ? -1 : 1))];
}

/** What captures said of the rules, to be kept in a file and sent. It holds no data of the captures. */
export interface Ledger {
  /** The version of this form. */
  readonly ledger: 1;
  /** What each capture said, by a checksum of the capture. */
  readonly captures: Readonly<Record<string, CaptureEntry>>;
}

interface CaptureEntry {
  readonly requests: number;
  /** By rule: how many events keep it and how many do not, and what was seen instead. */
  readonly rules: Readonly<Record<string, { confirmed: number; contradicted: number; instead?: string }>>;
}

/**
 * Adds what a capture says to a ledger. A capture that it has already is put in its place.
 * @param ledger undefined for a new one
 * @param checksum of the capture
 */
export function withCapture(
  ledger: Ledger | undefined,
  checksum: string,
  requests: number,
  rows: readonly RuleRow[],
): Ledger {
  const rules = Object.fromEntries(
    rows.map(({ rule, confirmed, contradicted, instead }) => [
      rule,
      { confirmed, contradicted, ...(instead === undefined ? {} : { instead }) },
    ]),
  );
  const captures = { ...ledger?.captures, [checksum]: { requests, rules } };
  const inOrder = Object.entries(captures).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ledger: 1, captures: Object.fromEntries(inOrder) };
}
