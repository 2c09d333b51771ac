import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { folderWith, freePort, projectWith, ringbackProcess, root } from "./support.ts";

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

/** Whether somebody answers at a URL. */
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

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
    await vi.waitUntil(async () => !(await answers(`${url}/_sim/state`)), { timeout: 60_000, interval: 50 });
  });
});

describe("The starter of the challenges in Python", () => {
  const starter = readFileSync(join(root, "docs/examples/challenges/receiver.py"), "utf8");
  const handled = (code: string) => starter.replace(/ {4}if event\["type"\][\s\S]*?(?= {4}return 204)/, code);
  const logging = `    call = {"callId": event["data"]["call"]["id"]}
    shown["log"].append(call)
`;
  const once = logging.replace("    shown", '    if call not in shown["log"]:\n        shown');
  const resyncing = `    shown["board"] = {"people": {user["id"]: user["availability"]["status"] for user in ask("/users")["users"]}}
`;

  /** Judges a receiver. Returns the exit code and what was printed. */
  async function judged(number: number, receiver: string) {
    const folder = folderWith({ "receiver.py": receiver });
    const child = spawn("python3", ["receiver.py", "0"], { cwd: folder });
    onTestFinished(() => void child.kill());
    // a destroyed pipe would end it when it writes again
    for await (const said of child.stdout.iterator({ destroyOnReturn: false })) {
      const [url = ""] = /http\S+/.exec(String(said)) ?? [];
      return ringbackProcess("challenge", `${number}`, "--server", url, { RINGBACK_RESULTS: "off" });
    }
    throw new Error("the receiver said nothing");
  }

  testWith("Python 3", "fails challenge 2 when it logs whatever arrives", async () => {
    const { code, out } = await judged(2, handled(logging));
    expect(code).toBe(1);
    expect(out).toContain(
      "comes again, as your answer of 1:00.000 is lost; you answer 204, and your log is wrong",
    );
  });

  testWith("Python 3", "passes challenge 2 when it logs each call once", async () => {
    expect(await judged(2, handled(once))).toMatchObject({ code: 0, err: "" });
  });

  testWith("Python 3", "passes challenge 5 when it asks the REST API", async () => {
    expect(await judged(5, handled(resyncing))).toMatchObject({ code: 0, err: "" });
  });

  testWith("Python 3", "passes challenge 6 when it stores its log in a file", async () => {
    const storing = handled(once)
      .replace(
        /( {4}return 204)/,
        '    with open("log.json", "w") as file:\n        json.dump(shown["log"], file)\n$1',
      )
      .replace("    shown.update", '    open("log.json", "w").write("[]")\n    shown.update')
      .replace(
        'if __name__ == "__main__":\n',
        'if __name__ == "__main__":\n    if os.path.exists("log.json"):\n        shown["log"] = json.load(open("log.json"))\n',
      );
    expect(await restarted(storing)).toMatchObject({ code: 0, err: "" });
  });

  /** Judges a receiver that a shell starts again whenever it ends, as the challenge says. */
  async function restarted(receiver: string) {
    const folder = folderWith({ "receiver.py": receiver });
    const port = await freePort();
    const child = spawn("sh", ["-c", `while sleep 0.1; do python3 receiver.py ${port}; done`], {
      ...{ cwd: folder, detached: true, stdio: "ignore" },
    });
    onTestFinished(() => void process.kill(-(child.pid ?? 0)));
    const url = `http://127.0.0.1:${port}`;
    await vi.waitUntil(() => answers(url), { timeout: 60_000, interval: 50 });
    const restart = `kill $(cat ${folder}/receiver.pid); sleep 0.3`;
    return ringbackProcess("challenge", "6", "--server", url, "--restart", restart, {
      RINGBACK_RESULTS: "off",
    });
  }
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
