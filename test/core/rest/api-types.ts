/* Made by npm run generate, of sim.openapi(). */
export interface paths {
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users, or find one by e-mail address
         * @description Every user of the organisation, suspended and invited ones too. `email` finds one.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description The user with their present availability, location, teams and phone numbers.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/directory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of the directory
         * @description Users, teams, devices and, with PBX augmentation, the devices, queues and users of trunks.
         */
        get: operations["listDirectory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/directory/{entryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an entry of the directory
         * @description A user, a team, a device or an entry of a trunk, with the `vendorRedirectUrl` that connects a call to it.
         */
        get: operations["getDirectoryEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams, hidden ones too
         * @description Every team with its members, their offer priorities and its availability.
         */
        get: operations["listTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams/{teamId}/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a user to a team, or change their offer priority
         * @description Offer priority 1 is the highest, and the default. It counts from the next offer on.
         */
        put: operations["putTeamMember"];
        post?: never;
        /**
         * Remove a user from a team
         * @description The user stops ringing for the team's calls at once. Calls that they talk on go on.
         */
        delete: operations["deleteTeamMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List locations
         * @description The places where people work, in the order in which they were made.
         */
        get: operations["listLocations"];
        /**
         * Create a location
         * @description A new place where people work. The answer has its id.
         */
        put: operations["createLocation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/locations/{locationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a location
         * @description The name, address, country and time zone of a place.
         */
        get: operations["getLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/locations/{locationId}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users at a location
         * @description The users who are assigned to the location, in the order of the organisation.
         */
        get: operations["listLocationUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/locations/{locationId}/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Assign a user to a location
         * @description A user is at one location at most: they leave the one that they were at.
         */
        put: operations["putLocationUser"];
        post?: never;
        /**
         * Remove a user from a location
         * @description The user has no location afterwards. A user who is not there is 404.
         */
        delete: operations["deleteLocationUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phonebooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List phonebooks with their contacts
         * @description `limit=0` lists all phonebooks, without their contacts. Personal phonebooks are among them.
         */
        get: operations["listPhonebooks"];
        /**
         * Upload phonebooks, each of which replaces all that it had
         * @description One phonebook, or several as `{ phonebooks }`: all are taken, or none.
         */
        put: operations["putPhonebooks"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phonebooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a phonebook with its contacts
         * @description By the phonebook's id, or by a user's e-mail address for their personal one.
         */
        get: operations["getPhonebook"];
        /**
         * Create a phonebook, or replace all that it had
         * @description Everything that the phonebook held is replaced. By a user's e-mail address it is their personal phonebook.
         */
        put: operations["putPhonebook"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phonebooks/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the contacts of a phonebook, in the order in which they were added
         * @description Page by page. A contact that is added or changed between two pages neither repeats nor hides another.
         */
        get: operations["listContacts"];
        /**
         * Add contacts, one or many, or replace those that have the same id
         * @description All are taken, or none. Without an id, one is made.
         */
        put: operations["putContacts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phonebooks/{id}/contacts/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a contact
         * @description One contact of a phonebook, with its numbers as they were uploaded.
         */
        get: operations["getContact"];
        /**
         * Add a contact, or replace it
         * @description The contact has this id afterwards. A caller with one of its numbers is shown by its name.
         */
        put: operations["putContact"];
        post?: never;
        /**
         * Delete a contact
         * @description Callers with its numbers are shown by their number from then on, or by another contact.
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phonebook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phonebook/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phonebook/{id}/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phonebook/{id}/contact/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List trunks
         * @description The SIP trunks to other phone systems. They are made in the account portal, and only with the PBX feature.
         */
        get: operations["listTrunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trunks/{trunkId}/trunkDevices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices of a trunk
         * @description Page by page, in the order in which they were added.
         */
        get: operations["listTrunkDevices"];
        put?: never;
        /**
         * Add a device to a trunk
         * @description Its extension must be nobody else's.
         */
        post: operations["createTrunkDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trunks/{trunkId}/trunkDevices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a device of a trunk
         * @description With the `vendorRedirectUrl` that connects a call to it.
         */
        get: operations["getTrunkDevice"];
        /**
         * Change a device of a trunk
         * @description What is left out stays as it is.
         */
        put: operations["updateTrunkDevice"];
        post?: never;
        /**
         * Remove a device from a trunk
         * @description A call that rings or talks there goes on.
         */
        delete: operations["deleteTrunkDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trunks/{trunkId}/trunkQueues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the queues of a trunk
         * @description Page by page, in the order in which they were added.
         */
        get: operations["listTrunkQueues"];
        put?: never;
        /**
         * Add a queue to a trunk
         * @description Its extension must be nobody else's.
         */
        post: operations["createTrunkQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trunks/{trunkId}/trunkQueues/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a queue of a trunk
         * @description With the `vendorRedirectUrl` that connects a call to it.
         */
        get: operations["getTrunkQueue"];
        /**
         * Change a queue of a trunk
         * @description What is left out stays as it is.
         */
        put: operations["updateTrunkQueue"];
        post?: never;
        /**
         * Remove a queue from a trunk
         * @description A call that rings or talks there goes on.
         */
        delete: operations["deleteTrunkQueue"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trunks/{trunkId}/trunkUsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users of a trunk
         * @description Page by page, in the order in which they were added.
         */
        get: operations["listTrunkUsers"];
        put?: never;
        /**
         * Add a user to a trunk
         * @description Its extension must be nobody else's.
         */
        post: operations["createTrunkUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trunks/{trunkId}/trunkUsers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user of a trunk
         * @description With the `vendorRedirectUrl` that connects a call to it.
         */
        get: operations["getTrunkUser"];
        /**
         * Change a user of a trunk
         * @description What is left out stays as it is.
         */
        put: operations["updateTrunkUser"];
        post?: never;
        /**
         * Remove a user from a trunk
         * @description A call that rings or talks there goes on.
         */
        delete: operations["deleteTrunkUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls that have ended
         * @description Only calls that are over, unless `includeActive` is true. Oldest first unless `sortOrder` says otherwise; the filters combine.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a call, ended or not
         * @description The record as it stands now. It changes until the call is over, and again when a recording, a transcript, a tariff, a note or a contact follows.
         */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{id}/contentAnalysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the content analyses of a call's recordings
         * @description The jobs that the service made of the call's recordings, oldest first.
         */
        get: operations["listCallContentAnalysis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call/{callId}/recordings/{recordingId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a recording
         * @description The recording's size, type, channels and, once there is one, its transcript.
         */
        get: operations["getRecording"];
        put?: never;
        post?: never;
        /**
         * Delete a recording
         * @description Its transcript stays; without one there will be none.
         */
        delete: operations["deleteRecording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcripts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transcripts, oldest first
         * @description The transcripts of recordings and voicemail messages, page by page.
         */
        get: operations["listTranscripts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcripts/{transcriptId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transcript
         * @description The whole text. `segments` has it by speaker.
         */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        /**
         * Delete a transcript
         * @description Its recording stays, without a transcript. It cannot be undone.
         */
        delete: operations["deleteTranscript"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcripts/{transcriptId}/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who joined, left and spoke, in the order of time
         * @description Each segment is someone who joins (`JOIN`), leaves (`LEAVE`) or speaks (`SPEECH`), with its offset from the start.
         */
        get: operations["listTranscriptSegments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contentAnalysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List content analyses, oldest first
         * @description Every job with its state and, once it is completed, its artifacts: those that programs submitted and those that the service made of recorded calls.
         */
        get: operations["listContentAnalysis"];
        put?: never;
        /**
         * Submit content for analysis
         * @description `content` names recordings; or an agent, by id or e-mail address, and other content analyses whose scorecards of that agent are aggregated. `passthroughParameters` is free and comes back as submitted.
         */
        post: operations["createContentAnalysis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contentAnalysis/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a content analysis
         * @description The job's state, its artifacts once it is completed, and the `passthroughParameters` that it was submitted with.
         */
        get: operations["getContentAnalysis"];
        put?: never;
        post?: never;
        /**
         * Delete a content analysis; one that is pending stops
         * @description A job that is pending sends no `content_analysis.completed`. It cannot be undone.
         */
        delete: operations["deleteContentAnalysis"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversationMessages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an SMS or a group MMS
         * @description To one contact an SMS, to several a group MMS, from a number of a user or a team. The message is added to the conversation with them, or begins one: `routingAction` then says whom it is assigned to. A new group has no `vendorMessageId` yet: `conversation.message.created` has it.
         */
        post: operations["sendConversationMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teamMessages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, oldest first
         * @description Each with its URL, its types of events and whether it is enabled. The signing secret is not shown again.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Only this answer has `signingSecret`, which deliveries are signed with. The URL must be https, at a public host; `*` stands for all events.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Its URL, its types of events and whether it is enabled. The signing secret is not shown again.
         */
        get: operations["getWebhook"];
        /**
         * Change a webhook
         * @description What is left out stays as it is. Disabling drops what is pending; enabling begins the count of failures anew.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook; what is pending is dropped
         * @description No further event goes to it, and deliveries that wait for another attempt are not made.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for an access token
         * @description By client credentials. A JSON body is still accepted, but deprecated.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/telephony/redirect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand a call over to an entry of the directory
         * @description Query parameters must be in alphabetical order, passthrough parameters (`x-…`) included. The answer has the vendor join its call to the conference of that name.
         */
        post: operations["redirectCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Whether a user can be called, since when, and why not. */
        Availability: {
            /**
             * @description Whether the user can be called.
             * @enum {string}
             */
            status: "available" | "busy" | "offline";
            /**
             * Format: date-time
             * @description When the status last changed, ISO 8601 in UTC.
             */
            statusAt: string;
            /** @description When the status last changed, ms since the Unix epoch. */
            statusTimestamp: number;
            /** @description The same in words, for people to read. */
            availabilitySummary: string;
            /** @description The rule by which the user is not available; null while available, or when no rule applies. */
            notAvailableRule: ("busyOnACall" | "doNotDisturb" | "outOfHours" | "loggedOut" | "ringing") | null;
            /** @description Why, as whoever set it wrote, or `wrapUp` after a call; null if nobody said. */
            notAvailableReason: string | null;
            /** @description The call that keeps the user busy; null unless busy on a call. */
            callId: string | null;
            /** @description The vendor that carries that call; null unless busy on a call. */
            vendor: string | null;
            /** @description The vendor's id of that call's parent; null unless busy on a call. */
            vendorCallId: string | null;
        };
        /** @description A call. Durations are milliseconds unless a field says otherwise. */
        Call: {
            /** @description The call's id. */
            id: string;
            /**
             * @description Whether the call came in or was dialled by somebody inside.
             * @enum {string}
             */
            direction: "inbound" | "outbound";
            /** @description Whether it is between internal users only, so far: false once someone outside joins. */
            isInternal: boolean;
            /** @description Whether three or more parties were on the bridge at the same time, a voicemail not counted. */
            isConference: boolean;
            /**
             * @description Where the call stands.
             * @enum {string}
             */
            status: "started" | "offered" | "accepted" | "ended" | "missed" | "unanswered" | "abandoned" | "blocked";
            /** @description How the call ended; null until it closes. */
            outcome: {
                /**
                 * @description How the call ended.
                 * @enum {string}
                 */
                status: "answered" | "missed" | "abandoned" | "unanswered" | "blocked";
                /** @description Why: for example `timeout`, `declined` or `callerHungUp`; null for an answered call. */
                reason: string | null;
            } | null;
            /** @description The outside party's number, whoever called: E.164 or a short code; null if the caller withheld it; an extension in an internal call. */
            contactNumber: string | null;
            /** @description The company number used, E.164: the number called, or the caller id of an outbound call. */
            companyNumber: string;
            /**
             * Format: date-time
             * @description When the call began, ISO 8601 in UTC.
             */
            startedAt: string;
            /** @description When the call began, ms since the Unix epoch. */
            startedTimestamp: number;
            /** @description When somebody first answered, ISO 8601 in UTC; null until then. */
            answeredAt: string | null;
            /** @description When somebody first answered, ms since the Unix epoch; null until then. */
            answeredTimestamp: number | null;
            /** @description When the call closed, ISO 8601 in UTC; null until then. */
            endedAt: string | null;
            /** @description When the call closed, ms since the Unix epoch; null until then. */
            endedTimestamp: number | null;
            /**
             * Format: date-time
             * @description When the record last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the record last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
            /** @description From start to end, ms; null until the call closes. */
            duration: number | null;
            /** @description The same in words, such as `2m 5s`; null until the call closes. */
            durationText: string | null;
            /** @description From start to answer, or the whole duration if nobody answered, ms; null until known. */
            waitTime: number | null;
            /** @description The same in words, such as `45s`; null until known. */
            waitTimeText: string | null;
            /** @description The vendor that carries the call. */
            vendor: string;
            /** @description The vendor's id for the call. */
            vendorCallId: string;
            /** @description Whom the caller called first. Inbound calls only; absent before `call.answered` and `call.not_answered`. */
            directoryTarget?: components["schemas"]["EntryReference"];
            /** @description The last team that the call was for, null if none. Inbound calls only; absent before `call.answered` and `call.not_answered`. */
            assignedCallGroup?: components["schemas"]["EntryReference"] | null;
            /** @description Who answered; null if no user did. */
            assignedUser: {
                /** @description The user's id. */
                id: string;
                /** @description Always `user`. */
                type: string;
                /** @description The user's name, as people see it. */
                displayName: string;
                /** @description The first name; null if unknown. */
                firstName: string | null;
                /** @description The last name; null if unknown. */
                lastName: string | null;
                /** @description The user's extension number. */
                extension: string;
                /** @description The user's e-mail address. */
                email: string | null;
                /** @description Whom the user reports to; null if unknown. */
                manager: components["schemas"]["UserReference"] | null;
                /** @description Where the user works; null if unknown. */
                location: components["schemas"]["Location"] | null;
            } | null;
            /** @description Everyone who was on the call or rung for it, in the order in which they came. */
            parties: components["schemas"]["Party"][];
            /** @description Who was on the bridge from when to when. */
            connections: {
                /** @description The party, by its id in the call. */
                partyId: string;
                /** @description The endpoint, by its id; null for parties that have no endpoints of ours. */
                endpoint: string | null;
                /**
                 * Format: date-time
                 * @description When the party joined the bridge, ISO 8601 in UTC.
                 */
                joinedAt: string;
                /** @description When the party joined the bridge, ms since the Unix epoch. */
                joinedTimestamp: number;
                /** @description When the party left the bridge, ISO 8601 in UTC; null until then. */
                leftAt: string | null;
                /** @description When the party left the bridge, ms since the Unix epoch; null until then. */
                leftTimestamp: number | null;
            }[];
            /** @description Recordings of the call; made with `features.recording`. */
            recordings: components["schemas"]["Recording"][];
            /** @description The message that the caller left; null without one. */
            voicemail: {
                /** @description The message's id. */
                id: string;
                /** @description How long it is: whole seconds, rounded down. */
                duration: number;
                /** @description The same in words, such as `1m 5s`. */
                durationText: string;
                /** @description Where the recording is. */
                recordingUrl: string;
                /**
                 * Format: date-time
                 * @description When that URL expires, ISO 8601 in UTC.
                 */
                recordingUrlExpiresAt: string;
                /** @description When that URL expires, ms since the Unix epoch. */
                recordingUrlExpiresTimestamp: number;
                /** @description What was said; null without transcription. */
                transcription: string | null;
            } | null;
            /** @description What people wrote about the call, oldest first. */
            notes: {
                /** @description The note's id. */
                id: string;
                /** @description What they wrote. */
                text: string;
                /** @description Who wrote it. */
                author: {
                    /** @description The author's user id. */
                    userId: string;
                    /** @description The author's e-mail address. */
                    email: string;
                    /** @description The author's name, as people see it. */
                    displayName: string;
                };
                /**
                 * Format: date-time
                 * @description When it was written, ISO 8601 in UTC.
                 */
                createdAt: string;
                /** @description When it was written, ms since the Unix epoch. */
                createdTimestamp: number;
            }[];
            /** @description The call in words. */
            summary: {
                /** @description Who called whom. */
                header: string;
                /** @description Who the outside party is. */
                contactNumberDescription: string;
                /** @description Whose company number was used. */
                companyNumberDescription: string;
                /** @description How the call ended, or its status until then. */
                outcome: string;
            };
            /** @description What the call cost; null until known, and without `features.tariff`. */
            tariff: {
                /** @description The currency of the amount, such as `NZD`. */
                currency: string;
                /** @description What the call cost in all. */
                amount: number;
            } | null;
            /** @description What a customer's own systems sent along: names that begin with `x-`, each with a text. */
            passthroughParameters: {
                [key: string]: string;
            };
        };
        /** @description A contact of a phonebook. */
        Contact: {
            /** @description The contact's id, unique in its phonebook. */
            id: string;
            /** @description The name, as people see it. */
            name: string;
            /** @description The first name; null if unknown. */
            firstName: string | null;
            /** @description The last name; null if unknown. */
            lastName: string | null;
            /** @description The job title; null if unknown. */
            jobTitle: string | null;
            /** @description The phone numbers as they were given: E.164, or as people of the country write them. */
            phoneNumbers: string[];
            /** @description The e-mail addresses. */
            emailAddresses: string[];
        };
        /** @description A content analysis job. */
        ContentAnalysis: {
            /** @description The job's id. */
            id: string;
            /** @description The name of the analyzer that does it. */
            analyzer: string;
            /**
             * @description Whether it is done.
             * @enum {string}
             */
            status: "pending" | "completed";
            /** @description The call that the service made it for; null for jobs made through the API. */
            callId: string | null;
            /** @description What had the service make the job; null for jobs made through the API. */
            request: {
                /** @description What the job was made from. */
                source: {
                    /**
                     * @description Always `call`.
                     * @constant
                     */
                    type: "call";
                    /** @description The call's id. */
                    id: string;
                };
            } | null;
            /** @description What is analysed: recordings, or the scorecards of one agent. */
            content: {
                /** @description The recordings. */
                recordings: {
                    /** @description The recording's id. */
                    id: string;
                    /** @description The model to transcribe it with; null for the default. */
                    transcriptionModel: string | null;
                }[];
            } | {
                /** @description The agent whose scorecards they are. */
                agent: components["schemas"]["UserReference"];
                /** @description The content analyses to aggregate. */
                contentAnalysis: {
                    /** @description The content analysis's id. */
                    id: string;
                }[];
            };
            /** @description What was found; empty until it is done. */
            artifacts: {
                /** @description What kind of finding it is, such as `summary`. */
                type: string;
                /** @description The finding in words. */
                content: string;
                /** @description What the analysis took. */
                usage: {
                    /** @description Tokens that the model read. */
                    inputTokens: number;
                    /** @description Tokens that the model wrote. */
                    outputTokens: number;
                };
            }[];
            /** @description As submitted; those of the call for a job that the service made. */
            passthroughParameters: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the job was made, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When the job was made, ms since the Unix epoch. */
            createdTimestamp: number;
            /** @description When the job was done, ISO 8601 in UTC; null until then. */
            completedAt: string | null;
            /** @description When the job was done, ms since the Unix epoch; null until then. */
            completedTimestamp: number | null;
        };
        /** @description A conversation: messages between a company number and one or more contacts. */
        Conversation: {
            /** @description The conversation's id. */
            id: string;
            /**
             * @description Where the conversation stands.
             * @enum {string}
             */
            status: "open" | "inactive" | "closed";
            /**
             * @description The channel of its messages.
             * @enum {string}
             */
            channel: "sms" | "whatsApp";
            /** @description The initial name; null without one. */
            name: string | null;
            /** @description The company number, E.164. */
            companyNumber: string;
            /** @description The user or the team whose number it is. */
            companyNumberOwner: components["schemas"]["EntryReference"];
            /** @description The contacts' numbers, E.164, in the order in which they were given. Several are a group. */
            contactAddresses: string[];
            /** @description The author of the first message. */
            initiatedBy: components["schemas"]["MessageAuthor"];
            /** @description The contacts, then the users: ten at most. */
            participants: components["schemas"]["ConversationParticipant"][];
            /** @description The vendor that carries the messages. */
            vendor: string;
            /** @description The vendor's id for the conversation. */
            vendorConversationId: string;
            /** @description The messages, oldest first. */
            messages: components["schemas"]["Message"][];
            /** @description The claim rule that it was created with; null without one. */
            claimRule: string | null;
            /** @description How long after the last update it closes, ISO 8601; null if it does not close by itself. */
            closeTimer: string | null;
            /** @description What a customer's own systems sent along: names that begin with `x-`, each with a text. */
            passthroughParameters: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the conversation began, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When the conversation began, ms since the Unix epoch. */
            createdTimestamp: number;
            /**
             * Format: date-time
             * @description When the conversation last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the conversation last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
            /** @description When the conversation closed, ISO 8601 in UTC; null until then. */
            closedAt: string | null;
            /** @description When the conversation closed, ms since the Unix epoch; null until then. */
            closedTimestamp: number | null;
        };
        /** @description A user whom the conversation is assigned to, or an outside contact. */
        ConversationParticipant: {
            /**
             * @description A user of the directory.
             * @constant
             */
            type: "user";
            /** @description The user's id. */
            id: string;
            /** @description The user's name, as people see it. */
            displayName: string;
            /** @description The user's e-mail address. */
            email: string;
            /** @description Where the user works; null if unknown. */
            location: components["schemas"]["Location"] | null;
            /** @description How many messages this user has not read. */
            unreadCount: number;
        } | {
            /**
             * @description Someone outside.
             * @constant
             */
            type: "external";
            /** @description The phone number, E.164. */
            phoneNumber: string;
            /** @description The name of a known contact, else the number. */
            displayName: string;
        };
        /** @description A webhook as its creation answers it. */
        CreatedWebhook: {
            /** @description The webhook's id. */
            id: string;
            /** @description Where events are delivered. */
            url: string;
            /** @description A description; null without one. */
            description: string | null;
            /** @description The types of the events that it receives, or `*` for all; those that the dialect declares are allowed. */
            events: ("call.started" | "call.answered" | "call.not_answered" | "call.hungup" | "call.ended" | "call.recording.available" | "call.transcript.created" | "call.transcription_completed" | "call.tariffed" | "call.contact_assigned_with_add" | "call.contact_assigned_with_update" | "contact.shared" | "conversation.message.created" | "conversation.inactive" | "conversation.closed" | "conversation.contact_assigned" | "content_analysis.completed" | "user.availability.updated" | "team.availability.updated" | "transcript.created" | "*")[];
            /** @description Whether events are delivered to it. */
            enabled: boolean;
            /** @description How many events in a row could not be delivered. */
            consecutiveFailures: number;
            /** @description The id of the user who created it; null if nobody is named, as through the API. */
            createdBy: string | null;
            /**
             * Format: date-time
             * @description When the webhook was created, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When the webhook was created, ms since the Unix epoch. */
            createdTimestamp: number;
            /**
             * Format: date-time
             * @description When the webhook last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the webhook last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
            /** @description When the webhook was disabled, ISO 8601 in UTC; null until then. */
            disabledAt: string | null;
            /** @description When the webhook was disabled, ms since the Unix epoch; null until then. */
            disabledTimestamp: number | null;
            /** @description The secret that deliveries are signed with. Only the creation answers it. */
            signingSecret: string;
        };
        /** @description A device of the directory, such as the phone in the lobby. */
        Device: {
            /** @description The entry's id. */
            id: string;
            /** @description The directory type, as `dialect.directoryTypes` names it. */
            type: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu; absent without one. */
            ivrKey?: string;
            /** @description Where a call can be redirected to, to reach this entry. */
            vendorRedirectUrl: string;
            /** @description The SIP address; null if unknown. */
            sipAddress: string | null;
            /** @description Whether it may dial outside numbers. */
            isOutboundAllowed: boolean;
            /** @description The entry's own phone numbers, E.164. */
            phoneNumbers: string[];
        };
        /** @description One ringing of one endpoint. */
        Dial: {
            /**
             * @description Why the endpoint was rung.
             * @enum {string}
             */
            reason: "direct" | "teamOffer" | "redirect" | "transfer" | "conference" | "outbound";
            /** @description The endpoint that rang, by its id. */
            endpoint: string;
            /**
             * Format: date-time
             * @description When it began to ring, ISO 8601 in UTC.
             */
            startedAt: string;
            /** @description When it began to ring, ms since the Unix epoch. */
            startedTimestamp: number;
            /** @description When it stopped ringing, ISO 8601 in UTC; null until then. */
            endedAt: string | null;
            /** @description When it stopped ringing, ms since the Unix epoch; null until then. */
            endedTimestamp: number | null;
            /** @description How the ringing ended; null while it rings. */
            outcome: ("answered" | "answeredElsewhere" | "timeout" | "declined" | "withdrawn" | "failed") | null;
            /** @description The vendor's ids of the call legs that rang it. */
            vendorCallIds: string[];
        };
        /** @description Any entry of the directory: something that has an extension. */
        DirectoryEntry: components["schemas"]["User"] | components["schemas"]["Team"] | components["schemas"]["Device"] | components["schemas"]["TrunkDevice"] | components["schemas"]["TrunkQueue"] | components["schemas"]["TrunkUser"];
        /** @description How a user, a team or a device is named inside another record. */
        EntryReference: {
            /** @description The entry's id. */
            id: string;
            /** @description The kind of entry: `user`, `team` or `device`. */
            type: string;
            /** @description The entry's name, as people see it. */
            displayName: string;
            /** @description The entry's extension number. */
            extension: string;
            /** @description The user's e-mail address; null for teams and devices. */
            email: string | null;
            /** @description The name that a Team Call data action gave the team for this call; absent without one. */
            overriddenDisplayName?: string;
        };
        /** @description Why a request was refused. Nothing was changed. */
        Error: {
            /**
             * @description The kind of error, for programs.
             * @enum {string}
             */
            code: "fault" | "bad_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "payload_too_large" | "unsupported_media_type" | "too_many_requests" | "internal_error" | "bad_gateway" | "service_unavailable" | "gateway_timeout";
            /** @description What is wrong and what was expected, for people. */
            message: string;
            /** @description What is wrong with which field of the request, each once. */
            details?: {
                /** @description The field, such as `contacts[0].name`. */
                path: string;
                /** @description What is wrong with it. */
                message: string;
            }[];
        };
        /** @description A call as events have it. Durations are milliseconds unless a field says otherwise. */
        EventCall: {
            /** @description The call's id. */
            id: string;
            /** @description The organisation. In event data only: `sim.calls` and the REST API leave it out. */
            organisationId: string;
            /**
             * @description Whether the call came in or was dialled by somebody inside.
             * @enum {string}
             */
            direction: "inbound" | "outbound";
            /** @description Whether it is between internal users only, so far: false once someone outside joins. */
            isInternal: boolean;
            /** @description Whether three or more parties were on the bridge at the same time, a voicemail not counted. */
            isConference: boolean;
            /**
             * @description Where the call stands.
             * @enum {string}
             */
            status: "started" | "offered" | "accepted" | "ended" | "missed" | "unanswered" | "abandoned" | "blocked";
            /** @description How the call ended; null until it closes. */
            outcome: {
                /**
                 * @description How the call ended.
                 * @enum {string}
                 */
                status: "answered" | "missed" | "abandoned" | "unanswered" | "blocked";
                /** @description Why: for example `timeout`, `declined` or `callerHungUp`; null for an answered call. */
                reason: string | null;
            } | null;
            /** @description The outside party's number, whoever called: E.164 or a short code; null if the caller withheld it; an extension in an internal call. */
            contactNumber: string | null;
            /** @description The company number used, E.164: the number called, or the caller id of an outbound call. */
            companyNumber: string;
            /**
             * Format: date-time
             * @description When the call began, ISO 8601 in UTC.
             */
            startedAt: string;
            /** @description When the call began, ms since the Unix epoch. */
            startedTimestamp: number;
            /** @description When somebody first answered, ISO 8601 in UTC; null until then. */
            answeredAt: string | null;
            /** @description When somebody first answered, ms since the Unix epoch; null until then. */
            answeredTimestamp: number | null;
            /** @description When the call closed, ISO 8601 in UTC; null until then. */
            endedAt: string | null;
            /** @description When the call closed, ms since the Unix epoch; null until then. */
            endedTimestamp: number | null;
            /**
             * Format: date-time
             * @description When the record last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the record last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
            /** @description From start to end, ms; null until the call closes. */
            duration: number | null;
            /** @description The same in words, such as `2m 5s`; null until the call closes. */
            durationText: string | null;
            /** @description From start to answer, or the whole duration if nobody answered, ms; null until known. */
            waitTime: number | null;
            /** @description The same in words, such as `45s`; null until known. */
            waitTimeText: string | null;
            /** @description The vendor that carries the call. */
            vendor: string;
            /** @description The vendor's id for the call. */
            vendorCallId: string;
            /** @description Whom the caller called first. Inbound calls only; absent before `call.answered` and `call.not_answered`. */
            directoryTarget?: components["schemas"]["EntryReference"];
            /** @description The last team that the call was for, null if none. Inbound calls only; absent before `call.answered` and `call.not_answered`. */
            assignedCallGroup?: components["schemas"]["EntryReference"] | null;
            /** @description Who answered; null if no user did. */
            assignedUser: {
                /** @description The user's id. */
                id: string;
                /** @description Always `user`. */
                type: string;
                /** @description The user's name, as people see it. */
                displayName: string;
                /** @description The first name; null if unknown. */
                firstName: string | null;
                /** @description The last name; null if unknown. */
                lastName: string | null;
                /** @description The user's extension number. */
                extension: string;
                /** @description The user's e-mail address. */
                email: string | null;
                /** @description Whom the user reports to; null if unknown. */
                manager: components["schemas"]["UserReference"] | null;
                /** @description Where the user works; null if unknown. */
                location: components["schemas"]["Location"] | null;
            } | null;
            /** @description Everyone who was on the call or rung for it, in the order in which they came. */
            parties: components["schemas"]["Party"][];
            /** @description Who was on the bridge from when to when. */
            connections: {
                /** @description The party, by its id in the call. */
                partyId: string;
                /** @description The endpoint, by its id; null for parties that have no endpoints of ours. */
                endpoint: string | null;
                /**
                 * Format: date-time
                 * @description When the party joined the bridge, ISO 8601 in UTC.
                 */
                joinedAt: string;
                /** @description When the party joined the bridge, ms since the Unix epoch. */
                joinedTimestamp: number;
                /** @description When the party left the bridge, ISO 8601 in UTC; null until then. */
                leftAt: string | null;
                /** @description When the party left the bridge, ms since the Unix epoch; null until then. */
                leftTimestamp: number | null;
            }[];
            /** @description Recordings of the call; made with `features.recording`. */
            recordings: components["schemas"]["Recording"][];
            /** @description The message that the caller left; null without one. */
            voicemail: {
                /** @description The message's id. */
                id: string;
                /** @description How long it is: whole seconds, rounded down. */
                duration: number;
                /** @description The same in words, such as `1m 5s`. */
                durationText: string;
                /** @description Where the recording is. */
                recordingUrl: string;
                /**
                 * Format: date-time
                 * @description When that URL expires, ISO 8601 in UTC.
                 */
                recordingUrlExpiresAt: string;
                /** @description When that URL expires, ms since the Unix epoch. */
                recordingUrlExpiresTimestamp: number;
                /** @description What was said; null without transcription. */
                transcription: string | null;
            } | null;
            /** @description What people wrote about the call, oldest first. */
            notes: {
                /** @description The note's id. */
                id: string;
                /** @description What they wrote. */
                text: string;
                /** @description Who wrote it. */
                author: {
                    /** @description The author's user id. */
                    userId: string;
                    /** @description The author's e-mail address. */
                    email: string;
                    /** @description The author's name, as people see it. */
                    displayName: string;
                };
                /**
                 * Format: date-time
                 * @description When it was written, ISO 8601 in UTC.
                 */
                createdAt: string;
                /** @description When it was written, ms since the Unix epoch. */
                createdTimestamp: number;
            }[];
            /** @description The call in words. */
            summary: {
                /** @description Who called whom. */
                header: string;
                /** @description Who the outside party is. */
                contactNumberDescription: string;
                /** @description Whose company number was used. */
                companyNumberDescription: string;
                /** @description How the call ended, or its status until then. */
                outcome: string;
            };
            /** @description What the call cost; null until known, and without `features.tariff`. */
            tariff: {
                /** @description The currency of the amount, such as `NZD`. */
                currency: string;
                /** @description What the call cost in all. */
                amount: number;
            } | null;
            /** @description What a customer's own systems sent along: names that begin with `x-`, each with a text. */
            passthroughParameters: {
                [key: string]: string;
            };
        };
        /** @description A phonebook as a list has it. */
        ListedPhonebook: {
            /** @description The phonebook's id; for a personal phonebook, the user's e-mail address in lower case. */
            id: string;
            /** @description The phonebook's name. */
            name: string;
            /** @description The country, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
            countryIso: string | null;
            /**
             * Format: date-time
             * @description When the phonebook was made, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When the phonebook was made, ms since the Unix epoch. */
            createdTimestamp: number;
            /**
             * Format: date-time
             * @description When the phonebook or a contact of it last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the phonebook or a contact of it last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
            /** @description The contacts, in the order in which they were added; absent for `limit=0`. */
            contacts?: components["schemas"]["Contact"][];
        };
        /** @description A location of the organisation. */
        Location: {
            /** @description The location's id. */
            id: string;
            /** @description The location's name. */
            name: string;
            /** @description The postal address; null if unknown. */
            address: string | null;
            /** @description The country, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
            countryIso: string | null;
            /** @description The IANA time zone, such as `Pacific/Auckland`; null if unknown. */
            timezone: string | null;
        };
        /** @description A message of a conversation. */
        Message: {
            /** @description The message's id. */
            id: string;
            /** @description Who wrote it. */
            author: components["schemas"]["MessageAuthor"];
            /**
             * @description Whether it came in or was sent.
             * @enum {string}
             */
            direction: "inbound" | "outbound";
            /** @description The text; empty for a message that is media alone. */
            content: string;
            /** @description The vendor's id for the message. */
            vendorMessageId: string;
            /** @description Whether it was sent through the API. */
            isApiCreated: boolean;
            /** @description Pictures and files that came with it. */
            media: {
                /** @description The file's id. */
                id: string;
                /** @description Where the file is. */
                url: string;
                /** @description Its media type; null if the sender did not say. */
                mimeType: string | null;
                /** @description Where the vendor keeps it. */
                vendorResourceUrl: string;
            }[];
            /**
             * Format: date-time
             * @description When it was written, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When it was written, ms since the Unix epoch. */
            createdTimestamp: number;
        };
        /** @description Who wrote a message. What the API sends without `sendAsUser` comes from the user or team whose number it is. */
        MessageAuthor: {
            /**
             * @description A user of the directory.
             * @constant
             */
            type: "user";
            /** @description The user's id. */
            id: string;
            /** @description The user's name, as people see it. */
            displayName: string;
            /** @description The user's e-mail address. */
            email: string;
        } | {
            /**
             * @description Someone outside.
             * @constant
             */
            type: "external";
            /** @description The phone number, E.164. */
            phoneNumber: string;
            /** @description The name of a known contact, else the number. */
            displayName: string;
        } | {
            /**
             * @description A team of the directory.
             * @constant
             */
            type: "team";
            /** @description The team's id. */
            id: string;
            /** @description The team's name, as people see it. */
            displayName: string;
        };
        /** @description Where the next page of a list is. */
        Meta: {
            /** @description The cursor of the next page; empty when there is none. */
            next: string;
        };
        NewContact: {
            /** @description The contact's id; default: a new one. */
            id?: string;
            /** @description The whole name, as people see it; default: the first and the last name. */
            name?: string;
            /** @description The first name; null if unknown. */
            firstName?: string | null;
            /** @description The last name; null if unknown. */
            lastName?: string | null;
            /** @description The job title; null if unknown. */
            jobTitle?: string | null;
            /** @description Phone numbers. A caller with one of them is shown by the contact's name. One that is not E.164 is read by the country of the phonebook, else of the organisation; if it cannot be read, it matches nobody. */
            phoneNumbers?: string[];
            /** @description E-mail addresses. */
            emailAddresses?: string[];
        };
        NewContentAnalysis: {
            /** @description The name of the analyzer. */
            analyzer: string;
            /** @description What is analysed: recordings, or an agent's scorecards. */
            content: {
                /** @description The recordings. */
                recordings: {
                    /** @description The recording's id. */
                    id: string;
                    /** @description The model to transcribe it with; default: the service's own. */
                    transcriptionModel?: string;
                }[];
            } | {
                /** @description The user whose scorecards are aggregated, by id or e-mail address. */
                agent: string;
                /** @description The jobs that made them. */
                contentAnalysis: {
                    /** @description The job's id. */
                    id: string;
                }[];
            };
            /** @description Any plain data; the job returns it as it was given. */
            passthroughParameters?: {
                [key: string]: unknown;
            };
        };
        NewConversationMessage: {
            /** @description The recipients, 1 to 10 numbers, E.164. Several are a group. */
            contactAddresses: string[];
            /** @description The organisation's number that the message is sent from, E.164. */
            companyAddress: string;
            /** @description What the message says. */
            messageContent: {
                /** @description The text of the message. May be left out if there is media. */
                text?: string;
                /** @description Files of the message: https URLs, or `{ url, mimeType }`. */
                media?: (string | {
                    /** @description Where the file is: an https URL. */
                    url: string;
                    /** @description The file's media type, such as `image/jpeg`. */
                    mimeType?: string;
                })[];
                /** @description The user on whose behalf it is sent: an e-mail address. */
                sendAsUser?: string;
            };
            /**
             * @description The channel of the message; default `sms`.
             * @enum {string}
             */
            channel?: "sms" | "whatsApp";
            /**
             * @description Whom a new conversation is assigned to: `assignUsers`, nobody, or the number's owner. Required for a new conversation.
             * @enum {string}
             */
            routingAction?: "assign_users" | "do_not_route" | "assign_owner";
            /** @description The users whom it is assigned to, by e-mail address. Required for `assign_users`. */
            assignUsers?: string[];
            /** @description The rule by which users claim a new conversation. Ignored for an existing one. */
            claimRule?: string;
            /**
             * @description Whether users are notified of the message, and whether it stays unread; default `notify_unread`.
             * @enum {string}
             */
            notificationMode?: "notify_unread" | "silent_unread" | "silent_read";
            /** @description How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. */
            closeTimer?: string;
            /** @description The name of a new conversation, shown in lists, at most 100 characters. */
            conversationName?: string;
            /** @description Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones. */
            passthroughParameters?: Record<string, never> | string;
        };
        NewLocation: {
            /** @description The location's id; default: a new one. */
            id?: string;
            /** @description The location's name. */
            name: string;
            /** @description The postal address. */
            address?: string;
            /** @description The country, by ISO 3166-1 alpha-2, such as `NZ`. */
            countryIso?: string;
            /** @description The IANA time zone, such as `Pacific/Auckland`. */
            timezone?: string;
        };
        NewMessage: {
            /** @description The text of the message, at most 1600 characters. */
            body: string;
            /** @description Who sends it: a user's e-mail address, or their number, E.164. */
            from: string;
            /** @description The recipient's number, E.164. */
            to: string;
            /** @description Whether the users of a new conversation are notified of the message; default true. */
            notifyUsers?: boolean;
            /** @description How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. */
            closeTimer?: string;
            /** @description The name of a new conversation, shown in lists, at most 100 characters. */
            conversationName?: string;
            /** @description Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones. */
            passthroughParameters?: Record<string, never> | string;
        };
        NewPhonebook: {
            /** @description The phonebook's id, or a user's e-mail address for their personal one. */
            id: string;
            /** @description The phonebook's name. */
            name?: string;
            /** @description The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
            countryIso?: string | null;
            /** @description Everything that the phonebook holds from now on; default: nothing. */
            contacts?: components["schemas"]["NewContact"][];
        };
        NewTeamMessage: {
            /** @description The team's number that the message is sent from, E.164. */
            companyAddress: string;
            /** @description The only recipient's number, E.164; instead of `contactAddresses`. */
            contactAddress?: string;
            /** @description The recipients, 1 to 10 numbers, E.164; instead of `contactAddress`, and with `channel`. */
            contactAddresses?: string[];
            /**
             * @description The channel of the message: `sms`.
             * @enum {string}
             */
            channel?: "sms";
            /** @description What the message says. */
            messageContent: {
                /** @description The text of the message. May be left out if there is media. */
                text?: string;
                /** @description Files of the message: https URLs, or `{ url, mimeType }`. */
                media?: (string | {
                    /** @description Where the file is: an https URL. */
                    url: string;
                    /** @description The file's media type, such as `image/jpeg`. */
                    mimeType?: string;
                })[];
                /** @description The user on whose behalf it is sent: an e-mail address. */
                sendAsUser?: string;
            };
            /**
             * @description Whom a new conversation is assigned to: `assignUsers`, those and the team's users, or nobody.
             * @enum {string}
             */
            routingAction?: "assign_users" | "assign_team" | "do_not_route";
            /** @description The users whom it is assigned to, by e-mail address. Required for `assign_users`. */
            assignUsers?: string[];
            /** @description The rule by which users claim a new conversation. Ignored for an existing one. */
            claimRule?: string;
            /** @description Whether the users of a new conversation are notified of the message; default true. */
            notifyUsers?: boolean;
            /** @description How long after its last update the conversation closes: an ISO 8601 duration from `PT600S` to `P180D`. */
            closeTimer?: string;
            /** @description The name of a new conversation, shown in lists, at most 100 characters. */
            conversationName?: string;
            /** @description Entries whose key starts with `x-` and whose value is text; at most 1000 bytes in all. Merged with the existing ones. */
            passthroughParameters?: Record<string, never> | string;
        } & (unknown | unknown);
        NewTrunkDevice: {
            /** @description The entry's id, unique in the directory; default: one is made. */
            id?: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, digits, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
            ivrKey?: string;
            /** @description A description; null for none. */
            description?: string | null;
            /** @description The place, in words; null if unknown. */
            location?: string | null;
            /** @description Its model; null if unknown. */
            model?: string | null;
            /** @description Its product line; null if unknown. */
            product?: string | null;
        };
        NewTrunkQueue: {
            /** @description The entry's id, unique in the directory; default: one is made. */
            id?: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, digits, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
            ivrKey?: string;
            /** @description A description; null for none. */
            description?: string | null;
        };
        NewTrunkUser: {
            /** @description The entry's id, unique in the directory; default: one is made. */
            id?: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, digits, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
            ivrKey?: string;
            /** @description A description; null for none. */
            description?: string | null;
            /** @description The department; null if unknown. */
            department?: string | null;
            /** @description The job title; null if unknown. */
            jobTitle?: string | null;
            /** @description The place, in words; null if unknown. */
            location?: string | null;
            /** @description Whom they report to; null if unknown. */
            manager?: string | null;
            /** @description The user of the service whom they are associated with, by id or e-mail address; null if none. */
            user?: string | null;
            /** @description Their own phone numbers, E.164; default: none. */
            phoneNumbers?: string[];
        };
        NewWebhook: {
            /** @description Where events are sent: an https URL at a public host, unless the option `allowLocal` is set. */
            url: string;
            /** @description The event types to deliver, or `*` for all; those that the dialect declares are allowed. */
            events: ("call.started" | "call.answered" | "call.not_answered" | "call.hungup" | "call.ended" | "call.recording.available" | "call.transcript.created" | "call.transcription_completed" | "call.tariffed" | "call.contact_assigned_with_add" | "call.contact_assigned_with_update" | "contact.shared" | "conversation.message.created" | "conversation.inactive" | "conversation.closed" | "conversation.contact_assigned" | "content_analysis.completed" | "user.availability.updated" | "team.availability.updated" | "transcript.created" | "*")[];
            /** @description A description; null or left out for none. */
            description?: string | null;
            /** @description Whether events are delivered to it; default true. */
            enabled?: boolean;
        };
        /** @description Someone who takes part in a call or a conversation: a user, or someone outside. */
        Participant: {
            /**
             * @description A user of the directory.
             * @constant
             */
            type: "user";
            /** @description The user's id. */
            id: string;
            /** @description The user's name, as people see it. */
            displayName: string;
            /** @description The user's e-mail address. */
            email: string;
        } | {
            /**
             * @description Someone outside.
             * @constant
             */
            type: "external";
            /** @description The phone number, E.164. */
            phoneNumber: string;
            /** @description The name of a known contact, else the number. */
            displayName: string;
        };
        /** @description Someone on a call, or rung for it. */
        Party: {
            /** @description The party's id, unique in its call. */
            id: string;
            /**
             * @description Whether it is someone outside, a user, a device or a voicemail.
             * @enum {string}
             */
            type: "external" | "user" | "device" | "voicemail";
            /** @description Whether it belongs to the organisation. */
            isInternal: boolean;
            /** @description The name, as people see it; the number of someone unknown. */
            displayName: string;
            /** @description Who a user or device party is in the directory; absent for the others. */
            entryId?: string;
            /** @description The phone number: E.164 or a short code; null for parties inside, and for a caller who withheld it. */
            phoneNumber: string | null;
            /** @description The extension number; null for someone outside and for a voicemail. */
            extension: string | null;
            /** @description The user's e-mail address; null for others. */
            email: string | null;
            /** @description The user's IANA time zone; absent for others. */
            timezone?: string;
            /** @description Whom the user reports to, null if unknown; absent for others. */
            manager?: components["schemas"]["UserReference"] | null;
            /** @description Where the user works, null if unknown; absent for others. */
            location?: components["schemas"]["Location"] | null;
            /** @description What the party's time on the call cost; null until known. */
            tariff: {
                /** @description The currency of the amount, such as `NZD`. */
                currency: string;
                /** @description The start of the number that the price is for, such as `+64`. */
                prefix: string;
                /** @description The price of a minute. */
                perMinute: number;
                /** @description The time on the bridge that it is for, ms. */
                duration: number;
                /** @description What that time cost. */
                amount: number;
            } | null;
            /** @description Each ringing of each of its endpoints, oldest first. */
            dials: components["schemas"]["Dial"][];
        };
        /** @description A phonebook: shared, or a user's own. */
        Phonebook: {
            /** @description The phonebook's id; for a personal phonebook, the user's e-mail address in lower case. */
            id: string;
            /** @description The phonebook's name. */
            name: string;
            /** @description The country, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
            countryIso: string | null;
            /**
             * Format: date-time
             * @description When the phonebook was made, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When the phonebook was made, ms since the Unix epoch. */
            createdTimestamp: number;
            /**
             * Format: date-time
             * @description When the phonebook or a contact of it last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the phonebook or a contact of it last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
            /** @description The contacts, in the order in which they were added. */
            contacts: components["schemas"]["Contact"][];
        };
        PhonebookContents: {
            /** @description The phonebook's id, or a user's e-mail address for their personal one. */
            id?: string;
            /** @description The phonebook's name. */
            name?: string;
            /** @description The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
            countryIso?: string | null;
            /** @description Everything that the phonebook holds from now on; default: nothing. */
            contacts?: components["schemas"]["NewContact"][];
        };
        /** @description A recording of a call. */
        Recording: {
            /** @description The recording's id. */
            id: string;
            /** @description The call that it is of. */
            callId: string;
            /** @description The size of the file, bytes. */
            fileSize: number;
            /** @description The media type of the file, such as `audio/mpeg`. */
            mimeType: string;
            /** @description How many audio channels it has. */
            channels: number;
            /** @description The id of its transcript; null until there is one. */
            transcript: string | null;
        };
        /** @description What sending a message answers. */
        SentMessage: {
            /** @description Whether the message was added to a conversation that was there. */
            hasExistingConversation: boolean;
            /** @description The vendor that carries the message. */
            vendor: string;
            /** @description The vendor's id for the conversation. */
            vendorConversationId: string;
            /** @description The vendor's id for the message; absent for one that begins a group: `conversation.message.created` has it. */
            vendorMessageId?: string;
        };
        /** @description What sending a message answered before. */
        Success: {
            /** @description Always true. */
            success: boolean;
        };
        /** @description A team of the directory. */
        Team: {
            /** @description The entry's id. */
            id: string;
            /** @description The directory type, as `dialect.directoryTypes` names it. */
            type: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu; absent without one. */
            ivrKey?: string;
            /** @description Where a call can be redirected to, to reach this entry. */
            vendorRedirectUrl: string;
            /** @description Whether listings of the directory leave the team out unless asked for hidden teams. */
            isHidden: boolean;
            /** @description The entry's own phone numbers, E.164. */
            phoneNumbers: string[];
            /** @description The members, in the order in which they joined. */
            teamMembers: components["schemas"]["TeamMember"][];
            /** @description Whether anyone in the team can be called. */
            availability: {
                /**
                 * @description `available` if a member is, else `busy`.
                 * @enum {string}
                 */
                status: "available" | "busy";
                /** @description How many members there are. */
                totalMembers: number;
                /** @description How many of them are available. */
                totalAvailable: number;
                /** @description The same in words, for people to read. */
                availabilitySummary: string;
            };
        };
        /** @description A device in a team: the device, with the offer priority. */
        TeamDevice: {
            /** @description The entry's id. */
            id: string;
            /** @description The directory type, as `dialect.directoryTypes` names it. */
            type: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu; absent without one. */
            ivrKey?: string;
            /** @description Where a call can be redirected to, to reach this entry. */
            vendorRedirectUrl: string;
            /** @description The SIP address; null if unknown. */
            sipAddress: string | null;
            /** @description Whether it may dial outside numbers. */
            isOutboundAllowed: boolean;
            /** @description The entry's own phone numbers, E.164. */
            phoneNumbers: string[];
            /** @description The offer priority: 1 is rung first. */
            priority: number;
            /** @description Whether the device is free: not on a call. */
            isAvailable: boolean;
        };
        /** @description A user or a device in a team, with its offer priority. */
        TeamMember: components["schemas"]["TeamUser"] | components["schemas"]["TeamDevice"];
        TeamMembership: {
            /** @description The offer priority, 1 to 100; 1 is rung first. Default 1. */
            priority?: number;
        };
        /** @description A user in a team: the user, with the offer priority. */
        TeamUser: {
            /** @description The entry's id. */
            id: string;
            /** @description The directory type, as `dialect.directoryTypes` names it. */
            type: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu; absent without one. */
            ivrKey?: string;
            /** @description Where a call can be redirected to, to reach this entry. */
            vendorRedirectUrl: string;
            /** @description The e-mail address, unique in the directory. */
            email: string;
            /** @description The first name; null if unknown. */
            firstName: string | null;
            /** @description The last name; null if unknown. */
            lastName: string | null;
            /**
             * @description Whether the user takes part. Only active users are rung.
             * @enum {string}
             */
            status: "invited" | "active" | "suspended";
            /** @description The IANA time zone of the working hours, such as `Pacific/Auckland`. */
            timezone: string;
            /** @description The job title; null if unknown. */
            jobTitle: string | null;
            /** @description Whom the user reports to; null if unknown. */
            manager: components["schemas"]["UserReference"] | null;
            /** @description Where the user works; null if unknown. */
            location: components["schemas"]["Location"] | null;
            /** @description The entry's own phone numbers, E.164. */
            phoneNumbers: string[];
            /** @description The mobile number, E.164; absent without one, and with `features.excludeEmployeePhoneNumbers`. */
            mobile?: string;
            /** @description The names of the licenses that the user has. */
            licenses: string[];
            /**
             * @description Whether an endpoint of the user is registered.
             * @enum {string}
             */
            loginStatus: "loggedIn" | "loggedOut";
            /** @description Whether the user comes from the customer's own directory. */
            isDirectorySynced: boolean;
            /** @description The release channel that the desktop app is enrolled in. */
            desktopEnrolledReleaseChannel: string;
            /** @description Whether unanswered calls go to a voicemail. */
            hasVoicemail: boolean;
            /** @description The apps and phones that ring for the user. */
            endpoints: {
                /** @description The endpoint's id, unique for its user. */
                id: string;
                /**
                 * @description Whether it is a mobile app, a desktop app or a SIP phone.
                 * @enum {string}
                 */
                type: "mobile" | "desktop" | "sip";
                /** @description Whether it is signed in. Only registered endpoints ring. */
                registered: boolean;
            }[];
            /** @description The teams that the user is in, in the order of the organisation's teams. */
            teams: components["schemas"]["EntryReference"][];
            /** @description Whether the user can be called, since when, and why not. */
            availability: components["schemas"]["Availability"];
            /** @description The call that keeps the user busy; null unless busy on a call. */
            callId: string | null;
            /** @description The vendor that carries that call; null unless busy on a call. */
            vendor: string | null;
            /** @description The vendor's id of that call's parent; null unless busy on a call. */
            vendorCallId: string | null;
            /** @description The offer priority: 1 is rung first. */
            priority: number;
        };
        /** @description What was said in a recording. Its segments are read separately. */
        Transcript: {
            /** @description The transcript's id. */
            id: string;
            /** @description The call that it is of. */
            callId: string;
            /** @description The recording that it is of. */
            recordingId: string;
            /** @description What was said, one line a segment: `JOIN Alice Ng`, or the words. */
            text: string;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When it was made, ms since the Unix epoch. */
            createdTimestamp: number;
        };
        /** @description One stretch of a transcript. */
        TranscriptSegment: {
            /**
             * @description Whether someone joined, left or spoke.
             * @enum {string}
             */
            type: "JOIN" | "LEAVE" | "SPEECH";
            /** @description Who joined, left or spoke. */
            speaker: string;
            /** @description What they said; empty for who joined or left. */
            text: string;
            /** @description When it begins, ms from the start of the recording. */
            startOffset: number;
            /** @description When it ends, ms from the start of the recording. */
            endOffset: number;
        };
        /** @description A SIP trunk to another phone system. Trunks are made in the account portal only, so here in the organisation only. */
        Trunk: {
            /** @description The trunk's id. */
            id: string;
            /** @description The trunk's name. */
            name: string;
        };
        /** @description A device behind a trunk. */
        TrunkDevice: {
            /** @description The entry's id. */
            id: string;
            /** @description The directory type, as `dialect.directoryTypes` names it. */
            type: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu; absent without one. */
            ivrKey?: string;
            /** @description Where a call can be redirected to, to reach this entry. */
            vendorRedirectUrl: string;
            /** @description The trunk that the entry belongs to. */
            trunkId: string;
            /** @description A description; null without one. */
            description: string | null;
            /**
             * Format: date-time
             * @description When the entry was added, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When the entry was added, ms since the Unix epoch. */
            createdTimestamp: number;
            /**
             * Format: date-time
             * @description When the entry last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the entry last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
            /** @description Where it stands; null if unknown. */
            location: string | null;
            /** @description Its model; null if unknown. */
            model: string | null;
            /** @description Its product line; null if unknown. */
            product: string | null;
        };
        TrunkDeviceChanges: {
            /** @description The name, as people see it. */
            displayName?: string;
            /** @description The extension number, digits, unique in the directory. */
            extension?: string;
            /** @description The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
            ivrKey?: string;
            /** @description A description; null for none. */
            description?: string | null;
            /** @description The place, in words; null if unknown. */
            location?: string | null;
            /** @description Its model; null if unknown. */
            model?: string | null;
            /** @description Its product line; null if unknown. */
            product?: string | null;
        };
        /** @description A queue behind a trunk. */
        TrunkQueue: {
            /** @description The entry's id. */
            id: string;
            /** @description The directory type, as `dialect.directoryTypes` names it. */
            type: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu; absent without one. */
            ivrKey?: string;
            /** @description Where a call can be redirected to, to reach this entry. */
            vendorRedirectUrl: string;
            /** @description The trunk that the entry belongs to. */
            trunkId: string;
            /** @description A description; null without one. */
            description: string | null;
            /**
             * Format: date-time
             * @description When the entry was added, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When the entry was added, ms since the Unix epoch. */
            createdTimestamp: number;
            /**
             * Format: date-time
             * @description When the entry last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the entry last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
        };
        TrunkQueueChanges: {
            /** @description The name, as people see it. */
            displayName?: string;
            /** @description The extension number, digits, unique in the directory. */
            extension?: string;
            /** @description The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
            ivrKey?: string;
            /** @description A description; null for none. */
            description?: string | null;
        };
        /** @description A user behind a trunk. */
        TrunkUser: {
            /** @description The entry's id. */
            id: string;
            /** @description The directory type, as `dialect.directoryTypes` names it. */
            type: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu; absent without one. */
            ivrKey?: string;
            /** @description Where a call can be redirected to, to reach this entry. */
            vendorRedirectUrl: string;
            /** @description The trunk that the entry belongs to. */
            trunkId: string;
            /** @description A description; null without one. */
            description: string | null;
            /**
             * Format: date-time
             * @description When the entry was added, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When the entry was added, ms since the Unix epoch. */
            createdTimestamp: number;
            /**
             * Format: date-time
             * @description When the entry last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the entry last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
            /** @description The department; null if unknown. */
            department: string | null;
            /** @description The job title; null if unknown. */
            jobTitle: string | null;
            /** @description Where they work; null if unknown. */
            location: string | null;
            /** @description Whom they report to; null if unknown. */
            manager: string | null;
            /** @description The user of the service that they are; null if none. */
            user: components["schemas"]["UserReference"] | null;
            /** @description The entry's own phone numbers, E.164. */
            phoneNumbers: string[];
        };
        TrunkUserChanges: {
            /** @description The name, as people see it. */
            displayName?: string;
            /** @description The extension number, digits, unique in the directory. */
            extension?: string;
            /** @description The key that callers press for this entry in a menu, which `GET /directory?ivrKey=` finds it by. */
            ivrKey?: string;
            /** @description A description; null for none. */
            description?: string | null;
            /** @description The department; null if unknown. */
            department?: string | null;
            /** @description The job title; null if unknown. */
            jobTitle?: string | null;
            /** @description The place, in words; null if unknown. */
            location?: string | null;
            /** @description Whom they report to; null if unknown. */
            manager?: string | null;
            /** @description The user of the service whom they are associated with, by id or e-mail address; null if none. */
            user?: string | null;
            /** @description Their own phone numbers, E.164; default: none. */
            phoneNumbers?: string[];
        };
        /** @description A user of the directory. */
        User: {
            /** @description The entry's id. */
            id: string;
            /** @description The directory type, as `dialect.directoryTypes` names it. */
            type: string;
            /** @description The name, as people see it. */
            displayName: string;
            /** @description The extension number, unique in the directory. */
            extension: string;
            /** @description The key that callers press for this entry in a menu; absent without one. */
            ivrKey?: string;
            /** @description Where a call can be redirected to, to reach this entry. */
            vendorRedirectUrl: string;
            /** @description The e-mail address, unique in the directory. */
            email: string;
            /** @description The first name; null if unknown. */
            firstName: string | null;
            /** @description The last name; null if unknown. */
            lastName: string | null;
            /**
             * @description Whether the user takes part. Only active users are rung.
             * @enum {string}
             */
            status: "invited" | "active" | "suspended";
            /** @description The IANA time zone of the working hours, such as `Pacific/Auckland`. */
            timezone: string;
            /** @description The job title; null if unknown. */
            jobTitle: string | null;
            /** @description Whom the user reports to; null if unknown. */
            manager: components["schemas"]["UserReference"] | null;
            /** @description Where the user works; null if unknown. */
            location: components["schemas"]["Location"] | null;
            /** @description The entry's own phone numbers, E.164. */
            phoneNumbers: string[];
            /** @description The mobile number, E.164; absent without one, and with `features.excludeEmployeePhoneNumbers`. */
            mobile?: string;
            /** @description The names of the licenses that the user has. */
            licenses: string[];
            /**
             * @description Whether an endpoint of the user is registered.
             * @enum {string}
             */
            loginStatus: "loggedIn" | "loggedOut";
            /** @description Whether the user comes from the customer's own directory. */
            isDirectorySynced: boolean;
            /** @description The release channel that the desktop app is enrolled in. */
            desktopEnrolledReleaseChannel: string;
            /** @description Whether unanswered calls go to a voicemail. */
            hasVoicemail: boolean;
            /** @description The apps and phones that ring for the user. */
            endpoints: {
                /** @description The endpoint's id, unique for its user. */
                id: string;
                /**
                 * @description Whether it is a mobile app, a desktop app or a SIP phone.
                 * @enum {string}
                 */
                type: "mobile" | "desktop" | "sip";
                /** @description Whether it is signed in. Only registered endpoints ring. */
                registered: boolean;
            }[];
            /** @description The teams that the user is in, in the order of the organisation's teams. */
            teams: components["schemas"]["EntryReference"][];
            /** @description Whether the user can be called, since when, and why not. */
            availability: components["schemas"]["Availability"];
            /** @description The call that keeps the user busy; null unless busy on a call. */
            callId: string | null;
            /** @description The vendor that carries that call; null unless busy on a call. */
            vendor: string | null;
            /** @description The vendor's id of that call's parent; null unless busy on a call. */
            vendorCallId: string | null;
        };
        /** @description How a user is named in the record of another entry, for example as its manager. */
        UserReference: {
            /** @description The user's id. */
            id: string;
            /** @description The user's name, as people see it. */
            displayName: string;
            /** @description The user's e-mail address. */
            email: string;
        };
        /** @description A webhook: an address that events are delivered to. */
        Webhook: {
            /** @description The webhook's id. */
            id: string;
            /** @description Where events are delivered. */
            url: string;
            /** @description A description; null without one. */
            description: string | null;
            /** @description The types of the events that it receives, or `*` for all; those that the dialect declares are allowed. */
            events: ("call.started" | "call.answered" | "call.not_answered" | "call.hungup" | "call.ended" | "call.recording.available" | "call.transcript.created" | "call.transcription_completed" | "call.tariffed" | "call.contact_assigned_with_add" | "call.contact_assigned_with_update" | "contact.shared" | "conversation.message.created" | "conversation.inactive" | "conversation.closed" | "conversation.contact_assigned" | "content_analysis.completed" | "user.availability.updated" | "team.availability.updated" | "transcript.created" | "*")[];
            /** @description Whether events are delivered to it. */
            enabled: boolean;
            /** @description How many events in a row could not be delivered. */
            consecutiveFailures: number;
            /** @description The id of the user who created it; null if nobody is named, as through the API. */
            createdBy: string | null;
            /**
             * Format: date-time
             * @description When the webhook was created, ISO 8601 in UTC.
             */
            createdAt: string;
            /** @description When the webhook was created, ms since the Unix epoch. */
            createdTimestamp: number;
            /**
             * Format: date-time
             * @description When the webhook last changed, ISO 8601 in UTC.
             */
            lastModifiedAt: string;
            /** @description When the webhook last changed, ms since the Unix epoch. */
            lastModifiedTimestamp: number;
            /** @description When the webhook was disabled, ISO 8601 in UTC; null until then. */
            disabledAt: string | null;
            /** @description When the webhook was disabled, ms since the Unix epoch; null until then. */
            disabledTimestamp: number | null;
        };
        WebhookChanges: {
            /** @description Where events are sent from the next attempt on: an https URL at a public host, unless the option `allowLocal` is set. */
            url?: string;
            /** @description The event types to deliver from the next event on, or `*` for all; those that the dialect declares are allowed. */
            events?: ("call.started" | "call.answered" | "call.not_answered" | "call.hungup" | "call.ended" | "call.recording.available" | "call.transcript.created" | "call.transcription_completed" | "call.tariffed" | "call.contact_assigned_with_add" | "call.contact_assigned_with_update" | "contact.shared" | "conversation.message.created" | "conversation.inactive" | "conversation.closed" | "conversation.contact_assigned" | "content_analysis.completed" | "user.availability.updated" | "team.availability.updated" | "transcript.created" | "*")[];
            /** @description A description; null for none. */
            description?: string | null;
            /** @description Whether events are delivered to it. `true` resets the count of failures to 0. */
            enabled?: boolean;
        };
    };
    responses: {
        /** @description Something is wrong with the request; `details` names each field */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The access token is missing, unknown or expired */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Plain http, a feature that the organisation does not have, or a change by a client that may only read */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such thing */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The state does not allow it */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is over 6 MB */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests; `retry-after` says how many seconds to wait, if it is there */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service has a fault; ask again later. Nothing was changed */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listUsers: {
        parameters: {
            query?: {
                /** @description The most to answer with. Without it, the list comes whole. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
                /** @description Only the user with this e-mail address, in whatever case. */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        users: components["schemas"]["User"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id, or e-mail address. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listDirectory: {
        parameters: {
            query?: {
                /** @description The most to answer with. Without it, the list comes whole. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
                /** @description Only the entry with this extension. */
                extension?: string;
                /** @description Only entries with this key. */
                ivrKey?: string;
                /** @description Only entries with this number, in E.164; a plus is written %2B in a query. */
                phoneNumber?: string;
                /** @description Suspended users too. */
                includeSuspendedUsers?: boolean;
                /** @description Hidden teams too. */
                includeHiddenCallGroups?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        entries: components["schemas"]["DirectoryEntry"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getDirectoryEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The entry's id. */
                entryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectoryEntry"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description The most to answer with. Without it, the list comes whole. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        teams: components["schemas"]["Team"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    putTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The team's id. */
                teamId: string;
                /** @description The user's id, or e-mail address. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TeamMembership"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The team's id. */
                teamId: string;
                /** @description The user's id, or e-mail address. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listLocations: {
        parameters: {
            query?: {
                /** @description The most to answer with. Without it, the list comes whole. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        locations: components["schemas"]["Location"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createLocation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLocation"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Location"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The location's id. */
                locationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Location"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listLocationUsers: {
        parameters: {
            query?: {
                /** @description The most to answer with. Without it, the list comes whole. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path: {
                /** @description The location's id. */
                locationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        users: components["schemas"]["User"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    putLocationUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The location's id. */
                locationId: string;
                /** @description The user's id, or e-mail address. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteLocationUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The location's id. */
                locationId: string;
                /** @description The user's id, or e-mail address. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPhonebooks: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
                /** @description Only phonebooks that have contacts. */
                excludeEmpty?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        phonebooks: components["schemas"]["ListedPhonebook"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    putPhonebooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPhonebook"] | {
                    /** @description The phonebooks. Each replaces the one with its id, whole. */
                    phonebooks: {
                        /** @description The phonebook's id, or a user's e-mail address for their personal one. */
                        id: string;
                        /** @description The phonebook's name. */
                        name?: string;
                        /** @description The country of its local numbers, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown. */
                        countryIso?: string | null;
                        /** @description Everything that the phonebook holds from now on; default: nothing. */
                        contacts?: components["schemas"]["NewContact"][];
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        phonebooks: components["schemas"]["Phonebook"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPhonebook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phonebook's id; a user's e-mail address for their personal phonebook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Phonebook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    putPhonebook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phonebook's id; a user's e-mail address for their personal phonebook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhonebookContents"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Phonebook"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Phonebook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path: {
                /** @description The phonebook's id; a user's e-mail address for their personal phonebook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        contacts: components["schemas"]["Contact"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    putContacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phonebook's id; a user's e-mail address for their personal phonebook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewContact"] | components["schemas"]["NewContact"][] | {
                    /** @description The contacts to add, or to replace where the id is known. */
                    contacts: components["schemas"]["NewContact"][];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        contacts: components["schemas"]["Contact"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phonebook's id; a user's e-mail address for their personal phonebook. */
                id: string;
                /** @description The contact's id. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    putContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phonebook's id; a user's e-mail address for their personal phonebook. */
                id: string;
                /** @description The contact's id. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewContact"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phonebook's id; a user's e-mail address for their personal phonebook. */
                id: string;
                /** @description The contact's id. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTrunks: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        trunks: components["schemas"]["Trunk"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTrunkDevices: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        trunkDevices: components["schemas"]["TrunkDevice"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createTrunkDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTrunkDevice"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrunkDevice"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTrunkDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
                /** @description The entry's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrunkDevice"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateTrunkDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
                /** @description The entry's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrunkDeviceChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrunkDevice"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTrunkDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
                /** @description The entry's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTrunkQueues: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        trunkQueues: components["schemas"]["TrunkQueue"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createTrunkQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTrunkQueue"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrunkQueue"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTrunkQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
                /** @description The entry's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrunkQueue"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateTrunkQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
                /** @description The entry's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrunkQueueChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrunkQueue"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTrunkQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
                /** @description The entry's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTrunkUsers: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        trunkUsers: components["schemas"]["TrunkUser"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createTrunkUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTrunkUser"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrunkUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTrunkUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
                /** @description The entry's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrunkUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateTrunkUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
                /** @description The entry's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrunkUserChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrunkUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTrunkUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The trunk's id. */
                trunkId: string;
                /** @description The entry's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
                /** @description Only calls that started before this instant, ms since the epoch. */
                before?: number;
                /** @description Only calls that started at this instant or later, ms since the epoch. */
                since?: number;
                /** @description Only calls that were created or modified at this instant or later, ms since the epoch. A call comes again after later changes. */
                modified?: number;
                /** @description By start: oldest first, or newest first. */
                sortOrder?: "asc" | "desc" | "ascending" | "descending";
                /** @description Only calls with this outside number, in E.164 or a short code; a plus is written %2B in a query. */
                contactNumber?: string;
                /** @description Calls that have not ended too. */
                includeActive?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        calls: components["schemas"]["Call"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listCallContentAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        contentAnalysis: components["schemas"]["ContentAnalysis"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getRecording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                callId: string;
                /** @description The recording's id. */
                recordingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteRecording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id. */
                callId: string;
                /** @description The recording's id. */
                recordingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTranscripts: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        transcripts: components["schemas"]["Transcript"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTranscript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transcript's id. */
                transcriptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTranscript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transcript's id. */
                transcriptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTranscriptSegments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The transcript's id. */
                transcriptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        segments: components["schemas"]["TranscriptSegment"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listContentAnalysis: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        contentAnalysis: components["schemas"]["ContentAnalysis"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createContentAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewContentAnalysis"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentAnalysis"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getContentAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The content analysis's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentAnalysis"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteContentAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The content analysis's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sendConversationMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewConversationMessage"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentMessage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before. Alone it goes on as that began. `limit` may change beside it; another parameter must say the same. */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items, in order. */
                        webhooks: components["schemas"]["Webhook"][];
                        /** @description Where the next page is. */
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description The client's id. */
                    client_id: string;
                    /** @description The client's secret. */
                    client_secret: string;
                    /**
                     * @description Always `client_credentials`.
                     * @constant
                     */
                    grant_type: "client_credentials";
                };
                "application/json": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What requests carry in their `authorization` header. */
                        access_token: string;
                        /**
                         * @description Always `Bearer`.
                         * @constant
                         */
                        token_type: "Bearer";
                        /** @description How long the token is valid, seconds. */
                        expires_in: number;
                    };
                };
            };
            /** @description Something is wrong with the request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The kind of error, for programs.
                         * @enum {string}
                         */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "temporarily_unavailable";
                        /** @description What is wrong, for people. */
                        error_description: string;
                    };
                };
            };
            /** @description Unknown client, or not its secret */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The kind of error, for programs.
                         * @enum {string}
                         */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "temporarily_unavailable";
                        /** @description What is wrong, for people. */
                        error_description: string;
                    };
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The kind of error, for programs.
                         * @enum {string}
                         */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "temporarily_unavailable";
                        /** @description What is wrong, for people. */
                        error_description: string;
                    };
                };
            };
            /** @description The service has a fault; ask again later */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The kind of error, for programs.
                         * @enum {string}
                         */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "temporarily_unavailable";
                        /** @description What is wrong, for people. */
                        error_description: string;
                    };
                };
            };
        };
    };
    redirectCall: {
        parameters: {
            query: {
                /** @description Whose */
                extension: string;
                /** @description The caller's number, E.164, where there is no body */
                from?: string;
                /** @description Seconds, 5 to 60, before the next users of a team are offered the call */
                nextOfferTimeout?: string;
                /** @description The account */
                organisationId: string;
                /** @description The vendor's id of the call, where there is no body */
                parentCallId?: string;
                /** @description 1 (highest) to 9; default 5 */
                priority?: string;
                /** @description flow, taskQueue, postEndpoint or application */
                returnTo?: string;
                /** @description Where an unanswered call goes back to */
                returnToId?: string;
                /** @description `true` never rings the target */
                sendToVoicemail?: string;
                /** @description Seconds to wait for an answer: users and devices 10 to 70, teams 10 to 300 */
                timeout?: string;
                /** @description The number that was called, E.164, where there is no body */
                to?: string;
            };
            header?: {
                /** @description The vendor's signature, where there is a secret for it */
                "x-vendor-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description What the vendor says of its call. Without a body it may stand in the query. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description The vendor's id of the call. */
                    parentCallId: string;
                    /** @description The caller's number, E.164. */
                    from: string;
                    /** @description The number that was called, E.164. */
                    to: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/xml": string;
                };
            };
            /** @description A required parameter is missing */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Parameters out of order, or a wrong signature */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown extension or organisation */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is over 6 MB */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not a form */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service has a fault; ask again later */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
