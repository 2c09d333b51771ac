import type { Theme } from "../../../look/theme.ts";

/**
 * The page's address: `#now=13&tab=delivery` for an instant, and `#v=1&s=<deflated>` for a shared scenario with the
 * organisations that it names. `teach=class` or `teach=alone` asks its questions at once, `codes` reads what a class handed in. A link
 * works with later versions: a page ignores what it does not know, and says so.
 */

const FORMAT = 1;
const tabs = ["payload", "delivery", "machine", "why", "fork"] as const;
export type Tab = (typeof tabs)[number];

const teachModes = ["class", "alone"] as const;
/** `class`: a projector, with hands and one answer. `alone`: several tries, and a code at the end. */
export type TeachMode = (typeof teachModes)[number];

/** The content of an address. */
export interface AddressContent {
  readonly now?: number | undefined;
  readonly tab?: Tab | undefined;
  readonly record?: number | undefined;
  readonly lesson?: string | undefined;
  readonly scenario?: string | undefined;
  /** The texts of the organisations that the scenario names, by name. */
  readonly organisations?: Readonly<Record<string, string>> | undefined;
  /** Whether to ask a class, or one who is alone. */
  readonly teach?: TeachMode | undefined;
  /** Whether to read the codes of a class. */
  readonly codes?: boolean | undefined;
  readonly theme?: Theme | undefined;
  /** A problem with the address, or a note for the reader. */
  readonly problem?: string | undefined;
  /** Whether the scenario in it cannot be read, so that another one is shown. */
  readonly isUnread?: boolean | undefined;
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
    teach: teachModes.find((each) => each === given.get("teach")),
    codes: given.has("codes"),
    theme: theme === "dark" || theme === "light" ? theme : undefined,
  };
  const packed = given.get("s");
  // a link with a format had a scenario before it was cut
  if (packed === null && !given.has("v")) return base;
  const format = numberIn("v") ?? 0;
  if (format > FORMAT)
    return {
      ...base,
      isUnread: true,
      problem: `This link was made by a later version (format ${format}); this page reads format ${FORMAT}.`,
    };
  try {
    const { scenario, organisations } = JSON.parse(await inflate(packed ?? "")) as {
      readonly [Key in "scenario" | "organisations"]?: unknown;
    };
    if (typeof scenario !== "string") throw new Error("no scenario");
    const texts = Object.entries(Object(organisations)).filter(
      (each): each is [string, string] => typeof each[1] === "string",
    );
    const by = given.get("by");
    const problem =
      by !== null && by !== RINGBACK_VERSION
        ? `This link was made by ringback ${by.slice(0, 20)}; this page is ${RINGBACK_VERSION}, and a run may differ.`
        : undefined;
    return { ...base, scenario, organisations: Object.fromEntries(texts), problem };
  } catch {
    return { ...base, isUnread: true, problem: "This link is damaged: the scenario in it cannot be read." };
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
  // a learner who loads the page again is asked again
  const teach = kept.get("teach");
  if (teach !== null) next.set("teach", teach);
  // a shared scenario stays in the address until its text is edited
  const packed = kept.get("s");
  if (packed !== null && mode === "play" && lesson === "" && text !== "")
    for (const key of ["v", "by", "s"]) next.set(key, kept.get(key) ?? "");
  return `#${next}`;
}

/** Makes a link that opens a scenario at an instant, or asks its questions. */
export async function makeLink({
  scenario,
  organisations = {},
  seed,
  now,
  teach,
}: {
  scenario: string;
  organisations?: Readonly<Record<string, string>> | undefined;
  seed: string | number | undefined;
  now: number;
  teach?: TeachMode | undefined;
}): Promise<string> {
  // a page may know many organisations
  const named = Object.entries(organisations).filter(([name]) => scenario.includes(name));
  const more = named.length === 0 ? {} : { organisations: Object.fromEntries(named) };
  const packed = await deflate(JSON.stringify({ scenario, ...more, seed }));
  const [key, value] = teach === undefined ? ["now", String(now)] : ["teach", teach];
  return `#${new URLSearchParams({ v: String(FORMAT), by: RINGBACK_VERSION, [key]: value, s: packed })}`;
}

/** What to copy of an address: the whole, or of a page on a disk its name, which works beside that page wherever it is. */
export function addressToCopy({ protocol, href, pathname, hash }: URL): string {
  return protocol === "file:" ? `${pathname.slice(pathname.lastIndexOf("/") + 1)}${hash}` : href;
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
