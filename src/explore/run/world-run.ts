import type { Deviation, DeviationPicker, Equivalence, ReachedPoint } from "../../core/engine/deviations.ts";
import type { ValueTree } from "../../core/narration/app-state.ts";
import type { JournalDocument } from "../../core/simulator/options.ts";
import type { FailureState, TracedRequest } from "../../findings/explain.ts";
import type { PropertyFailure } from "../../findings/property-failure.ts";
import type { RandomValue } from "../sandbox/random-values.ts";
import type { Behaviour } from "./behaviour.ts";
import type { ComparedRows } from "./compared.ts";
import type { ForgedKind, ForgedWorld } from "./forgery.ts";
import type { Mutation } from "./mutants.ts";
import type { PlatformActs } from "./platform-acts.ts";
import type { WebhookReads } from "./signature-reads.ts";
import type { Trouble } from "./troubles.ts";

/** The result of a world. */
export interface WorldRun {
  /** The first failure of each property, in the order of the run. A defect of the app ends the world, so it is last. */
  readonly failures: readonly PropertyFailure[];
  /** The deviation points, in the order of the run. */
  readonly points: readonly ReachedPoint[];
  /** For each deviation, whether other forms of it would have shown the app the same. */
  readonly equivalences: readonly Equivalence[];
  /**
   * Whether a property or the app read what may differ between worlds in which the app sees the same, so that these must be
   * run too.
   */
  readonly readsPlatform: boolean;
  /** The deviations that the picker chose. */
  readonly chosen: readonly Deviation[];
  /** The steps of the scenario that the run did not allow. */
  readonly skipped: readonly number[];
  /** Deviations whose deviation point the run did not reach. */
  readonly unmet: readonly Deviation[];
  /** The properties of `sometimes` that held. */
  readonly held: readonly string[];
  /** The ready-made properties that are broken, and that no app could hold: the platform told it too little. */
  readonly untold: readonly string[];
  /** What ready-made properties compared. */
  readonly compared: readonly ComparedRows[];
  /** What the app received, and its states; empty unless requested. */
  readonly trace: readonly TracedRequest[];
  /** When the first failure of each property was found, and the app's state then; empty without a trace. */
  readonly judged: ReadonlyMap<string, FailureState>;
  /** What went wrong between the platform and the app; empty without a trace. */
  readonly troubles: readonly Trouble[];
  /** The app's state once it was built; undefined without a trace, or if it cannot be shown. */
  readonly firstState: ValueTree | undefined;
  /** The app's state at the end; undefined without a trace, or if it cannot be shown. */
  readonly state: ValueTree | undefined;
  /** The app's own requests to the REST API, such as `GET /calls`; empty without a trace. */
  readonly asked: readonly string[];
  /** The world's journal; undefined unless requested. */
  readonly journal: JournalDocument | undefined;
  /** How many steps the simulator took, including those of the scenario. */
  readonly steps: number;
  /** When a defect ended the world although something was left to do, ms after its start; undefined if nothing was. */
  readonly brokenOffMs: number | undefined;
  /** How many requests the app received, plus how many it sent. */
  readonly requests: number;
  /** Whether the app received anything: a request, an answer, an event or a callback. */
  readonly isTouched: boolean;
  /** What the app did; undefined unless requested. */
  readonly behaviour: Behaviour | undefined;
  /** What the app drew by chance, in order; empty unless its behaviour was requested. */
  readonly drawn: readonly RandomValue[];
  /** What the platform did; undefined unless requested. */
  readonly acts: PlatformActs | undefined;
  /** The URLs of requests without a route. */
  readonly unrouted: readonly string[];
  /** The real timers that the app had set while an answer waited for virtual time. */
  readonly realTimers: readonly string[];
  /** What else the report says of the app, a line each. No failures. */
  readonly notes: readonly string[];
  /** Whether the app was seen to work after it had answered a request. False if worlds may restart it, or where nobody looks. */
  readonly worksLater: boolean;
  /** Whether it went on after a restart, as it waited for a database, a file or another service. */
  readonly wentOn: boolean;
  /** The event types that webhooks delivered to the app; empty unless requested. */
  readonly deliveredTypes: readonly string[];
  /** The whole state, with all of its levels; undefined unless requested, or if it cannot be shown. */
  readonly wholeState: ValueTree | undefined;
  /** Whether `wholeState` has everything: no part of it is private. */
  readonly isStateWhole: boolean;
  /** What `show` threw in place of showing it, in words. */
  readonly showFailure?: string | undefined;
  /** The events of webhooks that reached the app, and whether it looked at signatures; empty unless requested. */
  readonly webhookReads: readonly WebhookReads[];
  /** Of how many kinds forged requests were sent, of which kinds the app answered one 2xx, and its state once they had settled. */
  readonly forged: {
    readonly sent: number;
    readonly taken: readonly ForgedKind[];
    /** Whether the app did not answer 2xx to the true request behind them. */
    readonly isTrueRefused: boolean;
    /** Undefined if nothing was forged, or if the state cannot be shown. */
    readonly settled?: ValueTree | undefined;
  };
  /**
   * The states and transitions of machines that the world reached, as `CoverageCount` counts them; empty for an
   * unjudged run.
   */
  readonly reached: readonly number[];
}

/** What a run should return, and how it differs from a plain run. */
export interface ExecutionRequest {
  /** The deviation points. */
  readonly points?: boolean;
  /** Whether to skip properties and coverage. */
  readonly unjudged?: boolean;
  /** The event types that webhooks deliver to the app. */
  readonly deliveredTypes?: boolean;
  /** What the app receives, and its states. */
  readonly trace?: boolean;
  readonly journal?: boolean;
  /** What the app does, to compare it with a later run of this world. */
  readonly behaviour?: boolean;
  /** What the app draws by chance first, instead of new values. */
  readonly draws?: readonly RandomValue[];
  /** What the platform does and tells the app, which a smaller world must keep. */
  readonly acts?: boolean;
  /** The change of the platform. */
  readonly mutation?: Mutation;
  /** The app's whole state at the end. */
  readonly wholeState?: boolean;
  /**
   * Whether the app looks at signatures. If it does, its whole state at the end too. In any case: also by names in another
   * case than theirs, in headers that an app can tell from others.
   */
  readonly webhookReads?: true | "in any case";
  /** A forged request. */
  readonly forgery?: ForgedWorld;
  /** Whether requests of webhooks are signed at the time of the real clock. */
  readonly signedByRealClock?: boolean;
  /** Decides at deviation points without a planned deviation. */
  readonly chooser?: DeviationPicker;
}
