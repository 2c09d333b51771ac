import type { Deviation } from "../../core/engine/deviations.ts";
import { show } from "../../core/foundation/show.ts";
import { signatureHeader } from "../../core/network/webhook-signature.ts";
import { counted } from "../../core/platform/declare/words.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { secondsText } from "../../findings/wording.ts";
import type { TimerPlace } from "../sandbox/real-timers.ts";
import {
  hasLaterNews,
  isSuccess,
  refusedByRest,
  unroutedIn,
  webhooksDisabledByPlatform,
} from "./platform-acts.ts";

/** What went wrong between the platform and the app in a world, which may be the cause of a failure. */
export interface Trouble {
  /** A sentence. */
  readonly text: string;
  /** How to mend it, as sentences; undefined if that depends on the app. */
  readonly advice?: string | undefined;
  /** Whether the app refuses all requests, as one does that takes none of their signatures. */
  readonly isRefusal?: boolean;
  /** Whether it seldom is the cause, and so stands last. */
  readonly isLast?: boolean;
}

/** How many characters of an answer are quoted. */
const QUOTED = 80;

/** With which apps refuse a request whose signature is wrong. */
const forbidding: readonly (number | undefined)[] = [400, 401, 403];

/** Asked where all requests are refused with one of these. */
const SIGNATURE_QUESTION =
  "If it checks signatures: does it sign the body as it came, or what it parsed, with this webhook's secret?";

/** Asked instead where the requests are those of a dialect's `send`. */
const DIALECT_QUESTION =
  "If it checks signatures: does it check what the dialect's `send` signs, with this webhook's secret?";

/**
 * What went wrong between the platform and the app.
 * @param reached the ids of the requests that reached the app
 * @param isTouched whether anything at all did
 */
export function troublesIn(
  simulator: Simulator,
  reached: ReadonlySet<string>,
  isTouched: boolean,
  deviations: readonly Deviation[],
): readonly Trouble[] {
  const requests = [...simulator.services.network.requests()];
  const received = requests.filter(({ id }) => reached.has(id));
  return [
    // an app that hears of everything otherwise needs no route
    ...(isTouched ? [] : [...unroutedTroubles(requests), { text: "Nothing reaches the app." }]),
    ...unseenTroubles(simulator),
    // what a handler was refused may be why it refuses
    ...restTroubles(simulator, deviations.length === 0),
    ...refusals(received, simulator),
    ...slowAnswers(received, simulator),
    ...disabledWebhooks(simulator, deviations),
  ];
}

/** That a timer of the app runs no more. @param ms its delay */
export function horizonTrouble(ms: number): Trouble {
  return {
    text: `The world ends at its \`horizon\`, after which a timer of ${secondsText(ms)} would only repeat.`,
    isLast: true,
  };
}

/** So many real timers are named. */
const MOST_TIMERS = 2;

/**
 * That timers which the app may wait for, and a clock which it may read, are real, with the advice once.
 * @param timers each with the place where it was set
 * @param read that the clock was read, as a sentence; undefined if it was not
 */
export function realTimeTroubles(timers: readonly TimerPlace[], read: string | undefined): Trouble[] {
  const ofTimers = timers
    .slice(0, MOST_TIMERS)
    .map(
      ({ ms, place }) =>
        `The timer of ${secondsText(ms)} that was set at ${place}, outside of all worlds, runs in real time.`,
    );
  const texts = read === undefined ? ofTimers : [...ofTimers, read];
  return texts.map((text, index) => ({
    text,
    advice:
      index < texts.length - 1
        ? undefined
        : "If that is the app's, load its module in `app`, or give it as `with`: see docs/guides/web-frameworks.md#state-at-module-level.",
    isLast: true,
  }));
}

/** What a server that passes otherwise may lack: a property is judged while it still works. */
export const serverGoesOn: Trouble = {
  text: "Nothing waits for what the server does after its answer.",
  advice:
    "If it works later, name a path that says when it is done (`idle`, `--idle /idle`), or give `silence` (`--silence PT0.1S`).",
};

function unroutedTroubles(requests: readonly RequestRecord[]): Trouble[] {
  const urls = unroutedIn(requests);
  if (urls.length === 0) return [];
  return [
    {
      text: `Requests to ${urls.join(" and ")} have no route, so the app never receives them.`,
      advice: `Give the simulator one in \`app\`: \`sim.network.route(${show(urls[0])}, handler)\`.`,
    },
  ];
}

/** What the app uses of which nobody can tell when it is done, if the app does not tell either. */
function unseenTroubles({ services: { engine } }: Simulator): Trouble[] {
  const { unseen } = engine.work;
  if (unseen.length === 0 || engine.probes.current?.untilDone !== undefined) return [];
  return [
    {
      text: `The app uses ${unseen.join(" and ")}, and nothing tells when what this leads to is done.`,
      advice:
        "If time goes on too early, let `app` return `idle()`, which says when the app has nothing to do.",
    },
  ];
}

/** The app's answers other than 2xx, by their status. */
function refusals(received: readonly RequestRecord[], simulator: Simulator): Trouble[] {
  const byStatus = new Map<number, RequestRecord[]>();
  for (const request of received) {
    const status = request.answer?.status ?? 200;
    if (!isSuccess(status)) byStatus.set(status, [...(byStatus.get(status) ?? []), request]);
  }
  const areAllForbidden = received.every(({ answer }) => forbidding.includes(answer?.status));
  return [...byStatus].map(([status, refused], index) => {
    const [said] = refused.flatMap(({ answer }) => quotedStart(answer?.body ?? ""));
    const text = `The app answers ${status}${said ?? ""} to ${shareText(refused.length, received.length)}.`;
    const isLast = index === byStatus.size - 1;
    const advice = areAllForbidden && isLast ? refusalAdvice(said, simulator) : undefined;
    return { text, advice, isRefusal: areAllForbidden };
  });
}

/** Why an app may refuse everything. */
function refusalAdvice(said = "", { now, services }: Simulator): string {
  const clock = `It is ${now} in this world, and a timestamp is in milliseconds: a check must compare these two.`;
  const isMissing = /missing|required|header/i.test(said);
  if (!isMissing && /expire|stale|too old|timestamp|clock/i.test(said)) return clock;
  if (services.settings.sendRequest !== undefined) return DIALECT_QUESTION;
  const header = signatureHeader(services.settings.dialect.serviceName);
  return `${SIGNATURE_QUESTION} It must find \`sha256=\` and hex digits in the header \`${header}\`, whose name is in lower case. A timestamp is in milliseconds.`;
}

function slowAnswers(received: readonly RequestRecord[], { services }: Simulator): Trouble[] {
  const late = received.filter(({ failure }) => failure === "timeout").length;
  if (late === 0) return [];
  const limit = secondsText(services.settings.timing.endpointTimeout);
  return [
    {
      text: `The app takes longer than the ${limit} that the platform waits, for ${shareText(late, received.length)}.`,
      advice: "Answer first, and do the work afterwards.",
    },
  ];
}

/** @param isPlain whether what refuses by a fault is the scenario's own, which no deviation of the sentence tells */
function restTroubles(simulator: Simulator, isPlain: boolean): Trouble[] {
  const asked = simulator.rest.requests;
  const faults = isPlain ? asked.filter(({ status, isFault }) => isFault && status >= 400) : [];
  const refused = [...refusedByRest(asked), ...faults];
  return [...new Set(refused.map(({ status }) => status))].map((status) => {
    const some = refused.filter((each) => each.status === status);
    const [{ method, path, answer } = { method: "", path: "", answer: "" }] = some;
    const to =
      some.length === 1 && asked.length === 1
        ? ""
        : `${shareText(some.length, asked.length)} of the app, such as `;
    const text = `The REST API answers ${status}${quotedStart(answer)[0] ?? ""} to ${to}${method} ${path}.`;
    return { text, advice: status === 401 ? unauthorizedAdvice(path, simulator) : undefined };
  });
}

/** Why the REST API may answer 401. */
function unauthorizedAdvice(path: string, { urls }: Simulator): string {
  // to the REST API it is a path like any other
  if (/\boauth\/token\b/.test(path)) return `The token endpoint is \`${urls.auth}/oauth/token\`.`;
  return "Its requests need the header `authorization: Bearer …` with `sim.token()` or a token of the token endpoint.";
}

function disabledWebhooks(simulator: Simulator, deviations: readonly Deviation[]): Trouble[] {
  return webhooksDisabledByPlatform(simulator).map((webhook) => {
    const isLast = !hasLaterNews(simulator, webhook, deviations);
    const last = isLast
      ? ", and nothing happens later that it would tell of: a repair that only listens cannot pass in this world"
      : "";
    return {
      text: `The platform disables the webhook ${webhook.url}, since its deliveries fail${last}.`,
      advice: `It sends nothing more until \`PUT /webhooks/${webhook.id}\` enables it again.`,
    };
  });
}

/** `the only request`, `all 10 requests`, `1 of 2 requests`. */
function shareText(count: number, all: number): string {
  if (count < all) return `${count} of ${counted(all, "request")}`;
  return all === 1 ? "the only request" : `all ${counted(all, "request")}`;
}

/** The beginning of an answer in brackets; nothing for an empty one. */
function quotedStart(body: string): string[] {
  const text = body.replaceAll(/\s+/g, " ").trim();
  if (text === "") return [];
  return [` (${text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text})`];
}
