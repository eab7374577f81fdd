// The part of pdf.js that parses; it registers itself.
import "pdfjs-dist/build/pdf.worker.mjs";
