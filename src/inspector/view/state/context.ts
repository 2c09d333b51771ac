import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { WorkerInput, WorkerMethod, WorkerOutput } from "../../worker/protocol.ts";
import type { PageActions, PageState } from "./actions.ts";

export const ActionsContext = createContext<PageActions | undefined>(undefined);

export function useActions(): PageActions {
  const actions = useContext(ActionsContext);
  if (actions === undefined) throw new Error("no actions here");
  return actions;
}

/** A part of the state. The calling component is drawn again when it changes. */
export function useSelect<T>(select: (state: PageState) => T): T {
  const { store } = useActions();
  const [, redraw] = useState({});
  const value = select(store.state);
  useLayoutEffect(() => {
    let last = value;
    return store.follow(() => {
      const next = select(store.state);
      if (Object.is(next, last)) return;
      last = next;
      redraw({});
    });
  });
  return value;
}

/** The worker's answer to a question; undefined until it comes. Asked again when the arguments change. */
export function useAnswer<N extends WorkerMethod>(
  name: N,
  input: WorkerInput<N> | undefined,
): { got: WorkerOutput<N> | undefined; error: string } {
  const actions = useActions();
  const [answer, setAnswer] = useState<{ key: string; got: WorkerOutput<N> | undefined; error: string }>({
    key: "",
    got: undefined,
    error: "",
  });
  const key = input === undefined ? "" : `${name} ${JSON.stringify(input)}`;
  useEffect(() => {
    if (input === undefined) return undefined;
    let isWanted = true;
    // a held arrow key passes many rows: ask only for the row where it stops
    const timer = setTimeout(() => {
      actions.loading.ask(name, input).then(
        (got) => {
          if (isWanted) setAnswer({ key, got, error: "" });
        },
        (error: Error) => {
          if (isWanted) setAnswer({ key, got: undefined, error: error.message });
        },
      );
    }, 30);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  return answer.key === key ? answer : { got: undefined, error: "" };
}

/** The width and height of an element, updated when they change. */
export function useSize(ref: { current: HTMLElement | SVGElement | null }): {
  width: number;
  height: number;
} {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  return size;
}

/** In a run with more rows than this, the parts of the page are drawn one after another. */
const LONG = 5_000;

/**
 * Whether a part of the page may look at all rows now. In a long run the parts take turns, one task each, so that the
 * page answers in between: first the ladder, then the other parts.
 * @param turn 1 for the first part after the ladder
 */
export function useTurn(
  run: { readonly number: number; readonly rows: readonly unknown[] } | undefined,
  turn: number,
): boolean {
  const [reached, setReached] = useState(-1);
  const number = run?.number ?? -1;
  const isLong = (run?.rows.length ?? 0) >= LONG;
  useEffect(() => {
    if (!isLong || number < 0) return undefined;
    const timer = setTimeout(() => setReached(number), turn * 120);
    return () => clearTimeout(timer);
  }, [number, isLong, turn]);
  return !isLong || reached === number;
}
