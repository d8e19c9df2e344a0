import type { Repair } from "../repair.js";

/**
 * The SDK's generated code drops the wire type of a field, but needs it to read packed lists and unknown fields. The code
 * therefore fails on split requests, whose split points are a packed list, and on messages with fields that a newer runner added.
 * Such a message then breaks its stream, and the job fails. This repair removes the generated readers, so protobuf-ts reads
 * each message according to the description of its type.
 */
export const readUnknownFields: Repair = {
  defect: "messages with a packed list, or a field added since Beam 2.49, break the worker",
  apply({ messages }) {
    for (const type of messages.flatMap((module) => Object.values(module) as unknown[])) {
      if (!isMessageType(type)) continue;
      // The base class has a method with the same name that can read any message.
      delete (Object.getPrototypeOf(type) as Partial<MessageType>).internalBinaryRead;
    }
  },
};

/** The description of a message type. protobuf-ts generates one class per message type, with one instance. */
interface MessageType {
  internalBinaryRead(...args: unknown[]): unknown;
}

function isMessageType(value: unknown): value is MessageType {
  if (typeof value !== "object" || value === null) return false;
  const generated: unknown = Object.getPrototypeOf(value);
  return Object.hasOwn(generated as object, "internalBinaryRead") && Object.hasOwn(value, "typeName");
}
