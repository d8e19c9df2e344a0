import type { Repair } from "../repair.js";

/**
 * The SDK's generated code reads a field's number and forgets its wire type, which it needs for packed lists and for fields that it
 * does not know. A request to split at given points, or any message of a newer runner with a new field, breaks the stream that it
 * arrives on, and the job with it. Reads messages by their description instead, which skips unknown fields.
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
