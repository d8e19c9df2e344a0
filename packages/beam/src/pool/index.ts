export { startWorkerPool, type WorkerPool, type WorkerPoolOptions } from "./worker-pool.js";
