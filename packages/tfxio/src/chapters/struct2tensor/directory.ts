// A chapter is its package, whole: the one place for `export *`.
export * from "@tfxio/struct2tensor/directory";
