/** What the browser remembers. Without its storage, the course works and remembers nothing. */

/** @returns undefined if nothing is stored, or something else wrote there */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a browser that stores nothing forgets it when the page is left
  }
}
