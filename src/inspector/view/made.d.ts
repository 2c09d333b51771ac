/** Modules that the build makes for the page; see src/inspector/build/page.ts. */
declare module "made:lessons" {
  const lessons: unknown;
  export default lessons;
}
declare module "made:charts" {
  const charts: unknown;
  export default charts;
}
declare module "made:schema" {
  const schema: unknown;
  export default schema;
}
declare const RINGBACK_VERSION: string;
