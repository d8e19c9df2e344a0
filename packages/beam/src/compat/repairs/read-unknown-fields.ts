import type { Repair } from "../repair.js";

/**
 * The SDK's generated code drops the wire type of a field, but needs it for packed lists and unknown fields. So a request to
 * split at given points, or a field added by a newer runner, breaks the stream it arrives on and fails the job. Reads messages by
 * their description instead, which accepts both.
 */
export const readUnknownFields: Repair = {
  defect: "messages with a packed list, or a field added since 2.49, break the worker",
  apply({ messages }) {
    for (const type of messages.flatMap((module) => Object.values(module) as unknown[])) {
      if (!isMessageType(type)) continue;
      // The base class has a method of this name that reads any message.
      delete (Object.getPrototypeOf(type) as Partial<MessageType>).internalBinaryRead;
    }
  },
};

/** The description of a message, as protobuf-ts generates it: an instance of a class of its own. */
interface MessageType {
  internalBinaryRead(...args: unknown[]): unknown;
}

function isMessageType(value: unknown): value is MessageType {
  if (typeof value !== "object" || value === null) return false;
  const generated: unknown = Object.getPrototypeOf(value);
  return Object.hasOwn(generated as object, "internalBinaryRead") && Object.hasOwn(value, "typeName");
}
