/** The kinds of command errors. They are stable, so programs may rely on them. */
export type CommandErrorCode =
  | "busy"
  | "call_closed"
  | "conversation_closed"
  | "conflict"
  | "disposed"
  | "invalid_argument"
  | "not_connected"
  | "not_found"
  | "not_in_voicemail"
  | "not_ringing"
  | "not_allowed"
  | "unknown_number";

/** What a code of a `CommandError` means. */
interface CommandErrorWords {
  /** What is wrong, in words. */
  readonly means: string;
  /** What to do next. */
  readonly next: string;
  /** The code of the REST API's answer; null if no request meets it. */
  readonly rest: "bad_request" | "not_found" | "forbidden" | "conflict" | null;
}

/** What each code means. A code without a row does not compile. */
export const commandErrors: Readonly<Record<CommandErrorCode, CommandErrorWords>> = {
  busy: {
    means: "the user or device is on another call",
    next: "hang up that call first, or let someone else act",
    rest: "conflict",
  },
  call_closed: {
    means: "the call is over",
    next: "look at `call.record.outcome`; begin another call",
    rest: "conflict",
  },
  conflict: {
    means: "something with this id or name exists already",
    next: "choose another, or change the existing one",
    rest: "conflict",
  },
  conversation_closed: {
    means: "the conversation is closed",
    next: "send to its contact again: that begins another one",
    rest: "conflict",
  },
  disposed: {
    means: "`dispose()` has ended the simulator",
    next: "create another; if the test ended too early, look for a missing `await`",
    rest: null,
  },
  invalid_argument: {
    means: "an argument is wrong",
    next: "`details` names each wrong argument and what was expected",
    rest: "bad_request",
  },
  not_allowed: {
    means: "the state or the organisation does not allow it",
    next: "the message says what is allowed; switch a feature on in `organisation.features`",
    rest: "forbidden",
  },
  not_connected: {
    means: "the person is not on the call",
    next: "answer first; `call.record.connections` lists who is on the call",
    rest: "conflict",
  },
  not_found: {
    means: "nothing has this id, address or extension",
    next: "the message lists what exists; ids come from the organisation or from `list()`",
    rest: "not_found",
  },
  not_in_voicemail: {
    means: "the call is not at a voicemail's greeting or message",
    next: 'let it ring out first with `sim.advance("PT30S")`, and give the callee voicemail',
    rest: "conflict",
  },
  not_ringing: {
    means: "who should answer or decline is not ringing",
    next: "`call.ringing()` says who is; a command at the instant of a timeout comes after it",
    rest: "conflict",
  },
  unknown_number: {
    means: "nobody in the organisation has the number",
    next: "give it to someone in `organisation.numbers`",
    rest: "bad_request",
  },
};
