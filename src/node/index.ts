/**
 * `ringback/node`: a simulator over HTTP, for clients and tests in any language.
 */
export type { Pace } from "./clock.ts";
export { type ServeOptions, type SimulatorServer, serve } from "./serve.ts";
