/**
 * The question of each lesson's page, and what its reader may try next. What to notice is the scenario's
 * `description`.
 */
export const lessonTexts: Readonly<Record<string, { readonly question: string; readonly tryNext: string }>> =
  {
    "first-endpoint-wins": {
      question:
        "Alice has a mobile and a desktop app. Someone calls her number. What rings, and what happens to the other phone when she answers one?",
      tryNext: "Let Alice answer on `mobile`. Then let her answer at `PT30S`: is she in time?",
    },
    "who-hangs-up-first": {
      question: "Two people talk and one of them hangs up. In which order do the events come?",
      tryNext: "Change `by: alice` to `by: caller` in the last step and compare the two streams.",
    },
    "nobody-answers": {
      question: "How long does a phone ring, and what does an integration hear when nobody answers?",
      tryNext: "Call Alice (+6495550100) instead, who has voicemail. Which events come in addition?",
    },
    "leaving-a-voicemail": {
      question:
        "Nobody answers and the caller leaves a message. When does the recording exist, and when its text?",
      tryNext: "Make the message longer than three minutes, `duration: PT10M`. When does the call end?",
    },
    "no-message-left": {
      question: "A caller reaches voicemail but hangs up before the tone. Is there a message?",
      tryNext: "Let the caller hang up at `PT40S`, after the tone. What is different?",
    },
    declining: {
      question: "Alice declines a call on one of her two phones. Does the caller go to voicemail?",
      tryNext: "Remove the second `decline`. When does voicemail take the call now?",
    },
    "the-caller-gives-up": {
      question: "The caller hangs up while the phone is still ringing. Was the call missed?",
      tryNext: "Let the caller hang up at `PT32S`, while the greeting plays. Which status has the call now?",
    },
    "busy-on-a-call": {
      question: "Alice is on a call and a second one comes in. Does her phone ring?",
      tryNext: "Let the second call come at `PT59S`, a second before Alice hangs up, and then at `PT61S`.",
    },
    "do-not-disturb": {
      question: "Alice sets do not disturb. What does a caller notice, and what does an integration?",
      tryNext: "Give the second `setAvailability` another `reason`. Is there an event now?",
    },
    "moving-between-endpoints": {
      question: "Alice answers on her mobile and goes on at her desktop. Does an integration hear of it?",
      tryNext: "Move the call to an endpoint that Alice does not have, `to: sip`. What does the error say?",
    },
    "a-suspended-user": {
      question: "A user is suspended. What happens to calls to their number?",
      tryNext: "Call with `duration: PT20S`. Who hangs up now?",
    },
    "two-calls-ring-one-user": {
      question: "Two calls ring Alice at the same time and she answers one. What happens to the other?",
      tryNext: "Let Alice answer `first` instead. Does anything else change?",
    },
    "passthrough-parameters": {
      question:
        "An application adds data of its own, such as a ticket number, to a call. Which of it comes back in events?",
      tryNext: "Shorten the long value by one letter at a time until the parameters are kept.",
    },
    "a-device": {
      question:
        "A phone in the lobby belongs to nobody. How is a call to it different from a call to a person?",
      tryNext: "Let the second caller call at `PT26S`, when the phone is free again, and nobody answer.",
    },
    "logging-out": {
      question: "All of Dave's phones lose their connection while a call rings. What happens to the call?",
      tryNext: "Register the desktop again at `PT7S`, while the mobile rings. Does it ring too?",
    },
    "the-second-tier-rings-after-twenty-seconds": {
      question: "A team has first and second choices. When do the second choices ring?",
      tryNext: "Let Carol answer at `PT45S`, and remove the lobby's answer. Who rings at that time?",
    },
    "an-answered-team-call": {
      question: "Several members of a team ring and one answers. What do the others, and the team, notice?",
      tryNext: "Let Bob answer. Which records differ?",
    },
    "waiting-for-a-free-member": {
      question: "Everyone in a team is busy. Where does the next caller wait?",
      tryNext:
        "Let Dave hang up at `PT80S`, more than sixty seconds after the second call. What has happened to it?",
    },
    "a-better-priority-goes-first": {
      question: "Two callers wait for the same team. Who is put through first?",
      tryNext: "Remove `priority: 1`. Which call does Dave get first now?",
    },
    "the-next-team-and-then-voicemail": {
      question:
        "Nobody in sales answers. How many seconds pass until the caller reaches voicemail, and whose voicemail is it?",
      tryNext: "Let Dave, who is in support, answer at `PT65S`. Is there a call.not_answered?",
    },
    "every-member-declines": {
      question: "All members of a team decline a call. Does the caller still wait for the timeout?",
      tryNext: "Remove Ben's `decline`. When does the second tier ring now?",
    },
    "an-outbound-call-that-is-answered": {
      question: "Alice calls a customer. From which moment is she busy?",
      tryNext: "Let Jane answer at `PT31S`. What happens?",
    },
    "an-outbound-call-that-nobody-takes": {
      question: "Alice calls a customer who does not answer. How does that differ from an engaged line?",
      tryNext: "Change `busy: true` to a plain decline. Which reason has the outcome?",
    },
    "a-colleague-is-called-by-extension": {
      question: "Alice calls a colleague by extension. Is that a call like any other?",
      tryNext: "Let Dave not answer. He has no voicemail: how does the call end?",
    },
    "a-warm-transfer": {
      question:
        "Alice wants to hand a caller over to Dave, but talk to him first. What does an integration hear?",
      tryNext: "Remove Alice's hang-up. Who is still on the call at the end?",
    },
    "a-blind-transfer-to-voicemail": {
      question:
        "Dave hands a caller over to Alice without asking, and she does not answer. Was the call missed?",
      tryNext: "Let Alice answer at `PT30S`. How many connections has the call?",
    },
    "an-unanswered-redirected-call-returns": {
      question:
        "Another voice application hands over a call that nobody then answers. Where does the call go?",
      tryNext: "Remove `returnTo` and `returnToId`. Who takes the call now?",
    },
    "a-redirected-call-sent-to-voicemail": {
      question: "Another application hands a call straight to voicemail. Does any phone ring?",
      tryNext: "Give the second redirect a `returnTo: flow` and a `returnToId: FW1`.",
    },
    "what-follows-on-a-recorded-call": {
      question: "A call is over. What else comes, and when?",
      tryNext: "Make the call a minute longer. Which of the times move, and what does it cost now?",
    },
    "a-dial-link": {
      question: "A user clicks a link in a CRM and their phone dials. What does the link carry?",
      tryNext: "Add a parameter that does not begin with `x-`. Does it come back in the events?",
    },
    "a-data-action-blocks-a-call": {
      question: "A company wants to stop some outbound calls before they ring. How does it do that?",
      tryNext: "Answer with `action: allow`. When does Alice become busy?",
    },
    "a-data-action-renames-a-team": {
      question:
        "A company wants to show agents that a caller is a gold customer. How does that get into the call?",
      tryNext: "Answer with `priority: 1` too, and look at the record.",
    },
    "a-slow-data-action-has-said-nothing": {
      question: "The endpoint that may block calls is slow. How long does a call wait for it?",
      tryNext: "Let it answer after exactly `PT5S`. Is that in time?",
    },
    "notes-and-contacts-after-a-call": {
      question: "A user adds a note and a contact after a call. How does an integration find out?",
      tryNext: "Move the note to `PT2H`, after the contacts. In which event is it then?",
    },
    "working-hours-follow-the-clock-change": {
      question: "Clocks go back an hour at the weekend. When do working hours begin on Monday?",
      tryNext: "Start the run on the last weekend of March instead, when the clocks go forward.",
    },
    "a-call-out-of-hours": {
      question: "A phone rings as its owner's working hours end. Does it ring on?",
      tryNext: "Let Tama answer the first call a second before his hours end. Is he cut off?",
    },
    "simulated-people-act-by-themselves": {
      question: "Can people in a simulation act without a script?",
      tryNext: "Give Alice `after: { uniform: [PT2S, PT8S] }` and change the `seed` a few times.",
    },
    "wrap-up-keeps-a-member-busy": {
      question: "An agent types notes after each call. When does the next caller get through?",
      tryNext: "Set `wrapUp: PT60S`. Is the second call answered in time?",
    },
    "traffic-begins-calls-by-itself": {
      question: "How do you simulate many callers without writing each call?",
      tryNext: "Use `every: { exponential: PT30S }`: the calls then come at random, as they do in life.",
    },
    "suspended-mid-ring": {
      question: "An administrator suspends a user while their phone rings. What happens?",
      tryNext: "Suspend Bob while he is on a call instead. Is he cut off?",
    },
    "a-contact-uploaded-between-two-calls": {
      question:
        "A customer calls twice, and between the calls someone uploads their contact. Which call shows the name?",
      tryNext: "Put the contact before the first call.",
    },
    "an-entry-of-a-trunk": {
      question: "A company still has an old phone system. How do its phones take part?",
      tryNext: "Give the entry the extension 101, which is Alice's. What does the error say?",
    },
    "a-team-that-nobody-answers": {
      question: "A team does not answer and has no plan for that. What does an integration hear?",
      tryNext: "Add `timing: { teamTimeout: PT30S }` to the head of the script.",
    },
    "an-outside-number-answers-for-a-team": {
      question: "A team forwards calls that it does not take to a mobile number. Was such a call answered?",
      tryNext: "Remove the answer of the outside number. How does the call end?",
    },
    "a-voicemail-for-a-colleague": {
      question: "A colleague does not answer an internal call. Can one leave a message?",
      tryNext: "Let Dave hang up during the greeting instead.",
    },
    "a-conversation-goes-quiet": {
      question: "Nobody writes for a day. Is the conversation over?",
      tryNext: "Send the answer after `PT23H`, an hour before the day is over.",
    },
    "every-update-restarts-the-close-timer": {
      question: "A conversation is set to close after ten minutes. Ten minutes from when?",
      tryNext: "Remove the contact at `PT18M`. When does the conversation close?",
    },
    "a-group-begins-a-second-later": {
      question: "A message goes to several people at once. Why has the answer no message id?",
      tryNext: "Send the second message at `PT2S`. Does its answer have an id?",
    },
    "a-message-that-nobody-can-answer": {
      question: "A system sends a code by SMS, and the customer replies. Who sees the reply?",
      tryNext: "Use `routingAction: assign_owner`. Who is told of the reply?",
    },
    "a-message-marked-as-read": {
      question: "A system sends a message that should disturb nobody. Is it ever shown as unread?",
      tryNext: "Use `silent_unread` in the first step and compare the counts of unread messages.",
    },
    "pictures-by-whatsapp": {
      question: "A customer writes by SMS and then sends a picture by WhatsApp. Is that one conversation?",
      tryNext: "Send the picture by SMS, without `channel: whatsApp`. How many conversations are there?",
    },
    "the-owner-first-then-who-is-named": {
      question: "A message is sent from a team's number. Who takes part in the conversation?",
      tryNext: "Name a user in `assignUsers` who is in the team already.",
    },
    "sharing-a-contact": {
      question: "What is the difference between assigning a contact to a conversation and sharing one?",
      tryNext: "Share the contact before it is assigned. Which name have the participants?",
    },
    "the-passthrough-parameters-of-a-conversation": {
      question: "Each message may carry data of its own. What does the conversation keep?",
      tryNext: "Give the last message a short value. Which keys has the conversation at the end?",
    },
    "a-data-action-gives-a-conversation-its-timer": {
      question: "A company wants to decide how long a new conversation stays open. When is it asked?",
      tryNext: "Let the endpoint answer after `PT6S`, which is too late. What is missing?",
    },
    "a-retry-that-succeeds": {
      question: "The CRM is down when an event is sent. Is the event lost?",
      tryNext: "Set `times: 3`. When does the event arrive?",
    },
    "a-bad-request-is-never-retried": {
      question: "The CRM answers 400. Will it get the event again?",
      tryNext: "Change the status to 429, then to 302.",
    },
    "five-seconds-to-answer": {
      question: "How long may a webhook's endpoint think?",
      tryNext: "Let both answer after `PT4S`. How many attempts are there?",
    },
    "ten-attempts-in-a-day": {
      question: "The CRM is down for a whole day. How often is an event sent?",
      tryNext: "Add `times: 9` to the fault. When does the event arrive?",
    },
    "a-disabled-webhook-returns": {
      question: "A webhook fails again and again. What does the platform do?",
      tryNext: "Repair the CRM before the third event. Is the webhook still disabled?",
    },
    "an-event-arrives-twice": {
      question: "Can the same event arrive twice?",
      tryNext: "Set `duplicate: 0.5` and change the `seed` a few times.",
    },
    "events-overtake-each-other": {
      question: "Do events arrive in the order in which things happened?",
      tryNext: "Change the `seed` and see which events change places.",
    },
    "a-lost-call-ended": {
      question: "Can an event be lost for good?",
      tryNext: "Repair the way at `PT70S`, before the second attempt.",
    },
    "a-script-that-follows-what-happens": {
      question: "How do you write a script that does not depend on exact times?",
      tryNext: "Change when Bob answers, and see everything after it move along.",
    },
    "an-agent-asks-for-more-time": {
      question: "An agent needs longer than usual for their notes. How do they say so?",
      tryNext:
        "Let Dave set himself `available` at `PT30S` with `setAvailability`. When does the second call ring?",
    },
    "a-message-while-the-crm-is-down": {
      question: "What does a CRM learn that is down when a call comes in?",
      tryNext: "Repair the CRM before the call ends. Which event arrives first?",
    },
  };
