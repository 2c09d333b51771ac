import type { Operation as OperationWith } from "../declare/operation.ts";
import { type Resources, resources } from "./resources.ts";
import type { Services } from "./services.ts";

/** Any operation of the whole API. */
export type AnyOperation = OperationWith<Services>;

type DeclaredOperations = {
  [Name in keyof Resources]: Resources[Name] extends { readonly operations: readonly (infer One)[] }
    ? One
    : never;
}[keyof Resources];

/** The whole API. Rules: docs/fidelity/rest.md#endpoints. */
export const operations: readonly DeclaredOperations[] = Object.values(resources).flatMap((resource) =>
  "operations" in resource ? (resource.operations as readonly DeclaredOperations[]) : [],
);
