import { readFileSync } from "node:fs";
import axios from "axios";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { restDocument } from "../../docs/generate/reference/document.ts";
import { eventGroups } from "../../docs/generate/reference/event-groups.ts";
import { scenarioFileSchema } from "../../docs/generate/reference/keys.ts";
import { smallestOrganisation } from "../../docs/generate/reference/organisation.ts";
import { restPages } from "../../docs/generate/reference/rest.ts";
import { restFiles } from "../../docs/generate/reference/rest-files.ts";
import { eventTypes } from "../../src/core/platform/declare/events.ts";
import { exampleOrganisation } from "../../src/core/platform/organisation/example.ts";
import { commandOfStep } from "../../src/core/scenario/schema.ts";
import { createSimulator } from "../../src/index.ts";

/** The pages of `docs/reference`, as `npm run generate` wrote them; `test/generated-pages.ts` says whether they are new. */
const page = (name: string) =>
  readFileSync(new URL(`../../docs/reference/${name}.md`, import.meta.url), "utf8");

/** The part of a page below a heading of this level, up to the next. */
function sectionOf(text: string, title: string, level = 2): string {
  const marks = "#".repeat(level);
  const start = text.indexOf(`\n${marks} ${title}\n`);
  expect(start, title).toBeGreaterThan(-1);
  const rest = text.slice(start + 1);
  const end = rest.search(new RegExp(`\\n#{1,${level}} `));
  return end < 0 ? rest : rest.slice(0, end);
}

const document = await restDocument();
const isOld = (id: string) => id.endsWith("Deprecated");
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    method === "servers" || isOld(operation.operationId)
      ? []
      : [{ name: `${method.toUpperCase()} ${path}`, path, method: method.toUpperCase(), operation }],
  ),
);

describe("The reference of the REST API", () => {
  test.each(operations)(
    "shows $name with parameters, request, answer, errors and events",
    ({ path, method, operation }) => {
      const text = page(`rest-${restFiles[operation.tags[0] ?? ""]}`);
      const section = sectionOf(text, operation.summary);
      expect(section).toContain(`**${method}** \`${path}\``);
      for (const { name, description } of operation.parameters ?? [])
        expect(sectionOf(section, name, 3)).toContain(description);
      expect(section).toContain("**Answer 20");
      expect(section).toContain("| status | when | ask again? |");
      for (const type of operation["x-events"] ?? []) expect(section).toContain(`[\`${type}\`](`);
    },
  );

  test("says of `modified` what it is, below a heading of its own", () => {
    const section = sectionOf(page("rest-calls"), "modified", 3);
    expect(section).toContain("Only calls that were created or modified at this instant or later");
  });
});

describe("The requests of the reference", () => {
  /** A request as it is sent: values of the query and of forms decoded, JSON read. */
  interface Sent {
    readonly method: string;
    readonly url: string;
    readonly query: Readonly<Record<string, string>>;
    readonly body: unknown;
  }

  function sentAs(method: string, address: string, body: string): Sent {
    const { origin, pathname, searchParams } = new URL(address);
    const isForm = body !== "" && !body.startsWith("{");
    const read = isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body || "null");
    return { method, url: `${origin}${pathname}`, query: Object.fromEntries(searchParams), body: read };
  }

  /** Runs a program with a simulator that notes what is asked of it. Returns that, and the status of the answer. */
  async function ran(program: string): Promise<{ readonly sent: Sent; readonly status: number }> {
    const sim = createSimulator({ organisation: exampleOrganisation });
    const asked: { readonly sent: Sent; readonly status: number }[] = [];
    const noting = async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(typeof input === "string" ? new URL(input, sim.urls.api) : input, init);
      const body = await request.clone().text();
      const answer = await sim.fetch(request);
      asked.push({ sent: sentAs(request.method, request.url, body), status: answer.status });
      return answer;
    };
    const run = new AsyncFunction("sim", "axios", program);
    await run({ fetch: noting, urls: sim.urls, token: () => sim.token() }, axios).catch((error: unknown) => {
      // a new simulator has no call-1 and the like
      if (!axios.isAxiosError(error) || error.response?.status !== 404) throw error;
    });
    expect(asked).toHaveLength(1);
    return asked[0] as (typeof asked)[0];
  }
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: readonly string[]
  ) => (sim: unknown, client: typeof axios) => Promise<void>;

  /** Reads a command of curl. */
  function sentByCurl(command: string): Sent {
    const parts = [...command.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|[^\s\\]+/g)].map(
      ([whole, single, double]) => single?.replaceAll("'\\''", "'") ?? double ?? whole,
    );
    const valuesOf = (flag: string) => parts.flatMap((part, at) => (parts[at - 1] === flag ? [part] : []));
    const data = valuesOf("-d").join("&");
    const address = parts.find((part) => part.startsWith("https://")) ?? "";
    const [method = "GET"] = valuesOf("-X");
    return parts.includes("-G") ? sentAs(method, `${address}?${data}`, "") : sentAs(method, address, data);
  }

  test.each(operations)("are the same with curl, sim.fetch and axios: $name", async ({ operation }) => {
    const path = `docs/reference/rest-${restFiles[operation.tags[0] ?? ""]}.md`;
    const text = (await restPages.find((each) => each.path === path)?.content()) ?? "";
    const section = sectionOf(text, operation.summary);
    const blockOf = (info: string) => section.split(`\`\`\`${info}\n`)[1]?.split("\n```")[0] ?? "";
    const byFetch = await ran(blockOf("typescript sim.fetch"));
    expect(sentByCurl(blockOf("bash curl"))).toEqual(byFetch.sent);
    expect(await ran(blockOf("typescript axios"))).toEqual(byFetch);
    expect([200, 201, 204, 404]).toContain(byFetch.status);
  });
});

describe("The reference of events", () => {
  test("has every event on one page", () => {
    expect(eventGroups.flatMap(({ types }) => types).toSorted()).toEqual([...eventTypes].sort());
  });

  test.each(eventGroups.flatMap(({ file, types }) => types.map((type) => [type, file] as const)))(
    "shows what %s means, what brings it about, what follows, and a whole body",
    (type, file) => {
      const section = sectionOf(page(file), type);
      const { summary, requestBody } = document.webhooks[type]?.post ?? {};
      expect(section).toContain(`${summary}.`);
      for (const title of ["Sent", "Brought about by", "What follows"])
        expect(section).toContain(`<p class="label">${title}</p>`);
      expect(section).toMatch(/\| \d+ of \d+/);
      const [, body = ""] = /```json fold\n([\s\S]*?)\n```/.exec(section) ?? [];
      expect(JSON.parse(body)).toEqual(requestBody?.content?.["application/json"]?.example);
      expect(section).toContain(`type: "${type}";`);
    },
  );
});

describe("The reference of files", () => {
  test("begins with an organisation that works", () => {
    const text = page("organisation");
    expect(text).toContain(smallestOrganisation);
    expect(text.indexOf(smallestOrganisation)).toBeLessThan(text.indexOf("## Three rules"));
    const sim = createSimulator({ organisation: parse(smallestOrganisation) });
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550200" });
    call.answer("mia");
    expect(call.record.answeredAt).not.toBeNull();
  });

  test("has every key of an organisation, of a scenario and of its steps", () => {
    const { properties = {} } = scenarioFileSchema();
    const organisation = properties.organisation?.anyOf?.find((shape) => shape.properties !== undefined);
    const texts = [page("organisation"), page("scenario"), page("steps")] as const;
    const isThere = (text: string, name: string) =>
      text.includes(`| \`${name}\` |`) ||
      text.includes(`| \`${name}[]\` |`) ||
      text.includes(`\n## ${name}\n`);
    const missing = [
      ...Object.keys(organisation?.properties ?? {}).filter((name) => !isThere(texts[0], name)),
      ...Object.keys(properties).filter((name) => !isThere(texts[1], name)),
      ...Object.keys(commandOfStep).filter((name) => !isThere(texts[2], name)),
    ];
    expect(missing).toEqual([]);
    expect(sectionOf(texts[0], "users")).toContain("| `workingHours.monday … sunday[]` |");
    expect(sectionOf(texts[0], "teams")).toContain("| `members[].priority` | whole number, 1 to 100 | `1` |");
  });
});
