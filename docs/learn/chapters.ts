/** A lesson of the course. */
export interface TaughtLesson {
  /** The number by which the command line and addresses know it, whatever its place in the course is. */
  readonly number: string;
  readonly name: string;
  /** What it has that no lesson before it has: steps, types of events, ends of calls, and ideas such as voicemail. */
  readonly introduces: readonly string[];
}

/** A chapter of the course. */
export interface Chapter {
  readonly title: string;
  /** What its lessons are about, in a few words. */
  readonly about: string;
  /** Its lessons, in order: each needs only what came before. */
  readonly lessons: readonly TaughtLesson[];
}

/** The course. */
export const chapters: readonly Chapter[] = [
  {
    title: "Ringing",
    about: "Who rings, for how long, and who gets the call",
    lessons: [
      {
        number: "01",
        name: "first-endpoint-wins",
        introduces: [
          "inbound",
          "answer",
          "hangup",
          "call.started",
          "call.answered",
          "user.availability.updated",
          "call.hungup",
          "call.ended",
          "busyOnACall",
          "answered",
        ],
      },
      { number: "02", name: "who-hangs-up-first", introduces: [] },
      { number: "03", name: "nobody-answers", introduces: ["call.not_answered", "missed", "timeout"] },
      { number: "07", name: "the-caller-gives-up", introduces: ["abandoned", "callerHungUp"] },
      { number: "10", name: "moving-between-endpoints", introduces: ["move"] },
    ],
  },
  {
    title: "Voicemail and hours",
    about: "Messages, and people who are busy, away or off duty",
    lessons: [
      { number: "05", name: "no-message-left", introduces: ["voicemail"] },
      {
        number: "04",
        name: "leaving-a-voicemail",
        introduces: [
          "leaveVoicemail",
          "call.recording.available",
          "call.transcript.created",
          "transcript.created",
          "call.transcription_completed",
        ],
      },
      { number: "06", name: "declining", introduces: ["decline", "declined"] },
      { number: "08", name: "busy-on-a-call", introduces: ["unavailable"] },
      { number: "09", name: "do-not-disturb", introduces: ["setAvailability", "doNotDisturb"] },
      { number: "36", name: "a-call-out-of-hours", introduces: ["outOfHours"] },
      {
        number: "29",
        name: "what-follows-on-a-recorded-call",
        introduces: ["content_analysis.completed", "call.tariffed"],
      },
    ],
  },
  {
    title: "Teams",
    about: "Who rings first, who waits, and what happens when nobody answers",
    lessons: [
      { number: "17", name: "an-answered-team-call", introduces: ["team.availability.updated", "team"] },
      { number: "16", name: "the-second-tier-rings-after-twenty-seconds", introduces: [] },
      { number: "18", name: "waiting-for-a-free-member", introduces: [] },
      { number: "20", name: "the-next-team-and-then-voicemail", introduces: [] },
      { number: "21", name: "every-member-declines", introduces: [] },
    ],
  },
  {
    title: "Transfers, calling out",
    about: "Calls that move from one person to the next, and calls that your users begin",
    lessons: [
      { number: "22", name: "an-outbound-call-that-is-answered", introduces: ["outbound"] },
      { number: "23", name: "an-outbound-call-that-nobody-takes", introduces: ["unanswered", "busy"] },
      { number: "24", name: "a-colleague-is-called-by-extension", introduces: ["internal"] },
      { number: "25", name: "a-warm-transfer", introduces: ["transfer"] },
      { number: "26", name: "a-blind-transfer-to-voicemail", introduces: [] },
    ],
  },
  {
    title: "Webhooks",
    about: "Attempts, time limits, and when the platform gives up",
    lessons: [
      {
        number: "56",
        name: "a-retry-that-succeeds",
        introduces: ["createWebhook", "fault", "webhook", "further attempt"],
      },
      { number: "57", name: "a-bad-request-is-never-retried", introduces: [] },
      { number: "58", name: "five-seconds-to-answer", introduces: ["route"] },
      { number: "59", name: "ten-attempts-in-a-day", introduces: [] },
      { number: "60", name: "a-disabled-webhook-returns", introduces: ["updateWebhook"] },
    ],
  },
  {
    title: "Failure",
    about: "Events that come twice, too late, or never",
    lessons: [
      { number: "61", name: "an-event-arrives-twice", introduces: ["conditions"] },
      { number: "62", name: "events-overtake-each-other", introduces: [] },
      { number: "63", name: "a-lost-call-ended", introduces: [] },
      { number: "65", name: "a-message-while-the-crm-is-down", introduces: [] },
    ],
  },
  {
    title: "Other applications",
    about: "Menus in front of a call, data actions, notes and contacts",
    lessons: [
      { number: "13", name: "passthrough-parameters", introduces: [] },
      { number: "27", name: "an-unanswered-redirected-call-returns", introduces: ["redirect"] },
      {
        number: "31",
        name: "a-data-action-blocks-a-call",
        introduces: ["blocked", "dataAction", "data action"],
      },
      {
        number: "34",
        name: "notes-and-contacts-after-a-call",
        introduces: [
          "note",
          "assignContact",
          "contact.shared",
          "call.contact_assigned_with_add",
          "call.contact_assigned_with_update",
        ],
      },
    ],
  },
  {
    title: "Conversations",
    about: "SMS and WhatsApp: who writes, who reads, and when it is over",
    lessons: [
      {
        number: "46",
        name: "a-conversation-goes-quiet",
        introduces: [
          "receiveMessage",
          "sendMessage",
          "conversation.message.created",
          "conversation.inactive",
        ],
      },
      {
        number: "47",
        name: "every-update-restarts-the-close-timer",
        introduces: [
          "sendConversationMessage",
          "assignConversationContact",
          "closeConversation",
          "conversation.contact_assigned",
          "conversation.closed",
        ],
      },
      { number: "49", name: "a-message-that-nobody-can-answer", introduces: [] },
      { number: "51", name: "pictures-by-whatsapp", introduces: [] },
    ],
  },
  {
    title: "Scripts of your own",
    about: "People and callers who act by themselves, and steps that follow what happens",
    lessons: [
      { number: "37", name: "simulated-people-act-by-themselves", introduces: ["behave"] },
      { number: "39", name: "traffic-begins-calls-by-itself", introduces: ["traffic"] },
      { number: "64", name: "a-script-that-follows-what-happens", introduces: ["on"] },
    ],
  },
];

/** The anchor of a chapter on the page of the course. */
export function chapterAnchor(chapter: Chapter): string {
  return `chapter-${chapters.indexOf(chapter) + 1}`;
}
