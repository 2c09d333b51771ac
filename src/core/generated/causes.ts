/* Made from runs by `npm run accept -- causes`. Do not edit. */

/** The commands and timers that brought each event, and each reason of a dial, about in runs. */
export const measuredCauses = {
  events: {
    "call.started": {
      commands: ["inbound","outbound","internal","redirect","connectApplication","dialLink","takeBackCall"],
      timers: ["traffic: next call","flow: takes the call back"],
    },
    "call.answered": {
      commands: ["answer"],
      timers: [],
    },
    "call.not_answered": {
      commands: ["setAvailability","setEndpoint","setUserStatus","wrapUp","removeTeamMember","inbound","outbound","internal","answer","decline","hangup","redirect","connectApplication","dialLink","takeBackCall"],
      timers: ["ring: ringTimeout","teamOffer: teamTimeout","availability: working hours end","traffic: next call","flow: takes the call back"],
    },
    "call.hungup": {
      commands: ["setAvailability","setEndpoint","setUserStatus","wrapUp","removeTeamMember","inbound","outbound","internal","answer","decline","hangup","transfer","redirect","connectApplication","takeBackCall"],
      timers: ["ring: ringTimeout","teamOffer: teamTimeout","voicemail: messageLimit","voicemail: message","voicemail: silence","availability: working hours end","flow: takes the call back"],
    },
    "call.ended": {
      commands: ["setAvailability","setEndpoint","setUserStatus","wrapUp","removeTeamMember","inbound","outbound","internal","answer","decline","hangup","transfer","redirect","connectApplication","takeBackCall"],
      timers: ["ring: ringTimeout","teamOffer: teamTimeout","voicemail: messageLimit","voicemail: message","voicemail: silence","availability: working hours end","flow: takes the call back"],
    },
    "call.recording.available": {
      commands: [],
      timers: ["call: recording available"],
    },
    "call.transcript.created": {
      commands: [],
      timers: ["call: transcript created"],
    },
    "call.transcription_completed": {
      commands: [],
      timers: ["call: transcript created"],
    },
    "call.tariffed": {
      commands: [],
      timers: ["call: tariff calculated"],
    },
    "call.contact_assigned_with_add": {
      commands: ["assignContact"],
      timers: [],
    },
    "call.contact_assigned_with_update": {
      commands: ["assignContact"],
      timers: [],
    },
    "contact.shared": {
      commands: ["assignContact","shareContact"],
      timers: [],
    },
    "conversation.message.created": {
      commands: ["sendConversationMessage","sendMessage","sendTeamMessage","receiveMessage"],
      timers: ["conversation: group created"],
    },
    "conversation.inactive": {
      commands: [],
      timers: ["conversation: inactivity"],
    },
    "conversation.closed": {
      commands: ["closeConversation"],
      timers: ["conversation: closeTimer"],
    },
    "conversation.contact_assigned": {
      commands: ["assignConversationContact"],
      timers: [],
    },
    "content_analysis.completed": {
      commands: ["completeAnalysis"],
      timers: ["analysis: analysis"],
    },
    "user.availability.updated": {
      commands: ["setAvailability","setEndpoint","setUserStatus","wrapUp","removeTeamMember","inbound","outbound","internal","answer","decline","hangup","transfer","add","redirect","connectApplication","dialLink","takeBackCall"],
      timers: ["ring: ringTimeout","availability: wrapUp","teamOffer: nextOffer","teamOffer: teamTimeout","voicemail: messageLimit","voicemail: message","voicemail: silence","availability: working hours begin","availability: working hours end","traffic: next call","flow: takes the call back"],
    },
    "team.availability.updated": {
      commands: ["setAvailability","setEndpoint","setUserStatus","wrapUp","setTeamMember","removeTeamMember","inbound","outbound","internal","answer","decline","hangup","transfer","redirect","connectApplication","dialLink","takeBackCall"],
      timers: ["ring: ringTimeout","availability: wrapUp","teamOffer: teamTimeout","voicemail: messageLimit","voicemail: message","voicemail: silence","availability: working hours begin","availability: working hours end","flow: takes the call back"],
    },
    "transcript.created": {
      commands: [],
      timers: ["call: transcript created"],
    },
  },
  dials: {
    "direct": {
      commands: ["inbound"],
      timers: ["traffic: next call"],
    },
    "teamOffer": {
      commands: ["setAvailability","setEndpoint","setUserStatus","wrapUp","setTeamMember","removeTeamMember","inbound","outbound","internal","answer","decline","hangup","transfer","add","redirect","connectApplication","dialLink","takeBackCall"],
      timers: ["ring: ringTimeout","availability: wrapUp","teamOffer: nextOffer","teamOffer: teamTimeout","voicemail: messageLimit","voicemail: message","voicemail: silence","availability: working hours begin","availability: working hours end","traffic: next call","flow: takes the call back"],
    },
    "redirect": {
      commands: ["redirect","connectApplication","takeBackCall"],
      timers: ["flow: takes the call back"],
    },
    "transfer": {
      commands: ["transfer"],
      timers: [],
    },
    "conference": {
      commands: ["add"],
      timers: [],
    },
    "outbound": {
      commands: ["outbound","internal","dialLink"],
      timers: [],
    },
  },
} as const;
