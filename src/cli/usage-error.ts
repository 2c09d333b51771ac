/** The user gave a command something wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
