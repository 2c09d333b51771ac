import type { AgendaItem } from "../../engine/agenda.ts";
import { ForkableMap } from "../../foundation/collections.ts";
import { type DrawnMs, draw } from "../../foundation/distributions.ts";
import { CommandError } from "../../foundation/errors.ts";
import type { Organisation } from "../../generated/inputs.ts";
import type { CallRecord, Party } from "../../records/call.ts";
import type { UserRecord } from "../../records/directory.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { Purpose } from "../base/timers.ts";
import { defineService, type Tasks } from "../declare/service.ts";
import type { Directory } from "../directory/directory.ts";
import type { CallerPlan, LiveCalls } from "../live/live-calls.ts";
import { findConnection, partyById, ringingEndpoints } from "../live/parties.ts";
import type { BehaveArguments, CallerBehaviourMs } from "../organisation/behaviour.ts";
import type { Ring } from "../parts/calls.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly live: LiveCalls;
}

/** A command with its arguments. */
type ActOf<Name extends "answer" | "decline" | "hangup" | "leaveVoicemail"> = {
  [N in Name]: { readonly command: N; readonly args: CommandInput<N> };
}[Name];

/** Something that a simulated person will do: a command. It follows from the state, so no journal has it. */
export type PersonAct = ActOf<"answer" | "decline" | "hangup" | "leaveVoicemail">;

/** A scheduled act, as the agenda holds it. */
interface Scheduled {
  readonly key: string;
  readonly act: PersonAct;
}

const ACT = "behaviour.act";

const ringKey = (ringId: string) => `ring:${ringId}`;
const talkKey = (partyId: string) => `talk:${partyId}`;
const patienceKey = (callId: string) => `patience:${callId}`;
const voicemailKey = (partyId: string) => `voicemail:${partyId}`;

export interface State {
  /** Behaviours by user or outside number. Whoever has none acts only by commands. */
  readonly users: ForkableMap<string, BehaveArguments["behaviour"]>;
  /** Scheduled acts, by the ring, connection or call that must still exist for them. */
  readonly due: Map<string, { readonly serial: number; readonly by: string }>;
}

/**
 * People who act by themselves. An act is scheduled when the event happens from which its delay counts, and cancelled
 * when it is no longer possible. Each person has own random streams, so that one person's acts never shift another's draws.
 */
export class ActingPeople {
  constructor(
    private readonly services: Needs,
    private readonly state: State,
  ) {}

  /** The handlers of its scheduled tasks. */
  static readonly tasks: Tasks<ActingPeople> = { [ACT]: (it, item) => it.act(item) };

  /** Sets the behaviours at the start of a run. */
  setBehaviours(users: Organisation["users"] = []): void {
    for (const { id, behaviour } of users) if (behaviour !== undefined) this.state.users.set(id, behaviour);
  }

  /**
   * Replaces the behaviour of a user or an outside number. It counts from their next ring, answer or end of a call; acts scheduled by the old
   * one are cancelled.
   * @throws {CommandError} `not_found` for an unknown user or endpoint
   */
  behave({ user: who, number, behaviour }: BehaveArguments): void {
    const id = number ?? this.userWithEndpoint(who ?? "", behaviour);
    for (const [key, { by }] of this.state.due) if (by === id) this.cancel(key);
    if (Object.keys(behaviour).length > 0) this.state.users.set(id, behaviour);
    else this.state.users.delete(id);
  }

  /** The id of a user, who must have the endpoint on which they are to answer. */
  private userWithEndpoint(who: string, behaviour: BehaveArguments["behaviour"]): string {
    const user = this.services.directory.user(who);
    checkEndpoint(user, behaviour);
    return user.id;
  }

  /** Draws what a caller will do. @param who names the caller's streams */
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

  /** Draws a duration from the stream of its purpose, ms. */
  draw(from: DrawnMs, purpose: string): number {
    return draw(from, () => this.services.engine.randomness.uniform(purpose));
  }

  /** Schedules when the caller of a new call gives up. */
  scheduleGivingUp(callId: string): void {
    const patienceMs = this.services.live.mustGet(callId).plan?.patienceMs ?? null;
    if (patienceMs === null) return;
    const act: PersonAct = { command: "hangup", args: { call: callId, by: "caller" } };
    this.schedule(patienceMs, "caller: gives up", patienceKey(callId), "caller", act);
  }

  /** Schedules the answer or the decline of someone who begins to ring. */
  scheduleAnswer({ id, callId, entryId }: Ring): void {
    const behaviour = this.state.users.get(entryId);
    if (behaviour === undefined) return;
    const { answer, decline } = behaviour;
    const args = { call: callId, by: entryId };
    const kind = kindOf(entryId);
    const answerMs =
      answer === undefined || answer === "never"
        ? null
        : this.draw(answer.after, `${kind} ${entryId}: answer`);
    const declineMs = decline === undefined ? null : this.draw(decline.after, `${kind} ${entryId}: decline`);
    if (decline !== undefined && declineMs !== null && (answerMs === null || declineMs < answerMs)) {
      const declining = decline.busy === true ? { ...args, busy: true } : args;
      this.schedule(declineMs, `${kind}: declines`, ringKey(id), entryId, {
        command: "decline",
        args: declining,
      });
    } else if (answerMs !== null && answer !== undefined && answer !== "never") {
      const named = answer.endpoint === undefined ? args : { ...args, endpoint: answer.endpoint };
      this.schedule(answerMs, `${kind}: answers`, ringKey(id), entryId, { command: "answer", args: named });
    }
  }

  /** Cancels the answer or the decline of someone who no longer rings. */
  cancelAnswer({ id }: Ring): void {
    if (this.state.due.size > 0) this.cancel(ringKey(id));
  }

  /** Schedules the caller's hang-up at the first answer. */
  scheduleCallerHangup(call: CallRecord): void {
    const { callerPartyId, plan } = this.services.live.mustGet(call.id);
    const caller = partyById(call, callerPartyId);
    if (plan === null) {
      this.scheduleHangup(call.id, caller);
      return;
    }
    this.cancel(patienceKey(call.id));
    if (plan.talkMs === null) return;
    const act: PersonAct = { command: "hangup", args: { call: call.id, by: "caller" } };
    this.schedule(plan.talkMs, "caller: hangs up", talkKey(callerPartyId), "caller", act);
  }

  /** Schedules the hang-up of someone who joined. */
  scheduleHangup(callId: string, { id, entryId, phoneNumber, dials }: Party): void {
    // an outside number that calls has the behaviour of its call
    const who = entryId ?? (dials.length > 0 ? phoneNumber : null);
    const talk = who === null ? undefined : this.state.users.get(who)?.talk;
    if (who === null || talk === undefined) return;
    const kind = kindOf(who);
    const act: PersonAct = { command: "hangup", args: { call: callId, by: who } };
    this.schedule(this.draw(talk, `${kind} ${who}: talk`), `${kind}: hangs up`, talkKey(id), who, act);
  }

  /** Cancels the hang-up of someone who left the call. */
  cancelHangup({ id }: Party): void {
    if (this.state.due.size === 0) return;
    this.cancel(talkKey(id));
    this.cancel(voicemailKey(id));
  }

  /**
   * Schedules what a caller in voicemail will do, in place of giving up. A caller with a message does not hang up before
   * its end. If the caller has left and a blind transfer brought someone else here, nothing is scheduled.
   */
  scheduleVoicemail(callId: string): void {
    const { callerPartyId, plan } = this.services.live.mustGet(callId);
    if (plan === null) return;
    this.cancel(patienceKey(callId));
    const { voicemail } = plan;
    const isCallerThere =
      findConnection(this.services.tables.calls.mustGet(callId), callerPartyId) !== undefined;
    if (voicemail === null || !isCallerThere) return;
    this.cancel(talkKey(callerPartyId));
    if (voicemail === "hangUp") {
      const act: PersonAct = { command: "hangup", args: { call: callId, by: "caller" } };
      this.schedule(0, "caller: hangs up", voicemailKey(callerPartyId), "caller", act);
      return;
    }
    const { durationMs, transcript } = voicemail;
    const args = { call: callId, duration: durationMs, ...(transcript === undefined ? {} : { transcript }) };
    const { voicemailGreeting } = this.services.settings.timing;
    this.schedule(voicemailGreeting, "caller: leaves a message", voicemailKey(callerPartyId), "caller", {
      command: "leaveVoicemail",
      args,
    });
  }

  /** Cancels the planned message of a caller who already leaves another. */
  cancelVoicemail(callId: string): void {
    this.cancel(voicemailKey(this.services.live.mustGet(callId).callerPartyId));
  }

  /** Cancels the giving up of a closed call's caller. */
  cancelGivingUp(callId: string): void {
    if (this.state.due.size > 0) this.cancel(patienceKey(callId));
  }

  /** Draws how long a user stays busy after leaving a call, ms. */
  drawWrapUpMs(userId: string): number {
    const wrapUp = this.state.users.get(userId)?.wrapUp;
    return wrapUp === undefined ? 0 : this.draw(wrapUp, `user ${userId}: wrapUp`);
  }

  /** The act that an agenda item will perform, if it is one. */
  actOf(item: AgendaItem): PersonAct | undefined {
    if (item.task !== ACT) return undefined;
    const { act } = item.data as Scheduled;
    return act.command === "answer" ? { command: "answer", args: this.answerArguments(act.args) } : act;
  }

  /** Drops the endpoint if it no longer rings, so that the user answers on another. */
  private answerArguments(args: CommandInput<"answer">): CommandInput<"answer"> {
    const { live, tables } = this.services;
    const { call, by, endpoint } = args;
    const ring = live.ringsOf(by).find((each) => each.callId === call);
    const ringing =
      ring === undefined ? [] : ringingEndpoints(partyById(tables.calls.mustGet(call), ring.partyId));
    return endpoint === undefined || ringing.includes(endpoint) ? args : { call, by };
  }

  private act(item: AgendaItem): void {
    this.state.due.delete((item.data as Scheduled).key);
    const act = this.actOf(item);
    if (act !== undefined) this.services.perform(act.command, act.args);
  }

  private schedule(delayMs: number, purpose: Purpose, key: string, by: string, act: PersonAct): void {
    const scheduled: Scheduled = { key, act };
    const serial = this.services.engine.schedule(delayMs, ACT, act.args.call, purpose, scheduled);
    this.state.due.set(key, { serial, by });
  }

  private cancel(key: string): void {
    const due = this.state.due.get(key);
    if (due === undefined) return;
    this.state.due.delete(key);
    this.services.engine.cancel(due.serial);
  }
}

/** Whether somebody who acts by themselves is a user or has an outside number. */
function kindOf(who: string): "user" | "callee" {
  return who.startsWith("+") ? "callee" : "user";
}

function checkEndpoint(user: UserRecord, { answer }: BehaveArguments["behaviour"]): void {
  if (answer === undefined || answer === "never" || answer.endpoint === undefined) return;
  const known = user.endpoints.map(({ id }) => id);
  if (!known.includes(answer.endpoint))
    throw new CommandError(
      "not_found",
      `behave: ${user.id} has no endpoint "${answer.endpoint}"; known: ${known.join(", ") || "none"}`,
    );
}

/** People who act by themselves. */
export const people = defineService({
  init: (): State => ({ users: new ForkableMap(), due: new Map() }),
  create: (services: Needs, state) => new ActingPeople(services, state),
  onStart: (it, organisation) => it.setBehaviours(organisation.users),
  tasks: ActingPeople.tasks,
});
