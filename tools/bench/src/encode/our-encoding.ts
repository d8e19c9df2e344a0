import { createExampleEncoder } from "@tfxio/arrow-encoding";
import { type EncodeSubject, inProcessEncoding } from "./encode-subject.js";

/** Our encoder, which creates no objects for rows or values. */
export const ourEncoding: EncodeSubject = inProcessEncoding("ours", () => {
  const encoder = createExampleEncoder();
  return (batch) => encoder.encode(batch);
});
