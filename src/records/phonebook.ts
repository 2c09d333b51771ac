export type { ContactRecord, PhonebookHead, PhonebookRecord } from "../generated/records.ts";
