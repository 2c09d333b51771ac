import { eventDataSchema, one } from "../../records/fields.ts";
import { defineEvents, ownField, sharedField } from "../base/define-events.ts";
import type { LawName } from "../base/laws.ts";
import { alice, answeredSteps, dave, ended, inboundStep, jane } from "../base/shortest.ts";
import { eventCall, party } from "./record.ts";

/** The laws that the record of every call keeps. */
export const callLaws = [
  "ends after it starts",
  "answered before it ends",
  "duration",
  "wait time",
  "connections belong to parties",
  "leaves after joining",
  "dials end after they start",
  "answer joins",
  "closes once",
  "one call at a time",
] as const satisfies readonly LawName[];

export const callInEvent = one(eventCall, "The call as it was at that instant.");

/** The events of a call while it goes on. */
export const callEvents = defineEvents({
  "call.started": {
    data: eventDataSchema("A call begins.", { call: callInEvent }),
    page: "calls",
    settings: ["organisation.numbers", "organisation.dataActions.outboundCall"],
    instant: ownField("call.started"),
    laws: [...callLaws, "starts once"],
    shortest: { title: "A call starts", steps: [inboundStep(jane, alice)] },
  },
  "call.answered": {
    data: eventDataSchema("Somebody answers a call, the first to do so.", { call: callInEvent }),
    page: "calls",
    settings: ["behaviour"],
    instant: ownField("call.answered"),
    laws: [...callLaws, "answered once"],
    shortest: { title: "A call is answered", steps: answeredSteps },
  },
  "call.not_answered": {
    data: eventDataSchema("Nobody answers a call, and no further offer will be made.", { call: callInEvent }),
    page: "calls",
    listedFirst: ["inbound", "outbound", "internal"],
    settings: [
      "timing.ringTimeout",
      "timing.teamTimeout",
      "organisation.users.voicemail",
      "organisation.teams.unanswered",
    ],
    instant: sharedField("call.lastModified"),
    laws: [...callLaws, "missed once"],
    shortest: { title: "Nobody answers a call", steps: [inboundStep(jane, dave)] },
  },
  "call.hungup": {
    data: eventDataSchema("A party leaves a call.", {
      call: callInEvent,
      party: one(party, "The party that left."),
    }),
    page: "calls",
    listedFirst: ["hangup", "transfer", "answer"],
    settings: ["timing.ringTimeout", "timing.voicemailMaxMessage", "behaviour"],
    instant: sharedField("call.lastModified"),
    laws: [...callLaws, "hangs up as a party"],
    shortest: { title: "A party leaves a call", steps: ended },
  },
  "call.ended": {
    data: eventDataSchema("A call that anyone joined, or that was blocked, is over.", { call: callInEvent }),
    page: "calls",
    listedFirst: ["hangup", "answer", "decline"],
    settings: ["timing.ringTimeout", "timing.voicemailMaxMessage", "organisation.dataActions.outboundCall"],
    instant: ownField("call.ended"),
    laws: callLaws,
    shortest: { title: "An answered call ends", steps: ended },
  },
});
