import { chapterAnchor, chapters } from "../../learn/chapters.ts";
import { readStored, writeStored } from "./stored.ts";
import { forgetTries, hasTries } from "./tries.ts";

/** Which lessons are done. The browser remembers it; without its storage, this page does until it is left. */

const KEY = "ringback:lessons";

/** What a page needs to know of progress. */
export interface Progress {
  isDone(lesson: string): boolean;
  add(lesson: string): void;
}

/** Shows what is done on this page. */
export function showProgress(): Progress {
  const done = new Set(read());
  const progress = {
    isDone: (lesson: string) => done.has(lesson),
    add(lesson: string) {
      done.add(lesson);
      writeStored(KEY, [...done]);
      countChapters(done);
      colourDots(done);
    },
  };
  countChapters(done);
  colourDots(done);
  const course = document.querySelector<HTMLElement>(".course");
  if (course !== null) showCourse(course, done);
  return progress;
}

function read(): string[] {
  const known = readStored(KEY);
  return Array.isArray(known) ? known.filter((name) => typeof name === "string") : [];
}

/** Writes how much of each chapter is done beside its link in the list of pages. */
function countChapters(done: ReadonlySet<string>): void {
  for (const chapter of chapters) {
    const link = document.querySelector(`#sidebar a[href$="#${chapterAnchor(chapter)}"]`);
    if (link === null) continue;
    const count = chapter.lessons.filter(({ name }) => done.has(name)).length;
    const shown = link.querySelector("em") ?? link.appendChild(document.createElement("em"));
    shown.textContent = `${count}/${chapter.lessons.length}`;
  }
}

/** Colours the dashes of the lessons that are done. */
function colourDots(done: ReadonlySet<string>): void {
  for (const dash of document.querySelectorAll<HTMLElement>(".dots i"))
    dash.classList.toggle("done", done.has(dash.dataset.lesson ?? ""));
}

function showCourse(course: HTMLElement, done: Set<string>): void {
  const items = [...course.querySelectorAll<HTMLElement>(".taught li[data-lesson]")];
  const isDone = ({ dataset }: HTMLElement) => done.has(dataset.lesson ?? "");
  for (const item of [...course.querySelectorAll<HTMLElement>("li[data-lesson]")].filter(isDone)) {
    item.classList.add("done");
    const title = item.querySelector("small");
    if (title !== null) title.hidden = false;
    const said = item.querySelector(".said");
    if (said !== null) said.textContent = "done";
  }
  for (const chapter of course.querySelectorAll<HTMLDetailsElement>(".chapter")) {
    const own = [...chapter.querySelectorAll<HTMLElement>(".taught li[data-lesson]")];
    const count = own.filter(isDone).length;
    const shown = chapter.querySelector(".count b");
    if (shown !== null && count > 0) shown.textContent = count === own.length ? "all done" : `${count} done`;
    // a finished chapter folds, unless the address names it
    const isNamed = location.hash === `#${chapter.querySelector("h2")?.id}`;
    chapter.open = count < own.length || isNamed;
  }
  goOn(course, items, isDone);
  offerToForget(course, done);
}

/** Points to the first lesson after the last one that is done, or to the first that is not. */
function goOn(
  course: HTMLElement,
  items: readonly HTMLElement[],
  isDone: (item: HTMLElement) => boolean,
): void {
  const count = items.filter(isDone).length;
  if (count === 0) return;
  const last = items.findLastIndex(isDone);
  const next =
    items.find((item, index) => index > last && !isDone(item)) ?? items.find((item) => !isDone(item));
  const link = course.querySelector<HTMLAnchorElement>(".go-on");
  if (link === null) return;
  link.style.setProperty("--part", `${(100 * count) / items.length}`);
  const [small, question, button] = ["small", "b", ".primary"].map((part) => link.querySelector(part));
  if (!small || !question || !button) return;
  if (next === undefined) {
    small.textContent = `All ${items.length} lessons are done`;
    question.textContent = "Begin again with any lesson";
    button.remove();
    return;
  }
  next.classList.add("next");
  link.href = next.querySelector("a")?.href ?? link.href;
  const minutes = next.querySelector(".min")?.textContent?.replace("min", "minutes");
  small.textContent = `${count} of ${items.length} done. Go on with lesson ${next.querySelector(".no")?.textContent}, about ${minutes}`;
  question.textContent = next.querySelector(".q")?.firstChild?.textContent ?? "";
  button.textContent = "Go on";
}

function offerToForget(course: HTMLElement, done: Set<string>): void {
  const offer = course.querySelector<HTMLElement>(".forget");
  if (offer === null || (done.size === 0 && !hasTries())) return;
  offer.hidden = false;
  offer.querySelector("button")?.addEventListener("click", () => {
    writeStored(KEY, []);
    forgetTries();
    location.reload();
  });
}
