import { type AnyOperation, operations } from "../../platform/catalogue/operations.ts";
import type { ProfileName } from "../../platform/declare/profile.ts";
import { observedOperations } from "./operations.ts";

/** The operations of a profile; of none, the documented ones. */
export function operationsOf(profile: ProfileName | undefined): readonly AnyOperation[] {
  return profile === undefined ? operations : observedOperations;
}
