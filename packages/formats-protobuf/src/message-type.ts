/**
 * A message type as plain JSON, which can be passed as format options and sent to worker threads. A type alias instead of an
 * interface, because `io` takes format options as a `Record<string, unknown>`, to which an interface is not assignable.
 */
export type MessageType = {
  /** A serialized `FileDescriptorSet` in base64, with the type's file and all its imports. */
  readonly descriptor: string;
  /** Full name of the type, without a leading dot. */
  readonly message: string;
};
