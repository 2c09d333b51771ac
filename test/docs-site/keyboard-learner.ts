import type { Page } from "playwright-core";
import { playLesson, readLessons } from "../../docs/learn/lessons.ts";
import { rightGuess } from "../learn/audit-marks.ts";

/** A learner who has only a keyboard. They reach everything by Tab, Enter and the arrow keys. */
export class KeyboardLearner {
  /** How many keys were pressed. */
  keys = 0;

  constructor(private readonly page: Page) {}

  async press(key: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.press(key);
  }

  /** Moves the focus by Tab to an element. @throws {Error} if none gets it */
  async reach(selector: string): Promise<void> {
    const isAt = () =>
      this.page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
    const isBefore = await this.page.evaluate((wanted) => {
      const to = document.querySelector(wanted);
      const at = document.activeElement;
      return to !== null && at !== null && (at.compareDocumentPosition(to) & 2) > 0;
    }, selector);
    for (let presses = 0; presses < 150; presses++) {
      if (await isAt()) return;
      await this.press(isBefore ? "Shift+Tab" : "Tab");
    }
    throw new Error(`no key leads to ${selector}`);
  }

  /** Answers the questions of the lesson whose page is open, and puts its cards. @returns what is said of them */
  async learn(number: string): Promise<string> {
    const lesson = readLessons().find((each) => each.number === number);
    if (lesson === undefined) throw new Error(`there is no lesson ${number}`);
    for (const [index, { right }] of lesson.scenario.questions.entries()) {
      await this.reach(`.quiz:has(#question-${index + 1}) .choices li:nth-child(${right + 1}) button`);
      await this.press("Enter");
    }
    const { prediction } = playLesson(lesson);
    let moment = prediction.shownMoments[0];
    for (const put of rightGuess(prediction)) {
      await this.reach(`.deck li[data-card="${put.card}"] button`);
      for (; moment < put.moment; moment++) await this.press("ArrowDown");
      await this.press("Enter");
    }
    await this.reach("#mark");
    await this.press("Enter");
    return this.page.locator("#verdict").innerText();
  }
}
