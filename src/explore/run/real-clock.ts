import { signatureHeader, timestampHeader, webhookSignature } from "../../core/network/webhook-signature.ts";
import { makeContent, type RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { realInstantMs } from "../../findings/real-time.ts";
import type { Trouble } from "./troubles.ts";
import { typeOf } from "./webhook-requests.ts";

/** What tells that an app reads a clock which is not the world's. */

const DAY_MS = 86_400_000;
/** How long ago an app may have read the real clock, ms. */
const RECENT_MS = 600_000;

/** Lets the platform sign each request of a webhook at the time of the real clock. @returns a function that ends it */
export function signByRealClock(simulator: Simulator): () => void {
  const { deliveries, webhooks, settings, engine } = simulator.services;
  const { serviceName } = settings.dialect;
  const askEndpoint = (asked: object, ask: (other?: object) => unknown): unknown => {
    const request = asked as RequestRecord;
    if (typeOf(request) === undefined) return ask();
    const body = request.content.body();
    const timestamp = String(Math.floor(realInstantMs()));
    const secret = webhooks.secretOf(deliveries.get(request.recordId).webhookId);
    const headers = {
      ...request.content.headers(),
      [timestampHeader(serviceName)]: timestamp,
      [signatureHeader(serviceName)]: webhookSignature(secret, timestamp, body),
    };
    return ask({ ...request, content: makeContent(Object.freeze(headers), () => body) });
  };
  return engine.probes.attach({ askEndpoint });
}

/**
 * That the app refuses requests by a clock of its own: it takes them once they are signed by the real clock.
 * @param worldMs the world's time
 * @param isServer whether the app is another process
 */
export function agesByRealClock(worldMs: number, isServer: boolean): Trouble {
  const text = `The app takes the same requests signed at the time of the real clock, which is ${daysFrom(worldMs)} from the world's. It compares their timestamps with that clock.`;
  return { text, advice: isServer ? undefined : ADVICE };
}

/**
 * That a text which the app made has a time of the real clock; undefined if it has none that is more than a day from the
 * world's.
 * @param of what the text is, as the beginning of a sentence: `The app's state`
 */
export function realTimeIn(of: string, text: string, worldMs: number): Trouble | undefined {
  const nowMs = realInstantMs();
  if (Math.abs(nowMs - worldMs) < DAY_MS) return undefined;
  const isReal = (ms: number) => ms <= nowMs + 1_000 && ms > nowMs - RECENT_MS;
  for (const [shown] of text.matchAll(TIME)) {
    const ms = /^\d+$/.test(shown) ? Number(shown) * (shown.length > 10 ? 1 : 1_000) : Date.parse(shown);
    if (!isReal(ms)) continue;
    const said = `${of} has ${shown}, a time of the real clock, ${daysFrom(worldMs)} from the world's.`;
    return { text: said, advice: ADVICE };
  }
  return undefined;
}

/** That code outside of all worlds reads the clock, as a sentence. @param place where @param worldMs the world's time */
export function realReadText(place: string, worldMs: number): string {
  return `The clock that was read at ${place}, outside of all worlds, is the real one, ${daysFrom(worldMs)} from the world's.`;
}

/** That the app asks Postgres for its time, if that is more than a day from the world's. Whether it matters, nothing tells. */
export function asksDatabaseTime({ timestamp, services }: Simulator): readonly Trouble[] {
  const asked = services.engine.work.databaseTime;
  if (asked === undefined || Math.abs(realInstantMs() - timestamp) < DAY_MS) return [];
  const text = `The app asks Postgres for its time (\`${asked}\`), which is ${daysFrom(timestamp)} from the world's: see docs/guides/works-later.md#the-clock-of-postgres.`;
  return [{ text }];
}

/** An instant as ISO 8601, in ms or in seconds. */
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)|\b1\d{12}\b|\b1\d{9}\b/g;

const ADVICE =
  "A copy of the clock stays real, such as `const now = Date.now` at the top of a file that is loaded first. Import `ringback/explore` and the entry of your test runner before it. A database's clock is real too.";

function daysFrom(worldMs: number): string {
  const days = Math.round(Math.abs(realInstantMs() - worldMs) / DAY_MS);
  return days === 0 ? `less than a day` : days === 1 ? "1 day" : `${days.toLocaleString("en")} days`;
}
