/// Stanzas to and from a room: the table of request handlers, and the presence and messages that a
/// room broadcasts to its occupants.
@NullMarked
package im.zonda.module.muc.stanza;

import org.jspecify.annotations.NullMarked;
