/// Messages, presence and IQs, and the errors of stanzas and streams (RFC 6120, section 8).
@NullMarked
package im.zonda.stanza;

import org.jspecify.annotations.NullMarked;
