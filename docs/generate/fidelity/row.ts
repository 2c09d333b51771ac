import type { RuleName } from "../../../src/capture/rules.ts";
import type { AssumptionName } from "../../../src/core/platform/declare/assumptions.ts";

/** Whether the platform's API specification says so, or it is silent and we decided; perhaps with a restriction. */
export type Whose = `specified${string}` | `ours${string}`;

/** A test that proves a rule: its file in `test/` without its ending, and its title. */
export type Proof = `${string}: ${string}`;

/** A rule that ringback follows: a row of docs/fidelity.md. */
export type Row = {
  readonly whose: Whose;
  /** The tests that prove it. None: it follows from others, or nobody has written one. */
  readonly proof: readonly Proof[];
  /** The assumption whose default it is, if a reasonable platform would do otherwise. */
  readonly assumption?: AssumptionName;
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
