import type { AgendaItem } from "../../engine/agenda.ts";
import type { ForkableMap } from "../../engine/collections.ts";
import { type DrawnMs, draw } from "../../engine/distributions.ts";
import { CommandError } from "../../engine/errors.ts";
import type { CallRecord, Party } from "../../records/call.ts";
import type { UserRecord } from "../../records/directory.ts";
import type {
  AnswerArguments,
  DeclineArguments,
  HangupArguments,
  LeaveVoicemailArguments,
} from "../calls/commands.ts";
import type { Ring } from "../calls/live-call.ts";
import { connectionOf, partyById, ringingEndpoints } from "../calls/parties.ts";
import type { Platform } from "../platform.ts";
import type { BehaveArguments, CallerBehaviourMs, UserBehaviourMs } from "./schema.ts";

/** What an outside caller will do, drawn when the call begins, so that nothing that happens to it shifts later draws. */
export interface CallerPlan {
  readonly patienceMs: number | null;
  readonly talkMs: number | null;
  readonly voicemail: "hangUp" | { readonly durationMs: number; readonly transcript?: string } | null;
}

/** Something that a simulated person will do: a command, which follows from the state and so is in no journal. */
type Act =
  | { readonly command: "answer"; readonly args: AnswerArguments }
  | { readonly command: "decline"; readonly args: DeclineArguments }
  | { readonly command: "hangup"; readonly args: HangupArguments }
  | { readonly command: "leaveVoicemail"; readonly args: LeaveVoicemailArguments };

/** An act that is scheduled, as the agenda holds it. */
interface Scheduled {
  readonly key: string;
  readonly act: Act;
}

const ACT = "behaviour.act";

const talkKey = (partyId: string) => `talk:${partyId}`;
const patienceKey = (callId: string) => `patience:${callId}`;
const voicemailKey = (partyId: string) => `voicemail:${partyId}`;

export interface BehavioursState {
  /** By user; who is not here leaves everything to commands. */
  readonly users: ForkableMap<string, UserBehaviourMs>;
  /** What is scheduled, by what would make it impossible: a ring, a connection, a call. */
  readonly due: Map<string, { readonly serial: number; readonly by: string }>;
}

/**
 * People who act by themselves. An act is scheduled when what it counts from happens, and called off when it is no longer
 * possible. Each person draws from streams of their own, so that what one does never shifts what another draws.
 */
export class Behaviours {
  constructor(
    private readonly platform: Platform,
    private readonly state: BehavioursState,
  ) {}

  /** The handlers of what this schedules. */
  readonly tasks = { [ACT]: (item: AgendaItem) => this.act(item) };

  forkState(): BehavioursState {
    return { users: this.state.users.fork(), due: new Map(this.state.due) };
  }

  /**
   * Replaces a user's behaviour: it counts from their next ring, answer or leaving a call on; what they would have done by
   * the old one is called off.
   * @throws {CommandError} `not_found` for an unknown user or endpoint
   */
  behave({ user: who, behaviour }: BehaveArguments): void {
    const user = this.platform.directory.user(who);
    checkEndpoint(user, behaviour);
    for (const [key, { by }] of this.state.due) if (by === user.id) this.callOff(key);
    if (Object.keys(behaviour).length > 0) this.state.users.set(user.id, behaviour);
    else this.state.users.delete(user.id);
  }

  /** Draws what a caller will do. @param who names their streams */
  plan(behaviour: CallerBehaviourMs, who: string): CallerPlan {
    const { patience, talk, voicemail } = behaviour;
    const drawn = (from: DrawnMs | undefined, what: string) =>
      from === undefined ? null : this.draw(from, `${who}: ${what}`);
    return {
      patienceMs: drawn(patience, "patience"),
      talkMs: drawn(talk, "talk"),
      voicemail:
        voicemail === undefined || voicemail === "hangUp"
          ? (voicemail ?? null)
          : { ...voicemail, durationMs: this.draw(voicemail.duration, `${who}: voicemail`) },
    };
  }

  /** A duration from a stream of its own, ms. */
  draw(from: DrawnMs, purpose: string): number {
    return draw(from, () => this.platform.engine.randomness.uniform(purpose));
  }

  /** A call with a plan began: its caller will give up some time. */
  began(callId: string): void {
    const patienceMs = this.platform.live.mustGet(callId).plan?.patienceMs ?? null;
    if (patienceMs === null) return;
    const act: Act = { command: "hangup", args: { call: callId, by: "caller" } };
    this.schedule(patienceMs, "caller: gives up", patienceKey(callId), "caller", act);
  }

  /** Someone began to ring. */
  rings({ key, callId, entryId }: Ring): void {
    const behaviour = this.state.users.get(entryId);
    if (behaviour === undefined) return;
    const { answer, decline } = behaviour;
    const args = { call: callId, by: entryId };
    const answerMs =
      answer === undefined || answer === "never" ? null : this.draw(answer.after, `user ${entryId}: answer`);
    const declineMs = decline === undefined ? null : this.draw(decline.after, `user ${entryId}: decline`);
    if (declineMs !== null && (answerMs === null || declineMs < answerMs))
      this.schedule(declineMs, "user: declines", key, entryId, { command: "decline", args });
    else if (answerMs !== null && answer !== undefined && answer !== "never") {
      const named = answer.endpoint === undefined ? args : { ...args, endpoint: answer.endpoint };
      this.schedule(answerMs, "user: answers", key, entryId, { command: "answer", args: named });
    }
  }

  /** They ring no longer. */
  ringOver({ key }: Ring): void {
    this.callOff(key);
  }

  /** The first answer: whoever dialled talks from here on. */
  answered(call: CallRecord): void {
    const { callerPartyId, plan } = this.platform.live.mustGet(call.id);
    const caller = partyById(call, callerPartyId);
    if (plan === null) {
      this.joined(call.id, caller);
      return;
    }
    this.callOff(patienceKey(call.id));
    if (plan.talkMs === null) return;
    const act: Act = { command: "hangup", args: { call: call.id, by: "caller" } };
    this.schedule(plan.talkMs, "caller: hangs up", talkKey(callerPartyId), "caller", act);
  }

  /** Someone talks from here on. */
  joined(callId: string, { id, entryId }: Party): void {
    const talk = entryId === undefined ? undefined : this.state.users.get(entryId)?.talk;
    if (entryId === undefined || talk === undefined) return;
    const act: Act = { command: "hangup", args: { call: callId, by: entryId } };
    this.schedule(this.draw(talk, `user ${entryId}: talk`), "user: hangs up", talkKey(id), entryId, act);
  }

  /** Someone is no longer on a call. */
  left({ id }: Party): void {
    if (this.state.due.size === 0) return;
    this.callOff(talkKey(id));
    this.callOff(voicemailKey(id));
  }

  /**
   * Voicemail took a call: nobody gives up any more, and a caller who has a message does not hang up before its end. A
   * caller who had left, so that a blind transfer brought somebody else here, does nothing.
   */
  inVoicemail(callId: string): void {
    const { callerPartyId, plan } = this.platform.live.mustGet(callId);
    if (plan === null) return;
    this.callOff(patienceKey(callId));
    const { voicemail } = plan;
    const isCallerThere =
      connectionOf(this.platform.tables.calls.mustGet(callId), callerPartyId) !== undefined;
    if (voicemail === null || !isCallerThere) return;
    this.callOff(talkKey(callerPartyId));
    if (voicemail === "hangUp") {
      const act: Act = { command: "hangup", args: { call: callId, by: "caller" } };
      this.schedule(0, "caller: hangs up", voicemailKey(callerPartyId), "caller", act);
      return;
    }
    const { durationMs, transcript } = voicemail;
    const args = { call: callId, duration: durationMs, ...(transcript === undefined ? {} : { transcript }) };
    const { voicemailGreeting } = this.platform.settings.timing;
    this.schedule(voicemailGreeting, "caller: leaves a message", voicemailKey(callerPartyId), "caller", {
      command: "leaveVoicemail",
      args,
    });
  }

  /** A caller in voicemail has a message: they leave no other. */
  spoke(callId: string): void {
    this.callOff(voicemailKey(this.platform.live.mustGet(callId).callerPartyId));
  }

  /** A call closed, after everybody left it. */
  closed(callId: string): void {
    if (this.state.due.size > 0) this.callOff(patienceKey(callId));
  }

  /** How long a user stays busy after the call that they leave now. */
  wrapUpMs(userId: string): number {
    const wrapUp = this.state.users.get(userId)?.wrapUp;
    return wrapUp === undefined ? 0 : this.draw(wrapUp, `user ${userId}: wrapUp`);
  }

  /** What an item of the agenda has someone do, if it is an act. */
  actOf(item: AgendaItem): Act | undefined {
    if (item.task !== ACT) return undefined;
    const { act } = item.data as Scheduled;
    return act.command === "answer" ? { command: "answer", args: this.answerArguments(act.args) } : act;
  }

  /** Without the endpoint, if it no longer rings: they answer on another. */
  private answerArguments(args: AnswerArguments): AnswerArguments {
    const { live, tables } = this.platform;
    const { call, by, endpoint } = args;
    const ring = live.ringsOf(by).find((each) => each.callId === call);
    const ringing =
      ring === undefined ? [] : ringingEndpoints(partyById(tables.calls.mustGet(call), ring.partyId));
    return endpoint === undefined || ringing.includes(endpoint) ? args : { call, by };
  }

  private act(item: AgendaItem): void {
    const { calls } = this.platform;
    this.state.due.delete((item.data as Scheduled).key);
    const act = this.actOf(item);
    if (act?.command === "answer") calls.answer(act.args);
    else if (act?.command === "decline") calls.decline(act.args);
    else if (act?.command === "hangup") calls.hangup(act.args);
    else if (act?.command === "leaveVoicemail") calls.leaveVoicemail(act.args);
  }

  private schedule(delayMs: number, purpose: string, key: string, by: string, act: Act): void {
    const scheduled: Scheduled = { key, act };
    const serial = this.platform.engine.schedule(delayMs, ACT, act.args.call, purpose, scheduled);
    this.state.due.set(key, { serial, by });
  }

  private callOff(key: string): void {
    const due = this.state.due.get(key);
    if (due === undefined) return;
    this.state.due.delete(key);
    this.platform.engine.cancel(due.serial);
  }
}

function checkEndpoint(user: UserRecord, { answer }: UserBehaviourMs): void {
  if (answer === undefined || answer === "never" || answer.endpoint === undefined) return;
  const known = user.endpoints.map(({ id }) => id);
  if (!known.includes(answer.endpoint))
    throw new CommandError(
      "not_found",
      `behave: ${user.id} has no endpoint "${answer.endpoint}"; known: ${known.join(", ") || "none"}`,
    );
}
