/// The rule tables of RFC 6121, asked of a whole server.
@NullMarked
package im.zonda.app.rules;

import org.jspecify.annotations.NullMarked;
