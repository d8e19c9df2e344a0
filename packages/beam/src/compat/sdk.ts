import { createRequire } from "node:module";
import { UnsupportedError } from "@tfxio/wire";

/** The version that the repairs were written for. All others are rejected, because they may have different defects. */
const SDK_VERSION = "2.49.0";

/** The modules of Beam's SDK that repairs, transforms and workers use. */
export interface Sdk {
  readonly artifacts: typeof import("apache-beam/runners/artifacts");
  readonly clients: typeof import("apache-beam/proto/beam_fn_api.grpc-client");
  readonly coders: typeof import("apache-beam/coders/standard_coders");
  readonly directRunner: typeof import("apache-beam/runners/direct_runner");
  readonly data: typeof import("apache-beam/worker/data");
  readonly environments: typeof import("apache-beam/internal/environments");
  readonly expansion: typeof import("apache-beam/proto/beam_expansion_api");
  readonly fnApi: typeof import("apache-beam/proto/beam_fn_api");
  readonly fnServices: typeof import("apache-beam/proto/beam_fn_api.grpc-server");
  readonly grpc: GrpcModule;
  readonly jobApi: typeof import("apache-beam/proto/beam_job_api");
  /** The modules of generated protobuf code. Each exports the descriptions of its messages, among other things. */
  readonly messages: readonly object[];
  readonly metrics: typeof import("apache-beam/worker/metrics");
  readonly operators: typeof import("apache-beam/worker/operators");
  readonly pipeline: typeof import("apache-beam/internal/pipeline");
  readonly portableRunner: typeof import("apache-beam/runners/portable_runner/runner");
  readonly protobuf: ProtobufModule;
  readonly provisioning: typeof import("apache-beam/proto/beam_provision_api.grpc-client");
  readonly pvalue: typeof import("apache-beam/pvalue");
  readonly requiredCoders: typeof import("apache-beam/coders/required_coders");
  readonly registry: typeof import("apache-beam/serialization");
  readonly runnerApi: typeof import("apache-beam/proto/beam_runner_api");
  readonly serialize: typeof import("apache-beam/internal/serialize");
  readonly state: typeof import("apache-beam/worker/state");
  readonly transforms: typeof import("apache-beam/transforms");
  readonly internal: typeof import("apache-beam/transforms/internal");
  readonly transformUtilities: typeof import("apache-beam/transforms/utils");
  readonly codersRegistry: typeof import("apache-beam/coders/coders");
  readonly urns: typeof import("apache-beam/internal/urns");
  readonly worker: typeof import("apache-beam/worker/worker");
}

/** Names of the modules of generated code in the SDK's folder `proto`. */
const GENERATED = [
  "beam_artifact_api",
  "beam_expansion_api",
  "beam_fn_api",
  "beam_job_api",
  "beam_provision_api",
  "beam_runner_api",
  "endpoints",
  "external_transforms",
  "metrics",
  "schema",
  "standard_window_fns",
];

/** The part of `@grpc/grpc-js` that we use. This is the SDK's own copy, because channels of two copies cannot be mixed. */
export interface GrpcModule {
  readonly ChannelCredentials: { createInsecure(): unknown };
  readonly Metadata: new () => { add(name: string, value: string): void };
  readonly ServerCredentials: { createInsecure(): unknown };
  readonly Server: new () => GrpcServer;
}

/** A server of gRPC services. */
export interface GrpcServer {
  addService(definition: unknown, methods: object): void;
  /** Passes the actual port to `callback`. */
  bindAsync(
    address: string,
    credentials: unknown,
    callback: (error: Error | null, port: number) => void,
  ): void;
  /** Stops at once and cancels all open calls. */
  forceShutdown(): void;
}

/** The part of protobufjs 6 that repairs use. This is the SDK's own copy, because its coders write with it. */
export interface ProtobufModule {
  readonly Writer: new () => {
    readonly len: number;
    int64(value: number): unknown;
    finish(): Uint8Array;
  };
  readonly Reader: new (bytes: Uint8Array) => { int64(): { toString(): string } };
}

/**
 * Loads the SDK's modules. They must be loaded as CommonJS, because they import each other that way.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`) if the SDK is missing, or has another version.
 */
export function loadSdk(): Sdk {
  const require = createRequire(import.meta.url);
  const version = installedVersion(require);
  if (version !== SDK_VERSION) {
    const found = version === undefined ? "it is not installed" : `${version} is installed`;
    throw new UnsupportedError(
      `Beam transforms need apache-beam ${SDK_VERSION}, but ${found}. Run npm install apache-beam@${SDK_VERSION}.`,
      {
        feature: "Apache Beam",
        reason: "beam-sdk",
      },
    );
  }
  withoutPubsub(require, () => require("apache-beam"));
  // With a strict package manager such as pnpm, only the SDK itself can resolve its dependencies.
  const ofSdk = createRequire(require.resolve("apache-beam"));
  return {
    artifacts: require("apache-beam/runners/artifacts") as Sdk["artifacts"],
    clients: require("apache-beam/proto/beam_fn_api.grpc-client") as Sdk["clients"],
    coders: require("apache-beam/coders/standard_coders") as Sdk["coders"],
    directRunner: require("apache-beam/runners/direct_runner") as Sdk["directRunner"],
    data: require("apache-beam/worker/data") as Sdk["data"],
    environments: require("apache-beam/internal/environments") as Sdk["environments"],
    expansion: require("apache-beam/proto/beam_expansion_api") as Sdk["expansion"],
    fnApi: require("apache-beam/proto/beam_fn_api") as Sdk["fnApi"],
    fnServices: require("apache-beam/proto/beam_fn_api.grpc-server") as Sdk["fnServices"],
    grpc: ofSdk("@grpc/grpc-js") as GrpcModule,
    jobApi: require("apache-beam/proto/beam_job_api") as Sdk["jobApi"],
    messages: GENERATED.map((name) => require(`apache-beam/proto/${name}`) as object),
    metrics: require("apache-beam/worker/metrics") as Sdk["metrics"],
    operators: require("apache-beam/worker/operators") as Sdk["operators"],
    pipeline: require("apache-beam/internal/pipeline") as Sdk["pipeline"],
    portableRunner: require("apache-beam/runners/portable_runner/runner") as Sdk["portableRunner"],
    protobuf: ofSdk("protobufjs") as ProtobufModule,
    provisioning: require("apache-beam/proto/beam_provision_api.grpc-client") as Sdk["provisioning"],
    pvalue: require("apache-beam/pvalue") as Sdk["pvalue"],
    requiredCoders: require("apache-beam/coders/required_coders") as Sdk["requiredCoders"],
    registry: require("apache-beam/serialization") as Sdk["registry"],
    runnerApi: require("apache-beam/proto/beam_runner_api") as Sdk["runnerApi"],
    serialize: require("apache-beam/internal/serialize") as Sdk["serialize"],
    state: require("apache-beam/worker/state") as Sdk["state"],
    transforms: require("apache-beam/transforms") as Sdk["transforms"],
    internal: require("apache-beam/transforms/internal") as Sdk["internal"],
    transformUtilities: require("apache-beam/transforms/utils") as Sdk["transformUtilities"],
    codersRegistry: require("apache-beam/coders/coders") as Sdk["codersRegistry"],
    urns: require("apache-beam/internal/urns") as Sdk["urns"],
    worker: require("apache-beam/worker/worker") as Sdk["worker"],
  };
}

/** Returns the version of the installed SDK, or undefined if there is none. */
function installedVersion(require: NodeJS.Require): string | undefined {
  let module: { readonly version?: unknown };
  try {
    module = require("apache-beam/version") as typeof module;
  } catch {
    return undefined;
  }
  return typeof module.version === "string" ? module.version : "an unknown version";
}

const PUBSUB = "@google-cloud/pubsub";

/**
 * Runs `load`. If `@google-cloud/pubsub` is not installed, an empty module takes its place. The SDK's entry imports that package,
 * but needs it only for Pub/Sub. Users may leave it out because of its size (25 MB) and its security advisories.
 */
function withoutPubsub(require: NodeJS.Require, load: () => unknown): void {
  const ofSdk = createRequire(require.resolve("apache-beam"));
  const loader = require("node:module") as { _load: (request: string, ...rest: unknown[]) => unknown };
  try {
    ofSdk.resolve(PUBSUB);
    load();
    return;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "MODULE_NOT_FOUND") throw error;
  }
  const original = loader._load;
  loader._load = (request, ...rest) => (request === PUBSUB ? {} : original.call(loader, request, ...rest));
  try {
    load();
  } finally {
    loader._load = original;
  }
}
