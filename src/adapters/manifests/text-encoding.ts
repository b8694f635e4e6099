import { isUtf8 } from 'node:buffer';

/** The text in some bytes, or why they are not text; completes "FILE …". */
export type Decoding =
  { readonly decoded: true; readonly text: string } | { readonly decoded: false; readonly message: string };

/** Decodes UTF-8, without the byte order mark. Recognizes UTF-16, which a Windows shell may have written. */
export function decodeText(bytes: Uint8Array): Decoding {
  if (isUtf16(bytes)) return { decoded: false, message: 'is UTF-16 text; save it as UTF-8' };
  if (!isUtf8(bytes)) {
    return {
      decoded: false,
      message: `is not UTF-8 text: line ${firstInvalidLine(bytes)} contains invalid bytes`,
    };
  }
  return { decoded: true, text: new TextDecoder().decode(bytes) };
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function firstInvalidLine(bytes: Uint8Array): number {
  // No multi-byte character contains the byte of a newline, so each line can be checked by itself.
  let line = 1;
  for (
    let start = 0, end = bytes.indexOf(0x0a);
    end !== -1;
    start = end + 1, end = bytes.indexOf(0x0a, start), line += 1
  ) {
    if (!isUtf8(bytes.subarray(start, end))) return line;
  }
  return line;
}
