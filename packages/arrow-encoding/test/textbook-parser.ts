import type { JudgedFeature, JudgedSequence } from "./protobuf-judge.js";

// A textbook parser of tf.Examples and tf.SequenceExamples: simple and slow, with one object per field and no code from the
// library. Where protobuf-es accepts more than the C++ parser, this parser follows the C++ parser and marks the record as
// disputed.

/** Result of parsing a record as an Example. */
export interface TextbookResult {
  /** Features by name; null if the record is malformed. */
  readonly features: Map<string, JudgedFeature> | null;
  /**
   * True if protobuf-es may parse the record differently. Unlike the C++ parser, protobuf-es accepts a known field with any
   * wire type, lets a field extend beyond the end of the enclosing message, reads length prefixes of up to 10 bytes, skips
   * varints of any length, and accepts keys that are not UTF-8.
   */
  readonly isDisputed: boolean;
}

interface Field {
  readonly number: number;
  readonly wire: number;
  readonly payload: Uint8Array;
}

class Malformed extends Error {}

/** Parses a record as an Example. */
export function parseByTheBook(record: Uint8Array): TextbookResult {
  const book = new Textbook(record.length);
  try {
    return { features: book.example(record), isDisputed: book.isDisputed };
  } catch (error) {
    if (error instanceof Malformed)
      return { features: null, isDisputed: book.isDisputed || book.hasOtherWireType };
    throw error;
  }
}

/** Parses a record as a SequenceExample. `isDisputed` is as in {@link TextbookResult}. */
export function parseSequenceByTheBook(record: Uint8Array): {
  readonly sequence: JudgedSequence | null;
  readonly isDisputed: boolean;
} {
  const book = new Textbook(record.length);
  try {
    return { sequence: book.sequenceExample(record), isDisputed: book.isDisputed };
  } catch (error) {
    if (error instanceof Malformed)
      return { sequence: null, isDisputed: book.isDisputed || book.hasOtherWireType };
    throw error;
  }
}

class Textbook {
  isDisputed = false;
  /** True if a field with a number up to 3 has a wire type other than 2, in any message. */
  hasOtherWireType = false;
  constructor(private readonly recordLength: number) {}

  example(record: Uint8Array): Map<string, JudgedFeature> {
    const features = new Map<string, JudgedFeature>();
    for (const message of this.known(this.fields(record, 100), 1)) this.features(message, features);
    return features;
  }

  sequenceExample(record: Uint8Array): JudgedSequence {
    const context = new Map<string, JudgedFeature>();
    const lists = new Map<string, readonly JudgedFeature[]>();
    let hasLists = false;
    for (const { number, wire, payload } of this.fields(record, 100)) {
      if (wire !== 2) this.isDisputed ||= number === 1 || number === 2;
      else if (number === 1) this.features(payload, context);
      else if (number === 2) {
        hasLists = true;
        for (const entry of this.known(this.fields(payload, 99), 1)) {
          const steps: JudgedFeature[] = [];
          const name = this.entry(entry, (value) => {
            for (const step of this.known(this.fields(value, 97), 1)) steps.push(this.merged(null, step, 96));
          });
          lists.set(name, steps);
        }
      }
    }
    return { context, lists, hasLists };
  }

  private features(message: Uint8Array, features: Map<string, JudgedFeature>): void {
    for (const entry of this.known(this.fields(message, 99), 1)) {
      let feature: JudgedFeature = null;
      const name = this.entry(entry, (value) => {
        feature = this.merged(feature, value, 97);
      });
      features.set(name, feature);
    }
  }

  /** Returns the name of an entry. Calls `visit` with each value of the entry, so that `visit` can merge them. */
  private entry(entry: Uint8Array, visit: (value: Uint8Array) => void): string {
    let name = "";
    for (const { number, wire, payload } of this.fields(entry, 98)) {
      if (wire !== 2) this.isDisputed ||= number === 1 || number === 2;
      else if (number === 1) name = this.text(payload);
      else if (number === 2) visit(payload);
    }
    return name;
  }

  private merged(before: JudgedFeature, message: Uint8Array, depth: number): JudgedFeature {
    let feature = before;
    for (const { number, wire, payload } of this.fields(message, depth)) {
      if (number !== 1 && number !== 2 && number !== 3) continue;
      if (wire !== 2) {
        this.isDisputed = true;
        continue;
      }
      const values: readonly unknown[] = feature?.kind === number ? feature.values : [];
      feature = { kind: number, values: [...values, ...this.list(number, payload, depth - 1)] };
    }
    return feature;
  }

  private list(kind: 1 | 2 | 3, message: Uint8Array, depth: number): unknown[] {
    const values: unknown[] = [];
    for (const { number, wire, payload } of this.fields(message, depth)) {
      if (number !== 1) continue;
      if (kind === 1 && wire === 2) values.push({ b64: Buffer.from(payload).toString("base64") });
      else if (kind === 2 && (wire === 2 || wire === 5)) values.push(...this.floats(payload));
      else if (kind === 3 && (wire === 2 || wire === 0)) values.push(...this.int64s(payload));
      else this.isDisputed = true;
    }
    return values;
  }

  private floats(packed: Uint8Array): number[] {
    if (packed.length % 4 !== 0) this.reject(true);
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    return Array.from({ length: packed.length / 4 }, (_, i) => view.getFloat32(i * 4, true));
  }

  private int64s(packed: Uint8Array): string[] {
    const values: string[] = [];
    for (let at = 0; at < packed.length; ) {
      const end = this.varintEnd(packed, at, 10);
      values.push(String(BigInt.asIntN(64, bits(packed.subarray(at, end)))));
      at = end;
    }
    return values;
  }

  private *known(fields: Iterable<Field>, known: number): Generator<Uint8Array> {
    for (const { number, wire, payload } of fields) {
      if (number === known && wire === 2) yield payload;
      else this.isDisputed ||= number === known;
    }
  }

  private text(bytes: Uint8Array): string {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return this.reject(true);
    }
  }

  /** Yields each field before parsing the next one, as other parsers do. */
  private *fields(message: Uint8Array, depth: number): Generator<Field> {
    for (let at = 0; at < message.length; ) {
      const [field, end] = this.field(message, at, depth);
      yield field;
      at = end;
    }
  }

  private field(message: Uint8Array, at: number, depth: number): [Field, number] {
    const tagEnd = this.varintEnd(message, at, 5);
    const tag = Number(bits(message.subarray(at, tagEnd)));
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (number === 0 || tag >= 2 ** 32) this.reject(false);
    if (number <= 3 && wire !== 2) this.hasOtherWireType = true;
    let start = tagEnd;
    let end = tagEnd;
    if (wire === 0) {
      end = this.varintEnd(message, start, 10);
    } else if (wire === 1 || wire === 5) {
      end = start + (wire === 1 ? 8 : 4);
    } else if (wire === 2) {
      start = this.varintEnd(message, start, 5);
      end = start + Number(bits(message.subarray(tagEnd, start)));
    } else if (wire === 3) {
      end = this.groupEnd(message, start, number, depth);
    } else {
      this.reject(false);
    }
    if (end > message.length) this.reject(message.length < this.recordLength || wire === 2);
    return [{ number, wire, payload: message.subarray(start, end) }, end];
  }

  private groupEnd(message: Uint8Array, start: number, number: number, depth: number): number {
    if (depth === 0) this.reject(true);
    for (let at = start; at < message.length; ) {
      const tagEnd = this.varintEnd(message, at, 5);
      const tag = Number(bits(message.subarray(at, tagEnd)));
      if (tag % 8 === 4) {
        if (tag !== number * 8 + 4) this.reject(false);
        return tagEnd;
      }
      at = this.field(message, at, depth - 1)[1];
    }
    return this.reject(true);
  }

  private varintEnd(bytes: Uint8Array, at: number, longest: number): number {
    for (let p = at; p < bytes.length && p < at + longest; p++) if (bytes[p]! < 128) return p + 1;
    return this.reject(true);
  }

  private reject(isDisputed: boolean): never {
    this.isDisputed ||= isDisputed;
    throw new Malformed();
  }
}

/** Returns the low 64 bits of a varint. */
function bits(varint: Uint8Array): bigint {
  return BigInt.asUintN(
    64,
    varint.reduceRight((sum, byte) => (sum << 7n) | BigInt(byte & 127), 0n),
  );
}
