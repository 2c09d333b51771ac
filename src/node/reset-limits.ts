import { readDurationMs } from "../engine/instants.ts";
import type { CompleteOptions, Retain } from "../options.ts";
import { ControlError } from "./errors.ts";

/**
 * Checks that a reset changes only what is simulated. Anyone who reaches the control plane can ask for one, but only
 * whoever starts the server decides what it may do.
 * @param operator the options with which the server runs
 * @param given the options of the reset
 * @throws {ControlError} 403 naming the option that would allow more
 */
export function mustNotAllowMore(operator: CompleteOptions, given: Readonly<Record<string, unknown>>): void {
  const refuse = (option: string, how: string) => {
    throw new ControlError(403, "forbidden", `${option}: a reset cannot ${how}; start the server with it`);
  };
  for (const name of ["allowLocal", "allowLocalWebhooks"])
    if (given[name] === true && !operator.allowLocal) refuse(name, "allow local and private hosts");
  if (given.urls !== undefined) refuse("urls", "change the server's addresses");
  const { vendorSecret } = operator.dialect;
  if (vendorSecret !== null && "dialect" in given) {
    const dialect = (given.dialect ?? {}) as { readonly vendorSecret?: unknown };
    if (dialect.vendorSecret == null)
      refuse("dialect.vendorSecret", "leave out what requests are signed with");
  }
  if ("retain" in given) mustNotKeepMore(operator.retain, (given.retain ?? {}) as Retain, refuse);
  // the only duration that is real time: how long a run waits for a real endpoint that does not answer
  const { endpointTimeout } = (given.timing ?? {}) as { readonly endpointTimeout?: unknown };
  if (endpointTimeout === undefined) return;
  const path = ["timing", "endpointTimeout"];
  if (readDurationMs(endpointTimeout, path) > operator.timing.endpointTimeout)
    refuse("timing.endpointTimeout", "wait longer for real endpoints");
}

/** Refuses to keep more in memory than the server was started with. */
function mustNotKeepMore(
  operator: Retain,
  given: Retain,
  refuse: (option: string, how: string) => void,
): void {
  for (const [name, bound] of Object.entries(operator)) {
    const wanted = (given as Record<string, unknown>)[name];
    const isMore =
      typeof bound === "number"
        ? !(typeof wanted === "number" && wanted <= bound)
        : bound === false && wanted !== false;
    if (isMore) refuse(`retain.${name}`, "keep more");
  }
}
