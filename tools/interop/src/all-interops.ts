import type { Interop } from "./interop.js";
import { native } from "./native/interop.js";
import { pyarrow } from "./pyarrow/interop.js";
import { tensorflow } from "./tensorflow/interop.js";
import { webgpu } from "./webgpu/interop.js";

export const allInterops: readonly Interop[] = [native, tensorflow, pyarrow, webgpu];
