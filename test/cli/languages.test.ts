import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isWhole, someOf } from "../counts.ts";
import { folderWith, freePort, projectWith, ringbackEnds, ringbackProcess, root } from "./support.ts";

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
  "a JDK": succeeds("javac", "--version"),
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

  testWith("pytest", "has a test that fails in pytest when the app forgets the call", () => {
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

/** What learners write into a starter, by language. */
interface Written {
  readonly tool: keyof typeof installed;
  readonly language: "Python" | "Go" | "Java";
  readonly file: string;
  readonly command: readonly string[];
  /** The place of the learner's code, up to the answer. */
  readonly place: RegExp;
  readonly logs: string;
  readonly logsOnce: string;
  /** Shows what the REST API says of people. */
  readonly asks: string;
  /** What stores the log in a file, written after what logs once. */
  readonly stores: string;
  /** Where the log is read again, and emptied. */
  readonly starts: readonly (readonly [before: string, after: string])[];
}

/** `java` optimises and collects garbage in threads of its own: for a few requests that is most of its time. */
const quickJava = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
const goLog = "log = append(log, call{event.Data.Call.ID})";
const javaCall = 'Map.of("callId", Json.get(event, "data", "call", "id"))';
const starters: readonly Written[] = [
  {
    tool: "Python 3",
    language: "Python",
    file: "receiver.py",
    command: ["python3", "receiver.py"],
    place: / {4}if event\["type"\][\s\S]*?(?= {4}return 204)/,
    logs: `    call = {"callId": event["data"]["call"]["id"]}
    shown["log"].append(call)
`,
    logsOnce: `    call = {"callId": event["data"]["call"]["id"]}
    if call not in shown["log"]:
        shown["log"].append(call)
`,
    asks: `    shown["board"] = {"people": {user["id"]: user["availability"]["status"] for user in ask("/users")["users"]}}
`,
    stores: `    with open("log.json", "w") as file:
        json.dump(shown["log"], file)
`,
    starts: [
      ["    shown.update", '    open("log.json", "w").write("[]")\n    shown.update'],
      [
        'if __name__ == "__main__":\n',
        'if __name__ == "__main__":\n    if os.path.exists("log.json"):\n        shown["log"] = json.load(open("log.json"))\n',
      ],
    ],
  },
  {
    tool: "Go",
    language: "Go",
    file: "receiver.go",
    command: ["go", "run", "receiver.go"],
    place: /\tswitch event.Type[\s\S]*?(?=\treturn 204)/,
    logs: `\t${goLog}\n`,
    logsOnce: `\tisNew := true
\tfor _, each := range log {
\t\tisNew = isNew && each.CallID != event.Data.Call.ID
\t}
\tif isNew {
\t\t${goLog}
\t}
`,
    asks: `\tvar users struct {
\t\tUsers []struct {
\t\t\tID           string
\t\t\tAvailability struct{ Status string }
\t\t}
\t}
\tif ask("/users", &users) != nil {
\t\treturn 500
\t}
\tpeople := map[string]string{}
\tfor _, user := range users.Users {
\t\tpeople[user.ID] = user.Availability.Status
\t}
\tboard["people"] = people
`,
    stores: '\tstored, _ := json.Marshal(log)\n\tos.WriteFile("log.json", stored, 0o600)\n',
    starts: [
      ["func reset() {\n", 'func reset() {\n\tos.Remove("log.json")\n'],
      [
        "func main() {\n\treset()\n",
        'func main() {\n\tstored, _ := os.ReadFile("log.json")\n\tjson.Unmarshal(stored, &log)\n',
      ],
    ],
  },
  {
    tool: "a JDK",
    language: "Java",
    file: "Receiver.java",
    command: ["java", ...quickJava, "Receiver.java"],
    place: / {8}switch \(Json\.get\(event, "type"\)[\s\S]*?(?= {8}return 204)/,
    logs: `        log.add(${javaCall});\n`,
    logsOnce: `        if (!log.contains(${javaCall})) log.add(${javaCall});\n`,
    asks: `        var people = new HashMap<String, Object>();
        for (Object user : (List<?>) Json.get(ask("/users"), "users"))
            people.put(Json.get(user, "id").toString(), Json.get(user, "availability", "status"));
        board.put("people", people);
`,
    stores: `        Files.writeString(Path.of("log.json"), Json.write(log));\n`,
    starts: [
      ["static void reset() {\n", 'static void reset() {\n        new File("log.json").delete();\n'],
      [
        'System.setProperty("sun',
        'if (Files.exists(Path.of("log.json"))) log.addAll((List<?>) Json.read(Files.readString(Path.of("log.json"))));\n        System.setProperty("sun',
      ],
    ],
  },
];

describe.each(starters)("The starter of the challenges in $language", (starter) => {
  const { tool, language, file, command, place, logs, logsOnce, asks, stores, starts } = starter;
  const text = readFileSync(join(root, "docs/examples/challenges", file), "utf8");

  /** The starter with what a learner writes. */
  function written(code: string): string {
    const handled = text.replace(place, () => code);
    expect(handled).not.toBe(text);
    return handled;
  }

  /** Starts a command that lasts, and ends it with all that it started when the test is over. */
  function started(cwd: string, name: string, args: readonly string[]) {
    const child = spawn(name, args, { cwd, detached: true, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void process.kill(-(child.pid ?? 0)));
    return child;
  }

  /** Judges an app. Returns the exit code and what was printed. */
  async function judged(number: number, receiver: string) {
    const [name = "", ...args] = command;
    const child = started(folderWith({ [file]: receiver }), name, [...args, "0"]);
    // a destroyed pipe would end it when it writes again
    for await (const said of child.stdout.iterator({ destroyOnReturn: false })) {
      const [url = ""] = /http\S+/.exec(String(said)) ?? [];
      return ringbackEnds("challenge", `${number}`, "--server", url);
    }
    throw new Error("the app said nothing");
  }

  // the smallest world is looked for, which takes many requests
  if (language === "Python" || isWhole)
    testWith(tool, "fails challenge 2 when it logs whatever arrives", async () => {
      const { code, out } = await judged(2, written(logs));
      expect(code).toBe(1);
      // a call with a message has two events
      expect(out).toContain(
        "call.ended of call-1 arrives; you answer 204, and your log is wrong: call-1 is logged twice",
      );
    });

  // to pass challenge 6 it logs each call once too
  if (isWhole)
    testWith(tool, "passes challenge 2 when it logs each call once", async () => {
      expect(await judged(2, written(logsOnce))).toMatchObject({ code: 0, err: "" });
    });

  testWith(tool, "passes challenge 5 when it asks the REST API", async () => {
    expect(await judged(5, written(asks))).toMatchObject({ code: 0, err: "" });
  });

  const passesChallenge6 = async () => {
    const storing = starts.reduce(
      (all, [before, after]) => {
        expect(all.includes(before)).toBe(true);
        return all.replace(before, () => after);
      },
      written(`${logsOnce}${stores}`),
    );
    const folder = folderWith({ [file]: storing });
    const port = await freePort();
    // a shell starts it again whenever it ends, as the challenge says
    started(folder, "sh", ["-c", `while sleep 0.1; do ${command.join(" ")} ${port}; done`]);
    const url = `http://127.0.0.1:${port}`;
    await vi.waitUntil(() => answers(url), { timeout: 60_000, interval: 50 });
    const restart = `kill $(cat ${folder}/receiver.pid); sleep 0.3`;
    const run = ["challenge", "6", "--server", url, "--restart", restart] as const;
    expect(await ringbackProcess(...run, { RINGBACK_RESULTS: "off" })).toMatchObject({ code: 0, err: "" });
  };
  // each start compiles Go and Java anew
  if (language === "Python" || isWhole)
    testWith(tool, "passes challenge 6 when it stores its log in a file", passesChallenge6);
});

/**
 * Wrong apps in Python: what replaces a text of the starter, and what is said of it. `challenge.test.ts` has an app that forgets
 * nothing, and one that refuses what the platform sends.
 */
const wrongInPython = [
  [
    "fails with a KeyError",
    "        pass  # your code",
    '        shown["log"].append({"callId": event["data"]["call"]["answered_at"]})  # your code',
    "At 1:00.000 call.ended of call-1 arrives; you give no answer, and your app closes the connection",
  ],
  [
    "has a typo in the path",
    'path == "hooks"',
    'path == "hook"',
    "At 0:00.000 call.started of call-1 arrives; you answer 404, and your app refuses what the platform sends",
  ],
  [
    "forgets nothing",
    "    shown.update(log=[], numbers=[], board={})",
    "    pass",
    "Your app does otherwise when a world begins anew",
  ],
  [
    "shows another shape",
    "self.answer(200, shown[path])",
    'self.answer(200, {"calls": shown[path]})',
    "At 0:00.000 call.started of call-1 arrives; you answer 204, and your log is wrong: what the app shows cannot be read",
  ],
] as const;

describe("A wrong app in Python", () => {
  for (const [title, before, after, sentence] of someOf(wrongInPython))
    testWith("Python 3", `that ${title} gets a true verdict`, async () => {
      const text = readFileSync(join(root, "docs/examples/challenges/receiver.py"), "utf8");
      const logs = 'shown["log"].append({"callId": event["data"]["call"]["id"]})\n        ';
      const right =
        title === "forgets nothing" ? text.replace("pass  # your code", `${logs}pass  # your code`) : text;
      const code = right.replace(before, () => after);
      expect(code).not.toBe(right);
      const folder = folderWith({ "receiver.py": code });
      const child = spawn("python3", ["receiver.py", "0"], {
        ...{ cwd: folder, stdio: ["ignore", "pipe", "ignore"] },
      });
      onTestFinished(() => void child.kill());
      for await (const said of child.stdout.iterator({ destroyOnReturn: false })) {
        const [url = ""] = /http\S+/.exec(String(said)) ?? [];
        const { code: exit, out } = await ringbackEnds("challenge", "1", "--server", url);
        expect(out).toContain(sentence);
        expect(exit).toBe(1);
        return;
      }
      throw new Error("the app said nothing");
    });
});

describe("The guide for Go", () => {
  const project = (program: string) =>
    projectWith({ "missed_calls_test.go": program, "go.mod": "module receiver\n\ngo 1.19\n" });

  testWith("Go", "has a test that passes in go test", () => {
    expect(ran(project(ofGo), "go", "test", "-vet=all", "./...")).toMatch(/^ok\s+receiver/m);
  });

  testWith("Go", "has a test that fails in go test when the app forgets the call", () => {
    const forgetful = ofGo.replace(/^\tmissed = append.*\n/m, "");
    expect(() => ran(project(forgetful), "go", "test", "./...")).toThrow("--- FAIL: TestAMissedCallIsNoted");
  });
});

describe("The guide for Java", () => {
  const tested = (program: string) => {
    const folder = projectWith({ "MissedCallsTest.java": program });
    const path = junit.join(":");
    ran(
      folder,
      "javac",
      ...quickJava.map((flag) => `-J${flag}`),
      "-Xlint:all,-path",
      "-Werror",
      "-d",
      "classes",
      "-cp",
      path,
      "MissedCallsTest.java",
    );
    const runner = ["-cp", path, "org.junit.platform.console.ConsoleLauncher"];
    return ran(
      folder,
      "java",
      ...quickJava,
      ...runner,
      "-cp",
      "classes",
      "--scan-classpath",
      "--disable-banner",
    );
  };

  testWith("JUnit 5 (of Debian) and a JDK", "has a test that passes in JUnit", () => {
    expect(tested(ofJUnit)).toContain("1 tests successful");
  });

  testWith(
    "JUnit 5 (of Debian) and a JDK",
    "has a test that fails in JUnit when the app forgets the call",
    () => {
      const forgetful = ofJUnit.replace(/^ +received\.add.*\n/m, "");
      expect(() => tested(forgetful)).toThrow("1 tests failed");
    },
  );
});
