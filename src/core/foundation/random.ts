import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus, xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { ForkableMap } from "./collections.ts";

/**
 * The only source of randomness. Each purpose draws from its own stream, so that one more call id never changes the
 * next delivery's latency.
 */
export class Randomness {
  /** Streams that only this run draws from. */
  private streams = new Map<string, RandomGenerator>();
  /** Streams at the last fork, which the fork shares: each is copied before the next draw. */
  private shared = new ForkableMap<string, RandomGenerator>();

  constructor(private readonly seed: string | number) {}

  /** Draws random bytes from the stream of a purpose. @param into the array to fill */
  bytes(purpose: string, count: number, into = new Uint8Array(count)): Uint8Array {
    const stream = this.stream(purpose);
    for (let index = 0; index < count; index += 4) {
      const word = stream.next();
      for (let byte = 0; byte < 4 && index + byte < count; byte++) into[index + byte] = word >>> (8 * byte);
    }
    return into;
  }

  /** Draws a number from 0 (included) to 1 (excluded), a multiple of 2^-53, from the stream of a purpose. */
  uniform(purpose: string): number {
    return uniformFloat64(this.stream(purpose, mixBits));
  }

  /** Copies only the streams that were drawn from since the last fork. */
  fork(): Randomness {
    for (const [purpose, stream] of this.streams) this.shared.set(purpose, stream);
    if (this.streams.size > 0) this.streams = new Map();
    const copy = new Randomness(this.seed);
    copy.shared = this.shared.fork();
    return copy;
  }

  /** The state of each stream, for `load`. */
  save(): Map<string, readonly number[]> {
    return new Map(
      Array.from([...this.shared.save(), ...this.streams], ([purpose, stream]) => [
        purpose,
        stream.getState(),
      ]),
    );
  }

  /** @returns a source with the saved streams */
  load(saved: ReturnType<Randomness["save"]>): Randomness {
    const loaded = new Randomness(this.seed);
    for (const [purpose, state] of saved) loaded.streams.set(purpose, xoroshiro128plusFromState(state));
    return loaded;
  }

  private stream(purpose: string, mix = (value: number) => value): RandomGenerator {
    let stream = this.streams.get(purpose);
    if (stream === undefined) {
      stream =
        this.shared.get(purpose)?.clone() ??
        xoroshiro128plus(mix(hash(`${typeof this.seed}:${this.seed}/${purpose}`)));
      this.streams.set(purpose, stream);
    }
    return stream;
  }
}

/** FNV-1a over UTF-16 code units: makes a 32-bit seed from text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value;
}

/**
 * MurmurHash3's finaliser. Similar purposes have similar hashes, and a stream's first number is close to its seed:
 * without this, a thousand callers who draw once each would get related numbers.
 */
function mixBits(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
