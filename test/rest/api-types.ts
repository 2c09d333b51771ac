/* Made by npm run generate, of sim.openapi(). */
export interface paths {
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users, or find one by e-mail address */
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
        /** Read a user */
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
        /** Read an entry of the directory */
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
        /** List teams, hidden ones too */
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
        /** Remove a user from a team */
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
        /** List locations */
        get: operations["listLocations"];
        /** Create a location */
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
        /** Read a location */
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
        /** List the users at a location */
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
        /** Remove a user from a location */
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
        /** Read a phonebook with its contacts */
        get: operations["getPhonebook"];
        /** Create a phonebook, or replace all that it had */
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
        /** List the contacts of a phonebook, in the order in which they were added */
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
        /** Read a contact */
        get: operations["getContact"];
        /** Add a contact, or replace it */
        put: operations["putContact"];
        post?: never;
        /** Delete a contact */
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
        /** List trunks */
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
        /** List the devices of a trunk */
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
        /** Read a device of a trunk */
        get: operations["getTrunkDevice"];
        /**
         * Change a device of a trunk
         * @description What is left out stays as it is.
         */
        put: operations["updateTrunkDevice"];
        post?: never;
        /** Remove a device from a trunk */
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
        /** List the queues of a trunk */
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
        /** Read a queue of a trunk */
        get: operations["getTrunkQueue"];
        /**
         * Change a queue of a trunk
         * @description What is left out stays as it is.
         */
        put: operations["updateTrunkQueue"];
        post?: never;
        /** Remove a queue from a trunk */
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
        /** List the users of a trunk */
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
        /** Read a user of a trunk */
        get: operations["getTrunkUser"];
        /**
         * Change a user of a trunk
         * @description What is left out stays as it is.
         */
        put: operations["updateTrunkUser"];
        post?: never;
        /** Remove a user from a trunk */
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
        /** List calls that have ended */
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
        /** Read a call, ended or not */
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
        /** List the content analyses of a call's recordings */
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
        /** Read a recording */
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
        /** List transcripts, oldest first */
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
        /** Read a transcript */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        /** Delete a transcript */
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
        /** List who joined, left and spoke, in the order of time */
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
        /** List content analyses, oldest first */
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
        /** Read a content analysis */
        get: operations["getContentAnalysis"];
        put?: never;
        post?: never;
        /** Delete a content analysis; one that is pending stops */
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
        /** List webhooks, oldest first */
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
        /** Read a webhook */
        get: operations["getWebhook"];
        /**
         * Change a webhook
         * @description What is left out stays as it is. Disabling drops what is pending; enabling begins the count of failures anew.
         */
        put: operations["updateWebhook"];
        post?: never;
        /** Delete a webhook; what is pending is dropped */
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
        Error: {
            /** @enum {string} */
            code: "bad_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "payload_too_large" | "unsupported_media_type";
            message: string;
            details?: {
                path: string;
                message: string;
            }[];
        };
        UserReference: {
            id: string;
            displayName: string;
            email: string;
        };
        Location: {
            id: string;
            name: string;
            address: string | null;
            countryIso: string | null;
            timezone: string | null;
        };
        Availability: {
            /** @enum {string} */
            status: "available" | "busy" | "offline";
            /** Format: date-time */
            statusAt: string;
            statusTimestamp: number;
            availabilitySummary: string;
            notAvailableRule: ("busyOnACall" | "doNotDisturb" | "outOfHours" | "loggedOut") | null;
            notAvailableReason: string | null;
            callId: string | null;
            vendor: string | null;
            vendorCallId: string | null;
        };
        User: {
            id: string;
            type: string;
            displayName: string;
            extension: string;
            ivrKey?: string;
            email: string;
            firstName: string | null;
            lastName: string | null;
            /** @enum {string} */
            status: "invited" | "active" | "suspended";
            timezone: string;
            jobTitle: string | null;
            manager: components["schemas"]["UserReference"] | null;
            location: components["schemas"]["Location"] | null;
            phoneNumbers: string[];
            mobile?: string;
            licenses: string[];
            /** @enum {string} */
            loginStatus: "loggedIn" | "loggedOut";
            isDirectorySynced: boolean;
            desktopEnrolledReleaseChannel: string;
            hasVoicemail: boolean;
            vendorRedirectUrl: string;
            endpoints: {
                id: string;
                /** @enum {string} */
                type: "mobile" | "desktop" | "sip";
                registered: boolean;
            }[];
            availability: components["schemas"]["Availability"];
            callId: string | null;
            vendor: string | null;
            vendorCallId: string | null;
        };
        Meta: {
            next: string;
        };
        Team: {
            id: string;
            type: string;
            displayName: string;
            extension: string;
            ivrKey?: string;
            isHidden: boolean;
            phoneNumbers: string[];
            vendorRedirectUrl: string;
            teamMembers: {
                id: string;
                type: string;
                displayName: string;
                extension: string;
                priority: number;
                isAvailable: boolean;
            }[];
            availability: {
                /** @enum {string} */
                status: "available" | "busy";
                totalMembers: number;
                totalAvailable: number;
                availabilitySummary: string;
            };
        };
        Device: {
            id: string;
            type: string;
            displayName: string;
            extension: string;
            ivrKey?: string;
            sipAddress: string | null;
            isOutboundAllowed: boolean;
            phoneNumbers: string[];
            vendorRedirectUrl: string;
        };
        TrunkDevice: {
            id: string;
            type: string;
            displayName: string;
            extension: string;
            ivrKey?: string;
            trunkId: string;
            vendorRedirectUrl: string;
            description: string | null;
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
            location: string | null;
            model: string | null;
            product: string | null;
        };
        TrunkQueue: {
            id: string;
            type: string;
            displayName: string;
            extension: string;
            ivrKey?: string;
            trunkId: string;
            vendorRedirectUrl: string;
            description: string | null;
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
        };
        TrunkUser: {
            id: string;
            type: string;
            displayName: string;
            extension: string;
            ivrKey?: string;
            trunkId: string;
            vendorRedirectUrl: string;
            description: string | null;
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
            department: string | null;
            jobTitle: string | null;
            location: string | null;
            manager: string | null;
            user: components["schemas"]["UserReference"] | null;
            phoneNumbers: string[];
        };
        DirectoryEntry: components["schemas"]["User"] | components["schemas"]["Team"] | components["schemas"]["Device"] | components["schemas"]["TrunkDevice"] | components["schemas"]["TrunkQueue"] | components["schemas"]["TrunkUser"];
        TeamMembership: {
            priority?: number;
        };
        NewLocation: {
            id?: string;
            name: string;
            address?: string;
            countryIso?: string;
            timezone?: string;
        };
        Contact: {
            id: string;
            name: string;
            firstName: string | null;
            lastName: string | null;
            jobTitle: string | null;
            phoneNumbers: string[];
            emailAddresses: string[];
        };
        ListedPhonebook: {
            id: string;
            name: string;
            countryIso: string | null;
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
            contacts?: components["schemas"]["Contact"][];
        };
        Phonebook: {
            id: string;
            name: string;
            countryIso: string | null;
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
            contacts: components["schemas"]["Contact"][];
        };
        NewContact: {
            id?: string;
            name?: string;
            firstName?: string | null;
            lastName?: string | null;
            jobTitle?: string | null;
            phoneNumbers?: string[];
            emailAddresses?: string[];
        };
        NewPhonebook: {
            id: string;
            name?: string;
            countryIso?: string | null;
            contacts?: components["schemas"]["NewContact"][];
        };
        PhonebookContents: {
            id?: string;
            name?: string;
            countryIso?: string | null;
            contacts?: components["schemas"]["NewContact"][];
        };
        Trunk: {
            id: string;
            name: string;
        };
        NewTrunkDevice: {
            id?: string;
            displayName: string;
            extension: string;
            ivrKey?: string;
            description?: string | null;
            location?: string | null;
            model?: string | null;
            product?: string | null;
        };
        TrunkDeviceChanges: {
            displayName?: string;
            extension?: string;
            ivrKey?: string;
            description?: string | null;
            location?: string | null;
            model?: string | null;
            product?: string | null;
        };
        NewTrunkQueue: {
            id?: string;
            displayName: string;
            extension: string;
            ivrKey?: string;
            description?: string | null;
        };
        TrunkQueueChanges: {
            displayName?: string;
            extension?: string;
            ivrKey?: string;
            description?: string | null;
        };
        NewTrunkUser: {
            id?: string;
            displayName: string;
            extension: string;
            ivrKey?: string;
            description?: string | null;
            department?: string | null;
            jobTitle?: string | null;
            location?: string | null;
            manager?: string | null;
            user?: string | null;
            phoneNumbers?: string[];
        };
        TrunkUserChanges: {
            displayName?: string;
            extension?: string;
            ivrKey?: string;
            description?: string | null;
            department?: string | null;
            jobTitle?: string | null;
            location?: string | null;
            manager?: string | null;
            user?: string | null;
            phoneNumbers?: string[];
        };
        EntryReference: {
            id: string;
            type: string;
            displayName: string;
            extension: string;
            email: string | null;
            overriddenDisplayName?: string;
        };
        Dial: {
            /** @enum {string} */
            reason: "direct" | "teamOffer" | "redirect" | "transfer" | "conference" | "outbound";
            endpoint: string;
            /** Format: date-time */
            startedAt: string;
            startedTimestamp: number;
            endedAt: string | null;
            endedTimestamp: number | null;
            outcome: ("answered" | "answeredElsewhere" | "timeout" | "declined" | "withdrawn" | "failed") | null;
            vendorCallIds: string[];
        };
        Party: {
            id: string;
            /** @enum {string} */
            type: "external" | "user" | "device" | "voicemail";
            isInternal: boolean;
            displayName: string;
            entryId?: string;
            phoneNumber?: string;
            extension?: string;
            email?: string;
            timezone?: string;
            manager?: components["schemas"]["UserReference"] | null;
            location?: components["schemas"]["Location"] | null;
            tariff: {
                currency: string;
                prefix: string;
                perMinute: number;
                duration: number;
                amount: number;
            } | null;
            dials: components["schemas"]["Dial"][];
        };
        Recording: {
            id: string;
            callId: string;
            fileSize: number;
            mimeType: string;
            channels: number;
            transcript: string | null;
        };
        Call: {
            id: string;
            /** @enum {string} */
            direction: "inbound" | "outbound";
            isInternal: boolean;
            isConference: boolean;
            /** @enum {string} */
            status: "started" | "offered" | "accepted" | "ended" | "missed" | "abandoned" | "blocked";
            outcome: {
                /** @enum {string} */
                status: "answered" | "missed" | "abandoned" | "unanswered" | "blocked";
                reason: string | null;
            } | null;
            contactNumber: string;
            companyNumber: string;
            initiator: string;
            recipient: string;
            /** Format: date-time */
            startedAt: string;
            startedTimestamp: number;
            answeredAt: string | null;
            answeredTimestamp: number | null;
            endedAt: string | null;
            endedTimestamp: number | null;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
            duration: number | null;
            durationText: string | null;
            waitTime: number | null;
            waitTimeText: string | null;
            vendor: string;
            vendorCallId: string;
            directoryTarget?: components["schemas"]["EntryReference"];
            assignedCallGroup?: components["schemas"]["EntryReference"] | null;
            assignedUser: {
                id: string;
                type: string;
                displayName: string;
                extension: string;
                email: string | null;
                manager: components["schemas"]["UserReference"] | null;
                location: components["schemas"]["Location"] | null;
            } | null;
            parties: components["schemas"]["Party"][];
            connections: {
                partyId: string;
                endpoint: string | null;
                /** Format: date-time */
                joinedAt: string;
                joinedTimestamp: number;
                leftAt: string | null;
                leftTimestamp: number | null;
            }[];
            recordings: components["schemas"]["Recording"][];
            voicemail: {
                id: string;
                duration: number;
                durationText: string;
                recordingUrl: string;
                recordingUrlExpiresTimestamp: number;
                transcription: string | null;
            } | null;
            notes: {
                id: string;
                text: string;
                author: {
                    userId: string;
                    email: string;
                    displayName: string;
                };
                /** Format: date-time */
                createdAt: string;
                createdTimestamp: number;
            }[];
            summary: {
                header: string;
                contactNumberDescription: string;
                companyNumberDescription: string;
                outcome: string;
            };
            tariff: {
                currency: string;
                amount: number;
            } | null;
            passthroughParameters: {
                [key: string]: string;
            };
        };
        ContentAnalysis: {
            id: string;
            analyzer: string;
            /** @enum {string} */
            status: "pending" | "completed";
            callId: string | null;
            content: {
                recordings: {
                    id: string;
                    transcriptionModel: string | null;
                }[];
            } | {
                agent: components["schemas"]["UserReference"];
                contentAnalysis: {
                    id: string;
                }[];
            };
            artifacts: {
                type: string;
                content: string;
                usage: {
                    inputTokens: number;
                    outputTokens: number;
                };
            }[];
            passthroughParameters: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
            completedAt: string | null;
            completedTimestamp: number | null;
        };
        Transcript: {
            id: string;
            callId: string;
            recordingId: string;
            text: string;
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
        };
        TranscriptSegment: {
            /** @enum {string} */
            type: "JOIN" | "LEAVE" | "SPEECH";
            speaker: string;
            text: string;
            startOffset: number;
            endOffset: number;
        };
        NewContentAnalysis: {
            analyzer: string;
            content: {
                recordings: {
                    id: string;
                    transcriptionModel?: string;
                }[];
            } | {
                agent: string;
                contentAnalysis: {
                    id: string;
                }[];
            };
            passthroughParameters?: {
                [key: string]: unknown;
            };
        };
        SentMessage: {
            hasExistingConversation: boolean;
            vendor: string;
            vendorConversationId: string;
            vendorMessageId?: string;
        };
        NewConversationMessage: {
            contactAddresses: string[];
            companyAddress: string;
            messageContent: {
                text?: string;
                media?: (string | {
                    url: string;
                    mimeType?: string;
                })[];
                sendAsUser?: string;
            };
            /** @enum {string} */
            channel?: "sms" | "whatsApp";
            /** @enum {string} */
            routingAction?: "assign_users" | "do_not_route" | "assign_owner";
            assignUsers?: string[];
            claimRule?: string;
            /** @enum {string} */
            notificationMode?: "notify_unread" | "silent_unread" | "silent_read";
            closeTimer?: string;
            conversationName?: string;
            passthroughParameters?: Record<string, never> | string;
        };
        Success: {
            success: boolean;
        };
        NewMessage: {
            body: string;
            from: string;
            to: string;
            notifyUsers?: boolean;
            closeTimer?: string;
            conversationName?: string;
            passthroughParameters?: Record<string, never> | string;
        };
        NewTeamMessage: {
            companyAddress: string;
            contactAddress?: string;
            contactAddresses?: string[];
            /** @enum {string} */
            channel?: "sms";
            messageContent: {
                text?: string;
                media?: (string | {
                    url: string;
                    mimeType?: string;
                })[];
                sendAsUser?: string;
            };
            /** @enum {string} */
            routingAction?: "assign_users" | "assign_team" | "do_not_route";
            assignUsers?: string[];
            claimRule?: string;
            notifyUsers?: boolean;
            closeTimer?: string;
            conversationName?: string;
            passthroughParameters?: Record<string, never> | string;
        };
        Webhook: {
            id: string;
            url: string;
            description: string | null;
            events: ("call.started" | "call.answered" | "call.not_answered" | "call.hungup" | "call.ended" | "call.recording.available" | "call.transcript.created" | "call.transcription_completed" | "call.tariffed" | "call.contact_assigned_with_add" | "call.contact_assigned_with_update" | "contact.shared" | "conversation.message.created" | "conversation.inactive" | "conversation.closed" | "conversation.contact_assigned" | "content_analysis.completed" | "user.availability.updated" | "team.availability.updated" | "transcript.created" | "*")[];
            enabled: boolean;
            consecutiveFailures: number;
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
            disabledAt: string | null;
            disabledTimestamp: number | null;
        };
        CreatedWebhook: {
            id: string;
            url: string;
            description: string | null;
            events: ("call.started" | "call.answered" | "call.not_answered" | "call.hungup" | "call.ended" | "call.recording.available" | "call.transcript.created" | "call.transcription_completed" | "call.tariffed" | "call.contact_assigned_with_add" | "call.contact_assigned_with_update" | "contact.shared" | "conversation.message.created" | "conversation.inactive" | "conversation.closed" | "conversation.contact_assigned" | "content_analysis.completed" | "user.availability.updated" | "team.availability.updated" | "transcript.created" | "*")[];
            enabled: boolean;
            consecutiveFailures: number;
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
            disabledAt: string | null;
            disabledTimestamp: number | null;
            signingSecret: string;
        };
        NewWebhook: {
            url: string;
            events: ("call.started" | "call.answered" | "call.not_answered" | "call.hungup" | "call.ended" | "call.recording.available" | "call.transcript.created" | "call.transcription_completed" | "call.tariffed" | "call.contact_assigned_with_add" | "call.contact_assigned_with_update" | "contact.shared" | "conversation.message.created" | "conversation.inactive" | "conversation.closed" | "conversation.contact_assigned" | "content_analysis.completed" | "user.availability.updated" | "team.availability.updated" | "transcript.created" | "*")[];
            description?: string | null;
            enabled?: boolean;
        };
        WebhookChanges: {
            url?: string;
            events?: ("call.started" | "call.answered" | "call.not_answered" | "call.hungup" | "call.ended" | "call.recording.available" | "call.transcript.created" | "call.transcription_completed" | "call.tariffed" | "call.contact_assigned_with_add" | "call.contact_assigned_with_update" | "contact.shared" | "conversation.message.created" | "conversation.inactive" | "conversation.closed" | "conversation.contact_assigned" | "content_analysis.completed" | "user.availability.updated" | "team.availability.updated" | "transcript.created" | "*")[];
            description?: string | null;
            enabled?: boolean;
        };
        EventCall: {
            id: string;
            /** @enum {string} */
            direction: "inbound" | "outbound";
            isInternal: boolean;
            isConference: boolean;
            /** @enum {string} */
            status: "started" | "offered" | "accepted" | "ended" | "missed" | "abandoned" | "blocked";
            outcome: {
                /** @enum {string} */
                status: "answered" | "missed" | "abandoned" | "unanswered" | "blocked";
                reason: string | null;
            } | null;
            contactNumber: string;
            companyNumber: string;
            initiator: string;
            recipient: string;
            /** Format: date-time */
            startedAt: string;
            startedTimestamp: number;
            answeredAt: string | null;
            answeredTimestamp: number | null;
            endedAt: string | null;
            endedTimestamp: number | null;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
            duration: number | null;
            durationText: string | null;
            waitTime: number | null;
            waitTimeText: string | null;
            vendor: string;
            vendorCallId: string;
            directoryTarget?: components["schemas"]["EntryReference"];
            assignedCallGroup?: components["schemas"]["EntryReference"] | null;
            assignedUser: {
                id: string;
                type: string;
                displayName: string;
                extension: string;
                email: string | null;
                manager: components["schemas"]["UserReference"] | null;
                location: components["schemas"]["Location"] | null;
            } | null;
            parties: components["schemas"]["Party"][];
            connections: {
                partyId: string;
                endpoint: string | null;
                /** Format: date-time */
                joinedAt: string;
                joinedTimestamp: number;
                leftAt: string | null;
                leftTimestamp: number | null;
            }[];
            recordings: components["schemas"]["Recording"][];
            voicemail: {
                id: string;
                duration: number;
                durationText: string;
                recordingUrl: string;
                recordingUrlExpiresTimestamp: number;
                transcription: string | null;
            } | null;
            notes: {
                id: string;
                text: string;
                author: {
                    userId: string;
                    email: string;
                    displayName: string;
                };
                /** Format: date-time */
                createdAt: string;
                createdTimestamp: number;
            }[];
            summary: {
                header: string;
                contactNumberDescription: string;
                companyNumberDescription: string;
                outcome: string;
            };
            tariff: {
                currency: string;
                amount: number;
            } | null;
            passthroughParameters: {
                [key: string]: string;
            };
            organisationId: string;
        };
        Participant: {
            /** @constant */
            type: "user";
            id: string;
            displayName: string;
            email: string;
        } | {
            /** @constant */
            type: "external";
            phoneNumber: string;
            displayName: string;
        };
        ConversationParticipant: {
            /** @constant */
            type: "user";
            id: string;
            displayName: string;
            email: string;
            location: components["schemas"]["Location"] | null;
            unreadCount: number;
        } | {
            /** @constant */
            type: "external";
            phoneNumber: string;
            displayName: string;
        };
        MessageAuthor: {
            /** @constant */
            type: "user";
            id: string;
            displayName: string;
            email: string;
        } | {
            /** @constant */
            type: "external";
            phoneNumber: string;
            displayName: string;
        } | {
            /** @constant */
            type: "team";
            id: string;
            displayName: string;
        };
        Message: {
            id: string;
            author: components["schemas"]["MessageAuthor"];
            /** @enum {string} */
            direction: "inbound" | "outbound";
            content: string;
            vendorMessageId: string;
            isApiCreated: boolean;
            media: {
                id: string;
                url: string;
                mimeType: string | null;
                vendorResourceUrl: string;
            }[];
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
        };
        Conversation: {
            id: string;
            /** @enum {string} */
            status: "open" | "inactive" | "closed";
            /** @enum {string} */
            channel: "sms" | "whatsApp";
            name: string | null;
            companyNumber: string;
            companyNumberOwner: components["schemas"]["EntryReference"];
            contactAddresses: string[];
            initiatedBy: components["schemas"]["MessageAuthor"];
            participants: components["schemas"]["ConversationParticipant"][];
            vendor: string;
            vendorConversationId: string;
            messages: components["schemas"]["Message"][];
            claimRule: string | null;
            closeTimer: string | null;
            passthroughParameters: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            createdTimestamp: number;
            /** Format: date-time */
            lastModifiedAt: string;
            lastModifiedTimestamp: number;
            closedAt: string | null;
            closedTimestamp: number | null;
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
        /** @description Plain http, or a feature that the organisation does not have */
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
                        users: components["schemas"]["User"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listDirectory: {
        parameters: {
            query?: {
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
                        entries: components["schemas"]["DirectoryEntry"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listTeams: {
        parameters: {
            query?: never;
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
                        teams: components["schemas"]["Team"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listLocations: {
        parameters: {
            query?: never;
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
                        locations: components["schemas"]["Location"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listLocationUsers: {
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
                    "application/json": {
                        users: components["schemas"]["User"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listPhonebooks: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
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
                        phonebooks: components["schemas"]["ListedPhonebook"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
                    phonebooks: {
                        id: string;
                        name?: string;
                        countryIso?: string | null;
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
                        phonebooks: components["schemas"]["Phonebook"][];
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
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
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
                        contacts: components["schemas"]["Contact"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
                        contacts: components["schemas"]["Contact"][];
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
        };
    };
    listTrunks: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
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
                        trunks: components["schemas"]["Trunk"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    listTrunkDevices: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
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
                        trunkDevices: components["schemas"]["TrunkDevice"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listTrunkQueues: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
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
                        trunkQueues: components["schemas"]["TrunkQueue"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listTrunkUsers: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
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
                        trunkUsers: components["schemas"]["TrunkUser"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
                next?: string;
                /** @description Only calls that started before this instant, ms since the epoch. */
                before?: number;
                /** @description Only calls that started at this instant or later, ms since the epoch. */
                since?: number;
                /** @description Only calls that were created or modified at this instant or later, ms since the epoch. A call comes again after later changes. */
                modified?: number;
                /** @description By start: oldest first, or newest first. */
                sortOrder?: "asc" | "desc";
                /** @description Only calls with this outside number, in E.164; a plus is written %2B in a query. */
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
                        calls: components["schemas"]["Call"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
                        contentAnalysis: components["schemas"]["ContentAnalysis"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listTranscripts: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
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
                        transcripts: components["schemas"]["Transcript"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
                        segments: components["schemas"]["TranscriptSegment"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    listContentAnalysis: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
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
                        contentAnalysis: components["schemas"]["ContentAnalysis"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The most to answer with. */
                limit?: number;
                /** @description `meta.next` of the page before, together with the same other parameters. */
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
                        webhooks: components["schemas"]["Webhook"][];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
                    client_id: string;
                    client_secret: string;
                    /** @constant */
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
                        access_token: string;
                        /** @constant */
                        token_type: "Bearer";
                        /** @description Seconds */
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
                        /** @enum {string} */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type";
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
                        /** @enum {string} */
                        error: "invalid_request" | "invalid_client" | "unsupported_grant_type";
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
                /** @description Seconds, 5 to 60, before the next users of a team are offered the call */
                nextOfferTimeout?: string;
                /** @description The account */
                organisationId: string;
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
            };
            header?: {
                /** @description The vendor's signature, where there is a secret for it */
                "x-vendor-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    parentCallId: string;
                    from: string;
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
        };
    };
}
