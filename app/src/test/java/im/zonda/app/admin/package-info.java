/// Administration of hosts, by whole servers.
@NullMarked
package im.zonda.app.admin;

import org.jspecify.annotations.NullMarked;
