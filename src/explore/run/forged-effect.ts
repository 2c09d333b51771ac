import { afterwards } from "../../core/foundation/values.ts";
import type { ValueTree } from "../../core/narration/app-state.ts";
import type { AppView } from "./world.ts";

/** After so many looks the app's state is not read any more: it may be large. */
const MOST_LOOKS = 50;

/**
 * The app's state once a forged request has settled: the last one before anything else reaches the app. What comes later,
 * such as a list of all calls, may hide what the request did.
 */
export class ForgedEffect {
  state: ValueTree | undefined;
  private isOpen = false;
  private looks = 0;
  /** How much the app had received when it had done what the request led to at that instant. */
  private receivedThen: number | undefined;

  constructor(private readonly app: AppView) {}

  /** Called when the request was answered, or at the same instant of a world without it. */
  begin(): void {
    this.isOpen = true;
  }

  /** Called after each item, when the app has done what it can do without time. */
  itemDone(): void | Promise<void> {
    if (!this.isOpen) return undefined;
    const received = this.app.received();
    this.receivedThen ??= received;
    this.isOpen = received === this.receivedThen && ++this.looks <= MOST_LOOKS;
    if (!this.isOpen) return undefined;
    return afterwards(this.app.state(), (state) => {
      this.state = state;
    });
  }
}
