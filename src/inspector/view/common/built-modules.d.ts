/** Modules that the build makes for the page; see src/inspector/build/page.ts. */
declare module "built:charts" {
  const charts: unknown;
  export default charts;
}
declare module "built:schema" {
  const schema: unknown;
  export default schema;
}
declare const RINGBACK_VERSION: string;
/** Where the site is; empty as long as the package names no place. */
declare const RINGBACK_HOMEPAGE: string;
