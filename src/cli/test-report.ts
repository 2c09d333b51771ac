import { appendFileSync } from "node:fs";
import { ownVersion } from "./version.ts";

/** The formats of other test runners. */
export const reportFormats = ["junit", "ctrf"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export function isReportFormat(format: string | undefined): format is ReportFormat {
  return reportFormats.some((each) => each === format);
}

/** One scenario that was played, or one property that was explored. */
export interface Test {
  readonly name: string;
  /** The file that a failure is shown at. */
  readonly path: string;
  readonly line?: number | undefined;
  /** `error`: it could not be played at all. */
  readonly status: "passed" | "failed" | "error";
  /** What is wrong; empty if nothing is. */
  readonly problems: readonly string[];
  /** The command that shows the failure again. */
  readonly replay?: string | undefined;
}

/** The tests of a command, and their results. */
export interface TestReport {
  /** The command that tested, such as `ringback run`. */
  readonly suite: string;
  readonly tests: readonly Test[];
}

/** Writes a report in a format that CI systems and dashboards read. */
export function testReport(report: TestReport, format: ReportFormat): string {
  return format === "junit" ? junit(report) : ctrf(report);
}

const countTests = ({ tests }: TestReport, status: Test["status"]) =>
  tests.filter((each) => each.status === status).length;

/** JUnit's XML, as its surefire schema has it. Virtual time is not the time that a test took, so that is left out. */
function junit(report: TestReport): string {
  const { suite, tests } = report;
  const counts = `tests="${tests.length}" failures="${countTests(report, "failed")}" errors="${countTests(report, "error")}"`;
  const cases = tests.map((test) => {
    const { name, path, status } = test;
    const head = `    <testcase name="${escapeXml(name)}" classname="${escapeXml(path)}" file="${escapeXml(path)}"${test.line === undefined ? "" : ` line="${test.line}"`} time="0"`;
    if (status === "passed") return `${head}/>\n`;
    const element = status === "failed" ? "failure" : "error";
    const text = escapeXml(textOf(test));
    return `${head}>\n      <${element} message="${escapeXml(firstLine(test))}">${text}</${element}>\n    </testcase>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${escapeXml(suite)}" ${counts} time="0">
  <testsuite name="${escapeXml(suite)}" ${counts} skipped="0" time="0">
${cases.join("")}  </testsuite>
</testsuites>
`;
}

/** Common Test Report Format, https://ctrf.io. */
function ctrf(report: TestReport): string {
  const { suite, tests } = report;
  const results = tests.map((test) => {
    const { name, path, line, status, replay } = test;
    return {
      name,
      status: status === "passed" ? "passed" : "failed",
      duration: 0,
      suite: [suite],
      filePath: path,
      ...(line === undefined ? {} : { line }),
      ...(status === "passed" ? {} : { message: firstLine(test), trace: textOf(test) }),
      ...(status === "error" ? { rawStatus: "error" } : {}),
      ...(replay === undefined ? {} : { extra: { replay } }),
    };
  });
  const passed = countTests(report, "passed");
  const document = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    results: {
      tool: { name: "ringback", version: ownVersion() },
      summary: {
        ...{ tests: tests.length, passed, failed: tests.length - passed },
        ...{ pending: 0, skipped: 0, other: 0, start: 0, stop: 0 },
      },
      tests: results,
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function textOf({ problems, replay }: Test): string {
  const isSaid = replay === undefined || problems.some((problem) => problem.includes(replay));
  return [...problems, ...(isSaid ? [] : [`again: ${replay}`])].join("\n\n");
}

function firstLine({ problems }: Test): string {
  return problems[0]?.split("\n", 1)[0] ?? "";
}

/** Escapes text for XML, which cannot have most control characters at all. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}

/**
 * In a job of GitHub Actions, marks each failure at its file, and adds a table to the summary of the job.
 * @param write where annotations go; GitHub reads both streams
 */
export function reportToGithub(
  report: TestReport,
  write: (text: string) => void,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  if (env.GITHUB_ACTIONS !== "true") return;
  for (const test of report.tests) {
    if (test.status === "passed") continue;
    const line = test.line === undefined ? "" : `,line=${test.line}`;
    const title = escapeProperty(`${report.suite}: ${test.name}`);
    write(`::error file=${escapeProperty(test.path)}${line},title=${title}::${escapeData(textOf(test))}\n`);
  }
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, summary(report));
}

/** Escapes the message of a workflow command. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Escapes a parameter of a workflow command. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** How many failures a summary shows whole. GitHub refuses one of more than 1 MB. */
const SHOWN = 20;
const LONGEST = 10_000;

function summary(report: TestReport): string {
  const wrong = report.tests.filter(({ status }) => status !== "passed");
  const more = wrong.length > SHOWN ? `\nand ${wrong.length - SHOWN} more\n` : "";
  const details = wrong.slice(0, SHOWN).map((test) => {
    const text = textOf(test).slice(0, LONGEST).replaceAll("```", "'''");
    return `\n**${escapeMarkdown(test.name)}** (${escapeMarkdown(test.path)})\n\n\`\`\`text\n${text}\n\`\`\`\n`;
  });
  return `### ${report.suite}\n\n${report.tests.length - wrong.length} passed, ${wrong.length} failed\n${details.join("")}${more}`;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_<>|[\]]/g, (character) => `\\${character}`);
}
