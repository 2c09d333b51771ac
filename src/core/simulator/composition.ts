import type { AnyStateMachine } from "xstate";
import { Engine, type EngineOptions } from "../engine/engine.ts";
import type { IdStyle } from "../foundation/ids.ts";
import { readInstantMs } from "../foundation/instants.ts";
import type { MachineTypes } from "../platform/base/machine-types.ts";
import type { Purpose } from "../platform/base/timers.ts";
import type { OwnMachine } from "../platform/parts/define-part.ts";
import { ownMachines } from "../platform/parts/parts.ts";
import { createPlatform, loadPlatform, type Platform, type SavedPlatform } from "../platform/platform.ts";
import { type CompleteOptions, makeVendorSecret, type OptionFunctions } from "./options.ts";

const engineMachines = Object.fromEntries(
  Object.entries<OwnMachine<AnyStateMachine, unknown>>(ownMachines).map(([name, { machine }]) => [
    name,
    machine,
  ]),
);

const noFeatures = {
  recording: false,
  transcription: false,
  analysis: false,
  tariff: false,
  pbx: false,
  excludeEmployeePhoneNumbers: false,
};

/** Another style of ids, for apps that must not depend on it. */
const otherStyle = (style: IdStyle): IdStyle => (style === "uuid" ? "nanoid" : "uuid");

/** The parts of a simulator. */
interface SimulatorParts {
  readonly engine: Engine<MachineTypes, Purpose>;
  readonly platform: Platform;
}

/** The state of a run. */
export interface SavedRun {
  readonly engine: ReturnType<SimulatorParts["engine"]["save"]>;
  readonly platform: SavedPlatform;
}

/** Creates the engine and the platform of a simulator. @param saved their state; default: at the start of a run */
export function compose(
  options: CompleteOptions,
  { phoneNumbers, writeBody, sendRequest }: OptionFunctions,
  saved: SavedRun | undefined,
): SimulatorParts {
  const { organisation, retain } = options;
  const engineOptions: EngineOptions = {
    startMs: readInstantMs(options.start, ["start"]),
    seed: options.seed,
    idStyle: options.assume.unspecified === "ids" ? otherStyle(options.ids) : options.ids,
    organisationId: organisation.id,
    keepEvents: retain.events ?? Number.POSITIVE_INFINITY,
    keepJournal: retain.journal ?? true,
    machines: engineMachines,
  };
  const settings = {
    organisation,
    organisationId: organisation.id,
    accountId: organisation.accountId,
    vendorAccount: organisation.vendorAccount ?? "own",
    countryIso: organisation.countryIso,
    phoneNumbers,
    timing: options.timing,
    assume: options.assume,
    profile: options.profile,
    dialect: options.dialect,
    writeBody,
    sendRequest,
    leftOut: new Set<string>(),
    features: { ...noFeatures, ...organisation.features },
    tariff: organisation.tariff,
    dataActions: organisation.dataActions ?? {},
    webhooks: options.webhooks,
    allowLocal: options.allowLocal,
    unknownKeys: options.rest.unknownKeys,
    vendorSecret: makeVendorSecret(options),
    urls: options.urls,
    network: options.network,
    clients: options.clients,
    keep: {
      calls: retain.calls ?? Number.POSITIVE_INFINITY,
      conversations: retain.conversations ?? Number.POSITIVE_INFINITY,
      analyses: retain.analyses ?? Number.POSITIVE_INFINITY,
      notifications: retain.notifications ?? Number.POSITIVE_INFINITY,
      requests: retain.requests ?? Number.POSITIVE_INFINITY,
    },
  };
  if (saved === undefined) {
    const engine = new Engine<MachineTypes, Purpose>(engineOptions);
    return { engine, platform: createPlatform(engine, settings, organisation) };
  }
  const engine = Engine.load<MachineTypes, Purpose>(engineOptions, saved.engine);
  return { engine, platform: loadPlatform(engine, settings, organisation, saved.platform) };
}
