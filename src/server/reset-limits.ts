import { readInput } from "../core/foundation/input-schemas.ts";
import { readTiming } from "../core/platform/declare/settings.ts";
import { webhookSettingsSchema } from "../core/platform/declare/webhook-settings.ts";
import type { CompleteOptions, Retain } from "../core/simulator/options.ts";
import { ControlError } from "./errors.ts";

/** The longest name of a dialect: each answer and each body of a webhook repeats it many times. */
const LONGEST_NAME = 200;

/** The longest text of an organisation, which each record about it repeats; also a seed and what clients have, which each state shows. */
const LONGEST_TEXT = 10_000;

type Refuse = (option: string, how: string) => never;

/**
 * Checks that a reset changes only what is simulated. Anyone who reaches the control plane can ask for one, but only
 * whoever starts the server decides what it may do. An option that the reset gives replaces the server's, so what it
 * leaves out of the option counts with its default.
 * @param operator the options with which the server runs
 * @param given the options of the reset
 * @throws {ControlError} 403 naming the option that would allow more
 * @throws {InputError} naming the option that is wrong
 */
export function mustNotRaiseLimits(
  operator: CompleteOptions,
  given: Readonly<Record<string, unknown>>,
): void {
  const refuse: Refuse = (option, how) => {
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
  if ("timing" in given) mustNotWaitLonger(operator, given.timing, refuse);
  if ("webhooks" in given) mustNotAttemptMore(operator, given.webhooks, refuse);
  mustBeShort("dialect", operator.dialect, given.dialect, LONGEST_NAME, refuse);
  for (const name of ["organisation", "seed", "clients"] as const)
    mustBeShort(name, operator[name], given[name], LONGEST_TEXT, refuse);
}

/** Refuses to keep more in memory than the server was started with. */
function mustNotKeepMore(operator: Retain, given: Retain, refuse: Refuse): void {
  for (const [name, bound] of Object.entries(operator)) {
    const wanted = (given as Record<string, unknown>)[name];
    const isMore =
      typeof bound === "number"
        ? !(typeof wanted === "number" && wanted <= bound)
        : bound === false && wanted !== false;
    if (isMore) refuse(`retain.${name}`, "keep more");
  }
}

/** The only duration that is real time: how long a run waits for a real endpoint that does not answer. */
function mustNotWaitLonger({ timing }: CompleteOptions, given: unknown, refuse: Refuse): void {
  if (readTiming(given).endpointTimeout > timing.endpointTimeout)
    refuse("timing.endpointTimeout", "wait longer for real endpoints");
}

/** Each event makes as many requests as its delivery has attempts, and `retain` counts only finished deliveries. */
function mustNotAttemptMore({ webhooks }: CompleteOptions, given: unknown, refuse: Refuse): void {
  const { schedule, failureLimit } = readInput(webhookSettingsSchema, given ?? {}, ["webhooks"]);
  if (schedule.length > webhooks.schedule.length)
    refuse("webhooks.schedule", `attempt deliveries more than ${webhooks.schedule.length} times`);
  if (failureLimit > webhooks.failureLimit)
    refuse("webhooks.failureLimit", `let more than ${webhooks.failureLimit} deliveries in a row fail`);
}

/** Refuses texts that are longer than a limit and than all that the server has itself. */
function mustBeShort(option: string, own: unknown, given: unknown, limit: number, refuse: Refuse): void {
  const got = findLongest(given);
  if (got <= limit) return;
  const longest = Math.max(limit, findLongest(own));
  if (got > longest) refuse(option, `have a text of more than ${longest} characters`);
}

/** How long the longest text in a value is. */
function findLongest(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let longest = 0;
  for (const part of Object.values(value)) longest = Math.max(longest, findLongest(part));
  return longest;
}
