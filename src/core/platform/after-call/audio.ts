/**
 * The audio of recordings is silence: MP3 of MPEG-2 layer III at 24 kHz. A frame is 24 ms. After its header come
 * zeros: side information without main data, which decodes to silence.
 */
const FRAME_MS = 24;
/** 32 kbit/s for each channel. */
const BYTES_PER_MS = 4;
/** The smallest possible frame, at 8 kbit/s. */
const SMALL_FRAME_BYTES = 24;
const TAG_HEADER_BYTES = 10;
/** How many frames are made at once: 12 s. */
const FRAMES_PER_CHUNK = 500;

/** Header bytes: sync, MPEG-2, layer III, no checksum; then bit rate and 24 kHz; then the channel mode. */
const headers = {
  mono: { usual: [0xff, 0xf3, 0x44, 0xc0], small: [0xff, 0xf3, 0x14, 0xc0] },
  stereo: { usual: [0xff, 0xf3, 0x84, 0x00], small: [0xff, 0xf3, 0x14, 0x00] },
} as const;

/** The size of a recording, in bytes. */
export function audioBytes(durationMs: number, channels: number): number {
  return Math.round(durationMs * BYTES_PER_MS * channels);
}

/**
 * The bytes of a recording, in chunks. It has as many frames as its length needs, up to 24 ms more. To make the size
 * exact, the last frames are small, and an empty tag fills the rest.
 * @param size the size in bytes, from `audioBytes`
 */
export function* silence(size: number, channels: number): Generator<Uint8Array<ArrayBuffer>> {
  const { usual, small } = channels === 1 ? headers.mono : headers.stereo;
  const frameBytes = FRAME_MS * BYTES_PER_MS * channels;
  const frames = Math.ceil(size / frameBytes);
  const over = frames * frameBytes - size;
  const smallFrames =
    over === 0 ? 0 : Math.ceil((over + TAG_HEADER_BYTES) / (frameBytes - SMALL_FRAME_BYTES));
  // too short for a full frame
  if (smallFrames > frames) {
    if (size >= TAG_HEADER_BYTES) yield tag(size);
    return;
  }
  if (smallFrames > 0) yield tag(smallFrames * (frameBytes - SMALL_FRAME_BYTES) - over);
  const chunk = makeFrames(usual, frameBytes, FRAMES_PER_CHUNK);
  // copies, since a reader may take over a chunk's buffer
  for (let left = (frames - smallFrames) * frameBytes; left > 0; left -= chunk.length)
    yield chunk.slice(0, left);
  if (smallFrames > 0) yield makeFrames(small, SMALL_FRAME_BYTES, smallFrames);
}

function makeFrames(header: readonly number[], bytes: number, count: number): Uint8Array<ArrayBuffer> {
  const frames = new Uint8Array(bytes * count);
  for (let offset = 0; offset < frames.length; offset += bytes) frames.set(header, offset);
  return frames;
}

/** An ID3v2 tag that contains only padding. Its header holds the padding's length, in 7 bits a byte. */
function tag(size: number): Uint8Array<ArrayBuffer> {
  const padding = size - TAG_HEADER_BYTES;
  const bytes = new Uint8Array(size);
  bytes.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, (padding >> 7) & 0x7f, padding & 0x7f]);
  return bytes;
}
