import type { Theme } from "../../../look/theme.ts";

/**
 * The page's address: `#now=13&tab=delivery` for an instant, and `#v=1&s=<deflated>` for a shared scenario. A link
 * works with later versions: a page ignores what it does not know, and says so.
 */

const FORMAT = 1;
const tabs = ["payload", "delivery", "machine", "why", "fork"] as const;
export type Tab = (typeof tabs)[number];

/** The content of an address. */
export interface AddressContent {
  readonly now?: number | undefined;
  readonly tab?: Tab | undefined;
  readonly record?: number | undefined;
  readonly lesson?: string | undefined;
  readonly scenario?: string | undefined;
  readonly theme?: Theme | undefined;
  /** A problem with the address, or a note for the reader. */
  readonly problem?: string | undefined;
}

export async function readHash(hash: string): Promise<AddressContent> {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const numberIn = (name: string) => {
    const text = given.get(name);
    return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const theme = given.get("theme");
  const base: AddressContent = {
    now: numberIn("now"),
    record: numberIn("call"),
    tab: tabs.find((each) => each === given.get("tab")),
    lesson: given.get("lesson") ?? undefined,
    theme: theme === "dark" || theme === "light" ? theme : undefined,
  };
  const packed = given.get("s");
  if (packed === null) return base;
  const format = numberIn("v") ?? 0;
  if (format > FORMAT)
    return {
      ...base,
      problem: `This link was made by a later version (format ${format}); this page reads format ${FORMAT}.`,
    };
  try {
    const { scenario } = JSON.parse(await inflate(packed)) as { scenario?: unknown };
    if (typeof scenario !== "string") throw new Error("no scenario");
    const by = given.get("by");
    const problem =
      by !== null && by !== RINGBACK_VERSION
        ? `This link was made by ringback ${by.slice(0, 20)}; this page is ${RINGBACK_VERSION}, and a run may differ.`
        : undefined;
    return { ...base, scenario, problem };
  } catch {
    return { ...base, problem: "This link is damaged: the scenario in it cannot be read." };
  }
}

/** The fields of the state that the address keeps. */
export interface AddressState {
  readonly now: number;
  readonly tab: Tab;
  readonly record: number | undefined;
  readonly lesson: string;
  readonly mode: "inspect" | "play";
  readonly text: string;
}

export function writeHash({ now, tab, record, lesson, mode, text }: AddressState): string {
  const kept = new URLSearchParams(location.hash.slice(1));
  const next = new URLSearchParams({ now: String(now), tab });
  if (record !== undefined) next.set("call", String(record));
  if (lesson !== "" && mode === "play") next.set("lesson", lesson.replace(/-.*/, ""));
  // a shared scenario stays in the address until its text is edited
  const packed = kept.get("s");
  if (packed !== null && mode === "play" && lesson === "" && text !== "")
    for (const key of ["v", "by", "s"]) next.set(key, kept.get(key) ?? "");
  return `#${next}`;
}

/** Makes a link that opens a scenario at an instant. */
export async function makeLink({
  scenario,
  seed,
  now,
}: {
  scenario: string;
  seed: string | number | undefined;
  now: number;
}): Promise<string> {
  const packed = await deflate(JSON.stringify({ scenario, seed }));
  return `#${new URLSearchParams({ v: String(FORMAT), by: RINGBACK_VERSION, now: String(now), s: packed })}`;
}

async function deflate(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The largest text that a link may unpack to, bytes. */
const MAX_TEXT = 2_000_000;

async function inflate(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    if (text.length > MAX_TEXT) throw new Error("too long");
  }
  return text + decoder.decode();
}
