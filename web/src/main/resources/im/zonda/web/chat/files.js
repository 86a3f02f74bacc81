import { page } from './page.js';

// This server's files have the URL that everyone can reach, which is not that of this page when it
// was opened by another name or without TLS. The page sends and reads them where it came from: its
// policy allows nothing else, and a browser that has not accepted the certificate does not either.
const files = '/upload/';
function here(url) {
  const text = String(url);
  return text.startsWith(page.files) ? location.origin + files + text.slice(page.files.length) : url;
}

// The hosts of this server's files.
export const ownHosts = [location.hostname, new URL(page.files).hostname];

const open = XMLHttpRequest.prototype.open;
XMLHttpRequest.prototype.open = function (method, url, ...rest) {
  return open.call(this, method, here(url), ...rest);
};
const fetch = window.fetch;
window.fetch = (resource, options) =>
  fetch(resource instanceof Request ? resource : here(resource), options);

// Pictures, sound and links in messages are made by `addHyperlinkTemplate` of the texts.
const changed = new WeakSet();
export function showFiles(api) {
  api.listen.on('beforeMessageBodyTransformed', text => {
    const texts = Object.getPrototypeOf(text);
    if (!changed.has(texts)) {
      changed.add(texts);
      const template = texts.addHyperlinkTemplate;
      texts.addHyperlinkTemplate = function (link) {
        return template.call(this, { ...link, url: here(link.url) });
      };
    }
  });
}
