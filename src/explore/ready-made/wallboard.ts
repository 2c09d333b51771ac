import * as v from "valibot";
import { InputError } from "../../core/foundation/errors.ts";
import { anyObject, callback, list, object, readInput, text } from "../../core/foundation/input-schemas.ts";
import { isoDuration } from "../../core/foundation/instants.ts";
import { show } from "../../core/foundation/show.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { holds } from "../run/compared.ts";
import { withToldCheck } from "../run/told-check.ts";
import { BoardHistory, type Spell } from "./board-history.ts";
import { judgedCalls, mustShowCalls, orAbsent, type ReadyProperties, readShown } from "./properties.ts";
import { toldCalls, toldStatuses } from "./told.ts";

/** A status by user. */
type ShownPeople = Readonly<Record<string, string>>;

const of = "wallboard";
const people = "the wallboard shows people as they are";
const live = "the wallboard shows the calls that are live";
const givenOptions = object({ people: v.optional(callback()), live: v.optional(callback()) });
/** A status by user, under any key. */
const shownPeople = v.pipe(
  anyObject(),
  v.check((given) => !(given instanceof Map), "expected an object, got a Map: Object.fromEntries makes one"),
);

/**
 * Properties of an app that shows what happens now. Once everything is quiet, each person has the availability that
 * `GET /users` answers, and the live calls are those that are not over. Availability changes several times a minute, so
 * an update that comes late must not win over a newer one; and a call that is over when its start arrives must not stay on the board.
 * A person whose availability never changed may be missing, and so may blocked calls and those of withheld numbers.
 * While its world goes on, the board is read whenever the app has done its work: a status or a live call that the app was told of,
 * and that lasts five seconds, must be seen on a board that else never changes.
 * @param shown what the board shows; leave out what it does not have. `people` has a status by user, by id or e-mail
 * address; `live` the ids of calls. Both may be asynchronous, and return undefined where the board shows no such thing
 * @returns properties to spread into the options of `explore`. They need a world in which a person's availability
 * changed, and one in which a call was over
 * @throws {InputError} for options that are wrong
 * @example
 * import { exploreReport } from "ringback/explore";
 * import { wallboard } from "ringback/explore";
 *
 * const report = await exploreReport({
 *   scenario(sim) {
 *     sim.webhooks.create({ url: "https://board.test/", events: ["user.availability.updated"] });
 *     sim.users.get("alice").setAvailability("busy");
 *   },
 *   app(sim) {
 *     const board: Record<string, string> = {};
 *     sim.network.route("https://board.test/", ({ body }) => {
 *       const { user } = JSON.parse(body).data;
 *       board[user.id] = user.availability.status;
 *       return 204;
 *     });
 *     return board;
 *   },
 *   ...wallboard({ people: (board: Record<string, string>) => board }),
 * });
 * report.passed; // => true
 */
export function wallboard<T>(shown: {
  readonly people?: (app: T) => ShownPeople | undefined | Promise<ShownPeople | undefined>;
  readonly live?: (app: T) => readonly string[] | undefined | Promise<readonly string[] | undefined>;
}): ReadyProperties<T> {
  readInput(givenOptions, shown, ["wallboard"]);
  const { people: peopleOf, live: liveOf } = shown;
  if (peopleOf === undefined && liveOf === undefined)
    throw new InputError(["wallboard"], "expected people, live or both, or nothing would be judged");
  const history = { people: new BoardHistory<ShownPeople>(), live: new BoardHistory<readonly string[]>() };
  const properties: ReadyProperties<T>[] = [];
  if (peopleOf !== undefined)
    properties.push({
      eventually: {
        [people]: withToldCheck<T>(
          async (sim, app) => {
            const board = readShown(orAbsent(shownPeople), await peopleOf(app));
            const isJudged =
              history.people.has(sim) && (board !== undefined || (await liveOf?.(app)) == null);
            if (isJudged) mustShowChanges(sim, history.people);
            if (board !== undefined) mustShowPeople(sim, board);
            if (board === undefined) return holds({ of, columns: ["people"] });
            return holds({ of, columns: ["people"], compared: ["people"], ignored: strangers(sim, board) });
          },
          (sim) => mustShowPeople(sim, toldStatuses(sim)),
        ),
      },
      sometimes: { "a person's availability changed": (sim) => changedUsers(sim).size > 0 },
    });
  if (liveOf !== undefined)
    properties.push({
      eventually: {
        [live]: withToldCheck<T>(
          async (sim, app) => {
            const shown = readShown(orAbsent(list(text())), await liveOf(app));
            if (shown !== undefined) mustShowCalls(sim, shown, isLive);
            const isJudged =
              history.live.has(sim) && (shown !== undefined || (await peopleOf?.(app)) == null);
            if (isJudged) mustShowLive(sim, history.live);
            return holds({ of, columns: ["live"], compared: shown === undefined ? [] : ["live"] });
          },
          (sim) =>
            mustShowCalls(
              sim,
              toldCalls(sim)
                .filter(isLive)
                .map(({ id }) => id),
              isLive,
            ),
        ),
      },
      sometimes: {
        "a call of the wallboard is over": (sim) => judgedCalls(sim).some(({ endedAt }) => endedAt !== null),
      },
    });
  return {
    settled: {
      [LOOK]: async (sim, app) => {
        if (peopleOf !== undefined) history.people.note(sim, await looked(() => peopleOf(app)));
        if (liveOf !== undefined) history.live.note(sim, await looked(() => liveOf(app)));
      },
    },
    eventually: Object.assign({}, ...properties.map(({ eventually }) => eventually)),
    sometimes: Object.assign({}, ...properties.map(({ sometimes }) => sometimes)),
  };
}

const isLive = ({ endedAt }: { readonly endedAt: string | null }) => endedAt === null;

const LOOK = "the wallboard is looked at";

/** What a board shows while its world goes on. What cannot be read is told of at the end, where it is read again. */
async function looked<Shown>(read: () => Shown | Promise<Shown>): Promise<Shown | undefined> {
  try {
    const shown: unknown = (await read()) ?? undefined;
    // the app may change its board in place
    const copy = Array.isArray(shown) ? [...shown] : typeof shown === "object" ? { ...shown } : shown;
    return copy as Shown | undefined;
  } catch {
    return undefined;
  }
}

/** @throws {Error} if the board never showed a status that it must have shown */
function mustShowChanges(sim: Simulator, history: BoardHistory<ShownPeople>): void {
  const users = new Map(sim.users.list().map(({ id, record }) => [id, record.email]));
  const found = history.neverShown(
    sim,
    statusesIn(sim),
    (board, id) => board?.[id] ?? board?.[users.get(id) ?? id],
    ({ data: { user } }, id) => (user?.id === id ? user.availability?.status : undefined),
  );
  if (found === undefined) return;
  const { spell, shown, isDeaf } = found;
  const said = shown === undefined ? "never shows them" : `shows ${shown} all the time`;
  throw new Error(
    `the board is never updated: ${spell.id} was ${spell.state} at ${textAt(sim, spell)}, and it ${said}${deafText(isDeaf)}`,
  );
}

/** @throws {Error} if the board never showed a call that was live */
function mustShowLive(sim: Simulator, history: BoardHistory<readonly string[]>): void {
  const spells = judgedCalls(sim).map(
    ({ id, startedTimestamp, endedTimestamp }): Spell => ({
      ...{ id, state: LIVE, fromMs: startedTimestamp, toMs: endedTimestamp ?? Number.POSITIVE_INFINITY },
    }),
  );
  const found = history.neverShown(
    sim,
    spells,
    (calls, id) => (Array.isArray(calls) && calls.includes(id) ? LIVE : undefined),
    ({ data: { call } }, id) => (call?.id === id ? (call.endedAt === null ? LIVE : "over") : undefined),
  );
  if (found === undefined) return;
  const { spell, isDeaf } = found;
  throw new Error(
    `the board is never updated: ${spell.id} was live at ${textAt(sim, spell)}, and it never shows that call${deafText(isDeaf)}`,
  );
}

const LIVE = "live";
const deafText = (isDeaf: boolean) =>
  isDeaf ? ". The app has no webhook, and asks the REST API for nothing" : "";

const textAt = (sim: Simulator, { fromMs }: Spell) => isoDuration(fromMs - sim.startTimestamp);

/** Which status each person had, from when to when. */
function statusesIn(sim: Simulator): Spell[] {
  const changes = sim.events
    .ofType("user.availability.updated")
    .map(({ createdTimestamp, data: { user } }) => ({
      ...{ id: user.id, state: user.availability.status, fromMs: createdTimestamp },
    }));
  return changes.map((change, index) => {
    const next = changes.slice(index + 1).find(({ id }) => id === change.id);
    return { ...change, toMs: next?.fromMs ?? Number.POSITIVE_INFINITY };
  });
}

function changedUsers(sim: Simulator): Set<string> {
  return new Set(sim.events.ofType("user.availability.updated").map(({ data }) => data.user.id));
}

/** The keys of the board that are nobody's, as the report names them. */
function strangers(sim: Simulator, board: object): string[] {
  const users = new Set(sim.users.list().flatMap(({ record: { id, email } }) => [id, email]));
  return Object.keys(board)
    .filter((key) => !users.has(key))
    .map((key) => `people.${key}`);
}

function mustShowPeople(sim: Simulator, board: Readonly<Record<string, unknown>>): void {
  const changed = changedUsers(sim);
  for (const { id, email, availability } of sim.users.list().map(({ record }) => record)) {
    const status = board[id] ?? board[email];
    if (status === undefined && !changed.has(id)) continue;
    if (status === availability.status) continue;
    throw new Error(
      `${id} is ${availability.status}, and the board shows ${typeof status === "string" ? status : show(status)}`,
    );
  }
}
