/** An iterator of chunks that also reads single bytes and takes back the end of a chunk. */
export class PushbackInput implements AsyncIterator<Uint8Array, void> {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  async next(): Promise<IteratorResult<Uint8Array, void>> {
    const value = this.#rest;
    if (value.length === 0) return this.#chunks.next();
    this.#rest = new Uint8Array(0);
    return { done: false, value };
  }

  /** Takes back the unused end of the last chunk. The next read begins with it. */
  unread(rest: Uint8Array): void {
    this.#rest = rest;
  }

  /** Reads the next byte. Returns undefined at the end. */
  async byte(): Promise<number | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) return undefined;
      this.#rest = value;
    }
    const [byte] = this.#rest;
    this.#rest = this.#rest.subarray(1);
    return byte;
  }

  /** Reads four bytes as a little-endian uint32. Returns undefined if fewer are left. */
  async uint32(): Promise<number | undefined> {
    let value = 0;
    for (let n = 0; n < 4; n++) {
      const byte = await this.byte();
      if (byte === undefined) return undefined;
      value += byte * 256 ** n;
    }
    return value;
  }

  /** Skips `numBytes` bytes. Returns false if fewer are left. */
  async skip(numBytes: number): Promise<boolean> {
    for (let n = 0; n < numBytes; n++) if ((await this.byte()) === undefined) return false;
    return true;
  }

  async return(): Promise<IteratorReturnResult<void>> {
    await this.#chunks.return?.();
    return { done: true, value: undefined };
  }
}

// Flags of the header (RFC 1952, section 2.3.1): the optional fields that it contains.
const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

/**
 * Skips the header of a gzip member. Returns false if the input does not continue with a complete header.
 * @see RFC 1952, section 2.3
 */
export async function skipGzipHeader(input: PushbackInput): Promise<boolean> {
  for (const expected of [0x1f, 0x8b, 8]) if ((await input.byte()) !== expected) return false;
  const flags = (await input.byte()) ?? 0;
  // Skips the modification time, extra flags and operating system.
  if (!(await input.skip(6))) return false;
  if (flags & HAS_EXTRA) {
    const [low, high] = [await input.byte(), await input.byte()];
    if (low === undefined || high === undefined || !(await input.skip(low | (high << 8)))) return false;
  }
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if (!(flags & flag)) continue;
    for (let byte = await input.byte(); byte !== 0; byte = await input.byte()) {
      if (byte === undefined) return false;
    }
  }
  return (flags & HAS_CHECKSUM) === 0 || input.skip(2);
}
