import { type AddressState, addressToCopy, makeLink, type TeachMode, writeHash } from "../common/share.ts";
import type { PageRunState } from "./loading.ts";
import type { Store } from "./store.ts";

export interface LinksState {
  /** A message for everyone, also announced to screen readers. */
  readonly toast: string;
}

export const noMessage: LinksState = { toast: "" };

/** The page's address, what is copied from the page, and short messages. */
export class Links {
  private timer = 0;

  constructor(private readonly store: Store<LinksState & PageRunState & AddressState>) {}

  say(toast: string): void {
    this.store.set({ toast });
    window.setTimeout(() => {
      if (this.store.state.toast === toast) this.store.set({ toast: "" });
    }, 6_000);
  }

  async copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`Copied ${what}.`);
    } catch {
      // some browsers do not let a page from a file write to the clipboard
      this.say(`This browser does not let the page copy ${what}.`);
    }
  }

  /**
   * Copies a link to what is written in the editor. The page has it as its own address from then on.
   * @param teach asks its questions at once: a link for others, and the page keeps its address
   */
  async share(teach?: TeachMode): Promise<void> {
    const { text, run, now, data } = this.store.state;
    const { organisations } = data;
    const hash = await makeLink({ scenario: text, organisations, seed: run?.summary.seed, now, teach });
    if (teach === undefined) {
      // a pending `remember` must not overwrite the link
      clearTimeout(this.timer);
      history.replaceState(null, "", hash);
    }
    await this.copy(
      addressToCopy(new URL(hash, location.href)),
      teach === undefined ? "the link" : "the link for a class",
    );
  }

  /** Keeps the instant in the address, so that a reload returns to it. */
  remember(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => history.replaceState(null, "", writeHash(this.store.state)), 150);
  }
}
