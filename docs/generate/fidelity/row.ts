import type { RuleName } from "../../../src/capture/judge/rules.ts";
import type { AssumptionName } from "../../../src/core/platform/declare/assumptions.ts";

/** Whether the platform's API specification says so, or it is silent and we decided; perhaps with a restriction. */
export type Whose = `specified${string}` | `ours${string}`;

/** A test that proves a rule: its file in `test/` without its ending, and its title. */
export type Proof = `${string}: ${string}`;

/** Whether public material agrees with a rule, or what it shows instead, as Markdown. */
export type Seen = "agrees" | `differs: ${string}`;

/** A rule that ringback follows: a row of a page of docs/fidelity.md. Links are written as from `docs/`. */
export type Row = {
  readonly whose: Whose;
  /** The tests that prove it. None: it follows from others, or nobody has written one. */
  readonly proof: readonly Proof[];
  /** The assumption whose default it is, if a reasonable platform would do otherwise. */
  readonly assumption?: AssumptionName;
  /** What public bodies and clients of such a platform show of it. None: they do not show it. */
  readonly seen?: Seen;
} & (
  | { readonly rule: string; readonly judged?: undefined }
  /** A rule that captures judge. Its words stand where it is judged. */
  | { readonly rule?: undefined; readonly judged: RuleName }
);

/** A part of an area. */
export interface Section {
  readonly title: string;
  /** What stands above its rules, as Markdown. */
  readonly text?: string;
  readonly rows: readonly Row[];
}

/** An area of the platform. */
export interface Area {
  readonly title: string;
  /** What stands above its rules, as Markdown. */
  readonly text?: string;
  readonly rows?: readonly Row[];
  readonly sections?: readonly Section[];
}

/** A page of docs/fidelity.md. */
export interface Subject {
  /** Its file in `docs/fidelity/` without the ending. */
  readonly name: string;
  readonly title: string;
  readonly areas: readonly Area[];
}
