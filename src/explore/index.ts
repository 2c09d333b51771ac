/**
 * `ringback/explore`: runs an integration in every world, up to a bound, in which the platform and the network behave
 * legally but not ideally.
 */

export type { Deviation } from "../core/engine/deviations.ts";
export type { Difference, NearestWorld, Received } from "../findings/explain.ts";
export type { ValueDifference } from "../findings/property-failure.ts";
export { explore, exploreReport } from "./explore.ts";
export {
  HttpSubject,
  type HttpSubjectOptions,
  httpSubject,
  type ServerSubject,
} from "./http/http-subject.ts";
export type { PlatformTruth } from "./http/state-oracle.ts";
export type { DeviationCount, DeviationStatistics } from "./minimize/deviation-statistics.ts";
export type { People, PersonKind } from "./people/people-options.ts";
export { callBacks } from "./ready-made/call-backs.ts";
export { type CallLogRow, callLog } from "./ready-made/call-log.ts";
export type { ReadyProperties } from "./ready-made/properties.ts";
export { wallboard } from "./ready-made/wallboard.ts";
export {
  CounterexampleError,
  type ExploreFailure,
  ExploreReport,
  type ExploreResult,
  type FailureFiles,
  IncompleteError,
  type KnownFailure,
  type LongWorld,
  type SmallestWorld,
} from "./report/report.ts";
export type { ComparedRows } from "./run/compared.ts";
export type { Coverage, MachineCoverage } from "./run/coverage.ts";
export type { Check, SometimesCheck } from "./run/integration.ts";
export type { Mutant, MutantKind } from "./run/mutants.ts";
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
} from "./search/options.ts";
export type { Shard } from "./search/sharding.ts";
