/// Tests of several servers that exchange stanzas, over sockets.
@NullMarked
package im.zonda.app.federation;

import org.jspecify.annotations.NullMarked;
