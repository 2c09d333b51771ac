/**
 * `ringback/node`: a simulator over HTTP, for clients and tests in any language.
 */
export type { Pace } from "./clock.ts";
export type { Page, PageContent } from "./page.ts";
export { probe } from "./probe.ts";
export { type ServedRequest, type ServeOptions, type SimulatorServer, serve, serveNew } from "./serve.ts";
