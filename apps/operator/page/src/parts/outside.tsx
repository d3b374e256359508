import type { ComponentChildren } from 'preact';

/** A link to another program, in a window of its own; without an address, only its text. */
export function Outside({ href, text }: { readonly href: string | undefined; readonly text: ComponentChildren }) {
  if (href === undefined) return <>{text}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}
