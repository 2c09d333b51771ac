import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** A database in the process of an app. */
export interface DatabaseInProcess {
  readonly rows: readonly string[];
  insert(row: string): Promise<void>;
  transaction(work: (open: Pick<DatabaseInProcess, "insert">) => Promise<void>): Promise<void>;
}

/**
 * Like PGlite: each function first waits until the database is ready, then for its turn. A transaction whose work fails is rolled back.
 * It saves its statistics later.
 */
const client = `
export class Database {
  rows = [];
  isSaved = false;
  last = Promise.resolve();
  async insert(row) {
    await this.ready();
    return await this.alone(async () => await this.write(row));
  }
  async transaction(work) {
    await this.ready();
    return await this.alone(async () => {
      const before = [...this.rows];
      try {
        return await work({ insert: async (row) => await this.write(row) });
      } catch (error) {
        this.rows = before;
        throw error;
      }
    });
  }
  async ready() {}
  async write(row) {
    await this.ready();
    if (!this.isSaved) setTimeout(() => {}, 1_500);
    this.isSaved = true;
    this.rows.push(row);
  }
  alone(work) {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }
}`;

const folder = mkdtempSync(path.join(tmpdir(), "ringback-in-process-"));
const file = path.join(folder, "node_modules", "tiny-pglite", "index.mjs");
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, client);
/** Its package is one of those that are known to be in the process. */
export const { Database }: { readonly Database: new () => DatabaseInProcess } = await import(
  pathToFileURL(file).href
);
rmSync(folder, { recursive: true });
