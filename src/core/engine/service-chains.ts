/** Whether an app waits for several services at once, as chains of its work do: in which order they answer, the machine decides. */
export class ServiceChains {
  /** The connections over which it has asked what is not answered. */
  private readonly open = new Set<Connection>();
  /** How often anything was heard. */
  private heard = 0;
  /** How often it was when the app first waited for two at once. */
  private heardBefore: number | undefined;

  /** Whether the app has waited for two services at once, and heard anything since. */
  get areThere(): boolean {
    return this.heardBefore !== undefined && this.heard > this.heardBefore;
  }

  /** The app begins another piece of work. */
  forget(): void {
    this.heardBefore = undefined;
  }

  noteQuestion(connection: Connection): void {
    if ([...this.open].some((each) => each !== connection && !each.destroyed))
      this.heardBefore ??= this.heard;
    this.open.add(connection);
  }

  /** @param owes whether more is to come */
  noteHeard(connection: object, owes: boolean): void {
    this.heard++;
    if (!owes) this.open.delete(connection as Connection);
  }
}

interface Connection {
  readonly destroyed: boolean;
}
