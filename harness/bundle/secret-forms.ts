// The forms in which one secret may reach a file: as it is, escaped for JSON, encoded for a URL or a
// form, and inside base64 text, where its bytes may begin at any of three places in a group.

const MINIMUM_FORM = 4;

const lowerHex = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** The characters of base64 text that are the same whatever stands before and after the secret. */
const base64Cores = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
};

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** All forms of one secret, longest first. JSON twice: a body that is JSON stands in a line of JSON. */
export const formsOf = (secret: string): readonly string[] => {
  const url = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  const cores = base64Cores(secret);
  const forms = [
    secret, escapeJson(secret), escapeJson(escapeJson(secret)), url, lowerHex(url), form, lowerHex(form),
    ...cores, ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(forms)].filter((each) => each === secret || each.length >= MINIMUM_FORM).sort((a, b) => b.length - a.length);
};
