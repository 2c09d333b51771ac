import type { PlatformEvent } from "../../src/index.ts";
import type { Line } from "./support.ts";

/**
 * Compares what an app got with the events of another run: types, instants, order and bodies, up to a mapping of ids.
 * Returns the paths that differ.
 */
export function differences(lines: readonly Line[], events: readonly PlatformEvent[]): string[] {
  const bodies = [
    ...new Map(lines.map(({ body }) => JSON.parse(body)).map((body) => [body.id, body])).values(),
  ];
  bodies.sort((a, b) => numberOf(a) - numberOf(b));
  const endMs = Math.max(...bodies.map((body) => body.createdTimestamp));
  const others = events.filter((event) => event.createdTimestamp <= endMs);
  const ids = new Map<string, string>();
  const found: string[] = [];
  for (let index = 0; index < Math.max(bodies.length, others.length); index++)
    compare(bodies[index], others[index], `${index}`, ids, found);
  return found;
}

const numberOf = ({ id }: { id: string }) => Number(/\d+$/.exec(id)?.[0]);

function compare(a: unknown, b: unknown, path: string, ids: Map<string, string>, found: string[]): void {
  if (a === b) return;
  if (typeof a === "object" && typeof b === "object" && a !== null && b !== null) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      compare(
        (a as Record<string, unknown>)[key],
        (b as Record<string, unknown>)[key],
        `${path}.${key}`,
        ids,
        found,
      );
    return;
  }
  // an id, or a text with one in it
  if (
    typeof a === "string" &&
    typeof b === "string" &&
    /(?:^id|Ids?|[uU]rl|Ids\.\d+)$/.test(path.split(/\.(?!\d)/).at(-1) ?? "")
  ) {
    if (!ids.has(a)) ids.set(a, b);
    if (ids.get(a) === b) return;
  }
  found.push(`${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`);
}
