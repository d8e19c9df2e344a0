import type { Coder } from "apache-beam/coders/coders";
import type { RecordBatch } from "apache-arrow";
import { decodeBatch, encodeBatch } from "../coders/batch-bytes.js";
import type { Sdk } from "../compat/sdk.js";

const URN = "tfxio:coder:record_batch:v1";

/** The part of protobufjs's reader that we use. */
interface ByteReader {
  readonly buf: Uint8Array;
  pos: number;
  readonly len: number;
  bytes(): Uint8Array;
}

/**
 * Creates the coder of record batches, and registers it with the SDK, so that workers find the coder by its URN. It encodes each
 * batch as one Arrow IPC stream, preceded by its length if elements need delimiters.
 */
export function recordBatchCoder({ codersRegistry }: Sdk): Coder<RecordBatch> {
  const { Context, globalRegistry, writeRawBytes } = codersRegistry;
  class RecordBatchCoder implements Coder<RecordBatch> {
    encode(batch: RecordBatch, writer: Parameters<Coder<RecordBatch>["encode"]>[1], context: unknown): void {
      const bytes = encodeBatch(batch);
      if (context === Context.needsDelimiters) writer.bytes(bytes);
      else writeRawBytes(bytes, writer);
    }

    decode(reader: Parameters<Coder<RecordBatch>["decode"]>[0], context: unknown): RecordBatch {
      if (context === Context.needsDelimiters) return decodeBatch(reader.bytes());
      const { buf, pos, len } = reader as unknown as ByteReader;
      reader.pos = len;
      return decodeBatch(Uint8Array.from(buf.subarray(pos, len)));
    }

    toProto(): ReturnType<Coder<RecordBatch>["toProto"]> {
      return { spec: { urn: URN, payload: new Uint8Array() }, componentCoderIds: [] };
    }
  }
  globalRegistry().register(URN, RecordBatchCoder);
  return new RecordBatchCoder();
}
