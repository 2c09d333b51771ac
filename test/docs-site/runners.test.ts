import { describe, expect, test } from "vitest";
import { commandForRunners, forRunners } from "../../docs/site/runners.ts";

describe("a program for each test runner", () => {
  const program = `import { createSimulator } from "ringback";
import "ringback/vitest";
import { expect, test } from "vitest";

test("a call", () => {
  expect(createSimulator()).toBeIdle();
});
`;

  test("imports test and expect as each runner provides them", () => {
    expect(forRunners("ts", program)).toEqual({
      vitest: program,
      jest: program.replace('"ringback/vitest"', '"ringback/jest"').replace(/^.*from "vitest";\n/m, ""),
      "node:test": `import { createSimulator } from "ringback";
import { matchers } from "ringback/jest";
import "ringback/node-test";
import { expect } from "expect";
import { test } from "node:test";

expect.extend(matchers);

test("a call", () => {
  expect(createSimulator()).toBeIdle();
});
`,
    });
  });

  test("has one version if it uses no runner, or features that only Vitest has", () => {
    expect(forRunners("ts", 'import { createSimulator } from "ringback";')).toBeUndefined();
    expect(forRunners("ts", program.replace("expect, test", "expect, test, vi"))).toBeUndefined();
    expect(forRunners("ts", program.replace("test(", "test.each([1])("))).toBeUndefined();
    expect(forRunners("yaml", "scenario: One call")).toBeUndefined();
  });

  test("has each runner's commands to install and to run it", () => {
    expect(forRunners("sh", "npm install --save-dev ringback vitest\n")).toMatchObject({
      jest: "npm install --save-dev ringback jest\n",
      "node:test": "npm install --save-dev ringback expect\n",
    });
    expect(forRunners("sh", "npx vitest run webhook\n")).toMatchObject({
      jest: "NODE_OPTIONS=--experimental-vm-modules npx jest webhook\n",
      "node:test": "node --test webhook.test.mjs\n",
    });
    expect(forRunners("sh", "npx ringback serve")).toBeUndefined();
  });

  test("has each runner's command within a sentence, for the file that the sentence names", () => {
    expect(commandForRunners("npx vitest run receiver", "ts")).toMatchObject({
      jest: "NODE_OPTIONS=--experimental-vm-modules npx jest receiver",
      "node:test": "npx tsx --test receiver.test.ts",
    });
    expect(commandForRunners("npm install --save-dev ringback vitest hono", "ts")).toMatchObject({
      "node:test": "npm install --save-dev ringback expect tsx hono",
    });
    expect(commandForRunners("RINGBACK_WORLD=x npx vitest run y", "ts")).toBeUndefined();
  });
});
