/** Writes Avro values to a buffer that at least doubles when it grows. {@link take} empties the buffer for reuse. */
export class ByteWriter {
  /** Number of bytes written since the last {@link take}. */
  length = 0;
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);

  writeByte(byte: number): void {
    this.#reserve(1)[this.length++] = byte;
  }

  /** Writes a signed 64-bit integer, given as two 32-bit halves, as a zigzag varint. */
  writeLong(low: number, high: number): void {
    const sign = high >> 31;
    let rest = ((low << 1) ^ sign) >>> 0;
    let upper = (((high << 1) | (low >>> 31)) ^ sign) >>> 0;
    const bytes = this.#reserve(10);
    while (upper > 0 || rest > 0x7f) {
      bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest = ((rest >>> 7) | (upper << 25)) >>> 0;
      upper >>>= 7;
    }
    bytes[this.length++] = rest;
  }

  /** Writes a signed integer of up to 53 bits as a zigzag varint. */
  writeNumber(value: number): void {
    this.writeLong(value | 0, Math.floor(value / 2 ** 32));
  }

  /** Writes a little-endian float32. */
  writeFloat(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.length, value, true);
    this.length += 4;
  }

  /** Writes a little-endian float64. */
  writeDouble(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** Writes bytes without their length. */
  writeFixed(bytes: Uint8Array): void {
    this.#reserve(bytes.length).set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes the length of the bytes as a varint, then the bytes. */
  writeBytes(bytes: Uint8Array): void {
    this.writeNumber(bytes.length);
    this.writeFixed(bytes);
  }

  /** Returns a copy of the written bytes, and empties the buffer. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  /** Makes room for `added` more bytes. Returns the buffer, which may be a new one. */
  #reserve(added: number): Uint8Array {
    const needed = this.length + added;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return this.#bytes;
  }
}
