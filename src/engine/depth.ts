/** Whether data from outside is nested no deeper than this. Deeper data could overflow the stack of whatever walks it. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1));
}
