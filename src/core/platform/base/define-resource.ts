import type { Operation, Tag } from "../declare/operation.ts";
import type { EventDeclaration } from "./define-events.ts";

/**
 * Everything that a part of the platform says about itself: to consumers, to documents, to those who read captures. What
 * it does is its service and its commands. `catalogue/resources.ts` lists it once.
 */
export interface ResourceDefinition {
  /** The events that are about it. */
  readonly events?: Readonly<Record<string, EventDeclaration>>;
  /** The operations of the REST API. */
  readonly operations?: readonly Operation<never>[];
  /** The pages of the reference with its operations: the file of each, by tag, in the order of the document. */
  readonly pages?: readonly { readonly tag: Tag; readonly file: string }[];
}

/** Declares a resource. The types of its parts are inferred. */
export function defineResource<const Resource extends ResourceDefinition>(resource: Resource): Resource {
  return resource;
}
