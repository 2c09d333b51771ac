import type { Capture, Drift } from "./capture.ts";
import { type CaptureInput, type ReadOptions, readCapture } from "./read.ts";

/**
 * Reports how the bodies of a capture differ from the documented schemas: fields, types, values of enumerations, event types.
 * @param capture a capture as text, its pieces, or the result of `readCapture`
 * @param options how to read it, unless it has been read
 * @throws {CaptureError} if no request can be read
 * @example
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
 * const body = JSON.stringify({ ...sim.events[0], mood: "calm" });
 * const { fields } = await drift(JSON.stringify({ receivedAt: sim.timestamp, headers: {}, body, status: 204 }));
 * fields.map(({ path }) => path); // => ["mood"]
 */
export async function drift(capture: CaptureInput | Capture, options: ReadOptions = {}): Promise<Drift> {
  return isCapture(capture) ? capture.drift : (await readCapture(capture, options)).drift;
}

/** Whether it is the result of `readCapture`. */
export function isCapture(capture: CaptureInput | Capture): capture is Capture {
  return typeof capture === "object" && "drift" in capture && "events" in capture;
}
