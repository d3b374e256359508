/**
 * Names the base images of a release by digest, `name:tag@sha256:…`, so that the tested images are built and run. The tag stays for people,
 * and for the bot that proposes newer ones.
 */

/** An image of others: a stage of the Dockerfile, or a service of the compose file, without a variable in its name. */
const IMAGE = /^(FROM |\s+image: )([\w./-]+:[\w.-]+)(@sha256:[\da-f]{64})?(?=\s|$)/gm;

/** The images that are built here. */
const OWN = /^longhaul/;

/**
 * @param {string} text of a Dockerfile or a compose file
 * @returns {readonly string[]} the images of others that it names, each once, without digests
 */
export function imagesIn(text) {
  return [...new Set([...text.matchAll(IMAGE)].map(([, , image = '']) => image).filter((image) => !OWN.test(image)))];
}

/**
 * @param {string} text
 * @param {ReadonlyMap<string, string>} digests by image, `sha256:…`
 * @returns {string} the same with the current digests
 * @throws {Error} when a digest is missing or invalid
 */
export function pinned(text, digests) {
  return text.replaceAll(IMAGE, (whole, start, image) => {
    if (OWN.test(image)) return whole;
    const digest = digests.get(image) ?? '';
    if (!/^sha256:[\da-f]{64}$/.test(digest)) throw new Error(`${image} has no digest: ${JSON.stringify(digest)}`);
    return `${start}${image}@${digest}`;
  });
}
