import { type CommandInput, runCommand } from "../commands.ts";
import type { Platform } from "../platform.ts";
import { CallHandle } from "./call-handle.ts";

/** `sim.calls`. */
export class CallsApi {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /**
   * An outside caller dials one of the organisation's numbers.
   * @param call.from,call.to E.164
   * @param call.passthroughParameters entries whose key starts with `x-` and whose value is a string; others are
   *   ignored, and all are if they come to more than 1000 bytes. A string is read as a URL-encoded query.
   * @throws {CommandError} `unknown_number` when nobody has the number `to`
   */
  inbound(call: CommandInput<"inbound">): CallHandle {
    return new CallHandle(this.#platform, runCommand(this.#platform, "inbound", call));
  }

  /** @throws {CommandError} `not_found` when no call that is kept has this id */
  get(id: string): CallHandle {
    return new CallHandle(this.#platform, this.#platform.calls.find(id).call.id);
  }

  /** Every call that is kept, closed or live, in the order in which they started. */
  list(): CallHandle[] {
    return [...this.#platform.tables.calls].map(({ id }) => new CallHandle(this.#platform, id));
  }

  /** The calls that have not closed, in the order in which they started. */
  live(): CallHandle[] {
    return this.#platform.live.ids().map((id) => new CallHandle(this.#platform, id));
  }
}
