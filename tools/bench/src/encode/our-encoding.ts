import { createExampleEncoder } from "@tfxio/arrow-encoding";
import { type EncodeSubject, inProcessEncoding } from "./encode-subject.js";

/** Encodes with our encoder, which reads the columns and creates no message objects. */
export const ourEncoding: EncodeSubject = inProcessEncoding("ours", () => {
  const encoder = createExampleEncoder();
  return (batch) => encoder.encode(batch);
});
