/** @ts-ignore: an optional peer. Without it, this type is `any`. */
export type { ModelRuntime } from "@tfxio/struct2tensor";
