import { useEffect } from "preact/hooks";
import { followTheme, shownTheme, showTheme, switchTheme } from "../../../look/theme.ts";
import type { ListedFailure, PageData } from "../../data.ts";
import { counted } from "../common/format.ts";
import { Mark, MarkShapes } from "../common/marks.tsx";
import { Printed } from "../common/printed.tsx";
import { SiteHeader } from "../frame/header.tsx";

/** The list of all failures: those of the last run of the tests, and below them those of earlier ones. */
export function FailureList({ data: { failures = [] } }: { data: PageData }) {
  useEffect(() => {
    showTheme(shownTheme());
    followTheme(showTheme);
  }, []);
  const last = failures.filter(({ run }) => run === failures[0]?.run);
  const earlier = failures.filter((each) => !last.includes(each));
  return (
    <>
      <MarkShapes />
      <SiteHeader site={undefined} toggleTheme={() => switchTheme()} />
      <div class="failures">
        <main aria-label="Failures">
          <h1>{last.length === 0 ? "No failures" : `${counted(last.length, "failure")}`}</h1>
          <p class="muted">of the last run of the tests, the newest first</p>
          <List failures={last} />
          {earlier.length > 0 && (
            <details>
              <summary>{counted(earlier.length, "failure")} of earlier runs</summary>
              <List failures={earlier} />
            </details>
          )}
        </main>
      </div>
    </>
  );
}

function List({ failures }: { failures: readonly ListedFailure[] }) {
  return (
    <ol class="failure-list">
      {failures.map(({ title, file, problem, page, replay, atMs }) => (
        <li key={page}>
          <Mark name="failed" />
          <div>
            <a href={encodeURIComponent(page)}>{title}</a>
            <p class="muted">
              {file !== undefined && <span class="mono">{file.split(/[\\/]/).at(-1)}</span>}{" "}
              <time datetime={new Date(atMs).toISOString()}>{new Date(atMs).toLocaleTimeString()}</time>
            </p>
            <Printed>{withoutTitle(problem.split("\n\n")[0] ?? "", title)}</Printed>
            <code>{replay}</code>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A problem that begins with the title above it, as where a runner tells no test's name, without it. */
function withoutTitle(problem: string, title: string): string {
  const rest = problem.slice(title.length);
  // a title such as "call" ends inside a word of "call.started has 3 fields"
  return problem.startsWith(title) && /^([,:]|$)/.test(rest) ? rest.replace(/^[,:] */, "") : problem;
}
