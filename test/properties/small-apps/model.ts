import {
  type App,
  appOf,
  type Does,
  emptyStore,
  enter,
  isRight,
  type Program,
  type Routine,
} from "./program.ts";

/**
 * The platform, its network, a CRM and the process of an app as one small program, which shares nothing with the product: it plays
 * every world of calls that nobody answers, of which a webhook tells, by brute force.
 */

/** How long the platform waits for an answer, ms. */
const LIMIT_MS = 5_000;
/** When the platform sends an event, ms after the first time. */
const attemptsMs = Array.from({ length: 10 }, (_, index) =>
  Math.round((86_400_000 * (2 ** index - 1)) / 511),
);
/** How long a 429 holds, ms. */
const RATE_LIMIT_MS = 30_000;

/** What happens in a world: by the number of the place, one of its options. */
export type Plan = ReadonlyMap<number, string>;

const requestOptions = [
  ...["lost", "unanswered", "duplicated 0", "duplicated 1000", "late 1", "late 2", "late 3"],
  ...["refused", "rejected"],
];
const readOptions = ["503", "429", "slow 1000", "slow 10000", "tokenExpired", "refused"];
const crmOptions = ["refused", "outage", "503", "429", "slow 1000", "slow 10000"];
const restarts = ["restarted", "restartedAfter"];

/** How long an outage of the CRM lasts, ms. */
const OUTAGE_MS = 60_000;

type Asks = Extract<Does, { readonly does: "ask" }>;

interface Item {
  readonly atMs: number;
  /** At one instant the platform comes before the app's timers. */
  readonly rank: 0 | 1;
  serial: number;
  /** The request of an attempt that arrives. */
  readonly arrives?: Arrival;
  readonly isTimer?: boolean;
  run(): void;
}

/** A process of the app, which a restart ends. */
interface Life {
  isOver: boolean;
  readonly app: App;
  /** Called when it ends: who waits for its answers gets none. */
  readonly onEnd: (() => void)[];
}

interface Delivery {
  readonly call: string;
  readonly firstMs: number;
  /** How many attempts were made. */
  attempts: number;
}

interface Arrival {
  readonly call: string;
  readonly sentSerial: number;
  readonly restart: string | undefined;
  /** For a second arrival, the place that made it. */
  readonly twinOf?: number;
  /** Whether it could have come while the app was busy before. */
  isOffered: boolean;
  isHandled: boolean;
  /** What its sender hears; undefined is a broken connection. */
  answered(status: number | undefined): void;
  answer: { readonly status: number | undefined } | undefined;
  isArrived: boolean;
}

/** A request that is held until others have arrived. */
interface Held {
  left: number;
  readonly item: Item;
}

class World {
  /** What may happen at each place that it comes to. */
  readonly places: (readonly string[])[] = [];
  /** The places at which a second arrival may overlap its first, with the place that made it arrive twice. */
  readonly twins = new Map<number, number>();
  private nowMs = 0;
  private serials = 0;
  private agenda: Item[] = [];
  private ready: { readonly life: Life; readonly go: () => void }[] = [];
  private open: { readonly life: Life; readonly go: () => void }[] = [];
  private readonly held: Held[] = [];
  /** Until when the CRM refuses everything. */
  private downUntilMs = 0;
  /** The processes that end once they can do nothing more. */
  private readonly ending: Life[] = [];
  private readonly limitedUntilMs = new Map<string, number>();
  private readonly store = emptyStore();
  private life: Life;
  /** While it is built, nothing happens to what an app asks. */
  private isBuilding = false;

  constructor(
    private readonly program: Program,
    private readonly calls: readonly string[],
    private readonly plan: Plan,
  ) {
    this.life = this.begin();
  }

  /** Plays it to its end. @returns whether the app is right */
  play(): boolean {
    this.settle();
    for (const call of this.calls)
      this.at(30_000, 0, () => this.send({ call, firstMs: 30_000, attempts: 0 }), { isTimer: true });
    for (let item = this.next(); item !== undefined; item = this.next()) this.runItem(item);
    return isRight(this.program, this.store, this.calls);
  }

  private choose(options: readonly string[]): string | undefined {
    this.places.push(options);
    return this.plan.get(this.places.length - 1);
  }

  private at(delayMs: number, rank: 0 | 1, run: () => void, more: Partial<Item> = {}): Item {
    const item = { atMs: this.nowMs + delayMs, rank, serial: ++this.serials, run, ...more };
    this.agenda.push(item);
    return item;
  }

  private ties(): Item[] {
    const inOrder = (a: Item, b: Item) => a.atMs - b.atMs || a.rank - b.rank || a.serial - b.serial;
    this.agenda.sort(inOrder);
    const [first] = this.agenda;
    return this.agenda.filter(({ atMs, rank }) => atMs === first?.atMs && rank === first.rank);
  }

  private next(): Item | undefined {
    const [usual, ...others] = this.ties();
    const timers = others.filter(({ isTimer }) => isTimer);
    if (usual?.isTimer !== true || timers.length === 0) return usual;
    const chosen = this.choose(timers.map((_, index) => `timers ${index}`));
    return chosen === undefined ? usual : timers[Number(chosen.split(" ")[1])];
  }

  private runItem(item: Item): void {
    this.agenda.splice(this.agenda.indexOf(item), 1);
    this.nowMs = item.atMs;
    if (item.arrives === undefined) item.run();
    else this.arrive(item.arrives);
    this.settle();
  }

  // the platform

  private send(delivery: Delivery): void {
    const number = ++delivery.attempts;
    let isOver = false;
    const end = (isDone: boolean) => {
      if (isOver) return;
      isOver = true;
      const nextMs = attemptsMs[number];
      if (isDone || nextMs === undefined) return;
      const waitMs = Math.max(0, delivery.firstMs + nextMs - this.nowMs);
      this.at(waitMs, 0, () => this.send(delivery), { isTimer: true });
    };
    const chosen = this.choose(this.program.isDurable ? [...requestOptions, ...restarts] : requestOptions);
    const [is = "", by] = chosen?.split(" ") ?? [""];
    if (is === "refused" || is === "rejected") {
      this.at(0, 0, () => end(false));
      return;
    }
    const place = this.places.length - 1;
    if (is !== "lost") this.reach(delivery, is, Number(by), end, place);
    // after what arrives at the limit, which counts
    this.at(LIMIT_MS, 0, () => end(false));
  }

  /** Lets a request of the platform arrive. @param end called when its sender has an answer */
  private reach(
    delivery: Delivery,
    is: string,
    by: number,
    end: (isDone: boolean) => void,
    place: number,
  ): void {
    const sentMs = this.nowMs;
    const answered = (status: number | undefined) => {
      if (is === "unanswered") return;
      if (this.nowMs <= sentMs + LIMIT_MS) end(status !== undefined && status < 300);
    };
    const arrival = (): Arrival => ({
      ...{ call: delivery.call, sentSerial: ++this.serials, restart: restarts.find((each) => each === is) },
      ...{ isOffered: false, isHandled: false, answered, answer: undefined, isArrived: false },
    });
    const lands = (delayMs: number, arrives: Arrival) => this.at(delayMs, 0, () => {}, { arrives });
    const item = lands(is === "late" ? LIMIT_MS : 0, arrival());
    if (is === "late") this.held.push({ left: by, item });
    if (is === "duplicated")
      lands(by, { ...arrival(), answered: () => {}, ...(by === 0 && { twinOf: place }) });
  }

  /** A request reaches the app, unless it came while the app was busy. */
  private arrive(arrival: Arrival): void {
    this.handle(arrival);
    this.overlap();
    this.settle(() => arrival.answer !== undefined);
    arrival.isArrived = true;
    if (arrival.answer !== undefined) arrival.answered(arrival.answer.status);
    this.release(arrival);
    this.overlap();
  }

  /** What waited for this request comes next. */
  private release({ sentSerial }: Arrival): void {
    for (const held of [...this.held]) {
      if (!this.agenda.includes(held.item)) continue;
      if (sentSerial < (held.item.arrives?.sentSerial ?? 0) || --held.left > 0) continue;
      this.held.splice(this.held.indexOf(held), 1);
      this.agenda.splice(this.agenda.indexOf(held.item), 1);
      this.agenda.push({ ...held.item, atMs: this.nowMs, serial: -1 });
    }
  }

  /** Lets the next requests of this instant come while the app is busy. */
  private overlap(): void {
    for (;;) {
      const next = this.ties().find(({ arrives }) => arrives?.isHandled !== true);
      if (next?.arrives === undefined || next.atMs !== this.nowMs || next.arrives.isOffered) return;
      if (this.ready.length + this.ending.length + this.open.length === 0) return;
      next.arrives.isOffered = true;
      const { twinOf } = next.arrives;
      if (twinOf !== undefined) this.twins.set(this.places.length, twinOf);
      if (this.choose(["overlapping"]) === undefined) return;
      this.handle(next.arrives);
    }
  }

  private handle(arrival: Arrival): void {
    if (arrival.isHandled) return;
    arrival.isHandled = true;
    const { life } = this;
    const answer = (status: number | undefined) => {
      if (arrival.answer !== undefined) return;
      arrival.answer = { status };
      if (arrival.isArrived) arrival.answered(status);
    };
    life.onEnd.push(() => answer(undefined));
    this.go(life, life.app.take(arrival.call), (status) => {
      if (arrival.restart === undefined) answer(status);
      else if (arrival.restart === "restartedAfter") {
        answer(status);
        this.restart(life);
      } else this.restart(life);
    });
    if (arrival.restart !== "restarted") return;
    while (!life.isOver && this.ready.length > 0) this.ready.shift()?.go();
    this.restart(life);
  }

  // the process of the app

  private begin(): Life {
    const life: Life = { isOver: false, app: appOf(this.program, this.store), onEnd: [] };
    this.life = life;
    this.isBuilding = true;
    this.go(life, life.app.start(), () => {});
    this.isBuilding = false;
    return life;
  }

  private restart(life: Life): void {
    if (life.isOver) return;
    life.isOver = true;
    this.ready = this.ready.filter((each) => each.life !== life);
    this.open = this.open.filter((each) => each.life !== life);
    if (!this.program.isDurable) throw new Error("what is not durable cannot restart");
    for (const end of life.onEnd) end();
    this.begin();
  }

  /** Runs a routine until it waits, and goes on when it has what it waits for. */
  private go<T>(life: Life, routine: Routine<T>, done: (result: T) => void, answer = false): void {
    for (let isOk = answer; ; isOk = false) {
      const step = routine.next(isOk);
      if (step.done === true) {
        done(step.value);
        return;
      }
      const on = (ok = false) => {
        if (!life.isOver) this.go(life, routine, done, ok);
      };
      const does = step.value;
      if (does.does === "begin") this.go(life, does.work, () => {});
      else {
        if (does.does === "turn") this.ready.push({ life, go: on });
        else if (does.does === "sleep") this.sleep(life, does.ms, on);
        else if (does.whom === "crm") this.askCrm(life, does, on);
        else this.ask(life, does, on);
        return;
      }
    }
  }

  private sleep(life: Life, ms: number, on: () => void): void {
    this.at(ms, 1, () => {
      if (life.isOver) return;
      if (this.program.isDurable && this.choose(["restarted"]) !== undefined) this.restart(life);
      else on();
    });
  }

  private ask(life: Life, { method, path }: Asks, on: (isOk: boolean) => void): void {
    const answer = (isOk: boolean) => void this.open.push({ life, go: () => on(isOk) });
    if (this.nowMs < (this.limitedUntilMs.get(path) ?? 0)) {
      answer(false);
      return;
    }
    const is = this.isBuilding ? undefined : this.choose(this.askOptions(method, readOptions));
    if (is === "429") this.limitedUntilMs.set(path, this.nowMs + RATE_LIMIT_MS);
    if (is === "restarted" || is === "restartedAfter") {
      this.ready.push({ life, go: () => this.restart(life) });
      return;
    }
    if (is?.startsWith("slow") === true) {
      this.at(Number(is.split(" ")[1]), 0, () => {
        if (!life.isOver) answer(true);
      });
      return;
    }
    answer(is === undefined);
  }

  /** The CRM does at once what it is asked, and answers in the next turn. */
  private askCrm(life: Life, { method, path }: Asks, on: (isOk: boolean) => void): void {
    const answer = (isOk: boolean) => void this.ready.push({ life, go: () => on(isOk) });
    if (!this.isBuilding && this.nowMs < this.downUntilMs) {
      answer(false);
      return;
    }
    const chosen = this.isBuilding ? undefined : this.choose(this.askOptions(method, crmOptions));
    const [is = "", by] = chosen?.split(" ") ?? [];
    if (is === "outage") this.downUntilMs = this.nowMs + OUTAGE_MS;
    if (is === "restarted") this.ending.push(life);
    else if (["refused", "outage", "503", "429"].includes(is)) answer(false);
    else {
      enter(this.store, method, path);
      if (is === "restartedAfter") this.ready.push({ life, go: () => this.ending.push(life) });
      else if (is === "slow") this.at(Number(by), 0, () => answer(true));
      else answer(is !== "unanswered");
    }
  }

  private askOptions(method: string, options: readonly string[]): readonly string[] {
    const isRead = method === "GET";
    return [
      ...options,
      ...(isRead ? [] : ["unanswered"]),
      ...(this.program.isDurable ? restarts.slice(0, isRead ? 1 : 2) : []),
    ];
  }

  /** Lets the app go on until it can do nothing more without time. @param isOver whether nobody waits for that */
  private settle(isOver = () => false): void {
    while (!isOver()) {
      const next = this.ready.shift() ?? this.nextEnd() ?? this.nextAnswer();
      if (next === undefined) return;
      next.go();
    }
  }

  private nextEnd() {
    const life = this.ending.shift();
    return life && { go: () => this.restart(life) };
  }

  private nextAnswer() {
    const [, ...others] = this.open;
    const chosen =
      others.length === 0 ? undefined : this.choose(others.map((_, index) => `answers ${index + 1}`));
    return this.open.splice(chosen === undefined ? 0 : Number(chosen.split(" ")[1]), 1)[0];
  }
}

/** A world in which the app is wrong: the kinds of what happens in it. */
export type Breaking = readonly string[];

/** Plays every world with so much that may happen. @returns those in which the app is wrong, those with less first */
export function breakingWorlds(
  program: Program,
  calls: readonly string[],
  { atMost, kinds }: { readonly atMost: number; readonly kinds?: readonly string[] | undefined },
): Breaking[] {
  const found: Breaking[] = [];
  const below = (plan: Plan, from: number): void => {
    const world = new World(program, calls, plan);
    const kindsOf = [...plan.values()].map((each) => each.split(" ", 1)[0] ?? "");
    if (!world.play()) found.push(kindsOf.sort());
    if (plan.size > atMost) return;
    // two arrivals that overlap count as one that comes twice
    const isFree = (index: number) => plan.size < atMost || world.twins.get(index) === from - 1;
    for (const [index, options] of world.places.entries())
      for (const option of index < from || !isFree(index) ? [] : options)
        if (kinds === undefined || kinds.includes(option.split(" ", 1)[0] ?? ""))
          below(new Map([...plan, [index, option]]), index + 1);
  };
  below(new Map(), 0);
  return found.sort((a, b) => a.length - b.length);
}
