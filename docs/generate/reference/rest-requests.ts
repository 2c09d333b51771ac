import { fenced } from "../markdown.ts";
import type { RestOperation } from "./document.ts";

/** An operation of which a request is shown. */
export interface ShownOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: RestOperation;
  /** The address of the host that serves it. */
  readonly server: string;
  /** The address of the host of the REST API, of which `sim.fetch` takes a path alone. */
  readonly api: string;
}

/** The same request for each client, as blocks of code. The site shows them in tabs. */
export function requestBlocks(shown: ShownOperation): string[] {
  const request = requestOf(shown);
  return [
    fenced("bash curl", curlOf(shown, request)),
    fenced("typescript sim.fetch", fetchOf(shown, request)),
    fenced("typescript axios", axiosOf(shown, request)),
  ];
}

interface ExampleRequest {
  readonly url: string;
  readonly query: readonly (readonly [name: string, value: unknown])[];
  /** The query as a part of an address: empty, or with its question mark. */
  readonly search: string;
  readonly type: string;
  readonly isForm: boolean;
  readonly body: unknown;
}

function requestOf({ path, operation }: ShownOperation): ExampleRequest {
  const { parameters = [], requestBody } = operation;
  const exampleOf = (name: string) =>
    String(parameters.find((each) => each.name === name)?.example ?? `{${name}}`);
  const query = parameters.flatMap(({ name, in: where, example }): [string, unknown][] =>
    where === "query" && example !== undefined ? [[name, example]] : [],
  );
  const texts = query.map(([name, value]) => [name, String(value)]);
  const [type = "", { example: body = undefined } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    url: path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(exampleOf(name))),
    query,
    search: query.length === 0 ? "" : `?${new URLSearchParams(texts)}`,
    type,
    isForm: type === "application/x-www-form-urlencoded",
    body,
  };
}

function curlOf({ method, server }: ShownOperation, request: ExampleRequest): string {
  const { url, query, search, type, isForm, body } = request;
  const address = `${server}${url}`;
  const parts = [
    ...(method === "GET"
      ? [
          `curl${query.length > 0 ? " -G" : ""} "${address}"`,
          ...query.map(([name, value]) => `-d ${name}=${value}`),
        ]
      : [`curl -X ${method} "${address}${search}"`]),
    ...(isForm ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined || isForm
      ? []
      : [`-H "Content-Type: ${type}"`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
    ...(isForm
      ? Object.entries(body as object).map(([name, value]) => `-d ${name}=${encodeURIComponent(value)}`)
      : []),
  ];
  return parts.join(" \\\n  ");
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: code that is shown
const TOKEN_HEADER = "authorization: `Bearer ${sim.token()}`";

function fetchOf({ method, path, server, api }: ShownOperation, request: ExampleRequest): string {
  const { url, search, isForm, body } = request;
  const address = server === api ? `${url}${search}` : `${server}${url}${search}`;
  const indented = json(body).replaceAll("\n", "\n  ");
  const headers = [
    `    ${TOKEN_HEADER},`,
    ...(body === undefined ? [] : ['    "content-type": "application/json",']),
  ];
  return [
    `const answer = await sim.fetch("${address}", {`,
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(isForm ? [`  body: new URLSearchParams(${indented}),`] : ["  headers: {", ...headers, "  },"]),
    ...(body === undefined || isForm ? [] : [`  body: JSON.stringify(${indented}),`]),
    "});",
    ...(path.startsWith("/telephony") ? ["await answer.text();"] : ["await answer.json();"]),
  ].join("\n");
}

/** With an instance of axios whose `fetch` is the simulator's. */
function axiosOf({ method, server }: ShownOperation, request: ExampleRequest): string {
  const { url, query, isForm, body } = request;
  const [host = ""] = new URL(server).host.split(".");
  const isWrite = ["POST", "PUT", "PATCH"].includes(method);
  const data = isForm ? `new URLSearchParams(${json(body)})` : body === undefined ? "undefined" : json(body);
  const params = query.map(([name, value]) => `    ${name}: ${json(value)},\n`).join("");
  const config = query.length === 0 ? [] : [`{\n  params: {\n${params}  },\n}`];
  const sent = isWrite && (body !== undefined || query.length > 0) ? [data] : [];
  return [
    "const api = axios.create({",
    `  baseURL: sim.urls.${host},`,
    '  adapter: "fetch",',
    "  env: { fetch: sim.fetch },",
    ...(isForm ? [] : ["  headers: {", `    ${TOKEN_HEADER},`, "  },"]),
    "});",
    `const { data } = await api.${method.toLowerCase()}(${[`"${url}"`, ...sent, ...config].join(", ")});`,
  ].join("\n");
}

const json = (value: unknown) => JSON.stringify(value, null, 2) ?? "";
