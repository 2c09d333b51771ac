/** Decides as the code runs which mutant is active. The instrumented sources ask it at every place with a mutant. */
export class MutantSwitch {
  /** The mutants that were asked for, while anyone wants to know. */
  seen: Set<string> | undefined;
  private active: string | undefined;
  private hits = 0;
  private limit = 0;

  readonly isActive = (id: string): boolean => {
    if (id !== this.active) {
      this.seen?.add(id);
      return false;
    }
    if (++this.hits > this.limit) throw new Error(`the mutant ran ${this.limit} times: an endless loop`);
    return true;
  };

  /** Stryker counts with this; `isActive` does it here. */
  readonly cover = (): true => true;

  /** Makes a mutant the active one. It throws once it has run more than `limit` times. */
  activate(id: string, limit: number): void {
    this.active = id;
    this.hits = 0;
    this.limit = limit;
  }

  /** @returns how often the mutant ran */
  deactivate(): number {
    this.active = undefined;
    return this.hits;
  }
}

declare global {
  var ringbackMutants: MutantSwitch;
}

globalThis.ringbackMutants ??= new MutantSwitch();
export const mutantSwitch = globalThis.ringbackMutants;
