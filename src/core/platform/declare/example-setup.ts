import type { CommandInputs, CommandResults } from "../../generated/inputs.ts";

/** What happens before an example, in the example organisation. A simulator is one. */
export interface ExampleSetup<Platform = unknown> {
  command<Name extends keyof CommandInputs>(name: Name, input: CommandInputs[Name]): CommandResults[Name];
  advance(duration: string): void;
  runUntilIdle(): void;
  /** What the platform holds by then. */
  readonly services: Platform;
}
