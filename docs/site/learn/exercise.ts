import worker from "built:worker";
import { WorkerClient } from "../../../src/inspector/view/common/client.ts";
import { thrownText } from "../../../src/inspector/view/common/format.ts";
import type { CodeEditor } from "../../../src/inspector/view/playground/any-editor.ts";
import { createCodeEditor } from "../../../src/inspector/view/playground/code-editor.ts";
import { writeVerdict } from "../../../src/inspector/view/state/verdict-words.ts";
import type {
  PlayResult,
  RunChunk,
  TextProblem,
  WorkerMessage,
} from "../../../src/inspector/worker/protocol.ts";
import { followTheme, shownTheme } from "../../../src/look/theme.ts";
import { type ShownRow, shownRow } from "../../learn/shown-row.ts";
import { element, rowList } from "./rows.ts";

/** The script that a lesson's page loads when somebody makes its exercise: the playground's editor and simulator. */

/** How long after the last key the script is played, ms. */
const PAUSE_MS = 300;

type Summary = Extract<WorkerMessage, { is: "summary" }>["summary"];

class Exercise {
  private readonly editor: CodeEditor;
  private readonly client: WorkerClient;
  private readonly summaries = new Map<number, Summary>();
  private readonly rows = new Map<number, ShownRow[]>();
  private text: string;
  private timer = 0;
  private plays = 0;

  /** @param expected what the run must have, which stands behind the script and is not shown */
  constructor(
    private readonly box: HTMLElement,
    script: string,
    private readonly expected: string,
  ) {
    this.text = script;
    this.client = new WorkerClient(worker, {
      summary: (run, summary) => this.summaries.set(run, summary),
      chunk: (run, { rows }: RunChunk) => {
        this.rows.set(run, [...(this.rows.get(run) ?? []), ...rows.map(shownRow)]);
      },
      progress: () => {},
      died: () => {},
    });
    const holder = element("div", "holder");
    box.querySelector("pre")?.replaceWith(holder);
    this.editor = createCodeEditor(holder, script, {
      changed: (text) => this.edit(text),
      moveStep: (problem) => void this.moveStep(problem),
    });
    const again = element("button", "copy", "Begin again");
    again.addEventListener("click", () => {
      this.editor.setText(script);
      this.edit(script);
    });
    box.querySelector("figcaption")?.append(again);
    box.querySelector(".copy")?.replaceWith(again);
    this.editor.setTheme(shownTheme());
    followTheme((theme) => this.editor.setTheme(theme));
    document.querySelector("#theme")?.addEventListener("click", () => this.editor.setTheme(shownTheme()));
    this.say("", "Change the script: it is played as you type.");
  }

  private edit(text: string): void {
    this.text = text;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.play(), PAUSE_MS);
  }

  /** Moves a step that stands behind another list to the steps. */
  private async moveStep({ path }: TextProblem): Promise<void> {
    const moved = await this.client.ask("stepMoved", { text: this.text, path });
    if (moved === undefined) return;
    this.editor.setText(moved);
    this.edit(moved);
  }

  private async play(): Promise<void> {
    this.plays += 1;
    const [number, text] = [this.plays, this.text];
    try {
      const played = await this.client.ask("play", {
        text: `${text.trimEnd()}\n${this.expected}`,
        organisations: {},
      });
      if (number === this.plays) this.show(text, played);
      if (played.run === undefined) return;
      this.summaries.delete(played.run);
      this.rows.delete(played.run);
      await this.client.ask("close", { run: played.run });
    } catch (error) {
      this.say("no", `The script was not played: ${thrownText(error)}`);
    }
  }

  private show(text: string, { run, problems, mismatches }: PlayResult): void {
    this.editor.setProblems(problems, []);
    const summary = run === undefined ? undefined : this.summaries.get(run);
    // what is expected stands in lines that are not shown
    const differences = mismatches.map((each) => ({ ...each, line: undefined }));
    const about = {
      text,
      checkedText: text,
      isBehind: false,
      problems,
      mismatches: differences,
      expects: true,
    };
    const verdict = writeVerdict({ ...about, run: summary && { summary } }, "The exercise");
    this.say(verdict.kind === "expected" ? "ok" : "no", verdict.text, verdict.title);
    if (run === undefined) return;
    const heading = element("h3", "", "What happens with your change");
    this.find(".played").replaceChildren(heading, rowList(this.rows.get(run) ?? []));
    if (verdict.kind === "expected") this.solve();
  }

  private say(kind: "" | "ok" | "no", text: string, title = ""): void {
    const box = element("div", `marking ${kind}`);
    if (title !== "") box.append(element("b", "", title), " ");
    box.append(text);
    this.find(".said").replaceChildren(box);
  }

  /** Shows the way on. */
  private solve(): void {
    const next = document.querySelector<HTMLAnchorElement>(".turn [rel=next]");
    document.querySelector(".path li:last-child")?.classList.add("done");
    if (next === null) return;
    const link = element("a", "", `Next, lesson ${next.dataset.place}`) as HTMLAnchorElement;
    link.href = next.href;
    this.find(".said .marking").append(" ", link);
  }

  private find(selector: string): HTMLElement {
    const found = this.box.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`the exercise has no ${selector}`);
    return found;
  }
}

const box = document.querySelector<HTMLElement>("#exercise");
const data = document.querySelector("#task");
if (box !== null && data !== null) {
  const { script, expect } = JSON.parse(data.textContent ?? "") as { script: string; expect: string };
  new Exercise(box, script, expect);
}
