import { type DecodedRecords, decodeRecords, type PayloadDecoder } from "@tfxio/format";
import { examplePayload, rawPayload, sequenceExamplePayload } from "@tfxio/formats-tfrecord";
import { decodeSchema } from "@tfxio/schema";
import { type Json, UnsupportedError } from "@tfxio/wire";
import { membersOf } from "@tfxio/wire/checks";

/** Describes how to decode records, as JSON for workers. */
export type RecordDecoding = PayloadDecoding | DecoderDescription;

/** Names the PayloadDecoder that decodes records, with its options and schema. */
export interface PayloadDecoding {
  /** The id of a built-in payload, or the module that exports another payload. */
  readonly payload: string | PayloadModule;
  readonly payloadOptions: Readonly<Record<string, unknown>> | undefined;
  /** The serialized TFMD schema as base64. Undefined if there is none. */
  readonly schema: string | undefined;
}

/** The module of a payload that is not built in. */
export interface PayloadModule {
  /** URL of an ES module. */
  readonly module: string;
  /** `id` of the PayloadDecoder that the module exports, under any name. */
  readonly id: string;
}

/**
 * A description from which other processes create a decoder of records. The module exports, under any name, an object with this
 * `id` and a function `createDecoder(config)`.
 */
export interface DecoderDescription {
  /** URL of an ES module. */
  readonly module: string;
  readonly id: string;
  /** Argument of `createDecoder`. */
  readonly config: Json;
}

/** Decodes a list of records into one batch. Borrows the records during the call. */
export type DecodeRecords = (records: readonly Uint8Array[]) => Pick<DecodedRecords, "batch" | "numSkipped">;

/** The built-in payloads, which workers find by id. */
export const ownPayloads: readonly PayloadDecoder[] = [examplePayload, sequenceExamplePayload, rawPayload];

/**
 * Creates the described decoder.
 * @throws {UnsupportedError} `unsupported` (`worker-format`) if a module cannot be imported, or lacks the export. Also throws
 *   the errors of the decoder's own checks, such as {@link SchemaError} for a schema that it does not support.
 */
export async function openDecoding(decoding: RecordDecoding): Promise<DecodeRecords> {
  if ("config" in decoding) {
    const { module, id, config } = decoding;
    const factory = await exported<DecoderFactory>(module, id, "createDecoder");
    const decoder = await factory.createDecoder(config);
    return (records) => decoder.decode(records);
  }
  const { payload, payloadOptions = {}, schema } = decoding;
  const decoder = await decodeRecords(await payloadOf(payload), {
    options: payloadOptions,
    schema: schema === undefined ? undefined : decodeSchema(Buffer.from(schema, "base64")),
  });
  return (records) => decoder.decode(records);
}

/** The object that the module of a {@link DecoderDescription} exports. */
interface DecoderFactory {
  createDecoder(
    config: Json,
  ): { readonly decode: DecodeRecords } | Promise<{ readonly decode: DecodeRecords }>;
}

async function payloadOf(payload: string | PayloadModule): Promise<PayloadDecoder> {
  if (typeof payload === "string") return ownPayloads.find(({ id }) => id === payload) as PayloadDecoder;
  return exported<PayloadDecoder>(payload.module, payload.id, "plan");
}

/** Imports a module, and returns its export with this id and method. @throws {UnsupportedError} like {@link openDecoding}. */
async function exported<Export>(module: string, id: string, method: string): Promise<Export> {
  let exports: object;
  try {
    exports = (await import(module)) as object;
  } catch (cause) {
    throw unavailable(`${module} cannot be imported in this process`, cause);
  }
  const found: unknown = Object.values(exports).find((value) => {
    const members = membersOf(value);
    return members["id"] === id && typeof members[method] === "function";
  });
  if (found === undefined)
    throw unavailable(`${module} must export an object with the id "${id}" and the method "${method}"`);
  return found as Export;
}

function unavailable(problem: string, cause?: unknown): UnsupportedError {
  return new UnsupportedError(`Records cannot be decoded: ${problem}.`, {
    feature: "decoding elsewhere",
    reason: "worker-format",
    cause,
  });
}
