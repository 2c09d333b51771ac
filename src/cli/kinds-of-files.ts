import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { extname } from "node:path";
import { isJournalText } from "../core/simulator/journal-codec.ts";

/** How much of a file is looked at to tell what it is, bytes. */
const HEAD_BYTES = 65_536;

/** Whether a path is a capture: a folder of bodies, or a file whose beginning names a request or an event. */
export function looksLikeCapture(path: string): boolean {
  if (!existsSync(path) || [".yaml", ".yml"].includes(extname(path))) return false;
  if (statSync(path).isDirectory()) return true;
  const text = readHead(path);
  const isOurs = isJournalText(text) || /^\s*\{[^[]*"(failures|worlds|scenario|steps)"\s*:/.test(text);
  return !isOurs && /"(body|requestBody|content|request|createdTimestamp|type)"\s*:/.test(text);
}

/** Whether a file is a journal, by its content. */
export function isJournal(path: string): boolean {
  const text = readHead(path);
  return isJournalText(text) && !/^\s*\{\s*"ringback"\s*:\s*"explore"/.test(text);
}

function readHead(path: string): string {
  const head = Buffer.alloc(HEAD_BYTES);
  const file = openSync(path, "r");
  try {
    return head.toString("utf8", 0, readSync(file, head)).replace(/^\uFEFF/, "");
  } finally {
    closeSync(file);
  }
}
