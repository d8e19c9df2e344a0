import { ArgumentError, type RecordBlock } from "@tfxio/wire";
import { Binary, type Data, Field, makeData } from "apache-arrow";
import { TextBytes } from "../parse/text-bytes.js";

/** Collects the unparsed bytes of a batch's records. */
export class RawRecords {
  /** Name of the raw record column. */
  readonly name: string;
  readonly #bytes = new TextBytes();
  #offsets = [0];

  constructor(name: string) {
    this.name = name;
  }

  add(block: RecordBlock, index: number): void {
    this.#bytes.append(block.bytes, block.starts[index]!, block.ends[index]!);
    this.#offsets.push(this.#bytes.length);
  }

  data(): Data {
    const valueOffsets = Int32Array.from(this.#offsets);
    const data = this.#bytes.bytes.slice(0, this.#bytes.length);
    const length = valueOffsets.length - 1;
    return makeData({ type: new Binary(), length, nullCount: 0, valueOffsets, data });
  }

  clear(): void {
    this.#bytes.length = 0;
    this.#offsets = [0];
  }
}

/**
 * Returns the fields of a batch, followed by the field of its raw records, if requested.
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`).
 */
export function withRawRecords(fields: Field[], name: string | undefined): Field[] {
  if (name === undefined) return fields;
  if (fields.some((field) => field.name === name)) {
    throw new ArgumentError(
      "invalid-argument",
      `The raw record column "${name}" has the same name as another column.`,
      {
        reason: "raw-column-collision",
        argument: "rawRecordColumn",
      },
    );
  }
  return [...fields, new Field(name, new Binary(), false)];
}
