import type { BatchWriter, WriterContext } from "@tfxio/format";
import type { ByteTarget } from "@tfxio/wire";
import type { Data, RecordBatch } from "apache-arrow";
import type { Codecs } from "./compression/codecs.js";
import { FILE_MAGIC, MAGIC_BYTES } from "./containers/container.js";
import type { ArrowOptions } from "./options.js";
import {
  type Block,
  type BodyEncoding,
  encodeBatch,
  encodeFooter,
  encodeSchema,
  END_MARKER,
} from "./writing/encode-message.js";
import { WrittenDictionaries } from "./writing/written-dictionaries.js";
import { withOwnDictionaryIds } from "./writing/written-schema.js";

const magic = new TextEncoder().encode(FILE_MAGIC);

/**
 * Creates a writer of an IPC file or stream. The schema is written with the first batch, or by `finish` if there is no batch. A
 * dictionary is written before the first batch that needs it. For a file, the writer keeps the positions of all batches and
 * dictionaries in memory.
 * @throws {ConversionError} `out-of-range` (`dictionary-index`), from `write`, if the batches of a file use several dictionaries
 *   for a column, which together have more values than the column's index type can address.
 * @throws {UnsupportedError} `unsupported` (`column-type`), from `write`, if a column's type cannot be written.
 */
export async function writeArrow(
  target: ByteTarget,
  { arrowSchema, options }: WriterContext<ArrowOptions>,
  codecs: Codecs,
): Promise<BatchWriter> {
  const { container, compression } = options;
  const isStream =
    container === "stream" || (container === "auto" && target.uri.toLowerCase().endsWith(".arrows"));
  const encoding: BodyEncoding | undefined =
    compression === "none" ? undefined : { codec: compression, encode: (await codecs[compression]()).encode };
  const schema = withOwnDictionaryIds(arrowSchema);
  const written = new WrittenDictionaries({ canReplace: isStream });
  const [batches, dictionaries]: [Block[], Block[]] = [[], []];
  let position = 0;

  const put = async (bytes: Uint8Array): Promise<void> => {
    await target.write(bytes);
    position += bytes.length;
  };
  const begin = async (): Promise<void> => {
    if (position > 0) return;
    if (!isStream) {
      const head = new Uint8Array(MAGIC_BYTES);
      head.set(magic);
      await put(head);
    }
    await put(encodeSchema(schema, position).bytes);
  };
  const putBatch = async (content: Parameters<typeof encodeBatch>[0], blocks: Block[]): Promise<void> => {
    const { bytes, metadataBytes } = await encodeBatch(content, encoding, position);
    if (!isStream) blocks.push({ offset: position, metadataBytes, bodyBytes: bytes.length - metadataBytes });
    await put(bytes);
  };
  return {
    async write({ data, numRows, metadata }: RecordBatch) {
      await begin();
      const columns = data.children.map((child: Data) =>
        child.length === numRows ? child : child.slice(0, numRows),
      );
      const content = written.arraysOf(columns, schema.fields);
      for (const { id, isDelta, numRows: numValues, arrays } of content.dictionaries) {
        await putBatch({ numRows: numValues, arrays, dictionary: { id, isDelta } }, dictionaries);
      }
      await putBatch({ numRows, arrays: content.arrays, metadata }, batches);
    },
    async finish() {
      await begin();
      await put(END_MARKER);
      if (!isStream) await put(encodeFooter(schema, batches, dictionaries, magic));
    },
  };
}
