declare module 'html-encoding-sniffer' {
  interface Options {
    readonly transportLayerEncodingLabel?: string | undefined;
    readonly defaultEncoding: string;
    readonly xml?: boolean;
    readonly maxPrescanBytes?: number;
  }

  /** @returns the name of the encoding as the Encoding Standard spells it */
  export default function sniffedEncoding(bytes: Uint8Array, options: Options): string;
}
