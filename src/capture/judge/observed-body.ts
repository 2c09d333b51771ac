import { isRecord } from "../../core/foundation/values.ts";
import { adaptData } from "../read/adapt.ts";

/**
 * Bodies of the profile `observed`, brought into the documented shape: docs/observed.md. What that shape writes in another
 * form and cannot be brought back, such as a location as text, is left out.
 */

type Body = Readonly<Record<string, unknown>>;

/** Fields that the observed shape writes as something else. */
const otherwise: ReadonlySet<string> = new Set(["location", "teams", "durationText", "waitTimeText"]);

/** The documented fields that a whole body of the observed shape may lack, besides those that may be null. */
const observedLacks =
  /(\.assignedUser\.displayName|\.durationText|\.user\.(availability|teams)|\.teamMembers\[\d+\]\.(availability|endpoints|hasVoicemail|priority|teams))$/;

/** Whether a trimmed body lacks this field, and not only the observed shape. */
export const isObservedField = (path: string): boolean => !observedLacks.test(path);

/** A body of the observed shape in the documented one. */
export function fromObserved({ created, timestamp, version: _, ...body }: Body): Body {
  return {
    ...body,
    ...(created === undefined ? {} : { createdAt: created }),
    ...(timestamp === undefined ? {} : { createdTimestamp: timestamp }),
    ...(isRecord(body.data) ? { data: documentedData(body.data) } : {}),
  };
}

function documentedData(given: Body): Body {
  const { call, ...data } = documented(adaptData(given)) as Body;
  if (!isRecord(call)) return call === undefined ? data : { ...data, call };
  const { connections, ...rest } = call;
  return { ...data, call: hasConnections(given.call) ? { ...rest, connections } : rest };
}

/** Whether each party says when it was on the bridge: a trimmed one does not. */
function hasConnections(call: unknown): boolean {
  const parties = isRecord(call) ? call.parties : undefined;
  return (
    Array.isArray(parties) && parties.every((party) => isRecord(party) && party.connections !== undefined)
  );
}

function documented(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((each) => documented(each));
    // a number of which the text is trimmed away
    return key === "phoneNumbers" ? items.filter((each) => !isRecord(each)) : items;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, below]) => {
      // ids of parties are those of their entries, and a voicemail is none
      const isNone =
        (name === "mobile" && below === null) || (name === "entryId" && value.type === "voicemail");
      return isNone || otherwise.has(name) ? [] : [[name, documented(below, name)]];
    }),
  );
}
