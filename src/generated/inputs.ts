/* Made by `npm run generate` from the schemas. Do not edit: change the schemas, and their comments. */
import type { DurationInput } from "../engine/instants.ts";
import type { DrawnDuration } from "../engine/distributions.ts";
import type { DialLinkResult, EventType, ReceiveResult, SendResult } from "./records.ts";

/** What `createSimulator({ organisation })` and a scenario's `organisation` accept. */
export interface OrganisationInput {
  readonly id: string;
  readonly name?: string | undefined;
  readonly timezone?: string | undefined;
  readonly features?: {
    readonly recording?: boolean | undefined;
    readonly transcription?: boolean | undefined;
    readonly analysis?: boolean | undefined;
    readonly tariff?: boolean | undefined;
    readonly pbx?: boolean | undefined;
    /** Leaves `mobile` out of users. */
    readonly excludeEmployeePhoneNumbers?: boolean | undefined;
  } | undefined;
  readonly numbers?: readonly {
    readonly number: string;
    readonly owner: string;
    readonly sms?: boolean | undefined;
  }[] | undefined;
  readonly users?: readonly {
    readonly id: string;
    readonly email: string;
    readonly displayName: string;
    readonly extension: string;
    readonly ivrKey?: string | undefined;
    readonly firstName?: string | undefined;
    readonly lastName?: string | undefined;
    readonly status?: "invited" | "active" | "suspended" | undefined;
    readonly timezone?: string | undefined;
    readonly jobTitle?: string | undefined;
    readonly manager?: string | undefined;
    readonly location?: string | undefined;
    readonly mobile?: string | undefined;
    readonly licenses?: readonly string[] | undefined;
    /** The release channel that the desktop app is enrolled in; default `stable`. */
    readonly desktopEnrolledReleaseChannel?: string | undefined;
    /** Whether the user comes from the customer's own directory; default false. */
    readonly isDirectorySynced?: boolean | undefined;
    readonly endpoints?: readonly ("mobile" | "desktop" | "sip" | {
      readonly id: string;
      readonly type: "mobile" | "desktop" | "sip";
      readonly registered?: boolean | undefined;
    })[] | undefined;
    /** Whether unanswered calls go to a voicemail; default true. */
    readonly voicemail?: boolean | undefined;
    readonly workingHours?: {
      readonly monday?: readonly {
        readonly from: string;
        readonly to: string;
      }[] | undefined;
      readonly tuesday?: readonly {
        readonly from: string;
        readonly to: string;
      }[] | undefined;
      readonly wednesday?: readonly {
        readonly from: string;
        readonly to: string;
      }[] | undefined;
      readonly thursday?: readonly {
        readonly from: string;
        readonly to: string;
      }[] | undefined;
      readonly friday?: readonly {
        readonly from: string;
        readonly to: string;
      }[] | undefined;
      readonly saturday?: readonly {
        readonly from: string;
        readonly to: string;
      }[] | undefined;
      readonly sunday?: readonly {
        readonly from: string;
        readonly to: string;
      }[] | undefined;
    } | undefined;
    readonly behaviour?: UserBehaviour | undefined;
  }[] | undefined;
  readonly teams?: readonly {
    readonly id: string;
    readonly displayName: string;
    readonly extension: string;
    readonly ivrKey?: string | undefined;
    readonly members?: readonly ({
      readonly user: string;
      readonly priority?: number | undefined;
    } | {
      readonly device: string;
      readonly priority?: number | undefined;
    })[] | undefined;
    readonly timeout?: DurationInput | undefined;
    readonly nextOfferTimeout?: DurationInput | undefined;
    readonly unanswered?: {
      readonly voicemail: true;
    } | {
      readonly team: string;
    } | {
      readonly external: string;
    } | undefined;
    readonly hidden?: boolean | undefined;
    /** Changes nothing: every team has a voicemail. Organisations may go on to say so. */
    readonly voicemail?: boolean | undefined;
  }[] | undefined;
  readonly devices?: readonly {
    readonly id: string;
    readonly displayName: string;
    readonly extension: string;
    readonly ivrKey?: string | undefined;
    readonly sipAddress?: string | undefined;
    /** Whether it may dial outside numbers; default true. */
    readonly outboundAllowed?: boolean | undefined;
  }[] | undefined;
  readonly locations?: readonly {
    readonly name: string;
    readonly address?: string | undefined;
    readonly countryIso?: string | undefined;
    readonly timezone?: string | undefined;
    readonly id: string;
  }[] | undefined;
  readonly phonebooks?: readonly {
    readonly contacts?: readonly {
      readonly name?: string | undefined;
      readonly firstName?: string | null | undefined;
      readonly lastName?: string | null | undefined;
      readonly jobTitle?: string | null | undefined;
      readonly phoneNumbers?: readonly string[] | undefined;
      readonly emailAddresses?: readonly string[] | undefined;
      readonly id: string;
    }[] | undefined;
    readonly id: string;
    readonly name?: string | undefined;
    readonly countryIso?: string | null | undefined;
  }[] | undefined;
  readonly trunks?: readonly {
    readonly id: string;
    readonly name: string;
    readonly devices?: readonly {
      readonly location?: string | null | undefined;
      readonly model?: string | null | undefined;
      readonly product?: string | null | undefined;
      readonly displayName: string;
      readonly extension: string;
      readonly ivrKey?: string | undefined;
      readonly description?: string | null | undefined;
      readonly id: string;
    }[] | undefined;
    readonly queues?: readonly {
      readonly displayName: string;
      readonly extension: string;
      readonly ivrKey?: string | undefined;
      readonly description?: string | null | undefined;
      readonly id: string;
    }[] | undefined;
    readonly users?: readonly {
      readonly department?: string | null | undefined;
      readonly jobTitle?: string | null | undefined;
      readonly location?: string | null | undefined;
      readonly manager?: string | null | undefined;
      readonly user?: string | null | undefined;
      readonly phoneNumbers?: readonly string[] | undefined;
      readonly displayName: string;
      readonly extension: string;
      readonly ivrKey?: string | undefined;
      readonly description?: string | null | undefined;
      readonly id: string;
    }[] | undefined;
  }[] | undefined;
  /** URLs; `readOrganisation` checks that they lead to endpoints that may be asked. */
  readonly dataActions?: {
    readonly outboundCall?: string | undefined;
    readonly teamCall?: string | undefined;
    readonly callInsights?: string | undefined;
    readonly inboundConversations?: string | undefined;
  } | undefined;
  readonly webhooks?: readonly {
    readonly url: string;
    /** Event types, or `*` for all. */
    readonly events: readonly (EventType | "*")[];
    readonly description?: string | null | undefined;
    readonly enabled?: boolean | undefined;
    /** What deliveries are signed with; default: one of its own, from the seed. */
    readonly signingSecret?: string | undefined;
    /** The user who creates it, by id or e-mail address, and is told when it is disabled; default: the first active user. */
    readonly createdBy?: string | undefined;
  }[] | undefined;
  readonly tariff?: {
    readonly currency: string;
    readonly routes: readonly {
      readonly prefix: string;
      readonly perMinute: number;
    }[];
  } | undefined;
}

/** The same with every duration in milliseconds. */
export interface Organisation {
  id: string;
  name?: string | undefined;
  timezone?: string | undefined;
  features?: {
    recording?: boolean | undefined;
    transcription?: boolean | undefined;
    analysis?: boolean | undefined;
    tariff?: boolean | undefined;
    pbx?: boolean | undefined;
    /** Leaves `mobile` out of users. */
    excludeEmployeePhoneNumbers?: boolean | undefined;
  } | undefined;
  numbers?: {
    number: string;
    owner: string;
    sms?: boolean | undefined;
  }[] | undefined;
  users?: {
    id: string;
    email: string;
    displayName: string;
    extension: string;
    ivrKey?: string | undefined;
    firstName?: string | undefined;
    lastName?: string | undefined;
    status?: "invited" | "active" | "suspended" | undefined;
    timezone?: string | undefined;
    jobTitle?: string | undefined;
    manager?: string | undefined;
    location?: string | undefined;
    mobile?: string | undefined;
    licenses?: string[] | undefined;
    /** The release channel that the desktop app is enrolled in; default `stable`. */
    desktopEnrolledReleaseChannel?: string | undefined;
    /** Whether the user comes from the customer's own directory; default false. */
    isDirectorySynced?: boolean | undefined;
    endpoints?: ("mobile" | "desktop" | "sip" | {
      id: string;
      type: "mobile" | "desktop" | "sip";
      registered?: boolean | undefined;
    })[] | undefined;
    /** Whether unanswered calls go to a voicemail; default true. */
    voicemail?: boolean | undefined;
    workingHours?: {
      monday?: {
        from: string;
        to: string;
      }[] | undefined;
      tuesday?: {
        from: string;
        to: string;
      }[] | undefined;
      wednesday?: {
        from: string;
        to: string;
      }[] | undefined;
      thursday?: {
        from: string;
        to: string;
      }[] | undefined;
      friday?: {
        from: string;
        to: string;
      }[] | undefined;
      saturday?: {
        from: string;
        to: string;
      }[] | undefined;
      sunday?: {
        from: string;
        to: string;
      }[] | undefined;
    } | undefined;
    behaviour?: {
      /** From their beginning to ring, on this endpoint if it rings then, else on the first that does. */
      answer?: "never" | {
        after: number | {
          exponential: number;
        } | {
          uniform: [number, number];
        } | {
          fixed: number;
        };
        endpoint?: string | undefined;
      } | undefined;
      /** From their beginning to ring; the earlier of the two happens. */
      decline?: {
        after: number | {
          exponential: number;
        } | {
          uniform: [number, number];
        } | {
          fixed: number;
        };
      } | undefined;
      /** From their joining a call, or the answer to one that they dialled, to their hanging up. */
      talk?: number | {
        exponential: number;
      } | {
        uniform: [number, number];
      } | {
        fixed: number;
      } | undefined;
      /** How long they stay busy after a call. */
      wrapUp?: number | {
        exponential: number;
      } | {
        uniform: [number, number];
      } | {
        fixed: number;
      } | undefined;
    } | undefined;
  }[] | undefined;
  teams?: {
    id: string;
    displayName: string;
    extension: string;
    ivrKey?: string | undefined;
    members?: ({
      user: string;
      priority?: number | undefined;
    } | {
      device: string;
      priority?: number | undefined;
    })[] | undefined;
    timeout?: number | undefined;
    nextOfferTimeout?: number | undefined;
    unanswered?: {
      voicemail: true;
    } | {
      team: string;
    } | {
      external: string;
    } | undefined;
    hidden?: boolean | undefined;
    /** Changes nothing: every team has a voicemail. Organisations may go on to say so. */
    voicemail?: boolean | undefined;
  }[] | undefined;
  devices?: {
    id: string;
    displayName: string;
    extension: string;
    ivrKey?: string | undefined;
    sipAddress?: string | undefined;
    /** Whether it may dial outside numbers; default true. */
    outboundAllowed?: boolean | undefined;
  }[] | undefined;
  locations?: {
    name: string;
    address?: string | undefined;
    countryIso?: string | undefined;
    timezone?: string | undefined;
    id: string;
  }[] | undefined;
  phonebooks?: {
    contacts?: {
      name?: string | undefined;
      firstName?: string | null | undefined;
      lastName?: string | null | undefined;
      jobTitle?: string | null | undefined;
      phoneNumbers?: string[] | undefined;
      emailAddresses?: string[] | undefined;
      id: string;
    }[] | undefined;
    id: string;
    name?: string | undefined;
    countryIso?: string | null | undefined;
  }[] | undefined;
  trunks?: {
    id: string;
    name: string;
    devices?: {
      location?: string | null | undefined;
      model?: string | null | undefined;
      product?: string | null | undefined;
      displayName: string;
      extension: string;
      ivrKey?: string | undefined;
      description?: string | null | undefined;
      id: string;
    }[] | undefined;
    queues?: {
      displayName: string;
      extension: string;
      ivrKey?: string | undefined;
      description?: string | null | undefined;
      id: string;
    }[] | undefined;
    users?: {
      department?: string | null | undefined;
      jobTitle?: string | null | undefined;
      location?: string | null | undefined;
      manager?: string | null | undefined;
      user?: string | null | undefined;
      phoneNumbers?: string[] | undefined;
      displayName: string;
      extension: string;
      ivrKey?: string | undefined;
      description?: string | null | undefined;
      id: string;
    }[] | undefined;
  }[] | undefined;
  /** URLs; `readOrganisation` checks that they lead to endpoints that may be asked. */
  dataActions?: {
    outboundCall?: string | undefined;
    teamCall?: string | undefined;
    callInsights?: string | undefined;
    inboundConversations?: string | undefined;
  } | undefined;
  webhooks?: {
    url: string;
    /** Event types, or `*` for all. */
    events: (EventType | "*")[];
    description?: string | null | undefined;
    enabled?: boolean | undefined;
    /** What deliveries are signed with; default: one of its own, from the seed. */
    signingSecret?: string | undefined;
    /** The user who creates it, by id or e-mail address, and is told when it is disabled; default: the first active user. */
    createdBy?: string | undefined;
  }[] | undefined;
  tariff?: {
    currency: string;
    routes: {
      prefix: string;
      perMinute: number;
    }[];
  } | undefined;
}

/** How a user acts by themselves, as `behave` and an organisation take it. */
export interface UserBehaviour {
  /** From their beginning to ring, on this endpoint if it rings then, else on the first that does. */
  readonly answer?: "never" | {
    readonly after: DrawnDuration;
    readonly endpoint?: string | undefined;
  } | undefined;
  /** From their beginning to ring; the earlier of the two happens. */
  readonly decline?: {
    readonly after: DrawnDuration;
  } | undefined;
  /** From their joining a call, or the answer to one that they dialled, to their hanging up. */
  readonly talk?: DrawnDuration | undefined;
  /** How long they stay busy after a call. */
  readonly wrapUp?: DrawnDuration | undefined;
}

/** How an outside caller acts by themselves, as `inbound` and `traffic` take it. */
export interface CallerBehaviour {
  /** From the start of the call to their giving up, if nobody and no voicemail has answered by then. */
  readonly patience?: DrawnDuration | undefined;
  /** From the answer to their hanging up. */
  readonly talk?: DrawnDuration | undefined;
  /** At the tone they leave a message of this length, or they hang up as soon as voicemail takes the call. */
  readonly voicemail?: "hangUp" | {
    readonly duration: DrawnDuration;
    readonly transcript?: string | undefined;
  } | undefined;
}

/** The arguments of every command, by its name. */
export interface CommandInputs {
  route: {
    readonly status?: number | undefined;
    readonly headers?: { readonly [x: string]: string; } | undefined;
    readonly body?: unknown;
    readonly after?: DurationInput | undefined;
    readonly url: string;
  };
  fault: {
    readonly url: string;
    /** A status, `refuse` or `timeout`; default 503. */
    readonly status?: number | "timeout" | "refuse" | undefined;
    /** For so many requests; 0 ends the fault there was. */
    readonly times?: number | undefined;
    /** For so long, from now. */
    readonly for?: DurationInput | undefined;
    /** How long the endpoint takes to answer or refuse. */
    readonly after?: DurationInput | undefined;
  };
  deviate: {
    /** What it is about. `overlap` is an attempt that arrives while the one before is still being handled. */
    readonly what: "answer" | "attempt" | "request" | "overlap" | "timer" | "rest";
    /** From the start of the run. */
    readonly at: DurationInput;
    /** The type of the event, the data action (or `return`), the timer, or the method and path of the REST request. */
    readonly of: string;
    /** The webhook's id; needed where several are sent the same event. */
    readonly webhook?: string | undefined;
    /** Which attempt of its delivery; default 1. */
    readonly number?: number | undefined;
    /** Which of several that are alike in all of this; default 1. */
    readonly nth?: number | undefined;
    /** What happens. */
    readonly is: "unanswered" | "lost" | "duplicated" | "late" | "refused" | "rejected" | "overlapping" | "first" | "503" | "429" | "tokenExpired";
    /** How much later the second of two arrives, or how long to wait is said in the answer. */
    readonly after?: DurationInput | undefined;
    /** After how many others a late one arrives, 1 to 3, or which of the answers that wait comes first; default 1. */
    readonly by?: number | undefined;
  };
  conditions: {
    readonly url: string;
    /** How long a request takes to arrive. */
    readonly latency?: DrawnDuration | undefined;
    /** How likely a request is to be lost on the way. */
    readonly loss?: number | undefined;
    /** How likely a request is to arrive twice. */
    readonly duplicate?: number | undefined;
    /** How likely a request is to be held back, so that later ones overtake it. */
    readonly reorder?: number | undefined;
  };
  putPhonebooks: {
    readonly phonebooks: readonly {
      readonly contacts?: readonly {
        readonly name?: string | undefined;
        readonly firstName?: string | null | undefined;
        readonly lastName?: string | null | undefined;
        readonly jobTitle?: string | null | undefined;
        readonly phoneNumbers?: readonly string[] | undefined;
        readonly emailAddresses?: readonly string[] | undefined;
        readonly id?: string | undefined;
      }[] | undefined;
      readonly id: string;
      readonly name?: string | undefined;
      readonly countryIso?: string | null | undefined;
    }[];
  };
  putContacts: {
    readonly phonebook: string;
    readonly contacts: readonly {
      readonly name?: string | undefined;
      readonly firstName?: string | null | undefined;
      readonly lastName?: string | null | undefined;
      readonly jobTitle?: string | null | undefined;
      readonly phoneNumbers?: readonly string[] | undefined;
      readonly emailAddresses?: readonly string[] | undefined;
      readonly id?: string | undefined;
    }[];
  };
  removeContact: {
    readonly phonebook: string;
    readonly contact: string;
  };
  issueToken: {
    readonly client: string;
  };
  expireTokens: {};
  restFault: {
    /** Requests to this path and to those under it, such as `/calls`. The token endpoint and the redirect handler fail only by name. */
    readonly path?: string | undefined;
    readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined;
    /** What they are answered with. Default 503; without it but with `after` they are served, late. */
    readonly status?: number | undefined;
    /** What the header `retry-after` says, in whole seconds. */
    readonly retryAfter?: DurationInput | undefined;
    /** For so many requests; 0 ends the faults of this path and method. */
    readonly times?: number | undefined;
    /** For so long, from now. */
    readonly for?: DurationInput | undefined;
    /** How long the answer takes, on the virtual clock. */
    readonly after?: DurationInput | undefined;
  };
  restServed: {
    readonly method: string;
    readonly path: string;
    readonly body: string;
    readonly status: number;
    readonly answer: string;
    /** The client whose token it had. */
    readonly by?: string | undefined;
    /** The fault that answered instead of the platform, or held the answer back: the first that was made is 1. */
    readonly fault?: number | undefined;
    /** What happened in a world that is explored, instead of the usual: `503`, `429` or `tokenExpired`. */
    readonly deviation?: string | undefined;
    /** How much later the answer comes. */
    readonly after?: DurationInput | undefined;
  };
  behave: {
    readonly user: string;
    readonly behaviour: UserBehaviour;
  };
  setAvailability: {
    readonly user: string;
    readonly status: "available" | "busy" | "offline";
    readonly rule?: "doNotDisturb" | "outOfHours" | "loggedOut" | undefined;
    readonly reason?: string | undefined;
  };
  setEndpoint: {
    readonly user: string;
    readonly endpoint: string;
    readonly registered: boolean;
  };
  setUserStatus: {
    readonly user: string;
    readonly status: "invited" | "active" | "suspended";
  };
  setTeamMember: {
    readonly team: string;
    readonly user: string;
    readonly priority?: number | undefined;
  };
  removeTeamMember: {
    readonly team: string;
    readonly user: string;
  };
  inbound: {
    /** The caller's number, E.164. */
    readonly from: string;
    /** One of the organisation's numbers, E.164. */
    readonly to: string;
    /** The vendor's id for the call; default: one of its own, from the seed. */
    readonly vendorCallId?: string | undefined;
    /** Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all. */
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
    /** 1 highest to 9 lowest, 5 by default: the order in a team's queue. */
    readonly priority?: number | undefined;
    /** How the caller acts by themselves. */
    readonly behaviour?: CallerBehaviour | undefined;
  };
  outbound: {
    readonly from: string;
    readonly to: string;
    readonly callerId?: string | undefined;
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
  };
  internal: {
    readonly from: string;
    readonly to: string;
  };
  answer: {
    readonly call: string;
    readonly by: string;
    readonly endpoint?: string | undefined;
  };
  decline: {
    readonly busy?: boolean | undefined;
    readonly call: string;
    readonly by: string;
    readonly endpoint?: string | undefined;
  };
  hangup: {
    readonly call: string;
    readonly by: string;
  };
  move: {
    readonly call: string;
    readonly by: string;
    readonly to: string;
  };
  transfer: {
    readonly call: string;
    readonly target: string;
    readonly by: string;
    readonly warm?: boolean | undefined;
  };
  add: {
    readonly call: string;
    readonly target: string;
    readonly by: string;
  };
  note: {
    readonly call: string;
    readonly by: string;
    readonly text: string;
  };
  assignContact: {
    readonly call: string;
    readonly contact: string | {
      readonly name?: string | undefined;
      readonly firstName?: string | null | undefined;
      readonly lastName?: string | null | undefined;
      readonly jobTitle?: string | null | undefined;
      readonly phoneNumbers?: readonly string[] | undefined;
      readonly emailAddresses?: readonly string[] | undefined;
      readonly id?: string | undefined;
    };
    readonly by: string;
  };
  leaveVoicemail: {
    readonly call: string;
    readonly duration: DurationInput;
    readonly transcript?: string | undefined;
  };
  redirect: {
    readonly from: string;
    readonly to: string;
    readonly vendorCallId?: string | undefined;
    readonly extension: string;
    readonly organisationId?: string | undefined;
    /** Seconds, 5 to 60; out of range goes to the nearest bound. */
    readonly nextOfferTimeout?: string | number | boolean | undefined;
    /** 1 to 9; out of range is 5. */
    readonly priority?: string | number | boolean | undefined;
    /** What leads nowhere is ignored, so that nothing is wrong with these. */
    readonly returnTo?: string | undefined;
    /** A URL may be URL-encoded, as in a query. */
    readonly returnToId?: string | undefined;
    readonly sendToVoicemail?: string | number | boolean | undefined;
    /** Seconds, 10 to 70 for users and devices, 10 to 300 for teams; out of range goes to the nearest bound. */
    readonly timeout?: string | number | boolean | undefined;
    readonly passthroughParameters?: { readonly [x: string]: string; } | undefined;
  } & { readonly [key: string]: unknown; };
  connectApplication: {
    readonly from: string;
    readonly to: string;
    readonly vendorCallId?: string | undefined;
    readonly extension: string;
    readonly accountId: string;
    readonly parameters?: { readonly [x: string]: unknown; } | undefined;
  };
  dialLink: {
    readonly user: string;
    readonly contactNumber: string;
    readonly callerId?: string | undefined;
    readonly passthroughParameters?: { readonly [x: string]: string; } | undefined;
  } & { readonly [key: string]: unknown; };
  removeRecording: {
    readonly call: string;
    readonly recording: string;
  };
  removeTranscript: {
    readonly transcript: string;
  };
  createAnalysis: {
    readonly analyzer: string;
    readonly content: {
      readonly recordings: readonly {
        readonly id: string;
        readonly transcriptionModel?: string | undefined;
      }[];
    } | {
      readonly agent: string;
      readonly contentAnalysis: readonly {
        readonly id: string;
      }[];
    };
    readonly passthroughParameters?: { readonly [key: string]: unknown; } | undefined;
  };
  completeAnalysis: {
    readonly analysis: string;
  };
  removeAnalysis: {
    readonly analysis: string;
  };
  sendConversationMessage: {
    readonly closeTimer?: string | undefined;
    readonly conversationName?: string | undefined;
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
    readonly contactAddresses: readonly string[];
    readonly companyAddress: string;
    readonly messageContent: {
      /** May be left out beside media. */
      readonly text?: string | undefined;
      readonly media?: readonly (string | {
        readonly url: string;
        readonly mimeType?: string | undefined;
      })[] | undefined;
      /** The user on whose behalf it is sent: an e-mail address. */
      readonly sendAsUser?: string | undefined;
    };
    readonly channel?: "sms" | "whatsApp" | undefined;
    /** Required for a new conversation. */
    readonly routingAction?: "assign_users" | "do_not_route" | "assign_owner" | undefined;
    /** E-mail addresses. */
    readonly assignUsers?: readonly string[] | undefined;
    readonly claimRule?: string | undefined;
    readonly notificationMode?: "notify_unread" | "silent_unread" | "silent_read" | undefined;
  };
  sendMessage: {
    readonly closeTimer?: string | undefined;
    readonly conversationName?: string | undefined;
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
    readonly body: string;
    /** A user's e-mail address, or their number. */
    readonly from: string;
    readonly to: string;
    readonly notifyUsers?: boolean | undefined;
  };
  sendTeamMessage: {
    readonly closeTimer?: string | undefined;
    readonly conversationName?: string | undefined;
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
    readonly companyAddress: string;
    readonly contactAddress?: string | undefined;
    readonly contactAddresses?: readonly string[] | undefined;
    readonly channel?: "sms" | undefined;
    readonly messageContent: {
      /** May be left out beside media. */
      readonly text?: string | undefined;
      readonly media?: readonly (string | {
        readonly url: string;
        readonly mimeType?: string | undefined;
      })[] | undefined;
      /** The user on whose behalf it is sent: an e-mail address. */
      readonly sendAsUser?: string | undefined;
    };
    readonly routingAction?: "assign_users" | "do_not_route" | "assign_team" | undefined;
    readonly assignUsers?: readonly string[] | undefined;
    readonly claimRule?: string | undefined;
    readonly notifyUsers?: boolean | undefined;
  };
  receiveMessage: {
    readonly from: string;
    readonly to: string;
    /** The further contacts of a group. */
    readonly others?: readonly string[] | undefined;
    /** May be left out beside media. */
    readonly text?: string | undefined;
    readonly channel?: "sms" | "whatsApp" | undefined;
    readonly media?: readonly (string | {
      readonly url: string;
      readonly mimeType?: string | undefined;
    })[] | undefined;
  };
  closeConversation: {
    readonly conversation: string;
  };
  readConversation: {
    readonly conversation: string;
    readonly by: string;
  };
  assignConversationContact: {
    readonly conversation: string;
    readonly contact: string | {
      readonly name?: string | undefined;
      readonly firstName?: string | null | undefined;
      readonly lastName?: string | null | undefined;
      readonly jobTitle?: string | null | undefined;
      readonly phoneNumbers?: readonly string[] | undefined;
      readonly emailAddresses?: readonly string[] | undefined;
      readonly id?: string | undefined;
    };
  };
  shareContact: {
    readonly conversation: string;
    readonly contact: string | {
      readonly name?: string | undefined;
      readonly firstName?: string | null | undefined;
      readonly lastName?: string | null | undefined;
      readonly jobTitle?: string | null | undefined;
      readonly phoneNumbers?: readonly string[] | undefined;
      readonly emailAddresses?: readonly string[] | undefined;
      readonly id?: string | undefined;
    };
  };
  createWebhook: {
    readonly url: string;
    /** Event types, or `*` for all. */
    readonly events: readonly (EventType | "*")[];
    readonly description?: string | null | undefined;
    readonly enabled?: boolean | undefined;
    /** What deliveries are signed with; default: one of its own, from the seed. */
    readonly signingSecret?: string | undefined;
    /** The user who creates it, by id or e-mail address, and is told when it is disabled; default: the first active user. */
    readonly createdBy?: string | undefined;
  };
  updateWebhook: {
    readonly webhook: string;
    readonly url?: string | undefined;
    readonly events?: readonly (EventType | "*")[] | undefined;
    readonly description?: string | null | undefined;
    readonly enabled?: boolean | undefined;
  };
  removeWebhook: {
    readonly webhook: string;
  };
  createLocation: {
    readonly name: string;
    readonly address?: string | undefined;
    readonly countryIso?: string | undefined;
    readonly timezone?: string | undefined;
    readonly id?: string | undefined;
  };
  addUserToLocation: {
    readonly location: string;
    readonly user: string;
  };
  removeUserFromLocation: {
    readonly location: string;
    readonly user: string;
  };
  addTrunkEntry: {
    readonly location?: string | null | undefined;
    readonly model?: string | null | undefined;
    readonly product?: string | null | undefined;
    readonly displayName: string;
    readonly extension: string;
    readonly ivrKey?: string | undefined;
    readonly description?: string | null | undefined;
    readonly trunk: string;
    readonly kind: "device";
    readonly id?: string | undefined;
  } | {
    readonly displayName: string;
    readonly extension: string;
    readonly ivrKey?: string | undefined;
    readonly description?: string | null | undefined;
    readonly trunk: string;
    readonly kind: "queue";
    readonly id?: string | undefined;
  } | {
    readonly department?: string | null | undefined;
    readonly jobTitle?: string | null | undefined;
    readonly location?: string | null | undefined;
    readonly manager?: string | null | undefined;
    readonly user?: string | null | undefined;
    readonly phoneNumbers?: readonly string[] | undefined;
    readonly displayName: string;
    readonly extension: string;
    readonly ivrKey?: string | undefined;
    readonly description?: string | null | undefined;
    readonly trunk: string;
    readonly kind: "user";
    readonly id?: string | undefined;
  };
  updateTrunkEntry: {
    readonly location?: string | null | undefined;
    readonly model?: string | null | undefined;
    readonly product?: string | null | undefined;
    readonly displayName?: string | undefined;
    readonly extension?: string | undefined;
    readonly ivrKey?: string | undefined;
    readonly description?: string | null | undefined;
    readonly trunk: string;
    readonly kind: "device";
    readonly id: string;
  } | {
    readonly displayName?: string | undefined;
    readonly extension?: string | undefined;
    readonly ivrKey?: string | undefined;
    readonly description?: string | null | undefined;
    readonly trunk: string;
    readonly kind: "queue";
    readonly id: string;
  } | {
    readonly department?: string | null | undefined;
    readonly jobTitle?: string | null | undefined;
    readonly location?: string | null | undefined;
    readonly manager?: string | null | undefined;
    readonly user?: string | null | undefined;
    readonly phoneNumbers?: readonly string[] | undefined;
    readonly displayName?: string | undefined;
    readonly extension?: string | undefined;
    readonly ivrKey?: string | undefined;
    readonly description?: string | null | undefined;
    readonly trunk: string;
    readonly kind: "user";
    readonly id: string;
  };
  removeTrunkEntry: {
    readonly trunk: string;
    readonly kind: "user" | "device" | "queue";
    readonly id: string;
  };
  traffic: {
    readonly to: string;
    /** Between one call and the next. */
    readonly every: DrawnDuration;
    /** How long calls begin, from now. */
    readonly for: DurationInput;
    readonly behaviour?: CallerBehaviour | undefined;
    /** The first caller's number; the next ones count up from it. */
    readonly from?: string | undefined;
    /** As on `inbound`. */
    readonly priority?: number | undefined;
  };
}

/** What every command returns, by its name. */
export interface CommandResults {
  route: void;
  fault: void;
  deviate: void;
  conditions: void;
  putPhonebooks: string[];
  putContacts: string[];
  removeContact: void;
  issueToken: string;
  expireTokens: void;
  restFault: void;
  restServed: number;
  behave: void;
  setAvailability: void;
  setEndpoint: void;
  setUserStatus: void;
  setTeamMember: void;
  removeTeamMember: void;
  inbound: string;
  outbound: string;
  internal: string;
  answer: void;
  decline: void;
  hangup: void;
  move: void;
  transfer: void;
  add: void;
  note: string;
  assignContact: void;
  leaveVoicemail: void;
  redirect: string;
  connectApplication: string;
  dialLink: DialLinkResult;
  removeRecording: void;
  removeTranscript: void;
  createAnalysis: string;
  completeAnalysis: void;
  removeAnalysis: void;
  sendConversationMessage: SendResult;
  sendMessage: SendResult;
  sendTeamMessage: SendResult;
  receiveMessage: ReceiveResult;
  closeConversation: void;
  readConversation: void;
  assignConversationContact: void;
  shareContact: void;
  createWebhook: string;
  updateWebhook: void;
  removeWebhook: void;
  createLocation: string;
  addUserToLocation: void;
  removeUserFromLocation: void;
  addTrunkEntry: string;
  updateTrunkEntry: void;
  removeTrunkEntry: void;
  traffic: void;
}
