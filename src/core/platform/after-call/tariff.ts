import Big from "big.js";
import type { CallRecord, CallTariff, Party, PartyTariff } from "../../records/call.ts";
import type { Organisation } from "../organisation/schema.ts";

type Tariff = NonNullable<Organisation["tariff"]>;

/** Amounts are rounded to this many decimals, half up. */
const DECIMALS = 4;

/**
 * Calculates the price of a call: for each outside party that was connected, the per-minute price of the longest
 * matching prefix of its number, by the millisecond, in decimal arithmetic.
 */
export function makeTariff(call: CallRecord, tariff: Tariff): { parties: Party[]; tariff: CallTariff } {
  allowFrozenPrototypes();
  const parties = call.parties.map((party) => ({ ...party, tariff: partyTariff(call, party, tariff) }));
  const total = parties.reduce((sum, party) => sum.plus(party.tariff?.amount ?? 0), new Big(0));
  return { parties, tariff: { currency: tariff.currency, amount: total.toNumber() } };
}

function partyTariff(call: CallRecord, party: Party, { currency, routes }: Tariff): PartyTariff | null {
  const number = party.phoneNumber;
  if (number === null) return null;
  const fitting = routes.filter((each) => number.startsWith(each.prefix));
  const [route] = fitting.sort((a, b) => b.prefix.length - a.prefix.length);
  const connections = call.connections.filter((each) => each.partyId === party.id);
  if (route === undefined || connections.length === 0) return null;
  const durationMs = connections.reduce(
    (sum, each) => sum + ((each.leftTimestamp ?? 0) - each.joinedTimestamp),
    0,
  );
  const amount = new Big(route.perMinute)
    .times(durationMs)
    .div(60_000)
    .round(DECIMALS, Big.roundHalfUp)
    .toNumber();
  return { currency, prefix: route.prefix, perMinute: route.perMinute, duration: durationMs, amount };
}

/** big.js assigns the constructor of each number, which fails where `Object.prototype` is frozen, unless it is inherited from nearer. */
function allowFrozenPrototypes(): void {
  if (Object.hasOwn(Big.prototype, "constructor")) return;
  Object.defineProperty(Big.prototype, "constructor", { value: Big, writable: true, configurable: true });
}
