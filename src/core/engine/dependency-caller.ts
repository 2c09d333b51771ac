/** Who calls one of the app's dependencies, as the one knows who plays a scenario for an app. */
export interface DependencyCaller {
  /** Whether the call may deviate: not while the app is built or judged, nor once the world is over. */
  readonly mayDeviate: boolean;
  /** Whether the app was restarted since the code began that calls. */
  readonly isGone: () => boolean;
  /** Whether the app can be restarted at its calls. */
  readonly mayRestart: boolean;
  /**
   * Restarts the app; undefined where that is not planned, or other code than the app's calls.
   * @param isNow whether at once, since its code cannot wait, and not when it can do nothing more
   */
  readonly restart: ((isNow: boolean) => void) | undefined;
  /** Runs the code of the client, which is told from the app's. */
  readonly make: <T>(run: () => T) => T;
}
