import type { Area } from "./row.ts";

export const afterCall: Area = {
  title: "After the call",
  sections: [
    {
      title: "When each thing comes",
      rows: [
        {
          judged: "rule recording time",
          whose: "ours",
          proof: ["core/platform/after-call: comes after the delays in timing"],
        },
        {
          judged: "rule transcript time",
          whose: "ours",
          proof: ["core/platform/after-call: comes after the delays in timing"],
        },
        {
          judged: "rule tariff time",
          whose: "ours",
          proof: ["core/platform/after-call: comes after the delays in timing"],
        },
        {
          rule: "`content_analysis.completed` comes 60 s after the end of the call (`timing.contentAnalysisCompleted`)",
          whose: "ours",
          proof: [
            "core/platform/analysis: begins with the recording and completes 60 s after the end of the call",
          ],
        },
        {
          rule: "Each comes only with its feature on",
          whose: "ours",
          proof: [
            "core/platform/after-call: records only the message without features.recording",
            "core/platform/after-call: is no tariff without a table of prices",
            "core/platform/analysis: is not created without features.analysis",
          ],
        },
      ],
    },
    {
      title: "Transcripts and analyses",
      text: "A job that the API creates may carry any passthrough parameters: they come back as they were sent.",
      rows: [
        {
          rule: "The transcript of a recorded call says who joined and left, and has no speech",
          whose: "ours",
          proof: ["core/platform/after-call: has a line for each person who joins or leaves"],
        },
        {
          rule: "The analysis of a call inherits its passthrough parameters; a job of the API may have any",
          whose: "specified",
          proof: [
            "core/platform/analysis: inherits the call's passthrough parameters",
            "core/platform/analysis: returns the passthrough parameters as submitted, whatever their values and length",
          ],
        },
        {
          rule: "A content analysis names at least one recording, or at least one content analysis whose scorecards are aggregated: of calls that the agent was on, otherwise it is refused with 400. Of calls that are no longer kept, anybody's are taken",
          whose: "ours",
          proof: [
            "core/rest/wire: takes those of whoever was on the call, and refuses another's, each by its place",
            "core/rest/wire: takes and refuses, as its row says: %s",
          ],
        },
        {
          rule: "A recorded call that ends in a voicemail has two recordings, its own and the message; `call.transcription_completed` follows once, after the last transcript, with all of them",
          whose: "ours",
          proof: [
            "core/platform/after-call: has two recordings and two transcripts, and the transcription is completed once, after the last",
          ],
        },
      ],
    },
    {
      title: "Tariffs",
      rows: [
        {
          rule: "Tariff: for each outside party, the longest prefix, by the millisecond, in decimal arithmetic, rounded to four decimals with halves up",
          whose: "ours",
          proof: [
            "core/platform/after-call: uses the longest matching prefix, whatever the order of prefixes",
            "core/platform/after-call: of %d ms at %d is %d: four decimals, halves up",
          ],
        },
        {
          rule: "An internal call that nobody from outside joins is tariffed at 0; a caller in voicemail is connected, and a call that connected nobody has no tariff",
          whose: "ours",
          proof: [
            "core/platform/after-call: of an internal call is 0",
            "core/platform/after-call: also charges the caller's time in voicemail",
            "core/platform/after-call: is absent for a call %s that connected nobody",
          ],
        },
      ],
    },
    {
      title: "What is removed or forgotten",
      rows: [
        {
          rule: "Recordings, transcripts and analyses of a call are dropped when `retain.calls` drops the call. Jobs of the API are kept, or the newest completed ones (`retain.analyses`)",
          whose: "ours",
          proof: [
            "core/simulator/retain: keeps a call's jobs as long as the call",
            "core/simulator/retain: keeps the newest completed jobs and all pending ones",
          ],
        },
        {
          rule: "A removed recording leaves the call's record. Its transcript stays, but one that is not made yet is not made any more, and a voicemail's e-mail goes out without it",
          whose: "ours",
          proof: [
            "core/platform/removal: removes it from the call's record and advances lastModified, but keeps its transcript",
            "core/platform/removal: before it is transcribed prevents the transcript",
            "core/platform/removal: of a voicemail still sends the e-mail on time, without a transcript",
          ],
        },
        {
          rule: "A removed transcript leaves its recording and the voicemail's `transcription` null; a pending analysis that is removed stops",
          whose: "ours",
          proof: [
            "core/platform/removal: removes it with its segments from its recording, and advances lastModified",
            "core/platform/removal: of a voicemail removes its text from the call",
            "core/platform/removal: that is pending stops it",
          ],
        },
        {
          rule: "Removing a recording or a transcript moves the call's `lastModified` and emits nothing",
          whose: "ours",
          proof: [
            "core/platform/removal: removes it from the call's record and advances lastModified, but keeps its transcript",
          ],
        },
      ],
    },
  ],
};

export const notes: Area = {
  title: "Notes and contacts",
  rows: [
    {
      rule: "Notes are added at any time, several to a call, and `modified` finds the call again",
      whose: "specified",
      proof: [
        "core/platform/follow-ups: is appended to earlier notes without changing past events",
        "core/rest/paging: lists a call again by modified when a note is added",
      ],
    },
    {
      rule: "A note is `{ id, text, author: { userId, email, displayName }, createdAt, createdTimestamp }`; it emits nothing",
      whose: "ours",
      proof: [
        "core/platform/follow-ups: is in the record with its author and time, and advances lastModified",
        "core/platform/follow-ups: emits no event",
      ],
    },
    {
      rule: "Notes and contacts may also come during the call",
      whose: "ours",
      proof: ["core/platform/follow-ups: can be written during the call and is in later events"],
    },
    {
      rule: "With update: the number is in a phonebook that the user sees, or the call shows a name for it already; else with add",
      whose: "ours",
      proof: [
        "core/platform/follow-ups: emits contact.shared, then with_add for an unknown number",
        "core/platform/follow-ups: emits with_update for a number in %s",
      ],
    },
    {
      rule: "The outside party and the summary take the contact's name. A contact without numbers gets the number of the call",
      whose: "ours",
      proof: [
        "core/platform/follow-ups: gives the outside party and the summary the contact's name, and advances lastModified",
        "core/platform/local-numbers: gives a contact without a name the number that calls",
      ],
    },
    {
      rule: "No phonebook changes: contacts are managed only through the API",
      whose: "specified",
      proof: ["core/platform/follow-ups: leaves phonebooks unchanged: the number's next call has no name"],
    },
    {
      rule: "`participants` are all users and outside parties of the call, each once, also those who were only rung; `channel` is `call`",
      whose: "ours",
      proof: ["core/platform/follow-ups: lists neither devices nor voicemail as participants"],
    },
    {
      rule: "An internal call has no outside number to name: the command is refused, until someone outside joins the call",
      whose: "ours",
      proof: [
        "core/platform/follow-ups: is refused on an internal call",
        "core/platform/internal: can be given a contact, and is asked for cards of the call history",
      ],
    },
  ],
};

export const voicemail: Area = {
  title: "Voicemail",
  rows: [
    {
      rule: "A user's unanswered call goes to voicemail; a user has it unless the organisation says `voicemail: false`",
      whose: "specified, the exception ours",
      proof: [
        "core/platform/calls: and goes to voicemail if the user has it",
        "core/platform/calls: who does not answer and has no voicemail",
      ],
    },
    {
      rule: "Greeting 5 s, message at most 180 s, at least 1 s (`timing.voicemailGreeting`, `voicemailMaxMessage`, `voicemailMinMessage`)",
      whose: "ours",
      proof: [
        "core/platform/voicemail: lasts at most 5 s of greeting and 180 s of message",
        "core/platform/voicemail: uses timing.voicemailGreeting and timing.voicemailMaxMessage",
        "core/platform/voicemail: less than 1 s into a message leaves none either",
      ],
    },
    {
      rule: "Silence is no message: if nobody has begun to speak (`leaveVoicemail`, or a behaviour) by `timing.voicemailSilence` (30 s) after the tone, the platform hangs up. The outcome keeps its reason. A caller who hangs up without speaking leaves no message either",
      whose: "ours",
      proof: [
        "core/platform/voicemail: is no message: 30 s after the tone the platform hangs up, and nothing follows",
        "core/platform/voicemail: leaves no message either when the caller hangs up before that",
      ],
    },
    {
      rule: "`leaveVoicemail` speaks from the tone on, or from now if it has sounded, and hangs up at the end",
      whose: "ours",
      proof: [
        "core/platform/voicemail: during the greeting starts at the tone and ends when the caller hangs up",
        "core/platform/voicemail: after the tone starts at once, without the silence before it",
      ],
    },
    {
      rule: "A caller who hangs up during their message leaves what they said until then",
      whose: "ours",
      proof: ["core/platform/voicemail: during a message of a given length keeps the message so far"],
    },
    {
      rule: "`call.recording.available` 5 s and the transcript events 30 s after the end (`timing.recordingAvailable`, `transcriptCreated`)",
      whose: "ours",
      proof: [
        "core/platform/voicemail: is available 5 s later, by event and in the record",
        "core/platform/voicemail: comes 30 s after the end with features.transcription: three events, and the text in the record",
      ],
    },
    {
      rule: "A message is always recorded; it is transcribed with `features.transcription`",
      whose: "ours",
      proof: [
        "core/platform/after-call: records only the message without features.recording",
        "core/platform/voicemail: is not created without features.transcription",
      ],
    },
    {
      rule: "A call with `sendToVoicemail` to an entry without voicemail and without a return closes silently: `call.started`, `call.not_answered`, and nobody is notified",
      whose: "specified in kind",
      proof: ["core/platform/redirect: without a voicemail of %s (%s) ends the call silently"],
    },
    {
      rule: "A missed call is notified once to each user to whom it was sent, by dialling, a redirect, a transfer, an addition or `sendToVoicemail`, whether they rang or not, and to each user of each team that it was queued for; when voicemail takes it or it closes, however it ended. Not to whoever was on the call, nor to users of a team of which one took it",
      whose: "ours; the specification says it of `sendToVoicemail`",
      proof: [
        "core/platform/notifications: comes with call.not_answered for a user who was not reached",
        "core/platform/missed-calls: to the target of a warm transfer who does not answer, when the call ends",
        "core/platform/missed-calls: to the members of each team that it was queued for, once each",
        "core/platform/missed-calls: only to the first team's members when the caller gives up there",
        "core/platform/missed-calls: to members of a team of which one took it",
        "core/platform/missed-calls: to a user who took it later",
      ],
    },
    {
      rule: "Users of a team that passed a call on to somebody who took it are not notified; with `notAnswered: perTeam` they are",
      whose: "ours",
      proof: [
        "core/platform/missed-calls: with notAnswered %s, to members of a team that passed it on to one that took it: %j",
      ],
    },
    {
      rule: "A voicemail message makes a notification and an e-mail, which waits for the transcript if there will be one",
      whose: "ours",
      proof: [
        "core/platform/notifications: is notified in the apps and by e-mail when the call ends, without transcription",
        "core/platform/notifications: is e-mailed with its transcript once it exists, with transcription",
      ],
    },
    {
      rule: "Audio is 4000 bytes a second and channel of `audio/mpeg`; its URL is valid for 7 days (`timing.recordingUrlLifetime`); after exactly that time it has expired",
      seen: "differs: the URL of a voicemail lives 6 hours",
      whose: "ours",
      proof: [
        "core/simulator/urls: returns a silent MP3 as long as the message at once",
        "core/simulator/urls: returns both channels of a call, minutes long",
        "core/simulator/urls: is valid until a millisecond before it expires",
      ],
    },
    {
      rule: "A `recordingUrl` ends in `.mp3`, takes no token, and returns silence of the recording's length. It answers 403 when it has expired, 404 when the recording was deleted",
      whose: "ours",
      proof: [
        "core/simulator/urls: returns a silent MP3 as long as the message at once",
        "core/simulator/urls: is valid until a millisecond before it expires",
        "core/simulator/urls: ends with its recording",
      ],
    },
    {
      rule: "The call's status stays `missed` through voicemail, or `unanswered` if someone inside dialled; its outcome is null until it closes",
      whose: "ours",
      proof: [
        "core/platform/voicemail: starts with call.not_answered: the caller is connected to voicemail and the call stays open",
        "core/platform/internal: to voicemail in which no message is left is unanswered, with the original reason %s",
      ],
    },
  ],
};
