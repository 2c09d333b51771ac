import { type ClientMessage, clientLetters, readStartup, textsOf } from "./postgres-messages.ts";

/** Which queries ask Postgres for its time: that of its machine, whatever the world's is. */

/** What says no name of a function: comments, texts, names in quotes or after `as`, but for the type that a cast names. */
const QUOTED =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"[^"]*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|\b[aA][sS]\s+(?!(?:date|time(?:stamp)?(?:tz)?)\b)\w+/gi;
/** Texts that stand for the time of Postgres where they are cast to a type of times. */
const WORD = /^'\s*(?:now|today|tomorrow|yesterday)\s*'$/i;
const TYPE = "(?:date|time(?:stamp)?(?:tz)?)\\b(?:\\s*\\(\\d\\))?(?:\\s+with(?:out)?\\s+time\\s+zone)?";
const CAST = new RegExp(
  `('\\w+')\\s*::\\s*${TYPE}|\\b${TYPE}\\s*('\\w+')|\\bcast\\s*\\(\\s*('\\w+')\\s+as\\s+${TYPE}`,
  "i",
);
/** It says what a later query may ask. */
const DEFINITION = /^\s*(?:create|alter|comment|drop)\b/i;
const TIME =
  /(?<![\w.])(?:(?:pg_catalog\s*\.\s*)?(?:now|timeofday|(?:clock|statement|transaction)_timestamp)\s*\(\s*\)|current_(?:timestamp|time|date)\b|local(?:timestamp|time)\b)/i;
/** The functions of another schema come before those of Postgres, as in the guide that gives it a world's time. */
const OTHER_TIME = /search_path[\s\S]*pg_catalog|\bworld\.now\b/i;

/** The first function of a query that says the time of Postgres, as in `now()`, or else a text that stands for it, as in `'now'::date`; undefined if there is none. */
export function timeAskedIn(sql: string): string | undefined {
  const plain = sql.replaceAll(QUOTED, (quoted) => (WORD.test(quoted) ? quoted.replaceAll(/\s/g, "") : " "));
  for (const statement of plain.split(";")) {
    if (DEFINITION.test(statement)) continue;
    const found =
      TIME.exec(statement)?.[0] ??
      CAST.exec(statement)
        ?.slice(1)
        .find((word) => word);
    if (found !== undefined) return found.replaceAll(/\s/g, "").toLowerCase();
  }
  return undefined;
}

/** Reads what one connection asks. */
export class PostgresClock {
  /** Prepared statements by name that ask for the time. */
  private readonly prepared = new Map<string, string>();
  private hasOtherTime = false;

  /**
   * @param chunk what was written
   * @param messages its messages; undefined if it has none
   * @returns the function by which it asks for the time; undefined if it does not
   */
  read(chunk: unknown, messages: readonly ClientMessage[] | undefined): string | undefined {
    const startup = readStartup(chunk);
    if (startup !== undefined) {
      this.hasOtherTime = OTHER_TIME.test(startup);
      return undefined;
    }
    let asked: string | undefined;
    for (const { letter, content } of messages ?? []) {
      if (letter === clientLetters.bind) asked ??= this.prepared.get(textsOf(content)[1] ?? "");
      else if (letter === clientLetters.query) asked ??= this.timeIn(textsOf(content)[0]);
      else if (letter === clientLetters.parse) this.prepare(textsOf(content));
    }
    return this.hasOtherTime ? undefined : asked;
  }

  private prepare([name = "", sql]: readonly string[]): void {
    const asked = this.timeIn(sql);
    if (asked === undefined) this.prepared.delete(name);
    else this.prepared.set(name, asked);
  }

  private timeIn(sql = ""): string | undefined {
    this.hasOtherTime ||= OTHER_TIME.test(sql);
    return timeAskedIn(sql);
  }
}
