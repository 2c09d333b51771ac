import { GrowingList } from "../foundation/collections.ts";
import { InputError } from "../foundation/errors.ts";
import { fromPlain, type Kind, toPlain } from "../foundation/plain.ts";
import { makeContent, type RequestContent } from "../records/request.ts";
import type { SavedRun } from "./composition.ts";
import { type JournalDocument, LAYOUT } from "./options.ts";

/** The state of a run at an instant, with which a compacted journal begins. */
export type RunSnapshot = NonNullable<JournalDocument["snapshot"]>;

const growingList: Kind<GrowingList<unknown>> = {
  name: "growing",
  is: (value): value is GrowingList<unknown> => value instanceof GrowingList,
  save: ({ array }) => array,
  load: (saved) => new GrowingList([...(saved as readonly unknown[])]),
};

/** Reads the content of a request, which is computed on its first read. */
const requestContent: Kind<RequestContent> = {
  name: "content",
  is: (value): value is RequestContent =>
    "headers" in value && typeof value.headers === "function" && "body" in value,
  save: (content) => ({ headers: content.headers(), body: content.body() }),
  load: (saved) => {
    const { headers, body } = saved as { readonly headers: Record<string, string>; readonly body: string };
    return makeContent(headers, () => body);
  },
};

const kinds: readonly Kind[] = [growingList, requestContent];

/** Converts the state of a run to JSON data. */
export function snapshotOf(saved: SavedRun): RunSnapshot {
  const { atMs, step } = saved.engine;
  const { shared, value } = toPlain(saved, kinds);
  return { layout: LAYOUT, atMs, step, shared, state: value };
}

/** @throws {InputError} if `snapshotOf` did not write it */
export function readSnapshot<T>({ shared, state }: RunSnapshot, make: (saved: SavedRun) => T): T {
  try {
    return make(fromPlain({ shared, value: state }, kinds) as SavedRun);
  } catch (error) {
    throw new InputError(["journal", "snapshot"], `is damaged: ${(error as Error).message}`);
  }
}
