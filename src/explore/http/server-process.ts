import { readErrorMessage } from "../../core/foundation/errors.ts";
import type { WorldTime } from "../sandbox/virtual-clock.ts";
import type { VirtualTimer } from "../sandbox/virtual-timers.ts";
import type { NodeProcess } from "./node-process.ts";
import type { ProcessQuestion, ProcessReply, TimerChange } from "./process-messages.ts";

/** The process of a server in one world: its timers run in the world's time. */
export class ServerProcess {
  private readonly timers = new Map<number, VirtualTimer>();

  constructor(
    private readonly process: NodeProcess,
    /** Undefined where the world has the real clock. */
    private readonly time: WorldTime | undefined,
    /** The world's time, ms since the epoch. */
    private readonly now: () => number,
    /** Called with what the process begins by a timer. */
    private readonly begins: (work: Promise<unknown>) => void,
  ) {}

  /** What the report says of it. */
  get notes(): readonly string[] {
    const { urls, program } = this.process;
    const { command, port } = program;
    if (urls.length < 2 || port !== undefined) return [];
    return [
      `\`${command}\` takes HTTP at ${urls.length} ports: the one that it opens first was asked, and no other. \`--server http://127.0.0.1:3000\` (\`url\`) names another`,
    ];
  }

  /** Its timers are gone with it. */
  forget(): void {
    for (const timer of this.timers.values()) timer.close();
    this.timers.clear();
  }

  /** Lets its clock go on with the world's. */
  async tell(): Promise<void> {
    if (this.now() !== this.process.toldMs) await this.ask({});
  }

  /** Asks whether it still runs. @returns how it ended, as the end of a sentence; nothing if it runs */
  async howItEnded(): Promise<string> {
    try {
      await this.ask({});
      return "";
    } catch (error) {
      return `: ${readErrorMessage(error)}`;
    }
  }

  /**
   * Waits until it can do nothing more by itself, and sets its timers in the world.
   * @param unanswered how many requests to it have no answer yet
   * @returns how many answers it waits for; undefined if a request or an answer is on its way
   */
  async isIdle(unanswered: () => number): Promise<{ readonly waiting: number } | undefined> {
    const reply = await this.ask({ isIdleAwaited: true });
    return reply.unanswered === unanswered() ? { waiting: reply.waiting } : undefined;
  }

  /** Each reply has the timers that it has set since the one before. */
  private async ask(question: Pick<ProcessQuestion, "fire" | "isIdleAwaited">): Promise<ProcessReply> {
    const reply = await this.process.ask({ ...question, nowMs: this.now() });
    for (const change of reply.timers) this.take(change);
    return reply;
  }

  private take(change: TimerChange): void {
    if ("ref" in change) {
      const timer = this.timers.get(change.ref);
      if (change.isRef) timer?.ref();
      else timer?.unref();
      return;
    }
    const number = "set" in change ? change.set : change.clear;
    this.timers.get(number)?.close();
    this.timers.delete(number);
    if ("clear" in change) return;
    const fire = () => {
      if (!change.repeats) this.timers.delete(number);
      this.begins(this.ask({ fire: number }));
    };
    const timer = this.time?.timers.start(fire, change.ms, change.repeats);
    if (timer === undefined) return;
    if (!change.isRef) timer.unref();
    this.timers.set(number, timer);
  }
}
