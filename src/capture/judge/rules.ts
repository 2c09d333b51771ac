import { type LawName, laws } from "../../core/platform/base/laws.ts";
import { wordsOfAssumption } from "../../core/platform/declare/assumption-words.ts";
import { type AssumptionName, usualAssumptions } from "../../core/platform/declare/assumptions.ts";
import { type Evidence, isDefault } from "../infer/evidence.ts";
import { type MeasuredRuleName, measuredRules, type RuleCounts, type RuleInputs } from "./measures.ts";

/** The name of a rule that captures can test: a law, an assumption, or a measured rule. */
export type RuleName = `law ${LawName}` | `assumption ${AssumptionName}` | `rule ${MeasuredRuleName}`;

/** Every rule that captures can test. */
export const ruleNames: readonly RuleName[] = [
  ...(Object.keys(usualAssumptions) as AssumptionName[])
    // rules of their own judge the orders that captures show
    .filter((name) => name !== "sameInstant")
    .map((name) => `assumption ${name}` as const),
  ...(Object.keys(laws) as LawName[]).map((name) => `law ${name}` as const),
  ...(Object.keys(measuredRules) as MeasuredRuleName[]).map((name) => `rule ${name}` as const),
];

/** A rule in words, without its full stop. */
export function ruleText(rule: RuleName): string {
  const name = rule.replace(/^\w+ /, "");
  if (rule.startsWith("law ")) return laws[name as LawName].text.replace(/\.$/, "");
  if (rule.startsWith("rule ")) return measuredRules[name as MeasuredRuleName].text;
  const { usual, means } = wordsOfAssumption(name as AssumptionName);
  const text = means[usual] ?? "";
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How often a capture confirms and contradicts a rule. Both are 0 if it shows nothing about it. */
export interface RuleRow {
  /** Its name: `law duration`, `assumption notAnswered`, `rule ring time`. */
  readonly rule: string;
  /** The rule in words. For an assumption: what its default means. */
  readonly text: string;
  /** How often the capture shows it. */
  readonly confirmed: number;
  /** How often the capture shows something else. */
  readonly contradicted: number;
  /** What it shows instead; undefined if it never contradicts the rule or there is no word for it. */
  readonly instead?: string;
  /** The first line that contradicts it; undefined if none does. */
  readonly line?: number;
}

/** How many events keep a law, and the lines of those that break it. */
export interface LawCount {
  kept: number;
  readonly broken: number[];
}

/** What a capture shows about the rules. */
export interface RuleObservations {
  readonly laws: ReadonlyMap<LawName, LawCount>;
  readonly evidence: readonly Evidence[];
  readonly inputs: RuleInputs;
}

/** Counts for each rule how often a capture confirms and contradicts it, in the order of `ruleNames`. */
export function judgeRules({ laws: counts, evidence, inputs }: RuleObservations): RuleRow[] {
  return ruleNames.map((rule): RuleRow => {
    const [, kind, name = ""] = /^(\w+) (.*)$/.exec(rule) ?? [];
    const verdict =
      kind === "law"
        ? lawCounts(counts.get(name as LawName))
        : kind === "assumption"
          ? assumptionCounts(evidence.filter(({ assumption }) => assumption === name))
          : measuredRules[name as MeasuredRuleName].judge(inputs);
    return { rule, text: ruleText(rule), confirmed: 0, contradicted: 0, ...verdict };
  });
}

function lawCounts(count: LawCount | undefined): RuleCounts | undefined {
  if (count === undefined) return undefined;
  const [line] = count.broken;
  return {
    confirmed: count.kept,
    contradicted: count.broken.length,
    ...(line === undefined ? {} : { line }),
  };
}

function assumptionCounts(evidence: readonly Evidence[]): RuleCounts {
  const others = evidence.filter((each) => !isDefault(each));
  return {
    confirmed: evidence.filter(isDefault).reduce((sum, { count }) => sum + count, 0),
    contradicted: others.reduce((sum, { count }) => sum + count, 0),
    ...(others.length === 0
      ? {}
      : {
          instead: others.map(({ value }) => value).join(", "),
          line: Math.min(...others.map(({ line }) => line)),
        }),
  };
}

/** Whether a capture shows anything about a rule. */
export const isTested = ({ confirmed, contradicted }: RuleRow): boolean => confirmed + contradicted > 0;
