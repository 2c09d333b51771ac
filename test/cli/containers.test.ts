import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { freePort, root, servingBy, startProcess } from "./support.ts";

/**
 * The Dockerfile and the Compose file of docs/examples/container: their commands run here as they do in containers, with
 * other ports. Building the image needs Docker, which tests do not have.
 */

const folder = join(root, "docs/examples/container");
const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
const { services } = parse(readFileSync(join(folder, "compose.yaml"), "utf8"));

/** What follows an instruction of the last stage, in its JSON form. */
function instruction(name: string): string[] {
  const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
  const [, json = "null"] = new RegExp(`^${name}\\b.*?(\\[.*\\])$`, "m").exec(last) ?? [];
  return JSON.parse(json);
}

const withPort = (args: readonly string[], port: number) =>
  args.map((arg) => arg.replace("8080", String(port)));

/** How the image's health check ends. */
async function health(port: number): Promise<number> {
  const [node, ...args] = withPort(instruction("HEALTHCHECK"), port);
  expect(node).toBe("node");
  const [code] = await once(spawn(process.execPath, args), "exit");
  return code;
}

describe("The image", () => {
  test("has two stages, a user without rights, and the command as its entry point", () => {
    expect(dockerfile.match(/^FROM /gm)).toHaveLength(2);
    expect(dockerfile).toMatch(/^COPY --from=install \/ringback \.\/$/m);
    expect(dockerfile.indexOf("\nUSER node\n")).toBeLessThan(dockerfile.indexOf("\nENTRYPOINT "));
    expect(instruction("ENTRYPOINT")).toEqual(["/ringback/node_modules/.bin/ringback"]);
    const { version } = /^FROM node:(?<version>\d+)/m.exec(dockerfile)?.groups ?? {};
    expect(Number(version)).toBeGreaterThanOrEqual(20);
  });

  test("is healthy while its command serves, and only then", async () => {
    const port = await freePort();
    expect(await health(port)).toBe(1);
    const { child, closed } = await servingBy(startProcess(withPort(instruction("CMD"), port)));
    expect(await health(port)).toBe(0);
    child.kill("SIGTERM");
    await closed;
    expect(await health(port)).toBe(1);
  });
});

describe("The Compose file", () => {
  test("starts the image with what it takes, and an app once it is healthy", async () => {
    const { ringback, receiver } = services;
    expect(ringback).toMatchObject({ build: ".", ports: ["8080:8080"] });
    expect(receiver.depends_on).toEqual({ ringback: { condition: "service_healthy" } });
    expect(ringback.command.slice(-2)).toEqual(["--public-url", receiver.environment.RINGBACK_URL]);

    const [port, receiverPort] = [await freePort(), await freePort()];
    await servingBy(startProcess(withPort(ringback.command, port)));
    const url = `http://127.0.0.1:${port}`;
    const [program, path] = receiver.command;
    expect([program, receiver.volumes]).toEqual(["node", [`./receiver.mjs:${path}:ro`]]);
    const started = spawn(process.execPath, [join(folder, "receiver.mjs")], {
      env: {
        ...{ ...process.env, RINGBACK_URL: url, PORT: String(receiverPort) },
        RECEIVER_URL: receiver.environment.RECEIVER_URL.replace(/\/\/.*\//, `//127.0.0.1:${receiverPort}/`),
      },
    });
    onTestFinished(() => void started.kill("SIGKILL"));
    let printed = "";
    started.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    await expect.poll(() => printed).toBe("asked for missed calls: 200\n");

    const post = async (path: string, body: unknown) => {
      const headers = { "content-type": "application/json", authorization: "Bearer simulator" };
      const sent = { method: "POST", headers, body: JSON.stringify(body) };
      expect((await fetch(`${url}/_sim/${path}`, sent)).status).toBe(200);
    };
    // what docs/guides/containers.md does by curl
    const guide = readFileSync(join(root, "docs/guides/containers.md"), "utf8");
    const lines = [...guide.matchAll(/^curl .*--json '(.*)' http:\/\/127\.0\.0\.1:8080\/_sim\/(\S+)$/gm)];
    expect(lines).toHaveLength(2);
    for (const [, body = "", to = ""] of lines) await post(to, JSON.parse(body));
    await expect.poll(() => printed).toContain("missed: +6421555001\n");
  });
});
