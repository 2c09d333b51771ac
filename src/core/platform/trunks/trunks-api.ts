import type { TrunkKind, TrunkRecord, TrunkRecords } from "../../records/trunk.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import { type RecordHandle, recordHandle } from "../directory/record-handle.ts";
import type { Trunks } from "./trunks.ts";

export interface Needs extends CoreServices {
  readonly trunks: Trunks;
}

type Without<Input, Keys extends string> = Omit<Input, Keys>;
type AddInput<K extends TrunkKind> = Without<
  Extract<CommandInput<"addTrunkEntry">, { kind: K }>,
  "trunk" | "kind"
>;
type UpdateInput<K extends TrunkKind> = Without<
  Extract<CommandInput<"updateTrunkEntry">, { kind: K }>,
  "trunk" | "kind" | "id"
>;

/** One entry of a trunk, as `sim.trunks.get(id).devices.get` gives it. */
export type TrunkEntryHandle<K extends TrunkKind = TrunkKind> = RecordHandle<TrunkRecords[K]>;

/** The devices, queues or users of a trunk. Each is an entry of the directory, and rings as a device does. */
export class TrunkEntries<K extends TrunkKind> {
  readonly #services: Needs;
  readonly #trunkId: string;
  readonly #kind: K;

  /** @internal Reached by the simulator. */
  constructor(services: Needs, trunkId: string, kind: K) {
    this.#services = services;
    this.#trunkId = trunkId;
    this.#kind = kind;
  }

  /**
   * Returns one entry.
   * @param id the entry's id
   * @throws {CommandError} `not_found`
   * @example
   * const trunks = [{ id: "pbx", name: "Old PBX" }];
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features: { pbx: true }, trunks } });
   * sim.trunks.get("pbx").queues.add({ id: "desk", displayName: "Desk", extension: "402" });
   * sim.trunks.get("pbx").queues.get("desk").record.extension; // => "402"
   */
  get(id: string): TrunkEntryHandle<K> {
    const { trunks } = this.#services;
    const read = (each: string) => trunks.entry(this.#trunkId, this.#kind, each);
    return recordHandle(read(id).id, read);
  }

  /**
   * All entries, in the order in which they were added.
   * @example
   * const trunks = [{ id: "pbx", name: "Old PBX" }];
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features: { pbx: true }, trunks } });
   * sim.trunks.get("pbx").users.list(); // => []
   */
  list(): TrunkEntryHandle<K>[] {
    return this.#services.trunks.entries(this.#trunkId, this.#kind).map(({ id }) => this.get(id));
  }

  /**
   * Adds an entry.
   * @param entry.id default: a new id
   * @throws {CommandError} `conflict` if the id or the extension is in use, `not_found` for an unknown service user
   * @example
   * const trunks = [{ id: "pbx", name: "Old PBX" }];
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features: { pbx: true }, trunks } });
   * const till = sim.trunks.get("pbx").devices.add({ displayName: "Till", extension: "401" });
   * sim.calls.internal({ from: "alice", to: "401" }).answer(till.id);
   */
  add(entry: AddInput<K>): TrunkEntryHandle<K> {
    const args = { ...entry, trunk: this.#trunkId, kind: this.#kind };
    return this.get(this.#services.command("addTrunkEntry", args as CommandInput<"addTrunkEntry">));
  }

  /**
   * Changes the given fields.
   * @param id the entry's id
   * @param changes the fields to change
   * @throws {CommandError} as `add`
   * @example
   * const trunks = [{ id: "pbx", name: "Old PBX" }];
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features: { pbx: true }, trunks } });
   * const { devices } = sim.trunks.get("pbx");
   * const till = devices.add({ displayName: "Till", extension: "401" });
   * devices.update(till.id, { model: "T-2" });
   * till.record.model; // => "T-2"
   */
  update(id: string, changes: UpdateInput<K>): void {
    const args = { ...changes, trunk: this.#trunkId, kind: this.#kind, id };
    this.#services.command("updateTrunkEntry", args as CommandInput<"updateTrunkEntry">);
  }

  /**
   * Removes an entry.
   * @param id the entry's id
   * @throws {CommandError} `not_found`, `busy` while a call rings or connects it
   * @example
   * const trunks = [{ id: "pbx", name: "Old PBX" }];
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features: { pbx: true }, trunks } });
   * const { devices } = sim.trunks.get("pbx");
   * devices.remove(devices.add({ displayName: "Till", extension: "401" }).id);
   * sim.directory.list({ extension: "401" }); // => []
   */
  remove(id: string): void {
    this.#services.command("removeTrunkEntry", { trunk: this.#trunkId, kind: this.#kind, id });
  }
}

/** One trunk. */
export class TrunkHandle {
  /** Phones behind the trunk. */
  readonly devices: TrunkEntries<"device">;
  /** Queues behind the trunk. */
  readonly queues: TrunkEntries<"queue">;
  /** People behind the trunk. */
  readonly users: TrunkEntries<"user">;
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(
    services: Needs,
    /** The trunk's id. */
    readonly id: string,
  ) {
    this.#services = services;
    this.devices = new TrunkEntries(services, id, "device");
    this.queues = new TrunkEntries(services, id, "queue");
    this.users = new TrunkEntries(services, id, "user");
  }

  /** The record, frozen. Trunks do not change. */
  get record(): TrunkRecord {
    return this.#services.trunks.get(this.id);
  }
}

/** `sim.trunks`: SIP trunks. Without `features.pbx`, every method throws a `CommandError` with code `not_allowed`. */
export class TrunksApi {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(services: Needs) {
    this.#services = services;
  }

  /**
   * Returns one trunk.
   * @param id the trunk's id
   * @throws {CommandError} `not_found`
   * @example
   * const trunks = [{ id: "pbx", name: "Old PBX" }];
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features: { pbx: true }, trunks } });
   * sim.trunks.get("pbx").record.name; // => "Old PBX"
   */
  get(id: string): TrunkHandle {
    return new TrunkHandle(this.#services, this.#services.trunks.get(id).id);
  }

  /**
   * All trunks, in the order of the organisation.
   * @example
   * const trunks = [{ id: "pbx", name: "Old PBX" }];
   * const sim = createSimulator({ organisation: { ...demoOrganisation, features: { pbx: true }, trunks } });
   * sim.trunks.list().map(({ id }) => id); // => ["pbx"]
   */
  list(): TrunkHandle[] {
    return this.#services.trunks.list().map(({ id }) => new TrunkHandle(this.#services, id));
  }
}
