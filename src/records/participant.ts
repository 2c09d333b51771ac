export type { Participant } from "../generated/records.ts";
