import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

/**
 * The only randomness there is. Every purpose draws from a stream of its own, so that one more draw for one purpose
 * (a call id, say) never shifts what another gets (the next delivery's latency).
 */
export class Randomness {
  private readonly streams = new Map<string, RandomGenerator>();

  constructor(private readonly seed: string | number) {}

  /** Random bytes from the stream of a purpose. */
  bytes(purpose: string, count: number): Uint8Array {
    const stream = this.stream(purpose);
    const bytes = new Uint8Array(count);
    for (let index = 0; index < count; index += 4) {
      const word = stream.next();
      for (let byte = 0; byte < 4 && index + byte < count; byte++) bytes[index + byte] = word >>> (8 * byte);
    }
    return bytes;
  }

  fork(): Randomness {
    const copy = new Randomness(this.seed);
    for (const [purpose, stream] of this.streams) copy.streams.set(purpose, stream.clone());
    return copy;
  }

  private stream(purpose: string): RandomGenerator {
    let stream = this.streams.get(purpose);
    if (stream === undefined) {
      stream = xoroshiro128plus(hash(`${typeof this.seed}:${this.seed}/${purpose}`));
      this.streams.set(purpose, stream);
    }
    return stream;
  }
}

/** FNV-1a over UTF-16 code units: a 32-bit seed from text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value;
}
