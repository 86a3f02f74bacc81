/// The chat in the browser: converse.js with this host as its server, and the scripts around it.
@NullMarked
package im.zonda.web.chat;

import org.jspecify.annotations.NullMarked;
