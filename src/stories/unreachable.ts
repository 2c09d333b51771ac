/** Places of the machines that nothing can reach, with the reason: `machine: transition`. */
export const unreachable: Readonly<Record<string, string>> = {
  "availability: any state: LOG_OUT [isBusy]": "A user who is logged out is offline.",
  "availability: any state: LOG_OUT": "A user who is logged out is offline.",
  "availability: any state: DEACTIVATE [isBusy]": "A user who is suspended is offline.",
  "availability: any state: DEACTIVATE": "A user who is suspended is offline.",
  "availability: any state: HOURS_END": "A user whose hours end while they are available is offline then.",
  "availability: onCall: LOG_OUT": "An endpoint that is on a call cannot be unregistered.",
  "availability: onCall: LOG_IN": "A user on a call is logged in.",
  "call: offered: HANGUP [isCallerInside]":
    "An outbound call rings once it is allowed, and whoever dialled is on the bridge then.",
};
