/**
 * The question of each lesson's page. What to notice is the scenario's `description`; what to try is in
 * `scenarios/exercises.json`.
 */
export const lessonTexts: Readonly<Record<string, { readonly question: string }>> = {
  "first-endpoint-wins": {
    question:
      "Alice has a mobile and a desktop app. Someone calls her number. What rings, and what happens to the other phone when she answers one?",
  },
  "who-hangs-up-first": {
    question: "Two people talk and one of them hangs up. In which order do the events come?",
  },
  "nobody-answers": {
    question: "How long does a phone ring, and what does an integration hear when nobody answers?",
  },
  "leaving-a-voicemail": {
    question:
      "Nobody answers and the caller leaves a message. When does the recording exist, and when its text?",
  },
  "no-message-left": {
    question: "A caller reaches voicemail but hangs up before the tone. Is there a message?",
  },
  declining: {
    question: "Alice declines a call on one of her two phones. Does the caller go to voicemail?",
  },
  "the-caller-gives-up": {
    question: "The caller hangs up while the phone is still ringing. Was the call missed?",
  },
  "busy-on-a-call": {
    question: "Alice is on a call and a second one comes in. Does her phone ring?",
  },
  "do-not-disturb": {
    question: "Alice sets do not disturb. What does a caller notice, and what does an integration?",
  },
  "moving-between-endpoints": {
    question: "Alice answers on her mobile and goes on at her desktop. Does an integration hear of it?",
  },
  "a-suspended-user": {
    question: "A user is suspended. What happens to calls to their number?",
  },
  "two-calls-ring-one-user": {
    question: "Two calls ring Alice at the same time and she answers one. What happens to the other?",
  },
  "passthrough-parameters": {
    question:
      "An application adds data of its own, such as a ticket number, to a call. Which of it comes back in events?",
  },
  "a-device": {
    question:
      "A phone in the lobby belongs to nobody. How is a call to it different from a call to a person?",
  },
  "logging-out": {
    question: "All of Dave's phones lose their connection while a call rings. What happens to the call?",
  },
  "the-second-tier-rings-after-twenty-seconds": {
    question: "A team has first and second choices. When do the second choices ring?",
  },
  "an-answered-team-call": {
    question: "Several members of a team ring and one answers. What do the others, and the team, notice?",
  },
  "waiting-for-a-free-member": {
    question: "Everyone in a team is busy. Where does the next caller wait?",
  },
  "a-better-priority-goes-first": {
    question: "Two callers wait for the same team. Who is put through first?",
  },
  "the-next-team-and-then-voicemail": {
    question:
      "Nobody in sales answers. How many seconds pass until the caller reaches voicemail, and whose voicemail is it?",
  },
  "every-member-declines": {
    question: "All members of a team decline a call. Does the caller still wait for the timeout?",
  },
  "an-outbound-call-that-is-answered": {
    question: "Alice calls a customer. From which moment is she busy?",
  },
  "an-outbound-call-that-nobody-takes": {
    question: "Alice calls a customer who does not answer. How does that differ from an engaged line?",
  },
  "a-colleague-is-called-by-extension": {
    question: "Alice calls a colleague by extension. Is that a call like any other?",
  },
  "a-warm-transfer": {
    question:
      "Alice wants to hand a caller over to Dave, but talk to him first. What does an integration hear?",
  },
  "a-blind-transfer-to-voicemail": {
    question:
      "Dave hands a caller over to Alice without asking, and she does not answer. Was the call missed?",
  },
  "an-unanswered-redirected-call-returns": {
    question: "Another voice application hands over a call that nobody then answers. Where does the call go?",
  },
  "a-redirected-call-sent-to-voicemail": {
    question: "Another application hands a call straight to voicemail. Does any phone ring?",
  },
  "what-follows-on-a-recorded-call": {
    question: "A call is over. What else comes, and when?",
  },
  "a-dial-link": {
    question: "A user clicks a link in a CRM and their phone dials. What does the link carry?",
  },
  "a-data-action-blocks-a-call": {
    question: "A company wants to stop some outbound calls before they ring. How does it do that?",
  },
  "a-data-action-renames-a-team": {
    question:
      "A company wants to show agents that a caller is a gold customer. How does that get into the call?",
  },
  "a-slow-data-action-has-said-nothing": {
    question: "The endpoint that may block calls is slow. How long does a call wait for it?",
  },
  "notes-and-contacts-after-a-call": {
    question: "A user adds a note and a contact after a call. How does an integration find out?",
  },
  "working-hours-follow-the-clock-change": {
    question: "Clocks go back an hour at the weekend. When do working hours begin on Monday?",
  },
  "a-call-out-of-hours": {
    question: "A phone rings as its owner's working hours end. Does it ring on?",
  },
  "simulated-people-act-by-themselves": {
    question: "Can people in a simulation act without a script?",
  },
  "wrap-up-keeps-a-member-busy": {
    question: "An agent types notes after each call. When does the next caller get through?",
  },
  "traffic-begins-calls-by-itself": {
    question: "How do you simulate many callers without writing each call?",
  },
  "suspended-mid-ring": {
    question: "An administrator suspends a user while their phone rings. What happens?",
  },
  "a-contact-uploaded-between-two-calls": {
    question:
      "A customer calls twice, and between the calls someone uploads their contact. Which call shows the name?",
  },
  "an-entry-of-a-trunk": {
    question: "A company still has an old phone system. How do its phones take part?",
  },
  "a-team-that-nobody-answers": {
    question: "A team does not answer and has no plan for that. What does an integration hear?",
  },
  "an-outside-number-answers-for-a-team": {
    question: "A team forwards calls that it does not take to a mobile number. Was such a call answered?",
  },
  "a-voicemail-for-a-colleague": {
    question: "A colleague does not answer an internal call. Can the caller leave a message?",
  },
  "a-conversation-goes-quiet": {
    question: "Nobody writes for a day. Is the conversation over?",
  },
  "every-update-restarts-the-close-timer": {
    question: "A conversation is set to close after ten minutes. Ten minutes from when?",
  },
  "a-group-begins-a-second-later": {
    question: "A message goes to several people at once. Why does the answer have no message id?",
  },
  "a-message-that-nobody-can-answer": {
    question: "A system sends a code by SMS, and the customer replies. Who sees the reply?",
  },
  "a-message-marked-as-read": {
    question: "A system sends a message that should disturb nobody. Is it ever shown as unread?",
  },
  "pictures-by-whatsapp": {
    question: "A customer writes by SMS and then sends a picture by WhatsApp. Is that one conversation?",
  },
  "the-owner-first-then-who-is-named": {
    question: "A message is sent from a team's number. Who takes part in the conversation?",
  },
  "sharing-a-contact": {
    question: "What is the difference between assigning a contact to a conversation and sharing one?",
  },
  "the-passthrough-parameters-of-a-conversation": {
    question: "Each message may carry data of its own. What does the conversation keep?",
  },
  "a-data-action-gives-a-conversation-its-timer": {
    question: "A company wants to decide how long a new conversation stays open. When is it asked?",
  },
  "a-retry-that-succeeds": {
    question: "The CRM is down when an event is sent. Is the event lost?",
  },
  "a-bad-request-is-never-retried": {
    question: "The CRM answers 400. Will it get the event again?",
  },
  "five-seconds-to-answer": {
    question: "How long may a webhook's endpoint think?",
  },
  "ten-attempts-in-a-day": {
    question: "The CRM is down for a whole day. How many times is an event sent?",
  },
  "a-disabled-webhook-returns": {
    question: "A webhook fails again and again. What does the platform do?",
  },
  "an-event-arrives-twice": {
    question: "Can the same event arrive twice?",
  },
  "events-overtake-each-other": {
    question: "Do events arrive in the order in which things happened?",
  },
  "a-lost-call-ended": {
    question: "Can an event be lost for good?",
  },
  "a-script-that-follows-what-happens": {
    question: "How do you write a script that does not depend on exact times?",
  },
  "an-agent-asks-for-more-time": {
    question: "An agent needs longer than usual for their notes. How do they say so?",
  },
  "a-message-while-the-crm-is-down": {
    question: "The CRM is down when a call comes in. What does it learn later?",
  },
  "a-flow-takes-a-return-back": {
    question:
      "A menu hands a caller over, nobody answers, and the call comes back. What can the menu do with it?",
  },
  "a-caller-who-withholds-the-number": {
    question: "Someone calls without showing their number. What does an integration get?",
  },
  "a-semi-attended-transfer": {
    question: "Who hands a call on does not wait for the answer. What becomes of the caller?",
  },
  "a-parent-call-is-redirected-twice": {
    question: "A menu redirects a call that it has redirected before. Where is the caller?",
  },
  "cards-about-the-caller": {
    question: "A CRM knows who calls. How do people see what it knows, before they answer?",
  },
};
