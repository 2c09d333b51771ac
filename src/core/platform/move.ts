import { InputError, type Keys } from "../foundation/errors.ts";
import type { Services } from "./catalogue/services.ts";
import { readUrls, recordingUrl, redirectUrl, type Urls } from "./declare/urls.ts";

/** The name of the journal entry for a change of the platform's addresses. */
export const URLS_ENTRY = "platform.urls";

/** Serves the platform at other addresses from now on. URLs in records change too. */
export function moveTo(platform: Services, urls: Urls): void {
  const { engine, settings, tables } = platform;
  settings.urls = urls;
  engine.record(URLS_ENTRY, urls);
  const { users, teams, devices, trunkEntries, calls } = tables;
  const { device, queue, user } = trunkEntries;
  const at = (extension: string) => ({
    vendorRedirectUrl: redirectUrl(urls, extension, settings.organisationId),
  });
  for (const { id, extension } of [...teams]) teams.patch(id, at(extension));
  for (const { id, extension } of [...users]) {
    users.patch(id, at(extension));
    platform.raise.entryChanged({ entryId: id });
  }
  for (const { id, extension } of [...devices]) {
    devices.patch(id, at(extension));
    platform.raise.entryChanged({ entryId: id });
  }
  for (const { id, extension } of [...device]) device.patch(id, at(extension));
  for (const { id, extension } of [...queue]) queue.patch(id, at(extension));
  for (const { id, extension } of [...user]) user.patch(id, at(extension));
  for (const { id, voicemail } of [...calls])
    if (voicemail !== null)
      calls.patch(id, { voicemail: { ...voicemail, recordingUrl: recordingUrl(urls, id, voicemail.id) } });
}

/** Repeats a move in a replay. @throws {InputError} if the journal's addresses are wrong */
export function replayMove(platform: Services, args: unknown, keys: Keys): void {
  if (args === undefined || args === null) throw new InputError(keys, "expected { api, auth, redirect }");
  moveTo(platform, readUrls(args, keys));
}
