import { imported, unavailable } from "../description/open-described.js";
import { assertArgument, membersOf, required } from "@tfxio/wire/checks";
import { aRecordDecoder, type DecoderDescription, type RecordDecoder } from "./record-decoder.js";

/** An export of the module that a {@link DecoderDescription} names. */
interface DecoderFactory {
  readonly id: string;
  createDecoder(config: unknown): unknown;
}

/**
 * Returns `decoder` unchanged, or creates the decoder that a description names.
 * @throws {ArgumentError} `invalid-argument` if the value, or the result of the factory, is not a decoder.
 * @throws {UnsupportedError} `unsupported` (`worker-format`) if the module cannot be imported or does not export the factory.
 *   Also throws whatever the factory throws.
 */
export async function openDecoder(
  decoder: RecordDecoder | DecoderDescription | undefined,
): Promise<RecordDecoder> {
  if (!isDescription(decoder)) {
    assertArgument("decoder", decoder, required(aRecordDecoder));
    return decoder as RecordDecoder;
  }
  const { module, id, config } = decoder;
  const factory = Object.values(await imported(module, id, "worker-format")).find(
    (value): value is DecoderFactory => isFactory(value, id),
  );
  if (factory === undefined)
    throw unavailable(`${module} exports no decoder called "${id}"`, "worker-format");
  const created = await factory.createDecoder(config);
  assertArgument("decoder", created, required(aRecordDecoder));
  return created as RecordDecoder;
}

function isDescription(value: unknown): value is DecoderDescription {
  const { module, id } = membersOf(value);
  return typeof module === "string" && typeof id === "string";
}

function isFactory(value: unknown, expected: string): boolean {
  const { id, createDecoder } = membersOf(value);
  return id === expected && typeof createDecoder === "function";
}
