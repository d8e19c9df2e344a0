import { beam } from "./beam/interop.js";
import { fastavro } from "./fastavro/interop.js";
import type { Interop } from "./interop.js";
import { mlmd } from "./mlmd/interop.js";
import { native } from "./native/interop.js";
import { parquet } from "./parquet/interop.js";
import { pyarrow } from "./pyarrow/interop.js";
import { struct2tensor } from "./struct2tensor/interop.js";
import { tensorflow } from "./tensorflow/interop.js";
import { tfxBsl } from "./tfx-bsl/interop.js";
import { webgpu } from "./webgpu/interop.js";

/** All interops, in the order in which `pnpm interop` runs them. */
export const allInterops: readonly Interop[] = [
  native,
  tensorflow,
  pyarrow,
  parquet,
  fastavro,
  mlmd,
  tfxBsl,
  struct2tensor,
  webgpu,
  beam,
];
