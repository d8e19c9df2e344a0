import { createExampleEncoder } from "@tfxio/arrow-encoding";
import { type EncodeSubject, inProcessEncoding } from "./encode-subject.js";

/** Our encoder: columns to records, without an object for a row or value. */
export const ourEncoding: EncodeSubject = inProcessEncoding("ours", () => {
  const encoder = createExampleEncoder();
  return (batch) => encoder.encode(batch);
});
