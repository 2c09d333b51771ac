import { execFileSync } from "node:child_process";
import { basename, dirname, resolve } from "node:path";
import { type Completed, complete } from "../capture/judge/complete.ts";
import { FixtureJudge, type FixtureOptions } from "../capture/judge/judge-fixture.ts";
import { translated } from "../capture/read/bodies.ts";
import { isObject, isRecord } from "../core/foundation/values.ts";
import { toWire } from "../core/platform/declare/wire-names.ts";
import { writeText } from "./disk.ts";
import { UsageError } from "./failures.ts";
import type { FixtureFile, InnerValue } from "./fixture-files.ts";
import { withValues } from "./json-text.ts";
import { possibleBodies, ROUNDS } from "./possible-bodies.ts";

/** Puts whole possible bodies in place of fixtures. */
export class FixtureWriter {
  /** Judges bodies in our own names, as they are completed. */
  private readonly judge: FixtureJudge;
  private readonly bodies = new Map<number, ReturnType<typeof possibleBodies>>();

  /** @throws {UsageError} for bodies that can only be read */
  constructor(private readonly options: FixtureOptions) {
    if (options.profile !== undefined)
      throw new UsageError("writes bodies as they are documented: leave out --profile", "--write");
    if (options.dialect?.read !== undefined)
      throw new UsageError("this module only reads bodies; --write needs one with fieldNames", "--dialect");
    this.judge = new FixtureJudge({ rest: options.rest });
  }

  /** A whole body for a fixture; undefined if it has no known type or no body keeps what it says. */
  complete(fixture: object): Completed | undefined {
    const { dialect = {} } = this.options;
    const body = translated(fixture, dialect);
    if (typeof body === "string" || typeof body.type !== "string") return undefined;
    const { type } = body;
    let found: Completed | undefined;
    for (const acts of ROUNDS) found ??= complete(body, this.bodiesOf(acts).get(type) ?? [], this.judge);
    if (found === undefined) return undefined;
    const written = toWire(found.body, dialect.fieldNames ?? {});
    return isRecord(written) ? { ...found, body: written } : undefined;
  }

  private bodiesOf(acts: number): ReturnType<typeof possibleBodies> {
    const bodies = this.bodies.get(acts) ?? possibleBodies(acts, this.options.rest);
    this.bodies.set(acts, bodies);
    return bodies;
  }
}

/** Writes bodies into a JSON file; its other text stays. A body that was the text of a request is text again. */
export function writeInto(
  { path, text = "", value }: FixtureFile,
  bodies: readonly (Pick<InnerValue, "keys"> & { readonly body: object })[],
): void {
  const edits = bodies.map(({ keys, body }) => {
    const isText =
      typeof keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value) ===
      "string";
    return { keys, value: isText ? JSON.stringify(body) : body };
  });
  writeText(path, [withValues(text, edits)]);
}

/** @throws {UsageError} for a file whose present text git does not have */
export function mustBeCommitted(path: string): void {
  let changes: string;
  try {
    const folder = dirname(resolve(path));
    changes = execFileSync("git", ["status", "--porcelain", "--ignored", "--", basename(path)], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    throw new UsageError("is not written: it is in no git repository; --force writes it", path);
  }
  if (changes !== "")
    throw new UsageError("is not written: it has changes that are not committed; --force writes it", path);
}
