import type { Engine } from "../engine/engine.ts";
import { mustBeFunction } from "../foundation/input-schemas.ts";
import { AppStates } from "../narration/app-state.ts";
import {
  Dependencies,
  type DependencyOptions,
  readDependency,
} from "../network/dependencies/dependencies.ts";
import type { Services } from "../platform/catalogue/services.ts";
import { VirtualTime } from "./virtual-time.ts";

type Parts = ConstructorParameters<typeof VirtualTime>[0] &
  Pick<Engine, "assertOpen"> &
  ConstructorParameters<typeof Dependencies>[0];

/** What an app says of itself: its state, and what it needs besides the platform. */
export class AppSide extends VirtualTime {
  readonly #parts: Parts;
  #stopShowing: (() => void) | undefined;
  #appStates: AppStates | undefined;
  #dependencies: Dependencies | undefined;

  /** @internal */
  constructor(
    parts: Parts,
    /** @internal The platform's services, for scenarios, explorations and the inspector. */
    readonly services: Services,
  ) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * Says what the state of your app is. A failing test prints its last state, and pages of the run show each change. It is
   * read after each command and each step of time. A fork has none.
   * @param state returns the state: plain data, of which up to 2,000 characters are kept
   * @throws {InputError} if it is not a function
   * @example
   * const missed: string[] = [];
   * sim.on("call.not_answered", ({ data }) => missed.push(data.call.contactNumber ?? "withheld"));
   * sim.show(() => ({ missed }));
   */
  show(state: () => unknown): void {
    this.#parts.assertOpen();
    mustBeFunction(state, "show");
    const states = new AppStates(state, () => this.#parts.now - this.startTimestamp);
    this.#appStates = states;
    this.#stopShowing?.();
    this.#stopShowing = this.#parts.probes.attach({ afterStep: () => states.update() });
  }

  /** @internal Stops reading the app's state. */
  stopShowing(): void {
    this.#stopShowing?.();
  }

  /** @internal The states of the app, if `show` was called. */
  get appStates(): AppStates | undefined {
    return this.#appStates;
  }

  /**
   * Names a service that your app needs, such as its CRM or its database. Where a scenario is played for an app (`explore`, `run --with`),
   * its calls may be refused, come late or lose their answers. Elsewhere you get the client itself.
   *
   * A call is what returns a promise, or a method that `calls` names. What returns an object with methods, such as
   * `pool.connect()`, is followed into.
   * @param name the name in reports and scenarios: one word
   * @param client a function such as `fetch`, or an object whose methods return promises
   * @param options which methods are calls or change nothing, and what the client throws
   * @returns the client. Where a scenario is played for an app: a proxy of it
   * @throws {InputError} if the name is not one word, or the client no function or object
   * @example
   * const crm = sim.dependency("crm", fetch);
   * crm === fetch; // => true
   */
  dependency<T extends object>(name: string, client: T, options: DependencyOptions = {}): T {
    readDependency(name, client, options);
    this.#dependencies ??= new Dependencies(this.#parts, () => this.services.network.handlers.current);
    return this.#dependencies.makeClient(name, client, options);
  }
}
