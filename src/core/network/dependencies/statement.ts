const beginning =
  /^\s*(select|insert\s+into|insert\s+or\s+\w+\s+into|replace\s+into|merge\s+into|update|delete\s+from|begin|start|commit|rollback|savepoint|release|create\s+\w+|drop\s+\w+|alter\s+\w+|with)\b\s*(["`[]?[\w.]+)?/i;
/** Statements that are about the word that follows. */
const isAboutTable = /^(insert|replace|merge|update|delete|create|drop|alter)/i;
const tableRead = /\bfrom\s+(["`[]?[\w.]+)/i;

/** The SQL that a call sends: its first argument, or the `text` or `sql` of that. */
export function statementOf([first]: readonly unknown[]): string | undefined {
  const { text, sql } = (typeof first === "object" && first !== null ? first : {}) as Record<string, unknown>;
  const statement = [first, text, sql].find((each): each is string => typeof each === "string");
  return statement !== undefined && beginning.test(statement) ? statement : undefined;
}

/** The SQL of a query that has not run, such as a builder of Knex; undefined if it tells none. */
export function statementOfBuilder(query: object): string | undefined {
  const { toSQL } = query as { readonly toSQL?: unknown };
  if (typeof toSQL !== "function") return undefined;
  const [first] = [toSQL.call(query)].flat() as readonly unknown[];
  return statementOf([first]);
}

/** Its verb and table: `INSERT INTO calls`, `SELECT calls`, `COMMIT`. */
export function statementLabel(statement: string): string {
  const [, verb = "", next = ""] = beginning.exec(statement) ?? [];
  const isRead = /^(select|with)/i.test(verb);
  const table = isRead ? tableRead.exec(statement)?.[1] : isAboutTable.test(verb) ? next : undefined;
  const about = table === undefined || table === "" ? "" : ` ${table.replace(/^["`[]/, "")}`;
  return verb.replaceAll(/\s+/g, " ").toUpperCase() + about;
}

/** Whether a statement changes nothing. */
export function isReadingStatement(statement: string): boolean {
  return /^\s*select\b/i.test(statement);
}
