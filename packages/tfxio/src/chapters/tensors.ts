// A chapter re-exports all exports of one package or of one of its subpaths. Only chapters use `export *`.
export * from "@tfxio/tensor-adapter";
