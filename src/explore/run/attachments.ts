import { onReply } from "../../core/engine/http-channels.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import { CoverageRecorder } from "../../stories/coverage.ts";
import { openTimeouts } from "../sandbox/open-timers.ts";
import { RandomValues, setRandomValues } from "../sandbox/random-values.ts";
import { noteAnswering } from "../sandbox/real-timers.ts";
import { moduleLoop } from "../sandbox/supervision.ts";
import { forge } from "./forged.ts";
import { ForgedEffect } from "./forged-effect.ts";
import type { ForgedKind } from "./forgery.ts";
import { mutate } from "./mutants.ts";
import { signByRealClock } from "./real-clock.ts";
import { realRequests } from "./real-requests.ts";
import { SignatureReads } from "./signature-reads.ts";
import { webhookNotes } from "./webhook-notes.ts";
import type { AppView, Attach, Attachment, World } from "./world.ts";

/** What the text of a timer begins with that a module's loop sets. */
export const OF_MODULE = "a loop that began when the app's module was loaded, with ";

/** The parts of a world that know nothing of each other. The first is the outermost: it gets requests first. */
export const attachments: readonly Attach[] = [
  coverage,
  mutatedPlatform,
  signatureReads,
  forgedRequests,
  realSignatures,
  realTimers,
  serversOutside,
  realRequests,
  webhookNotes,
  drawnByChance,
];

/** The states and transitions of machines that a judged world reaches. */
function coverage({ simulator, wanted }: World): Attachment | undefined {
  if (wanted.unjudged === true) return undefined;
  const recorder = new CoverageRecorder(simulator);
  return { result: () => ({ reached: recorder.places }) };
}

/** A platform that is changed in one way. */
function mutatedPlatform({ simulator, wanted: { mutation } }: World): Attachment | undefined {
  return mutation && { end: mutate(simulator, mutation) };
}

/** Whether the app looks at signatures, where that matters. */
function signatureReads({ simulator, wanted: { webhookReads } }: World): Attachment | undefined {
  if (webhookReads === undefined) return undefined;
  const reads = new SignatureReads(simulator, webhookReads === "in any case");
  return { end: () => reads.end(), result: () => ({ webhookReads: reads.all }) };
}

/** A forged request, how it is answered, and what it does. */
function forgedRequests({ simulator, wanted: { forgery } }: World, app: AppView): Attachment | undefined {
  if (forgery === undefined) return undefined;
  const taken = new Set<ForgedKind>();
  const sent = new Set<ForgedKind>();
  let isTrueRefused = false;
  const effect = new ForgedEffect(app);
  const endForging = forge(simulator, forgery, {
    answered(is, isTaken) {
      sent.add(is);
      if (isTaken) taken.add(is);
    },
    sent: () => effect.begin(),
    trueAnswered(isAccepted) {
      isTrueRefused ||= !isAccepted;
    },
  });
  const endLooking = simulator.services.engine.probes.attach({ afterItem: () => effect.itemDone() });
  return {
    end() {
      endForging();
      endLooking();
    },
    result: () => ({ forged: { sent: sent.size, taken: [...taken], isTrueRefused, settled: effect.state } }),
  };
}

/** Requests that are signed at the time of the real clock. */
function realSignatures({ simulator, wanted }: World): Attachment | undefined {
  return wanted.signedByRealClock === true ? { end: signByRealClock(simulator) } : undefined;
}

/**
 * The real timers that an app with the real clock has set while an answer waits for virtual time. With the virtual clock: the
 * timer of a loop that began when the app's module was loaded.
 */
function realTimers({ setup, simulator }: World): Attachment | undefined {
  if (setup.clock === "virtual") {
    const loops = () => [moduleLoop()].filter((each) => each !== undefined);
    return { result: () => ({ realTimers: loops().map((each) => `${OF_MODULE}${each}`) }) };
  }
  const { engine, restTraffic } = simulator.services;
  const timers = new Set<string>();
  const afterStep = () => {
    if (restTraffic.heldCount > 0) for (const timer of openTimeouts()) timers.add(timer);
  };
  return { end: engine.probes.attach({ afterStep }), result: () => ({ realTimers: [...timers] }) };
}

/** That a server outside of all worlds answers what the platform sends, so that it is the app's. */
function serversOutside({ simulator, wanted }: World): Attachment | undefined {
  if (wanted.trace !== true) return undefined;
  const ends: (() => void)[] = [];
  const askEndpoint = (asked: object, ask: () => unknown): unknown => {
    ends.push(onReply((asked as RequestRecord).content.headers(), noteAnswering));
    return ask();
  };
  ends.push(simulator.services.engine.probes.attach({ askEndpoint }));
  const end = () => {
    for (const each of ends) each();
  };
  return { end };
}

/** What the app draws by chance, in a run that is compared with others. */
function drawnByChance({ wanted }: World): Attachment | undefined {
  if (wanted.behaviour !== true) return undefined;
  const draws = new RandomValues(wanted.draws);
  setRandomValues(draws);
  return { end: () => setRandomValues(undefined), result: () => ({ drawn: draws.all }) };
}
