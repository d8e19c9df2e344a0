import { createExampleEncoder } from "@tfxio/arrow-encoding";
import { type EncodeSubject, inProcessEncoding } from "./encode-subject.js";

/** Encodes with our encoder, which creates no objects for rows or values. */
export const ourEncoding: EncodeSubject = inProcessEncoding("ours", () => {
  const encoder = createExampleEncoder();
  return (batch) => encoder.encode(batch);
});
