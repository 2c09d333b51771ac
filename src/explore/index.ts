/**
 * `ringback/explore`: runs an app in every world, up to a bound, in which the platform and the network behave
 * legally but not ideally.
 */

export type { Deviation } from "../core/engine/deviations.ts";
export type { NearestWorld, WorldDifference } from "../findings/explain.ts";
export type { Coverage } from "../stories/coverage.ts";
export type { People, PersonKind } from "../stories/people-options.ts";
export { explore, exploreReport } from "./explore.ts";
export {
  type HttpApp,
  type HttpAppOptions,
  type HttpSubject,
  type HttpSubjectOptions,
  httpApp,
  httpSubject,
  type ServerApp,
  type ServerSubject,
} from "./http/http-app.ts";
export type { PlatformTruth } from "./http/state-oracle.ts";
export { callBacks } from "./ready-made/call-backs.ts";
export { type CallLogRow, callLog } from "./ready-made/call-log.ts";
export type { ReadyProperties } from "./ready-made/properties.ts";
export { wallboard } from "./ready-made/wallboard.ts";
export { CounterexampleError, IncompleteError } from "./report/errors.ts";
export {
  type ExploreFailure,
  ExploreReport,
  type ExploreResult,
} from "./report/report.ts";
export type { Check, SometimesCheck } from "./run/explored-app.ts";
export type { Mutant } from "./run/mutants.ts";
export type {
  DeviationBound,
  DeviationKind,
  ExploreBounds,
  ExploreModuleOptions,
  ExploreOptions,
  Variation,
} from "./search/options.ts";
export type { Shard } from "./search/sharding.ts";
