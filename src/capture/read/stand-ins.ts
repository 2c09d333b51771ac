import { ANONYMOUS } from "../../core/records/withheld.ts";

/** What a text of a capture stands for, which says what its stand-in looks like. */
export type StandInKind =
  | { readonly id: string }
  | { readonly word: string }
  | "number"
  | "email"
  | "url"
  | "passthrough";

/** Digits as people write a number: `+64 21 555 001`, `0800 555 0123`, `tel:+6421555001`, `(09) 555-0100`. */
const numberText = /^(?:tel:)?\+?[\d\s().\-/]*\d[\d\s().\-/]*$/i;

/** The stand-ins of a capture's texts. A text has one stand-in wherever it stands. */
export class StandIns {
  private readonly byText = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** The stand-in of a text, made up when the text is first met. */
  for(text: string, kind: StandInKind): string {
    const key = numberText.test(text) ? plainNumber(text) : text;
    const known = this.byText.get(key);
    if (known !== undefined) return known;
    const standIn = this.create(key, kind);
    this.byText.set(key, standIn);
    return standIn;
  }

  /** Returns a stand-in, and uses it elsewhere too if the text has none yet: the name of a user whose id is known. */
  use(text: string, standIn: string): string {
    if (!this.byText.has(text)) this.byText.set(text, standIn);
    return standIn;
  }

  private create(text: string, kind: StandInKind): string {
    if (text.toLowerCase() === ANONYMOUS) return ANONYMOUS;
    if (numberText.test(text)) return this.createNumber(text);
    if (kind === "number")
      return text.includes("@") ? this.createAddress(text) : `SENDER${this.next("sender")}`;
    if (kind === "email") return this.createAddress(text);
    if (kind === "url") return `https://media.example.test/file-${this.next("file")}`;
    if (kind === "passthrough") return `${/^x-/i.test(text) ? "x-" : ""}parameter-${this.next("parameter")}`;
    return "id" in kind ? `${kind.id}-${this.next(kind.id)}` : `${kind.word} ${this.next(kind.word)}`;
  }

  /** Keeps the length of a number, and of an international one the digits that tell the country. */
  private createNumber(text: string): string {
    const kept = text.startsWith("+") ? text.slice(0, 3) : "";
    const length = Math.max(1, text.length - kept.length);
    // a single digit is a key of a menu
    if (kept === "" && length === 1) return text;
    const first = kept === "" ? 7 * 10 ** (length - 1) : 0;
    const digits = String(first + this.next(`number ${kept} ${length}`)).padStart(length, "0");
    return `${kept}${digits}`;
  }

  private createAddress(text: string): string {
    const scheme = /^sips?:/i.exec(text)?.[0].toLowerCase() ?? "";
    return `${scheme}person-${this.next("address")}@example.test`;
  }

  private next(kind: string): number {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    return count;
  }
}

/** One number in one spelling: `+6421555001` for `tel:+64 21 555-001` and `006421555001`. */
function plainNumber(text: string): string {
  const digits = text.replaceAll(/\D/g, "");
  if (/^(?:tel:)?\s*\+/i.test(text)) return `+${digits}`;
  return /^00[1-9]/.test(digits) && digits.length > 8 ? `+${digits.slice(2)}` : digits;
}
