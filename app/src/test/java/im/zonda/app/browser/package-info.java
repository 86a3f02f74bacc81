/// The pages and the chat of the packaged server in Chromium, which is driven by the Chrome
/// DevTools Protocol.
@NullMarked
package im.zonda.app.browser;

import org.jspecify.annotations.NullMarked;
