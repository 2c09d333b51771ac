import { isRecord } from "../../../src/core/foundation/values.ts";
import type { Dice } from "../../digest/dice.ts";

/**
 * Twenty ways in which fixtures that people write by hand are wrong, written before the judge. Each breaks a whole body
 * of a run and says which fields a verdict may name; undefined where it does not apply.
 */

// biome-ignore lint/suspicious/noExplicitAny: a body is changed in ways that its type forbids
type Body = any;
type Rule = (body: Body, dice: Dice) => readonly string[] | undefined;

interface Place {
  readonly owner: Record<string, unknown>;
  readonly key: string;
  readonly value: unknown;
  readonly path: string;
}

/** Every field below a value, with its path. Passthrough parameters are free text, so nothing there can be misspelt. */
function places(value: unknown, path: string): Place[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => places(each, `${path}[${index}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    if (key === "passthroughParameters") return [];
    const own = `${path}.${key}`;
    const owner = value as Record<string, unknown>;
    return [{ owner, key, value: below, path: own }, ...places(below, own)];
  });
}

const isDate = (key: string) => /(At|Timestamp|Expires)$/.test(key);

/** Changes one field that is such. */
function oneOf(is: (place: Place) => boolean, change: (place: Place) => unknown): Rule {
  return (body, dice) => {
    const place = dice.pick(places(body.data, "data").filter(is));
    if (place === undefined) return undefined;
    const changed = change(place);
    if (changed === place.value) return undefined;
    place.owner[place.key] = changed;
    return [place.path];
  };
}

/** Both fields of a date. */
function setDate(record: Body, name: string, ms: number | null): void {
  record[`${name}Timestamp`] = ms;
  record[`${name}At`] = ms === null ? null : new Date(ms).toISOString();
}

/** A rule of bodies of calls. */
function ofCall(rule: (call: Body, body: Body, dice: Dice) => readonly string[] | undefined): Rule {
  return (body, dice) => (body.data.call === undefined ? undefined : rule(body.data.call, body, dice));
}

const words = ["status", "direction", "outcome", "reason", "notAvailableRule", "loginStatus", "channel"];
/** Lists whose items are told apart by a `type` that only they have. */
const typed = /\.(parties|messages|endpoints)\[\d+\](\.author)?\.type$/;

export const breakingRules: Readonly<Record<string, Rule>> = {
  "a number is written as text": oneOf(
    ({ value }) => typeof value === "number",
    ({ value }) => String(value),
  ),
  "a text is written as a number": oneOf(
    ({ value, key }) => typeof value === "string" && !isDate(key),
    () => 64,
  ),
  "a flag is written as text": oneOf(
    ({ value }) => typeof value === "boolean",
    ({ value }) => String(value),
  ),
  "a field is written in snake case": (body, dice) => {
    const place = dice.pick(places(body.data, "data").filter(({ key }) => /[a-z][A-Z]/.test(key)));
    if (place === undefined) return undefined;
    const name = place.key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    delete place.owner[place.key];
    place.owner[name] = place.value;
    return [place.path.replace(/[^.]+$/, name)];
  },
  "a word is none of the documented ones": oneOf(
    ({ key, value, path }) =>
      typeof value === "string" &&
      (words.includes(key) || typed.test(path)) &&
      !/(summary|agent|content)\b/.test(path) &&
      // the channel of a shared contact is a text
      path !== "data.channel",
    () => "completed",
  ),
  "a field is null that never is": oneOf(
    ({ key }) =>
      ["id", "direction", "isInternal", "parties", "connections", "summary", "endpoints"].includes(key),
    () => null,
  ),
  "the two fields of a date differ": oneOf(
    ({ key, value }) => key.endsWith("Timestamp") && typeof value === "number",
    ({ value }) => (value as number) + 3_600_000,
  ),
  "a date is written in another form": oneOf(
    ({ key, value }) => key.endsWith("At") && typeof value === "string",
    ({ value }) => (value as string).replace("T", " ").replace(/\.\d+Z$/, ""),
  ),
  "a timestamp is in seconds": oneOf(
    ({ key, value }) => key.endsWith("Timestamp") && typeof value === "number",
    ({ value }) => Math.floor((value as number) / 1_000),
  ),
  "a duration is in seconds": ofCall((call, _, dice) => {
    const name = dice.pick(["duration", "waitTime"].filter((each) => call[each] > 1_000));
    if (name === undefined) return undefined;
    call[name] = Math.floor(call[name] / 1_000);
    return [`data.call.${name}`, `data.call.${name}Text`];
  }),
  "a text of a duration says another": ofCall((call, _, dice) => {
    const name = dice.pick(["durationText", "waitTimeText"].filter((each) => typeof call[each] === "string"));
    if (name === undefined || call[name] === "1h 59m") return undefined;
    call[name] = "1h 59m";
    return [`data.call.${name}`];
  }),
  "a call ends before it starts": ofCall((call) => {
    if (call.endedAt === null) return undefined;
    setDate(call, "ended", call.startedTimestamp - 60_000);
    return ["data.call.endedAt", "data.call.duration"];
  }),
  "status and outcome differ": ofCall((call) => {
    if (call.outcome === null) return undefined;
    call.status = call.status === "ended" ? "missed" : "ended";
    return ["data.call.status", "data.call.outcome.status", "data.call.answeredAt", "data.call.outcome"];
  }),
  "a reason is of another outcome": ofCall((call) => {
    if (call.outcome === null) return undefined;
    call.outcome.reason = call.outcome.reason === null ? "timeout" : null;
    return ["data.call.outcome.reason"];
  }),
  "an event has the state of another": ofCall((call, body) => {
    if (body.type === "call.ended") {
      setDate(call, "ended", null);
      Object.assign(call, { outcome: null, duration: null, durationText: null });
      return ["data.call.outcome", "data.call.endedAt", "data.call.status", "data.call.duration"];
    }
    if (body.type !== "call.started" && body.type !== "call.answered") return undefined;
    Object.assign(call, { outcome: { status: "answered", reason: null } });
    return ["data.call.outcome", "data.call.endedAt", "data.call.answeredAt", "data.call.duration"];
  }),
  "a stranger is on the bridge": ofCall((call, _, dice) => {
    const connection = dice.pick<Body>(call.connections);
    if (connection === undefined) return undefined;
    connection.partyId = "party-99";
    return ["data.call.connections"];
  }),
  "the type of the event is misremembered": (body) => {
    const other: Readonly<Record<string, string>> = {
      "call.ended": "call.finished",
      "call.not_answered": "call.missed",
      "call.hungup": "call.hangup",
      "user.availability.updated": "user.availability.changed",
    };
    if (other[body.type] === undefined) return undefined;
    body.type = other[body.type];
    return ["type"];
  },
  "a party has a field of another kind": ofCall((call, _, dice) => {
    const index = dice.below(call.parties.length);
    const party = call.parties[index];
    const name = party.type === "user" || party.type === "device" ? "phoneNumber" : "extension";
    party[name] = name === "extension" ? "101" : "+6421555001";
    return [`data.call.parties[${index}].${name}`];
  }),
  "somebody answered a call that nobody answered": ofCall((call, _, dice) => {
    if (call.answeredAt !== null || call.endedAt === null) return undefined;
    if (dice.chance(0.5)) {
      setDate(call, "answered", call.startedTimestamp);
      return ["data.call.answeredAt", "data.call.waitTime"];
    }
    const user = { id: "alice", type: "user", displayName: "Alice", firstName: null, lastName: null };
    call.assignedUser = { ...user, extension: "101", email: null, manager: null, location: null };
    return ["data.call.assignedUser", "data.call.assignedUser.id"];
  }),
  "an availability contradicts itself": ({ data }) => {
    if (data.team !== undefined) {
      const { availability } = data.team;
      availability.totalAvailable += 1;
      return [
        "data.team.availability.totalAvailable",
        "data.team.availability.totalMembers",
        "data.team.availability.status",
      ];
    }
    if (data.user === undefined) return undefined;
    const { availability } = data.user;
    if (availability.status === "available") {
      availability.notAvailableRule = "doNotDisturb";
      return ["data.user.availability.notAvailableRule"];
    }
    availability.status = "available";
    if (availability.notAvailableRule === null) return undefined;
    return ["data.user.availability.notAvailableRule"];
  },
};
