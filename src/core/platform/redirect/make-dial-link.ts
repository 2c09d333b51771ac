import * as v from "valibot";
import type { Problem } from "../../foundation/errors.ts";
import { e164 } from "../../foundation/input-schemas.ts";
import { type PassthroughParameters, validEntries } from "../passthrough/passthrough.ts";

/** The contents of a dial link. */
export interface DialLink {
  readonly contactNumber: string | undefined;
  readonly callerId: string | undefined;
  readonly passthroughParameters: PassthroughParameters;
}

interface DialLinkArguments extends Partial<DialLink> {
  readonly link?: string | undefined;
}

/** Reads the arguments, or the query of `link`, which is URL-decoded once. Empty numbers count as absent. */
export function makeDialLink({ link, ...args }: DialLinkArguments): DialLink {
  const { contactNumber, callerId, passthroughParameters = {} } = args;
  if (link === undefined) return { contactNumber, callerId, passthroughParameters };
  const query = new URL(link).searchParams;
  return {
    contactNumber: numberIn(query, "contactNumber"),
    callerId: numberIn(query, "callerId"),
    passthroughParameters: validEntries(Object.fromEntries(query)),
  };
}

/** Checks that a schema cannot make: `link` is a URL, has a number, and stands without other arguments. */
export function dialLinkProblems(args: DialLinkArguments): readonly Problem[] {
  const { link, contactNumber, callerId, passthroughParameters = {} } = args;
  if (link === undefined)
    return contactNumber === undefined ? [{ keys: ["contactNumber"], message: "missing, and no link" }] : [];
  if (!URL.canParse(link)) return [{ keys: ["link"], message: "expected a URL" }];
  if (contactNumber !== undefined || callerId !== undefined || Object.keys(passthroughParameters).length > 0)
    return [
      { keys: ["link"], message: "expected a link alone: its query has the number and the parameters" },
    ];
  const said = makeDialLink(args);
  if (said.contactNumber === undefined)
    return [{ keys: ["link"], message: "expected contactNumber in its query" }];
  const numbers = { contactNumber: said.contactNumber, callerId: said.callerId };
  return Object.entries(numbers).flatMap(([name, number]) =>
    number === undefined || v.is(e164(), number)
      ? []
      : [{ keys: ["link"], message: `expected a phone number in E.164 as ${name}, got "${number}"` }],
  );
}

/** A phone number in a query. URL decoding turns an unencoded `+` into a blank, so a leading blank becomes `+`. */
function numberIn(query: URLSearchParams, name: string): string | undefined {
  return query.get(name)?.replace(/^ /, "+") || undefined;
}
