export type { BackendAttempt, BackendMiss, BackendName } from "./attempt.js";
export type { BackendRegistry, ImportModule } from "./candidate.js";
export type { BackendReport } from "./explain-backends.js";
export { explainBackends } from "./explain-backends.js";
export type { LoadBackendOptions, LoadedBackend } from "./load-backend.js";
export { loadBackend } from "./load-backend.js";
