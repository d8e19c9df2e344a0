/**
 * A message type as plain JSON, usable as a format option and in worker threads. It is a type alias because `io` takes format
 * options as records of unknown members, to which interfaces are not assignable.
 */
export type MessageType = {
  /** A serialized `FileDescriptorSet` in base64, with the type's file and all its imports. */
  readonly descriptor: string;
  /** Full name of the type, without a leading dot. */
  readonly message: string;
};
