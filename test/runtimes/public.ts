import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Try } from "./matrix.ts";

/**
 * Programs as public ones are, with the frameworks and clients that those have: each right, and with two planted defects. The right one
 * passes, and of a defect the report names the deviation that brings it about. `npm run prove:runtimes -- public fastify` tries some.
 */

/** Where the package and the programs are. */
interface Paths {
  readonly root: string;
  readonly work: string;
  readonly tarball: string;
}

/** What `public/explore-program.mjs` prints of one. */
interface Found {
  readonly worlds: number;
  readonly passed: boolean;
  readonly complete: boolean;
  readonly cpuS: number;
  readonly failures: readonly { readonly property: string; readonly kinds: readonly string[] }[];
}

/** What a file of `public/` says of its program. */
interface Program {
  readonly name: string;
  /** What must be there besides packages of npm. */
  readonly needs?: "postgres" | "fastapi";
  /** By planted defect: the kind of deviation that the report must name. */
  readonly expected: Readonly<Record<string, string>>;
}

const packages = [
  "fastify",
  "pg",
  "@electric-sql/pglite",
  "express",
  "hono",
  "sql.js",
  "next@15",
  "react",
  "react-dom",
];
/** So many lines may say how a program is explored. */
const MOST_GLUE = 50;
const python = process.env.PYTHON ?? "python3";

/** @returns whether all are judged rightly */
export async function provePublic(
  { root, work, tarball }: Paths,
  tryIt: Try,
  words: readonly string[],
): Promise<boolean> {
  const folder = join(work, "public");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  cpSync(join(root, "test/runtimes/public"), folder, { recursive: true });
  const flags = ["--prefix", folder, "--prefer-offline", "--no-audit", "--no-fund", "--no-package-lock"];
  const install = ["npm", "install", ...flags, tarball, "@supabase/supabase-js", ...packages];
  const installed = await tryIt(install, folder, {});
  if (!installed.isGood) {
    process.stdout.write(`public programs: skipped, not installed here\n`);
    return true;
  }
  const database = await startPostgres(work);
  try {
    let isGood = true;
    for (const file of readdirSync(folder).filter((name) => /^(?!explore-).*-.*\.mjs$/.test(name)))
      if (words.every((word) => file.includes(word)))
        isGood = (await proveProgram(folder, file, tryIt, database?.url)) && isGood;
    return isGood;
  } finally {
    await database?.stop();
  }
}

async function proveProgram(
  folder: string,
  file: string,
  tryIt: Try,
  url: string | undefined,
): Promise<boolean> {
  const source = readFileSync(join(folder, file), "utf8");
  const glue = source.slice(source.indexOf("// What explores")).match(/^.*\S.*$/gm)?.length ?? 0;
  // loading it connects to the database that it needs, which may be missing
  const { program } = (await import(join(folder, file))) as { readonly program: Program };
  const say = (variant: string, text: string) =>
    process.stdout.write(`${program.name.padEnd(26)} ${variant.padEnd(40)} ${text}\n`);
  const missing = missingFor(program, url);
  if (missing !== undefined) {
    say("", `skipped: ${missing}`);
    return true;
  }
  let isGood = glue <= MOST_GLUE;
  if (!isGood) say("", `FAILED: ${glue} lines say how it is explored`);
  for (const defect of [undefined, ...Object.keys(program.expected)]) {
    const command = [
      process.execPath,
      "explore-program.mjs",
      file,
      ...(defect === undefined ? [] : [defect]),
    ];
    const env = { DATABASE_URL: url ?? "", RINGBACK_RESULTS: "off", RINGBACK_SUMMARY: "off" };
    const { text } = await tryIt(command, folder, env);
    const line = text.split("\n").find((each) => each.startsWith('{"worlds"'));
    const found = line === undefined ? undefined : (JSON.parse(line) as Found);
    const isRight = found !== undefined && isAsExpected(found, defect && program.expected[defect]);
    const figures = found === undefined ? text : `${found.worlds} worlds, ${found.cpuS.toFixed(1)} s of CPU`;
    const named = found?.failures.map(({ property, kinds }) => `${property}: ${kinds.join(", ")}`) ?? [];
    say(defect ?? "right", `${isRight ? "passed" : "FAILED"}  ${figures}  ${named.join("; ")}`);
    isGood &&= isRight;
  }
  return isGood;
}

function isAsExpected({ passed, complete, failures }: Found, kind: string | undefined): boolean {
  if (kind === undefined) return passed && complete;
  // a defect may break several properties, each by what breaks it first
  const isNamed = failures.some(({ kinds }) => kinds.includes(kind));
  return !passed && complete && isNamed && failures.every(({ property }) => property !== "deterministic");
}

function missingFor({ needs }: Program, url: string | undefined): string | undefined {
  if (needs === "postgres" && url === undefined) return "no PostgreSQL here";
  if (needs !== "fastapi") return undefined;
  try {
    execFileSync(python, ["-c", "import fastapi, uvicorn"], { stdio: "ignore" });
    return undefined;
  } catch {
    return `${python} has no fastapi and uvicorn (PYTHON names another)`;
  }
}

/** Starts a PostgreSQL of its own, if there is one. `DATABASE_URL` names one that runs. */
async function startPostgres(work: string) {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL !== undefined) return { url: DATABASE_URL, stop: async () => {} };
  const versions = "/usr/lib/postgresql";
  const [version] = existsSync(versions) ? readdirSync(versions).toSorted().toReversed() : [];
  if (version === undefined) return undefined;
  const bin = join(versions, version, "bin");
  const data = join(work, "postgres");
  mkdirSync(data);
  // it refuses to run as root
  const user = process.getuid?.() === 0 ? ["setpriv", "--reuid=postgres", "--clear-groups"] : [];
  if (user.length > 0) execFileSync("sh", ["-c", `chmod 755 "${work}"; chown postgres "${data}"`]);
  const [initdb = "", ...given] = [...user, join(bin, "initdb")];
  execFileSync(initdb, [...given, "-D", data, "-U", "postgres", "-A", "trust", "--no-sync"], {
    stdio: "ignore",
  });
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const [postgres = "", ...more] = [...user, join(bin, "postgres")];
  const all = [...more, "-D", data, "-p", String(port), ...settings.flatMap((each) => ["-c", each])];
  const child = spawn(postgres, all, { stdio: "ignore" });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  for (let tries = 0; tries < 100 && !isReady(bin, port); tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const stop = async () => {
    child.kill("SIGINT");
    await once(child, "exit");
  };
  return { url, stop };
}

function isReady(bin: string, port: number): boolean {
  try {
    execFileSync(join(bin, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
