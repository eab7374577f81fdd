import { strings } from "../i18n/strings";

// The smallest module with an instruction of SIMD: (func (result v128) (i8x16.splat (i32.const 0))).
const SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
];

/** Says which feature this browser lacks; undefined where it lacks none. */
export function whatIsMissing(): string | undefined {
  if (typeof WebAssembly !== "object") return strings.noWebAssembly;
  return WebAssembly.validate(new Uint8Array(SIMD)) ? undefined : strings.noSimd;
}
