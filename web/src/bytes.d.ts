/** The compressed WebAssembly as base64; the build writes this module. */
export declare const BYTES: string;
