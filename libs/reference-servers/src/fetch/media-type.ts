/** Reads a `Content-Type` header. */
import { MIMEType } from 'node:util';

/** A media type. */
export interface MediaType {
  /** In lower case, such as `text/html`. Empty where the header is absent or is no media type. */
  readonly essence: string;
  readonly charset?: string | undefined;
}

/** Of several headers the last one that is a media type counts, as in browsers. */
export function mediaTypeOf(header: string): MediaType {
  for (const value of header.split(',').toReversed()) {
    const type = parsed(value);
    if (type !== undefined) return { essence: type.essence.toLowerCase(), charset: type.params.get('charset') ?? undefined };
  }
  return { essence: '' };
}

function parsed(value: string): MIMEType | undefined {
  try {
    return new MIMEType(value.trim());
  } catch {
    return undefined;
  }
}

const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Whether it is HTML by its type. A page without a type counts as HTML. */
export function isHtmlType({ essence }: MediaType): boolean {
  return essence === '' || HTML.has(essence);
}

export function isXmlType({ essence }: MediaType): boolean {
  return essence.endsWith('+xml') || essence === 'text/xml' || essence === 'application/xml';
}

/** Whether what has this type is never a text. */
export function isBinaryType({ essence }: MediaType): boolean {
  if (essence === 'application/pdf' || essence === 'application/zip') return true;
  return /^(audio|font|image|model|video)\//.test(essence) && !/\+(xml|json)$/.test(essence);
}
