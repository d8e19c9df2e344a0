import { loadDecode } from "#coders";
import type { PayloadDecoder } from "@tfxio/format";
import { assertProtobufOptions, PROTOBUF_DEFAULTS, type ProtobufOptions } from "./options.js";

/**
 * Records that are serialized messages of one type, for any container: `recordFormat(tfRecordContainer, protobufPayload(type))`,
 * or `decodeRecords(protobufPayload(type))`. Each batch has a nullable list for every field at every depth; null is a field that
 * is not on the wire.
 *
 * Bytes that are no well-formed message are `malformed-payload`: `truncated`, `varint`, `tag`, `wire-type`, `group`, `depth`. The
 * inside of a message that nobody asked for is not looked at.
 * @param options Overlay the defaults; a {@link MessageType} is enough. What is left out here is left to whoever reads: a format of
 * several types is given `descriptor` and `message` then.
 * @see struct2tensor `create_expression_from_prensor`, tfx_bsl `arrow` interop
 */
export function protobufPayload(options: Partial<ProtobufOptions> = {}): PayloadDecoder<ProtobufOptions> {
  return {
    id: "protobuf",
    defaults: { ...PROTOBUF_DEFAULTS, ...options },
    reads: { rawRecordColumn: true },
    assertOptions: assertProtobufOptions,
    async plan(request, given) {
      const { planMessages } = await loadDecode();
      return planMessages(request, given);
    },
  };
}
