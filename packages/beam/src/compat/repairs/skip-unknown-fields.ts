import type { Repair } from "../repair.js";

/**
 * The SDK's generated readers use a variable that its build removed, so a message with a field that is newer than 2.49, such as
 * the pipeline options of an expansion request, throws `wireType is not defined`. Removes these readers: the runtime's own reader
 * takes their place, and skips unknown fields.
 */
export const skipUnknownFields: Repair = {
  defect: "a message with a newer field cannot be read",
  apply({ messages }) {
    for (const type of messages.flatMap((module) => Object.values(module) as unknown[])) {
      if (!isMessageType(type)) continue;
      const generated = Object.getPrototypeOf(type) as Partial<MessageType>;
      const { internalBinaryRead } = Object.getPrototypeOf(generated) as Partial<MessageType>;
      if (typeof internalBinaryRead === "function") delete generated.internalBinaryRead;
    }
  },
};

/** The part of the SDK's message types that is used here. */
interface MessageType {
  readonly typeName: string;
  internalBinaryRead(...rest: readonly unknown[]): unknown;
}

function isMessageType(value: unknown): value is MessageType {
  const { typeName, internalBinaryRead } = Object(value) as Partial<MessageType>;
  return typeof typeName === "string" && typeof internalBinaryRead === "function";
}
