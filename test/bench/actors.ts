import { type Actor, type AnyStateMachine, createActor } from "xstate";
import { availabilityMachine, callMachine, ringMachine } from "../../machines/index.ts";
import { Agenda } from "../../src/core/engine/agenda.ts";

/**
 * The baseline: the states that a plain answered call goes through, as XState actors on a heap clock, with no records,
 * events, journal or ids. The difference is the cost of everything else that the simulator does.
 */
export class BareActors {
  private readonly agenda = new Agenda();
  private readonly callbacks = new Map<number, () => void>();
  private nowMs = 0;
  private readonly clock = {
    setTimeout: (callback: (...args: unknown[]) => void, delayMs: number) => {
      const dueMs = this.nowMs + delayMs;
      const serial = this.agenda.add({
        dueMs,
        task: "",
        recordId: "",
        purpose: "",
        data: null,
        isBackground: false,
        depth: 0,
      });
      this.callbacks.set(serial, callback);
      return serial;
    },
    clearTimeout: (serial: number) => {
      if (this.callbacks.delete(serial)) this.agenda.cancel(serial);
    },
  };
  private readonly availability = this.start(availabilityMachine, { isLoggedIn: true });

  /** Rings, is answered after 6 s, and is hung up a minute later. */
  call(): void {
    const call = this.start(callMachine, { caller: "caller" });
    call.send({ type: "OFFER" });
    const ring = this.start(ringMachine, { endpoints: ["mobile", "desktop"], timeoutMs: 30_000 });
    this.advance(6_000);
    ring.send({ type: "ANSWER", endpoint: "desktop" });
    call.send({ type: "ANSWER", party: "alice", endpoint: "desktop" });
    this.availability.send({ type: "JOIN_CALL", call: "call" });
    this.advance(60_000);
    call.send({ type: "HANGUP", party: "caller" });
    this.availability.send({ type: "LEAVE_CALL" });
  }

  private start<M extends AnyStateMachine>(machine: M, input: object): Actor<M> {
    return createActor(machine, { clock: this.clock, input } as never).start() as Actor<M>;
  }

  private advance(ms: number): void {
    const targetMs = this.nowMs + ms;
    for (
      let next = this.agenda.peek();
      next !== undefined && next.dueMs <= targetMs;
      next = this.agenda.peek()
    ) {
      this.agenda.take();
      this.nowMs = next.dueMs;
      this.callbacks.get(next.serial)?.();
      this.callbacks.delete(next.serial);
    }
    this.nowMs = targetMs;
  }
}
