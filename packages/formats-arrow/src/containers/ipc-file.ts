import { type ByteSource, coalescing } from "@tfxio/wire";
import type { ReadLimits } from "../compression/codecs.js";
import { type Body, bodyOf } from "../columns/body-buffers.js";
import { Dictionaries } from "../columns/dictionaries.js";
import type { FlatPlace } from "../flatbuffer/flat-table.js";
import { assertWithin, damaged } from "../metadata/damage.js";
import { type BatchHeader, type Message, parseMessage, versionedSchema } from "../metadata/message.js";
import { dictionaryIds, type StoredColumn, type StoredSchema } from "../metadata/stored-column.js";
import { parseSchema } from "../metadata/stored-schema.js";
import type { BatchIndex } from "./batch-index.js";
import { FILE_MAGIC } from "./container.js";
import { type FooterKind, readFooter } from "./footer.js";
import { isContinuation, metadataLength, PREFIX_BYTES } from "./message-prefix.js";
import { rangesOf } from "./ranges.js";
import { readDictionary, type StoredBatch, type StoredDictionary } from "./stored-batch.js";

const BLOCK_BYTES = 24;

/** The position of a message in a file, and the lengths of its parts in bytes. */
interface Block {
  readonly offset: number;
  readonly metadataLength: number;
  readonly bodyLength: number;
}

/** The schema and the positions of messages, from the footer. */
interface Blocks {
  readonly schema: StoredSchema;
  readonly batches: readonly Block[];
  readonly dictionaries: readonly Block[];
}

/**
 * Reads the footer of an IPC file. Feather V2 is the same container.
 * @throws {RecordError} `truncated-record` (`footer`); `corrupt-record` (`footer`); `limit-exceeded` (`metadata-length`).
 * @throws The errors of {@link parseSchema}.
 * @see https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format
 */
export async function openIpcFile(
  source: ByteSource,
  limits: ReadLimits,
  signal: AbortSignal | undefined,
): Promise<BatchIndex> {
  const { schema, batches, dictionaries } = await readBlocks(source, limits, signal);
  const file = new IpcFile(source, limits);
  let known: { readonly ids: string; readonly dictionaries: Dictionaries } | undefined;
  return {
    schema,
    extents: batches.map(({ offset, metadataLength: length, bodyLength }) => {
      return { start: offset, end: offset + length + bodyLength };
    }),
    headers: (first, end, reading) => file.headers(batches.slice(first, end), reading),
    batch: (index, loaded, options) => file.batch(batches[index] as Block, loaded, options),
    async dictionaries(columns, reading) {
      const needed = new Set(columns.flatMap((column) => [...dictionaryIds(column, schema)]));
      const ids = [...needed].toSorted((a, b) => a - b).join();
      if (known?.ids === ids) return known.dictionaries;
      const loaded = await file.dictionaries(dictionaries, needed, schema, reading);
      known = { ids, dictionaries: loaded };
      return loaded;
    },
  };
}

const FOOTER: FooterKind = { what: "the footer", container: "an Arrow file", magic: FILE_MAGIC };

async function readBlocks(
  source: ByteSource,
  limits: ReadLimits,
  signal: AbortSignal | undefined,
): Promise<Blocks> {
  const { byteLength } = source;
  const { table: footer, place } = await readFooter(source, FOOTER, limits, signal);
  const blocks = (field: number): Block[] =>
    footer.structs(field, BLOCK_BYTES, (int64At, int32At) => {
      const block = { offset: int64At(0), metadataLength: int32At(8), bodyLength: int64At(16) };
      assertBlock(block, byteLength, limits, place);
      return block;
    });
  return {
    schema: parseSchema(versionedSchema(footer.required(1, "schema"), footer.int16(0))),
    dictionaries: blocks(2),
    batches: blocks(3),
  };
}

function assertBlock(
  { offset, metadataLength: length, bodyLength }: Block,
  byteLength: number | undefined,
  { maxMetadataBytes }: ReadLimits,
  place: FlatPlace,
): void {
  const end = offset + length + bodyLength;
  const isPlace = offset >= 0 && length >= 2 * PREFIX_BYTES && bodyLength >= 0 && Number.isSafeInteger(end);
  if (!isPlace || end > (byteLength ?? Infinity)) {
    const what = `a message at byte ${offset} with ${length} bytes of metadata and ${bodyLength} bytes of body`;
    const size = byteLength === undefined ? "" : ` in a file of ${byteLength} bytes`;
    throw damaged(place, `the footer lists ${what}, which is impossible${size}`, "footer");
  }
  assertWithin(length, maxMetadataBytes, {
    place,
    what: "the metadata of a message",
    reason: "metadata-length",
  });
}

/** Reads messages at the positions of their blocks. */
class IpcFile {
  readonly #source: ByteSource;
  /** Coalesces reads, because buffers of one body are close together. */
  readonly #coalesced: ByteSource;
  readonly #limits: ReadLimits;

  constructor(source: ByteSource, limits: ReadLimits) {
    this.#source = source;
    this.#coalesced = coalescing(source);
    this.#limits = limits;
  }

  async headers(blocks: readonly Block[], signal: AbortSignal | undefined): Promise<BatchHeader[]> {
    const messages = await this.#messages(blocks, signal);
    return messages.map((message, at) => {
      if (message.kind === "batch") return message.batch;
      throw damaged(
        this.#placeOf(blocks[at] as Block),
        `expected a record batch, found a ${message.kind}`,
        "message",
      );
    });
  }

  async batch(
    block: Block,
    dictionaries: Dictionaries,
    { isWhole, signal }: { readonly isWhole: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<StoredBatch> {
    const place = this.#placeOf(block);
    const numBytes = block.metadataLength + block.bodyLength;
    const { message, body } = isWhole ? await this.#whole(block, signal) : await this.#headOf(block, signal);
    if (message.kind !== "batch")
      throw damaged(place, `expected a record batch, found a ${message.kind}`, "message");
    return { header: message.batch, body, numBytes, dictionary: (id, where) => dictionaries.get(id, where) };
  }

  /** Reads the headers of all dictionaries together, then the values of the needed dictionaries, innermost first. */
  async dictionaries(
    blocks: readonly Block[],
    needed: ReadonlySet<number>,
    schema: StoredSchema,
    signal: AbortSignal | undefined,
  ): Promise<Dictionaries> {
    const dictionaries = new Dictionaries();
    if (needed.size === 0) return dictionaries;
    const messages = await this.#messages(blocks, signal);
    const stored = messages.map((message, at): StoredDictionary => {
      const block = blocks[at] as Block;
      if (message.kind === "dictionary")
        return { header: message.dictionary, body: this.#bodyOf(block, message, signal) };
      throw damaged(this.#placeOf(block), `expected a dictionary, found a ${message.kind}`, "message");
    });
    for (const id of innermostFirst(needed, schema)) {
      for (const one of stored.filter(({ header }) => header.id === id)) {
        await readDictionary(one, schema, dictionaries, this.#limits);
      }
    }
    return dictionaries;
  }

  async #messages(blocks: readonly Block[], signal: AbortSignal | undefined): Promise<Message[]> {
    const ranges = blocks.map(({ offset, metadataLength: length }) => ({
      start: offset,
      end: offset + length,
    }));
    const found = await rangesOf(this.#coalesced, ranges, signal);
    return found.map((bytes, at) => this.#parse(bytes, blocks[at] as Block));
  }

  async #headOf(
    block: Block,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly message: Message; readonly body: Body }> {
    const [message] = await this.#messages([block], signal);
    return { message: message as Message, body: this.#bodyOf(block, message as Message, signal) };
  }

  async #whole(
    block: Block,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly message: Message; readonly body: Body }> {
    const { offset, metadataLength: length, bodyLength } = block;
    const { maxPageBytes } = this.#limits;
    const limit = { place: this.#placeOf(block), what: "the record batch", reason: "page-length" } as const;
    assertWithin(bodyLength, maxPageBytes, limit);
    const [bytes] = await rangesOf(
      this.#source,
      [{ start: offset, end: offset + length + bodyLength }],
      signal,
    );
    const whole = bytes as Uint8Array;
    const message = this.#parse(whole.subarray(0, length), block);
    return { message, body: bodyOf(whole.subarray(length, length + message.bodyLength)) };
  }

  #bodyOf(
    { offset, metadataLength: length }: Block,
    { bodyLength }: Message,
    signal: AbortSignal | undefined,
  ): Body {
    const first = offset + length;
    return {
      byteLength: bodyLength,
      read: (ranges) =>
        rangesOf(
          this.#coalesced,
          ranges.map((range) => ({ start: first + range.offset, end: first + range.offset + range.length })),
          signal,
        ),
    };
  }

  #parse(bytes: Uint8Array, block: Block): Message {
    const place = this.#placeOf(block);
    const start = isContinuation(bytes) ? 2 * PREFIX_BYTES : PREFIX_BYTES;
    const length = metadataLength(bytes.subarray(start - PREFIX_BYTES), place, this.#limits);
    if (length === 0 || start + length > bytes.length) {
      throw damaged(
        place,
        length === 0
          ? "it has no metadata"
          : `its metadata has ${length} bytes, but its block has room for ${bytes.length - start}`,
        "message",
      );
    }
    const message = parseMessage(bytes.subarray(start, start + length), place);
    if (message.bodyLength <= block.bodyLength) return message;
    const problem = `its body has ${message.bodyLength} bytes, but the footer declares ${block.bodyLength}`;
    throw damaged(place, problem, "message");
  }

  #placeOf({ offset }: Block): FlatPlace {
    return { uri: this.#source.uri, byteOffset: offset };
  }
}

/** Orders dictionaries so that each follows the dictionaries nested in its values. */
function innermostFirst(needed: ReadonlySet<number>, schema: StoredSchema): readonly number[] {
  const ordered = new Set<number>();
  const visit = (id: number, around: ReadonlySet<number>): void => {
    const values = schema.dictionaries.get(id);
    if (ordered.has(id) || around.has(id) || values === undefined) return;
    const within = (column: StoredColumn): void => {
      if (column.layout.kind === "dictionary") visit(column.layout.id, new Set([...around, id]));
      column.children.forEach(within);
    };
    within(values);
    ordered.add(id);
  };
  for (const id of needed) visit(id, new Set());
  return [...ordered];
}
