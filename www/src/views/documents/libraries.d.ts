// Files of libraries that come without types.
declare module "pdfjs-dist/build/pdf.mjs" {
  export { getDocument, VerbosityLevel } from "pdfjs-dist";
}
declare module "pdfjs-dist/build/pdf.worker.mjs" {}
declare module "mammoth/mammoth.browser.min.js" {
  import mammoth from "mammoth";
  export default mammoth;
}
