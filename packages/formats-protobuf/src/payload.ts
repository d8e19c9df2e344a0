import { loadDecode } from "#coders";
import type { PayloadDecoder } from "@tfxio/format";
import { assertProtobufOptions, PROTOBUF_DEFAULTS, type ProtobufOptions } from "./options.js";

/**
 * Returns the decoder for records that are serialized messages of one type. It works in any container:
 * `recordFormat(tfRecordContainer, protobufPayload(type))`, or `decodeRecords(protobufPayload(type))`. Every column, at every
 * depth, is a nullable list. Null means that the field is absent.
 *
 * By default, a record that is not a well-formed message is rejected as `malformed-payload`, with the reason `truncated`,
 * `varint`, `tag`, `wire-type`, `group` or `depth`. The content of an unrequested message is not checked.
 * @param options merged over the defaults; a {@link MessageType} is enough. A format for several types omits `descriptor` and
 *   `message`, which are then passed as options of the read.
 * @see struct2tensor `create_expression_from_proto`
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
