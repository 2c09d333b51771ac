/* Made from the schemas and their comments by `npm run generate`. Do not edit. */
import type { DurationInput } from "../foundation/instants.ts";
import type { DrawnDuration } from "../foundation/distributions.ts";
import type { DialLinkResult, EventType, ReceiveResult, SendResult, TransferResult } from "./records.ts";

/** What `createSimulator({ organisation })` and a scenario's `organisation` accept. */
export interface OrganisationInput {
  /** The organisation's id, used in events and redirect URLs. */
  readonly id: string;
  /** The organisation's name. */
  readonly name?: string | undefined;
  /** The id of the account that its application is called from. A call that `connectApplication` brings from another account is refused. @default any account is taken */
  readonly accountId?: string | undefined;
  /** Whose account with the carrier it uses: its `own`, whose media messages link to (`vendorResourceUrl`), or the `service`'s. @default "own" */
  readonly vendorAccount?: "own" | "service" | undefined;
  /** The country of its contacts' local numbers, by ISO 3166-1 alpha-2, such as `NZ`; a phonebook may have another. */
  readonly countryIso?: string | undefined;
  /** The default IANA time zone of users, such as `Pacific/Auckland`. @default "UTC" */
  readonly timezone?: string | undefined;
  /** What the account can do beyond calls. */
  readonly features?: {
    /** Records answered calls. @default false */
    readonly recording?: boolean | undefined;
    /** Makes transcripts of recordings and voicemails. @default false */
    readonly transcription?: boolean | undefined;
    /** Makes content analyses of recorded calls. @default false */
    readonly analysis?: boolean | undefined;
    /** Calculates what calls cost. @default false */
    readonly tariff?: boolean | undefined;
    /** Has trunks and their entries in the directory. @default false */
    readonly pbx?: boolean | undefined;
    /** Leaves `mobile` out of users. @default false */
    readonly excludeEmployeePhoneNumbers?: boolean | undefined;
  } | undefined;
  /** The organisation's phone numbers. @default [] */
  readonly numbers?: readonly {
    /** The number, E.164. */
    readonly number: string;
    /** The owner of the number: the id of a user, a team or a device. */
    readonly owner: string;
    /** Whether it can send and receive messages. @default false */
    readonly sms?: boolean | undefined;
  }[] | undefined;
  /** The people. @default [] */
  readonly users?: readonly {
    /** The user's id, unique in the directory. */
    readonly id: string;
    /** The e-mail address, unique in the directory. */
    readonly email: string;
    /** The name, as people see it. */
    readonly displayName: string;
    /** The extension number, digits, unique in the directory. */
    readonly extension: string;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    readonly ivrKey?: string | undefined;
    /** The first name. */
    readonly firstName?: string | undefined;
    /** The last name. */
    readonly lastName?: string | undefined;
    /** Whether the user takes part. Only active users are rung. @default "active" */
    readonly status?: "active" | "invited" | "suspended" | undefined;
    /** The IANA time zone of the working hours, such as `Pacific/Auckland`. @default the organisation's */
    readonly timezone?: string | undefined;
    /** The job title. */
    readonly jobTitle?: string | undefined;
    /** Whom the user reports to: another user's id. */
    readonly manager?: string | undefined;
    /** Where the user works: a location's id. */
    readonly location?: string | undefined;
    /** The mobile number, E.164. */
    readonly mobile?: string | undefined;
    /** The names of the licenses that the user has. @default [] */
    readonly licenses?: readonly string[] | undefined;
    /** The release channel that the desktop app is enrolled in. @default "stable" */
    readonly desktopEnrolledReleaseChannel?: string | undefined;
    /** Whether the user comes from the customer's own directory. @default false */
    readonly isDirectorySynced?: boolean | undefined;
    /** The apps and phones that ring for the user. `mobile` stands for `{ id: mobile, type: mobile }`. @default ["mobile"] */
    readonly endpoints?: readonly ("mobile" | "desktop" | "sip" | {
      /** The endpoint's id, unique for its user. */
      readonly id: string;
      /** Whether it is a mobile app, a desktop app or a SIP phone. */
      readonly type: "desktop" | "mobile" | "sip";
      /** Whether it is signed in at the start. Only registered endpoints ring. @default true */
      readonly registered?: boolean | undefined;
    })[] | undefined;
    /** Whether unanswered calls go to a voicemail. @default true */
    readonly voicemail?: boolean | undefined;
    /** When the user works, by day of the week. @default always */
    readonly workingHours?: {
      /** The hours of Mondays; left out: a day off. */
      readonly monday?: readonly {
        /** When work begins, local time such as `09:00`. */
        readonly from: string;
        /** When work ends, local time, at most `24:00`. */
        readonly to: string;
      }[] | undefined;
      /** The hours of Tuesdays; left out: a day off. */
      readonly tuesday?: readonly {
        /** When work begins, local time such as `09:00`. */
        readonly from: string;
        /** When work ends, local time, at most `24:00`. */
        readonly to: string;
      }[] | undefined;
      /** The hours of Wednesdays; left out: a day off. */
      readonly wednesday?: readonly {
        /** When work begins, local time such as `09:00`. */
        readonly from: string;
        /** When work ends, local time, at most `24:00`. */
        readonly to: string;
      }[] | undefined;
      /** The hours of Thursdays; left out: a day off. */
      readonly thursday?: readonly {
        /** When work begins, local time such as `09:00`. */
        readonly from: string;
        /** When work ends, local time, at most `24:00`. */
        readonly to: string;
      }[] | undefined;
      /** The hours of Fridays; left out: a day off. */
      readonly friday?: readonly {
        /** When work begins, local time such as `09:00`. */
        readonly from: string;
        /** When work ends, local time, at most `24:00`. */
        readonly to: string;
      }[] | undefined;
      /** The hours of Saturdays; left out: a day off. */
      readonly saturday?: readonly {
        /** When work begins, local time such as `09:00`. */
        readonly from: string;
        /** When work ends, local time, at most `24:00`. */
        readonly to: string;
      }[] | undefined;
      /** The hours of Sundays; left out: a day off. */
      readonly sunday?: readonly {
        /** When work begins, local time such as `09:00`. */
        readonly from: string;
        /** When work ends, local time, at most `24:00`. */
        readonly to: string;
      }[] | undefined;
    } | undefined;
    /** How the user acts by themselves. @default only by commands */
    readonly behaviour?: UserBehaviour | undefined;
  }[] | undefined;
  /** The call groups. @default [] */
  readonly teams?: readonly {
    /** The team's id, unique in the directory. */
    readonly id: string;
    /** The name, as people see it. */
    readonly displayName: string;
    /** The extension number, digits, unique in the directory. */
    readonly extension: string;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    readonly ivrKey?: string | undefined;
    /** The users and devices to which its calls are offered. @default [] */
    readonly members?: readonly ({
      /** A user's id. */
      readonly user: string;
      /** The offer priority, 1 to 100; 1 is rung first. A team with two tiers has members of two priorities. @default 1 */
      readonly priority?: number | undefined;
    } | {
      /** A device's id. */
      readonly device: string;
      /** The offer priority, 1 to 100; 1 is rung first. A team with two tiers has members of two priorities. @default 1 */
      readonly priority?: number | undefined;
    })[] | undefined;
    /** How long a call is offered to the team. @default `timing.teamTimeout` */
    readonly timeout?: DurationInput | undefined;
    /** How long one tier rings before the next tier rings, above 0. @default `timing.nextOfferTimeout` */
    readonly nextOfferTimeout?: DurationInput | undefined;
    /** What happens to a call that nobody answers. @default it closes */
    readonly unanswered?: {
      /** Voicemail takes the call. */
      readonly voicemail: true;
    } | {
      /** Another team is offered the call, by its id. */
      readonly team: string;
    } | {
      /** An outside number is rung, E.164. */
      readonly external: string;
    } | undefined;
    /** Whether listings of the directory leave the team out unless asked for hidden teams. @default false */
    readonly hidden?: boolean | undefined;
    /** Has no effect, since every team has voicemail. Accepted for older organisations. */
    readonly voicemail?: boolean | undefined;
  }[] | undefined;
  /** The phones that belong to no user. @default [] */
  readonly devices?: readonly {
    /** The device's id, unique in the directory. */
    readonly id: string;
    /** The name, as people see it. */
    readonly displayName: string;
    /** The extension number, digits, unique in the directory. */
    readonly extension: string;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    readonly ivrKey?: string | undefined;
    /** The SIP address, such as `sip:lobby@acme.test`. */
    readonly sipAddress?: string | undefined;
    /** Whether it may dial outside numbers. @default true */
    readonly outboundAllowed?: boolean | undefined;
  }[] | undefined;
  /** The places where people work. @default [] */
  readonly locations?: readonly {
    /** The location's name. */
    readonly name: string;
    /** The postal address. */
    readonly address?: string | undefined;
    /** The country, by ISO 3166-1 alpha-2, such as `NZ`. */
    readonly countryIso?: string | undefined;
    /** The IANA time zone, such as `Pacific/Auckland`. */
    readonly timezone?: string | undefined;
    /** The location's id. */
    readonly id: string;
  }[] | undefined;
  /** The phonebooks with outside contacts. @default [] */
  readonly phonebooks?: readonly {
    /** The contacts in it. @default [] */
    readonly contacts?: readonly {
      /** The whole name, as people see it. @default the first and the last name */
      readonly name?: string | undefined;
      /** The first name; null if unknown. */
      readonly firstName?: string | null | undefined;
      /** The last name; null if unknown. */
      readonly lastName?: string | null | undefined;
      /** The job title; null if unknown. */
      readonly jobTitle?: string | null | undefined;
      /** The company that the contact works for; null if unknown. The profile `observed` shows it. */
      readonly companyName?: string | null | undefined;
      /** Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation, with the option `phoneNumbers`; otherwise it matches nobody. */
      readonly phoneNumbers?: readonly (string | {
        /** The number as it is written, such as `021 555 001`. */
        readonly written: string;
        /** The number in E.164, as it was read. @default `written`, if it is E.164 or can be read */
        readonly e164?: string | undefined;
        /** What the number is called, such as `mobile`, which the profile `observed` shows. */
        readonly label?: string | null | undefined;
      })[] | undefined;
      /** E-mail addresses. */
      readonly emailAddresses?: readonly string[] | undefined;
      /** The contact's id. */
      readonly id: string;
    }[] | undefined;
    /** What the phonebook is for; null if unknown. The profile `observed` shows it. */
    readonly description?: string | null | undefined;
    /** The phonebook's id, or a user's e-mail address for their personal one. */
    readonly id: string;
    /** The phonebook's name. */
    readonly name?: string | undefined;
    /** The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
    readonly countryIso?: string | null | undefined;
  }[] | undefined;
  /** SIP trunks to other phone systems, with `features.pbx`. @default [] */
  readonly trunks?: readonly {
    /** The trunk's id. */
    readonly id: string;
    /** The trunk's name. */
    readonly name: string;
    /** The devices behind the trunk. @default [] */
    readonly devices?: readonly {
      /** The place, in words; null if unknown. */
      readonly location?: string | null | undefined;
      /** Its model; null if unknown. */
      readonly model?: string | null | undefined;
      /** Its product line; null if unknown. */
      readonly product?: string | null | undefined;
      /** The name, as people see it. */
      readonly displayName: string;
      /** The extension number, digits, unique in the directory. */
      readonly extension: string;
      /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
      readonly ivrKey?: string | undefined;
      /** A description; null for none. */
      readonly description?: string | null | undefined;
      /** The entry's id, unique in the directory. */
      readonly id: string;
    }[] | undefined;
    /** The queues behind the trunk. @default [] */
    readonly queues?: readonly {
      /** The name, as people see it. */
      readonly displayName: string;
      /** The extension number, digits, unique in the directory. */
      readonly extension: string;
      /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
      readonly ivrKey?: string | undefined;
      /** A description; null for none. */
      readonly description?: string | null | undefined;
      /** The entry's id, unique in the directory. */
      readonly id: string;
    }[] | undefined;
    /** The users behind the trunk. @default [] */
    readonly users?: readonly {
      /** The department; null if unknown. */
      readonly department?: string | null | undefined;
      /** The job title; null if unknown. */
      readonly jobTitle?: string | null | undefined;
      /** The place, in words; null if unknown. */
      readonly location?: string | null | undefined;
      /** Whom they report to; null if unknown. */
      readonly manager?: string | null | undefined;
      /** The user of the service whom they are associated with, by id or e-mail address; null if none. */
      readonly user?: string | null | undefined;
      /** Their own phone numbers, E.164. @default [] */
      readonly phoneNumbers?: readonly string[] | undefined;
      /** The name, as people see it. */
      readonly displayName: string;
      /** The extension number, digits, unique in the directory. */
      readonly extension: string;
      /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
      readonly ivrKey?: string | undefined;
      /** A description; null for none. */
      readonly description?: string | null | undefined;
      /** The entry's id, unique in the directory. */
      readonly id: string;
    }[] | undefined;
  }[] | undefined;
  /** Endpoints that the platform asks how to go on: https URLs at public hosts, unless the option `allowLocal` is set. */
  readonly dataActions?: {
    /** Asked whether an outbound call may be made. */
    readonly outboundCall?: string | undefined;
    /** Asked each time a call is about to be queued for a team. */
    readonly teamCall?: string | undefined;
    /** Asked for the cards that people see with a call. */
    readonly callInsights?: string | undefined;
    /** Asked when a message from outside begins a conversation. */
    readonly inboundConversations?: string | undefined;
  } | undefined;
  /** The webhooks that exist from the start. @default [] */
  readonly webhooks?: readonly {
    /** The secret with which deliveries are signed. @default a new one, from the seed */
    readonly signingSecret?: string | undefined;
    /** The user who creates it, by id or e-mail address. They are notified when it is disabled. @default the first active user */
    readonly createdBy?: string | undefined;
    /** `production` or `test`, which the profile `observed` shows. It changes nothing else. @default "production" */
    readonly mode?: "production" | "test" | undefined;
    /** Where events are sent: an https URL at a public host, unless the option `allowLocal` is set. */
    readonly url: string;
    /** The event types to deliver, or `*` for all; those that the dialect declares are allowed. */
    readonly events: readonly (EventType | "*" | (string & Record<never, never>))[];
    /** A description; null or left out for none. */
    readonly description?: string | null | undefined;
    /** Whether events are delivered to it. @default true */
    readonly enabled?: boolean | undefined;
  }[] | undefined;
  /** What calls cost, with `features.tariff`. */
  readonly tariff?: {
    /** The currency of the prices, such as `NZD`. */
    readonly currency: string;
    /** The prices. The longest matching prefix of a number wins. */
    readonly routes: readonly {
      /** The start of the numbers to which the price applies, such as `+64`. */
      readonly prefix: string;
      /** The price of a minute, in the currency. */
      readonly perMinute: number;
    }[];
  } | undefined;
}

/** The same with every duration in milliseconds. */
export interface Organisation {
  /** The organisation's id, used in events and redirect URLs. */
  id: string;
  /** The organisation's name. */
  name?: string | undefined;
  /** The id of the account that its application is called from. A call that `connectApplication` brings from another account is refused. @default any account is taken */
  accountId?: string | undefined;
  /** Whose account with the carrier it uses: its `own`, whose media messages link to (`vendorResourceUrl`), or the `service`'s. @default "own" */
  vendorAccount?: "own" | "service" | undefined;
  /** The country of its contacts' local numbers, by ISO 3166-1 alpha-2, such as `NZ`; a phonebook may have another. */
  countryIso?: string | undefined;
  /** The default IANA time zone of users, such as `Pacific/Auckland`. @default "UTC" */
  timezone?: string | undefined;
  /** What the account can do beyond calls. */
  features?: {
    /** Records answered calls. @default false */
    recording?: boolean | undefined;
    /** Makes transcripts of recordings and voicemails. @default false */
    transcription?: boolean | undefined;
    /** Makes content analyses of recorded calls. @default false */
    analysis?: boolean | undefined;
    /** Calculates what calls cost. @default false */
    tariff?: boolean | undefined;
    /** Has trunks and their entries in the directory. @default false */
    pbx?: boolean | undefined;
    /** Leaves `mobile` out of users. @default false */
    excludeEmployeePhoneNumbers?: boolean | undefined;
  } | undefined;
  /** The organisation's phone numbers. @default [] */
  numbers?: {
    /** The number, E.164. */
    number: string;
    /** The owner of the number: the id of a user, a team or a device. */
    owner: string;
    /** Whether it can send and receive messages. @default false */
    sms?: boolean | undefined;
  }[] | undefined;
  /** The people. @default [] */
  users?: {
    /** The user's id, unique in the directory. */
    id: string;
    /** The e-mail address, unique in the directory. */
    email: string;
    /** The name, as people see it. */
    displayName: string;
    /** The extension number, digits, unique in the directory. */
    extension: string;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    ivrKey?: string | undefined;
    /** The first name. */
    firstName?: string | undefined;
    /** The last name. */
    lastName?: string | undefined;
    /** Whether the user takes part. Only active users are rung. @default "active" */
    status?: "active" | "invited" | "suspended" | undefined;
    /** The IANA time zone of the working hours, such as `Pacific/Auckland`. @default the organisation's */
    timezone?: string | undefined;
    /** The job title. */
    jobTitle?: string | undefined;
    /** Whom the user reports to: another user's id. */
    manager?: string | undefined;
    /** Where the user works: a location's id. */
    location?: string | undefined;
    /** The mobile number, E.164. */
    mobile?: string | undefined;
    /** The names of the licenses that the user has. @default [] */
    licenses?: string[] | undefined;
    /** The release channel that the desktop app is enrolled in. @default "stable" */
    desktopEnrolledReleaseChannel?: string | undefined;
    /** Whether the user comes from the customer's own directory. @default false */
    isDirectorySynced?: boolean | undefined;
    /** The apps and phones that ring for the user. `mobile` stands for `{ id: mobile, type: mobile }`. @default ["mobile"] */
    endpoints?: ("mobile" | "desktop" | "sip" | {
      /** The endpoint's id, unique for its user. */
      id: string;
      /** Whether it is a mobile app, a desktop app or a SIP phone. */
      type: "desktop" | "mobile" | "sip";
      /** Whether it is signed in at the start. Only registered endpoints ring. @default true */
      registered?: boolean | undefined;
    })[] | undefined;
    /** Whether unanswered calls go to a voicemail. @default true */
    voicemail?: boolean | undefined;
    /** When the user works, by day of the week. @default always */
    workingHours?: {
      /** The hours of Mondays; left out: a day off. */
      monday?: {
        /** When work begins, local time such as `09:00`. */
        from: string;
        /** When work ends, local time, at most `24:00`. */
        to: string;
      }[] | undefined;
      /** The hours of Tuesdays; left out: a day off. */
      tuesday?: {
        /** When work begins, local time such as `09:00`. */
        from: string;
        /** When work ends, local time, at most `24:00`. */
        to: string;
      }[] | undefined;
      /** The hours of Wednesdays; left out: a day off. */
      wednesday?: {
        /** When work begins, local time such as `09:00`. */
        from: string;
        /** When work ends, local time, at most `24:00`. */
        to: string;
      }[] | undefined;
      /** The hours of Thursdays; left out: a day off. */
      thursday?: {
        /** When work begins, local time such as `09:00`. */
        from: string;
        /** When work ends, local time, at most `24:00`. */
        to: string;
      }[] | undefined;
      /** The hours of Fridays; left out: a day off. */
      friday?: {
        /** When work begins, local time such as `09:00`. */
        from: string;
        /** When work ends, local time, at most `24:00`. */
        to: string;
      }[] | undefined;
      /** The hours of Saturdays; left out: a day off. */
      saturday?: {
        /** When work begins, local time such as `09:00`. */
        from: string;
        /** When work ends, local time, at most `24:00`. */
        to: string;
      }[] | undefined;
      /** The hours of Sundays; left out: a day off. */
      sunday?: {
        /** When work begins, local time such as `09:00`. */
        from: string;
        /** When work ends, local time, at most `24:00`. */
        to: string;
      }[] | undefined;
    } | undefined;
    /** How the user acts by themselves. @default only by commands */
    behaviour?: {
      /** When they answer, counted from the beginning of the ring. */
      answer?: "never" | {
        /** How long they let it ring. */
        after: number | {
          /** The mean of an exponential distribution. */
          exponential: number;
        } | {
          /** The shortest and the longest duration. All between them are equally likely. */
          uniform: [number, number];
        } | {
          /** A duration that is always the same. */
          fixed: number;
        };
        /** The id of the endpoint to answer on, if it still rings. @default the first that rings */
        endpoint?: string | undefined;
      } | undefined;
      /** When they decline, counted from the beginning of the ring. If `answer` is also given, the earlier one happens. */
      decline?: {
        /** How long they let it ring. */
        after: number | {
          /** The mean of an exponential distribution. */
          exponential: number;
        } | {
          /** The shortest and the longest duration. All between them are equally likely. */
          uniform: [number, number];
        } | {
          /** A duration that is always the same. */
          fixed: number;
        };
      } | undefined;
      /** How long they talk before they hang up, from joining a call or from the answer to a call that they dialled. */
      talk?: number | {
        /** The mean of an exponential distribution. */
        exponential: number;
      } | {
        /** The shortest and the longest duration. All between them are equally likely. */
        uniform: [number, number];
      } | {
        /** A duration that is always the same. */
        fixed: number;
      } | undefined;
      /** How long they stay busy after a call. */
      wrapUp?: number | {
        /** The mean of an exponential distribution. */
        exponential: number;
      } | {
        /** The shortest and the longest duration. All between them are equally likely. */
        uniform: [number, number];
      } | {
        /** A duration that is always the same. */
        fixed: number;
      } | undefined;
    } | undefined;
  }[] | undefined;
  /** The call groups. @default [] */
  teams?: {
    /** The team's id, unique in the directory. */
    id: string;
    /** The name, as people see it. */
    displayName: string;
    /** The extension number, digits, unique in the directory. */
    extension: string;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    ivrKey?: string | undefined;
    /** The users and devices to which its calls are offered. @default [] */
    members?: ({
      /** A user's id. */
      user: string;
      /** The offer priority, 1 to 100; 1 is rung first. A team with two tiers has members of two priorities. @default 1 */
      priority?: number | undefined;
    } | {
      /** A device's id. */
      device: string;
      /** The offer priority, 1 to 100; 1 is rung first. A team with two tiers has members of two priorities. @default 1 */
      priority?: number | undefined;
    })[] | undefined;
    /** How long a call is offered to the team. @default `timing.teamTimeout` */
    timeout?: number | undefined;
    /** How long one tier rings before the next tier rings, above 0. @default `timing.nextOfferTimeout` */
    nextOfferTimeout?: number | undefined;
    /** What happens to a call that nobody answers. @default it closes */
    unanswered?: {
      /** Voicemail takes the call. */
      voicemail: true;
    } | {
      /** Another team is offered the call, by its id. */
      team: string;
    } | {
      /** An outside number is rung, E.164. */
      external: string;
    } | undefined;
    /** Whether listings of the directory leave the team out unless asked for hidden teams. @default false */
    hidden?: boolean | undefined;
    /** Has no effect, since every team has voicemail. Accepted for older organisations. */
    voicemail?: boolean | undefined;
  }[] | undefined;
  /** The phones that belong to no user. @default [] */
  devices?: {
    /** The device's id, unique in the directory. */
    id: string;
    /** The name, as people see it. */
    displayName: string;
    /** The extension number, digits, unique in the directory. */
    extension: string;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    ivrKey?: string | undefined;
    /** The SIP address, such as `sip:lobby@acme.test`. */
    sipAddress?: string | undefined;
    /** Whether it may dial outside numbers. @default true */
    outboundAllowed?: boolean | undefined;
  }[] | undefined;
  /** The places where people work. @default [] */
  locations?: {
    /** The location's name. */
    name: string;
    /** The postal address. */
    address?: string | undefined;
    /** The country, by ISO 3166-1 alpha-2, such as `NZ`. */
    countryIso?: string | undefined;
    /** The IANA time zone, such as `Pacific/Auckland`. */
    timezone?: string | undefined;
    /** The location's id. */
    id: string;
  }[] | undefined;
  /** The phonebooks with outside contacts. @default [] */
  phonebooks?: {
    /** The contacts in it. @default [] */
    contacts?: {
      /** The whole name, as people see it. @default the first and the last name */
      name?: string | undefined;
      /** The first name; null if unknown. */
      firstName?: string | null | undefined;
      /** The last name; null if unknown. */
      lastName?: string | null | undefined;
      /** The job title; null if unknown. */
      jobTitle?: string | null | undefined;
      /** The company that the contact works for; null if unknown. The profile `observed` shows it. */
      companyName?: string | null | undefined;
      /** Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation, with the option `phoneNumbers`; otherwise it matches nobody. */
      phoneNumbers?: (string | {
        /** The number as it is written, such as `021 555 001`. */
        written: string;
        /** The number in E.164, as it was read. @default `written`, if it is E.164 or can be read */
        e164?: string | undefined;
        /** What the number is called, such as `mobile`, which the profile `observed` shows. */
        label?: string | null | undefined;
      })[] | undefined;
      /** E-mail addresses. */
      emailAddresses?: string[] | undefined;
      /** The contact's id. */
      id: string;
    }[] | undefined;
    /** What the phonebook is for; null if unknown. The profile `observed` shows it. */
    description?: string | null | undefined;
    /** The phonebook's id, or a user's e-mail address for their personal one. */
    id: string;
    /** The phonebook's name. */
    name?: string | undefined;
    /** The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
    countryIso?: string | null | undefined;
  }[] | undefined;
  /** SIP trunks to other phone systems, with `features.pbx`. @default [] */
  trunks?: {
    /** The trunk's id. */
    id: string;
    /** The trunk's name. */
    name: string;
    /** The devices behind the trunk. @default [] */
    devices?: {
      /** The place, in words; null if unknown. */
      location?: string | null | undefined;
      /** Its model; null if unknown. */
      model?: string | null | undefined;
      /** Its product line; null if unknown. */
      product?: string | null | undefined;
      /** The name, as people see it. */
      displayName: string;
      /** The extension number, digits, unique in the directory. */
      extension: string;
      /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
      ivrKey?: string | undefined;
      /** A description; null for none. */
      description?: string | null | undefined;
      /** The entry's id, unique in the directory. */
      id: string;
    }[] | undefined;
    /** The queues behind the trunk. @default [] */
    queues?: {
      /** The name, as people see it. */
      displayName: string;
      /** The extension number, digits, unique in the directory. */
      extension: string;
      /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
      ivrKey?: string | undefined;
      /** A description; null for none. */
      description?: string | null | undefined;
      /** The entry's id, unique in the directory. */
      id: string;
    }[] | undefined;
    /** The users behind the trunk. @default [] */
    users?: {
      /** The department; null if unknown. */
      department?: string | null | undefined;
      /** The job title; null if unknown. */
      jobTitle?: string | null | undefined;
      /** The place, in words; null if unknown. */
      location?: string | null | undefined;
      /** Whom they report to; null if unknown. */
      manager?: string | null | undefined;
      /** The user of the service whom they are associated with, by id or e-mail address; null if none. */
      user?: string | null | undefined;
      /** Their own phone numbers, E.164. @default [] */
      phoneNumbers?: string[] | undefined;
      /** The name, as people see it. */
      displayName: string;
      /** The extension number, digits, unique in the directory. */
      extension: string;
      /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
      ivrKey?: string | undefined;
      /** A description; null for none. */
      description?: string | null | undefined;
      /** The entry's id, unique in the directory. */
      id: string;
    }[] | undefined;
  }[] | undefined;
  /** Endpoints that the platform asks how to go on: https URLs at public hosts, unless the option `allowLocal` is set. */
  dataActions?: {
    /** Asked whether an outbound call may be made. */
    outboundCall?: string | undefined;
    /** Asked each time a call is about to be queued for a team. */
    teamCall?: string | undefined;
    /** Asked for the cards that people see with a call. */
    callInsights?: string | undefined;
    /** Asked when a message from outside begins a conversation. */
    inboundConversations?: string | undefined;
  } | undefined;
  /** The webhooks that exist from the start. @default [] */
  webhooks?: {
    /** The secret with which deliveries are signed. @default a new one, from the seed */
    signingSecret?: string | undefined;
    /** The user who creates it, by id or e-mail address. They are notified when it is disabled. @default the first active user */
    createdBy?: string | undefined;
    /** `production` or `test`, which the profile `observed` shows. It changes nothing else. @default "production" */
    mode?: "production" | "test" | undefined;
    /** Where events are sent: an https URL at a public host, unless the option `allowLocal` is set. */
    url: string;
    /** The event types to deliver, or `*` for all; those that the dialect declares are allowed. */
    events: (EventType | "*" | (string & Record<never, never>))[];
    /** A description; null or left out for none. */
    description?: string | null | undefined;
    /** Whether events are delivered to it. @default true */
    enabled?: boolean | undefined;
  }[] | undefined;
  /** What calls cost, with `features.tariff`. */
  tariff?: {
    /** The currency of the prices, such as `NZD`. */
    currency: string;
    /** The prices. The longest matching prefix of a number wins. */
    routes: {
      /** The start of the numbers to which the price applies, such as `+64`. */
      prefix: string;
      /** The price of a minute, in the currency. */
      perMinute: number;
    }[];
  } | undefined;
}

/** How a user acts by themselves, as `behave` and an organisation take it. */
export interface UserBehaviour {
  /** When they answer, counted from the beginning of the ring. */
  readonly answer?: "never" | {
    /** How long they let it ring. */
    readonly after: DrawnDuration;
    /** The id of the endpoint to answer on, if it still rings. @default the first that rings */
    readonly endpoint?: string | undefined;
  } | undefined;
  /** When they decline, counted from the beginning of the ring. If `answer` is also given, the earlier one happens. */
  readonly decline?: {
    /** How long they let it ring. */
    readonly after: DrawnDuration;
  } | undefined;
  /** How long they talk before they hang up, from joining a call or from the answer to a call that they dialled. */
  readonly talk?: DrawnDuration | undefined;
  /** How long they stay busy after a call. */
  readonly wrapUp?: DrawnDuration | undefined;
}

/** How an outside caller acts by themselves, as `inbound` and `traffic` take it. */
export interface CallerBehaviour {
  /** How long they wait before they give up, from the start of the call. An answer, also by voicemail, ends the wait. */
  readonly patience?: DrawnDuration | undefined;
  /** How long they talk before they hang up, from the answer. */
  readonly talk?: DrawnDuration | undefined;
  /** The message that they leave at the tone. Without one they hang up when voicemail takes the call. */
  readonly voicemail?: "hangUp" | {
    /** How long the message is. */
    readonly duration: DrawnDuration;
    /** What they say. @default nothing */
    readonly transcript?: string | undefined;
  } | undefined;
}

/** The arguments of every command, by its name. */
export interface CommandInputs {
  route: {
    /** The status, 100 to 599; default 200. */
    readonly status?: number | undefined;
    /** The headers; default: none. */
    readonly headers?: { readonly [x: string]: string; } | undefined;
    /** The body: text, or anything that becomes JSON; default: empty. */
    readonly body?: unknown;
    /** How long the answer takes; default: no time. */
    readonly after?: DurationInput | undefined;
    /** The answer is for URLs that start like this. The longest matching start wins. */
    readonly url: string;
  };
  fault: {
    /** The fault holds for URLs that start like this. The longest matching start wins. */
    readonly url: string;
    /** How they fail: a status; `refused` (also `refuse`); `unanswered`: they handle it, and the answer is lost; `timeout`. @default 503 */
    readonly status?: number | "refuse" | "refused" | "timeout" | "unanswered" | undefined;
    /** For how many requests; 0 ends the present fault. */
    readonly times?: number | undefined;
    /** For how long, from now. */
    readonly for?: DurationInput | undefined;
    /** How long the endpoint takes to answer or refuse. */
    readonly after?: DurationInput | undefined;
  };
  /** @deprecated Now `deviations`. */
  deviate: {
    /** What it is about. `overlap` is an attempt that arrives while the one before is still being handled. */
    readonly what: "answer" | "attempt" | "dependency" | "overlap" | "request" | "rest" | "timer" | "wait";
    /** When it happens, from the start of the run. */
    readonly at: DurationInput;
    /** The type of the event, the data action (or `return`), or the timer. For others the method and path of the REST request, the dependency and what it is asked, or how long the app waits. */
    readonly of: string;
    /** The webhook's id. Needed if several webhooks get the same event. */
    readonly webhook?: string | undefined;
    /** Which attempt of its delivery. @default 1 */
    readonly number?: number | undefined;
    /** Which of several that are alike in all of the above. @default 1 */
    readonly nth?: number | undefined;
    /** What happens instead of the usual. */
    readonly is: "429" | "503" | "behind" | "duplicated" | "first" | "late" | "lost" | "never" | "outage" | "overlapping" | "refused" | "rejected" | "restarted" | "restartedAfter" | "slow" | "tokenExpired" | "unanswered";
    /** How much later the second of two requests arrives, or how long the answer says to wait. */
    readonly after?: DurationInput | undefined;
    /** After how many others a late request arrives, 1 to 3, or which of the waiting answers comes first. @default 1 */
    readonly by?: number | undefined;
  };
  /** @deprecated Now `fault`. */
  conditions: {
    /** The fault holds for URLs that start like this. The longest matching start wins. */
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
    /** The phonebooks. Each replaces the whole phonebook with its id. */
    readonly phonebooks: readonly {
      /** All contacts of the phonebook from now on. @default [] */
      readonly contacts?: readonly {
        /** The whole name, as people see it. @default the first and the last name */
        readonly name?: string | undefined;
        /** The first name; null if unknown. */
        readonly firstName?: string | null | undefined;
        /** The last name; null if unknown. */
        readonly lastName?: string | null | undefined;
        /** The job title; null if unknown. */
        readonly jobTitle?: string | null | undefined;
        /** The company that the contact works for; null if unknown. The profile `observed` shows it. */
        readonly companyName?: string | null | undefined;
        /** Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation, with the option `phoneNumbers`; otherwise it matches nobody. */
        readonly phoneNumbers?: readonly (string | {
          /** The number as it is written, such as `021 555 001`. */
          readonly written: string;
          /** The number in E.164, as it was read. @default `written`, if it is E.164 or can be read */
          readonly e164?: string | undefined;
          /** What the number is called, such as `mobile`, which the profile `observed` shows. */
          readonly label?: string | null | undefined;
        })[] | undefined;
        /** E-mail addresses. */
        readonly emailAddresses?: readonly string[] | undefined;
        /** The contact's id. @default a new one */
        readonly id?: string | undefined;
      }[] | undefined;
      /** What the phonebook is for; null if unknown. The profile `observed` shows it. */
      readonly description?: string | null | undefined;
      /** The phonebook's id, or a user's e-mail address for their personal one. */
      readonly id: string;
      /** The phonebook's name. */
      readonly name?: string | undefined;
      /** The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
      readonly countryIso?: string | null | undefined;
    }[];
  };
  putContacts: {
    /** The phonebook's id, or a user's e-mail address for their personal one. */
    readonly phonebook: string;
    /** The contacts to add. Each replaces the one with its id. */
    readonly contacts: readonly {
      /** The whole name, as people see it. @default the first and the last name */
      readonly name?: string | undefined;
      /** The first name; null if unknown. */
      readonly firstName?: string | null | undefined;
      /** The last name; null if unknown. */
      readonly lastName?: string | null | undefined;
      /** The job title; null if unknown. */
      readonly jobTitle?: string | null | undefined;
      /** The company that the contact works for; null if unknown. The profile `observed` shows it. */
      readonly companyName?: string | null | undefined;
      /** Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation, with the option `phoneNumbers`; otherwise it matches nobody. */
      readonly phoneNumbers?: readonly (string | {
        /** The number as it is written, such as `021 555 001`. */
        readonly written: string;
        /** The number in E.164, as it was read. @default `written`, if it is E.164 or can be read */
        readonly e164?: string | undefined;
        /** What the number is called, such as `mobile`, which the profile `observed` shows. */
        readonly label?: string | null | undefined;
      })[] | undefined;
      /** E-mail addresses. */
      readonly emailAddresses?: readonly string[] | undefined;
      /** The contact's id. @default a new one */
      readonly id?: string | undefined;
    }[];
  };
  removeContact: {
    /** The phonebook's id, or a user's e-mail address for their personal one. */
    readonly phonebook: string;
    /** The contact's id. */
    readonly contact: string;
  };
  issueToken: {
    /** The id of the client that the token is for. */
    readonly client: string;
  };
  expireTokens: {};
  /** @deprecated Now `fault`. */
  restFault: {
    /** The path, such as `/calls`; paths under it fail too. The token endpoint and the redirect handler fail only if named. */
    readonly path?: string | undefined;
    /** Requests with this method. @default all */
    readonly method?: "DELETE" | "GET" | "PATCH" | "POST" | "PUT" | undefined;
    /** The status to answer; `refused` (also `refuse`): the connection is refused; `unanswered`: it is handled, and the connection breaks; `timeout`: nothing answers, and the client gives up after five minutes. With `after` and no status, the usual answer comes late. @default 503 */
    readonly status?: number | "refuse" | "refused" | "timeout" | "unanswered" | undefined;
    /** The header `retry-after`, in whole seconds. */
    readonly retryAfter?: DurationInput | undefined;
    /** For how many requests; 0 ends the faults of this path and method. */
    readonly times?: number | undefined;
    /** For how long, from now on. */
    readonly for?: DurationInput | undefined;
    /** How long the answer takes, on the virtual clock. */
    readonly after?: DurationInput | undefined;
  };
  restAsked: {
    /** The method, such as `POST`. */
    readonly method: string;
    /** The path with its query, such as `/messages`. */
    readonly path: string;
    /** The client whose access token the request has. */
    readonly by?: string | undefined;
    /** The id of the platform's own request whose handler asks, such as a delivery to a webhook. */
    readonly during?: string | undefined;
  };
  restServed: {
    /** The method, such as `GET`. */
    readonly method: string;
    /** The path with its query, such as `/calls?limit=1`. */
    readonly path: string;
    /** The body of the request; empty without one. */
    readonly body: string;
    /** The status of the answer; 0: there was none. */
    readonly status: number;
    /** The body of the answer; empty without one. */
    readonly answer: string;
    /** The client whose access token the request had. */
    readonly by?: string | undefined;
    /** The number of the fault that replaced or delayed the answer. The first fault is 1. */
    readonly fault?: number | undefined;
    /** What became of the connection, if the client got no answer: `refused`, `unanswered` or `timeout`. */
    readonly lost?: "refused" | "timeout" | "unanswered" | undefined;
    /** What an exploration did to the request, such as `503`, `slow` or `refused`. */
    readonly deviation?: string | undefined;
    /** How much later the answer comes. */
    readonly after?: DurationInput | undefined;
    /** The id of the platform's own request whose handler asked, such as a delivery to a webhook. */
    readonly during?: string | undefined;
    /** The query parameters that the operation does not know, by name. */
    readonly ignored?: readonly string[] | undefined;
    /** The number that `restAsked` gave the request, if it gave commands. */
    readonly asked?: number | undefined;
  };
  behave: {
    /** The user, by id or e-mail address. Either `user` or `number`. */
    readonly user?: string | undefined;
    /** An outside number, E.164: how whoever has it acts when they are dialled. */
    readonly number?: string | undefined;
    /** How they act from now on. An empty behaviour removes the present one. */
    readonly behaviour: {
      /** When they decline, counted from the beginning of the ring. If `answer` is also given, the earlier one happens. */
      readonly decline?: {
        /** How long they let it ring. */
        readonly after: DrawnDuration;
        /** Whether the number is engaged. Only for outside numbers. @default false */
        readonly busy?: boolean | undefined;
      } | undefined;
      /** When they answer, counted from the beginning of the ring. */
      readonly answer?: "never" | {
        /** How long they let it ring. */
        readonly after: DrawnDuration;
        /** The id of the endpoint to answer on, if it still rings. @default the first that rings */
        readonly endpoint?: string | undefined;
      } | undefined;
      /** How long they talk before they hang up, from joining a call or from the answer to a call that they dialled. */
      readonly talk?: DrawnDuration | undefined;
      /** How long they stay busy after a call. */
      readonly wrapUp?: DrawnDuration | undefined;
    };
  };
  setAvailability: {
    /** The user, by id or e-mail address. */
    readonly user: string;
    /** Whether calls can ring the user from now on. During a call it takes effect when the call is over. */
    readonly status: "available" | "busy" | "offline";
    /** Why the user is not available. @default `doNotDisturb` for `busy`, `loggedOut` for `offline` */
    readonly rule?: "doNotDisturb" | "loggedOut" | "outOfHours" | undefined;
    /** The reason in the user's own words, for others to read. */
    readonly reason?: string | undefined;
  };
  setEndpoint: {
    /** The user, by id or e-mail address. */
    readonly user: string;
    /** The endpoint's id. */
    readonly endpoint: string;
    /** Whether it is signed in. Only registered endpoints ring. */
    readonly registered: boolean;
  };
  setUserStatus: {
    /** The user, by id or e-mail address. */
    readonly user: string;
    /** The new status. Only active users are rung. */
    readonly status: "active" | "invited" | "suspended";
  };
  wrapUp: {
    /** The user, by id or e-mail address. */
    readonly user: string;
    /** How long they stay busy: after the present call, or from now on without one. */
    readonly for: DurationInput;
  };
  setTeamMember: {
    /** The offer priority, 1 to 100; 1 is rung first. @default 1 */
    readonly priority?: number | undefined;
    /** The team's id. */
    readonly team: string;
    /** A user's id or e-mail address, or a device's id. */
    readonly user: string;
  };
  removeTeamMember: {
    /** The team's id. */
    readonly team: string;
    /** A user's id or e-mail address, or a device's id. */
    readonly user: string;
  };
  inbound: {
    /** The caller's number, E.164; or a short code of 3 to 8 digits, or `anonymous` for a withheld number. */
    readonly from: string;
    /** One of the organisation's numbers, E.164. */
    readonly to: string;
    /** The vendor's id for the call. @default a new one, from the seed */
    readonly vendorCallId?: string | undefined;
    /** Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all. */
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
    /** The priority in a team's queue, 1 (first) to 9. @default 5 */
    readonly priority?: number | undefined;
    /** How the caller acts by themselves. */
    readonly behaviour?: CallerBehaviour | undefined;
  };
  outbound: {
    /** Who dials: a user's id or e-mail address, or a device's id. */
    readonly from: string;
    /** The outside number to call, E.164. */
    readonly to: string;
    /** The organisation's number to call from, E.164. @default the caller's first number, otherwise the organisation's first */
    readonly callerId?: string | undefined;
    /** Entries whose key starts with `x-` and whose value is text, or a URL-encoded query; at most 1000 bytes in all. */
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
  };
  internal: {
    /** Who dials: a user's id or e-mail address. */
    readonly from: string;
    /** The extension number of a user, a team or a device. */
    readonly to: string;
  };
  answer: {
    /** The call's id. */
    readonly call: string;
    /** Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`. */
    readonly by: string;
    /** The id of their endpoint. @default to answer, the first that rings; to decline, all of them */
    readonly endpoint?: string | undefined;
  };
  decline: {
    /** Whether the line is engaged, for outside numbers. @default false */
    readonly busy?: boolean | undefined;
    /** The call's id. */
    readonly call: string;
    /** Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`. */
    readonly by: string;
    /** The id of their endpoint. @default to answer, the first that rings; to decline, all of them */
    readonly endpoint?: string | undefined;
  };
  hangup: {
    /** The call's id. */
    readonly call: string;
    /** Who acts: a user's id or e-mail address, a device's id, an outside number, `caller` or `callee`. */
    readonly by: string;
  };
  move: {
    /** The call's id. */
    readonly call: string;
    /** The connected user, by id or e-mail address. */
    readonly by: string;
    /** The id of the endpoint to move to. */
    readonly to: string;
  };
  transfer: {
    /** The call's id. */
    readonly call: string;
    /** Where the call goes: an extension, an id, an e-mail address or an outside number. */
    readonly target: string;
    /** Who transfers it: a connected user, by id or e-mail address. */
    readonly by: string;
    /** Whether the user stays until they hang up. Otherwise they leave when the target begins to ring. @default false */
    readonly warm?: boolean | undefined;
  };
  add: {
    /** The call's id. */
    readonly call: string;
    /** Whom to add: an extension, an id, an e-mail address or an outside number. */
    readonly target: string;
    /** Who adds them: a connected user, by id or e-mail address. */
    readonly by: string;
  };
  note: {
    /** The call's id. */
    readonly call: string;
    /** The user who writes the note, by id or e-mail address. */
    readonly by: string;
    /** The text of the note. */
    readonly text: string;
  };
  assignContact: {
    /** The call's id. */
    readonly call: string;
    /** The outside party: the id of a contact in a phonebook that the user sees, or the contact itself. */
    readonly contact: string | {
      /** The whole name, as people see it. @default the first and the last name */
      readonly name?: string | undefined;
      /** The first name; null if unknown. */
      readonly firstName?: string | null | undefined;
      /** The last name; null if unknown. */
      readonly lastName?: string | null | undefined;
      /** The job title; null if unknown. */
      readonly jobTitle?: string | null | undefined;
      /** The company that the contact works for; null if unknown. The profile `observed` shows it. */
      readonly companyName?: string | null | undefined;
      /** Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation, with the option `phoneNumbers`; otherwise it matches nobody. */
      readonly phoneNumbers?: readonly (string | {
        /** The number as it is written, such as `021 555 001`. */
        readonly written: string;
        /** The number in E.164, as it was read. @default `written`, if it is E.164 or can be read */
        readonly e164?: string | undefined;
        /** What the number is called, such as `mobile`, which the profile `observed` shows. */
        readonly label?: string | null | undefined;
      })[] | undefined;
      /** E-mail addresses. */
      readonly emailAddresses?: readonly string[] | undefined;
      /** The contact's id. @default a new one */
      readonly id?: string | undefined;
    };
    /** The user who assigns the contact, by id or e-mail address. */
    readonly by: string;
  };
  leaveVoicemail: {
    /** The call's id. */
    readonly call: string;
    /** The length of the message. It is cut at `timing.voicemailMaxMessage`. */
    readonly duration: DurationInput;
    /** What the caller says. @default nothing */
    readonly transcript?: string | undefined;
  };
  redirect: {
    /** The caller's number, E.164; or a short code of 3 to 8 digits, or `anonymous` for a withheld number. */
    readonly from: string;
    /** The number that was called, E.164. */
    readonly to: string;
    /** The vendor's id for the call. @default a new one, from the seed */
    readonly vendorCallId?: string | undefined;
    /** The extension number of the entry that the call is for. */
    readonly extension: string;
    /** The organisation's id. @default this organisation's */
    readonly organisationId?: string | undefined;
    /** Seconds before the next tier of a team is rung, 5 to 60. A value out of range becomes the nearest bound. */
    readonly nextOfferTimeout?: string | number | boolean | undefined;
    /** The priority in a team's queue, 1 (first) to 9. A value out of range becomes 5. @default 5 */
    readonly priority?: string | number | boolean | undefined;
    /** Where an unanswered call returns to: `flow`, `taskQueue`, `postEndpoint` or `application`. Anything else is ignored. */
    readonly returnTo?: string | undefined;
    /** The id of that place. For `postEndpoint`, an https URL, which may be URL-encoded. */
    readonly returnToId?: string | undefined;
    /** `true` sends the call to voicemail without ringing; anything else rings. */
    readonly sendToVoicemail?: string | number | boolean | undefined;
    /** Seconds to wait for an answer, 10 to 70 for users and devices, 10 to 300 for teams. A value out of range becomes the nearest bound. */
    readonly timeout?: string | number | boolean | undefined;
    /** Text values whose names start with `x-`. They may also be given directly beside the other keys. At most 1000 bytes in all. */
    readonly passthroughParameters?: { readonly [x: string]: string; } | undefined;
  } & { readonly [key: string]: unknown; };
  connectApplication: {
    /** The caller's number, E.164; or a short code of 3 to 8 digits, or `anonymous` for a withheld number. */
    readonly from: string;
    /** The number that was called, E.164. */
    readonly to: string;
    /** The vendor's id for the call. @default a new one, from the seed */
    readonly vendorCallId?: string | undefined;
    /** The extension number of the entry that the call is for. */
    readonly extension: string;
    /** The id of the account that the call comes from. */
    readonly accountId: string;
    /** Passthrough parameters: text values whose names start with `x-`; at most 1000 bytes in all. */
    readonly parameters?: { readonly [x: string]: unknown; } | undefined;
  };
  dialLink: {
    /** The user who dials, by id or e-mail address. */
    readonly user: string;
    /** The outside number to call, E.164; needed unless `link` says it. */
    readonly contactNumber?: string | undefined;
    /** The organisation's number to call from, E.164. @default the user's first number, otherwise the organisation's first */
    readonly callerId?: string | undefined;
    /** A URL of any scheme and host whose query has `contactNumber`, `callerId` and `x-` parameters, in place of these. Other parameters are ignored. */
    readonly link?: string | undefined;
    /** Text values whose names start with `x-`. They may also be given directly beside the other keys. At most 1000 bytes in all. */
    readonly passthroughParameters?: { readonly [x: string]: string; } | undefined;
  } & { readonly [key: string]: unknown; };
  takeBack: {
    /** Redirects the call to this extension. */
    readonly redirect?: {
      /** The extension number of the entry that the call goes to next. */
      readonly extension: string;
      /** Seconds before the next tier of a team is rung, 5 to 60. */
      readonly nextOfferTimeout?: number | undefined;
      /** The priority in a team's queue, 1 (first) to 9. @default 5 */
      readonly priority?: number | undefined;
      /** Where the call returns to if nobody answers: `flow`, `taskQueue`, `postEndpoint` or `application`. */
      readonly returnTo?: string | undefined;
      /** The id of that place. */
      readonly returnToId?: string | undefined;
      /** Whether it goes to voicemail without ringing. @default false */
      readonly sendToVoicemail?: boolean | undefined;
      /** Seconds to wait for an answer: 10 to 70 for users and devices, 10 to 300 for teams. */
      readonly timeout?: number | undefined;
    } | undefined;
    /** Whether it hangs up on the caller. */
    readonly hangup?: true | undefined;
    /** The id of the flow, task queue or application: the `returnToId` of redirects. */
    readonly id: string;
  };
  takeBackCall: {
    /** Redirects the call to this extension. */
    readonly redirect?: {
      /** The extension number of the entry that the call goes to next. */
      readonly extension: string;
      /** Seconds before the next tier of a team is rung, 5 to 60. */
      readonly nextOfferTimeout?: number | undefined;
      /** The priority in a team's queue, 1 (first) to 9. @default 5 */
      readonly priority?: number | undefined;
      /** Where the call returns to if nobody answers: `flow`, `taskQueue`, `postEndpoint` or `application`. */
      readonly returnTo?: string | undefined;
      /** The id of that place. */
      readonly returnToId?: string | undefined;
      /** Whether it goes to voicemail without ringing. @default false */
      readonly sendToVoicemail?: boolean | undefined;
      /** Seconds to wait for an answer: 10 to 70 for users and devices, 10 to 300 for teams. */
      readonly timeout?: number | undefined;
    } | undefined;
    /** Whether it hangs up on the caller. */
    readonly hangup?: true | undefined;
    /** The call that returned, by its id. */
    readonly call: string;
  };
  removeRecording: {
    /** The call's id. */
    readonly call: string;
    /** The recording's id. */
    readonly recording: string;
  };
  removeTranscript: {
    /** The transcript's id. */
    readonly transcript: string;
  };
  createAnalysis: {
    /** The name of the analyzer. */
    readonly analyzer: string;
    /** What is analysed: recordings, or an agent's scorecards. */
    readonly content: {
      /** The recordings, at least one. */
      readonly recordings: readonly {
        /** The recording's id. */
        readonly id: string;
        /** The model to transcribe it with. @default the service's own */
        readonly transcriptionModel?: string | undefined;
      }[];
    } | {
      /** The user whose scorecards are aggregated, by id or e-mail address. */
      readonly agent: string;
      /** The jobs that made them, of calls that the user was on. */
      readonly contentAnalysis: readonly {
        /** The job's id. */
        readonly id: string;
      }[];
    };
    /** Any plain data; the job returns it as it was given. */
    readonly passthroughParameters?: { readonly [key: string]: unknown; } | undefined;
  };
  completeAnalysis: {
    /** The job's id. */
    readonly analysis: string;
  };
  removeAnalysis: {
    /** The job's id. */
    readonly analysis: string;
  };
  sendConversationMessage: {
    /** How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365. */
    readonly closeTimer?: string | undefined;
    /** The name of a new conversation, shown in lists, at most 100 characters. */
    readonly conversationName?: string | undefined;
    /** Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones. */
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
    /** The recipients, 1 to 10 numbers, E.164. Several are a group. */
    readonly contactAddresses: readonly string[];
    /** The organisation's number that the message is sent from, E.164. */
    readonly companyAddress: string;
    /** What the message says. */
    readonly messageContent: {
      /** The text of the message. May be left out if there is media. */
      readonly text?: string | undefined;
      /** Files of the message: https URLs, or `{ url, mimeType }`. */
      readonly media?: readonly (string | {
        /** Where the file is: an https URL. */
        readonly url: string;
        /** The file's media type, such as `image/jpeg`. */
        readonly mimeType?: string | undefined;
      })[] | undefined;
      /** The user on whose behalf it is sent: an e-mail address. */
      readonly sendAsUser?: string | undefined;
    };
    /** The channel of the message. @default "sms" */
    readonly channel?: "sms" | "whatsApp" | undefined;
    /** Whom a new conversation is assigned to: `assignUsers`, nobody, or the number's owner. Required for a new conversation. */
    readonly routingAction?: "assign_owner" | "assign_users" | "do_not_route" | undefined;
    /** The users whom it is assigned to, by e-mail address. Required for `assign_users`. */
    readonly assignUsers?: readonly string[] | undefined;
    /** The rule by which users claim a new conversation. Ignored for an existing one. */
    readonly claimRule?: string | undefined;
    /** Whether users are notified of the message, and whether it stays unread. @default "notify_unread" */
    readonly notificationMode?: "notify_unread" | "silent_read" | "silent_unread" | undefined;
  };
  /** @deprecated Now `send`. */
  sendMessage: {
    /** How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365. */
    readonly closeTimer?: string | undefined;
    /** The name of a new conversation, shown in lists, at most 100 characters. */
    readonly conversationName?: string | undefined;
    /** Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones. */
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
    /** The text of the message, at most 1600 characters. */
    readonly body: string;
    /** Who sends it: a user's e-mail address, or their number, E.164. */
    readonly from: string;
    /** The recipient's number, E.164. */
    readonly to: string;
    /** Whether the users of a new conversation are notified of the message. @default true */
    readonly notifyUsers?: boolean | undefined;
  };
  /** @deprecated Now `send`. */
  sendTeamMessage: {
    /** How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. A month counts 30 days, a year 365. */
    readonly closeTimer?: string | undefined;
    /** The name of a new conversation, shown in lists, at most 100 characters. */
    readonly conversationName?: string | undefined;
    /** Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones. */
    readonly passthroughParameters?: string | Readonly<Record<string, unknown>> | undefined;
    /** The team's number that the message is sent from, E.164. */
    readonly companyAddress: string;
    /** The only recipient's number, E.164; instead of `contactAddresses`. */
    readonly contactAddress?: string | undefined;
    /** The recipients, 1 to 10 numbers, E.164; instead of `contactAddress`, and with `channel`. */
    readonly contactAddresses?: readonly string[] | undefined;
    /** The channel of the message: `sms`. */
    readonly channel?: "sms" | undefined;
    /** What the message says. */
    readonly messageContent: {
      /** The text of the message. May be left out if there is media. */
      readonly text?: string | undefined;
      /** Files of the message: https URLs, or `{ url, mimeType }`. */
      readonly media?: readonly (string | {
        /** Where the file is: an https URL. */
        readonly url: string;
        /** The file's media type, such as `image/jpeg`. */
        readonly mimeType?: string | undefined;
      })[] | undefined;
      /** The user on whose behalf it is sent: an e-mail address. */
      readonly sendAsUser?: string | undefined;
    };
    /** Whom a new conversation is assigned to: `assignUsers`, those and the team's users, or nobody. */
    readonly routingAction?: "assign_team" | "assign_users" | "do_not_route" | undefined;
    /** The users whom it is assigned to, by e-mail address. Required for `assign_users`. */
    readonly assignUsers?: readonly string[] | undefined;
    /** The rule by which users claim a new conversation. Ignored for an existing one. */
    readonly claimRule?: string | undefined;
    /** Whether the users of a new conversation are notified of the message. @default true */
    readonly notifyUsers?: boolean | undefined;
  };
  receiveMessage: {
    /** The number of the contact who writes, E.164, or a short code of 3 to 8 digits, which nobody can answer. */
    readonly from: string;
    /** The organisation's number that they write to, E.164. */
    readonly to: string;
    /** The numbers of a group's further contacts, E.164. */
    readonly others?: readonly string[] | undefined;
    /** The text of the message. May be left out if there is media. */
    readonly text?: string | undefined;
    /** The channel of the message. @default "sms" */
    readonly channel?: "sms" | "whatsApp" | undefined;
    /** Files of the message: https URLs, or `{ url, mimeType }`. */
    readonly media?: readonly (string | {
      /** Where the file is: an https URL. */
      readonly url: string;
      /** The file's media type, such as `image/jpeg`. */
      readonly mimeType?: string | undefined;
    })[] | undefined;
  };
  closeConversation: {
    /** The conversation, by its id or the vendor's. */
    readonly conversation: string;
  };
  readConversation: {
    /** The conversation, by its id or the vendor's. */
    readonly conversation: string;
    /** The user who reads it, by id or e-mail address. The conversation must be assigned to them. */
    readonly by: string;
  };
  assignConversationContact: {
    /** The conversation, by its id or the vendor's. */
    readonly conversation: string;
    /** The outside contact: the id of a contact in a phonebook that a user of the conversation sees, or the contact itself. */
    readonly contact: string | {
      /** The whole name, as people see it. @default the first and the last name */
      readonly name?: string | undefined;
      /** The first name; null if unknown. */
      readonly firstName?: string | null | undefined;
      /** The last name; null if unknown. */
      readonly lastName?: string | null | undefined;
      /** The job title; null if unknown. */
      readonly jobTitle?: string | null | undefined;
      /** The company that the contact works for; null if unknown. The profile `observed` shows it. */
      readonly companyName?: string | null | undefined;
      /** Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation, with the option `phoneNumbers`; otherwise it matches nobody. */
      readonly phoneNumbers?: readonly (string | {
        /** The number as it is written, such as `021 555 001`. */
        readonly written: string;
        /** The number in E.164, as it was read. @default `written`, if it is E.164 or can be read */
        readonly e164?: string | undefined;
        /** What the number is called, such as `mobile`, which the profile `observed` shows. */
        readonly label?: string | null | undefined;
      })[] | undefined;
      /** E-mail addresses. */
      readonly emailAddresses?: readonly string[] | undefined;
      /** The contact's id. @default a new one */
      readonly id?: string | undefined;
    };
  };
  shareContact: {
    /** The conversation, by its id or the vendor's. */
    readonly conversation: string;
    /** The outside contact: the id of a contact in a phonebook that a user of the conversation sees, or the contact itself. */
    readonly contact: string | {
      /** The whole name, as people see it. @default the first and the last name */
      readonly name?: string | undefined;
      /** The first name; null if unknown. */
      readonly firstName?: string | null | undefined;
      /** The last name; null if unknown. */
      readonly lastName?: string | null | undefined;
      /** The job title; null if unknown. */
      readonly jobTitle?: string | null | undefined;
      /** The company that the contact works for; null if unknown. The profile `observed` shows it. */
      readonly companyName?: string | null | undefined;
      /** Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation, with the option `phoneNumbers`; otherwise it matches nobody. */
      readonly phoneNumbers?: readonly (string | {
        /** The number as it is written, such as `021 555 001`. */
        readonly written: string;
        /** The number in E.164, as it was read. @default `written`, if it is E.164 or can be read */
        readonly e164?: string | undefined;
        /** What the number is called, such as `mobile`, which the profile `observed` shows. */
        readonly label?: string | null | undefined;
      })[] | undefined;
      /** E-mail addresses. */
      readonly emailAddresses?: readonly string[] | undefined;
      /** The contact's id. @default a new one */
      readonly id?: string | undefined;
    };
  };
  createWebhook: {
    /** The secret with which deliveries are signed. @default a new one, from the seed */
    readonly signingSecret?: string | undefined;
    /** The user who creates it, by id or e-mail address. They are notified when it is disabled. @default the first active user */
    readonly createdBy?: string | undefined;
    /** `production` or `test`, which the profile `observed` shows. It changes nothing else. @default "production" */
    readonly mode?: "production" | "test" | undefined;
    /** Where events are sent: an https URL at a public host, unless the option `allowLocal` is set. */
    readonly url: string;
    /** The event types to deliver, or `*` for all; those that the dialect declares are allowed. */
    readonly events: readonly (EventType | "*" | (string & Record<never, never>))[];
    /** A description; null or left out for none. */
    readonly description?: string | null | undefined;
    /** Whether events are delivered to it. @default true */
    readonly enabled?: boolean | undefined;
  };
  updateWebhook: {
    /** `production` or `test`, which the profile `observed` shows. It changes nothing else. @default "production" */
    readonly mode?: "production" | "test" | undefined;
    /** Where events are sent from the next attempt on: an https URL at a public host, unless the option `allowLocal` is set. */
    readonly url?: string | undefined;
    /** The event types to deliver from the next event on, or `*` for all; those that the dialect declares are allowed. */
    readonly events?: readonly (EventType | "*" | (string & Record<never, never>))[] | undefined;
    /** A description; null for none. */
    readonly description?: string | null | undefined;
    /** Whether events are delivered to it. `true` resets the count of failures to 0. */
    readonly enabled?: boolean | undefined;
    /** The webhook's id. */
    readonly webhook: string;
  };
  removeWebhook: {
    /** The webhook's id. */
    readonly webhook: string;
  };
  createLocation: {
    /** The location's name. */
    readonly name: string;
    /** The postal address. */
    readonly address?: string | undefined;
    /** The country, by ISO 3166-1 alpha-2, such as `NZ`. */
    readonly countryIso?: string | undefined;
    /** The IANA time zone, such as `Pacific/Auckland`. */
    readonly timezone?: string | undefined;
    /** The location's id. @default a new one */
    readonly id?: string | undefined;
  };
  addUserToLocation: {
    /** The location's id. */
    readonly location: string;
    /** The user, by id or e-mail address. */
    readonly user: string;
  };
  removeUserFromLocation: {
    /** The location's id. */
    readonly location: string;
    /** The user, by id or e-mail address. */
    readonly user: string;
  };
  addTrunkEntry: {
    /** The place, in words; null if unknown. */
    readonly location?: string | null | undefined;
    /** Its model; null if unknown. */
    readonly model?: string | null | undefined;
    /** Its product line; null if unknown. */
    readonly product?: string | null | undefined;
    /** The name, as people see it. */
    readonly displayName: string;
    /** The extension number, digits, unique in the directory. */
    readonly extension: string;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    readonly ivrKey?: string | undefined;
    /** A description; null for none. */
    readonly description?: string | null | undefined;
    /** The kind of entry. */
    readonly kind: "device";
    /** The entry's id, unique in the directory. @default a new one */
    readonly id?: string | undefined;
    /** The trunk's id. */
    readonly trunk: string;
  } | {
    /** The name, as people see it. */
    readonly displayName: string;
    /** The extension number, digits, unique in the directory. */
    readonly extension: string;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    readonly ivrKey?: string | undefined;
    /** A description; null for none. */
    readonly description?: string | null | undefined;
    /** The kind of entry. */
    readonly kind: "queue";
    /** The entry's id, unique in the directory. @default a new one */
    readonly id?: string | undefined;
    /** The trunk's id. */
    readonly trunk: string;
  } | {
    /** The department; null if unknown. */
    readonly department?: string | null | undefined;
    /** The job title; null if unknown. */
    readonly jobTitle?: string | null | undefined;
    /** The place, in words; null if unknown. */
    readonly location?: string | null | undefined;
    /** Whom they report to; null if unknown. */
    readonly manager?: string | null | undefined;
    /** The user of the service whom they are associated with, by id or e-mail address; null if none. */
    readonly user?: string | null | undefined;
    /** Their own phone numbers, E.164. @default [] */
    readonly phoneNumbers?: readonly string[] | undefined;
    /** The name, as people see it. */
    readonly displayName: string;
    /** The extension number, digits, unique in the directory. */
    readonly extension: string;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    readonly ivrKey?: string | undefined;
    /** A description; null for none. */
    readonly description?: string | null | undefined;
    /** The kind of entry. */
    readonly kind: "user";
    /** The entry's id, unique in the directory. @default a new one */
    readonly id?: string | undefined;
    /** The trunk's id. */
    readonly trunk: string;
  };
  updateTrunkEntry: {
    /** The place, in words; null if unknown. */
    readonly location?: string | null | undefined;
    /** Its model; null if unknown. */
    readonly model?: string | null | undefined;
    /** Its product line; null if unknown. */
    readonly product?: string | null | undefined;
    /** The name, as people see it. */
    readonly displayName?: string | undefined;
    /** The extension number, digits, unique in the directory. */
    readonly extension?: string | undefined;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    readonly ivrKey?: string | undefined;
    /** A description; null for none. */
    readonly description?: string | null | undefined;
    /** The kind of entry. */
    readonly kind: "device";
    /** The entry's id. */
    readonly id: string;
    /** The trunk's id. */
    readonly trunk: string;
  } | {
    /** The name, as people see it. */
    readonly displayName?: string | undefined;
    /** The extension number, digits, unique in the directory. */
    readonly extension?: string | undefined;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    readonly ivrKey?: string | undefined;
    /** A description; null for none. */
    readonly description?: string | null | undefined;
    /** The kind of entry. */
    readonly kind: "queue";
    /** The entry's id. */
    readonly id: string;
    /** The trunk's id. */
    readonly trunk: string;
  } | {
    /** The department; null if unknown. */
    readonly department?: string | null | undefined;
    /** The job title; null if unknown. */
    readonly jobTitle?: string | null | undefined;
    /** The place, in words; null if unknown. */
    readonly location?: string | null | undefined;
    /** Whom they report to; null if unknown. */
    readonly manager?: string | null | undefined;
    /** The user of the service whom they are associated with, by id or e-mail address; null if none. */
    readonly user?: string | null | undefined;
    /** Their own phone numbers, E.164. @default [] */
    readonly phoneNumbers?: readonly string[] | undefined;
    /** The name, as people see it. */
    readonly displayName?: string | undefined;
    /** The extension number, digits, unique in the directory. */
    readonly extension?: string | undefined;
    /** The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
    readonly ivrKey?: string | undefined;
    /** A description; null for none. */
    readonly description?: string | null | undefined;
    /** The kind of entry. */
    readonly kind: "user";
    /** The entry's id. */
    readonly id: string;
    /** The trunk's id. */
    readonly trunk: string;
  };
  removeTrunkEntry: {
    /** The kind of entry. */
    readonly kind: "device" | "queue" | "user";
    /** The entry's id. */
    readonly id: string;
    /** The trunk's id. */
    readonly trunk: string;
  };
  traffic: {
    /** The organisation's number that is called, E.164. */
    readonly to: string;
    /** The time between two calls. */
    readonly every: DrawnDuration;
    /** For how long calls begin, from now. */
    readonly for: DurationInput;
    /** How the callers act by themselves. */
    readonly behaviour?: CallerBehaviour | undefined;
    /** The first caller's number, E.164. The next callers' numbers count up from it. */
    readonly from?: string | undefined;
    /** The priority in a team's queue, 1 (first) to 9. @default 5 */
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
  restAsked: number;
  restServed: number;
  behave: void;
  setAvailability: void;
  setEndpoint: void;
  setUserStatus: void;
  wrapUp: void;
  setTeamMember: void;
  removeTeamMember: void;
  inbound: string;
  outbound: string;
  internal: string;
  answer: void;
  decline: void;
  hangup: void;
  move: void;
  transfer: TransferResult;
  add: TransferResult;
  note: string;
  assignContact: void;
  leaveVoicemail: void;
  redirect: string;
  connectApplication: string;
  dialLink: DialLinkResult;
  takeBack: void;
  takeBackCall: string;
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
