/// Group chat (XEP-0045) on whole servers.
@NullMarked
package im.zonda.app.rooms;

import org.jspecify.annotations.NullMarked;
