/** The pages of the REST API, by the tag of the document. */
export const restFiles: Readonly<Record<string, string>> = {
  Directory: "directory",
  Teams: "teams",
  Locations: "locations",
  Phonebooks: "phonebooks",
  Trunks: "trunks",
  Calls: "calls",
  "Content analysis": "content-analysis",
  Recordings: "recordings",
  Transcripts: "transcripts",
  Messages: "messages",
  Webhooks: "webhooks",
  Authentication: "authentication",
  Redirect: "redirect",
};
