import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { projectWith, root } from "./support.ts";

/** Runs the programs of the guides for other languages, unchanged, where the tools of the language are installed. */

const programsIn = (language: string) =>
  [
    ...readFileSync(join(root, `docs/guides/${language}.md`), "utf8").matchAll(
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"),
    ),
  ].map(([, program = ""]) => program);

const [ofPytest = "", ofUnittest = ""] = programsIn("python");
const [ofGo = ""] = programsIn("go");
const [ofJUnit = ""] = programsIn("java");

/** JUnit with its runner and all that both need, as Debian's package `junit5` installs it. */
const junit = [
  ...["junit-platform-console", "junit-platform-launcher", "junit-platform-engine", "junit-platform-commons"],
  ...[
    "junit-platform-reporting",
    "junit-jupiter-engine",
    "junit-jupiter-api",
    "opentest4j",
    "apiguardian-api",
  ],
  ...["opentest4j-reporting-events", "opentest4j-reporting-schema", "picocli"],
].map((name) => `/usr/share/java/${name}.jar`);

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const installed = {
  "Python 3": succeeds("python3", "--version"),
  pytest: succeeds("python3", "-m", "pytest", "--version"),
  Go: succeeds("go", "version"),
  "JUnit 5 (of Debian) and a JDK": junit.every((path) => existsSync(path)) && succeeds("javac", "--version"),
};

/** A test that runs where a tool is installed; elsewhere its name says why it does not. */
function testWith(tool: keyof typeof installed, title: string, run: () => void | Promise<void>): void {
  const isThere = installed[tool];
  if (!isThere) process.stderr.write(`skipped: ${title}: ${tool} is not installed here\n`);
  test.skipIf(!isThere)(isThere ? title : `${title} (skipped: ${tool} is not installed here)`, run);
}

/** Runs a command in a project. Returns what it printed. */
function ran(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off" },
  });
  const said = `${stdout}${stderr}${error ?? ""}`;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${said}`);
  return said;
}

describe("The guide for Python", () => {
  testWith("pytest", "has a test that passes in pytest", () => {
    const folder = projectWith({ "test_missed_calls.py": ofPytest });
    expect(ran(folder, "python3", "-m", "pytest", "-p", "no:cacheprovider")).toContain("1 passed");
  });

  testWith("pytest", "has a test that fails in pytest when the receiver forgets the call", () => {
    const forgetful = ofPytest.replace(/^ +self\.missed\.append.*\n/m, "");
    const folder = projectWith({ "test_missed_calls.py": forgetful });
    expect(() => ran(folder, "python3", "-m", "pytest", "-p", "no:cacheprovider")).toThrow(
      "assert [] == ['+6421555001']",
    );
  });

  testWith("Python 3", "has a test that passes with the standard library alone", () => {
    const folder = projectWith({ "test_missed_calls.py": ofUnittest });
    // -S and -I leave out every installed package; the test is found by its path
    const program = "import sys, unittest; sys.path.insert(0, '.'); unittest.main('test_missed_calls')";
    expect(ran(folder, "python3", "-I", "-S", "-c", program)).toContain("Ran 1 test");
  });

  testWith("Python 3", "leaves no server behind when Python is killed", async () => {
    const folder = projectWith({
      "test_missed_calls.py": `${ofUnittest}

def killed():
    import os, signal
    test = MissedCalls()
    test.setUp()
    with urllib.request.urlopen(f"{test.url}/_sim/state") as answer:
        assert answer.status == 200
    with open("url", "w") as file:
        file.write(test.url)
    os.kill(os.getpid(), signal.SIGKILL)
`,
    });
    const killed = ["-B", "-c", "import test_missed_calls; test_missed_calls.killed()"];
    expect(spawnSync("python3", killed, { cwd: folder }).signal).toBe("SIGKILL");
    const url = readFileSync(join(folder, "url"), "utf8");
    const isRefused = () =>
      fetch(`${url}/_sim/state`).then(
        () => false,
        () => true,
      );
    await vi.waitUntil(isRefused, { timeout: 60_000, interval: 50 });
  });
});

describe("The guide for Go", () => {
  const project = (program: string) =>
    projectWith({ "missed_calls_test.go": program, "go.mod": "module receiver\n\ngo 1.19\n" });

  testWith("Go", "has a test that passes in go test", () => {
    expect(ran(project(ofGo), "go", "test", "-vet=all", "./...")).toMatch(/^ok\s+receiver/m);
  });

  testWith("Go", "has a test that fails in go test when the receiver forgets the call", () => {
    const forgetful = ofGo.replace(/^\tmissed = append.*\n/m, "");
    expect(() => ran(project(forgetful), "go", "test", "./...")).toThrow("--- FAIL: TestAMissedCallIsNoted");
  });
});

describe("The guide for Java", () => {
  const tested = (program: string) => {
    const folder = projectWith({ "MissedCallsTest.java": program });
    const path = junit.join(":");
    ran(folder, "javac", "-Xlint:all,-path", "-Werror", "-d", "classes", "-cp", path, "MissedCallsTest.java");
    const runner = ["-cp", path, "org.junit.platform.console.ConsoleLauncher"];
    return ran(folder, "java", ...runner, "-cp", "classes", "--scan-classpath", "--disable-banner");
  };

  testWith("JUnit 5 (of Debian) and a JDK", "has a test that passes in JUnit", () => {
    expect(tested(ofJUnit)).toContain("1 tests successful");
  });

  testWith(
    "JUnit 5 (of Debian) and a JDK",
    "has a test that fails in JUnit when the receiver forgets the call",
    () => {
      const forgetful = ofJUnit.replace(/^ +received\.add.*\n/m, "");
      expect(() => tested(forgetful)).toThrow("1 tests failed");
    },
  );
});
