/** Origin of a record, for error messages and for the columns of row positions and split indices. */
export interface RecordOrigin {
  /** Index of the source in the list of sources that share a pool. */
  readonly source: number;
  readonly recordIndex: number;
  /** Offset of the record's payload, in the source's uncompressed bytes. */
  readonly byteOffset: number;
  /** Number of framing bytes before the payload. */
  readonly headerBytes: number;
}

/** Origins of many records, as a table of columns instead of one object per record. */
export class RecordOrigins {
  sources: Uint32Array;
  recordIndices: Float64Array;
  byteOffsets: Float64Array;
  headers: Uint32Array;

  constructor(length: number) {
    this.sources = new Uint32Array(length);
    this.recordIndices = new Float64Array(length);
    this.byteOffsets = new Float64Array(length);
    this.headers = new Uint32Array(length);
  }

  /**
   * Copies one row of the table `other`, which may be this table. `from` is the row's index in `other`, and `to` its index in
   * this table.
   */
  copy(other: RecordOrigins, from: number, to: number): void {
    this.sources[to] = other.sources[from]!;
    this.recordIndices[to] = other.recordIndices[from]!;
    this.byteOffsets[to] = other.byteOffsets[from]!;
    this.headers[to] = other.headers[from]!;
  }

  /** Returns the origin in row `row` as an object. */
  at(row: number): RecordOrigin {
    return {
      source: this.sources[row]!,
      recordIndex: this.recordIndices[row]!,
      byteOffset: this.byteOffsets[row]!,
      headerBytes: this.headers[row]!,
    };
  }

  /** Makes room for at least `length` rows. */
  growTo(length: number): void {
    if (length <= this.sources.length) return;
    this.#resize(Math.max(length, this.sources.length * 2));
  }

  #resize(length: number): void {
    this.sources = enlarged(this.sources, new Uint32Array(length));
    this.recordIndices = enlarged(this.recordIndices, new Float64Array(length));
    this.byteOffsets = enlarged(this.byteOffsets, new Float64Array(length));
    this.headers = enlarged(this.headers, new Uint32Array(length));
  }
}

/** Copies the numbers in `from` to the start of `to`, and returns `to`. */
export function enlarged<Numbers extends Uint32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
