/// Why messages did not arrive: the record of it, and the command that explains a message.
@NullMarked
package im.zonda.app.journal;

import org.jspecify.annotations.NullMarked;
