/** How far the scenario of a world was played. */
export class ScenarioProgress {
  /** The steps that the run did not allow. */
  readonly skipped: number[] = [];
  /** When its next step is played, in virtual ms. */
  nextStepMs = Number.NEGATIVE_INFINITY;
  private isPlayed = false;

  /** @param hasUntil whether it says when a world ends */
  constructor(private readonly hasUntil: boolean) {}

  /** It is over. */
  end(): void {
    this.nextStepMs = Number.POSITIVE_INFINITY;
    this.isPlayed = true;
  }

  /** Whether it is over, and said when. */
  isCut(): boolean {
    return this.isPlayed && this.hasUntil;
  }
}
