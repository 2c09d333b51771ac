import { clock } from "../../../src/core/foundation/clock.ts";
import { type AlikeRun, type FirstDifference, markPrediction } from "../../learn/mark.ts";
import type { Prediction } from "../../learn/prediction.ts";
import type { ShownRow } from "../../learn/shown-row.ts";
import type { Progress } from "./progress.ts";
import { element, rowList } from "./rows.ts";
import { keepTries, triesOf } from "./tries.ts";

/** Lets the reader put the event cards of a lesson in order, each at its time, and marks the order. */

/** Gives the cards of a lesson's page their buttons. Does nothing on other pages. */
export function askForPrediction(progress: Progress): void {
  const lesson = document.querySelector<HTMLElement>(".lesson");
  const data = document.querySelector("#prediction");
  if (lesson === null || data === null) return;
  new Board(lesson, JSON.parse(data.textContent ?? "") as Prediction, progress).begin();
}

/** How many wrong orders are marked before the run opens by itself. */
const TRIES = 3;

/** The words of a place: `The third`. */
const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
const ordinal = (index: number) => ordinals[index] ?? `${index + 1}th`;

/** A card of the prediction: its place in the deck, and the place of its time. */
interface HeldCard {
  readonly place: number;
  readonly moment: number;
}

/** A time of the story, with the cards that were put there. */
interface MomentBox {
  readonly box: HTMLElement;
  /** Its words, a button that chooses it. */
  readonly when: HTMLButtonElement;
  readonly cards: HTMLElement;
}

class Board {
  /** The cards of the prediction, in order. */
  private guess: HeldCard[] = [];
  /** The place of the time at which the next card is put. */
  private moment = 0;
  private readonly boxes = new Map<number, MomentBox>();
  /** How many wrong orders were marked. */
  private tries = 0;
  /** The order that was marked last, as text. */
  private marked = "";
  private readonly deck: readonly HTMLElement[];

  constructor(
    private readonly lesson: HTMLElement,
    private readonly prediction: Prediction,
    private readonly progress: Progress,
  ) {
    this.deck = [...lesson.querySelectorAll<HTMLElement>(".deck li")];
  }

  begin(): void {
    for (const each of this.lesson.querySelectorAll<HTMLElement>(".with-script, .mine")) each.hidden = false;
    for (const [place, item] of this.deck.entries()) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "choose";
      button.append(...item.childNodes);
      // a click that a key makes has no detail; after a tap the page must not scroll to the next card
      button.addEventListener("click", ({ detail }) => {
        this.put(place);
        if (detail === 0) this.focusNext(place);
      });
      button.addEventListener("keydown", (event) => this.onArrow(event, this.moment));
      item.append(button);
    }
    this.makeMoments();
    this.find("#mark").addEventListener("click", () => this.mark());
    this.find("#again").addEventListener("click", () => {
      this.guess = [];
      this.moment = this.prediction.shownMoments[0];
      this.show();
    });
    const run = this.find("#run") as HTMLDetailsElement;
    run.addEventListener("toggle", () => {
      if (run.open) this.finish();
    });
    if (this.progress.isDone(this.name)) this.showTitle();
    const { wrong, guess, moments } = triesOf(this.name);
    this.tries = wrong;
    const [first] = this.prediction.shownMoments;
    this.guess = guess
      .map((place, at) => ({ place, moment: moments[at] ?? first }))
      .filter(({ place, moment }) => this.deck[place] !== undefined && this.boxes.has(moment));
    this.moment = this.guess.at(-1)?.moment ?? first;
    this.marked = wrong > 0 ? JSON.stringify(this.guess) : "";
    this.allowDragging();
    this.show();
  }

  private get name(): string {
    return this.lesson.dataset.lesson ?? "";
  }

  private find(selector: string): HTMLElement {
    const found = this.lesson.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`the page of the lesson has no ${selector}`);
    return found;
  }

  /** Draws the times of the story, each a button that says where the next card goes. */
  private makeMoments(): void {
    const { moments, shownMoments } = this.prediction;
    const [first, last] = shownMoments;
    for (let place = first; place <= last; place++) {
      const { at, what } = moments[place] ?? { at: "", what: "" };
      const box = element("section", "moment");
      const when = element("button", "when") as HTMLButtonElement;
      when.type = "button";
      when.append(element("b", "", at), ` ${what}`);
      when.addEventListener("click", () => this.choose(place));
      when.addEventListener("keydown", (event) => {
        if (this.onArrow(event, place)) this.boxes.get(this.moment)?.when.focus();
      });
      const cards = element("ol", "guess");
      box.dataset.moment = String(place);
      if (first === last) {
        box.classList.add("only");
        cards.setAttribute("aria-label", "Your prediction");
      } else {
        cards.setAttribute("aria-label", `Your prediction, ${at} ${what}`);
        box.append(when);
      }
      box.append(cards);
      this.boxes.set(place, { box, when, cards });
    }
    this.find(".moments").replaceChildren(...[...this.boxes.values()].map(({ box }) => box));
  }

  /** Lets the next card go to the end of a time. The marks and the verdict stay. */
  private choose(moment: number): void {
    if (!this.boxes.has(moment)) return;
    this.moment = moment;
    this.showMoment();
    // on a phone a marked board has no deck
    this.find(".board").classList.remove("marked");
  }

  /** Chooses the time before or after one by an arrow key. @returns whether it is such a key */
  private onArrow(event: KeyboardEvent, from: number): boolean {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return false;
    event.preventDefault();
    this.choose(from + by);
    return true;
  }

  private showMoment(): void {
    for (const [moment, { box, when }] of this.boxes) {
      when.setAttribute("aria-pressed", String(moment === this.moment));
      if (moment === this.moment) box.append(this.find(".slot"));
    }
  }

  /** Where the cards of a time end in the prediction. */
  private endOf(moment: number): number {
    return this.guess.filter((each) => each.moment <= moment).length;
  }

  /** Puts a card of the deck at the end of a time of the prediction, or at a place of it. */
  private put(place: number, moment = this.moment, at = this.endOf(moment)): void {
    const { asked, given, cards } = this.prediction;
    const isFull = given + asked < cards.length && this.guess.length >= asked;
    if (isFull || this.guess.some((each) => each.place === place)) return;
    this.guess.splice(at, 0, { place, moment });
    this.moment = moment;
    this.show();
    // on a phone the prediction scrolls by itself
    const mine = this.find(".mine");
    const slot = this.find(".slot");
    mine.scrollTop = slot.hidden ? mine.scrollHeight : slot.offsetTop + slot.offsetHeight - mine.clientHeight;
  }

  /** Moves the focus to the next card of the deck, so that Enter can go on. */
  private focusNext(place: number): void {
    const left = this.deck.filter((item) => !item.hidden);
    const next = this.deck.slice(place).find((item) => !item.hidden) ?? left.at(-1);
    (next?.querySelector("button") ?? this.find("#mark")).focus();
  }

  /** Moves a card by one: past its neighbour, or, if it has none there, into the time before or after. */
  private move(at: number, by: 1 | -1): void {
    const card = this.guess[at];
    if (card === undefined || !this.canMove(at, by)) return;
    const neighbour = this.guess[at + by];
    const isPast = neighbour?.moment === card.moment;
    this.place(at, isPast ? card.moment : card.moment + by, isPast ? at + by : at);
  }

  private canMove(at: number, by: 1 | -1): boolean {
    const card = this.guess[at];
    return (
      card !== undefined && (this.guess[at + by]?.moment === card.moment || this.boxes.has(card.moment + by))
    );
  }

  /** Puts a card of the prediction elsewhere. @param to its place once it is taken out */
  private place(at: number, moment: number, to: number): void {
    const [card] = this.guess.splice(at, 1);
    if (card === undefined) return;
    this.guess.splice(to, 0, { ...card, moment });
    this.moment = moment;
    this.show();
    this.focusCard(to);
  }

  private takeBack(at: number): void {
    this.guess.splice(at, 1);
    this.show();
    if (this.guess.length > 0) this.focusCard(Math.min(at, this.guess.length - 1));
    else
      this.deck
        .find((item) => !item.hidden)
        ?.querySelector("button")
        ?.focus();
  }

  private focusCard(at: number): void {
    this.find(".moments").querySelectorAll<HTMLElement>(".held")[at]?.focus();
  }

  /** Draws the prediction and the deck, and removes the marks of an earlier prediction. */
  private show(): void {
    for (const [place, item] of this.deck.entries())
      item.hidden = this.guess.some((each) => each.place === place);
    const { asked, given, cards } = this.prediction;
    const isFull =
      this.guess.length === this.deck.length || (given + asked < cards.length && this.guess.length >= asked);
    for (const [moment, { cards: list }] of this.boxes) {
      const held = this.guess.flatMap((card, at) =>
        card.moment === moment ? [this.heldCard(card, at)] : [],
      );
      list.replaceChildren(...held);
      list.hidden = held.length === 0;
    }
    this.showMoment();
    this.find(".slot").hidden = isFull;
    (this.find("#mark") as HTMLButtonElement).disabled = this.guess.length === 0;
    (this.find("#again") as HTMLButtonElement).disabled = this.guess.length === 0;
    this.find(".board").classList.remove("marked");
    this.find("#verdict").replaceChildren();
    this.find("#would").replaceChildren();
  }

  private heldCard({ place }: HeldCard, at: number): HTMLElement {
    const item = element("li", "card");
    item.dataset.at = String(at);
    item.draggable = true;
    const held = element("button", "held");
    (held as HTMLButtonElement).type = "button";
    held.append(...cloned(this.deck[place]?.querySelector("button")));
    held.setAttribute("aria-keyshortcuts", "ArrowUp ArrowDown Delete");
    held.addEventListener("keydown", (event) => this.onKey(event, at));
    // Safari gives a button that is tapped no focus, and on a phone the focus shows the tools
    held.addEventListener("click", () => held.focus());
    const words = this.deck[place]?.textContent?.trim() ?? "";
    const small = (sign: string, does: string, act: () => void, isOff = false) => {
      const button = element("button", "small") as HTMLButtonElement;
      button.type = "button";
      button.textContent = sign;
      button.disabled = isOff;
      button.setAttribute("aria-label", `${does}: ${words}`);
      button.addEventListener("click", act);
      return button;
    };
    const tools = element("span", "tools");
    tools.append(
      small("↑", "Up", () => this.move(at, -1), !this.canMove(at, -1)),
      small("↓", "Down", () => this.move(at, 1), !this.canMove(at, 1)),
      small("×", "Take back", () => this.takeBack(at)),
    );
    item.append(held, tools);
    return item;
  }

  private onKey(event: KeyboardEvent, at: number): void {
    const acts: Readonly<Record<string, () => void>> = {
      ArrowUp: () => this.move(at, -1),
      ArrowDown: () => this.move(at, 1),
      Delete: () => this.takeBack(at),
      Backspace: () => this.takeBack(at),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  /** Cards can be dragged with a mouse too. */
  private allowDragging(): void {
    let from: { place: number; at: number | undefined } | undefined;
    const board = this.find(".board");
    for (const [place, item] of this.deck.entries()) {
      item.draggable = true;
      item.addEventListener("dragstart", () => {
        from = { place, at: undefined };
      });
    }
    board.addEventListener("dragstart", ({ target }) => {
      const at = (target as HTMLElement).dataset?.at;
      if (at !== undefined) from = { place: this.guess[Number(at)]?.place ?? -1, at: Number(at) };
    });
    board.addEventListener("dragover", (event) => {
      if (from !== undefined) event.preventDefault();
    });
    board.addEventListener("drop", (event) => {
      const target = event.target as HTMLElement;
      if (from === undefined) return;
      event.preventDefault();
      const over = target.closest<HTMLElement>("[data-at]")?.dataset.at;
      const isMine = target.closest(".mine") !== null;
      const moment = Number(target.closest<HTMLElement>("[data-moment]")?.dataset.moment ?? this.moment);
      const to = over === undefined ? this.endOf(moment) : Number(over);
      if (from.at === undefined) {
        if (isMine) this.put(from.place, moment, to);
      } else if (!isMine) this.takeBack(from.at);
      // over a card it takes the place of that card; at the end of a time it counts itself if it stands before
      else this.place(from.at, moment, over === undefined && from.at < to ? to - 1 : to);
      from = undefined;
    });
  }

  private mark(): void {
    const { deck } = this.prediction;
    const guessed = this.guess.map(({ place, moment }) => ({ card: deck[place] ?? -1, moment }));
    const difference = markPrediction(this.prediction, guessed);
    const order = JSON.stringify(this.guess);
    // an order that was marked already is no further try
    if (difference !== undefined && order !== this.marked) this.tries++;
    this.marked = order;
    this.show();
    keepTries(this.name, {
      wrong: this.tries,
      guess: this.guess.map(({ place }) => place),
      moments: this.guess.map(({ moment }) => moment),
    });
    // the run opens once the order is right, after the last try, or when the reader asks for it
    const isOver =
      difference === undefined || this.tries >= TRIES || (this.find("#run") as HTMLDetailsElement).open;
    this.markCards(difference);
    this.find("#verdict").replaceChildren(this.verdict(difference, isOver));
    this.find("#would").replaceChildren(
      ...(difference === undefined ? [] : this.comparison(difference, isOver)),
    );
    this.find(".board").classList.add("marked");
    if (isOver) (this.find("#run") as HTMLDetailsElement).open = true;
    this.find("#verdict").scrollIntoView({ block: "nearest" });
  }

  private markCards(difference: FirstDifference | undefined): void {
    const { given, times } = this.prediction;
    for (const [at, item] of [...this.find(".moments").querySelectorAll(".card")].entries()) {
      const isRight = difference === undefined || at < difference.at;
      const isWrong = at === difference?.at;
      item.classList.add(isRight ? "right" : isWrong ? "wrong" : "after");
      if (isRight) item.prepend(element("span", "at", times[given + at]));
      if (isRight || isWrong) item.append(element("em", "", isRight ? "right" : "first difference"));
    }
  }

  private verdict(difference: FirstDifference | undefined, isOver: boolean): HTMLElement {
    if (difference === undefined) {
      const box = element("div", "marking ok");
      const { webhook } = this.prediction;
      const said =
        webhook === undefined
          ? "Right: the run has these events, each at this time."
          : `Right: ${webhook.host} gets these requests, each at this time.`;
      box.append(element("b", "", said));
      return box;
    }
    const { at, guessed, right, comesAt, isOtherTime } = difference;
    const box = element("div", "marking no");
    const before =
      at === 0 ? "" : at === 1 ? "The first is right. " : `The first ${numberWord(at)} are right. `;
    const head =
      guessed === undefined
        ? `${before}More comes.`
        : right === undefined
          ? `${before}Nothing more comes.`
          : `${before}The ${ordinal(at)} differs.`;
    const sentences: (Node | string)[] = [];
    if (guessed !== undefined) sentences.push("You put ", this.cardName(guessed));
    else sentences.push("Your prediction ends here");
    if (!isOver) {
      if (isOtherTime) sentences.push(". It comes next, but not at this time");
      sentences.push(`. ${this.tries === 1 ? "Two more tries" : "One more try"}: then the run opens.`);
    } else if (right === undefined) sentences.push(", and the run ends here.");
    else if (isOtherTime)
      sentences.push(`. It comes next, but not at this time: it comes at ${this.time(at)}.`);
    else sentences.push(", and the run has ", this.cardName(right), ".");
    if (isOver && comesAt !== undefined && !isOtherTime)
      sentences.push(` Yours comes later, at ${this.time(comesAt)}.`);
    const text = element("p");
    text.append(...sentences);
    box.append(element("b", "", head), text);
    return box;
  }

  private time(at: number): string {
    return this.prediction.times[this.prediction.given + at] ?? "";
  }

  private cardName(number: number): HTMLElement {
    const { title, detail } = this.prediction.table[number] ?? { title: "", detail: "" };
    const name = element("span");
    name.append(element("code", "", title), ` ${detail}`.trimEnd());
    return name;
  }

  /** The run in which the guess would be right, beside the run that was. */
  private comparison(difference: FirstDifference, isOver: boolean): HTMLElement[] {
    const { rightPlace, nearRun, alikeRun, nearPlace } = difference;
    const { nearRuns, rows } = this.prediction;
    const was = runRows("What happened", rows, rightPlace);
    const near = nearRuns[nearRun ?? alikeRun?.run ?? -1];
    if (!isOver) {
      if (near === undefined) return [];
      return [element("p", "none", `${this.wouldBe(difference)} ${near.words}.`)];
    }
    if (near === undefined) {
      const box = element("div", "would one");
      box.append(was);
      if (nearRuns.length === 0) return [box];
      const others = nearRuns.length === 1 ? "one other run" : `${numberWord(nearRuns.length)} other runs`;
      const none = `This page has ${others} of this story. Your guess is right in none.`;
      return [element("p", "none", none), box];
    }
    const box = element("div", "would");
    const like = runRows(`${this.wouldBe(difference)} ${near.words}`, near.rows, nearPlace);
    if (alikeRun !== undefined) like.append(this.whatFollows(alikeRun));
    box.append(like, was);
    if (near.why === undefined) return [box];
    const why = element("p", "why");
    why.append(element("b", "", near.why.question), ` ${near.why.answer}`);
    return [why, box];
  }

  /** What is true of the guess in the run beside: all of it is right there, or only its first cards come. */
  private wouldBe({ alikeRun }: FirstDifference): string {
    if (alikeRun === undefined) return "Your guess would be right";
    return alikeRun.cards === 1
      ? "Your first would come"
      : `Your first ${numberWord(alikeRun.cards)} would come`;
  }

  /** How the run beside goes on where the guess does not. */
  private whatFollows({ next }: AlikeRun): HTMLElement {
    const text = element("p", "then");
    if (next === undefined) text.append("Then nothing more comes.");
    else text.append("Then comes ", this.cardName(next.card), `, at ${clock(next.atMs)}.`);
    return text;
  }

  private finish(): void {
    this.progress.add(this.name);
    this.showTitle();
    const summary = this.lesson.querySelector("#run > summary span");
    if (summary !== null) summary.textContent = "The run";
  }

  /** The title answers the question, so it comes below it once the lesson is done. */
  private showTitle(): void {
    if (this.lesson.querySelector(".answered") !== null) return;
    const title = this.lesson.querySelector("#run .title")?.lastChild?.textContent?.trim() ?? "";
    this.find("h1").after(element("p", "answered", title));
  }
}

/**
 * The rows of a run around a card: those before it, the card, and the one after it.
 * @param card its place in the run; undefined for the end of the run
 */
function runRows(heading: string, rows: readonly ShownRow[], card: number | undefined): HTMLElement {
  const box = element("section");
  box.append(element("h3", "", heading));
  const found = card === undefined ? -1 : rows.findIndex((row) => row.card === card);
  const to = found < 0 ? rows.length : found + 2;
  const shown = rows.slice(Math.max(0, to - 7), to);
  const list = rowList(shown, found < 0 ? undefined : rows[found]);
  if (card === undefined) {
    const end = element("li", "fork");
    end.append(element("span", "at"), element("span"), element("span", "words", "nothing more comes"));
    list.append(end);
  }
  box.append(list);
  return box;
}

function cloned(from: Element | null | undefined): Node[] {
  return [...(from?.childNodes ?? [])].map((node) => node.cloneNode(true));
}

const numberWords = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const numberWord = (count: number) => numberWords[count] ?? String(count);
