/**
 * A message type as plain JSON, so that it can be an option of a format and cross to worker threads. A type, not an
 * interface, since only those are assignable to records of unknown members, as which `io` takes the options of formats.
 */
export type MessageType = {
  /** A serialized `FileDescriptorSet`, in base64: the type's file and all that it imports. */
  readonly descriptor: string;
  /** Full name of the type, without a leading dot. */
  readonly message: string;
};
