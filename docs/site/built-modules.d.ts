/** What the site's build gives to its scripts; see docs/site/site.ts. */
declare module "built:worker" {
  /** The script of the worker that holds the simulator. */
  const worker: string;
  export default worker;
}
