import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { served } from "./support.ts";

/** The requests that docs/server.md shows are made here; its program is run with those of the other pages. */

const page = readFileSync(new URL("../../docs/server.md", import.meta.url), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*(?:\`(?!\`\`)[^\`]*)*)\`\`\``, "g"))].map(
    ([, code = ""]) => code,
  );

test("The requests in docs/server.md succeed and play a call to its end", async () => {
  // as `ringback serve` has them
  const { url } = await served({ ids: "nanoid" });
  const linesOf = (block: string) => block.split("\n").filter((line) => line.startsWith("curl "));
  const lines = blocks("sh")
    .map(linesOf)
    .filter((each) => each.length === 10)
    .flat();
  const answers = new Map<string, string>();
  for (const line of lines) {
    const [, json, path = ""] = /^curl (?:--json '(.*)' )?http:\/\/127\.0\.0\.1:8080(\S+)$/.exec(line) ?? [];
    const headers = { "content-type": "application/json" };
    const response = await fetch(
      url + path,
      json === undefined ? {} : { method: "POST", headers, body: json },
    );
    answers.set(path, await response.text());
    expect([line, response.status]).toEqual([line, 200]);
  }
  expect(answers.get("/_sim/timeline")).toContain("call.ended");
  expect(JSON.parse(answers.get("/_sim/events?type=call.ended") ?? "").events).toHaveLength(1);
});

test("The requests about worlds in docs/server.md succeed", async () => {
  const { url } = await served();
  const [worlds = ""] = blocks("sh").filter((block) => block.includes("/_sim/worlds"));
  let token = "";
  for (const [line, path = ""] of worlds.matchAll(/^curl .*http:\/\/127\.0\.0\.1:8080(\S+)$/gm)) {
    const [, json] = /--json '(.*?)'/.exec(line) ?? [];
    const [, method = "GET"] = /-X (\w+)/.exec(line) ?? [];
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const response = await fetch(
      url + path,
      json === undefined ? { method, headers } : { method: "POST", headers, body: json },
    );
    expect([line, response.status]).toEqual([line, 200]);
    const answer = (await response.json()) as { token?: string };
    token = answer.token ?? token;
  }
  expect(token).not.toBe("");
});

test("The requests in the guide to running a server succeed with the token from the first one", async () => {
  const guide = readFileSync(new URL("../../docs/guides/run-as-a-server.md", import.meta.url), "utf8");
  const { sim, url } = await served({ ids: "nanoid", allowLocal: true });
  const lines = guide.split("\n").filter((line) => line.startsWith("curl "));
  expect(lines).toHaveLength(5);
  // without the option it takes any free port
  for (const [start] of guide.matchAll(/^npx ringback serve.*$/gm)) expect(start).toContain(" --port 8080");
  let token = "";
  for (const line of lines) {
    const path = /http:\/\/127\.0\.0\.1:8080(\S+)/.exec(line)?.[1] ?? "";
    const json = /--json '(.*?)'/.exec(line)?.[1];
    const form = [...line.matchAll(/ -d (\S+)/g)].map(([, pair]) => pair).join("&");
    const body = json ?? form.replace("SECRET", sim.credentials.clientSecret);
    const headers: Record<string, string> = {
      "content-type": json === undefined ? "application/x-www-form-urlencoded" : "application/json",
    };
    if (line.includes("Bearer TOKEN")) headers.authorization = `Bearer ${token}`;
    const response = await fetch(url + path, body === "" ? { headers } : { method: "POST", headers, body });
    expect([line, response.ok]).toEqual([line, true]);
    const answer = (await response.json()) as { access_token?: string };
    token = answer.access_token ?? token;
  }
  expect(sim.webhooks.list()).toHaveLength(1);
});

test("docs/server.md lists every request of the control plane", async () => {
  const { url } = await served();
  const { message } = (await (await fetch(`${url}/_sim/nowhere`)).json()) as { message: string };
  const known = (message.split("there are: ")[1] ?? "").split(", ");
  const named = [...page.matchAll(/^\| `(?:GET|POST|DELETE) (\S+)` \|/gm)].map(([, path = ""]) =>
    path.replace(/\{\w+\}/, "*"),
  );
  expect([...new Set(named)].sort()).toEqual([...known].sort());
});
