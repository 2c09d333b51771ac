/** A chapter of the course. */
export interface Chapter {
  readonly title: string;
  /** What its lessons are about, in a few words. */
  readonly about: string;
  /** The names of its lessons, in the order in which they are best taken. */
  readonly lessons: readonly string[];
}

/** The course. A lesson keeps the number that the command line knows it by, whichever chapter it is in. */
export const chapters: readonly Chapter[] = [
  {
    title: "Ringing",
    about: "Who rings, for how long, and who gets the call",
    lessons: [
      "first-endpoint-wins",
      "who-hangs-up-first",
      "nobody-answers",
      "declining",
      "the-caller-gives-up",
      "busy-on-a-call",
      "do-not-disturb",
      "two-calls-ring-one-user",
      "a-device",
      "logging-out",
      "suspended-mid-ring",
      "an-entry-of-a-trunk",
      "a-caller-who-withholds-the-number",
    ],
  },
  {
    title: "Teams",
    about: "Tiers, queues, priorities, and what happens when nobody answers",
    lessons: [
      "the-second-tier-rings-after-twenty-seconds",
      "an-answered-team-call",
      "waiting-for-a-free-member",
      "a-better-priority-goes-first",
      "the-next-team-and-then-voicemail",
      "every-member-declines",
      "a-team-that-nobody-answers",
      "an-outside-number-answers-for-a-team",
      "wrap-up-keeps-a-member-busy",
      "an-agent-asks-for-more-time",
    ],
  },
  {
    title: "Voicemail and hours",
    about: "Messages, greetings, recordings, and calls outside working hours",
    lessons: [
      "leaving-a-voicemail",
      "no-message-left",
      "a-suspended-user",
      "what-follows-on-a-recorded-call",
      "a-voicemail-for-a-colleague",
      "working-hours-follow-the-clock-change",
      "a-call-out-of-hours",
    ],
  },
  {
    title: "Transfers, calling out",
    about: "Calls that move from one person to the next, and calls that your users begin",
    lessons: [
      "moving-between-endpoints",
      "an-outbound-call-that-is-answered",
      "an-outbound-call-that-nobody-takes",
      "a-missed-call-is-called-back",
      "a-colleague-is-called-by-extension",
      "a-warm-transfer",
      "a-blind-transfer-to-voicemail",
      "a-semi-attended-transfer",
    ],
  },
  {
    title: "Other applications",
    about: "Data actions, dial links, contacts, and menus in front of a call",
    lessons: [
      "passthrough-parameters",
      "an-unanswered-redirected-call-returns",
      "a-redirected-call-sent-to-voicemail",
      "a-flow-takes-a-return-back",
      "a-parent-call-is-redirected-twice",
      "a-dial-link",
      "a-data-action-blocks-a-call",
      "a-data-action-renames-a-team",
      "a-slow-data-action-has-said-nothing",
      "cards-about-the-caller",
      "notes-and-contacts-after-a-call",
      "a-contact-uploaded-between-two-calls",
    ],
  },
  {
    title: "Conversations",
    about: "SMS, groups and WhatsApp: who writes, who reads, and when it is over",
    lessons: [
      "a-conversation-goes-quiet",
      "every-update-restarts-the-close-timer",
      "a-group-begins-a-second-later",
      "a-message-that-nobody-can-answer",
      "a-message-marked-as-read",
      "pictures-by-whatsapp",
      "the-owner-first-then-who-is-named",
      "sharing-a-contact",
      "the-passthrough-parameters-of-a-conversation",
      "a-data-action-gives-a-conversation-its-timer",
    ],
  },
  {
    title: "Webhooks",
    about: "Attempts, time limits, and when the platform gives up",
    lessons: [
      "a-retry-that-succeeds",
      "a-bad-request-is-never-retried",
      "five-seconds-to-answer",
      "ten-attempts-in-a-day",
      "a-disabled-webhook-returns",
    ],
  },
  {
    title: "Failure",
    about: "Events that come twice, too late, or never",
    lessons: [
      "an-event-arrives-twice",
      "events-overtake-each-other",
      "a-lost-call-ended",
      "a-message-while-the-crm-is-down",
    ],
  },
  {
    title: "Scripts of your own",
    about: "People and callers who act by themselves, and steps that follow what happens",
    lessons: [
      "simulated-people-act-by-themselves",
      "traffic-begins-calls-by-itself",
      "a-script-that-follows-what-happens",
    ],
  },
];

/** The anchor of a chapter on the page of the course. */
export function chapterAnchor(chapter: Chapter): string {
  return `chapter-${chapters.indexOf(chapter) + 1}`;
}
