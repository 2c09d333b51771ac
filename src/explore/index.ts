/**
 * `ringback/explore`: runs an integration in every world, up to a bound, in which the platform and the network behave
 * legally but not ideally.
 */

export type { Deviation } from "../engine/choices.ts";
export type { Breaks, Tried } from "./breaks.ts";
export type { Coverage, MachineCoverage } from "./coverage.ts";
export type { Share } from "./division.ts";
export type { Difference, NearestWorld, Received } from "./explain.ts";
export { explore, exploreReport } from "./explore.ts";
export type { ValueDifference } from "./failure.ts";
export { HttpSubject, type HttpSubjectOptions, httpSubject, type ServerSubject } from "./http-subject.ts";
export type { Check, SometimesCheck } from "./integration.ts";
export type { Mutant, MutantKind } from "./mutants.ts";
export type {
  BehaviourVariation,
  ConditionsVariation,
  DeviationBound,
  DeviationKind,
  ExploreBounds,
  ExploreModuleOptions,
  ExploreOptions,
  TrafficVariation,
  Variation,
} from "./options.ts";
export {
  CounterexampleError,
  type ExploreFailure,
  ExploreReport,
  type ExploreResult,
  type FailureFiles,
  IncompleteError,
  type LongWorld,
  type SmallestWorld,
} from "./report.ts";
export type { SinceWhen } from "./since-when.ts";
export type { PlatformTruth } from "./truth.ts";
