import { recordFormat, type WritableFormat } from "@tfxio/format";
import { cifarFiles, cifarPayload } from "./cifar.js";

/** CIFAR-10 that can also be written. */
export const writableCifar: WritableFormat = recordFormat(cifarFiles, cifarPayload, {
  id: "cifar",
  columnForm: "lists",
  createWriter: async (target) => ({
    async write(batch) {
      for (const { label, image } of batch) {
        const record = new Uint8Array(3073);
        record[0] = Number(label?.get(0));
        record.set(image?.get(0), 1);
        await target.write(record);
      }
    },
    finish: async () => {},
  }),
});
