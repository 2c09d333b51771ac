import type { Capture, Drift } from "./capture.ts";
import { type CaptureInput, type ReadOptions, readCapture } from "./read.ts";

/**
 * Says what the bodies of a capture have that our schemas do not, or lack: fields, types, values of enumerations, event
 * types.
 * @param capture a capture as text, its pieces, or as `readCapture` read it
 * @param options how to read it, unless it was read already
 * @throws {CaptureError} if nothing of it can be read
 * @example
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
 * const body = JSON.stringify({ ...sim.events[0], mood: "calm" });
 * const { fields } = await drift(JSON.stringify({ receivedAt: sim.timestamp, headers: {}, body, status: 204 }));
 * fields.map(({ path }) => path); // => ["mood"]
 */
export async function drift(capture: CaptureInput | Capture, options: ReadOptions = {}): Promise<Drift> {
  return isCapture(capture) ? capture.drift : (await readCapture(capture, options)).drift;
}

/** Whether it was read already. */
export function isCapture(capture: CaptureInput | Capture): capture is Capture {
  return typeof capture === "object" && "drift" in capture && "events" in capture;
}
