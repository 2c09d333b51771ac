import { switchTheme, type Theme } from "../../../look/theme.ts";
import type { Tab } from "../common/share.ts";
import type { Tone } from "../common/tones.ts";
import type { Links } from "./links.ts";
import type { Store } from "./store.ts";

export interface ViewState {
  readonly mode: "inspect" | "play";
  readonly tab: Tab;
  /** The index of the chosen call or conversation. */
  readonly record: number | undefined;
  /** Whether only that call is chosen, without the others of its journey. */
  readonly isAlone: boolean;
  readonly query: string;
  readonly hidden: ReadonlySet<Tone>;
  readonly onlyFailures: boolean;
  readonly foldGaps: boolean;
  /** Whether steps that repeat the one before share a row. */
  readonly foldRepeats: boolean;
  readonly endpoints: boolean;
  /** Whether only the calls' first rows and the failures are shown, for long runs. */
  readonly folded: boolean;
  /** Whether a run of many calls shows their overview instead of its steps. */
  readonly showsCalls: boolean;
  readonly theme: Theme;
  readonly whyQuestion: string | undefined;
  readonly machine: string | undefined;
  readonly isOpen: boolean;
  readonly hasDrawer: boolean;
  readonly showsKeys: boolean;
  /** Whether the list of lessons is shown instead of the editor. */
  readonly showsLessons: boolean;
  /** Whether the tree of stories is shown instead of the editor. */
  readonly showsStories: boolean;
  /** Whether the page reads the codes of a class, and shows no run. */
  readonly showsCodes: boolean;
  /** What stands in place of the run until its first question is asked, or because none can be; otherwise empty. */
  readonly cover: string;
}

export function initialView(mode: ViewState["mode"], theme: ViewState["theme"]): ViewState {
  return {
    mode,
    tab: "payload",
    record: undefined,
    isAlone: false,
    query: "",
    hidden: new Set(),
    onlyFailures: false,
    foldGaps: true,
    foldRepeats: true,
    endpoints: false,
    folded: false,
    showsCalls: false,
    theme,
    whyQuestion: undefined,
    machine: undefined,
    isOpen: false,
    hasDrawer: false,
    showsKeys: false,
    showsLessons: false,
    showsStories: false,
    showsCodes: false,
    cover: "",
  };
}

/** The fields that are on or off. */
type Switch = { [F in keyof ViewState]: ViewState[F] extends boolean ? F : never }[keyof ViewState];

/** Which rows are shown, and which panels are open. */
export class View {
  constructor(
    private readonly store: Store<ViewState>,
    private readonly links: Links,
  ) {}

  /** Shows one call or conversation; all of them, if it is the chosen one already. */
  choose(record: number | undefined): void {
    const isSame = record === this.store.state.record;
    // the next question is about what is chosen
    this.store.set({ record: isSame ? undefined : record, isAlone: false, whyQuestion: undefined });
    this.links.remember();
  }

  tab(tab: Tab): void {
    const question = tab === "why" ? { whyQuestion: undefined } : {};
    this.store.set({ tab, isOpen: true, showsCalls: false, ...question });
    this.links.remember();
  }

  filter(query: string): void {
    this.store.set({ query });
  }

  toggleKind(kind: Tone): void {
    const hidden = new Set(this.store.state.hidden);
    if (!hidden.delete(kind)) hidden.add(kind);
    this.store.set({ hidden });
  }

  toggle(field: Switch): void {
    this.store.set({ [field]: !this.store.state[field] });
  }

  toggleTheme(): void {
    this.store.set({ theme: switchTheme(this.store.state.theme) });
  }

  open(): void {
    this.store.set({ isOpen: true });
  }

  question(whyQuestion: string): void {
    this.store.set({ whyQuestion });
  }

  machine(machine: string): void {
    this.store.set({ machine });
  }
}
