import { isUtf8 } from 'node:buffer';

/** The text in some bytes, or why they are no text, as it completes "FILE …". */
export type Decoding =
  { readonly decoded: true; readonly text: string } | { readonly decoded: false; readonly message: string };

/** Decodes UTF-8; a byte order mark is dropped. Text that a Windows shell saved as UTF-16 is distinguished from junk. */
export function decodeText(bytes: Uint8Array): Decoding {
  if (isUtf16(bytes)) return { decoded: false, message: 'is text in UTF-16; save it as UTF-8' };
  if (!isUtf8(bytes)) {
    return {
      decoded: false,
      message: `is no text in UTF-8: line ${firstUndecodableLine(bytes)} holds bytes that are none`,
    };
  }
  return { decoded: true, text: new TextDecoder().decode(bytes) };
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function firstUndecodableLine(bytes: Uint8Array): number {
  // No character of several bytes contains a newline's byte, so each line can be judged by itself.
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
