import type { CommandName } from "../core/platform/base/core-services.ts";
import { grantedParties, possibleCommands } from "../core/platform/catalogue/possible-commands.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import type { Actors } from "./actors.ts";
import { type PersonKind, personKinds } from "./people-options.ts";

/** One command of an act. What it names is an id of the run. */
export interface ActCommand {
  readonly name: CommandName;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The commands that people give once a call has begun. Each of them in a scenario may also be left undone. */
export const commandsOfPeople: ReadonlySet<string> = new Set([
  ...["answer", "decline", "hangup", "transfer", "add", "move", "leaveVoicemail"],
  ...["setAvailability", "setEndpoint"],
]);

/** What one person does at one instant. Logging out is a command for each endpoint. */
export interface Act {
  /** Who does it: a user, an outside number, or `caller`. */
  readonly who: string;
  /** Whom it is done to, besides the call: a user's id, or another target. */
  readonly to?: string;
  readonly commands: readonly ActCommand[];
}

/** An instant of a run at which somebody may act. */
export interface Scene {
  readonly simulator: Simulator;
  readonly actors: Actors;
}

type ActsAt = (scene: Scene) => readonly Act[];

/** What lets people do each kind of act. Some of the acts may be refused. */
const actsByKind: Readonly<Record<PersonKind, ActsAt>> = {
  answer: possible("answer"),
  decline: possible("decline"),
  hangup: possible("hangup"),
  move: possible("move"),
  voicemail: (scene) =>
    // less than the shortest message counts as none
    possible("leaveVoicemail")(scene).flatMap((act) => [act, withArguments(act, { duration: "PT1S" })]),
  transfer: (scene) => [...handOvers(scene, "transfer", { warm: true }), ...handOvers(scene, "transfer", {})],
  add: (scene) => handOvers(scene, "add", {}),
  busy: ({ simulator, actors }) =>
    actors.users.map((user) => {
      const { availability } = simulator.users.get(user).record;
      const status = availability.notAvailableRule === "doNotDisturb" ? "available" : "busy";
      return { who: user, commands: [{ name: "setAvailability", args: { user, status } }] };
    }),
  logout: ({ simulator, actors }) => actors.users.map((user) => logOut(simulator, user)),
  dial: ({ simulator, actors: { users, calls, outsider } }) =>
    simulator.calls.list().length >= calls
      ? []
      : users.map((from) => ({
          who: from,
          commands: [{ name: "outbound", args: { from, to: outsider } }],
        })),
  call: callsFromOutside,
};

/** What people may try at an instant, in the order of the kinds. What is refused then changes nothing. */
export function actsAt(scene: Scene): Act[] {
  const { kinds } = scene.actors;
  return personKinds.filter((kind) => kinds.has(kind)).flatMap((kind) => actsByKind[kind](scene));
}

/** A command that somebody of the actors, or somebody outside, may give now. One endpoint stands for all that ring. */
function possible(name: CommandName): ActsAt {
  return ({ simulator, actors }) => {
    const seen = new Set<string>();
    return possibleCommands(simulator.services, [name]).flatMap(({ args }) => {
      const { endpoint: _, ...rest } = args as { readonly endpoint?: unknown };
      const who = String(args.by ?? "caller");
      const key = `${args.call} ${who}`;
      if (seen.has(key) || !mayAct(simulator, actors, who)) return [];
      seen.add(key);
      return [{ who, commands: [{ name, args: rest }] }];
    });
  };
}

function mayAct(simulator: Simulator, { users }: Actors, who: string): boolean {
  return users.includes(who) || !simulator.users.list().some(({ id }) => id === who);
}

function withArguments(act: Act, more: Readonly<Record<string, unknown>>): Act {
  return { ...act, commands: act.commands.map(({ name, args }) => ({ name, args: { ...args, ...more } })) };
}

/** A user on a call hands it to a colleague or another target, or adds them. */
function handOvers({ simulator, actors }: Scene, name: CommandName, more: object): Act[] {
  const { users, targets } = actors;
  return grantedParties(simulator.services, name)
    .filter(({ by }) => users.includes(by))
    .flatMap(({ call, by }) => {
      const colleagues = users
        .filter((user) => user !== by)
        .map((user) => ({ to: user, target: simulator.users.get(user).record.extension }));
      return [...colleagues, ...targets.map((target) => ({ to: target, target }))].map(({ to, target }) => ({
        ...{ who: by, to },
        commands: [{ name, args: { call, by, target, ...more } }],
      }));
    });
}

/** A user takes all endpoints off, or all on again. */
function logOut(simulator: Simulator, user: string): Act {
  const { loginStatus, endpoints } = simulator.users.get(user).record;
  const isIn = loginStatus === "loggedIn";
  return {
    who: user,
    commands: endpoints
      .filter(({ registered }) => registered === isIn)
      .map(({ id }) => ({ name: "setEndpoint", args: { user, endpoint: id, registered: !isIn } })),
  };
}

/** An outside number that is on no call calls the number of the scenario. */
function callsFromOutside({ simulator, actors }: Scene): Act[] {
  const { number, callers, calls } = actors;
  if (number === undefined || simulator.calls.list().length >= calls) return [];
  const onACall = new Set(simulator.calls.live().map(({ record }) => record.contactNumber));
  return callers
    .filter((from) => !onACall.has(from))
    .map((from) => ({ who: from, commands: [{ name: "inbound", args: { from, to: number } }] }));
}
