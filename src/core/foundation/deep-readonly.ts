/** The same type with every field read-only, at every depth. */
export type DeepReadonly<T> = T extends string
  ? T
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;
